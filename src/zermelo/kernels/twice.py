"""Sums and products in double-double: the rounding error of a single operation, exactly."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.kernels.kernel import kernel, twin

SAFE = 1e100  # between its inverse and this, nothing overflows or underflows below


@kernel(inline="always")
def sum_error(a, b, total):
    """a + b - total, total being a + b rounded (Knuth 1969)."""
    back = total - a
    return (a - (total - back)) + (b - back)


@kernel(inline="always")
def product_error(a, b, product):
    """a * b - product, product being a * b rounded."""
    return fused(a, b, -product)


@twin("zermelo.kernels.machine", "fused")
def fused(a, b, c):
    """a * b + c, rounded once (IEEE 754-2008, fusedMultiplyAdd)."""
    product = a * b
    if c == -product and SAFE > abs(product) > 1 / SAFE and SAFE > abs(a) > 1 / SAFE and SAFE > abs(b) > 1 / SAFE:
        high, low = _halves(float(a))
        other_high, other_low = _halves(float(b))
        return low * other_low - (((float(product) - high * other_high) - low * other_high) - high * other_low) + 0.0  # and no -0.0
    rounded_twice = product + c
    if not math.isfinite(rounded_twice):
        return rounded_twice
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return float(exact) if exact else rounded_twice


def _halves(a: float) -> tuple[float, float]:
    """Two numbers of 26 bits that add up to `a` (Dekker 1971): products of these are exact."""
    large = 134217729.0 * a
    high = large - (large - a)
    return high, a - high
