"""The check of error bounds of the values of a block (kernels/block.py). Imports no solver.

As in kernels/verify.py: e >= 0 bounds |v - true value| if for all rows, with some c > 0,

    e(s) >= c + h(r) + sum of |ways| * e(to) / W,

h(r) being the residual of the row, |residual| for the policy's rows, from the view of the player for others. Residuals of rows that
may matter are computed in double-double (Ogita, Rump and Oishi 2005, algorithm Dot2); `holds` checks e with all rounding upwards.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner
from zermelo.kernels.twice import product_error, sum_error

U = 2.0**-53
TINY = 1e-200
CLEAR = 1e-9  # a row that is worse by more than this, relative to the largest value, is not looked at in double-double


@inner
def residual(row, s, first_outcome, to, ways, total, reward, rough, loose, j, value):
    """(reward + sum of ways * v(to) - W v(s)) / W in double-double, and how far it may be from the truth."""
    sum_, rest, size = reward[row, j], 0.0, abs(reward[row, j])
    for o in range(first_outcome[row], first_outcome[row + 1]):
        v = value[to[o], j]
        term = ways[o] * v
        now = sum_ + term
        rest += sum_error(sum_, term, now) + product_error(ways[o], v, term)
        sum_ = now
        size += abs(term)
    term = -total[row] * value[s, j]
    now = sum_ + term
    rest += sum_error(sum_, term, now) + product_error(-total[row], value[s, j], term)
    size += abs(term)
    found = (now + rest) / total[row]
    count = first_outcome[row + 1] - first_outcome[row] + 4
    slack = 4.0 * U * abs(found) + (((count * 2.0 * U) ** 2 + loose[row]) * size + rough[row, j]) / total[row] * (
        1.0 + 1e-6
    )
    return found, slack + TINY


@inner
def excesses(
    n, first_row, first_outcome, to, ways, total, reward, rough, loose, player, order, policy, j, value, excess
):
    """h of all rows, -inf where a row does not count (payoffs but the first follow the policy); the largest of the policy's rows."""
    largest, scale = 0.0, 0.0
    for i in range(n):
        scale = max(scale, abs(value[order[i], j]))
    for i in range(n):
        s = order[i]
        mine = first_row[s] + policy[s]
        for row in range(first_row[s], first_row[s + 1]):
            if row == mine:
                found, slack = residual(row, s, first_outcome, to, ways, total, reward, rough, loose, j, value)
                excess[row] = abs(found) + slack
                largest = max(largest, excess[row])
                continue
            if j > 0:
                excess[row] = -np.inf
                continue
            sum_, size = reward[row, j], abs(reward[row, j]) + abs(total[row] * value[s, j])
            for o in range(first_outcome[row], first_outcome[row + 1]):
                term = ways[o] * value[to[o], j]
                sum_ += term
                size += abs(term)
            sign = 1.0 - 2.0 * player[s]
            count = first_outcome[row + 1] - first_outcome[row] + 4
            rounding = ((2.0 * count * U + loose[row]) * size + rough[row, j]) / total[row] * (1.0 + 1e-6) + TINY
            excess[row] = sign * (sum_ / total[row] - value[s, j]) + rounding
            if not excess[row] < -CLEAR * scale:
                found, slack = residual(row, s, first_outcome, to, ways, total, reward, rough, loose, j, value)
                excess[row] = sign * found + slack
    return largest


@inner
def holds(nodes, n, first_row, first_outcome, to, ways, total, excess, order, j, error, chosen):
    """Whether the inequality above is satisfied: 1; else 0, and `chosen` has the rows that ask for the most; -1 if it never will be."""
    most = 0.0
    for s in range(nodes):
        e = error[s, j]
        if not (e >= 0.0 and e < np.inf):
            return -1
        most = max(most, e)
    clear = -1.01 * most - TINY  # a row that is worse by more asks for nothing: what follows asks for `most` at most
    fine = 1
    for i in range(n):
        s = order[i]
        worst = error[s, j]
        for row in range(first_row[s], first_row[s + 1]):
            if excess[row] < clear:
                continue
            later, count = 0.0, first_outcome[row + 1] - first_outcome[row]
            for o in range(first_outcome[row], first_outcome[row + 1]):
                later += abs(ways[o]) * error[to[o], j]
            larger = 1.0 + (4 * count + 32) * 2.0 * U
            asked = excess[row] + later / total[row] * larger
            asked += 8.0 * U * abs(asked) + TINY
            if not asked <= worst:
                worst = asked
                chosen[s] = row - first_row[s]
                fine = 0
    return fine
