"""Sums and products in twice the precision: what rounding leaves of a single operation, exactly."""

from __future__ import annotations

from numba import njit

SPLIT = 134217729.0  # 2^27 + 1


@njit(inline="always")
def sum_error(a, b, total):
    """a + b - total, total being a + b rounded (Knuth 1969)."""
    back = total - a
    return (a - (total - back)) + (b - back)


@njit(inline="always")
def product_error(a, b, product):
    """a * b - product, product being a * b rounded (Dekker 1971)."""
    t = SPLIT * a
    high_a = t - (t - a)
    low_a = a - high_a
    t = SPLIT * b
    high_b = t - (t - b)
    low_b = b - high_b
    return ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b
