"""Exact values of games in which both choose at once and play never returns to a state: backward induction in rationals.

    v(s) = value of the matrix  E(payoff + v(next))  over the pairs of actions of s

Each matrix is solved in rationals, and its value proven (exact.py). Where play can return to a state, values need not be rational:
they are roots of polynomials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.basics.numbers import written
from zermelo.basics.progress import Progress
from zermelo.errors import OutOfReach
from zermelo.matrix.equilibrium import equilibrium
from zermelo.matrix.exact import Equilibrium
from zermelo.problem.transitions import Transitions

MOST_BITS = 100_000  # of the numbers of an exact value: matrix games of longer ones take seconds each


class Explored(Protocol):
    """The parts of an explored game that are needed here (explore.py)."""

    @property
    def num_states(self) -> int: ...
    @property
    def num_payoffs(self) -> int: ...
    def batches(self) -> Iterator[tuple[Transitions, np.ndarray]]: ...
    def widths(self, low: int, high: int) -> np.ndarray: ...


class Exact(NamedTuple):
    """A row of a batch, exactly: the chance of each outcome, its payoffs and its next state."""

    chances: list[Fraction]
    payoffs: list[tuple[Fraction, ...]]
    next: list[int]
    signs: list[int]


class ByState(NamedTuple):
    """The answer to a game, exactly."""

    values: list[tuple[Fraction, ...]]  # by number; payoff 0 is the value; the others follow under the strategies found
    likeliest: list[int]  # the position of player 0's most probable action, the first of several; -1 where play is over


def solve_by_state(explored: Explored, discount: float, progress: Progress) -> ByState:
    """The payoffs of every state under optimal strategies."""
    found, share = ByState([], []), written(discount)
    for batch, _ in explored.batches():
        width = explored.widths(batch.low, batch.high)
        for state in range(batch.low, batch.high):
            values, likeliest = _state(batch, state, int(width[state - batch.low]), found.values, share)
            _check_length(values, state, explored.num_states)
            found.values.append(values)
            found.likeliest.append(likeliest)
        progress("solving in rationals", batch.high, explored.num_states)
    return found


def _check_length(values: tuple[Fraction, ...], done: int, states: int) -> None:
    """Raise `OutOfReach` if a value is too long: those of states that lead to it are several times as long."""
    if any(max(abs(v.numerator), v.denominator).bit_length() > MOST_BITS for v in values):
        raise OutOfReach(
            f"after {done:,} of {states:,} states an exact value has more than {MOST_BITS * 3 // 10:,} digits, and each moment before "
            "multiplies them: leave out exact=True for a certified interval"
        )


# --- under given strategies -------------------------------------------------------------------------------------------


Mixture = Sequence[Fraction]
Given = Mapping[int, Mixture] | None  # by state number, where there is more than one action; None: the optimal mixture


class Followed(NamedTuple):
    """The values of the states under given strategies."""

    values: list[tuple[Fraction, ...]]  # by number
    chosen: list[int]  # position of the answer among its player's actions; -1 where play is over, or if nobody answers


def follow_strategies(
    explored: Explored,
    optimal: Sequence[tuple[Fraction, ...]],
    given: tuple[Given, Given],
    answering: int | None,
    discount: float,
    progress: Progress,
) -> Followed:
    """The exact payoffs of every state if both players follow these strategies, or if the player `answering` plays a best response to the
    other player's strategy. A player without a given strategy (None) mixes optimally and, among all optimal mixtures of a state, chooses
    one that is best against the other player's strategy. `optimal`: the payoffs of every state under optimal play."""
    found, share = Followed([], []), written(discount)
    for batch, _ in explored.batches():
        width = explored.widths(batch.low, batch.high)
        for state in range(batch.low, batch.high):
            i = state - batch.low
            rows = [_row(batch, row) for row in range(int(batch.action_start[i]), int(batch.action_start[i + 1]))]
            if not rows:
                found.values.append(tuple(written(float(x)) for x in batch.final_payoff[i]))
                found.chosen.append(-1)
                continue
            shape = int(width[i]), len(rows) // int(width[i])
            worth = [_worth(row, found.values, share) for row in rows]
            mixtures = _mixtures(rows, shape, state, optimal, given, answering, share, worth)
            values, chosen = _replied(worth, shape, mixtures, answering)
            found.values.append(values)
            found.chosen.append(chosen)
        progress("solving in rationals", batch.high, explored.num_states)
    return found


def _mixtures(
    rows: list[Exact],
    shape: tuple[int, int],
    state: int,
    optimal: Sequence[tuple[Fraction, ...]],
    given: tuple[Given, Given],
    answering: int | None,
    discount: Fraction,
    worth: list[tuple[Fraction, ...]],
) -> list[Mixture]:
    """The mixtures that are played in a state; for the answering player, one that is not used. `worth`: of the pairs of actions."""
    mixtures: list[Mixture] = []
    for side, (fixed, count) in enumerate(zip(given, shape, strict=True)):
        if count == 1 or side == answering:
            mixtures.append([Fraction(1)] + [Fraction(0)] * (count - 1))
        elif fixed is not None:
            mixtures.append(fixed[state])
        else:
            other = given[1 - side]
            against = other[state] if other is not None and shape[1 - side] > 1 else [Fraction(1)] + [Fraction(0)] * (shape[1 - side] - 1)
            table = _table([_worth(row, optimal, discount)[0] for row in rows], shape, side)
            looks = _table([paid[0] for paid in worth], shape, side)
            gains = [sum((q * x for q, x in zip(against, row, strict=True)), Fraction(0)) for row in looks]
            mixtures.append(_least_favourable(table, gains))
    return mixtures


def _table(worth: Sequence[Fraction], shape: tuple[int, int], side: int) -> list[list[Fraction]]:
    """A matrix by the pairs of actions: its rows are the actions of the player `side`, who maximises."""
    m, n = shape
    if side == 0:
        return [list(worth[a * n : (a + 1) * n]) for a in range(m)]
    return [[-worth[a * n + b] for a in range(m)] for b in range(n)]


def _least_favourable(table: list[list[Fraction]], gains: list[Fraction]) -> Mixture:
    """An optimal mixture of the row player that gains most, where `gains` are the gains of the row player's actions.

    A mixture that is optimal where each row is also paid a small share of its gain, and is optimal without it, is such a mixture: any other
    optimal mixture that gained more would be better with the gain. If the share changes optimal play, a smaller one is tried; some share
    is small enough."""
    found = equilibrium(table)
    p, share = found.p, Fraction(1, 4)
    if len({*gains}) == 1:
        return _dense(p, len(table))
    while True:
        p = equilibrium([[x + share * gain for x in row] for row, gain in zip(table, gains, strict=True)]).p
        if min(sum((x * table[a][b] for a, x in p.items()), Fraction(0)) for b in range(len(table[0]))) == found.value:
            return _dense(p, len(table))
        share /= 64


def _dense(mixture: Mapping[int, Fraction], size: int) -> Mixture:
    return [mixture.get(k, Fraction(0)) for k in range(size)]


def _replied(
    worth: list[tuple[Fraction, ...]], shape: tuple[int, int], mixtures: list[Mixture], answering: int | None
) -> tuple[tuple[Fraction, ...], int]:
    """The payoffs of a state, and the position of the best response."""
    n, payoffs = shape[1], range(len(worth[0]))

    def under(own: Mixture, other: Mixture) -> tuple[Fraction, ...]:
        pairs = [(p * q, worth[a * n + b]) for a, p in enumerate(own) for b, q in enumerate(other) if p and q]
        return tuple(sum((share * paid[j] for share, paid in pairs), Fraction(0)) for j in payoffs)

    if answering is None:
        return under(mixtures[0], mixtures[1]), -1
    replies = []
    for k in range(shape[answering]):
        pure = [Fraction(int(k == i)) for i in range(shape[answering])]
        replies.append(under(pure, mixtures[1]) if answering == 0 else under(mixtures[0], pure))
    pick = max if answering == 0 else min
    best = pick(range(len(replies)), key=lambda k: replies[k][0])
    return replies[best], best


# --- one state --------------------------------------------------------------------------------------------------------


def _state(
    batch: Transitions, state: int, width: int, values: list[tuple[Fraction, ...]], discount: Fraction
) -> tuple[tuple[Fraction, ...], int]:
    """The payoffs of a state, and the position of player 0's most probable action."""
    i = state - batch.low
    rows = range(int(batch.action_start[i]), int(batch.action_start[i + 1]))
    if not rows:
        return tuple(written(float(x)) for x in batch.final_payoff[i]), -1
    others = len(rows) // width
    worth = [_worth(_row(batch, row), values, discount) for row in rows]
    table = [[worth[a * others + b][0] for b in range(others)] for a in range(width)]
    found = equilibrium(table) if len(rows) > 1 else None
    if found is None:
        return worth[0], 0
    payoffs = (found.value, *(_mixed(found, worth, others, j) for j in range(1, len(worth[0]))))
    return payoffs, max(found.p, key=lambda a: (found.p[a], -a))


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


def _worth(row: Exact, values: Sequence[tuple[Fraction, ...]], discount: Fraction) -> tuple[Fraction, ...]:
    worth = [Fraction(0)] * len(row.payoffs[0])
    for chance, paid, after, sign in zip(*row, strict=True):
        for j, amount in enumerate(paid):
            worth[j] += chance * (amount + sign * discount * values[after][j])
    return tuple(worth)
