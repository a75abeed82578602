"""The three iterative programs for Pig to an exact goal, against the certified solution and one another."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo
from zermelo.games import ExactPig, exact_pig_views
from zermelo.games.exact_pig_methods import (
    FORTY_ROUNDS,
    METHODS,
    PUBLISHED,
    SHORT_ARRAY,
    Method,
    decided,
    differing,
    failing,
    known,
    largest_error,
)
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
    names = [m.name for m in METHODS]
    assert [row[0] for row in rows] == ["exact", *names, "pair by pair, array too short", "round by round", *names]
    assert rows[0][3] == pytest.approx(float(solution.win_probability(solution.rules.start).value))
    slowest = exact_pig_views.convergence_table(solution).rows
    assert slowest[0][4] >= slowest[-1][4] > 0 and slowest[0][4] == pytest.approx(slowest[0][2] * slowest[0][3])


def test_queries_decided_wrongly_are_listed_with_what_that_costs(solution, first):
    table = exact_pig_views.wrong_table(solution)
    exact = known(first)
    for column, method in enumerate(PUBLISHED, 7):
        wrong, ties = differing(decided(method, SMALL), exact)
        assert sum(row[column] != "" for row in table.rows) == wrong - ties
    for mine, theirs, turn, hold, roll, right, cost, *said in table.rows:
        assert right == ("H" if hold > roll else "C") and cost == pytest.approx(abs(hold - roll)) and cost > 1e-9
        assert hold == exact.hold[mine, theirs, turn] and set(said) <= {"", "C" if right == "H" else "H"}
    assert [row[6] for row in table.rows] == sorted((row[6] for row in table.rows), reverse=True)


def test_a_goal_of_two():
    solution = zermelo.solve(ExactPig(2))
    first = exact_pig_views.first_values(solution)
    assert first[0, 0] == pytest.approx(1 / 6 / (1 - 25 / 36))  # whoever throws a 2 first
    assert largest_error(decided(Method("in place", 200, 0.0), 2), first) < 1e-12


@pytest.fixture(scope="module")
def contest():
    """The decisions to 75 points, from so many rounds of the first program that no more change them."""
    return known(decided(METHODS[0]._replace(rounds=501)).first)


@pytest.mark.parametrize(
    ("method", "expected"),
    [(METHODS[0], (95, 74)), (SHORT_ARRAY, (167, 146)), (METHODS[1]._replace(rounds=35), (2106, 1840)), (METHODS[2], (16, 0))],
)
def test_decisions_of_the_contest_that_differ(contest, method, expected):
    assert differing(decided(method), contest) == expected


def test_ties_that_the_first_program_decides_otherwise_have_just_reached_the_goal(contest):
    found = decided(METHODS[0])
    mine, theirs, turn = np.nonzero(contest.ties & found.holds)
    assert len(mine) == 74 and set(theirs) == {74} and set(mine + turn) == {75}


def test_an_array_without_a_place_for_75_decides_72_more_ties_otherwise(contest):
    """All of them begin with 0 points against 74, where P(0, 74, 75) = 1 is read from the place of P(1, 0, 0)."""
    more = decided(SHORT_ARRAY).holds & ~decided(METHODS[0]).holds
    mine, theirs, turn = np.nonzero(more & contest.asked)
    assert set(mine) == {0} and set(theirs) == {74} and turn.tolist() == list(range(2, 74))
    roll = decided(SHORT_ARRAY).roll[0]
    assert roll[74, 73] == pytest.approx((1 + roll_of_one(1, 0) + 4) / 6, abs=1e-4), "a 1 and a throw of more fail; a 2 makes 75"


def roll_of_one(mine: int, theirs: int) -> float:
    """P(mine, theirs, 0): what the player who begins the turn wins."""
    return float(decided(METHODS[0]).first[mine, theirs])


@pytest.mark.parametrize("rounds", [40, 41])
def test_rounds_end_with_the_player_to_move(rounds):
    """After an even number of rounds the first program must begin with the opponent."""
    assert decided(Method("pair by pair", rounds, 0.5)).first[0, 0] == pytest.approx(0.52692, abs=5e-6)


def test_forty_rounds_give_the_printed_value_at_70():
    assert f"{decided(FORTY_ROUNDS).first[70, 0]:.6f}" == "0.929041"
