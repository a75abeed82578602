"""The best response to a behaviour strategy where payoffs are panels (problem/panels.py), and how far rounding can have changed it.

As kernels/verify_replies.py, whose argument it is; an element of a panel is a factor times an element of a matrix, which is one more
rounding, and its size, the sum of the absolute values of all that it is the sum of, is at most the factor times the matrix's `cap`.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

UNIT = 2.0**-53


@kernel
def spans(matrix: np.ndarray, other_at: np.ndarray, other_size: np.ndarray, index: np.ndarray, least: np.ndarray, most: np.ndarray) -> None:
    """The first and the last sequence of the replying player in each panel."""
    for p in range(len(matrix)):
        begin = other_at[p]
        low, high = index[begin], index[begin]
        for j in range(1, other_size[matrix[p]]):
            low, high = min(low, index[begin + j]), max(high, index[begin + j])
        least[p], most[p] = low, high


@kernel
def paid_by_panels(
    low: int, high: int, plan: np.ndarray, off: np.ndarray, matrix: np.ndarray, scale: np.ndarray, own_at: np.ndarray,
    other_at: np.ndarray, index: np.ndarray, own_size: np.ndarray, other_size: np.ndarray, cap: np.ndarray, at: np.ndarray, by_own: int,
    pool: np.ndarray, loose_own: np.ndarray, loose_other: np.ndarray, loose_paid: np.ndarray, least: np.ndarray, most: np.ndarray,
    sign: float, blur: float, worth: np.ndarray, error: np.ndarray,
) -> None:  # fmt: skip
    """What the other player's sequences low, ..., high - 1 are paid against this plan, and by how much that can be off; `plan`, `off` : as
    `shares` writes them. `by_own` : whether matrices stand in `pool` by the sequences of the player who has the plan, one behind the other;
    else by those of the other one. Terms are added in the same order whatever the range is."""
    widest, longest = 0, 0
    for m in range(len(own_size)):
        longest, widest = max(longest, own_size[m]), max(widest, other_size[m])
    held, gained = np.empty(longest), np.empty(widest)
    terms = np.zeros(high - low)
    for p in range(len(matrix)):
        if most[p] < low or least[p] >= high:
            continue
        m = matrix[p]
        rows, columns, base = np.int64(own_size[m]), np.int64(other_size[m]), at[m]
        begin, end = columns, columns  # of the columns that are asked for
        for j in range(columns):
            if low <= index[other_at[p] + j] < high:
                if begin == columns:
                    begin = np.int64(j)
                end = np.int64(j + 1)
        factor, wrong, total = sign * scale[p], 0.0, 0.0
        for i in range(rows):
            s = index[own_at[p] + i]
            held[i] = plan[s]
            wrong += plan[s] * (off[s] + blur)
            total += plan[s]
        wrong *= abs(scale[p]) * cap[m]
        total *= abs(scale[p]) * cap[m]
        if by_own:
            for j in range(begin, end):
                gained[j] = 0.0
            for i in range(rows):
                share = held[i]
                if share != 0.0:
                    first = np.uint64(base + i * columns)  # unsigned, as in kernels/regret.py
                    for k in range(begin, end):
                        place = np.uint64(k)
                        gained[place] += share * pool[first + place]
        for j in range(begin, end):
            t = index[other_at[p] + j]
            if t < low or t >= high:
                continue
            if not by_own:
                told, start = 0.0, np.uint64(base + j * rows)
                for k in range(rows):
                    place = np.uint64(k)
                    told += held[place] * pool[start + place]
                gained[j] = told
            worth[t] += factor * gained[j]
            terms[t - low] += rows + 2.0
            error[t] += wrong + (rows + 4.0) * UNIT * total + UNIT * abs(worth[t])
    for e in range(len(loose_own)):
        t = loose_other[e]
        if low <= t and t < high:
            s = loose_own[e]
            worth[t] += plan[s] * (sign * loose_paid[e])
            error[t] += plan[s] * abs(loose_paid[e]) * (off[s] + blur + 4 * UNIT) + UNIT * abs(worth[t])
    for t in range(low, high):
        error[t] *= 1.0 + (terms[t - low] + 8.0) * UNIT
