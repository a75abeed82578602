"""The number of moves left, held at its first value while a game's other numbers are explored (engines/horizon/).

A key has one bit for it: 1 as long as no move was made, 0 after a move. It is set again, so that the next move finds the state as the first
one did."""

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
