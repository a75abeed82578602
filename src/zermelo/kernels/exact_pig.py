"""The rounds of three iterative programs for Pig to an exact goal (games/exact_pig_methods.py says what they are)."""

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@kernel
def turn(goal, i, j, over, first, value, hold, roll, fails):
    """One turn, where P(j, i, 0) = `over`: what holding and rolling are worth at every turn total, and how likely the turn fails."""
    for k in range(goal - i, -1, -1):
        hold[k] = -1.0
        if k > 0:
            hold[k] = 1.0 if i + k == goal else 1.0 - first[j, i + k]
        worth, lost = 1.0 - over, 1.0
        for face in range(2, 7):
            busts = i + k + face > goal
            worth += 1.0 - over if busts else value[k + face]
            lost += 1.0 if busts else fails[k + face]
        roll[k] = worth / 6
        value[k] = max(hold[k], roll[k])
        fails[k] = 0.0 if hold[k] >= roll[k] else lost / 6


@kernel
def pair_by_pair(goal, rounds, start):
    """P(i, j, 0), pairs of scores with more points in all first. An even number of rounds begins with the opponent's."""
    first = np.full((goal + 1, goal + 1), np.nan)
    value, hold, roll, fails = np.zeros(goal + 1), np.zeros(goal + 1), np.zeros(goal + 1), np.zeros(goal + 1)
    for total in range(2 * goal - 2, -1, -1):
        for i in range(max(0, total - goal + 1), min(goal - 1, total) + 1):
            own, other, found = i, total - i, start
            if rounds % 2 == 0:
                own, other = other, own
            for _ in range(rounds):
                turn(goal, own, other, found, first, value, hold, roll, fails)
                found, own, other = value[0], other, own
            first[i, total - i] = found
    return first


@kernel
def round_by_round(goal, rounds, start):
    """P(i, j, 0) of the last round and of the one before it. With no round left any state is worth `start`, also one that is won."""
    before = np.full((goal + 1, goal + 1), start)
    first = before.copy()
    value = np.zeros(goal + 1)
    for k in range(rounds):
        won = 1.0 - start if k == 0 else 1.0
        for i in range(goal):
            for j in range(goal):
                first[i, j] = next_round(goal, i, j, won, before, value)
        before, first = first, before
    return before, first


@inner
def next_round(goal, i, j, won, before, value):
    """P(i, j, 0) from the round before it. A kernel of its own, so that where Python runs it, it looks at the time."""
    failed = 1.0 - before[j, i]
    for turn in range(goal - i, -1, -1):
        worth = failed
        for face in range(2, 7):
            worth += failed if i + turn + face > goal else value[turn + face]
        hold = won if i + turn == goal else 1.0 - before[j, i + turn]
        value[turn] = max(hold, worth / 6) if turn > 0 else worth / 6
    return value[0]


@kernel
def in_place(goal, rounds, start):
    """P(i, j, k), each value replaced by the next one as soon as that is known."""
    p = np.full((goal + 1, goal + 1, goal + 1), start)
    p[:, goal, :] = 0.0
    for _ in range(rounds):
        for i in range(goal):
            for j in range(goal):
                replace(goal, i, j, p)
    return p


@inner
def replace(goal, i, j, p):
    """Replace P(i, j, k) for every k. A kernel of its own, so that where Python runs it, it looks at the time."""
    for k in range(goal - i, -1, -1):
        rolled = rolling_on(goal, i, j, k, p)
        p[i, j, k] = max(1.0 - p[j, i + k, 0], rolled) if k > 0 else rolled


@inner
def rolling_on(goal, i, j, k, p):
    """What rolling is worth, from P(i, j, k)."""
    failed = 1.0 - p[j, i, 0]
    worth = failed
    for face in range(2, 7):
        worth += failed if i + k + face > goal else p[i, j, k + face]
    return worth / 6


@kernel
def decisions(goal, first):
    """What holding and rolling are worth in every position, from P(i, j, 0)."""
    holding, rolling = np.full((goal, goal, goal + 1), np.nan), np.full((goal, goal, goal + 1), np.nan)
    value, hold, roll, fails = np.zeros(goal + 1), np.zeros(goal + 1), np.zeros(goal + 1), np.zeros(goal + 1)
    for i in range(goal):
        for j in range(goal):
            turn(goal, i, j, first[j, i], first, value, hold, roll, fails)
            for k in range(1, goal - i + 1):
                holding[i, j, k], rolling[i, j, k] = hold[k], roll[k]
    return holding, rolling


@kernel
def decisions_of_all(goal, p):
    """The same from P(i, j, k) as the last round left them."""
    holding, rolling = np.full((goal, goal, goal + 1), np.nan), np.full((goal, goal, goal + 1), np.nan)
    for i in range(goal):
        for j in range(goal):
            for k in range(1, goal - i + 1):
                holding[i, j, k], rolling[i, j, k] = 1.0 - p[j, i + k, 0], rolling_on(goal, i, j, k, p)
    return holding, rolling


@kernel
def failing(goal, first):
    """float64[goal, goal]: the probability that the best turn fails."""
    found = np.zeros((goal, goal))
    value, hold, roll, fails = np.zeros(goal + 1), np.zeros(goal + 1), np.zeros(goal + 1), np.zeros(goal + 1)
    for i in range(goal):
        for j in range(goal):
            turn(goal, i, j, first[j, i], first, value, hold, roll, fails)
            found[i, j] = fails[0]
    return found
