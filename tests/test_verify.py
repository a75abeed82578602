"""The check of bounds by itself: it refuses what is too small, by the last digit that rounding leaves, and takes what is true.

Wherever a proposal can be made smaller step by step, the smallest one that is accepted is sought, and compared with the exact distance
between the given values and the true ones: nothing is compared with a tolerance.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_circling import swinging
from test_solvers import (
    KINDS,
    certified,
    empty,
    final,
    moves,
    policy_worth,
    random_game,
    solve,
    transitions,
    worths,
)
from zermelo.certificates.certify import Certifier
from zermelo.certificates.certify_strategies import StrategiesCertifier
from zermelo.certificates.find import claims
from zermelo.certificates.fixed_strategies import blur_of, chain_blur, deviations
from zermelo.certificates.results import mover_signs, proven
from zermelo.certificates.sides import by_itself, two_sides
from zermelo.certificates.verify import Claim, PolicyClaim, accept_policy, bound_from_above
from zermelo.kernels.deviations import Mixed, pair_ways
from zermelo.kernels.verify import accept, excesses
from zermelo.methods import cyclic
from zermelo.problem.solver import Uncertified


def accepts(batch, part, found, j, proposal, discount=1.0, blur=0.0):
    """Whether the check takes proposal : float64[states, payoffs] for the states of the range `part`."""
    value, policy, error = found
    excess, errors = np.empty((batch.outcome_start.size - 1, value.shape[1])), error.copy()
    errors[part.start : part.stop, j] = np.nan
    excesses(batch, discount, value, policy, part.start, part.stop, j, excess, blur)
    taken = accept(batch, discount, part.start, part.stop, j, excess, proposal, errors)
    assert np.array_equal(errors[part, j], proposal[part, j] if taken else np.full(len(part), np.inf))
    return taken


def least(accepted, enough):
    """The smallest float in 0..`enough` that is accepted."""
    assert accepted(enough)
    low, high = 0.0, enough
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if accepted(middle) else (middle, high)
    return high


def below(exact):
    """The largest float below a positive rational."""
    near = float(exact)
    return near if Fraction(near) < exact else math.nextafter(near, -math.inf)


def moved(value, seed, part, ulps=4):
    """Values of a part, each some last digits from where it was."""
    dice = np.random.default_rng(seed)
    value[part] += np.spacing(np.abs(value[part])) * dice.integers(-ulps, ulps + 1, value[part].shape)


# Play that never returns, and play that must end ----------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 2), st.sampled_from([1.0, 0.75]))
def test_a_state_by_itself_down_to_the_last_digit(seed, players, discount):
    batch, _ = random_game(seed, 5, players, True, payoffs=2, acyclic=True)
    singles = np.arange(batch.high + 1)
    value, policy = empty(batch)
    cyclic.solve(batch, singles, value, policy, discount)
    moved(value, seed, range(2, batch.high))
    found = certified(batch, singles, value, policy, discount)
    exact = policy_worth(batch, policy, 1, discount)
    for s in range(2, batch.high):
        off = abs(Fraction(value[s, 1]) - exact[s])
        smallest = least(
            lambda e, s=s: accepts(batch, range(s, s + 1), found, 1, np.full(value.shape, e), discount),
            found.error[s, 1],
        )
        assert off <= Fraction(smallest)
        if off > 0:
            assert not accepts(batch, range(s, s + 1), found, 1, np.full(value.shape, below(off)), discount)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS))
def test_a_component_that_must_be_left_down_to_the_last_digit(seed, kind):
    players, passes = kind
    batch, components = random_game(seed, 3, players, passes, leave=0.25, payoffs=2)
    found = solve(batch, components)
    moved(found.value, seed, range(2, batch.high))
    found = certified(batch, components, found.value, found.policy)
    part, exact = range(2, batch.high), [[low for low, _ in worths(batch)[0]], policy_worth(batch, found.policy, 1)]
    for j in (0, 1):
        off = np.array([abs(Fraction(found.value[s, j]) - exact[j][s]) for s in range(batch.high)])
        share = least(lambda x, j=j: accepts(batch, part, found, j, found.error * x), 1.0)
        assert all(off[s] <= Fraction(found.error[s, j] * share) for s in part)
        true = np.zeros(found.value.shape)
        true[:, j] = [below(x) if x else 0.0 for x in off]
        assert not off.any() or not accepts(batch, part, found, j, true)


def test_a_loop_multiplies_what_one_step_is_off_by():
    """State 1 stays 999 times of 1000: a step is off by 1e-3 and the value by 1, which is what e must be."""
    batch = transitions([final(0.0), moves([(999, 0, 1), (1, 0, 0)])])
    found = certified(batch, [0, 1, 2], np.array([[0.0], [1.0]]), np.array([-1, 0], np.int32))
    smallest = least(lambda e: accepts(batch, range(1, 2), found, 0, np.full((2, 1), e)), 1.001)
    assert 1.0 < found.error[1, 0] <= smallest < 1.00001  # a state by itself is bounded without a search, and a digit closer
    for wrong in (0.0, 1e-3, 0.999, 1.0, -1.0, np.nan, np.inf):
        assert not accepts(batch, range(1, 2), found, 0, np.full((2, 1), wrong))


# Play that can go round forever --------------------------------------------------------------------------------------


def first_claim(part, discount=1.0):
    return next(c for c in claims.of_value(part, discount) if bound_from_above(part, c, discount) is not None)


def is_true(part, bound, exact):
    """Whether the bounds of a part with two sides hold for the exact values of its states."""
    n = part.size // 2
    return all(
        side * exact[s] <= Fraction(part.value[i, 0]) + Fraction(bound[i])
        for i, (side, s) in enumerate((side, s) for side in (1, -1) for s in range(n))
    )


CHANGES = ("base", "potential", "drift", "rise", "free")


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.sampled_from([0.3, 0.7, 1.0]), st.data())
def test_whatever_is_claimed_where_play_may_circle_is_true_or_refused(seed, kind, free, data):
    players, passes = kind
    batch, components = random_game(seed, 3, players, passes, free=free)
    bounds, _ = worths(batch)
    try:
        found = solve(batch, components)
    except Exception:
        return
    if any(low != high or not isinstance(low, Fraction) for low, high in bounds):
        return
    moved(found.value, seed, range(2, batch.high))
    part = two_sides(batch, 2, batch.high, *found)
    exact = [low for low, _ in bounds[2:]]
    claim = next(iter(claims.of_value(part, 1.0)), None)
    if claim is None:
        return
    for _ in range(20):
        name = data.draw(st.sampled_from(CHANGES))
        array = getattr(claim, name).copy()
        i = data.draw(st.integers(0, array.size - 1))
        if name == "free":
            array[i] = not array[i]
        else:
            size = data.draw(st.sampled_from([1e-16, 1e-15, 1e-9, 1e-3, 0.5, 1.0, 3.0]))
            array[slice(None) if data.draw(st.booleans()) else i] -= data.draw(st.sampled_from([size, -size]))
        changed = claim._replace(**{name: array})
        bound = bound_from_above(part, changed, 1.0)
        assert bound is None or is_true(part, bound, exact)
        if bound is not None and data.draw(st.booleans()):
            claim = changed  # go on from here


def resting(leave=-1.0):
    """Two states that may be circled unpaid by one player, or left for `leave`."""
    return transitions([final(leave), moves([(1, 0, 2)], [(1, 0, 0)]), moves([(1, 0, 1)])])


def one_side(batch, value):
    """States 1 and 2 as the maximiser sees them."""
    known = np.zeros((batch.high, 1))
    return by_itself(batch, 1, 3, np.array(value)[:, None], known, 0)


def claimed(base, potential=(0.0, 0.0), drift=(0.0, 0.0), rise=(0.0, 0.0), free=(True, False, True)):
    return Claim(*(np.array(x, float) for x in (base, potential, drift, rise)), np.array(free))


def test_staying_unpaid_is_worth_nothing_and_no_less():
    part, tiny = one_side(resting(), [-1.0, -1.0, -1.0]), 1e-15
    assert bound_from_above(part, claimed([0.0, 0.0], rise=[tiny, tiny]), 1.0) == pytest.approx([1.0, 1.0])
    refused = [
        claimed([-5e-324, -5e-324], rise=[tiny, tiny]),  # they could rest
        claimed([-1.0, -1.0], rise=[tiny, tiny]),
        claimed([0.0, 5e-324], rise=[tiny, tiny]),  # one could go where more is claimed
        claimed([0.0, 0.0], rise=[tiny, 2 * tiny]),
        claimed([0.0, 0.0], free=[False, False, False]),  # no drop
        claimed([0.0, 0.0], free=[True, True, True]),  # leads out
        claimed([0.0, 0.0], rise=[-tiny, -tiny]),
        claimed([np.nan, np.nan]),
        claimed([0.0, 0.0], rise=[np.inf, np.inf]),
    ]
    assert [bound_from_above(part, claim, 1.0) for claim in refused] == [None] * len(refused)
    assert bound_from_above(part, claimed([0.0, 0.0], rise=[tiny, tiny]), 0.5) is None  # discounted, nothing is free


def test_leaving_for_more_is_not_overlooked():
    part = one_side(resting(leave=1.0), [1.0, 0.0, 0.0])
    smallest = least(lambda k: bound_from_above(part, claimed([k, k]), 1.0) is not None, 2.0)
    assert 1.0 < smallest < 1.0 + 1e-14


@pytest.mark.parametrize("drift", [(0.0, 0.5), (-0.25, 0.25), (0.0, 0.5000001), (0.0, 0.0), (3.0, -7.0)])
def test_swinging_is_worth_its_average_and_no_less(drift):
    """1, 0, 1, 0 ... is worth a half: no witness proves less, and the right one proves no more than rounding adds."""
    part, potential = one_side(swinging(0.25), [0.25, 0.25, -0.75]), (0.0, -1.0)

    def proven_by(base):
        return (
            bound_from_above(part, claimed([base, base], potential, drift, (1e-12, 1e-12), (False, True, True)), 1.0)
            is not None
        )

    smallest = least(proven_by, 100.0)
    assert smallest >= 0.5
    assert not proven_by(math.nextafter(0.5, 0.0))
    assert (smallest <= 0.5 + 1e-15) == (drift[1] - drift[0] == 0.5)


def test_payoffs_that_no_potential_follows_are_refused():
    """The last digit of a sum is not lost: 0.1 + 0.2 is no 0.3."""

    def circle(third):
        return transitions(
            [final(0.0), moves([(1, 0.1, 2)], [(1, 0, 0)]), moves([(1, 0.2, 1)] if third else [(1, -0.1, 1)])]
        )

    part = one_side(circle(False), [0.0, 0.1, 0.0])
    assert bound_from_above(part, claimed([0.1, 0.1], (0.0, -0.1), rise=(1e-9, 1e-9)), 1.0) is not None
    for off in (math.nextafter(-0.1, 0.0), math.nextafter(-0.1, -1.0)):
        assert bound_from_above(part, claimed([0.1, 0.1], (0.0, off), rise=(1e-9, 1e-9)), 1.0) is None
    part = one_side(circle(True), [0.0, 0.1, 0.0])
    assert bound_from_above(part, claimed([1.0, 1.0], (0.0, -0.1), rise=(1e-9, 1e-9)), 1.0) is None


def test_a_payoff_too_small_to_be_seen_in_a_sum_is_seen():
    """2^-60 a round piles up, though 1 + 2^-60 is 1 in floats."""
    batch = transitions([final(0.0), moves([(1, 2.0**-60, 2)], [(1, 0, 0)]), moves([(1, 0, 1)])])
    part = one_side(batch, [0.0, 1.0, 1.0])
    assert part.batch.payoff[0, 0] + 1.0 == 1.0
    assert bound_from_above(part, claimed([0.0, 0.0], (1.0, 1.0), rise=(1e-9, 1e-9)), 1.0) is None
    down = part._replace(batch=part.batch._replace(payoff=-part.batch.payoff))
    assert bound_from_above(down, claimed([0.0, 0.0], (1.0, 1.0), rise=(1e-9, 1e-9)), 1.0) is not None


def test_what_rounding_adds_to_a_claim_is_not_counted():
    """0.1 + 0.2 is more in floats than it is: who may leave for the float needs a rise by the difference."""
    leave = 0.1 + 0.2
    part = one_side(
        transitions([final(leave), moves([(1, 0.2, 2)], [(1, 0, 0)]), moves([(1, -0.2, 1)])]), [leave, leave, 0.1]
    )

    def claim(rise):
        return claimed([0.1, 0.1], (0.2, 0.0), rise=(rise, rise))

    smallest = least(lambda rise: bound_from_above(part, claim(rise), 1.0) is not None, 1.0)
    assert Fraction(0.1) + Fraction(0.2) < Fraction(leave) <= Fraction(0.1) + Fraction(0.2) + Fraction(smallest)
    assert smallest < 1e-14


def test_a_policy_that_rests_is_worth_nothing_elsewhere_it_is_not():
    """Payoff 1 of a policy that circles states 1 and 2; with the other action of state 1 it leaves, and is paid on the way."""
    batch = transitions(
        [final(0.0, 4.0), moves([(1, (0, 0), 2)], [(1, (0, 1), 0)]), moves([(1, (0, 0), 1)])], payoffs=2
    )
    value = np.array([[0.0, 4.0], [0.0, 0.5], [0.0, 0.0]])
    part = by_itself(batch, 1, 3, value, np.zeros((3, 2)), 1)
    error = np.empty(2)
    stays, leaves = np.array([0, 0]), np.array([1, 0])
    everywhere, nowhere = np.array([True, True]), np.array([False, False])
    assert accept_policy(part, stays, PolicyClaim(everywhere, np.zeros(2)), 1.0, error) and error.tolist() == [0.5, 0.0]
    assert not accept_policy(part, stays, PolicyClaim(np.array([True, False]), np.ones(2)), 1.0, error)
    assert error.tolist() == [np.inf, np.inf]
    assert not accept_policy(part, leaves, PolicyClaim(everywhere, np.zeros(2)), 1.0, error)
    assert not accept_policy(part, leaves, PolicyClaim(nowhere, np.array([4.49, 5.0])), 1.0, error)
    assert accept_policy(part, leaves, PolicyClaim(nowhere, np.array([4.51, 5.02])), 1.0, error)


# Both at once, and ways that are results of rounding ------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_the_best_reply_to_a_strategy_down_to_the_last_digit(seed):
    """States 0..2 are final; in state 3 both choose, and the strategies are any. The best replies are known exactly."""
    dice = np.random.default_rng(seed)
    pairs = [
        [
            (int(w), int(p), int(s))
            for w, p, s in zip(dice.integers(1, 9, 3), dice.integers(-3, 4, 3), range(3), strict=True)
        ]
        for _ in range(4)
    ]
    batch = transitions([final(float(x)) for x in dice.integers(-3, 4, 3)] + [moves(*pairs)])
    p, q = (np.array(x, float) / sum(x) for x in dice.integers(1, 9, (2, 2)))
    mixed = Mixed(np.array([0, 0, 0, 2], np.int32), *(np.array([0, 0, 0, 0, 2]) for _ in range(2)), p, q)
    worth = [
        sum(w * (x + Fraction(batch.final_payoff[s, 0])) for w, x, s in row) / sum(w for w, _, _ in row)
        for row in pairs
    ]
    exact_p, exact_q = ([Fraction(x) / sum(map(Fraction, mine)) for x in mine] for mine in (p, q))
    most = max(sum(worth[2 * a + b] * exact_q[b] for b in (0, 1)) for a in (0, 1))
    fewest = min(sum(worth[2 * a + b] * exact_p[a] for a in (0, 1)) for b in (0, 1))
    value = np.vstack([batch.final_payoff, [[float(most)]]])[[0, 1, 2, 4]]
    bounds = StrategiesCertifier(value, 1.0)
    bounds.certify(batch, np.arange(5), mixed)
    off = max(most - Fraction(value[3, 0]), Fraction(value[3, 0]) - fewest)
    assert off <= Fraction(bounds.error[3, 0])
    total, is_whole, longest = pair_ways(batch.outcome_start, batch.ways)
    left, node = deviations(batch, mixed, total), np.empty((8, 1))
    node[0::2], node[1::2] = value, -value
    known = node, np.full(8, -1, np.int32), np.zeros((8, 1))
    for i, gap in ((6, most - Fraction(value[3, 0])), (7, Fraction(value[3, 0]) - fewest)):
        smallest = least(
            lambda e, i=i: accepts(
                left, range(i, i + 1), known, 0, np.full((8, 1), e), blur=blur_of(is_whole, longest)
            ),
            bounds.error[3, 0],
        )
        assert gap <= Fraction(smallest)


@pytest.mark.parametrize("generally", [False, True])
def test_ways_that_may_be_off_widen_every_bound(generally):
    """State 1 is left for 0 or 1, in ways that may each be off by 1e-7: its value may be off by half of it."""
    batch = transitions([final(0.0), final(1.0), moves([(1, 0, 0), (1, 0, 1), (2, 0, 2)])])
    value, policy = np.array([[0.0], [1.0], [0.5]]), np.array([-1, -1, 0], np.int32)
    errors = []
    for blur in (0.0, 2e-7):
        bounds = Certifier(value, policy)
        bounds.certify(batch, np.array([0, 1, 2, 3]), blur)
        if generally:
            bounds.certify_generally(batch, 2, 3, blur)
        errors.append(bounds.error[2, 0])
    assert errors[0] < 1e-14
    assert 5e-8 <= errors[1] < 1e-6


def test_what_is_played_is_blurred_more_than_one_strategy():
    batch = transitions([final(0.0), final(1.0), moves([(0.1, 0, 0), (0.2, 0, 1)])])
    _, is_whole, longest = pair_ways(batch.outcome_start, batch.ways)
    assert chain_blur(batch) == 2 * blur_of(is_whole, longest) > 0


def test_what_is_no_probability_is_refused():
    batch = transitions([final(0.0), final(1.0), moves([(1, 0, 0)], [(1, 0, 1)])])
    mixed = Mixed(
        np.array([0, 0, 1], np.int32), np.array([0, 0, 0, 1]), np.array([0, 0, 0, 2]), np.ones(1), np.array([2.0, -1.0])
    )
    with pytest.raises(Uncertified, match="no probabilities"):
        StrategiesCertifier(np.zeros((3, 1)), 1.0).certify(batch, np.arange(4), mixed)


# What is not looked at is not known -----------------------------------------------------------------------------------


@pytest.mark.parametrize("policy", [2, -1, 9])
def test_a_policy_that_chooses_nothing_bounds_from_both_sides_nowhere(policy):
    """The minimiser may pay 0 or 5. With no row of the policy's, nothing would say that 5 is too much."""
    batch = transitions([final(0.0), moves([(1, 0, 0)], [(1, 5, 0)], player=1)])
    with pytest.raises(Uncertified, match="not chosen an action"):
        certified(batch, [0, 1, 2], np.array([[0.0], [-9.0]]), np.array([-1, policy], np.int32))


@pytest.mark.filterwarnings("ignore:invalid value")
def test_a_state_that_has_not_been_bounded_is_not_exact():
    """State 1 leads to state 2, which comes later: nothing is known of it."""
    batch = transitions([final(0.0), moves([(1, 0, 2)]), moves([(1, 1, 0)])])
    with pytest.raises(Uncertified):
        certified(batch, [0, 1, 2, 3], np.array([[0.0], [1.0], [1.0]]), np.array([-1, 0, 0], np.int32))


# Results --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "distance"),
    [
        ([1, -1, 1, 0], [0, 1, 2, -1]),
        ([-1, -1, 1, 0], [0, 1, 2, -1]),
        ([-1, 1, -1, 0], [0, 1, 2, -1]),
        ([-1, 1, 1, 0], [0, 1, 1, -1]),
        ([-1, 1, 0, 0], [0, 1, -1, -1]),
        ([-1, 1, 0, 1], [0, 1, -1, 2]),
        ([-1, 1, 0, 0], [0, 2, -1, -1]),
        ([-1, 1, 0, 0], [0, 1, -1, 5]),
    ],
)
def test_results_that_do_not_follow_are_refused(result, distance):
    """State 0 is lost for who is to move, state 1 leads there, states 2 and 3 to one another and 2 to state 1 as well."""
    batch = transitions(
        [final(-1.0), moves([(1, 0, 0, -1)]), moves([(1, 0, 1, -1)], [(1, 0, 3, -1)]), moves([(1, 0, 2, -1)])]
    )
    sign = np.full(4, -1, np.int8)
    right = [-1, 1, 0, 0], [0, 1, -1, -1]
    claim = np.array(result, np.int8), np.array(distance, np.int32)
    if (result, distance) == right:
        assert proven(batch, sign, *claim)[1].tolist() == [[0.0]] * 4
    else:
        with pytest.raises(AssertionError, match="the proof of state"):
            proven(batch, sign, *claim)
    assert mover_signs(batch).shape == (4,)
