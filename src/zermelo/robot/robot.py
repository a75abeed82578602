"""The robot: a disc on two driven wheels (the third wheel only follows), with sensors, a pen, and walls that stop it.

Lengths are in cells, times in seconds, angles in degrees, counterclockwise, 0 to the right. Motion is followed in short steps. A step
that would move the disc into a wall ends at the wall, and the robot stalls: the command ends, and the robot stays where it is. Turning on
the spot is always possible, since a disc needs no room for it.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Iterable
from numbers import Real
from typing import Any

from zermelo.errors import ParameterError
from zermelo.robot.mazes import Maze, Point, Wall

RADIUS = 0.25  # of the robot, and half the distance between its wheels
FASTEST = 10.0  # top speed of a wheel, in cells per second
USUAL = 1.0  # speed of turtle commands
SHORT = 0.02  # cells that a wheel rolls per step
MOST_STEPS = 1_000_000  # of one command
MOST = 1e9  # of every number that is given, so that short steps are not lost in rounding
SIDEWAYS = 45.0  # degrees between straight ahead and the directions of the left and right sensors
NEAR = 0.5  # cells from the rim within which a proximity sensor answers
TOUCH = 1e-9  # cells by which a disc may overlap a wall because of rounding


class Robot:
    """A robot among walls. `obstacles` is a `Maze`, or any segments ((x0, y0), (x1, y1)); it begins at (`x`, `y`), facing `heading`.

    Raises `ParameterError` for values that are not numbers, and if it would begin inside a wall.
    """

    def __init__(self, obstacles: Maze | Iterable[Wall] = (), x: float = 0.5, y: float = 0.5, heading: float = 90.0):
        found = obstacles.walls() if isinstance(obstacles, Maze) else obstacles
        if not isinstance(found, Iterable) or isinstance(found, str):
            raise ParameterError(f"obstacles are a maze, maze(rows, columns, seed), or segments ((x0, y0), (x1, y1)), not {obstacles!r}")
        self.walls: tuple[Wall, ...] = tuple(_wall(w) for w in found)
        self.maze = obstacles if isinstance(obstacles, Maze) else None
        self.x, self.y, self.heading = _number("x", x), _number("y", y), _number("heading", heading) % 360
        if not self._is_free(self.x, self.y):
            raise ParameterError(f"at ({x}, {y}) the robot would stand in a wall; it needs {RADIUS:g} cells around it")
        self.seconds = 0.0  # total driving time
        self.is_stalled = False  # whether a wall stopped it at the end of the last command
        self.drawn: list[list[Point]] = []  # lines of the pen
        self.pen_is_down = False
        self.turned = 0.0  # degrees to the left, in total
        self.watcher: Callable[[Robot], None] | None = None  # called after every command and every short step
        self._lock = threading.RLock()  # one command at a time, since programs may drive while a prompt is in use

    def __getstate__(self) -> dict[str, Any]:
        """What copies and pickles have: all but the watcher and the lock, which a robot has for itself."""
        return {**vars(self), "drawn": [[*line] for line in self.drawn], "watcher": None, "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=threading.RLock())

    def __repr__(self) -> str:
        stalled = ", stalled" if self.is_stalled else ""
        return f"<Robot at ({self.x:.4g}, {self.y:.4g}), heading {self.heading:.4g}{stalled}>"

    # --- commands -------------------------------------------------------------------------------------------------------------

    def forward(self, length: float) -> float:
        """Drive straight ahead; negative: backwards. Returns the distance covered, which is shorter if a wall was in the way."""
        length = _number("length", length)
        with self._lock:  # what another thread drives does not count
            before = (self.x, self.y)
            self.drive(math.copysign(USUAL, length), math.copysign(USUAL, length), abs(length) / USUAL)
            return math.copysign(math.dist(before, (self.x, self.y)), length)

    def backward(self, length: float) -> float:
        """Drive straight back; returns the distance covered."""
        return -self.forward(-_number("length", length))

    def left(self, angle: float) -> None:
        """Turn on the spot, counterclockwise; negative: to the right."""
        angle = _number("angle", angle)
        with self._lock:
            self.seconds += math.radians(abs(angle)) * RADIUS / USUAL
            self.heading = (self.heading + angle) % 360
            self.turned += angle
            self.is_stalled = False
            self._tell()

    def right(self, angle: float) -> None:
        """Turn on the spot, clockwise."""
        self.left(-_number("angle", angle))

    def drive(self, left: float, right: float, seconds: float) -> None:
        """Roll the wheels at these speeds (cells per second, negative: backwards) for some time; ends early if a wall stalls the robot."""
        left, right, seconds = _number("left", left), _number("right", right), _number("seconds", seconds)
        if max(abs(left), abs(right)) > FASTEST:
            raise ParameterError(f"a wheel rolls {FASTEST:g} cells a second at most, not {max(abs(left), abs(right)):g}")
        if seconds < 0:
            raise ParameterError(f"seconds must be 0 or more, not {seconds:g}")
        rolled = max(abs(left), abs(right)) * seconds / SHORT
        if rolled > MOST_STEPS:
            raise ParameterError(f"one command drives {MOST_STEPS * SHORT:,.0f} cells at most")
        steps = math.ceil(rolled)
        with self._lock:
            self.is_stalled = False
            for _ in range(steps):
                if not self._roll(left, right, seconds / steps):
                    break
            if not steps:
                self.seconds += seconds

    def place(self, x: float = 0.5, y: float = 0.5, heading: float = 90.0) -> None:
        """Put it elsewhere, without a line of the pen. Raises `ParameterError` if it would be inside a wall."""
        x, y, heading = _number("x", x), _number("y", y), _number("heading", heading) % 360
        if not self._is_free(x, y):
            raise ParameterError(f"at ({x:g}, {y:g}) the robot would stand in a wall; it needs {RADIUS:g} cells around it")
        with self._lock:
            self.x, self.y, self.heading, self.is_stalled = x, y, heading, False
            if self.pen_is_down:
                self.drawn.append([(x, y)])
            self._tell()

    def pen_down(self) -> None:
        """Lower the pen: lines are drawn from here on."""
        with self._lock:
            self.pen_is_down = True
            self.drawn.append([(self.x, self.y)])

    def pen_up(self) -> None:
        """Lift the pen: no more lines are drawn."""
        self.pen_is_down = False

    def _tell(self) -> None:
        if self.watcher is not None:
            self.watcher(self)

    # --- sensors ----------------------------------------------------------------------------------------------------------------

    @property
    def distance(self) -> float:
        """Cells from the rim to the first wall straight ahead; inf if there is none."""
        return self._seen(0.0)

    @property
    def proximity_left(self) -> bool:
        """Whether a wall is near, ahead to the left."""
        return self._seen(SIDEWAYS) <= NEAR

    @property
    def proximity_center(self) -> bool:
        """Whether a wall is near, straight ahead."""
        return self._seen(0.0) <= NEAR

    @property
    def proximity_right(self) -> bool:
        """Whether a wall is near, ahead to the right."""
        return self._seen(-SIDEWAYS) <= NEAR

    def _seen(self, angle: float) -> float:
        turned = math.radians(self.heading + angle)
        ray = math.cos(turned), math.sin(turned)
        return max(0.0, min((_hit((self.x, self.y), ray, wall) for wall in self.walls), default=math.inf) - RADIUS)

    # --- motion -----------------------------------------------------------------------------------------------------------------

    def _roll(self, left: float, right: float, seconds: float) -> bool:
        """Take one short step; return whether no wall was in the way."""
        share = 1.0
        if not self._is_free(*self._after(left, right, seconds)[:2]):
            share, blocked = 0.0, 1.0  # the part of the step that can be taken, and the part that can't
            for _ in range(40):
                middle = (share + blocked) / 2
                if self._is_free(*self._after(left, right, middle * seconds)[:2]):
                    share = middle
                else:
                    blocked = middle
            self.is_stalled = True
        self.x, self.y, self.heading = self._after(left, right, share * seconds)
        self.seconds += share * seconds
        self.turned += math.degrees((right - left) / (2 * RADIUS) * share * seconds)
        if self.pen_is_down:
            self.drawn[-1].append((self.x, self.y))
        self._tell()
        return not self.is_stalled

    def _after(self, left: float, right: float, seconds: float) -> tuple[float, float, float]:
        """The position to which the wheels move it if nothing is in the way, along an arc of a circle."""
        before, turn = math.radians(self.heading), (right - left) / (2 * RADIUS) * seconds
        length = (left + right) / 2 * seconds
        chord = length if abs(turn) < 1e-12 else length * math.sin(turn / 2) / (turn / 2)
        middle = before + turn / 2
        return self.x + chord * math.cos(middle), self.y + chord * math.sin(middle), math.degrees(before + turn) % 360

    def _is_free(self, x: float, y: float) -> bool:
        west, east, south, north = x - RADIUS, x + RADIUS, y - RADIUS, y + RADIUS
        near = (
            ((ax, ay), (bx, by))
            for (ax, ay), (bx, by) in self.walls
            if not (ax < west and bx < west or ax > east and bx > east or ay < south and by < south or ay > north and by > north)
        )
        return all(_distance((x, y), wall) >= RADIUS - TOUCH for wall in near)


def _number(name: str, value: Any) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not abs(value) < MOST:
        raise ParameterError(f"{name} must be a number between {-MOST:g} and {MOST:g}, not {value!r}")
    return float(value)


def _wall(value: Any) -> Wall:
    try:
        (x0, y0), (x1, y1) = value
    except (TypeError, ValueError):
        raise ParameterError(f"a wall is ((x0, y0), (x1, y1)), not {value!r}") from None
    return (_number("x0", x0), _number("y0", y0)), (_number("x1", x1), _number("y1", y1))


def _distance(point: Point, wall: Wall) -> float:
    """The distance from a point to the nearest point of a wall."""
    (ax, ay), (bx, by) = wall
    dx, dy, px, py = bx - ax, by - ay, point[0] - ax, point[1] - ay
    square = dx * dx + dy * dy
    share = min(1.0, max(0.0, (px * dx + py * dy) / square)) if square else 0.0
    return math.hypot(px - share * dx, py - share * dy)


def _hit(point: Point, ray: Point, wall: Wall) -> float:
    """The distance along the ray to the wall; inf if the ray does not meet it. A wall that lies along the ray is met at its nearer end."""
    (ax, ay), (bx, by) = wall
    dx, dy, px, py = bx - ax, by - ay, ax - point[0], ay - point[1]
    qx, qy = bx - point[0], by - point[1]
    ends = [x * ray[0] + y * ray[1] for x, y in ((px, py), (qx, qy)) if abs(x * ray[1] - y * ray[0]) <= TOUCH]
    found = min((along for along in ends if along >= 0), default=math.inf)
    cross = ray[0] * dy - ray[1] * dx
    if abs(cross) < 1e-15:
        return found  # parallel
    along, share = (px * dy - py * dx) / cross, (px * ray[1] - py * ray[0]) / cross
    return min(found, along) if along >= 0 and -1e-12 <= share <= 1 + 1e-12 else found
