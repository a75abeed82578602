"""The check of error bounds of given values, rounding included. Imports nothing: no solver and no search for bounds.

Write v for the given values, v* for the true ones, and for a row a of state s, with weights w and W their sum,

    r(a) = sum of w * (payoff + discount * sign * v(next) - v(s)) / W        the residual of the row

e >= 0 bounds |v - v*| in a component if it does outside, and if some c > 0 satisfies for all states s of the component
and rows a

    e(s) >= c + h(a) + sum of w * discount * e(next) / W,    h(a) = |r(a)| for the policy's row,
                                                                   r(a) for other rows of the maximiser, -r(a) of the minimiser

because, whatever the opponent of the policy does, the payoffs so far plus v + e (minus: v - e) of the state reached
fall (rise) in the mean by c or more a step: play that never leaves the component costs the player who prolongs it more than
any value. PASS only exchanges the two bounds. Payoffs other than the first are bounded likewise, with the policy's rows
alone. Any e that passes `holds` is good; where it comes from does not matter. Where play can cycle without end among
actions that look equally good, no e passes; `certificates/verify.py` has the inequality that is checked there.

A component of one state needs no search: `bound_singles` computes the least e. If nothing leads back to it, that is the right-hand side;
if a row leads back to the state, the rest of its right-hand side is divided by the probability of leaving; and a player who stays by a
row that only leads back and never pays gets 0, so e must not claim less.

Rounding, with u = 2^-53. An operation's result x^ has an error of at most u |x^| (Higham 2002, section 2.2). So r(a) is
computed with an error of at most u times the sum over the outcomes of

    w (|discount * v(next)| if discount is not 1, + |discount * sign * v(next) - v(s)| if there is a payoff, + |change|)
    + |w * change| + |sum so far|,    change = (discount * sign * v(next) - v(s)) + payoff,

times 1 / W, plus (k + 1) u |r(a)| for W, its reciprocal and that product, k being the number of outcomes. Such sums of non-negative
numbers are themselves computed to a relative error below gamma(2k + 8) (Higham 2002, section 4.2); they are multiplied
by 1 + (4k + 32) 2u. Underflow: ways lie between 1e-100 and 1e100
(`kernels.status`), so that an underflow in w * change is at most 5e-324 / 1e-100 after the division; TINY covers it.

Ways that are themselves results of rounding (products with the probabilities of a mixed strategy) may each be off by a relative
error of `blur` / 2; then r(a) is off by at most blur times the sum of w |change|, over W. The other sums have room for 20 u more.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

U = 2.0**-53
TINY = 1e-200
WHOLE = 2.0**53  # a whole number from here on may have been another one
PARTS = 1024.0


# The rows of one state, inlined where they are called; kernels that call them take a batch apart first, because numba counts
# references to the arrays of a tuple whenever one is used.


@kernel(inline="always")
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
    share = 1.0 / weight  # products with it take less time than divisions
    residual = total * share
    count = last - first
    larger = 1.0 + (4 * count + 32) * 2.0 * U
    slack = (U * (rough * share + (count + 1) * abs(residual)) + blur * moved * share) * larger + TINY
    excess = (abs(residual) if orient == 0 else orient * residual) + slack
    return excess + 8.0 * U * abs(excess), discount * errors * share * larger + TINY


@kernel(inline="always")
def later_errors(first, last, ways, next_state, discount, error, j):
    """The second of `row_terms` alone."""
    weight, errors = 0.0, 0.0
    for o in range(first, last):
        if ways[o] != 0.0:
            weight += ways[o]
            errors += ways[o] * error[next_state[o], j]
    share, larger = 1.0 / weight, 1.0 + (4 * (last - first) + 32) * 2.0 * U
    return discount * errors * share * larger + TINY


@kernel(inline="always")
def rounding(number):
    """How far a float can be from the number that is meant: 0.1 is 1/10. Whole numbers and multiples of 1/1024 are what they are."""
    size = abs(number)
    if size < WHOLE and size == np.floor(size) or size < WHOLE / PARTS and PARTS * size == np.floor(PARTS * size):
        return 0.0
    return U * size


@kernel(inline="always")
def orientation(is_policy, j, player):
    """0 for the policy's row (|r| counts), 1 (-1) for another row of the maximiser (minimiser); 2 if the row does not matter."""
    return 0 if is_policy else 2 if j > 0 else 1 - 2 * player


@kernel
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


@kernel
def holds(batch, discount, start, end, j, excess, error):
    """Whether `error` satisfies the inequality for payoff j in all states start..end-1, rounding included.

    excess : what `excesses` found. (c > 0, as all is rounded upwards, by more than was rounded.)"""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    for state in range(start, end):
        i = state - low
        if not (error[state, j] >= 0.0 and error[state, j] < np.inf):
            return False
        for row in range(action_start[i], action_start[i + 1]):
            if excess[row, j] == -np.inf:
                continue
            first, last = outcome_start[row], outcome_start[row + 1]
            if not excess[row, j] + later_errors(first, last, ways, next_state, discount, error, j) <= error[state, j]:
                return False
    return True


@kernel
def accept(batch, discount, start, end, j, excess, proposal, error):
    """error[s, j] = proposal[s, j] for the component start..end-1 if it is a bound there; else False, and `error` is infinite.

    The errors of states outside are read from `error`: they have been accepted before."""
    for state in range(start, end):
        error[state, j] = proposal[state, j]
    if holds(batch, discount, start, end, j, excess, error):
        return True
    for state in range(start, end):
        error[state, j] = np.inf
    return False


@kernel(inline="always")
def goes_on(first, last, ways, next_state, state):
    """(sum of the ways to other states, sum of all ways) of the row with the outcomes first..last-1."""
    away, weight = 0.0, 0.0
    for o in range(first, last):
        weight += ways[o]
        if next_state[o] != state:
            away += ways[o]
    return away, weight


@kernel(inline="always")
def never_pays(first, last, ways, sign, payoff):
    """Whether no outcome that can happen pays or passes."""
    for o in range(first, last):
        if ways[o] != 0.0:
            if sign[o] < 0:
                return False
            for j in range(payoff.shape[1]):
                if payoff[o, j] != 0.0:
                    return False
    return True


@kernel
def bound_singles(batch, components, at, discount, value, policy, error, blur=0.0):
    """Fill `error` with the least e for the components at, at + 1, ... in order, as long as they are single states of which this is
    known; returns the first other component, or their number."""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    for c in range(at, components.size - 1):
        state = components[c]
        if components[c + 1] - state > 1:
            return c
        i = state - low
        if action_start[i] == action_start[i + 1]:
            for j in range(value.shape[1]):
                paid = final_payoff[i, j]
                error[state, j] = (abs(value[state, j] - paid) + rounding(paid)) * (1.0 + 4.0 * U)
            continue
        returns = False
        for o in range(outcome_start[action_start[i]], outcome_start[action_start[i + 1]]):
            returns |= next_state[o] == state and ways[o] != 0.0
        if returns and (discount != 1.0 or blur != 0.0):
            return c
        for j in range(value.shape[1]):
            worst = 0.0
            error[state, j] = 0.0  # what leads back counts by itself
            for row in range(action_start[i], action_start[i + 1]):
                first, last = outcome_start[row], outcome_start[row + 1]
                orient = orientation(row == action_start[i] + policy[state], j, player[i])
                if orient == 2:
                    continue
                away, weight = 1.0, 1.0
                if returns:
                    away, weight = goes_on(first, last, ways, next_state, state)
                if away == 0.0:
                    if not never_pays(first, last, ways, sign, payoff):
                        return c
                    bound = abs(value[state, j]) if orient == 0 else max(-orient * value[state, j], 0.0)
                else:
                    excess, later = row_terms(
                        first, last, ways, next_state, sign, payoff, discount, value, error, state, j, orient, blur
                    )
                    bound = excess + later * (1.0 + 4.0 * U)
                    if returns and bound > 0.0:
                        bound *= weight / away * (1.0 + (4 * (last - first) + 32) * 2.0 * U)
                if not bound < np.inf:
                    return c
                worst = max(worst, bound)
            error[state, j] = worst
    return components.size - 1
