"""Hog in turns: the ways of the dice, known values, policies, tables and pictures."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest

import naive
import zermelo
from known import known
from zermelo.cli import main
from zermelo.errors import ParameterError
from zermelo.games import Hog
from zermelo.games.hog import MOST_DICE, NOTHING, POINTS, State
from zermelo.games.hog_views import always, always_table, best_dice, is_small, mean_points, win_probabilities


@pytest.fixture(scope="module")
def hundred():
    return zermelo.solve(Hog())


@pytest.mark.parametrize("dice", range(1, 7))
def test_ways_are_those_of_all_rolls(dice):
    counted = [0] * len(POINTS[0])
    nothing = 0
    for roll in product(range(1, 7), repeat=dice):
        if 1 in roll:
            nothing += 1
        else:
            counted[sum(roll)] += 1
    assert list(POINTS[dice]) == counted and NOTHING[dice] == nothing


def test_ways_add_up():
    for dice in range(MOST_DICE + 1):
        assert sum(POINTS[dice]) + NOTHING[dice] == pytest.approx(6**dice, rel=1e-14)
        if dice <= 20:  # all are whole numbers that floats hold
            assert sum(map(int, POINTS[dice])) + int(NOTHING[dice]) == 6**dice


@pytest.mark.parametrize("fact", known("hog")[:1], ids=lambda f: f.id)
def test_known_values(fact):
    """The other two, to 100, are claims: tests/test_reproduce.py."""
    solution = zermelo.solve(Hog(**fact.params))
    assert solution.game.win_probability(solution.value) == pytest.approx(float(fact.value), abs=1e-14)
    assert solution.high - solution.low < 1e-13
    assert solution.best_action(State(0, 0)) == 6


def test_sixty_dice():
    """As the oracle finds; and to 40 points more than 30 dice are never worth rolling."""
    assert zermelo.solve(Hog(3, 60)).value == pytest.approx(float(naive.value(Hog(3, 60))), abs=1e-13)
    many, few = zermelo.solve(Hog(40, 60)), zermelo.solve(Hog(40, 30))
    assert many.value == pytest.approx(float(few.value), abs=1e-13) and many.best_action(State(0, 0)) == few.best_action(State(0, 0))


def test_one_point_by_hand():
    """Any roll without a 1 wins, so one die is best: p = 5/6 + 1/6 (1 - p)."""
    game = Hog(1)
    assert game.win_probability(zermelo.solve(game, exact=True).value) == Fraction(6, 7)
    assert naive.value(Hog(2, 2)) == 2 * Fraction(6, 7) - 1


def test_more_points_never_harm(hundred):
    wins = win_probabilities(hundred)
    for array in (wins, -wins.T):
        steps = np.diff(array, axis=0)
        assert (steps[~np.isnan(steps)] >= -1e-13).all()


def test_best_dice(hundred):
    """Near the goal just enough dice; far behind a leader all of them."""
    dice = best_dice(hundred)
    assert dice[0, 0] == 6 and dice[99, 50] == 1 and dice[20, 95] == 10
    assert dice[1, 0] == 0  # nobody ever has one point
    for s in (State(0, 0), State(41, 77), State(90, 12)):
        values = hundred.probe(s).actions
        assert dice[s] == max(values, key=lambda n: values[n])


def test_five_and_six_dice_bring_the_same():
    assert mean_points(5) == mean_points(6) > max(mean_points(n) for n in (1, 2, 3, 4, 7, 8, 9, 10))


def test_always_the_same_number_of_dice():
    sixty = zermelo.solve(Hog(60))
    table = always_table(sixty)
    wins = [row[3] for row in table.rows]
    optimal = 100 * sixty.game.win_probability(sixty.value)
    assert all(row[4] == pytest.approx(optimal - row[3]) and row[4] > 0 for row in table.rows)
    assert wins.index(max(wins)) == 4 and table.marked == {(4, 3)}
    five = sixty.simulate(200_000, seed=5, policy=always(5))
    assert abs(50 * (1 + five.mean) - wins[4]) < 50 * 5 * five.standard_error


def test_policies_of_large_games_are_not_evaluated_for_minutes():
    assert is_small(zermelo.solve(Hog(20, 30)))
    assert not is_small(cast(zermelo.Solution, SimpleNamespace(game=Hog(230, 30), has_states=True)))  # it takes long to be solved


@pytest.mark.parametrize(("given", "said"), [((0, 10), "goal"), ((100, 0), "most_dice"), ((100, 61), "most_dice")])
def test_parameters_out_of_range(given, said):
    with pytest.raises(ParameterError, match=said):
        zermelo.solve(Hog(*given))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["solve", "hog", "--most-dice", "0"], "--most-dice must be from 1 to 60"),
        (["solve", "hog", "--goal", "many"], "--goal must be a whole number"),
        (["table", "hog", "--goal", "5", "--fix", "mine=2"], "--fix goes with --view"),
    ],
)
def test_what_makes_no_sense_is_refused(words, said, capsys):
    assert main(words) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1


def test_tables_and_pictures(tmp_path, capsys):
    for view in ("dice", "always", "win"):
        assert main(["table", "hog", "--goal", "10", "--view", view, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["view"] == view and data["rows"]
    for goal in ("1", "6"):
        assert main(["plot", "hog", "--goal", goal, "-o", str(tmp_path / "x.png")]) == 0
        assert (tmp_path / "x.png").stat().st_size > 10_000
