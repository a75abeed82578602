"""Components of games in which both choose at once, by Newton's method on the values of a small cutset.

    v(s) = value of the matrix  m_ij(s) = reward of the pair (i, j) + sum over its outcomes of coef * v(next)      (Shapley 1953)

As in kernels/newton.py all states of a component follow from the values x of its cutset in one sweep, here with a matrix game
in every state, and x = T(x) is solved by (I - T'(x)) dx = T(x) - x, T' being taken for the mixed strategies that the sweep found:
the method of Pollatschek and Avi-Itzhak 1969. It nearly always converges, quadratically; where it does not the caller has another
method.

The rows of a state are the pairs of an action i of player 0 and an action j of player 1, i first. `width` : int32[states of the
batch], how many actions player 0 has. `p`, `q` : float64, the strategies of all states of the batch one after the other; those of
state s begin at p_start[s - low] and q_start[s - low].
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.components import ANY, can_stay, fill_column
from zermelo.kernels.deviations import Mixed as Mixed
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.matrix_game import solve_matrix
from zermelo.kernels.newton import CUTSET, EPSILON, ROUNDS, SLOPES, cutset_gap, cutset_step
from zermelo.kernels.orders import order_states


@inner
def worth_of_row(first_outcome, next_state, coef, reward, row, j, value):
    """What a pair of actions is worth."""
    worth = reward[row, j]
    for o in range(first_outcome[row], first_outcome[row + 1]):
        worth += coef[o] * value[next_state[o], j]
    return worth


@inner
def fill_matrix(rows, first, m, n, value, matrix):
    """matrix[:m, :n] of a state whose rows begin at `first`."""
    for i in range(m):
        for k in range(n):
            matrix[i, k] = worth_of_row(
                rows.first_outcome, rows.next, rows.coef, rows.reward, first + i * n + k, 0, value
            )


@kernel
def best_mixtures(rows, mixed, start, end, value, fresh):
    """A sweep of Shapley's: the values of all states' matrices go to fresh[state - start], the strategies to `mixed`."""
    matrix = np.empty(largest_matrix(rows, mixed, start, end))
    for state in range(start, end):
        i = state - rows.low
        m = mixed.width[i]
        n = mixed.q_start[i + 1] - mixed.q_start[i]
        fill_matrix(rows, rows.first_row[i], m, n, value, matrix)
        fresh[state - start] = solve_matrix(matrix, m, n, mixed.p[mixed.p_start[i] :], mixed.q[mixed.q_start[i] :])


@inner
def largest_matrix(rows, mixed, start, end):
    """(rows, columns) that hold the matrix of every state in start..end-1."""
    m, n = 1, 1
    for i in range(start - rows.low, end - rows.low):
        m = max(m, mixed.width[i])
        n = max(n, mixed.q_start[i + 1] - mixed.q_start[i])
    return m, n


@inner
def mixed_worth(rows, mixed, i, j, value):
    """What payoff j of a state is worth under its strategies."""
    n = mixed.q_start[i + 1] - mixed.q_start[i]
    total = 0.0
    for a in range(mixed.width[i]):
        share = mixed.p[mixed.p_start[i] + a]
        if share == 0.0:
            continue
        for b in range(n):
            other = mixed.q[mixed.q_start[i] + b]
            if other != 0.0:
                row = rows.first_row[i] + a * n + b
                total += (
                    share * other * worth_of_row(rows.first_outcome, rows.next, rows.coef, rows.reward, row, j, value)
                )
    return total


@inner
def sweep(rows, mixed, start, end, order, slot, j, choose, matrix, value, fresh):
    """Values of all states outside the cutset from those of the cutset, whose own new values go to `fresh`; the largest."""
    scale = 0.0
    for k in range(end - start):
        s = order[k]
        i = start + s - rows.low
        if choose:
            m, n = mixed.width[i], mixed.q_start[i + 1] - mixed.q_start[i]
            fill_matrix(rows, rows.first_row[i], m, n, value, matrix)
            worth = solve_matrix(matrix, m, n, mixed.p[mixed.p_start[i] :], mixed.q[mixed.q_start[i] :])
        else:
            worth = mixed_worth(rows, mixed, i, j, value)
        scale = max(scale, abs(worth))
        if slot[s] < 0:
            value[start + s, j] = worth
        else:
            fresh[slot[s]] = worth
    return scale


@inner
def largest_payoff(rows, start, end, j, value):
    """The largest payoff, or value outside, that the states of a component lead to: their own values are 0 where the game is fair."""
    largest = 0.0
    for row in range(rows.first_row[start - rows.low], rows.first_row[end - rows.low]):
        largest = max(largest, abs(rows.reward[row, j]))
        for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
            if rows.next[o] < start or rows.next[o] >= end:
                largest = max(largest, abs(rows.coef[o] * value[rows.next[o], j]))
    return largest


@inner
def slopes(rows, mixed, start, order, slot, slope):
    """slope[s, k] : the derivative of the value of s by the value of cutset member k, under the strategies at hand."""
    size, cut = slope.shape
    for at in range(size):
        s = order[at]
        i = start + s - rows.low
        n = mixed.q_start[i + 1] - mixed.q_start[i]
        for k in range(cut):
            slope[s, k] = 0.0
        for a in range(mixed.width[i]):
            share = mixed.p[mixed.p_start[i] + a]
            if share == 0.0:
                continue
            for b in range(n):
                weight = share * mixed.q[mixed.q_start[i] + b]
                if weight == 0.0:
                    continue
                row = rows.first_row[i] + a * n + b
                for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                    t = rows.next[o] - start
                    if t < 0 or t >= size:
                        continue
                    if slot[t] >= 0:
                        slope[s, slot[t]] += weight * rows.coef[o]
                    else:
                        for k in range(cut):
                            slope[s, k] += weight * rows.coef[o] * slope[t, k]


@inner
def newton(rows, mixed, start, end, order, slot, cut, j, choose, matrix, value):
    """Payoff j of a component, with the best strategies (`choose`, j = 0) or those at hand. False if that fails.

    value holds a guess of the cutset's values."""
    fresh, members = np.empty(cut), np.empty(cut, np.int64)
    for s in range(end - start):
        if slot[s] >= 0:
            members[slot[s]] = start + s
    slope = np.empty((end - start if cut else 0, cut))
    system = np.empty((cut, cut))
    last_gap = np.inf
    for turn in range(ROUNDS):
        scale = sweep(rows, mixed, start, end, order, slot, j, choose, matrix, value, fresh)
        if not scale < np.inf:
            return False
        gap = cutset_gap(members, j, value, fresh)
        if cut == 0 or gap <= 2.0 * EPSILON * scale:
            return True
        if turn > 1 and gap >= 0.25 * last_gap and gap <= 1e-12 * max(scale, largest_payoff(rows, start, end, j, value)):
            return True  # rounding forbids a better solution
        last_gap = gap
        slopes(rows, mixed, start, order, slot, slope)
        if not cutset_step(members, start, j, slope, value, fresh, system):
            return False
    return False


@inner
def cutset(rows, start, end, order, slot, edge, stack):
    """As `order_states`, but with every state that can be its own successor in the cutset: its matrix depends on its value."""
    cut = order_states(rows, start, end, order, slot, edge, stack)
    for state in range(start, end):
        if slot[state - start] >= 0:
            continue
        i = state - rows.low
        for o in range(rows.first_outcome[rows.first_row[i]], rows.first_outcome[rows.first_row[i + 1]]):
            if rows.next[o] == state and rows.coef[o] != 0.0:
                slot[state - start] = cut
                cut += 1
                break
    return cut


@kernel
def settle_components(rows, mixed, final_payoff, components, at, discounted, value):
    """Solve the components at, at + 1, ... in order; returns the first that could not be solved here, or their number.

    components : int64[c+1], boundaries (state numbers). final_payoff : float64[states, payoffs]. discounted : play always ends."""
    largest = 1
    for c in range(at, components.size - 1):
        largest = max(largest, components[c + 1] - components[c])
    order, slot = np.empty(largest, rows.next.dtype), np.empty(largest, rows.next.dtype)
    edge, stack = np.empty(largest, np.int64), np.empty(largest, np.int64)
    mark = np.empty(largest, np.bool_)
    matrix = np.empty(largest_matrix(rows, mixed, components[at], components[components.size - 1]))
    for c in range(at, components.size - 1):
        start, end = components[c], components[c + 1]
        i = start - rows.low
        if end - start == 1 and rows.first_row[i] == rows.first_row[i + 1]:
            for j in range(value.shape[1]):
                value[start, j] = final_payoff[i, j]
            continue
        cut = cutset(rows, start, end, order, slot, edge, stack)
        if cut > CUTSET or cut * (end - start) > SLOPES:
            return c
        if cut > 0 and not discounted and can_stay(rows, start, end, order, mark, ANY):
            return c
        for j in range(value.shape[1]):
            fill_column(value, start, end, j, 0.0)
            if not newton(rows, mixed, start, end, order, slot, cut, j, j == 0, matrix, value):
                return c
    return components.size - 1
