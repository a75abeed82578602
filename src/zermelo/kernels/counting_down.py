"""Games that end after a number of moves (engines/horizon/): their states apart from the moves left; their values, one move after another.

While states are found, the number of moves left is held at its first value. A key has one bit for it: 1 as long as no move was made, 0
after a move. It is set again, so that the next move finds the state as the first one did."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel


@kernel
def hold(keys, word, bit):
    """Set the bit in every key; the place of the first one in which it was set, -1 if there is none. Items that are no keys stay."""
    flag, first = np.int64(1) << bit, -1
    for k in range(len(keys)):
        if keys.ndim == 1:
            if keys[k] < 0:
                continue
            if keys[k] & flag and first < 0:
                first = k
            keys[k] |= flag
        else:
            if keys[k, 0] < 0:
                continue
            if keys[k, word] & flag and first < 0:
                first = k
            keys[k, word] |= flag
    return first


@kernel(inline="always")
def first_best(first, last, outcome_start, next_state, coef, reward, player, before):
    """What the first best one of the rows first..last-1 is worth, and which it is."""
    best, chosen, sense = 0.0, first, 1.0 if player == 0 else -1.0
    for row in range(first, last):
        worth = reward[row, 0]
        for o in range(outcome_start[row], outcome_start[row + 1]):
            worth += coef[o] * before[next_state[o], 0]
        if row == first or sense * worth > sense * best:
            best, chosen = worth, row
    return best, chosen


@kernel
def one_move_more(low, high, action_start, outcome_start, next_state, coef, reward, final_payoff, player, before, after):
    """after[low:high] : what states are worth with one move more left than `before` (float64[states, payoffs]) has.

    coef, reward : kernels/condense.py. Payoff 0 decides: the first best row; the other payoffs follow it."""
    payoffs = after.shape[1]
    for i in range(low, high):
        first, last = action_start[i], action_start[i + 1]
        if first == last:
            for j in range(payoffs):
                after[i, j] = final_payoff[i, j]
            continue
        best, chosen = first_best(first, last, outcome_start, next_state, coef, reward, player[i], before)
        after[i, 0] = best
        for j in range(1, payoffs):
            worth = reward[chosen, j]
            for o in range(outcome_start[chosen], outcome_start[chosen + 1]):
                worth += coef[o] * before[next_state[o], j]
            after[i, j] = worth


@kernel
def play_on(
    state, weight, totals, lengths, drawn, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player, coef, reward,
    before, discount,
):  # fmt: skip
    """Make one move in every play that is not over, by the first best row (as in `one_move_more`); returns how many moves were made.

    state : int64[plays], -1 where play is over; weight : float64[plays], what payoffs count (negative after PASS); drawn : float64[plays],
    from 0 to 1; before : the values with one move left less."""
    made = 0
    for p in range(len(state)):
        i = state[p]
        if i < 0:
            continue
        first, last = action_start[i], action_start[i + 1]
        if first == last:
            for j in range(totals.shape[1]):
                totals[p, j] += weight[p] * final_payoff[i, j]
            state[p] = -1
            continue
        _, chosen = first_best(first, last, outcome_start, next_state, coef, reward, player[i], before)
        total = 0.0
        for o in range(outcome_start[chosen], outcome_start[chosen + 1]):
            total += ways[o]
        rest, o = drawn[p] * total, outcome_start[chosen]
        while o < outcome_start[chosen + 1] - 1 and (rest >= ways[o] or ways[o] == 0.0):
            rest -= ways[o]
            o += 1
        for j in range(totals.shape[1]):
            totals[p, j] += weight[p] * payoff[o, j]
        weight[p] *= discount if sign[o] > 0 else -discount
        state[p] = next_state[o]
        lengths[p] += 1
        made += 1
    return made


@kernel
def moves_more(
    count, action_start, outcome_start, next_state, coef, reward, final_payoff, player, value, other, error, rounding, paid, discount,
    is_relative, room, tiny,
):  # fmt: skip
    """The same for `count` moves and all states: `value` and `error` become what they are then (engines/horizon/sweeping.py). `other` : as
    `value`, scratch."""
    states, payoffs = value.shape
    for _ in range(count):
        for j in range(payoffs):
            largest = 0.0
            if not is_relative:
                for i in range(states):
                    largest = max(largest, abs(value[i, j]))
            error[j] = next_error(error[j], rounding, paid[j], largest, discount, is_relative, room, tiny)
        one_move_more(0, states, action_start, outcome_start, next_state, coef, reward, final_payoff, player, value, other)
        for i in range(states):
            for j in range(payoffs):
                value[i, j] = other[i, j]


@kernel(inline="always")
def next_error(error, rounding, paid, largest, discount, is_relative, room, tiny):
    """The bound with one move more left; `largest` : the largest value of the layer before."""
    if is_relative:
        return (error + rounding) * room
    return (discount * error + rounding * (paid + largest)) * room + tiny
