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
by 1 + (4k + 32) 2u. Underflow: ways lie between 1e-100 and 1e100
(`kernels.status`), so that an underflow in w * change is at most 5e-324 / 1e-100 after the division; TINY covers it.

Ways that are themselves results of rounding (products with the probabilities of a mixed strategy) may each be off by a relative
error of `blur` / 2; then r(a) is off by at most blur times the sum of w |change|, over W. The other sums have room for 20 u more.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from zermelo.kernels.components import fill_column, order_states
from zermelo.kernels.newton import CUTSET, SLOPES, newton

U = 2.0**-53
TINY = 1e-200


# The rows of one state, inlined where they are called; kernels that call them take a batch apart first, because numba counts
# references to the arrays of a tuple whenever one is used.


@njit(inline="always")
def row_terms(first, last, ways, next_state, sign, payoff, discount, value, error, state, j, orient, blur):
    """Of the row with the outcomes first..last-1, both rounded upwards: h(a), and the sum of w * discount * e(next) / W."""
    here = value[state, j]
    weight, total, rough, errors, moved = 0.0, 0.0, 0.0, 0.0, 0.0
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
        moved += abs(term)
        weight += ways[o]
        rough += 2.0 * abs(term) * (1.0 + 4.0 * U) + abs(total)
        errors += ways[o] * error[next_state[o], j]
    residual = total / weight
    count = last - first
    larger = 1.0 + (4 * count + 32) * 2.0 * U
    slack = (U * (rough / weight + (count + 1) * abs(residual)) + blur * moved / weight) * larger + TINY
    excess = (abs(residual) if orient == 0 else orient * residual) + slack
    return excess + 8.0 * U * abs(excess), discount * errors / weight * larger + TINY


@njit(inline="always")
def orientation(is_policy, j, player):
    """0 for the policy's row (|r| counts), 1 (-1) for another row of the maximiser (minimiser); 2 if the row does not matter."""
    return 0 if is_policy else 2 if j > 0 else 1 - 2 * player


@njit(cache=True)
def excesses(batch, discount, value, policy, start, end, j, excess, blur=0.0):
    """excess[row, j] = h(row) for the rows of the states start..end-1 (-inf if it does not matter); the largest of the policy's.

    A policy of -1: every row counts as another row of the player's."""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    largest = 0.0
    for state in range(start, end):
        i = state - low
        for row in range(action_start[i], action_start[i + 1]):
            first, last = outcome_start[row], outcome_start[row + 1]
            orient = orientation(row == action_start[i] + policy[state], j, player[i])
            excess[row, j] = -np.inf
            if orient != 2:
                excess[row, j], _ = row_terms(
                    first, last, ways, next_state, sign, payoff, discount, value, value, state, j, orient, blur
                )
            if orient == 0 or policy[state] < 0:
                largest = max(largest, excess[row, j])
    return largest


@njit(cache=True)
def holds(batch, discount, start, end, j, excess, error):
    """The inequality above for payoff j, rounding included, for all states start..end-1. (c > 0, as all is rounded upwards.)"""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    for state in range(start, end):
        i = state - low
        if not (error[state, j] >= 0.0 and error[state, j] < np.inf):
            return False
        for row in range(action_start[i], action_start[i + 1]):
            if excess[row, j] == -np.inf:
                continue
            first, last = outcome_start[row], outcome_start[row + 1]
            _, later = row_terms(first, last, ways, next_state, sign, payoff, discount, error, error, state, j, 0, 0.0)
            if not excess[row, j] + later <= error[state, j]:
                return False
    return True


@njit(cache=True)
def bound_singles(batch, components, at, discount, value, policy, error, blur=0.0):
    """Fill `error` with the least e for the components at, at + 1, ... in order, as long as they are states that nothing leads
    back to; returns the first other component, or their number."""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    for c in range(at, components.size - 1):
        state = components[c]
        if components[c + 1] - state > 1:
            return c
        i = state - low
        if action_start[i] == action_start[i + 1]:
            for j in range(value.shape[1]):
                error[state, j] = abs(value[state, j] - final_payoff[i, j]) * (1.0 + 4.0 * U)
            continue
        for o in range(outcome_start[action_start[i]], outcome_start[action_start[i + 1]]):
            if next_state[o] == state and ways[o] != 0.0:
                return c
        for j in range(value.shape[1]):
            worst = 0.0
            for row in range(action_start[i], action_start[i + 1]):
                first, last = outcome_start[row], outcome_start[row + 1]
                orient = orientation(row == action_start[i] + policy[state], j, player[i])
                if orient != 2:
                    excess, later = row_terms(
                        first, last, ways, next_state, sign, payoff, discount, value, error, state, j, orient, blur
                    )
                    bound = excess + later * (1.0 + 4.0 * U)
                    if not bound < np.inf:
                        return c
                    worst = max(worst, bound)
            error[state, j] = worst
    return components.size - 1


@njit(cache=True)
def bound_components(batch, rows, discount, components, at, value, policy, choice, error, blur=0.0):
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
    c = at
    while c < components.size - 1:
        done = bound_singles(batch, components, c, discount, value, policy, error, blur)
        if done == components.size - 1:
            break
        c = done
        start, end = components[c], components[c + 1]
        cut = order_states(rows, start, end, order, slot, edge, stack)
        if cut > CUTSET or cut * (end - start) > SLOPES:
            return c
        first, last = batch.action_start[start - batch.low], batch.action_start[end - batch.low]
        for j in range(value.shape[1]):
            # Solve for e with a larger drop c than needed, then check.
            for state in range(start, end):
                choice[state] = policy[state]
            drop = 1e-6 * excesses(batch, discount, value, policy, start, end, j, rows.reward, blur)
            proven = False
            for _ in range(3):
                drop = max(drop, 1e-150)
                for row in range(first, last):
                    rows.reward[row, j] += drop
                fill_column(error, start, end, j, 0.0)
                if not newton(rows, start, end, order, slot, cut, j, j == 0, 1.0 - discount, rest, error, choice):
                    break
                for row in range(first, last):
                    rows.reward[row, j] -= 0.5 * drop
                if holds(batch, discount, start, end, j, rows.reward, error):
                    proven = True
                    break
                for state in range(start, end):
                    drop = max(drop, 1e-9 * error[state, j])
            if not proven:
                return c
        c += 1
    return components.size - 1
