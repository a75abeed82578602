"""Components in which nothing is paid: what the graph decides, values that rise from 0, and the bounds of regions of one value.

`worths` of test_solvers.py is the oracle: every pair of positional strategies, in fractions.
"""

from __future__ import annotations

import contextlib
import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_solvers import Solved, empty, final, moves, solve, transitions, within, worths
from zermelo.certificates import certify
from zermelo.certificates.certify import Certifier
from zermelo.kernels.certify import certify_ends
from zermelo.kernels.condense import Rows, condense
from zermelo.kernels.sides import both_sides
from zermelo.kernels.verify_ends import DROPS, FREE, LEVEL, MOST, bound_from_above
from zermelo.methods import policy_iteration, unpaid
from zermelo.problem.solver import NotConverged, Uncertified

ENDS = [(0.0, 1.0), (-1.0, 0.0), (-1.0, 1.0), (1.0, 2.0), (0.5, -2.0), (1.0, 1.0), (-1.0, -2.0), (0.0, 0.0)]
RARE = [1, 2, 1e-9, 1e9]  # ways


def settle(rows, finals, parts, values, policies):
    """The components of what is left, each by itself, as the library does."""
    for start, end in itertools.pairwise(parts):
        if unpaid.suits(rows, start, end):
            with contextlib.suppress(RuntimeError):
                if unpaid.solve_component(rows, start, end, values, policies, settle) is not None:
                    continue
        policy_iteration.solve_component(rows, start, end, 1.0, values, policies)


def solve_unpaid(batch, components):
    """By the graph, value iteration and policy iteration; bounds by end components and ranks, and by claims where these do not do."""
    value, policy = empty(batch)
    bounds = Certifier(value, policy, 1.0)
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, 1.0)
    rows = Rows(0, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)
    for start, end in itertools.pairwise(components):
        if batch.action_start[start] == batch.action_start[end]:
            value[start:end], policy[start:end], bounds.error[start:end] = batch.final_payoff[start:end], -1, 0.0
            continue
        settle(rows, batch.final_payoff, np.array([start, end]), value, policy)
        if not certify_ends(batch, start, end, value, policy, bounds.error):
            bounds.certify_generally(batch, start, end)
    return Solved(value, policy, bounds.error)


WAYS = [solve, solve_unpaid]


def random_unpaid(seed, states, players, passes=False, rare=False):
    """Two final states, then `states` others that may loop, cycle and leave; nothing is paid."""
    rng = np.random.default_rng(seed)
    found = [final(x) for x in ENDS[rng.integers(len(ENDS))]]
    for s in range(2, states + 2):
        mine = []
        for _ in range(rng.integers(1, 3)):
            outs = []
            for _ in range(rng.integers(1, 4)):
                following = int(rng.integers(2, states + 2)) if rng.random() < 0.7 else int(rng.integers(0, 2))
                ways = RARE[rng.integers(len(RARE))] if rare else int(rng.integers(1, 4))
                outs.append(
                    (ways, 0, s if rng.random() < 0.2 else following, -1 if passes and rng.random() < 0.3 else 1)
                )
            mine.append(outs)
        found.append(moves(*mine, player=int(rng.integers(0, players))))
    return transitions(found), [0, 1, 2, states + 2]


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=75, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 2), st.booleans())
def test_unpaid_games_agree_with_the_oracle(way, seed, players, passes):
    batch, components = random_unpaid(seed, 4, players, passes)
    found = way(batch, components)
    for s, (low, high) in enumerate(worths(batch)[0]):
        assert low == high
        assert within(found, s, 0, low)
    assert found.error.max() < 1e-12


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 2))
def test_rare_ways_are_never_bounded_wrongly(way, seed, players):
    batch, components = random_unpaid(seed, 4, players, rare=True)
    try:
        found = way(batch, components)
    except (Uncertified, NotConverged):
        return
    for s, (low, high) in enumerate(worths(batch)[0]):
        assert low == high
        assert within(found, s, 0, low)


# The check by itself --------------------------------------------------------------------------------------------------


def claimed(batch, values, policy, base, rise, rank, kind):
    """What the check makes of a claim on the states 1, 2 ... of a batch, from both sides: bounds, or None."""
    value, error = np.array(values)[:, None], np.zeros((len(values), 1))
    first_row, first_outcome, ways, to, _, worth, unsure = both_sides(
        batch, 1, batch.high, value, np.array(policy, np.int32), error
    )
    bound = np.empty(len(base))
    numbers = (np.array(x, np.float64) for x in (base, rise))
    good = bound_from_above(
        first_row, first_outcome, ways, to, worth, unsure, *numbers, np.array(rank, np.int64), np.array(kind, np.int8), bound
    )  # fmt: skip
    return bound.tolist() if good else None


def round_trip():
    """States 1 and 2 lead to one another; 2 may also leave for 0, which pays 1. The maximiser moves."""
    return transitions([final(1.0), moves([(1, 0, 2)]), moves([(1, 0, 1)], [(1, 0, 0), (1, 0, 1)])])


GOOD = {"base": [1, 1, -1, -1], "rise": [0] * 4, "rank": [0, 0, 1, 0], "kind": [FREE, FREE, LEVEL, LEVEL, LEVEL]}


def test_a_claim_without_drops_is_taken():
    """From above staying is free; from below the policy leaves from 2 sooner or later, and 1 leads to 2."""
    assert claimed(round_trip(), [1.0, 1.0, 1.0], [-1, 0, 1], **GOOD) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"base": [np.nextafter(1, 0), 1, -1, -1]},  # too little where play may stay
        {"base": [1, 1, -1, np.nextafter(-1, -2)]},  # and where it leaves
        {"base": [1, 1, np.nan, -1]},
        {"rise": [0, 0, -1, 0]},
        {"rise": [0, 0, 0, np.inf]},
        {"rise": [0, 1, 0, 0]},  # not level
        {"rank": [0, 0, 0, 0]},  # no nearer to leaving
        {"rank": [0, 0, 0, 1]},
        {"rank": [0, 1, 1, 0]},  # a free row may not lead to a higher rank
        {"kind": [FREE, FREE, FREE, LEVEL, LEVEL]},  # who stays gets 0, which is more than -1
        {"kind": [FREE, FREE, FREE, FREE, FREE]},
        {"kind": [DROPS, FREE, LEVEL, LEVEL, LEVEL]},  # no drop in a circle
        {"kind": [FREE, FREE, LEVEL, LEVEL, DROPS]},
    ],
)
def test_wrong_claims_are_refused(wrong):
    assert claimed(round_trip(), [1.0, 1.0, 1.0], [-1, 0, 1], **(GOOD | wrong)) is None


TOP = GOOD | {"kind": [MOST, MOST, MOST, LEVEL, LEVEL]}


def test_no_play_is_worth_more_than_what_it_leads_to():
    """From above 1 is all there is, which needs no rows; from below the policy has to be looked at."""
    assert claimed(round_trip(), [1.0, 1.0, 1.0], [-1, 0, 1], **TOP) == [0, 0, 0, 0]
    assert claimed(round_trip(), [1.0, 1.0, 1.0], [-1, 0, 1], **(TOP | {"base": [2, 1, -1, -1]}))[0] == pytest.approx(1)
    rows = {"kind": [LEVEL, MOST, MOST, LEVEL, LEVEL]}  # one that leads to such a node comes nearer by that
    assert claimed(round_trip(), [1.0, 1.0, 1.0], [-1, 0, 1], **(TOP | rows)) == [0, 0, 0, 0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"base": [np.nextafter(1, 0), 1, -1, -1]},
        {"base": [1, np.nextafter(1, 0), -1, -1]},
        {"rise": [0, -1, 0, 0]},
        {"kind": [MOST, MOST, FREE, LEVEL, LEVEL]},  # all rows of a node or none
        {"kind": [MOST, MOST, DROPS, LEVEL, LEVEL]},
        {"kind": [MOST, MOST, MOST, MOST, MOST]},  # from below: who never leaves gets 0, which is more than -1
        {"kind": [MOST, MOST, MOST, MOST, LEVEL]},
    ],
)
def test_claims_of_too_little_are_refused(wrong):
    assert claimed(round_trip(), [1.0, 1.0, 1.0], [-1, 0, 1], **(TOP | wrong)) is None


def test_errors_outside_count():
    """What may be worth more outside, though its value is smaller, is no less than what is claimed."""
    batch = transitions([final(1.0), final(0.5), moves([(1, 0, 3)]), moves([(1, 0, 2)], [(1, 0, 0), (1, 0, 1)])])
    value, error = np.array([[1.0], [0.5], [1.0], [1.0]]), np.array([[0.0], [0.75], [0.0], [0.0]])
    first_row, first_outcome, ways, to, _, worth, unsure = both_sides(batch, 2, 4, value, np.array([-1, -1, 0, 1], np.int32), error)
    kind = np.full(first_outcome.size - 1, MOST, np.int8)
    for least, is_taken in ((0.24, False), (0.26, True)):
        base, rise = np.array([1.0, 1.0, 0.5, 0.5]), np.array([least, least, 1.0, 1.0])
        rank, bound = np.zeros(4, np.int64), np.empty(4)
        assert bound_from_above(first_row, first_outcome, ways, to, worth, unsure, base, rise, rank, kind, bound) == is_taken


def test_a_policy_that_never_leaves_is_no_witness():
    """The same values with a policy that cycles: no ranks show that play leaves, so nothing is proven from below."""
    for ranks in itertools.product(range(3), repeat=2):
        kind = [FREE, FREE, LEVEL, LEVEL, LEVEL]
        assert claimed(
            round_trip(), [1.0, 1.0, 1.0], [-1, 0, 0], base=[1, 1, -1, -1], rise=[0] * 4, rank=[0, 0, *ranks], kind=kind
        ) is None  # fmt: skip


# Large ones -----------------------------------------------------------------------------------------------------------


def long_chain(n, player=0):
    """One end component of 2n states (after Kelmendi and others 2018): a player walks up one of two chains that the other chose; chain 1
    ends in a fair coin, chain 2 in one that wins 2 times of 5."""
    states = [final(0.0), final(1.0)]
    top, first, second = 2, 3, 3 + n
    states.append(moves([(1, 0, first)], [(1, 0, second)], player=1))
    for chain, odds in ((first, (1, 1)), (second, (2, 3))):
        for i in range(n):
            back = [(1, 0, chain + i - 1 if i else top)]
            on = [(1, 0, chain + i + 1)] if i < n - 1 else [(odds[0], 0, 1), (odds[1], 0, 0)]
            states.append(moves(back, on))
    return transitions(states), [0, 1, 2, 3 + 2 * n]


@pytest.mark.parametrize("n", [3, 1000, 20_000])
def test_one_large_end_component(n):
    batch, components = long_chain(n)
    found = solve(batch, components)
    assert found.error.max() < 1e-10
    assert abs(found.value[2, 0] - 0.4) < 1e-11
    assert within(found, 2, 0, Fraction(2, 5))
    assert within(found, 3 + n // 2, 0, Fraction(1, 2))


def test_many_states_are_bounded_by_linear_systems(monkeypatch):
    """Sweeps take seconds for a hundred thousand states in which play lasts."""
    monkeypatch.setattr(certify, "MOST_DIRECT", 0)
    monkeypatch.setattr(certify, "LARGE", 100)
    monkeypatch.setattr(certify, "certify_with_ends", None)
    found = solve(*long_chain(50))
    assert found.error.max() < 1e-10 and within(found, 2, 0, Fraction(2, 5))


def test_many_small_end_components():
    """Each of 20,000 pairs of states that lead to one another may be left for the next one; the last leads to a fair coin."""
    n = 20_000
    states = [final(0.0), final(1.0)]
    for i in range(n):
        on = [(1, 0, 0), (1, 0, 1)] if i == 0 else [(1, 0, 2 * i)]
        states += [moves([(1, 0, 3 + 2 * i)], on), moves([(1, 0, 2 + 2 * i)], player=1)]
    batch = transitions(states)
    found = solve(batch, [0, 1, *range(2, 2 * n + 3, 2)])
    assert (found.value[2:, 0] == 0.5).all()
    assert found.error.max() < 1e-12


@pytest.mark.parametrize("who", [0, 1])
def test_states_that_loop(who):
    """A loop is worth 0: the maximiser prefers it to a loss, the minimiser to what he must pay."""
    batch = transitions(
        [
            final(-1.0),
            final(1.0),
            moves([(1, 0, 2)], [(1, 0, 0)], player=who),
            moves([(1, 0, 3)], [(1, 0, 1)], player=who),
            moves([(1, 0, 4)], [(3, 0, 4), (1, 0, 1)], [(1, 0, 4), (1, 0, 0)], player=who),
            moves([(1, 0, 5)]),
        ]
    )
    found = solve(batch, range(7))
    expected = [[0, 1, 1], [-1, 0, -1]][who]
    assert np.abs(found.value[2:5, 0] - expected).max() <= found.error.max() < 1e-14
    assert found.value[5, 0] == 0.0
    for s, (low, high) in enumerate(worths(batch)[0]):
        assert low == high
        assert within(found, s, 0, low)
