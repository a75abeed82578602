"""Sums and products in twice the precision: what rounding leaves of a single operation, exactly."""

from __future__ import annotations

from typing import Any

from numba import njit, types
from numba.extending import intrinsic


@njit(inline="always")
def sum_error(a, b, total):
    """a + b - total, total being a + b rounded (Knuth 1969)."""
    back = total - a
    return (a - (total - back)) + (b - back)


@njit(inline="always")
def product_error(a, b, product):
    """a * b - product, product being a * b rounded."""
    return fused(a, b, -product)


@intrinsic
def fused(typingctx: Any, a: Any, b: Any, c: Any) -> Any:
    """a * b + c, rounded once (IEEE 754-2008, fusedMultiplyAdd)."""

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fma(*arguments)

    return types.float64(types.float64, types.float64, types.float64), codegen
