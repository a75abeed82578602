"""The robot in the browser (page/robot.html): opened by `zermelo robot`, and by `watch(robot)` from a Python prompt.

    from zermelo.robot import Robot, maze
    from zermelo.serve.robot import watch

    robot = Robot(obstacles=maze())
    view = watch(robot)         # opens the page, and returns to the prompt at once
    robot.forward(2)            # is shown there; view.close() ends it

A `Track` records the robot's motion as it happens, which costs the robot no time; the page shows it at its original pace.
The game robot-maze is solved, shown and raced by the same page.
"""

from __future__ import annotations

import contextlib
import math
import secrets
import threading
import webbrowser
from collections.abc import Callable, Mapping
from typing import Any

from zermelo.errors import OutOfReach, ParameterError
from zermelo.games.named import find
from zermelo.robot import Robot, drive_along, fill_dead_ends, follow_wall
from zermelo.robot.robot import RADIUS
from zermelo.serve import races
from zermelo.serve.api import Api, object_in, ours
from zermelo.serve.server import Server
from zermelo.serve.shelf import Sheet

PATIENCE = 4.0  # seconds that a page waits for new samples
MOST_SAMPLES = 200_000  # kept at most; older samples are dropped
MOST_SENT = 5_000  # at once
FAR = 0.2  # cells, or degrees, beyond what the robot can have driven
OFTEN = 0.1  # seconds of the robot's time between samples while it drives
GAME, MOST_CELLS = "robot-maze", 20  # in a row or column of the game
PAGE = "robot.html"
PROGRAMS: dict[str, Callable[[Robot, Any], Any]] = {
    "left hand on the wall": lambda robot, maze: follow_wall(robot, maze, "left"),
    "right hand on the wall": lambda robot, maze: follow_wall(robot, maze, "right"),
    "dead ends filled": lambda robot, maze: drive_along(robot, [*fill_dead_ends(maze), maze.outside]),
}


class Track:
    """The record of a robot: samples (time, x, y, angle, pen, stalled, placed); the page requests those it has not seen.
    Angles continue beyond a full turn; `placed`: the robot was put there."""

    def __init__(self, robot: Robot):
        self.robot, self.first = robot, 0  # number of the oldest sample kept
        self.name = secrets.token_hex(8)  # by which a page that was left open sees that it shows an earlier robot
        self.samples: list[tuple[Any, ...]] = []
        self._sent = 0  # samples that a page has seen
        self._angle, self._turned = robot.heading, robot.turned
        self._news = threading.Condition()
        self._note(robot)
        robot.watcher = self._note

    def end(self) -> None:
        """Stop watching."""
        self.robot.watcher = None

    def _note(self, robot: Robot) -> None:
        """Called by the robot after every short step."""
        with self._news:
            angle = self._angle + robot.turned - self._turned
            last = self.samples[-1] if self.samples else (0.0, robot.x, robot.y)
            off = (angle - robot.heading + 180) % 360 - 180
            is_placed = math.dist(last[1:3], (robot.x, robot.y)) > FAR or abs(off) > FAR
            self._angle, self._turned = robot.heading if is_placed else angle, robot.turned
            seen = (round(robot.seconds, 4), robot.x, robot.y, round(self._angle, 3))
            self.samples.append((*seen, robot.pen_is_down, robot.is_stalled, is_placed))
            if len(self.samples) > 2 and self._is_between(*self.samples[-3:]):
                del self.samples[-2]
            if len(self.samples) > MOST_SAMPLES:
                gone = MOST_SAMPLES // 10
                del self.samples[:gone]
                self.first += gone
            self._news.notify_all()

    def _is_between(self, a: tuple[Any, ...], b: tuple[Any, ...], c: tuple[Any, ...]) -> bool:
        """Whether the second sample adds nothing to the other two, within one drive. Samples already sent are never dropped."""
        is_kept = self.first + len(self.samples) - 2 < self._sent or a[4:] != b[4:] or b[4:] != c[4:] or c[6]
        return not is_kept and a[0] < b[0] < c[0] < a[0] + OFTEN

    def since(self, number: int) -> dict[str, Any]:
        """The samples from this number on, after waiting for the first of them; and the robot's current sensor readings."""
        with self._news:
            if number == self.first + len(self.samples):
                self._news.wait(PATIENCE)
            begin = max(number - self.first, 0)
            found = self.samples[begin : begin + MOST_SENT]
            self._sent = max(self._sent, self.first + begin + len(found))
            following = self.first + begin + len(found)
        return {"samples": found, "next": following, "now": self.senses(), "robot": self.name}

    def senses(self) -> dict[str, Any]:
        robot, far = self.robot, self.robot.distance
        return {
            "x": robot.x,
            "y": robot.y,
            "heading": robot.heading,
            "stalled": robot.is_stalled,
            "distance": far if math.isfinite(far) else None,
            "near": [robot.proximity_left, robot.proximity_center, robot.proximity_right],
        }


class RobotApi(Api):
    """The requests of the robot's page, in addition to those about the game.

    GET  /api/robot                 walls, programs, and whether there is a robot to watch
    GET  /api/robot/track?since=N   its motion from sample N on
    POST /api/robot/program         {program}: from the start of the maze
    POST /api/robot/floor           {solution}: the value of every cell, and the means of the policies; a job
    POST /api/robot/drive           {solution, policy}: one drive, drawn by chance
    """

    def __init__(self, robot: Robot, parameters: Mapping[str, Any]):
        super().__init__([Sheet(GAME, find(GAME), parameters)])
        self.robot, self.track = robot, Track(robot)

    def _get(self, parts: list[str], query: Mapping[str, str]) -> Any:
        match parts:
            case ["robot"]:
                return self._about_robot()
            case ["robot", "track"]:
                number = query.get("since", "0")
                if not (number.isascii() and number.isdecimal() and len(number) < 16):
                    raise ParameterError(f"since is a whole number, not {number!r}")
                return self.track.since(int(number))
        return super()._get(parts, query)

    def _post(self, parts: list[str], body: bytes) -> Any:
        match parts:
            case ["robot", "program"]:
                return self._run(object_in(body).get("program"))
            case ["robot", "floor"]:
                return self._begun(self._named(object_in(body)), lambda _, solution, asked, progress: races.floor(solution, progress), {})
            case ["robot", "drive"]:
                asked = object_in(body)
                book = self._named(asked)
                with ours(book, solution := self._states(book)):
                    return races.drive(solution, asked.get("policy"))
        return super()._post(parts, body)

    def _about_robot(self) -> dict[str, Any]:
        found = self.robot.maze
        return {
            "robot": self.track.name,
            "walls": self.robot.walls,
            "size": None if found is None else [found.columns, found.rows],
            "radius": RADIUS,
            "programs": list(PROGRAMS) if found is not None else [],
            "game": GAME,
        }

    def _run(self, name: Any) -> dict[str, Any]:
        maze = self.robot.maze
        if maze is None or not isinstance(name, str) or name not in PROGRAMS:
            raise ParameterError(f"a program is one of {', '.join(PROGRAMS)}, in a maze")
        self.robot.place()
        PROGRAMS[name](self.robot, maze)
        return {"program": name}

    def _named(self, asked: Mapping[str, Any]) -> Any:
        return self._book(str(asked.get("solution")))


class View:
    """A page that shows a robot. `url` is its address."""

    def __init__(self, robot: Robot, parameters: Mapping[str, Any], host: str, port: int | None):
        self.api = RobotApi(robot, parameters)
        self._server = Server(self.api, host, port)
        self.url = self._server.url + PAGE
        self._thread = threading.Thread(target=self._serve, daemon=True)
        try:
            self._thread.start()
        except RuntimeError:
            self._server.server_close()
            raise OutOfReach("the system lets this process start no more threads, and a page of a robot needs one") from None

    def _serve(self) -> None:
        with contextlib.suppress(KeyboardInterrupt):
            self._server.serve_forever()

    def wait(self) -> None:
        """Wait until it ends."""
        self._thread.join()

    def __repr__(self) -> str:
        return f"<View of a robot at {self.url}>"

    def close(self) -> None:
        """End it; the robot continues."""
        self.api.track.end()
        if self._thread.is_alive():
            self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def watch(
    robot: Robot, parameters: Mapping[str, Any] | None = None, *, host: str = "127.0.0.1", port: int | None = None, browser: bool = True
) -> View:
    """Show a robot in the browser and return at once: commands are drawn at their own pace while the prompt is free.

    parameters : of the game robot-maze that the page solves at first; by default a maze as large as the robot's
    browser : whether to open the page; the returned view has its address, and its `close()` ends it
    Raises `ParameterError` if the port is taken, and for what is no robot or no parameter of the game.
    """
    if not isinstance(robot, Robot):
        raise ParameterError(f"what is watched is a robot, zermelo.robot.Robot(...), not {robot!r}")
    if parameters is None:
        found = robot.maze
        parameters = {} if found is None or max(found.rows, found.columns) > MOST_CELLS else {"height": found.rows, "width": found.columns}
    elif not isinstance(parameters, Mapping):
        raise ParameterError(f"parameters are values by name, such as {{'height': 5, 'width': 5}}, not {parameters!r}")
    find(GAME).game(parameters)  # raises the error
    made = View(robot, parameters, host, port)
    if browser:
        webbrowser.open(made.url)
    return made
