"""The best response to a behaviour strategy where payoffs are panels (problem/panels.py), and how far rounding can have changed it.

As kernels/verify_replies.py, whose argument it is; an element of a panel is a factor times an element of a matrix, which is one more
rounding, and its size, the sum of the absolute values of all that it is the sum of, is at most the factor times the matrix's `cap`.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel
from zermelo.kernels.verify_replies import best_of, shares

UNIT = 2.0**-53


@kernel
def best_reply_to_panels(
    weight: np.ndarray, parent: np.ndarray, first: np.ndarray, other_parent: np.ndarray, other_first: np.ndarray, matrix: np.ndarray,
    scale: np.ndarray, own_at: np.ndarray, other_at: np.ndarray, index: np.ndarray, own_size: np.ndarray, other_size: np.ndarray,
    cap: np.ndarray, at: np.ndarray, by_own: int, pool: np.ndarray, loose_own: np.ndarray, loose_other: np.ndarray, loose_paid: np.ndarray,
    sign: float, blur: float,
) -> tuple[float, float]:  # fmt: skip
    """The most that the other player can get against these weights, and by how much the number can be off. `by_own` : whether matrices
    stand in `pool` by the sequences of the player who has the weights, one behind the other; else by those of the other one."""
    n = other_first[len(other_parent)]
    plan, off = np.empty(len(weight)), np.empty(len(weight))
    shares(weight, parent, first, plan, off)
    worth, error, terms = np.zeros(n), np.zeros(n), np.zeros(n)
    for p in range(len(matrix)):
        m = matrix[p]
        rows, columns = np.int64(own_size[m]), np.int64(other_size[m])
        factor, wrong = sign * scale[p], 0.0
        for i in range(rows):
            s = index[own_at[p] + i]
            wrong += plan[s] * (off[s] + blur)
        wrong *= abs(scale[p]) * cap[m]
        most = 0.0
        for i in range(rows):
            most += plan[index[own_at[p] + i]]
        most *= abs(scale[p]) * cap[m]
        for j in range(columns):
            t = index[other_at[p] + j]
            gained = 0.0
            for i in range(rows):
                element = pool[at[m] + (i * columns + j if by_own else j * rows + i)]
                gained += plan[index[own_at[p] + i]] * (factor * element)
            worth[t] += gained
            terms[t] += rows + 2.0
            error[t] += wrong + (rows + 4.0) * UNIT * most + UNIT * abs(worth[t])
    for e in range(len(loose_own)):
        s, t = loose_own[e], loose_other[e]
        worth[t] += plan[s] * (sign * loose_paid[e])
        error[t] += plan[s] * abs(loose_paid[e]) * (off[s] + blur + 4 * UNIT) + UNIT * abs(worth[t])
    for t in range(n):
        error[t] *= 1.0 + (terms[t] + 8.0) * UNIT
    return best_of(other_parent, other_first, worth, error)
