"""Exact values in machine words, against Fractions: backward induction by recursion, comparisons at the limits of a word."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from test_exact import exactly
from test_solvers import final, moves, transitions
from zermelo.kernels.kernel import TIERS, only
from zermelo.kernels.rational_words import MOST, is_less
from zermelo.solvers import rational
from zermelo.solvers.rational_values import ExactValues


def recursion(states, discount=1):
    """The value of every state of an acyclic game, as its definition says."""
    found = []
    for player, payoffs, rows in states:
        if payoffs is not None:
            found.append(Fraction(payoffs[0]))
            continue
        worths = [worth(row, found, discount) for row in rows]
        found.append(min(worths) if player else max(worths))
    return found


def worth(row, values, discount=1):
    """The mean of a row's outcomes, with these values of the states."""
    total = sum(Fraction(o[0]) * (Fraction(str(o[1])) + Fraction(discount) * (o[3] if len(o) > 3 else 1) * values[o[2]]) for o in row)
    return total / sum(Fraction(o[0]) for o in row)


def random_states(seed, size, largest, paid):
    """Acyclic, of both players, with PASS; numerators grow until they leave the words, and may come back."""
    rng = np.random.default_rng(seed)
    states = [final(float(rng.integers(-3, 4))), final(1.0), final(0.0)]
    for i in range(3, size):
        rows = []
        for _ in range(int(rng.integers(1, 4))):
            row = []
            for _ in range(int(rng.integers(1, 5))):
                pay = float(rng.integers(-4, 5)) / (10 if paid == "decimals" else 1) if paid else 0.0
                following = max(0, i - 1 - int(rng.integers(0, 6))) if rng.random() < 0.8 else int(rng.integers(0, 3))
                row.append((int(rng.integers(0, largest)) + (not row), pay, following, 1 if rng.random() < 0.8 else -1))
            rows.append(row)
        if rng.random() < 0.3:  # the same again, for ties
            rows.append(list(rows[0]))
        states.append(moves(*rows, player=int(rng.integers(2))))
    return states


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("largest", [2, 10, 10**6, 10**15])
@pytest.mark.parametrize("paid", ["", "whole", "decimals"])
def test_words_and_long_integers_agree_with_recursion(tier, largest, paid):
    for seed in range(4):
        states = random_states(seed, 60, largest, paid)
        batch = transitions(states)
        with only(tier):
            values, policy = exactly(batch, range(len(states) + 1))
        assert values == recursion(states)
        for i, (_, payoffs, rows) in enumerate(states):
            if payoffs is None:  # the chosen row is worth the value
                assert worth(rows[policy[i]], values) == values[i]


def test_a_discount_is_a_decimal():
    states = random_states(3, 40, 10, "whole")
    batch = transitions(states)
    assert exactly(batch, range(len(states) + 1), None, 0.9)[0] == recursion(states, Fraction(9, 10))


def test_what_words_hold_is_not_solved_in_long_integers(monkeypatch):
    def refuse(self, low, high):
        raise AssertionError(low, high)

    monkeypatch.setattr(rational._Exact, "settle", refuse)
    states = random_states(1, 30, 3, "")
    batch = transitions(states)
    assert exactly(batch, range(len(states) + 1))[0] == recursion(states)


whole = st.integers(1 - MOST, MOST - 1)
positive = st.integers(1, MOST - 1)


@given(whole, positive, whole, positive, st.booleans())
@settings(deadline=None)
def test_fractions_are_compared_without_overflow(p, q, r, s, near):
    if near:  # neighbours, as far apart as 1 / (q s)
        r, s = p - (p > 0) + (p < 0), q
    with only("interpreted"):
        assert is_less.interpreted(p, q, r, s) == (Fraction(p, q) < Fraction(r, s))


def test_long_and_short_numbers_are_kept():
    values = ExactValues(3, 2)
    long = Fraction(3**100, 2**200 + 1), Fraction(-1, 3)
    for state, numbers in enumerate([long, (Fraction(1, 2), Fraction(0)), (Fraction(5), Fraction(MOST - 1, MOST - 2))]):
        values.put(state, tuple((rational.fmpz(2 * v.numerator), rational.fmpz(2 * v.denominator)) for v in numbers))
    assert [values[i] for i in range(3)] == [long, (Fraction(1, 2), 0), (5, Fraction(MOST - 1, MOST - 2))]
    assert values.denominator[:, 0].tolist() == [0, 2, 1]
    assert values.floats(np.array([0, 1, 2])).tolist() == [float(long[0]), 0.5, 5.0]
    values.put(0, ((rational.fmpz(1), rational.fmpz(4)), (rational.fmpz(0), rational.fmpz(1))))
    assert values[0] == (Fraction(1, 4), 0)
