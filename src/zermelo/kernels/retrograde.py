"""Win, draw or loss and distance to the end, backwards from the final positions.

Results are those of the player to move: +1, 0, -1. A position is won in d moves if a move leads to one lost (for the
opponent) in d - 1 and none to one lost sooner; lost in d if every move leads to a won one and the longest of them takes d - 1;
drawn otherwise. Reference: Thompson (1986), Retrograde analysis of certain endgames, ICCA Journal 9(3).
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel
from zermelo.kernels.verify_results import UNDECIDED


@kernel
def predecessors(action_start: np.ndarray, next_state: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """For every state the rows that lead to it: state i follows from rows[start[i] : start[i+1]]. Fills `rows`, whole numbers, one for each
    row of the game; returns `start` int64[n+1]."""
    n = len(action_start) - 1
    start = np.zeros(n + 1, np.int64)
    for row in range(len(next_state)):
        start[next_state[row] + 1] += 1
    for i in range(n):
        start[i + 1] += start[i]
    fill = start[:-1].copy()
    for row in range(len(next_state)):
        rows[fill[next_state[row]]] = row
        fill[next_state[row]] += 1
    return start


@kernel
def retrograde(
    action_start: np.ndarray, next_state: np.ndarray, sign: np.ndarray, state_of: np.ndarray, final: np.ndarray,
    start: np.ndarray, rows: np.ndarray, result: np.ndarray, distance: np.ndarray,
) -> None:  # fmt: skip
    """Fill result int8[n] and distance int32[n] (UNDECIDED for draws that are not final positions).

    `next_state`, `sign` : whole numbers and int8[rows], sign -1 where the opponent moves next; `state_of` : the state that each row
    belongs to; `final` : int8[n], the result of a final position; `start`, `rows` : from `predecessors`.
    """
    n = len(result)
    open_moves = np.empty(n, np.int32)
    queue = np.empty(n, state_of.dtype)
    head, tail = 0, 0
    for i in range(n):
        open_moves[i] = action_start[i + 1] - action_start[i]
        result[i] = 0
        distance[i] = UNDECIDED
        if open_moves[i] == 0:
            result[i] = final[i]
            distance[i] = 0
            if final[i] != 0:
                queue[tail] = i
                tail += 1
    while head < tail:  # the queue is ordered by distance
        i = queue[head]
        head += 1
        for k in range(start[i], start[i + 1]):
            row = rows[k]
            j = state_of[row]
            if distance[j] != UNDECIDED:
                continue
            if sign[row] * result[i] > 0:
                result[j] = 1
            else:
                open_moves[j] -= 1
                if open_moves[j] > 0:
                    continue
                result[j] = -1
            distance[j] = distance[i] + 1
            queue[tail] = j
            tail += 1


@kernel
def best_moves(
    action_start: np.ndarray,
    next_state: np.ndarray,
    sign: np.ndarray,
    result: np.ndarray,
    distance: np.ndarray,
    policy: np.ndarray,
) -> None:
    """policy int32[n]: the quickest win, a move that holds the draw, or the longest defence; -1 for final positions."""
    for i in range(len(result)):
        policy[i] = -1
        best = 0
        for row in range(action_start[i], action_start[i + 1]):
            got = sign[row] * result[next_state[row]]
            if got != result[i]:
                continue
            away = distance[next_state[row]]
            if policy[i] < 0 or (got > 0 and away < best) or (got < 0 and away > best):
                policy[i] = row - action_start[i]
                best = away
