"""Circles whose payoffs cancel: play that swings forever counts as what it is on average, and bounds are as close as elsewhere.

Each game is small enough to be seen through; `worths` of test_solvers.py is the oracle.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from test_solvers import WAYS, final, moves, policy_worth, solve, solve_generally, transitions, within, worths
from zermelo.certificates import certify
from zermelo.certificates.certify import Certifier
from zermelo.certificates.find.ends import end_components
from zermelo.certificates.sides import graph_of, two_sides
from zermelo.kernels.kernel import only
from zermelo.kernels.propose_claims import find_potential, swing
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
    """v = 1 - v: to pass on forever, paid 1, and to leave for a half are as good, so play leaves; whichever action is named first."""
    rows = [[(1, 1, 1, -1)], [(1, 0, 0)]]
    found = tightly(way, transitions([final(0.5), moves(*(rows if first == 0 else rows[::-1]))]), [0, 1, 2])
    assert found.policy[1] == 1 - first


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("error", [0.0, 2.0**-10])
def test_a_bound_whose_rows_change_after_the_first_step_is_found(tier, error, monkeypatch):
    """State 1 may leave at once, or by way of state 2, from where one in ten comes back. While nothing is known of 1 itself, leaving at
    once seems to be worse, but the other way takes longer, and is no better."""
    batch = transitions([final(1.0), moves([(1, 0, 0)], [(1, 0, 2)]), moves([(1, 0, 1), (9, 0, 0)])])
    monkeypatch.setattr(Certifier, "certify_generally", None)
    bounds = Certifier(np.full((3, 1), 1.0 + error), np.full(3, -1, np.int32), from_above=True)
    with only(tier):
        bounds.certify(batch, np.array([0, 1, 3]))
    assert (error <= bounds.error).all() and bounds.error.max() < error * (1 + 1e-5) + 1e-12


@pytest.mark.parametrize("way", WAYS)
def test_passing_on_or_resting(way):
    """v = 0 - v: the swing is worth 0, as resting is."""
    batch = transitions([final(-1.0), moves([(1, 2, 2)], [(1, 0, 1)]), moves([(1, -2, 1, -1)], [(1, -9, 0)])])
    assert tightly(way, batch, [0, 1, 3]).policy[1] == 1


def test_many_small_components_are_bounded_compiled(monkeypatch):
    """Each of 300 triples can be circled forever, paid 1 and then -1; one player leaves for a half on average, the other one would for
    3. No component is left to the general method, with or without rounding in the ways, and claims that are kept prove the same again."""
    n = 300
    states = [final(1.0)]
    for i in range(n):
        here, on = 1 + 3 * i, max(3 * i - 2, 0)
        leaving = [(1, 0, on), (1, 1, on)]
        states += [moves([(1, 0, here + 1)], leaving), moves([(1, 1, here + 2)], [(1, 3, on)], player=1), moves([(1, -1, here)])]
    batch, components = transitions(states), np.array([0, *range(1, 3 * n + 2, 3)])
    found = solve(batch, components)

    def left_over(*_):
        raise AssertionError("left to the general method")

    monkeypatch.setattr(Certifier, "certify_generally", left_over)
    for s in range(1, 3 * n + 1):
        exact = Fraction((s - 1) // 3 + 3, 2) - Fraction((s - 1) % 3 == 2)
        assert within(found, s, 0, exact) if (s - 1) % 3 != 1 else found.value[s, 0] == found.value[s - 1, 0]
    assert found.error.max() < 1e-9
    for blur in (0.0, 1e-15):
        keeping = Certifier(found.value, found.policy, keeps_claims=True)
        with only("compiled"):
            keeping.certify(batch, components, blur)
        assert keeping.error.max() < 1e-8
        assert np.isnan(keeping.claims[0]).all() and np.isfinite(keeping.claims[1:]).all()
        above, below = keeping.claims[1:, 0], keeping.claims[1:, 1]
        assert (above[:, 0] + above[:, 1] >= found.value[1:, 0]).all()
        assert (-below[:, 0] - below[:, 1] <= found.value[1:, 0]).all()


def test_all_payoffs_of_a_large_component_are_bounded_where_the_first_is_unpaid(monkeypatch):
    """Both players leave for a half, or wait for the other to do so, and moves are counted."""
    moved = (0, 1)
    leave = [(1, moved, 0), (1, moved, 1)]
    ends, first = [final(1.0, 0.0), final(0.0, 0.0)], moves(leave, [(1, moved, 3)])
    batch = transitions([*ends, first, moves(leave, [(1, moved, 2)], player=1)], payoffs=2)
    monkeypatch.setattr(certify, "LARGE", 0)
    monkeypatch.setattr(certify, "MOST_DIRECT", 0)
    found = solve(batch, [0, 1, 2, 4])
    assert found.error.max() < 1e-14
    assert all(within(found, s, 0, Fraction(1, 2)) for s in (2, 3))
    assert all(within(found, s, 1, x) for s, x in enumerate(policy_worth(batch, found.policy, 1)))


@pytest.mark.parametrize("size", [19, 20, 21, 40])
def test_compiled_claims_are_those_of_the_general_method(size):
    """A circle of which every second payoff is given back, with an exit at every state; few states are bounded compiled, more in Python."""
    circle = [moves([(1, (-1) ** s * (s < size - size % 2), 1 + (s + 1) % size)], [(1, 0, 0), (1, 1, 0)]) for s in range(size)]
    batch = transitions([final(4.0), *circle])
    found, general = solve(batch, [0, 1, 1 + size]), solve_generally(batch, [0, 1, 1 + size])
    assert found.value == pytest.approx(general.value, rel=1e-14)
    assert found.error.max() < 1e-12 and general.error.max() < 1e-12
    assert all(within(found, s, 0, Fraction(11 - (s % 2 == 0 and s <= size - size % 2) * 2, 2)) for s in range(1, 1 + size))


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
    n, nodes, outcomes = sides.size, len(sides.value), sides.batch.next.size
    potential, drift = np.zeros(n), np.zeros(n)
    assert find_potential(*graph_of(sides), sides.batch.payoff, staying, members, potential, np.zeros(n, bool))
    assert potential[members].tolist() == [0, -1, -3]

    def swings(enough):
        drift[:] = 0.0
        moved, paid = np.zeros((nodes, 1)), np.empty((outcomes, 1))
        return swing(*graph_of(sides), np.ones(outcomes, np.int8), staying, members, potential, enough, 0.0, drift, moved, paid)

    assert swings(-math.inf) == pytest.approx(1.5, abs=1e-12)
    assert swings(5.0) == 5
