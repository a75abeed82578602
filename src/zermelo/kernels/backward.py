"""Backward induction in one pass: every next state has a smaller number, so its value is known when it is asked for.

    v(s) = max (player 0) or min (player 1) over the rows a of s of
           (sum over the outcomes o of a of ways[o] * (payoff[o] + discount * sign[o] * v(next[o]))) / (sum of ways[o])

Reference: Zermelo (1913); Bellman, Dynamic Programming (1957), chapter 3.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel


@kernel(inline="always")
def expected(row, j, outcome_start, ways, next_state, sign, payoff, discount, value):
    """Expected value of payoff j when `row` is played."""
    total, weight = 0.0, 0.0
    for o in range(outcome_start[row], outcome_start[row + 1]):
        later = discount * value[next_state[o], j]
        if sign[o] < 0:
            later = -later
        weight += ways[o]
        total += ways[o] * (payoff[o, j] + later)
    return total / weight


@kernel
def backward(
    low, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player, discount, value, policy
):
    """Fill `value` and `policy` of the batch's states in order.

    Payoff 0 decides: the first best row is the policy (rows are compared as computed, by strict > or <, so that of equal rows
    the earliest wins, and among rows that differ by rounding alone any may win). The other payoffs follow the policy.
    Returns the first state that has a next state with no smaller number (the batch is cyclic there), or -1.
    """
    for i in range(action_start.size - 1):
        state = low + i
        first, last = action_start[i], action_start[i + 1]
        if first == last:
            policy[state] = -1
            for j in range(value.shape[1]):
                value[state, j] = final_payoff[i, j]
            continue
        for o in range(outcome_start[first], outcome_start[last]):
            if next_state[o] >= state:
                return state
        best, best_row = 0.0, -1
        for row in range(first, last):
            worth = expected(row, 0, outcome_start, ways, next_state, sign, payoff, discount, value)
            if best_row < 0 or (worth > best if player[i] == 0 else worth < best):
                best, best_row = worth, row
        policy[state] = best_row - first
        value[state, 0] = best
        for j in range(1, value.shape[1]):
            value[state, j] = expected(best_row, j, outcome_start, ways, next_state, sign, payoff, discount, value)
    return np.int64(-1)
