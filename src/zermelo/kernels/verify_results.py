"""The check of results, those of the player to move, and of distances to the end. Imports nothing: no search for them."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

UNDECIDED = -1  # the distance of a draw that is no final position
NEVER = 1 << 30  # moves to the end, of a position that does not exist


@kernel(inline="always")
def implied(soonest, holds, longest):
    """(result, distance) of a position that is not final, from those of its next positions: `soonest` is the least distance of those that
    the opponent has lost (NEVER if there is none), `holds` whether one is drawn, `longest` the greatest distance of those that they win."""
    if soonest < NEVER:
        return 1, soonest + 1
    if holds:
        return 0, UNDECIDED
    return -1, longest + 1


@kernel
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
        soonest, longest, holds = NEVER, -1, False
        for row in range(first, last):
            j = next_state[row]
            got = sign[row] * result[j]
            if got != 0 and distance[j] < 0:
                return i
            if got == 0:
                holds = True
            elif got > 0:
                soonest = min(soonest, distance[j])
            else:
                longest = max(longest, distance[j])
        expected, away = implied(soonest, holds, longest)
        if result[i] != expected or distance[i] != away:
            return i
    return -1
