"""Error bounds of given values, rounding included.

Write v for the given values, v* for the true ones, and for a row a of state s, with weights w and W their sum,

    r(a) = sum of w * (payoff + discount * sign * v(next) - v(s)) / W        the residual of the row

e >= 0 bounds |v - v*| in a component if it does outside, and if some c > 0 satisfies for all states s of the component
and rows a

    e(s) >= c + h(a) + sum of w * discount * e(next) / W,    h(a) = |r(a)| for the policy's row,
                                                                   r(a) for other rows of the maximiser, -r(a) of the minimiser

because, whatever the opponent of the policy does, the payoffs so far plus v + e (minus: v - e) of the state reached
fall (rise) in the mean by c or more a step: play that never leaves the component costs whoever prolongs it more than
any value. PASS only exchanges the two bounds. Payoffs other than the first are bounded likewise, with the policy's rows
alone. Any e that passes `holds` is good; where it comes from does not matter.

Rounding, with u = 2^-53. An operation's result x^ has an error of at most u |x^| (Higham 2002, section 2.2). So r(a) is
computed with an error of at most u times the sum over the outcomes of

    w (|discount * v(next)| if discount is not 1, + |discount * sign * v(next) - v(s)| if there is a payoff, + |change|)
    + |w * change| + |sum so far|,    change = (discount * sign * v(next) - v(s)) + payoff,

divided by W, plus (k + 1) u |r(a)| for W and the division, k being the number of outcomes. Such sums of non-negative
numbers are themselves computed to a relative error below gamma(2k + 8) (Higham 2002, section 4.2); they are multiplied
by 1 + (4k + 32) 2u. Underflow is covered by adding TINY.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from zermelo.kernels.components import fill_column, inner, order_states
from zermelo.kernels.newton import CUTSET, SLOPES, newton

U = 2.0**-53
TINY = 1e-290


@inner
def row_excess(first, last, ways, next_state, sign, payoff, discount, value, state, j, orient):
    """h(a), rounded upwards, of the row with the outcomes first..last-1. orient : 1, -1, or 0 for the absolute value."""
    here = value[state, j]
    weight, total, rough = 0.0, 0.0, 0.0
    for o in range(first, last):
        if ways[o] == 0.0:
            continue
        later = value[next_state[o], j]
        if discount != 1.0:
            later *= discount
            rough += ways[o] * abs(later)
        if sign[o] < 0:
            later = -later
        change = later - here
        if payoff[o, j] != 0.0:
            rough += ways[o] * abs(change)
            change += payoff[o, j]
        term = ways[o] * change
        total += term
        weight += ways[o]
        rough += 2.0 * abs(term) * (1.0 + 4.0 * U) + abs(total)
    residual = total / weight
    count = last - first
    slack = U * (rough / weight + (count + 1) * abs(residual)) * (1.0 + (4 * count + 32) * 2.0 * U) + TINY
    excess = (abs(residual) if orient == 0.0 else orient * residual) + slack
    return excess + 8.0 * U * abs(excess)


@inner
def row_later(first, last, ways, next_state, discount, error, j):
    """sum of w * discount * e(next) / W, rounded upwards, of the row with the outcomes first..last-1."""
    weight, total = 0.0, 0.0
    for o in range(first, last):
        weight += ways[o]
        if ways[o] != 0.0:
            total += ways[o] * error[next_state[o], j]
    count = last - first
    return discount * total / weight * (1.0 + (4 * count + 32) * 2.0 * U) + TINY


@inner
def orientation(is_policy, j, player):
    """0 for the policy's row, 1 (-1) for another row of the maximiser (minimiser); 2 if the row does not matter."""
    if is_policy:
        return 0.0
    return 2.0 if j > 0 else 1.0 - 2.0 * player


@njit(cache=True)
def excesses(low, action_start, outcome_start, ways, next_state, sign, payoff, player, discount, value, policy, start, end,
             j, excess):
    """excess[row, j] = h(row) for the rows of the states start..end-1 (-inf if it does not matter); the largest of the policy's."""
    largest = 0.0
    for state in range(start, end):
        i = state - low
        for row in range(action_start[i], action_start[i + 1]):
            chosen = row == action_start[i] + policy[state]
            orient = orientation(chosen, j, player[i])
            excess[row, j] = -np.inf
            if orient != 2.0:
                excess[row, j] = row_excess(outcome_start[row], outcome_start[row + 1], ways, next_state, sign, payoff,
                                            discount, value, state, j, orient)
            if chosen:
                largest = max(largest, excess[row, j])
    return largest


@njit(cache=True)
def holds(low, action_start, outcome_start, ways, next_state, discount, start, end, j, excess, error):
    """The inequality above for payoff j, rounding included, for all states start..end-1. (c > 0, as all is rounded upwards.)"""
    for state in range(start, end):
        i = state - low
        if not (error[state, j] >= 0.0 and error[state, j] < np.inf):
            return False
        for row in range(action_start[i], action_start[i + 1]):
            if excess[row, j] == -np.inf:
                continue
            later = row_later(outcome_start[row], outcome_start[row + 1], ways, next_state, discount, error, j)
            if not excess[row, j] + later <= error[state, j]:
                return False
    return True


@inner
def bound_single(low, action_start, outcome_start, ways, next_state, discount, state, j, excess, error):
    """The least e of a component of one state; False if the state can follow itself."""
    i = state - low
    worst = 0.0
    for row in range(action_start[i], action_start[i + 1]):
        first, last = outcome_start[row], outcome_start[row + 1]
        for o in range(first, last):
            if next_state[o] == state and ways[o] != 0.0:
                return False
        if excess[row, j] != -np.inf:
            later = row_later(first, last, ways, next_state, discount, error, j)
            worst = max(worst, excess[row, j] + later * (1.0 + 4.0 * U))
    error[state, j] = worst
    return True


@njit(cache=True)
def bound_components(rows, low, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player, discount,
                     components, at, value, policy, choice, error):
    """Fill `error` for the components at, at + 1, ... in order; returns the first for which this method fails, or their number.

    rows : `Rows` of the problem "longest stay": reward to be filled with h, coef = w * discount / W, no minimiser; its optimum
    is e. choice : int32[states], a copy of `policy` that may be changed.
    """
    largest = 1
    for c in range(at, components.size - 1):
        largest = max(largest, components[c + 1] - components[c])
    order, slot = np.empty(largest, np.int32), np.empty(largest, np.int32)
    edge, stack = np.empty(largest, np.int64), np.empty(largest, np.int64)
    rest = np.zeros(largest, np.bool_)
    for c in range(at, components.size - 1):
        start, end = components[c], components[c + 1]
        ordered, cut = False, 0
        for j in range(value.shape[1]):
            # 1. Final states, and the excesses of the others.
            if end - start == 1 and action_start[start - low] == action_start[start - low + 1]:
                error[start, j] = abs(value[start, j] - final_payoff[start - low, j]) * (1.0 + 4.0 * U)
                continue
            drop = 1e-6 * excesses(low, action_start, outcome_start, ways, next_state, sign, payoff, player, discount, value,
                                   policy, start, end, j, rows.reward)
            if end - start == 1 and bound_single(low, action_start, outcome_start, ways, next_state, discount, start, j,
                                                 rows.reward, error):
                continue
            # 2. Solve for e with a larger drop c than needed, then check.
            if not ordered:
                cut = order_states(rows, start, end, order, slot, edge, stack)
                ordered = True
            if cut > CUTSET or cut * (end - start) > SLOPES:
                return c
            proven = False
            for _ in range(3):
                drop = max(drop, 1e-150)
                for row in range(action_start[start - low], action_start[end - low]):
                    rows.reward[row, j] += drop
                fill_column(error, start, end, j, 0.0)
                if not newton(rows, start, end, order, slot, cut, j, j == 0, 1.0 - discount, rest, error, choice):
                    break
                for row in range(action_start[start - low], action_start[end - low]):
                    rows.reward[row, j] -= 0.5 * drop
                if holds(low, action_start, outcome_start, ways, next_state, discount, start, end, j, rows.reward, error):
                    proven = True
                    break
                for state in range(start, end):
                    drop = max(drop, 1e-9 * error[state, j])
            if not proven:
                return c
    return components.size - 1
