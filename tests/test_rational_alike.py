"""Rows that are equally good without a calculation, against their definition in Fractions."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from test_solvers import final, moves, transitions
from zermelo.solvers import rational
from zermelo.solvers.rational_alike import Names, alike
from zermelo.solvers.rational_values import ExactValues

LONG = Fraction(3**90, 2**150 + 1)


def profile(batch, ways, payoff, values, row):
    """What the row pays on average, and the probability of each value, passed or not."""
    outs = range(int(batch.outcome_start[row]), int(batch.outcome_start[row + 1]))
    total = sum(int(ways[o]) for o in outs)
    chances = Counter()
    for o in outs:
        if ways[o]:
            chances[values[batch.next[o]][0], int(batch.sign[o])] += Fraction(int(ways[o]), total)
    return sum(Fraction(int(ways[o]) * int(payoff[o]), total) for o in outs), chances


@pytest.mark.parametrize("largest", [3, 2**52, 2**70])
def test_alike_as_defined(largest):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        states = [final() for _ in range(6)]
        for _ in range(12):
            row = [(int(rng.integers(0, 3)) + (k == 0), float(rng.integers(0, 2)), int(rng.integers(6)), int(rng.choice([1, -1])))
                   for k in range(int(rng.integers(1, 4)))]  # fmt: skip
            doubled = [(2 * w, *rest) for w, *rest in reversed(row)]
            states.append(moves(row, doubled, row[:1]))
        batch = transitions(states)
        scale = largest // 8 if largest > 8 else 1
        ways = np.array([int(w) * scale for w in batch.ways.tolist()], object if largest > 2**62 else np.int64)
        payoff = batch.payoff[:, 0].astype(np.int64)
        values = ExactValues(len(states), 1)
        for i in range(len(states)):
            v = [Fraction(0), Fraction(1, 2), LONG, LONG, Fraction(1, 2), Fraction(-1)][i % 6]
            values.put(i, ((rational.fmpz(2 * v.numerator), rational.fmpz(2 * v.denominator)),))
        rows = rng.integers(0, 36, 80)
        others = np.where(rng.random(80) < 0.5, 3 * (rows // 3) + rng.integers(0, 3, 80), rng.integers(0, 36, 80))
        found = alike(batch, ways, payoff, rows, others, Names(values))
        known = [profile(batch, ways, payoff, values, row) for row in range(36)]
        wanted = [known[a] == known[b] for a, b in zip(rows, others, strict=True)]
        assert found.tolist() == wanted
        assert 0 < sum(wanted) < 80


def test_no_rows():
    batch = transitions([final()])
    none = np.empty(0, np.int64)
    assert alike(batch, none, none, none, none, Names(ExactValues(1, 1))).size == 0
