"""Ranks of tuples and back (spaces.py says how): one number of a table for each place.

Several spaces of tuples of one length may stand in the tables one after the other: low, width : int64[spaces, places]; the
numbers of space k begin at root[k].
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel


@kernel
def rank(low, width, following, before, root, space, item):
    """The number of a tuple in a space, or -1."""
    at, total = root[space], 0
    for i in range(low.shape[1]):
        value = item[i]
        if value < low[space, i] or value > low[space, i] + (width[space, i] - 1):  # differences may not fit 64 bits
            return -1
        at += value - low[space, i]
        total += before[at]
        at = following[at]
        if at < 0:
            return -1
    return total


@kernel
def unrank(low, width, following, before, root, space, number, item):
    """Write the tuple of this number in a space to `item`."""
    at = root[space]
    for i in range(low.shape[1]):
        value, beyond = 0, width[space, i]
        while beyond - value > 1:  # before[at + value] <= number < before[at + beyond]
            middle = (value + beyond) >> 1
            if before[at + middle] <= number:
                value = middle
            else:
                beyond = middle
        at += value
        number -= before[at]
        at = following[at]
        item[i] = value + low[space, i]


@kernel
def rank_all(low, width, following, before, root, items):
    """int64[n]: ranks of the rows of `items` in the first space."""
    ranks = np.empty(items.shape[0], np.int64)
    for k in range(ranks.size):
        ranks[k] = rank(low, width, following, before, root, 0, items[k])
    return ranks


@kernel
def unrank_all(low, width, following, before, root, ranks):
    """int64[n, places]: the tuples of these ranks in the first space."""
    items = np.empty((ranks.size, low.shape[1]), np.int64)
    for k in range(ranks.size):
        unrank(low, width, following, before, root, 0, ranks[k], items[k])
    return items
