"""Ranks of tuples and back (spaces.py says how): one table entry a place."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def rank(low, width, following, before, item):
    """The number of a tuple, or -1."""
    at, total = 0, 0
    for i in range(low.size):
        value = item[i] - low[i]
        if value < 0 or value >= width[i]:
            return -1
        at += value
        total += before[at]
        at = following[at]
        if at < 0:
            return -1
    return total


@njit(cache=True, nogil=True)
def unrank(low, width, following, before, number, item):
    """Write the tuple of this number to `item`. Values are looked through from the largest one down."""
    at = 0
    for i in range(low.size):
        value = width[i] - 1
        while following[at + value] < 0 or before[at + value] > number:
            value -= 1
        at += value
        number -= before[at]
        at = following[at]
        item[i] = value + low[i]


@njit(cache=True, nogil=True)
def rank_all(low, width, following, before, items):
    """int64[n]: ranks of the rows of `items`."""
    ranks = np.empty(items.shape[0], np.int64)
    for k in range(ranks.size):
        ranks[k] = rank(low, width, following, before, items[k])
    return ranks


@njit(cache=True, nogil=True)
def unrank_all(low, width, following, before, ranks):
    """int64[n, places]: the tuples of these ranks."""
    items = np.empty((ranks.size, low.size), np.int64)
    for k in range(ranks.size):
        unrank(low, width, following, before, ranks[k], items[k])
    return items
