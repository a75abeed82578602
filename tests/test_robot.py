"""The robot and its mazes: walls are never passed, sensors see what there is, mazes are uniform spanning trees, programs get out."""

from __future__ import annotations

import copy
import itertools
import math
import pickle
import random
import threading
from collections import Counter, deque

import pytest

from zermelo.errors import ParameterError
from zermelo.robot import Maze, Robot, drive_along, fill_dead_ends, follow_wall, maze
from zermelo.robot.robot import NEAR, RADIUS


def from_wall(x: float, y: float, wall: tuple[tuple[float, float], tuple[float, float]]) -> float:
    """The distance of a point from an upright or level wall, as from a box without width."""
    (x0, y0), (x1, y1) = wall
    return math.hypot(max(min(x0, x1) - x, 0, x - max(x0, x1)), max(min(y0, y1) - y, 0, y - max(y0, y1)))


def shortest(found: Maze) -> int:
    """Cells on the shortest way out, breadth first."""
    far, waiting = {found.start: 1}, deque([found.start])
    while waiting:
        cell = waiting.popleft()
        for other in found.neighbours(cell):
            if other not in far:
                far[other] = far[cell] + 1
                waiting.append(other)
    assert len(far) == found.rows * found.columns  # every cell can be reached
    return far[found.last]


# --- mazes --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 6), (5, 1), (8, 8), (13, 4)])
def test_mazes_are_spanning_trees(rows: int, columns: int) -> None:
    found = maze(rows, columns, seed=3)
    assert len(found.passages) == rows * columns - 1 and shortest(found) == len(fill_dead_ends(found))
    assert found == maze(rows, columns, seed=3)
    assert rows * columns < 20 or found != maze(rows, columns, seed=4)
    for x, y in found.cells():
        for other, middle in (((x + 1, y), (x + 1, y + 0.5)), ((x, y + 1), (x + 0.5, y + 1))):
            has_wall = any(from_wall(*middle, wall) < 0.1 for wall in found.walls())
            assert has_wall != found.is_open((x, y), other)


def test_every_spanning_tree_is_as_likely_as_every_other_one() -> None:
    counts = Counter(maze(2, 3, seed=seed).passages for seed in range(3000))
    pairs = [frozenset(p) for p in itertools.combinations([(x, y) for x in range(3) for y in range(2)], 2) if math.dist(*p) == 1]
    trees = [frozenset(t) for t in itertools.combinations(pairs, 5) if is_connected(frozenset(t))]
    assert len(trees) == 15 and set(counts) == set(trees)  # Kirchhoff: a grid of 2 x 3 has 15
    assert sum((counts[tree] - 200) ** 2 / 200 for tree in trees) < 42.6  # chi-squared, 14 degrees: 1 in 10,000


def is_connected(passages: frozenset[frozenset[tuple[int, int]]]) -> bool:
    seen = {(0, 0)}
    for _ in range(6):
        seen |= {cell for pair in passages if pair & seen for cell in pair}
    return len(seen) == 6


def test_a_maze_in_characters() -> None:
    text = str(maze(2, 2, seed=1))
    lines = text.splitlines()
    assert lines[0] == "+--+  +" and lines[-1] == "+--+--+" and len(lines) == 5
    assert text.count("  ") > 4 and all(len(line) == 7 for line in lines)


@pytest.mark.parametrize("size", [(0, 3), (3, 201), (2.5, 3), (True, 3), ("3", 3)])
def test_sizes_that_are_none(size: tuple[int, int]) -> None:
    with pytest.raises(ParameterError):
        maze(*size)


# --- motion -------------------------------------------------------------------------------------------------------------------


def test_turtle_commands_without_walls() -> None:
    robot = Robot(x=0, y=0, heading=0)
    for _ in range(6):
        assert robot.forward(2) == pytest.approx(2)
        robot.left(60)
    assert (robot.x, robot.y) == pytest.approx((0, 0), abs=1e-12) and robot.heading == pytest.approx(0)
    assert robot.distance == math.inf and not robot.proximity_center and not robot.is_stalled
    assert robot.backward(1.5) == pytest.approx(1.5) and robot.x == pytest.approx(-1.5) and robot.forward(-1) == pytest.approx(-1)
    robot.right(90)
    assert robot.heading == pytest.approx(270)
    assert robot.seconds == pytest.approx(6 * 2 + 2.5 + math.radians(6 * 60 + 90) * RADIUS)


@pytest.mark.parametrize(("left", "right"), [(1, 2), (2, 1), (-1, 1), (0.3, -0.7), (1, 1), (0, 1)])
def test_arcs_are_those_of_the_equations_of_motion(left: float, right: float) -> None:
    robot = Robot(x=0, y=0, heading=30)
    robot.drive(left, right, 1.7)
    x, y, angle, steps = 0.0, 0.0, math.radians(30), 40_000
    for _ in range(steps):  # the midpoint rule, in much shorter steps
        middle = angle + (right - left) / (2 * RADIUS) * 1.7 / steps / 2
        x, y = x + (left + right) / 2 * math.cos(middle) * 1.7 / steps, y + (left + right) / 2 * math.sin(middle) * 1.7 / steps
        angle += (right - left) / (2 * RADIUS) * 1.7 / steps
    assert (robot.x, robot.y) == pytest.approx((x, y), abs=1e-7)
    assert math.cos(math.radians(robot.heading) - angle) == pytest.approx(1)


def test_it_stalls_at_a_wall_and_comes_off_again() -> None:
    robot = Robot([((2.0, -1.0), (2.0, 1.0))], x=0, y=0, heading=0)
    assert robot.distance == pytest.approx(2 - RADIUS)
    assert robot.forward(5) == pytest.approx(2 - RADIUS, abs=1e-6) and robot.is_stalled and robot.proximity_center
    assert robot.forward(1) == pytest.approx(0, abs=1e-6) and robot.is_stalled
    robot.left(90)
    assert not robot.is_stalled and robot.forward(0.5) == pytest.approx(0.5)  # along the wall
    robot.left(90)
    assert robot.forward(1) == pytest.approx(1) and robot.x == pytest.approx(1 - RADIUS, abs=1e-6)
    robot.drive(0, 0, 3)
    assert not robot.is_stalled and robot.x == pytest.approx(1 - RADIUS, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_walls_are_never_passed(seed: int) -> None:
    found, dice = maze(3, 3, seed), random.Random(seed)
    robot, stalled = Robot(found), 0
    robot.pen_down()
    for _ in range(40):
        robot.left(dice.uniform(-180, 180))
        robot.drive(dice.uniform(-1, 2), dice.uniform(-1, 2), dice.uniform(0, 1.5))
        stalled += robot.is_stalled
    (line,) = robot.drawn
    assert stalled > 5 and len(line) > 500
    assert min(from_wall(x, y, wall) for x, y in line for wall in found.walls()) > RADIUS - 1e-6
    cells = [(math.floor(x), math.floor(y)) for x, y in line if not found.is_outside(x, y)]
    assert all(a == b or found.is_open(a, b) or math.dist(a, b) > 1 for a, b in itertools.pairwise(cells))
    robot.pen_up()
    robot.left(10)
    robot.forward(0.1)
    assert robot.drawn == [line]


# --- sensors ------------------------------------------------------------------------------------------------------------------


def test_sensors_see_what_a_step_by_step_look_sees() -> None:
    found, dice = maze(4, 4, seed=7), random.Random(7)
    walls = found.walls()
    for _ in range(25):
        x, y = (dice.randrange(4) + dice.uniform(0.3, 0.7) for _ in range(2))
        robot = Robot(found, x, y, dice.uniform(0, 360))
        seen = []
        for turn in (0.0, 45.0, -45.0):
            angle, far = math.radians(robot.heading + turn), 0.0
            while far < 8:  # no step is longer than the way to the nearest wall
                clear = min(from_wall(x + far * math.cos(angle), y + far * math.sin(angle), w) for w in walls)
                if clear <= 1e-3:
                    break
                far += max(clear - 1e-3, 1e-3)
            seen.append(far - RADIUS)
        assert seen[0] > 7 or robot.distance == pytest.approx(seen[0], abs=0.02)
        for ours, theirs in zip((robot.proximity_center, robot.proximity_left, robot.proximity_right), seen, strict=True):
            assert abs(theirs - NEAR) < 0.02 or ours == (theirs < NEAR)


def test_a_wall_that_lies_in_the_line_of_sight_is_seen() -> None:
    """It was taken for one that the ray does not meet: the robot saw nothing, and stalled."""
    ends = [((2, 0.5), (3, 0.5)), ((3, 0.5), (2, 0.5))]
    for wall, heading in [(w, 0) for w in ends] + [(((0.5, 2.0), (0.5, 9.0)), 90)]:
        robot = Robot([wall], x=0.5, y=0.5, heading=heading)
        assert robot.distance == pytest.approx(1.25) and not robot.proximity_center
        robot.left(180)
        assert robot.distance == math.inf
        robot.right(180)
        assert robot.forward(5) == pytest.approx(1.25) and robot.proximity_center and robot.distance < 1e-6
    robot = Robot([((2, 0.5), (200, 0.5)), ((1.9, 1), (1.9, 0.51))], x=0.5, y=0.5, heading=1000 * 360)
    assert robot.distance == pytest.approx(1.25)  # past the other wall
    robot = Robot(maze(4, 4, 0), x=3.0, y=1.5, heading=-90)
    seen = robot.distance
    assert robot.forward(3) == pytest.approx(seen) and seen == pytest.approx(0.25)


def test_numbers_of_numpy_are_numbers() -> None:
    numpy = pytest.importorskip("numpy")
    robot = Robot(x=numpy.float32(0.5))
    assert robot.forward(numpy.int64(2)) == pytest.approx(2) and type(robot.x) is float


# --- programs -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_programs_get_out(seed: int) -> None:
    found = maze(4, 5, seed)
    moves = {}
    for hand in ("left", "right"):
        robot = Robot(found)
        moves[hand] = follow_wall(robot, found, hand)
        assert (robot.x, robot.y) == pytest.approx((found.columns - 0.5, found.rows + 0.5), abs=1e-6)
    way = fill_dead_ends(found)
    assert len(way) == shortest(found) and way[0] == found.start and way[-1] == found.last
    assert all(found.is_open(a, b) for a, b in itertools.pairwise(way))
    # the two ways together go around the whole tree, through every passage twice, and both leave
    assert moves["left"] + moves["right"] == 2 * (found.rows * found.columns - 1) + 2
    assert min(moves.values()) >= len(way)


def test_what_is_wrong_is_said_in_a_line() -> None:
    robot = Robot(maze(2, 2, seed=1))
    for call in (
        lambda: robot.forward(math.nan),
        lambda: robot.left("90"),
        lambda: robot.drive(1, 1, -1),
        lambda: robot.drive(11, 0, 1),
        lambda: robot.drive(1, 1, 1e9),
        lambda: robot.backward(True),
        lambda: robot.forward(1e308),
        lambda: robot.forward(10**400),
        lambda: robot.drive(10, 10, 1e300),
        lambda: robot.place(x=-(10**400)),
        lambda: Robot(None),
        lambda: Robot("maze"),
        lambda: follow_wall(robot, robot.walls),  # type: ignore[arg-type]
        lambda: drive_along(robot, [(0, 0), 1]),  # type: ignore[list-item]
        lambda: drive_along(robot, [("0", "0")]),  # type: ignore[list-item]
        lambda: Robot(maze(2, 2, seed=1), x=0.1),
        lambda: Robot([1]),
        lambda: Robot([((0, 0), (1, math.inf))]),
        lambda: follow_wall(robot, maze(2, 2, seed=1), "both"),
        lambda: follow_wall(Robot(maze(3, 3, seed=1), heading=60), maze(3, 3, seed=1)),
    ):
        with pytest.raises(ParameterError) as told:
            call()
        assert "\n" not in str(told.value)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda robot: pickle.loads(pickle.dumps(robot))])
def test_copies_go_ways_of_their_own(copied) -> None:
    """They were refused because of the lock."""
    robot = Robot(maze(3, 3, seed=1))
    robot.watcher = print
    robot.pen_down()
    other = copied(robot)
    assert repr(other) == repr(robot) and other.walls == robot.walls and other.watcher is None and other.drawn == robot.drawn
    assert other.forward(0.2) == pytest.approx(0.2)
    assert robot.y == 0.5 and len(robot.drawn[0]) == 1 and len(other.drawn[0]) > 1


def test_a_distance_is_what_the_command_drove() -> None:
    """Another thread drove while it waited for its turn, and that was counted, too."""
    robot, arrived, found = Robot(), threading.Event(), []
    lock = robot._lock

    class Told:
        """The lock, which tells that somebody wants it."""

        def __enter__(self) -> None:
            arrived.set()
            lock.acquire()

        def __exit__(self, *_: object) -> None:
            lock.release()

    robot._lock = Told()
    other = threading.Thread(target=lambda: found.append(robot.forward(1)))
    with lock:
        other.start()
        arrived.wait()
        robot.forward(2)
    other.join()
    assert found == [pytest.approx(1)]


def test_dead_ends_are_those_of_a_maze() -> None:
    with pytest.raises(ParameterError, match="dead ends are those of a maze"):
        fill_dead_ends(3)  # type: ignore[arg-type]


def opened(rows: int, columns: int, closed: set[frozenset[tuple[int, int]]] | None = None) -> Maze:
    """A maze of one's own without any walls inside but these."""
    cells = [(x, y) for y in range(rows) for x in range(columns)]
    pairs = {frozenset(p) for p in itertools.combinations(cells, 2) if math.dist(*p) == 1}
    return Maze(rows, columns, frozenset(pairs - (closed or set())))


@pytest.mark.parametrize("size", [(2, 2), (3, 3), (5, 3)], ids=str)
def test_a_maze_with_loops_has_no_only_way(size: tuple[int, int]) -> None:
    """The search for it never ended."""
    with pytest.raises(ParameterError, match=r"the only way from \(0, 0\) to .*, and there are several ways, as the maze has loops"):
        fill_dead_ends(opened(*size))


def test_a_maze_of_ones_own() -> None:
    for rows, columns in ((2, 2), (1, 3)):
        with pytest.raises(ParameterError, match="and there is none"):
            fill_dead_ends(Maze(rows, columns, frozenset()))
    beyond = Maze(1, 2, frozenset({frozenset({(0, 0), (1, 0)}), frozenset({(0, 0), (-1, 0)})}))
    assert fill_dead_ends(beyond) == [(0, 0), (1, 0)] and fill_dead_ends(Maze(1, 1, frozenset())) == [(0, 0)]


def test_a_robot_among_walls_on_all_sides_is_told() -> None:
    """It turned for ever."""
    closed = Maze(2, 2, frozenset())
    for hand in ("left", "right"):
        with pytest.raises(ParameterError, match=r"does not get out: at \(0.5, 0.5\) there are walls on all its sides"):
            follow_wall(Robot(closed), closed, hand)  # type: ignore[arg-type]
    two = Maze(2, 2, frozenset({frozenset({(0, 0), (1, 0)})}))
    with pytest.raises(ParameterError, match="or no way leads out"):
        follow_wall(Robot(two), two)


def test_seeds_that_are_none() -> None:
    with pytest.raises(ParameterError, match=r"seed must be a whole number or None, not \[1\]"):
        maze(2, 2, [1])  # type: ignore[arg-type]
