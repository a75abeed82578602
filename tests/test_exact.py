"""Exact values: proven against the oracle of test_solvers.py, from good policies and from bad ones, and refused where they can't be.

Each small game below was once solved wrongly, or refused though it has a value.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from test_solvers import KINDS, final, moves, random_game, transitions, worths
from zermelo.basics.numbers import written
from zermelo.certificates.certify import Certifier
from zermelo.errors import OutOfReach
from zermelo.methods import cyclic
from zermelo.methods.rational_matrix import Column
from zermelo.problem.solver import NotConverged, Result, Unbounded, Uncertified, Unproven
from zermelo.problem.transitions import Transitions
from zermelo.solvers import rational
from zermelo.solvers.rational import solve_exactly

A, B, C, D = 225437260, 946885253, 170551163, 716351774  # A / B - C / D is 1 / (B D), too small for floats to see


class Problem(NamedTuple):
    """One batch as a whole game."""

    batch: Transitions
    components: np.ndarray

    @property
    def num_states(self):
        return self.batch.high

    @property
    def num_payoffs(self):
        return self.batch.payoff.shape[1]

    def batches(self):
        yield self.batch, self.components


def in_floats(batch, components):
    n, payoffs = batch.high, batch.payoff.shape[1]
    value, policy = np.zeros((n, payoffs)), np.full(n, -1, np.int32)
    bounds = Certifier(value, policy)
    cyclic.solve(batch, components, value, policy)
    bounds.certify(batch, components)
    return Result(value, policy, bounds.error, None, "certified")


def by(policy, batch):
    """A policy that nothing is known about."""
    return np.array(policy, np.int32)


def exactly(batch, components, start=None, discount=1.0):
    """Values and policy; the values as floats are right, too."""
    problem = Problem(batch, np.array(components, np.int64))
    values, proven = solve_exactly(problem, discount, lambda *_: None, start)
    for v, x, e in zip(values, proven.value, proven.error, strict=True):
        assert all(abs(a - Fraction(b)) <= Fraction(c) <= abs(a) / 2**49 for a, b, c in zip(v, x.tolist(), e.tolist(), strict=True))
    return [v[0] for v in values], proven.policy.tolist()


# Where play may circle ------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    at: int


class Tiny(NamedTuple):
    """At 5 leave to a fair draw of A / B and -C / D or go to 4, which leads back or pays 1; negated for the maximiser."""

    who: int

    def start(self):
        return Place(4)

    def player(self, s):
        return self.who

    def actions(self, s):
        if s.at > 0:
            yield 0
            if s.at >= 4:
                yield 1

    def outcomes(self, s, action):
        win = 1 if self.who == 1 else -1
        if s.at == 1:
            yield A, win, Place(0)
            yield B - A, 0, Place(0)
        elif s.at == 2:
            yield C, -win, Place(0)
            yield D - C, 0, Place(0)
        elif s.at == 3:
            yield 1, 0, Place(1)
            yield 1, 0, Place(2)
        elif s.at == 4 and action == 0:
            yield 1, 0, Place(5)
        elif s.at == 4:
            yield 1, win, Place(0)
        elif action == 0:
            yield 1, 0, Place(3)
        else:
            yield 1, 0, Place(4)


@pytest.mark.parametrize("who", [0, 1])
def test_circling_beats_a_loss_that_floats_cannot_see(who):
    solution = zermelo.solve(Tiny(who), exact=True)
    assert solution.value == 0
    assert solution.probe(Place(5)).action == 1
    assert solution.probe(Place(3)).value == Fraction(1 if who == 1 else -1, 2 * B * D)


@pytest.mark.parametrize("side", [1, -1])
def test_the_seat_that_passes_may_circle_too(side):
    """State 1 leaves for a loss or passes to 2, where the other seat keeps passing back: 0."""
    batch = transitions(
        [final(-1.0 * side), moves([(1, 0, 0)], [(1, 0, 2, -1)], player=int(side < 0)), moves([(1, 0, 1, -1)])]
    )
    assert exactly(batch, [0, 1, 3], by([-1, 0, 0], batch)) == ([-side, 0, 0], [-1, 1, 0])


@pytest.mark.parametrize("side", [1, -1])
def test_the_seat_that_is_passed_to_may_circle_too(side):
    """The same with the states in the other order: 1 passes to 2, which leaves for a loss or passes back."""
    who = int(side < 0)
    batch = transitions(
        [final(-1.0 * side), moves([(1, 0, 2, -1)], player=who), moves([(1, 0, 0)], [(1, 0, 1, -1)], player=who)]
    )
    assert exactly(batch, [0, 1, 3], by([-1, 0, 0], batch)) == ([-side, 0, 0], [-1, 0, 1])


def test_a_player_circles_only_as_long_as_the_opponent_does():
    """The maximiser would circle through 2, but there the minimiser leaves."""
    batch = transitions(
        [
            final(-1.0),
            final(-2.0),
            moves([(1, 0, 0)], [(1, 0, 3)]),
            moves([(1, 0, 2)], [(1, 0, 1)], player=1),
        ]
    )
    values = [-1, -2, -1, -2]
    assert exactly(batch, [0, 1, 2, 4], by([-1, -1, 0, 0], batch)) == (values, [-1, -1, 0, 1])


def test_circling_with_payoffs_that_cancel_is_no_worse_than_leaving():
    """1 and 2 may circle: +1, -1, +1 ... That is never more than 1 in all, and leaving pays 3."""
    batch = transitions([final(3.0), moves([(1, 0, 0)], [(1, 1, 2)]), moves([(1, -1, 1)])])
    assert exactly(batch, [0, 1, 3])[0] == [3, 3, 2]


def test_circling_with_payoffs_that_never_settle_is_refused():
    """Now leaving costs 3: circling between 0 and 1 is better, but no policy that comes to an end is worth that."""
    batch = transitions([final(-3.0), moves([(1, 0, 0)], [(1, 1, 2)]), moves([(1, -1, 1)])])
    with pytest.raises(Unproven, match="never settle"):
        exactly(batch, [0, 1, 3], by([-1, 0, 0], batch))


@pytest.mark.parametrize("policy", [None, *itertools.product((-1,), (-1,), (0, 1), (0, 1))])
def test_who_could_cycle_with_an_opponent_who_has_ties_leaves(policy):
    """Leaving and being paid 1, or paying it back, are as good, and nobody can cycle alone. Which of them is chosen decides whether the
    proof succeeds: with the policy that floats find it did not, though it did where PASS says whose move it is."""
    exits = [final(0.5), final(-0.5)]
    batch = transitions([*exits, moves([(1, 0, 0)], [(1, 1, 3)]), moves([(1, 0, 1)], [(1, -1, 2)], player=1)])
    start = None if policy is None else by(policy, batch)
    half = Fraction(1, 2)
    if policy != (-1, -1, 1, 1):  # which has no value
        assert exactly(batch, [0, 1, 2, 4], start) == ([half, -half, half, -half], [-1, -1, 0, 0])
    passing = transitions([final(0.5), moves([(1, 0, 0)], [(1, 1, 1, -1)])])
    assert exactly(passing, [0, 1, 2]) == ([half, half], [-1, 0])


def test_betting_for_ever_is_refused():
    """1 leaves for 3 or bets: by v = 3 both are as good, but what is won by fair bets forever has no limit."""
    batch = transitions([final(3.0), moves([(1, 0, 0)], [(1, 1, 1), (1, -1, 1)])])
    with pytest.raises(Unproven, match="never settle"):
        exactly(batch, [0, 1, 2], by([-1, 0], batch))


def test_resting_inside_a_circle_with_payoffs_is_found():
    """1 may rest, which beats leaving for -3; by 2 it could also circle for +1 and then -2."""
    batch = transitions([final(-3.0), moves([(1, 0, 0)], [(1, 1, 2)], [(1, 0, 1)]), moves([(1, -2, 1)])])
    assert exactly(batch, [0, 1, 3], by([-1, 0, 0], batch)) == ([-3, 0, -2], [-1, 2, 0])


def test_paid_once_and_then_at_rest():
    """0 pays 1 and leads to 1, which may rest forever."""
    batch = transitions([moves([(1, 1, 1)]), moves([(1, 0, 1)], [(1, -5, 0)])])
    assert exactly(batch, [0, 2]) == ([1, 0], [0, 0])


def test_paid_for_ever_has_no_value():
    batch = transitions([moves([(1, 1, 1)]), moves([(1, 0, 0)])])
    with pytest.raises(Unbounded, match="adds up without end"):
        exactly(batch, [0, 2], by([0, 0], batch))


def test_outcomes_with_no_ways_never_happen():
    """Neither do they leave, nor pay, nor return."""
    batch = transitions(
        [
            final(1.0),
            moves([(1, 0, 2), (0, 5, 0)], [(1, 0, 0), (0, 1, 0)]),
            moves([(1, 0, 1), (0, 0, 0)], [(0, 7, 2), (1, 0, 2)]),
            moves([(0, 1, 3), (2, 0, 0)]),
        ]
    )
    assert exactly(batch, [0, 1, 3, 4], by([-1, 0, 0, 0], batch))[0] == [1, 1, 1, 1]


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(KINDS), st.sampled_from([0.3, 0.7, 1.0]))
def test_games_that_may_circle_are_proven_or_refused(seed, kind, free):
    players, passes = kind
    batch, components = random_game(seed, 3 if passes else 4, players, passes, free=free)
    bounds, clear = worths(batch)
    rng = np.random.default_rng(seed)
    rows = np.diff(batch.action_start)
    starts = [by([int(rng.integers(k)) if k else -1 for k in rows], batch) for _ in range(4)]
    try:
        in_floats(batch, np.array(components))
    except (Unbounded, Uncertified):
        assert not clear
    for start in [*starts, None]:
        try:
            values, _ = exactly(batch, components, start)
        except (Unbounded, Unproven, OutOfReach):
            assert not clear
            continue
        assert all(low <= value <= high for value, (low, high) in zip(values, bounds, strict=True))


# Numbers --------------------------------------------------------------------------------------------------------------


class Numbers(NamedTuple):
    """One turn: some ways to the payoff, others to nothing, others to pass to oneself."""

    ways: float = 1
    pay: float = 1
    others: float = 1
    passes: float = 0

    def start(self):
        return Place(0)

    def outcomes(self, s):
        if s.at == 0:
            yield self.ways, self.pay, Place(1)
            yield self.others, 0, Place(1)
            yield self.passes, 0, Place(0), -1


@pytest.mark.parametrize(
    "game",
    [
        Numbers(ways=2**53 + 1, others=2**53 - 1),
        Numbers(ways=2**61, others=2**61),
        Numbers(ways=2**60, passes=2**62),
        Numbers(pay=2**53 + 1),
        Numbers(pay=-(2**53) - 1),
    ],
)
@pytest.mark.parametrize("discount", [1.0, 0.5])
def test_whole_numbers_that_floats_skip_are_refused(game, discount):
    with pytest.raises(OutOfReach, match="divide the ways"):
        zermelo.solve(game, exact=True, discount=discount)


def test_final_payoffs_that_floats_skip_are_refused():
    batch = transitions([final(2.0**53), moves([(1, 0, 0)])])
    with pytest.raises(OutOfReach, match="2\\^53"):
        exactly(batch, [0, 1, 2], by([-1, 0], batch))


@pytest.mark.parametrize("number", [2**53, -(2**53), 1e300, math.inf, math.nan, Fraction(2**54, 1)])
def test_numbers_that_are_too_large(number):
    with pytest.raises(OutOfReach, match="2\\^53"):
        written(number)


@pytest.mark.parametrize("number, meant", [(2**53 - 1, 2**53 - 1), (0.1, Fraction(1, 10)), (-2.5, Fraction(-5, 2))])
def test_numbers_as_they_are_meant(number, meant):
    assert written(number) == meant


@pytest.mark.parametrize("discount", [Fraction(1), Fraction(1, 2), Fraction(999999, 1000000)])
@pytest.mark.parametrize("common", [1, 2**20])
def test_ways_of_any_length(discount, common):
    """Sums of ways beyond machine integers, with and without a common factor."""
    a, b, c = ((2**53 // common - k) * common for k in (1, 3, 5))
    game = Numbers(ways=a, others=b, passes=c)
    assert zermelo.solve(game, exact=True, discount=float(discount)).value == Fraction(a) / (a + b + c + c * discount)


def test_ways_of_very_different_lengths():
    """Decimals that need a common denominator of 10^12: row by row they are too long for machine integers."""
    game = Numbers(ways=1e-12, others=4e15, passes=4e15)
    assert zermelo.solve(game, exact=True).value == Fraction(1, 1 + 12 * 10**27)


class Draw(NamedTuple):
    def start(self):
        return Place(0)

    def actions(self, s):
        if s.at == 0:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s, action):
        if action == 0:
            yield 0.1, 0.1, Place(1)
            yield 0.2, 0.2, Place(1)
        elif action == 1:
            yield 1, 0.1, Place(1)
        else:
            yield 3, 0, Place(1)


def test_a_probe_reads_decimals_as_they_are_meant():
    values = zermelo.solve(Draw(), exact=True).probe(Place(0)).actions
    assert values == {0: Fraction(1, 6), 1: Fraction(1, 10), 2: 0}
    assert all(type(v) is Fraction for v in values.values())


class Take(NamedTuple):
    """Take 1 or 2 of 4; who takes the last one wins. Ways don't matter where there is one outcome."""

    def start(self):
        return Place(4)

    def actions(self, s):
        if s.at > 0:
            yield 1
            if s.at > 1:
                yield 2

    def outcomes(self, s, action):
        yield 1 / 3, 0, Place(s.at - action), -1

    def payoff(self, s):
        return -1


def test_a_probe_ignores_the_ways_of_a_certain_outcome():
    assert zermelo.solve(Take(), exact=True).probe(Place(4)).actions == {1: 1, 2: -1}


# The net --------------------------------------------------------------------------------------------------------------


def test_a_wrong_exact_value_is_noticed(monkeypatch):
    """As if the solution of the linear system were off by a billionth."""
    batch = transitions([final(1.0), moves([(1, 0, 0), (2, 0, 1)])])
    assert exactly(batch, [0, 1, 2])[0] == [1, 1]
    right = rational.solve

    def wrong(*given):
        return [Column([x * 10**9 + 1 for x in c.numerator], c.denominator * 10**9) for c in right(*given)]

    monkeypatch.setattr(rational, "solve", wrong)
    with pytest.raises(OutOfReach, match="state number 1 .*isn't that of what follows.*one of them is wrong; please report"):
        exactly(batch, [0, 1, 2])


def test_a_better_action_is_noticed(monkeypatch):
    """As if a comparison in rationals had been forgotten."""
    batch = transitions([final(1.0), moves([(1, 0, 0), (2, 0, 1)], [(1, 1, 0), (2, 0, 1)])])
    assert exactly(batch, [0, 1, 2], by([-1, 0], batch))[0] == [1, 2]
    monkeypatch.setattr(rational._Exact, "_improve", lambda *_: False)
    monkeypatch.setattr(rational._Exact, "_stay", lambda *_: False)
    with pytest.raises(OutOfReach, match="please report"):
        exactly(batch, [0, 1, 2], by([-1, 0], batch))


@pytest.mark.parametrize("number, told", [(1 - 0.95, r"\(0.05 but"), (0.1 * 3, r"\(0.3 but"), (100 * 0.07, r"\(7 but"), (1 / 3, "neith")])
def test_sums_of_decimals_are_told_what_they_would_be(number, told):
    with pytest.raises(OutOfReach, match=told):
        written(number)


class Uneven(NamedTuple):
    """One of three things that are no decimals."""

    ways: float = 0.5
    pay: float = 1.0
    end: float = 1.0

    def start(self):
        return Place(2)

    def actions(self, s):
        if s.at > 0:
            yield 7

    def outcomes(self, s, action):
        yield self.ways if s.at == 1 else 0.5, self.pay if s.at == 1 else 1, Place(s.at - 1)
        yield 0.5, 0, Place(0)

    def payoff(self, s):
        return self.end


@pytest.mark.parametrize(
    "changed, told",
    [
        ({"ways": 1 / 3}, r"; it is among the ways at Place\(at=1\), action 7$"),
        ({"pay": 1 / 3}, r"; it is a payoff at Place\(at=1\), action 7$"),
        ({"end": 1 / 3}, r"; it is a payoff at Place\(at=0\)$"),
    ],
)
def test_what_is_no_decimal_is_found_in_the_rules(changed, told):
    with pytest.raises(OutOfReach, match=told):
        zermelo.solve(Uneven(**changed), exact=True)


def test_decimals_are_read_as_they_are_written():
    """1/10 isn't the float 0.1."""
    batch = transitions([final(0.1), moves([(1, 0, 0)])])
    assert exactly(batch, [0, 1, 2])[0] == [Fraction(1, 10)] * 2


class Tithe(NamedTuple):
    """One payment or another, again and again."""

    paid: float

    def start(self):
        return Place(1)

    def outcomes(self, s):
        if s.at == 1:
            yield 1, self.paid, Place(2)
            yield 1, 0, Place(0)
        elif s.at == 2:
            yield 1, 1, Place(1)


def test_decimals_that_are_longer_than_floats_are_large():
    """The whole numbers of a unit of 1e-324 were turned into floats."""
    assert zermelo.solve(Tithe(5e-324), exact=True).value == 1 + 5 / Fraction(10**324)
    late = 5 / Fraction(10**324)
    assert zermelo.solve(Tithe(1.0), exact=True, discount=5e-324).value == (1 + late) / (2 - late**2)


# Where floats certify nothing -----------------------------------------------------------------------------------------


class Haddad(NamedTuple):
    """A chain of Haddad and Monmege (2018): play lasts about 2^n moves, and ends at 0 with probability 7/10."""

    n: int

    def start(self):
        return Place(self.n)

    def outcomes(self, s):
        if s.at == self.n:
            yield 7, 0, Place(s.at - 1)
            yield 3, 0, Place(s.at + 1)
        elif 0 < s.at < 2 * self.n:
            yield 1, 0, Place(s.at - 1 if s.at < self.n else s.at + 1)
            yield 1, 0, Place(self.n)

    def payoff(self, s):
        return 1 if s.at == 0 else 0


@pytest.mark.parametrize("n", [20, 60, 300])
def test_play_that_outlasts_floats_is_solved_exactly(n):
    assert zermelo.solve(Haddad(n), exact=True).value == Fraction(7, 10)


def test_where_nobody_chooses_or_play_never_returns_floats_are_not_asked(monkeypatch):
    def refuse(*_):
        raise AssertionError("a solution in floats")

    monkeypatch.setattr(cyclic, "settle", refuse)
    monkeypatch.setattr(Certifier, "certify", refuse)
    assert zermelo.solve(Haddad(300), exact=True).value == Fraction(7, 10)
    assert zermelo.solve(Draw(), exact=True).value == Fraction(1, 6)


def strategies(batch, player):
    """Every way to choose a row in each state of the player, as {state: row}."""
    own = [i for i in range(batch.high) if batch.player[i] == player and batch.action_start[i] < batch.action_start[i + 1]]
    rows = [range(int(batch.action_start[i]), int(batch.action_start[i + 1])) for i in own]
    return [dict(zip(own, chosen, strict=True)) for chosen in itertools.product(*rows)]


def by_elimination(batch, chosen):
    """The values of a chain in which play ends surely, by Gauss-Jordan elimination in Fractions."""
    n = batch.high
    table = [[Fraction(int(i == j)) for j in range(n)] + [Fraction(batch.final_payoff[i, 0])] for i in range(n)]
    for i, row in chosen.items():
        outs = range(int(batch.outcome_start[row]), int(batch.outcome_start[row + 1]))
        total = sum(Fraction(batch.ways[o]) for o in outs)
        for o in outs:
            table[i][batch.next[o]] -= Fraction(batch.ways[o]) / total
            table[i][n] += Fraction(batch.ways[o]) * Fraction(batch.payoff[o, 0]) / total
    for k in range(n):
        pivot = next(r for r in range(k, n) if table[r][k])
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [x / table[k][k] for x in table[k]]
        for r, row in enumerate(table):
            if r != k and row[k]:
                table[r] = [x - row[k] * y for x, y in zip(row, table[k], strict=True)]
    return [row[n] for row in table]


@pytest.mark.parametrize("floats", ["as they are", "fail"])
@pytest.mark.parametrize("seed", range(6))
def test_a_cyclic_game_of_two_against_all_strategies(monkeypatch, seed, floats):
    """Every step is the last one with a chance of 1/7, so that every pair of strategies has values: the max of the min of them."""
    rng = np.random.default_rng(seed)
    states = [final(0.0)]
    for i in range(1, 7):
        rows = [
            [(1, float(rng.integers(-3, 4)), 0), (2, 0, 1 + i % 6), (4, float(rng.integers(-2, 3)), int(rng.integers(1, 7)))]
            for _ in range(2)
        ]
        states.append(moves(*rows, player=i % 2))
    batch = transitions(states)
    if floats == "fail":

        def fail(rows, finals, components, *_, **__):
            raise NotConverged(range(*components))

        monkeypatch.setattr(cyclic, "settle", fail)
    pairs = [[by_elimination(batch, own | other) for other in strategies(batch, 1)] for own in strategies(batch, 0)]
    wanted = [max(min(values[i] for values in row) for row in pairs) for i in range(7)]
    assert exactly(batch, [0, 1, 7])[0] == wanted


def test_play_that_outlasts_floats_is_not_said_to_go_on_for_ever():
    with pytest.raises(OutOfReach, match="play ends here with probability 1.*exact=True"):
        zermelo.solve(Haddad(60))


@pytest.mark.parametrize("seed, kind, states, free", [(67, (2, True), 12, 0.7), (319, (2, True), 13, 0.7), (22, (1, True), 12, 0.7),
                                                      (441, (2, False), 10, 0.3), (669, (2, False), 13, 0.3)])  # fmt: skip
def test_exact_values_do_not_depend_on_the_first_policy(seed, kind, states, free):
    """Games in which policies on the way have no value: from the first rows, from random ones, and from the solution in floats."""
    batch, components = random_game(seed, states, *kind, free=free)
    rng, rows = np.random.default_rng(seed), np.diff(batch.action_start)
    starts = [by([0 if k else -1 for k in rows], batch)]
    starts += [by([int(rng.integers(k)) if k else -1 for k in rows], batch) for _ in range(3)]
    wanted = exactly(batch, components)[0]
    assert all(exactly(batch, components, start)[0] == wanted for start in starts)


def test_what_was_solved_again_is_told():
    batch, components = random_game(669, 13, 2, free=0.3)
    start = by([0 if k else -1 for k in np.diff(batch.action_start)], batch)
    seen = []
    _, proven = solve_exactly(Problem(batch, np.array(components)), 1.0, lambda what, *_: seen.append(what), start)
    assert any("13 states in rationals again" in what for what in seen)
    assert proven.notes == (
        "policy iteration in rationals did not converge in 1 component (of up to 13 states), where the policy that is best with a "
        "discount close to 1 was used instead",
    )


# Two players who chase one another ------------------------------------------------------------------------------------


def chase(seed, states, both):
    """Every row stays with a good chance and else pays. PASS says who moves; with `both`, either of the two may come to move anywhere."""
    rng = np.random.default_rng(seed)
    found = [final()]
    for _ in range(states):
        rows = []
        for _ in range(2):
            stays, following = 1000 * int(rng.choice([50, 90, 95, 99])), int(rng.integers(1, states + 1))
            sign, paid = int(rng.choice([1, -1])), int(rng.integers(-3, 4) * rng.choice([1, 10, 100]))
            outs = [(stays, 0, following, sign), (100_000 - stays, paid, 0)]
            rows.append([*outs, (1, 0, following, -sign)] if both else outs)
        found.append(moves(*rows))
    start = by([-1, *rng.integers(0, 2, states).tolist()], transitions(found))
    return transitions(found), [0, 1, states + 1], start


@pytest.mark.parametrize("seed, states, both", [(272, 3, False), (215, 5, False), (61, 6, False), (272, 3, True), (135, 6, True)])
def test_players_who_pass_switch_in_turn(seed, states, both):
    """Games in which policies recur if both players switch at once: `player` does not say which of the two moves."""
    batch, components, start = chase(seed, states, both)
    values, _ = exactly(batch, components, start)
    floats = in_floats(batch, np.array(components))
    assert all(abs(v - Fraction(x)) <= Fraction(e) for v, x, e in zip(values, floats.value[:, 0], floats.error[:, 0], strict=True))


class Ruin(NamedTuple):
    """Toss a fair coin for one mark until all marks are won or lost."""

    marks: int

    def start(self):
        return Place(self.marks // 3)

    def actions(self, s):
        if 0 < s.at < self.marks:
            yield 0

    def outcomes(self, s, action):
        yield 1, 0, Place(s.at - 1)
        yield 1, s.at + 1 == self.marks, Place(s.at + 1)


def test_tens_of_thousands_of_unknowns_that_depend_on_one_another():
    """20,000 were the most."""
    assert zermelo.solve(Ruin(21_000), exact=True).value == Fraction(1, 3)
