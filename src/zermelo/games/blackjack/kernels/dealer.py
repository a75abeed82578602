"""The dealer's outcomes for many shoes and all ten up cards, by one walk over the tree of draws.

    P(t | u) = N / s_u  sum_h m_u(h) prod_i (s_i)_(h_i) / (N)_|h|                         (see dealer_hands.py)

Each hand takes one multiplication of its parent's probability by that of the last draw, and each multiplier one multiplication
with addition.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.lanes import LANES, multiply, weighted_sum

RANKS, ACE, TEN = 10, 0, 9
DEEPEST = 16
CACHE_LINE = 8  # numbers
OUTCOMES = 5  # totals of 17 to 21


@njit(cache=True)
def rows_of_lanes(rows):
    """float64[rows, LANES] that begins at a line of the cache: vectors that cross lines take twice as long."""
    flat = np.empty(rows * LANES + CACHE_LINE)
    skipped = -(flat.ctypes.data // 8) % CACHE_LINE
    return flat[skipped : skipped + rows * LANES].reshape((rows, LANES))


@njit(cache=True, nogil=True, error_model="numpy")
def _walk(parent, factor, rows, multipliers, begin, chances, reached, sums):
    """Follow the tree for LANES shoes: every hand becomes its parent times the chance of its last draw; then sum them up."""
    for v in range(len(parent)):
        multiply(reached, v + 1, reached, np.int64(parent[v]), chances, np.int64(factor[v]))
    for k in range(OUTCOMES * RANKS):
        weighted_sum(sums, k, reached, rows, multipliers, begin[k], begin[k + 1])


@njit(cache=True, nogil=True, error_model="numpy")
def outcomes(tree, shoes, begin, end, out):
    """out[b, t, u] becomes the probability that the dealer ends with 17 + t if u is the up card of shoe b, begin <= b < end.

    shoes : int16[n, 10], the up card still in it. Blackjacks and busts are the rest up to 1. Zero where there is no u.
    """
    parent, factor, rows, multipliers, begin_of, rank, before, position = tree
    reached = rows_of_lanes(len(parent) + 1)
    chances = rows_of_lanes(len(rank))
    sums = rows_of_lanes(OUTCOMES * RANKS)
    counts = rows_of_lanes(RANKS)
    left = rows_of_lanes(DEEPEST)
    cards = np.empty(LANES)
    reached[0] = 1.0
    for start in range(begin, end, LANES):
        width = min(LANES, end - start)
        for b in range(LANES):
            shoe = start + min(b, width - 1)
            cards[b] = 0.0
            for r in range(RANKS):
                counts[r, b] = shoes[shoe, r]
                cards[b] += counts[r, b]
        for n in range(DEEPEST):
            for b in range(LANES):
                left[n, b] = 1.0 / max(cards[b] - n, 1.0)
        for f in range(len(rank)):
            r, k, n = rank[f], before[f], position[f]
            for b in range(LANES):
                chances[f, b] = max(counts[r, b] - k, 0.0) * left[n, b]
        _walk(parent, factor, rows, multipliers, begin_of, chances, reached, sums)
        for u in range(RANKS):
            for b in range(LANES):
                counts[u, b] = cards[b] / counts[u, b] if counts[u, b] > 0.0 else 0.0
        for b in range(width):
            for t in range(OUTCOMES):
                for u in range(RANKS):
                    out[start + b - begin, t, u] = sums[t * RANKS + u, b] * counts[u, b]
