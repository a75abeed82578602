"""From a number to a subset, in colexicographic order: the three ways of "Analysis of Left-Center-Right" (Possibly Wrong blog), and the
tables of zermelo.spaces. All compiled; every way unranks all k-subsets of n numbers. Checksums agree but for the order of subsets.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from contender import Result, clocked, timed
from numba import njit


def measured(unrank: Callable[..., None], n: int, k: int, *tables: Any) -> Result:
    total = math.comb(n, k)

    @njit
    def all_of_them() -> int:
        subset, check = np.empty(k, np.int64), 0
        for rank in range(total):
            unrank(rank, n, k, subset, *tables)
            for i in range(k):
                check += subset[i] * (i + 1)
        return check

    first, middle, check, peak = timed(all_of_them)
    parts = {"ns a subset": 1e9 * middle / total}
    return {"seconds": middle, "first": first, "states": total, "value": float(check), "peak_mib": peak, "parts": parts}


def binomials(n: int, k: int) -> np.ndarray:
    return np.array([[math.comb(i, j) for j in range(k + 1)] for i in range(n + 1)], np.int64)


def guess(n: int, k: int) -> Result:
    """Try every number from the largest down; is the rank as large as the number of subsets of smaller ones?"""

    @njit
    def unrank(rank, n, k, subset, table):
        while k > 0:
            n -= 1
            if rank >= table[n, k]:
                rank -= table[n, k]
                k -= 1
                subset[k] = n

    return measured(unrank, n, k, binomials(n, k))


def updated(n: int, k: int) -> Result:
    """The same without a table: neighbouring binomials differ by a simple factor."""
    whole = math.comb(n, k)

    @njit
    def unrank(rank, n, k, subset, offset):
        while k > 0:
            offset = offset * (n - k) // n
            n -= 1
            if rank >= offset:
                rank -= offset
                k -= 1
                subset[k] = n
                if k < n:
                    offset = offset * (k + 1) // (n - k)

    return measured(unrank, n, k, whole)


def binary(n: int, k: int) -> Result:
    """Halve the interval in which the next number lies."""

    @njit
    def unrank(rank, n, k, subset, table):
        while k > 0:
            low = k - 1
            while low < n:
                middle = (low + n + 1) // 2
                if rank < table[middle, k]:
                    n = middle - 1
                else:
                    low = middle
            rank -= table[n, k]
            k -= 1
            subset[k] = n

    return measured(unrank, n, k, binomials(n, k))


def automaton(n: int, k: int) -> Result:
    """zermelo.spaces.subsets, in lexicographic order."""
    from zermelo.kernels.ranking import unrank as kernel
    from zermelo.spaces import subsets, tables

    by_table = kernel.compiled

    @njit
    def unrank(rank, n, k, subset, low, width, following, before, root):
        by_table(low, width, following, before, root, 0, rank, subset)

    space = subsets(n, k)
    result = measured(unrank, n, k, *tables([space]))
    items = space.unrank_all(np.arange(min(space.size, 1_000_000)))
    space.rank_all(items[:1])
    result["parts"]["ns to rank"] = 1e9 * clocked(lambda: space.rank_all(items)) / len(items)
    return result
