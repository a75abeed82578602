"""A component seen from both sides: the compiled form of `two_sides` in certificates/sides.py.

A state counts twice. As s+ (node s) its value is bounded from above, the minimiser keeping to the given policy; as s- (node n + s) the
negated value is, the maximiser keeping to it. PASS leads from one side to the other, so that all nodes maximise.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@inner
def is_unpaid(batch, start, end):
    """Whether nothing is paid in the states start..end-1."""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    for o in range(outcome_start[action_start[start - low]], outcome_start[action_start[end - low]]):
        if payoff[o, 0] != 0.0 and ways[o] != 0.0:
            return False
    return True


@kernel
def both_sides(batch, start, end, value, policy, error):
    """(first_row, first_outcome, ways, to, payoff, value, error) of the 2n nodes, the first payoff; every outcome that leaves has a node of
    its own beyond."""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    n, base = end - start, start - low
    first_row = np.zeros(2 * n + 1, np.int64)
    outcomes, beyond = 0, 0
    for node in range(2 * n):
        s, side = node % n, node // n
        rows = action_start[base + s + 1] - action_start[base + s]
        first_row[node + 1] = first_row[node] + (rows if player[base + s] == side else 1)
        for row in range(action_start[base + s], action_start[base + s + 1]):
            if player[base + s] == side or row == action_start[base + s] + policy[start + s]:
                outcomes += outcome_start[row + 1] - outcome_start[row]
                for o in range(outcome_start[row], outcome_start[row + 1]):
                    beyond += next_state[o] < start or next_state[o] >= end
    first_outcome = np.zeros(first_row[2 * n] + 1, np.int64)
    weight, to, paid = np.empty(outcomes), np.empty(outcomes, next_state.dtype), np.empty((outcomes, 1))
    worth, unsure = np.empty((2 * n + beyond, 1)), np.zeros((2 * n + beyond, 1))
    rows, outcomes, beyond = 0, 0, 2 * n
    for node in range(2 * n):
        s, side = node % n, node // n
        worth[node, 0] = value[start + s, 0] if side == 0 else -value[start + s, 0]
        for row in range(action_start[base + s], action_start[base + s + 1]):
            if not (player[base + s] == side or row == action_start[base + s] + policy[start + s]):
                continue
            for o in range(outcome_start[row], outcome_start[row + 1]):
                t, after = next_state[o], side if sign[o] > 0 else 1 - side
                weight[outcomes] = ways[o]
                paid[outcomes, 0] = payoff[o, 0] if side == 0 else -payoff[o, 0]
                if start <= t < end:
                    to[outcomes] = t - start + n * after
                else:
                    to[outcomes] = beyond
                    worth[beyond, 0] = value[t, 0] if after == 0 else -value[t, 0]
                    unsure[beyond, 0] = error[t, 0] if ways[o] != 0.0 else 0.0
                    beyond += 1
                outcomes += 1
            rows += 1
            first_outcome[rows] = outcomes
    return first_row, first_outcome, weight, to, paid, worth, unsure
