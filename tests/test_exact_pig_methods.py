"""The three iterative programs for Pig to an exact goal, against the certified solution and one another."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo
from zermelo.games import ExactPig, exact_pig_views
from zermelo.games.exact_pig_methods import METHODS, Method, decided, differing, failing, known, largest_error
from zermelo.kernels import exact_pig as kernels

SMALL = 12


@pytest.fixture(scope="module")
def solution():
    return zermelo.solve(ExactPig(SMALL))


@pytest.fixture(scope="module")
def first(solution):
    return exact_pig_views.first_values(solution)


@pytest.mark.parametrize("start", [0.0, 0.5, 1.5])
@pytest.mark.parametrize("name", [m.name for m in METHODS])
def test_every_program_converges_to_the_certified_values_from_any_start(first, name, start):
    found = decided(Method(name, 301, start), SMALL)
    assert largest_error(found, first) < 1e-12
    if start == 0.5:
        assert found.first[-1, -1] == 0.5, "play without end keeps the start"


def test_programs_decide_as_the_certified_values_do(first):
    exact = known(first)
    wrong, ties = differing(exact, exact)
    assert wrong == ties < int(exact.ties.sum())
    wrong, ties = differing(decided(Method("pair by pair", 301, 0.5), SMALL), exact)
    assert wrong == ties
    wrong, ties = differing(decided(Method("pair by pair", 1, 0.5), SMALL), exact)
    assert wrong > ties


def test_a_turn_fails_as_often_as_dice_say(first):
    """With 10 against 10 only a 2 wins; with 11 nothing does; with 9 a 3, or a 2 and then nothing."""
    fails = failing(first)
    assert fails[10, 10] == pytest.approx(5 / 6) and fails[11, 10] == 1
    assert fails[9, 9] == pytest.approx(5 / 6) or fails[9, 9] == pytest.approx(4 / 6)
    assert ((fails >= 1 / 6 - 1e-15) & (fails <= 1)).all()


@pytest.mark.parametrize("pair", [(10, 10), (9, 10), (3, 7), (0, 0)])
def test_the_error_shrinks_by_the_chance_that_two_turns_fail(first, pair):
    i, j = pair
    expected = failing(first)[i, j] * failing(first)[j, i]
    start = first[i, j] + 1e-7  # near enough for one line of f, and other pairs exactly known
    value, hold, roll, fails = (np.zeros(SMALL + 1) for _ in range(4))
    guess = start
    for mine, theirs in ((j, i), (i, j)):
        kernels.turn(SMALL, mine, theirs, guess, first, value, hold, roll, fails)
        guess = value[0]
    assert (guess - first[i, j]) / 1e-7 == pytest.approx(expected, abs=1e-6)


def test_one_turn_does_not_enlarge_an_error(first):
    value, hold, roll, fails = (np.zeros(SMALL + 1) for _ in range(4))

    def worth(i: int, j: int, guess: float) -> float:
        kernels.turn(SMALL, i, j, guess, first, value, hold, roll, fails)
        return float(value[0])

    guesses = np.linspace(-0.5, 1.5, 41)
    for i in range(SMALL):
        for j in range(SMALL):
            found = np.array([worth(i, j, x) for x in guesses])
            slopes = np.diff(found) / np.diff(guesses)
            assert (slopes <= 1e-12).all() and (slopes >= -1 - 1e-12).all() and (np.diff(slopes) >= -1e-9).all()


def test_views(solution):
    rows = exact_pig_views.methods_table(solution).rows
    assert [row[0] for row in rows] == ["exact", *(m.name for m in METHODS), *(m.name for m in METHODS)]
    assert rows[0][3] == pytest.approx(float(solution.win_probability(solution.rules.start).value))
    slowest = exact_pig_views.convergence_table(solution).rows
    assert slowest[0][4] >= slowest[-1][4] > 0 and slowest[0][4] == pytest.approx(slowest[0][2] * slowest[0][3])


def test_a_goal_of_two():
    solution = zermelo.solve(ExactPig(2))
    first = exact_pig_views.first_values(solution)
    assert first[0, 0] == pytest.approx(1 / 6 / (1 - 25 / 36))  # whoever throws a 2 first
    assert largest_error(decided(Method("in place", 200, 0.0), 2), first) < 1e-12


@pytest.fixture(scope="module")
def contest():
    """The decisions to 75 points, from so many rounds of the first program that no more change them."""
    return known(decided(METHODS[0]._replace(rounds=2001)).first)


@pytest.mark.parametrize(
    ("method", "expected"),
    [(METHODS[0], (95, 74)), (METHODS[1]._replace(rounds=35), (2106, 1840)), (METHODS[2], (16, 0))],
)
def test_decisions_of_the_contest_that_differ(contest, method, expected):
    assert differing(decided(method), contest) == expected


def test_ties_that_the_first_program_decides_otherwise_have_just_reached_the_goal(contest):
    found = decided(METHODS[0])
    mine, theirs, turn = np.nonzero(contest.ties & found.holds)
    assert len(mine) == 74 and set(theirs) == {74} and set(mine + turn) == {75}


def test_a_single_value_left_at_its_start_gives_the_listed_167(contest):
    first = decided(METHODS[0]).first.copy()
    first[74, 0] = 0.5
    assert differing(known(first), contest) == (167, 146)
