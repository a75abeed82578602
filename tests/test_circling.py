"""Circles whose payoffs cancel: play that swings for ever counts as what it is on average, and bounds are as close as elsewhere.

Each game is small enough to be seen through; `worths` of test_solvers.py is the oracle.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from test_solvers import WAYS, final, moves, solve_generally, transitions, within, worths
from zermelo.certificates.find.ends import end_components, potentials, swing
from zermelo.certificates.sides import two_sides
from zermelo.problem.solver import Unbounded, Uncertified


def swinging(leave, *, stay=0):
    """State 1 may leave for `leave`, or be paid 1 and come to 2, which gives it back; of `stay` + 1 ways there, `stay` are unpaid
    and lead back to 1."""
    return transitions([final(float(leave)), moves([(1, 0, 0)], [(stay, 0, 1), (1, 1, 2)]), moves([(1, -1, 1)])])


def tightly(way, batch, components):
    """The solution, seen to agree with the oracle and to be known to rounding."""
    found = way(batch, components)
    for s, (low, high) in enumerate(worths(batch)[0]):
        assert low == high
        assert within(found, s, 0, low)
    assert found.error.max() < 1e-13
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("leave", [3, 1, 0.75, 0.5000001, 0.5])
def test_leaving_is_worth_no_less_than_swinging(way, leave):
    """1, 0, 1, 0 ... is a half on average, though a player could say that he is ahead by 1 every other time."""
    assert tightly(way, swinging(leave), [0, 1, 3]).value[1, 0] == leave


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("leave", [0.25, 0, -3])
def test_best_play_that_swings_is_refused(way, leave):
    with pytest.raises((Unbounded, Uncertified)) as refusal:
        way(swinging(leave), [0, 1, 3])
    assert list(refusal.value.states) == [1, 2]


@pytest.mark.parametrize("way", WAYS)
def test_a_value_that_a_tie_hides_is_within_its_error(way):
    """Swinging is worth 1e-7 more than leaving: either is told apart, or the error says so."""
    batch = swinging(0.4999999)
    try:
        found = way(batch, [0, 1, 3])
    except (Unbounded, Uncertified):
        return
    assert within(found, 1, 0, Fraction(1, 2)) and within(found, 2, 0, Fraction(-1, 2))
    assert found.error.max() < 1e-6


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("stay", [1, 2, 10])
def test_the_average_is_over_time(way, stay):
    """Most of the time the 1 is not paid yet: the average is 1 / (stay + 2), and leaving for that is as good."""
    leave = 1.0 / (stay + 2)
    assert tightly(way, swinging(leave, stay=stay), [0, 1, 3]).value[1, 0] == pytest.approx(leave, abs=1e-15)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("mine", "yours"), [(1, 0), (0.75, 0.5), (2, -1)])
def test_two_players_who_could_swing_together(way, mine, yours):
    batch = transitions(
        [
            final(float(mine)),
            final(float(yours)),
            moves([(1, 0, 0)], [(1, 1, 3)]),
            moves([(1, 0, 1)], [(1, -1, 2)], player=1),
        ]
    )
    tightly(way, batch, [0, 1, 2, 4])


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("first", [0, 1])
def test_passing_on_is_worth_half_of_what_it_pays(way, first):
    """v = 1 - v: to pass on for ever, paid 1, and to leave for a half are as good, so play leaves; whichever action is named first."""
    rows = [[(1, 1, 1, -1)], [(1, 0, 0)]]
    found = tightly(way, transitions([final(0.5), moves(*(rows if first == 0 else rows[::-1]))]), [0, 1, 2])
    assert found.policy[1] == 1 - first


@pytest.mark.parametrize("way", WAYS)
def test_passing_on_or_resting(way):
    """v = 0 - v: the swing is worth 0, as resting is."""
    batch = transitions([final(-1.0), moves([(1, 2, 2)], [(1, 0, 1)]), moves([(1, -2, 1, -1)], [(1, -9, 0)])])
    assert tightly(way, batch, [0, 1, 3]).policy[1] == 1


@pytest.mark.parametrize("way", WAYS)
def test_fair_bets_for_ever_are_refused(way):
    """On average they are worth nothing, but one may go on until one is ahead by any sum."""
    batch = transitions([final(3.0), moves([(1, 0, 0)], [(1, 1, 1), (1, -1, 1)])])
    with pytest.raises((Unbounded, Uncertified)):
        way(batch, [0, 1, 2])


def test_the_swing_of_an_end_component():
    """States 1, 2, 3 in a circle that pays 1, 2, -3, with a short cut from 1 to 3 for 3, by which the average is least."""
    circle = [moves([(1, 0, 0)], [(1, 1, 2)], [(1, 3, 3)]), moves([(1, 2, 3)]), moves([(1, -3, 1)])]
    batch = transitions([final(9.0), *circle])
    found = solve_generally(batch, [0, 1, 4])
    sides = two_sides(batch, 1, 4, found.value, found.policy, found.error)
    label, staying = end_components(sides, np.ones(sides.batch.outcome_start.size - 1, bool))
    members = np.flatnonzero(label == label[0])
    potential = potentials(sides, members, staying)
    assert potential.tolist() == [0, -1, -3]
    assert swing(sides, members, staying, potential, -math.inf)[0] == pytest.approx(1.5, abs=1e-12)
    assert swing(sides, members, staying, potential, 5.0)[0] == 5
