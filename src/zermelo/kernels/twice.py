"""Sums and products in twice the precision: what rounding leaves of a single operation, exactly."""

from __future__ import annotations

import math
from fractions import Fraction

from zermelo.kernels.kernel import kernel, twin


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
    rounded_twice = a * b + c
    if not math.isfinite(rounded_twice):
        return rounded_twice
    exact = Fraction(float(a)) * Fraction(float(b)) + Fraction(float(c))
    return float(exact) if exact else rounded_twice
