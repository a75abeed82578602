"""The maze as a game, beside an oracle that knows only the walls, and beside the robot among walls, which knows no rules."""

from __future__ import annotations

import json
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games import RobotMaze
from zermelo.games.robot import AHEAD, BACK, LEFT, LOOK, NORTH, RIGHT, UNREAD, State, coded, left_hand, right_hand
from zermelo.robot import Robot, fill_dead_ends, follow_wall, maze

OUT = "out"
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))
Pose = Any  # (x, y, heading), or OUT


def odds(game: RobotMaze, pose: Pose, turn: int) -> dict[Pose, Fraction]:
    """Where a move leads, from the words of the rules and the walls of the maze alone."""
    walls, found = maze(game.height, game.width, game.seed), defaultdict[Pose, Fraction](Fraction)
    slip, error = Fraction(game.slip, 100), Fraction(game.turn_error, 100) if turn else Fraction(0)

    def drive(x: int, y: int, heading: int, cells: int) -> Pose:
        for _ in range(cells):
            there = (x + AROUND[heading][0], y + AROUND[heading][1])
            if walls.is_open((x, y), there):
                x, y = there
            if (x, y) == walls.outside:
                return OUT
        return x, y, heading

    for missed, chance in ((0, 1 - error), (-1, error / 2), (1, error / 2)):
        heading = (pose[2] + turn + missed) % 4
        for cells, share in ((1, 1 - slip), (0, slip / 2), (2, slip / 2)):
            found[drive(pose[0], pose[1], heading, cells)] += chance * share
    return {there: p for there, p in found.items() if p}


def poses(game: RobotMaze) -> list[Pose]:
    return [(x, y, h) for x in range(game.width) for y in range(game.height) for h in range(4)]


def by_iteration(game: RobotMaze) -> dict[Pose, float]:
    """Expected moves from every pose, by value iteration."""
    chances = {p: [[(there, float(c)) for there, c in odds(game, p, turn).items()] for turn in range(4)] for p in poses(game)}
    value = dict.fromkeys(chances, 0.0) | {OUT: 0.0}
    for _ in range(400):
        value = {p: 1 + min(sum(c * value[t] for t, c in row) for row in rows) for p, rows in chances.items()} | {OUT: 0.0}
    return value


def read(game: RobotMaze, pose: Pose) -> int:
    """What sensors say that are never wrong."""
    walls, seen = maze(game.height, game.width, game.seed), 0
    for mark, turn in ((1, 1), (2, 0), (4, 3)):
        dx, dy = AROUND[(pose[2] + turn) % 4]
        seen += mark * (not walls.is_open(pose[:2], (pose[0] + dx, pose[1] + dy)))
    return seen


def by_hand(game: RobotMaze, order: tuple[int, int, int]) -> float:
    """What a hand on the wall comes to: each sensor errs by itself, and the first free side of `order` is taken."""
    marks, noise, every = {1: 1, 0: 2, 3: 4}, game.noise / 100, {}
    for pose in poses(game):
        total = defaultdict[Pose, float](float)
        for wrong in range(8):
            reading, chance = read(game, pose) ^ wrong, 1.0
            for mark in marks.values():
                chance *= noise if wrong & mark else 1 - noise
            turn = next((t for t in order if not reading & marks[t]), 2)
            for there, p in odds(game, pose, turn).items():
                total[there] += chance * float(p)
        every[pose] = total
    value = dict.fromkeys(every, 0.0) | {OUT: 0.0}
    for _ in range(4000):
        value = {p: 1 + sum(c * value[t] for t, c in row.items()) for p, row in every.items()} | {OUT: 0.0}
    return value[0, 0, NORTH]


# --- values -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [RobotMaze(3, 3, 2), RobotMaze(2, 4, 5, slip=30, turn_error=0), RobotMaze(3, 2, 1, 0, 40)], ids=str)
def test_every_pose_is_worth_what_the_oracle_says(game: RobotMaze) -> None:
    solution, expected = zermelo.solve(game), by_iteration(game)
    seen = 0
    for x, y, heading in poses(game):
        state = State(x, y, heading, read(game, (x, y, heading)))
        if state in solution.space:
            assert float(solution.probe(state).value) == pytest.approx(expected[x, y, heading], abs=1e-9)
            seen += 1
    assert seen > 2 * game.width * game.height and solution.certificate.low <= expected[0, 0, NORTH] + 1e-9


def test_exact_values_satisfy_the_equations_of_the_oracle() -> None:
    game = RobotMaze(2, 3, 4)
    solution = zermelo.solve(game, exact=True)
    states = {p: State(*p, read(game, p)) for p in poses(game)}
    value = {p: solution.probe(s).value for p, s in states.items() if s in solution.space} | {OUT: 0}
    for pose in value.keys() - {OUT}:
        assert value[pose] == 1 + min(sum(c * value[t] for t, c in odds(game, pose, turn).items()) for turn in range(4))
    assert zermelo.solve(RobotMaze(1, 1), exact=True).value == Fraction(20, 19)


@pytest.mark.parametrize("noise", [0, 15])
def test_a_hand_on_the_wall_is_worth_what_the_oracle_says(noise: int) -> None:
    game = RobotMaze(3, 3, 2, noise=noise)
    solution = zermelo.solve(game)
    for policy, order in ((left_hand, (1, 0, 3)), (right_hand, (3, 0, 1))):
        assert float(solution.evaluate(policy).value) == pytest.approx(by_hand(game, order), abs=1e-8)
    assert float(solution.value) == pytest.approx(by_iteration(game)[0, 0, NORTH], abs=1e-9)  # who sees where it is needs no sensors


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_without_errors_it_is_the_robot_among_its_walls(seed: int) -> None:
    game = RobotMaze(4, 5, seed, slip=0, turn_error=0)
    walls, solution = maze(4, 5, seed), zermelo.solve(game)
    assert game.maze() == walls and solution.value == len(fill_dead_ends(walls))
    assert solution.evaluate(left_hand).value == follow_wall(Robot(walls), walls, "left")
    assert solution.evaluate(right_hand).value == follow_wall(Robot(walls), walls, "right")


# --- the game -----------------------------------------------------------------------------------------------------------------


def test_sensors_are_read_in_a_step_of_their_own_where_they_have_noise() -> None:
    game = RobotMaze(2, 2, 1, noise=10)
    start = game.start()
    assert start.reading == UNREAD and list(game.actions(start)) == [LOOK]
    ways = {s.reading: w for w, paid, s in game.outcomes(start, LOOK)}
    assert sum(ways.values()) == 100**3 and ways[game.truth(0, 0, NORTH)] == 90**3
    assert left_hand(start) == LOOK == right_hand(start)
    assert [left_hand(start._replace(reading=r)) for r in (0, 1, 3, 7)] == [LEFT, AHEAD, RIGHT, BACK]
    assert [right_hand(start._replace(reading=r)) for r in (0, 4, 6, 7)] == [RIGHT, AHEAD, LEFT, BACK]


def test_a_maze_of_ones_own() -> None:
    walls = maze(3, 4, seed=9)
    game = RobotMaze(3, 4, passages=coded(walls))
    assert game.maze() == walls and game == RobotMaze(3, 4, 1, passages=coded(walls))
    assert game._replace(slip=0).passages == game.passages and game._replace(seed=3) == RobotMaze(3, 4, 3)
    ring = RobotMaze(2, 2, slip=0, turn_error=0, passages=(1 + 2 + 8, 1))  # no tree: one can go round
    assert zermelo.solve(ring).value == 3


@pytest.mark.parametrize(
    "wrong", [{"height": 0}, {"width": 21}, {"slip": 100}, {"noise": -1}, {"passages": (1, 2)}, {"seed": 1.5}, {"turn_error": "x"}]
)
def test_parameters_that_are_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(ParameterError):
        zermelo.solve("robot-maze", **{"height": 2, "width": 2, **wrong})


@pytest.mark.parametrize(("passages", "says"), [((4**2, 0), "below 4\\^2"), ((2, 2), "the only way out"), ((4, 0), "the only way out")])
def test_passages_that_are_none(passages: tuple[int, ...], says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        zermelo.solve(RobotMaze(2, 2, passages=passages))


def test_a_maze_without_a_way_out_has_no_value() -> None:
    with pytest.raises(zermelo.errors.NoValue):
        zermelo.solve(RobotMaze(2, 2, passages=(1, 1)))


def test_on_the_command_line(capsys: pytest.CaptureFixture[str], in_python: None) -> None:
    assert main(["table", "robot-maze", "--height", "3", "--width", "3", "--seed", "2"]) == 0
    text = capsys.readouterr().out
    solution = zermelo.solve("robot-maze", height=3, width=3, seed=2)
    assert f"{float(solution.value):.6f}" in text and f"{float(solution.evaluate(left_hand).value):.6f}" in text
    assert main(["solve", "robot-maze", "--height", "2", "--width", "2", "--passages", "10,1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["parameters"]["passages"] == [10, 1]
    assert main(["solve", "robot-maze", "--passages", "1,x"]) == 2
    assert "whole numbers separated by commas" in capsys.readouterr().err
    assert main(["plot", "robot-maze", "--height", "2", "--width", "2", "--fix", "heading=4", "-o", "x.svg"]) == 2
    assert "heading is 0 (right)" in capsys.readouterr().err


@pytest.mark.parametrize(("height", "width"), [(1, 9), (9, 1)])
def test_the_picture_of_a_long_maze_is_the_maze(height: int, width: int) -> None:
    """It was 24 inches wide for 2 x 15 cells, most of them empty."""
    from zermelo.games.robot_views import FIGURES

    figure = FIGURES["maze"].make(zermelo.solve("robot-maze", height=height, width=width), {})
    inches = figure.get_size_inches()
    assert max(inches) < 9 and (inches[0] > inches[1]) == (width > height)
    figure.draw_without_rendering()
    drawn = figure.axes[0].get_window_extent()
    assert max(drawn.width / figure.bbox.width, drawn.height / figure.bbox.height) > 0.6
