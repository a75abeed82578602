"""The check of results and distances to the end, in the view of the player to move. Imports nothing: no search for them."""

from __future__ import annotations

import numpy as np
from numba import njit

UNDECIDED = -1  # the distance of a draw that is no finished position


@njit(cache=True)
def first_wrong(
    action_start: np.ndarray,
    next_state: np.ndarray,
    sign: np.ndarray,
    final: np.ndarray,
    result: np.ndarray,
    distance: np.ndarray,
) -> int:
    """The first state whose claim does not follow from its successors' claims, or -1: then all claims are proven.

    Wins and losses follow by induction on the distance; the remaining positions are draws because each has a move to another
    such position (or a drawn final one) and none to a position lost for the opponent.
    """
    for i in range(len(result)):
        first, last = action_start[i], action_start[i + 1]
        if first == last:
            if result[i] != final[i] or distance[i] != 0:
                return i
            continue
        best = -1
        nearest, farthest = np.int32(2**31 - 1), np.int32(-1)
        for row in range(first, last):
            j = next_state[row]
            got = sign[row] * result[j]
            if got != 0 and distance[j] < 0:
                return i
            best = max(best, got)
            if got > 0:
                nearest = min(nearest, distance[j])
            elif got < 0:
                farthest = max(farthest, distance[j])
        if result[i] != best:
            return i
        if best > 0 and distance[i] != nearest + 1:
            return i
        if best < 0 and distance[i] != farthest + 1:
            return i
        if best == 0 and distance[i] != UNDECIDED:
            return i
    return -1
