"""Subsets of 0..n-1 by number and back, in whole numbers of any size: nothing is stored, so that n may be a billion.

The k-subsets that agree with x above its i-th element and have a smaller one there are choices of i elements below x[i], so that
rank(x) = sum over i of C(x[i], i), i = 1..k, in *colexicographic* order (the largest elements are compared first): the combinatorial
number system (Lehmer 1964). Reversed by x -> n - 1 - x, it counts backwards in *lexicographic* order. Back from a rank, the i-th
element is the last c with C(c, i) <= rank, found by bisection.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from math import comb

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError

ORDERS = ("lexicographic", "colexicographic")


def rank_subset(subset: Iterable[int], n: int, order: str = "lexicographic") -> int:
    """The number of a subset of 0..n-1 among all of its size, from 0 on; its elements may be given in any order.

    `order` is "lexicographic", as in `subsets(n, k)`, or "colexicographic", in which numbers do not depend on n.
    Raises `ParameterError`.
    """
    n = _check(n, order)
    try:
        elements = sorted(operator.index(x) for x in subset)
    except TypeError:
        raise ParameterError(f"subset must hold whole numbers, not {subset!r}") from None
    if len({*elements}) < len(elements) or (elements and not 0 <= elements[0] <= elements[-1] < n):
        raise ParameterError(f"subset must hold different numbers from 0 to {n - 1}, not {elements}")
    if order == ORDERS[0]:
        return comb(n, len(elements)) - 1 - _colexicographic([n - 1 - x for x in reversed(elements)])
    return _colexicographic(elements)


def unrank_subset(rank: int, n: int, k: int, order: str = "lexicographic") -> tuple[int, ...]:
    """The k-subset of 0..n-1 with this number, ascending. `order` as in `rank_subset`. Raises `ParameterError`."""
    n = _check(n, order)
    k = whole("k", k, 0)
    size = comb(n, k)
    if not size:
        raise ParameterError(f"k must be at most {n}: there are no {k} different numbers below {n}")
    rank = whole("rank", rank, 0, size - 1)
    if order == ORDERS[0]:
        return tuple(n - 1 - x for x in reversed(_elements(size - 1 - rank, n, k)))
    return tuple(_elements(rank, n, k))


def _colexicographic(elements: list[int]) -> int:
    return sum(comb(x, i + 1) for i, x in enumerate(elements))


def _elements(rank: int, n: int, k: int) -> list[int]:
    found = []
    for i in range(k, 0, -1):
        low, high = i - 1, n  # C(low, i) <= rank < C(high, i)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if comb(middle, i) <= rank else (low, middle)
        found.append(low)
        rank -= comb(low, i)
        n = low
    return found[::-1]


def _check(n: int, order: str) -> int:
    """n as Python's own whole number: one of numpy would overflow."""
    if order not in ORDERS:
        raise ParameterError(f"order must be {' or '.join(ORDERS)}, not {order!r}")
    return whole("n", n, 0)
