"""Rows that are equally good without a calculation: they pay the same and lead to equal values with equal probabilities.

Where best actions are ties, nearly all comparisons in rationals are of such rows. They are found for all rows at once, in arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from flint import fmpq

from zermelo.methods.rational_matrix import pieces
from zermelo.problem.transitions import Transitions
from zermelo.solvers.rational_values import ExactValues

SAFE = 2.0**62  # sums of whole numbers below this fit into machine words


class Names:
    """A number for each state, the same for states whose payoffs 0 are equal; the values must not change."""

    def __init__(self, values: ExactValues):
        self._values, self._known = values, dict[Any, int]()

    def of(self, states: np.ndarray) -> np.ndarray:
        """int64[len(states)]"""
        distinct, place = np.unique(states, return_inverse=True)
        values, known = self._values, self._known
        pairs = zip(values.numerator[distinct, 0].tolist(), values.denominator[distinct, 0].tolist(), strict=True)
        named = [
            known.setdefault(pair if pair[1] else fmpq(*values.ratios(state)[0]), len(known))
            for state, pair in zip(distinct.tolist(), pairs, strict=True)
        ]
        return np.array(named, np.int64)[place]


def alike(
    batch: Transitions, ways: np.ndarray, payoff: np.ndarray, rows: np.ndarray, others: np.ndarray, names: Names
) -> np.ndarray:
    """bool[k]: whether row rows[k] is like row others[k]. ways : whole numbers [outcomes], in the proportions of `batch.ways`.
    payoff : whole numbers [outcomes], payoff 0 in some unit."""
    if not rows.size:
        return np.empty(0, bool)
    distinct, place = np.unique(np.concatenate([rows, others]), return_inverse=True)
    first, name, share, gain = _profiles(batch, ways, payoff, distinct, names)
    left, right = place[: len(rows)], place[len(rows) :]
    length = np.diff(first)
    same = (gain[left] == gain[right]) & (length[left] == length[right])
    left, right = left[same], right[same]
    pair, a = pieces(first[left], first[left + 1])
    _, b = pieces(first[right], first[right + 1])
    differs = (name[a] != name[b]) | (share[a] != share[b])
    same[same] = np.bincount(pair[differs], minlength=len(left)) == 0
    return same


def _profiles(
    batch: Transitions, ways: np.ndarray, payoff: np.ndarray, rows: np.ndarray, names: Names
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(first, name, share, gain): row k pays gain[k] and leads to values of the names name[first[k] : first[k + 1]], with ways `share`; all
    in proportion, in the least whole numbers. The names are sorted; of a value that is passed they are odd, else even."""
    row, outcome = pieces(batch.outcome_start[rows], batch.outcome_start[rows + 1])
    happens = ways[outcome] != 0
    row, outcome = row[happens], outcome[happens]
    weight, paid = ways[outcome], payoff[outcome]
    if int(np.abs(weight).max(initial=0)) * max(1, int(np.abs(paid).max(initial=0))) * len(outcome) >= SAFE:
        weight, paid = weight.astype(object), paid.astype(object)
    name = 2 * names.of(batch.next[outcome]) + (batch.sign[outcome] < 0)
    order = np.lexsort((name, row))
    row, name, weight, paid = row[order], name[order], weight[order], paid[order]
    gain = np.add.reduceat(weight * paid, np.flatnonzero(np.diff(row, prepend=-1)))
    begin = np.flatnonzero((np.diff(row, prepend=-1) != 0) | (np.diff(name, prepend=-1) != 0))
    share, row, name = np.add.reduceat(weight, begin), row[begin], name[begin]
    first = np.searchsorted(row, np.arange(len(rows) + 1))
    common = np.gcd(np.gcd.reduceat(share, first[:-1]), np.abs(gain))
    return first, name, share // common[row], gain // common
