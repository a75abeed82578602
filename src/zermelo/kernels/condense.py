"""A batch of transitions, condensed: what one step is worth, and how the values of the next states enter.

v(s) = max or min over the rows a of s of   reward[a] + sum over the outcomes o of a of coef[o] * v(next[o])
reward[a] = sum of p[o] * payoff[o],   coef[o] = p[o] * sign[o] * discount,   p[o] = ways[o] / (sum of the row's ways)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from zermelo.kernels.kernel import kernel

if TYPE_CHECKING:
    from zermelo.problem.transitions import Transitions


class Rows(NamedTuple):
    """The condensed rows of the states `low, low + 1, ...`. The arrays are indexed as in a batch of transitions."""

    low: int
    first_row: np.ndarray  # int64[states+1]
    first_outcome: np.ndarray  # int64[rows+1]
    next: np.ndarray  # whole numbers [outcomes] (basics/numbering.py), number of the next state
    coef: np.ndarray  # float64[outcomes], zero where an outcome can't happen
    reward: np.ndarray  # float64[rows, payoffs]
    pays: np.ndarray  # bool[rows, payoffs], whether any outcome of the row pays anything
    player: np.ndarray  # int8[states], 0 maximises, 1 minimises


def condensed(batch: Transitions, discount: float) -> Rows:
    """The rows of a batch."""
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, discount)
    return Rows(batch.low, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)


@kernel
def condense(outcome_start, ways, sign, payoff, discount):
    """`coef`, `reward` and `pays` of every row of a batch; the arguments are the batch's arrays of the same names."""
    rows, payoffs = outcome_start.size - 1, payoff.shape[1]
    coef = np.empty(ways.size, np.float64)
    reward = np.zeros((rows, payoffs), np.float64)
    pays = np.zeros((rows, payoffs), np.bool_)
    for row in range(rows):
        first, last = outcome_start[row], outcome_start[row + 1]
        total = 0.0
        for o in range(first, last):
            total += ways[o]
            for j in range(payoffs):
                if payoff[o, j] != 0.0 and ways[o] > 0.0:
                    pays[row, j] = True
                    reward[row, j] += ways[o] * payoff[o, j]
        for o in range(first, last):
            chance = ways[o] / total * discount
            coef[o] = chance if sign[o] > 0 else -chance
        for j in range(payoffs):
            reward[row, j] /= total
    return coef, reward, pays
