"""The robot in the browser: what its page asks, beside the robot and the library; and the page itself, where there is a Chromium."""

from __future__ import annotations

import json
import math
import urllib.error
import urllib.request
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

import zermelo
from browser import Browser, needs_chromium
from several_threads import limited
from zermelo.cli import main
from zermelo.errors import OutOfReach, ParameterError
from zermelo.games import RobotMaze
from zermelo.games.robot import LOOK, left_hand
from zermelo.robot import Robot, drive_along, fill_dead_ends, maze
from zermelo.serve import races
from zermelo.serve.robot import PROGRAMS, Track, View, watch

SMALL = {"height": 3, "width": 3, "seed": 2}


@pytest.fixture
def robot() -> Robot:
    return Robot(maze(3, 3, 2))


@pytest.fixture
def view(robot: Robot) -> Iterator[View]:
    made = watch(robot, SMALL, port=0, browser=False)
    yield made
    made.close()
    assert robot.watcher is None


def asked(view: View, path: str, body: dict[str, Any] | None = None, **headers: str) -> Any:
    """The answer to a question, or its status and its one line."""
    url = view.url.removesuffix("robot.html") + path
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json", **headers})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)["error"]


def solved(view: View) -> str:
    found = asked(view, "api/open", {"game": "robot-maze"})
    view.api.shelf.book(found["solution"]).job.over.wait(60)  # type: ignore[union-attr]
    return str(found["solution"])


# --- the robot ----------------------------------------------------------------------------------------------------------------


def test_a_track_says_where_the_robot_was(robot: Robot) -> None:
    track = Track(robot)
    robot.pen_down()
    robot.forward(1)
    robot.left(-270)
    robot.drive(0.5, 1, 0.3)
    found = track.since(0)
    samples = found["samples"]
    assert samples[0][:4] == (0.0, 0.5, 0.5, 90.0) and samples[-1][:3] == (round(robot.seconds, 4), robot.x, robot.y)
    assert (samples[-1][3] - robot.heading) % 360 == pytest.approx(0, abs=1e-2) and samples[-1][3] < -100  # a long turn to the right
    assert all(a[0] <= b[0] for a, b in zip(samples, samples[1:], strict=False)) and not any(s[6] for s in samples)
    assert found["next"] == len(samples) and found["now"]["distance"] == robot.distance
    robot.place(1.5, 0.5, 0)
    assert track.since(found["next"])["samples"] == [(round(robot.seconds, 4), 1.5, 0.5, 0.0, True, False, True)]
    track.end()
    robot.left(1)
    assert track.first + len(track.samples) == found["next"] + 1


def test_a_track_is_known_by_its_name(view: View, robot: Robot) -> None:
    about, earlier = asked(view, "api/robot"), Track(Robot())
    assert asked(view, "api/robot/track?since=0")["robot"] == about["robot"] != earlier.name
    found = asked(view, "api/robot/track?since=99999999")  # of an earlier robot: answered at once
    assert found["robot"] == about["robot"] and found["samples"] == []


def test_a_long_drive_takes_few_samples_and_old_ones_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = Robot(x=0, y=0)
    track = Track(robot)
    robot.forward(20)
    assert 150 < len(track.samples) < 600  # of a thousand short steps
    monkeypatch.setattr("zermelo.serve.robot.MOST_SAMPLES", 300)
    robot.forward(20)
    assert len(track.samples) <= 300 and track.since(0)["next"] == track.first + len(track.samples) and track.first > 0


def test_a_robot_is_put_down_elsewhere(robot: Robot) -> None:
    robot.pen_down()
    robot.place(1.5, 1.5, 450)
    assert (robot.x, robot.y, robot.heading, robot.is_stalled) == (1.5, 1.5, 90, False) and len(robot.drawn) == 2
    with pytest.raises(ParameterError, match="would stand in a wall"):
        robot.place(1.5, 0.1)
    assert robot.y == 1.5


def test_a_way_is_driven_cell_by_cell(robot: Robot) -> None:
    walls = robot.maze
    assert walls is not None
    way = [*fill_dead_ends(walls), walls.outside]
    assert drive_along(robot, way) == len(way) and walls.is_outside(robot.x, robot.y)
    robot.place()
    assert drive_along(robot, iter([(0, 0), (0, 9)])) == 1 and robot.is_stalled


# --- what the page asks -------------------------------------------------------------------------------------------------------


def test_programs_drive_the_robot_out(view: View, robot: Robot) -> None:
    about = asked(view, "api/robot")
    assert about["size"] == [3, 3] and about["programs"] == list(PROGRAMS) and len(about["walls"]) == len(robot.walls)
    for name in PROGRAMS:
        assert asked(view, "api/robot/program", {"program": name}) == {"program": name}
        assert robot.y == pytest.approx(3.5, abs=1e-6)
    track = asked(view, "api/robot/track?since=0")
    assert sum(sample[6] for sample in track["samples"]) == 2 and track["now"]["distance"] is None


def test_the_floor_is_what_the_library_says(view: View) -> None:
    name, solution = solved(view), zermelo.solve("robot-maze", **SMALL)
    found = asked(view, "api/robot/floor", {"solution": name})
    job = view.api.jobs.find(found["progress"]["job"])
    assert job is not None and job.over.wait(60)
    floor = job.result
    assert floor["expected"][races.OPTIMAL] == float(solution.value) == floor["worth"][1][0][0]
    assert floor["expected"]["left hand on the wall"] == pytest.approx(float(solution.evaluate(left_hand).value))
    assert floor["walls"] == RobotMaze(3, 3, 2).maze().walls() and len(floor["worth"]) == 4


@pytest.mark.parametrize("noise", [0, 20])
def test_drives_follow_the_rules(noise: int) -> None:
    solution = zermelo.solve("robot-maze", **SMALL, noise=noise)
    game, lengths = solution.game, []
    for _ in range(60):
        drive = races.drive(solution, races.OPTIMAL)
        x, y, heading = 0, 0, 1
        for driven, to_x, to_y in drive["moves"]:
            state = game.arrived(x, y, heading)
            state = next(s for _, _, s in game.outcomes(state, LOOK)) if noise else state
            ends = {(s.column, s.row) for a in range(4) for ways, _, s in game.outcomes(state, a) if ways}
            assert (to_x, to_y) in ends and driven in range(4)
            x, y, heading = to_x, to_y, driven
        assert drive["out"] and (x, y) == game.maze().outside
        lengths.append(len(drive["moves"]))
    assert abs(sum(lengths) / 60 - solution.value) < 5 * math.sqrt(solution.value)  # far off would be another game


def test_what_is_wrong_is_said_in_a_line(view: View) -> None:
    for path, body in (
        ("api/robot/track?since=-1", None),
        ("api/robot/track?since=" + "9" * 30, None),
        ("api/robot/program", {"program": "drive"}),
        ("api/robot/program", {"program": ["left hand on the wall"]}),
        ("api/robot/floor", {"solution": "x"}),
        ("api/robot/drive", {"solution": None}),
        ("api/robot/nothing", {}),
    ):
        status, text = asked(view, path, body)
        assert status in (400, 404) and text and "\n" not in text, path
    status, text = asked(view, "api/robot/drive", {"solution": solved(view), "policy": 7})
    assert status == 400 and "optimal policy" in text
    assert asked(view, "api/robot", Host="example.org")[0] == 403
    assert asked(view, "api/robot/program", {"program": "x"}, Origin="http://example.org")[0] == 403


def test_a_robot_among_other_walls_has_no_programs() -> None:
    with_close = watch(Robot([((2, -1), (2, 1))], 0, 0, 0), port=0, browser=False)
    try:
        assert asked(with_close, "api/robot")["programs"] == [] and asked(with_close, "api/robot")["size"] is None
        assert asked(with_close, "api/robot/program", {"program": "dead ends filled"})[0] == 400
    finally:
        with_close.close()


@pytest.mark.parametrize(
    ("walls", "given"), [(maze(2, 5, 1), {"height": 2, "width": 5}), (maze(1, 21, 1), {}), ((), {})], ids=["maze", "large", "walls"]
)
def test_the_race_begins_in_a_maze_as_large_as_the_robots(walls: Any, given: dict[str, int]) -> None:
    view = watch(Robot(walls), port=0, browser=False)
    try:
        assert view.api.shelf.sheets["robot-maze"].given == given
    finally:
        view.close()


@pytest.mark.parametrize(
    ("robot_there", "parameters", "says"),
    [
        (5, None, "what is watched is a robot"),
        (Robot(), {"hight": 9}, "no parameter 'hight'"),
        (Robot(), {"height": 99}, "height must be from 1 to 20, not 99"),
        (Robot(), 5, "parameters are values by name"),
    ],
)
def test_what_cannot_be_watched(robot_there: Any, parameters: Any, says: str) -> None:
    """The page was opened, and told it later, or nothing."""
    with pytest.raises(ParameterError, match=says):
        watch(robot_there, parameters, port=0, browser=False).close()


def test_a_page_needs_a_thread() -> None:
    with limited(0), pytest.raises(OutOfReach, match="start no more threads, and a page of a robot needs one"):
        watch(Robot(), port=0, browser=False)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[View] = []
    monkeypatch.setattr(View, "wait", lambda view: seen.append(view))
    words = "--rows 3 --columns 4 --seed 2 --program dead-ends --no-browser --port 0 --json"
    assert main(["robot", *words.split()]) == 0
    assert json.loads(capsys.readouterr().out)["url"].endswith("robot.html")
    assert seen[0].api.robot.maze == maze(3, 4, 2) and seen[0].api.robot.y == pytest.approx(3.5, abs=1e-6)
    wrong_ones = {"--rows 0": "--rows must be from 1 to 20", "--program x": "left-hand, right-hand, dead-ends"}
    wrong_ones |= {"--seed -1": "--seed must be from 0 to 999999"}
    for wrong, says in wrong_ones.items():
        assert main(f"robot --no-browser --port 0 {wrong}".split()) == 2
        assert says in capsys.readouterr().err


# --- in the browser -----------------------------------------------------------------------------------------------------------

SCENE = "document.querySelector('canvas').scene"
STANDS = "document.querySelector('canvas')?.scene?.robots.length === 1"


@needs_chromium
def test_the_robot_is_seen_and_the_policies_race(view: View, robot: Robot) -> None:
    with Browser(900, 700) as page:
        page.open(view.url)
        page.until("!!document.querySelector('canvas')?.scene")
        if not page.run(f"!!{SCENE}.gl"):
            pytest.skip("this Chromium has no WebGL")
        page.until(f"{SCENE}.robots.length === 1")
        robot.forward(1)  # at the prompt, while the page is open
        page.until(f"Math.abs({SCENE}.robots[0].y - 1.5) < 1e-6")
        before = page.run(f"{SCENE}.view.yaw")
        for kind, x in (("mousePressed", 200), ("mouseMoved", 300), ("mouseReleased", 300)):
            page.ask("Input.dispatchMouseEvent", type=kind, x=x, y=300, button="left", clickCount=1)
        assert page.run(f"{SCENE}.view.yaw") < before - 0.3
        page.run(f"{SCENE}.canvas.focus()")
        page.press("+")
        assert page.run(f"{SCENE}.view.zoom") > 1
        page.run("(i => { i.value = 5; i.dispatchEvent(new Event('input')); })(document.querySelector('[aria-label=\"pace\"]'))")
        page.click(".panel .buttons button", 2)
        page.until(f"Math.abs({SCENE}.robots[0].y - 3.5) < 1e-3")
        page.click("[data-tab=race]")
        page.until("document.querySelectorAll('table.race tbody tr').length === 2")
        value = float(zermelo.solve("robot-maze", **SMALL).value)
        assert float(page.run("document.querySelector('table.race .exact').textContent")) == pytest.approx(value, rel=1e-6)
        page.run("(i => { i.value = 6; i.dispatchEvent(new Event('input')); })(document.querySelector('[aria-label=\"moves a second\"]'))")
        page.until("[...document.querySelectorAll('table.race tbody tr')].every(r => r.textContent.includes('('))")  # both are out
        page.resize(360, 800)  # the key of the colours covered a button
        box = "document.querySelector('{}').getBoundingClientRect()"
        assert page.run(f"{box.format('.views')}.bottom <= {box.format('.ramp-box')}.top")
        assert page.complaints == [] and all(url.startswith((view.url.removesuffix("robot.html"), "about:")) for url in page.requests)


@needs_chromium
def test_a_page_that_was_left_open_shows_the_next_robot(view: View, robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    """It asked for samples from the number on that it had seen of the earlier one, and showed nothing until there were as many."""
    monkeypatch.setattr("zermelo.serve.robot.PATIENCE", 0.1)
    later = Robot(maze(3, 3, 2))
    with Browser(700, 500) as page:
        robot.forward(1)
        page.open(view.url)
        page.until(f"{STANDS} && Math.abs({SCENE}.robots[0].y - 1.5) < 1e-6")
        view.api.track.end()
        view.api.robot, view.api.track = later, Track(later)  # as if the program had been started again
        page.until(f"{STANDS} && Math.abs({SCENE}.robots[0].y - 0.5) < 1e-6")


DRAWN = """(() => {  // the colours of the picture by how many pixels have them
  const c = document.querySelector('canvas'), d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data, found = {};
  for (let k = 0; k < d.length; k += 4) found[[d[k], d[k + 1], d[k + 2]]] = (found[[d[k], d[k + 1], d[k + 2]]] ?? 0) + 1;
  return found; })()"""


@needs_chromium
def test_without_webgl_the_maze_is_drawn_from_above(view: View, robot: Robot) -> None:
    with Browser(700, 500, options=["--disable-3d-apis"]) as page:
        page.open(view.url)
        page.until(f"document.querySelector('canvas.flat') && {SCENE}.robots.length === 1")
        assert page.run("document.createElement('canvas').getContext('webgl')") is None
        assert "no WebGL" in page.text(".panel .notice") and page.run("document.querySelector('.views').hidden")
        blue, green = "0,114,178", "0,158,115"  # the robot, the way out
        page.until(f"{SCENE}.frames > 0 && (({DRAWN})['{blue}'] ?? 0) > 100")  # the maze comes first, then the robot
        still = page.run(DRAWN)
        assert still[blue] > 100 and still[green] > 100 and len([n for n in still.values() if n > 1000]) >= 4  # floor, lines, walls
        before = page.run(f"{SCENE}.canvas.toDataURL()")
        robot.forward(1)
        page.until(f"Math.abs({SCENE}.robots[0].y - 1.5) < 1e-6 && {SCENE}.canvas.toDataURL() !== {before!r}")
        page.click("[data-tab=race]")
        page.until(f"{SCENE}.cells && {SCENE}.robots.length === 2 && document.querySelectorAll('table.race tbody tr').length === 2")
        page.until(f"Object.keys({DRAWN}).length > {len(still)} + 5")  # the worth of every cell
        solution = zermelo.solve("robot-maze", **SMALL)
        notes = page.run("[...document.querySelectorAll('p.quietly')].map((p) => p.textContent)")
        certified = next(text for text in notes if text.startswith("certified"))
        value, radius = map(Fraction, certified.replace("−", "-").removeprefix("certified: ").split(" ± "))
        assert value - radius <= Fraction(solution.low) <= Fraction(solution.high) <= value + radius
        assert radius <= 3 * Fraction(solution.high - solution.low)
        assert page.complaints == []
