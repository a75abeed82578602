"""Exact values of games in which both choose at once and play never returns to a state: backward induction in rationals.

    v(s) = value of the matrix  E(payoff + v(next))  over the pairs of actions of s

Each matrix is solved in rationals, and its value proven (exact.py). Where play can return to a state, values need not be rational:
they are roots of polynomials.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.basics.numbers import written
from zermelo.basics.progress import Progress
from zermelo.matrix.equilibrium import equilibrium
from zermelo.matrix.exact import Equilibrium
from zermelo.problem.transitions import Transitions


class Explored(Protocol):
    """What is needed of an explored game (explore.py)."""

    @property
    def num_states(self) -> int: ...
    @property
    def num_payoffs(self) -> int: ...
    def batches(self) -> Iterator[tuple[Transitions, np.ndarray]]: ...
    def widths(self, low: int, high: int) -> np.ndarray: ...


class Exact(NamedTuple):
    """A row of a batch, exactly: the chance of each outcome, and what it pays and leads to."""

    chances: list[Fraction]
    payoffs: list[tuple[Fraction, ...]]
    next: list[int]
    signs: list[int]


def solve_by_state(explored: Explored, discount: float, progress: Progress) -> Sequence[tuple[Fraction, ...]]:
    """The payoffs of every state, by number. Payoff 0 is the value; the others follow under the strategies found."""
    values: list[tuple[Fraction, ...]] = []
    share = written(discount)
    for batch, _ in explored.batches():
        width = explored.widths(batch.low, batch.high)
        for state in range(batch.low, batch.high):
            values.append(_state(batch, state, int(width[state - batch.low]), values, share))
        progress("solving in rationals", batch.high, explored.num_states)
    return values


def _state(
    batch: Transitions, state: int, width: int, values: list[tuple[Fraction, ...]], discount: Fraction
) -> tuple[Fraction, ...]:
    i = state - batch.low
    rows = range(int(batch.action_start[i]), int(batch.action_start[i + 1]))
    if not rows:
        return tuple(written(float(x)) for x in batch.final_payoff[i])
    others = len(rows) // width
    worth = [_worth(_row(batch, row), values, discount) for row in rows]
    table = [[worth[a * others + b][0] for b in range(others)] for a in range(width)]
    found = equilibrium(table) if len(rows) > 1 else None
    if found is None:
        return worth[0]
    return (found.value, *(_mixed(found, worth, others, j) for j in range(1, len(worth[0]))))


def _mixed(found: Equilibrium, worth: list[tuple[Fraction, ...]], others: int, j: int) -> Fraction:
    """Payoff j under both strategies."""
    pairs = ((a, b, p * q) for a, p in found.p.items() for b, q in found.q.items())
    return sum((share * worth[a * others + b][j] for a, b, share in pairs), Fraction(0))


def _row(batch: Transitions, row: int) -> Exact:
    span = slice(int(batch.outcome_start[row]), int(batch.outcome_start[row + 1]))
    ways = [written(float(w)) for w in batch.ways[span]]
    total = sum(ways)
    payoffs = [tuple(written(float(x)) for x in paid) for paid in batch.payoff[span]]
    return Exact([w / total for w in ways], payoffs, batch.next[span].tolist(), batch.sign[span].tolist())


def _worth(row: Exact, values: list[tuple[Fraction, ...]], discount: Fraction) -> tuple[Fraction, ...]:
    worth = [Fraction(0)] * len(row.payoffs[0])
    for chance, paid, after, sign in zip(*row, strict=True):
        for j, amount in enumerate(paid):
            worth[j] += chance * (amount + sign * discount * values[after][j])
    return tuple(worth)
