"""Solutions of x = b + P x to rounding: iterative refinement (Wilkinson 1963; Higham 2002, chapter 12) repeats a rough solver on the
residual until rounding stops it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

REFINEMENTS = 40
ROUNDING = 2.0**-52
GOOD = 1e-13  # relative residual at which an iterative solution is accepted

Rough = Callable[[np.ndarray], np.ndarray]
Matrix = Any  # I - P, dense or sparse


def refined(matrix: Matrix, right: np.ndarray, guess: np.ndarray, rough: Rough) -> np.ndarray:
    """All columns refined."""
    return np.column_stack([refine(matrix, b, x, rough) for b, x in zip(right.T, guess.T, strict=True)])


def refine(matrix: Matrix, right: np.ndarray, x: np.ndarray, rough: Rough) -> np.ndarray:
    """Add rough solutions of the residual as long as they make it clearly smaller."""
    best = residual(matrix, x, right)
    for _ in range(REFINEMENTS):
        if not best > ROUNDING * size(x, right):
            break
        better = x + best * rough((right - matrix @ x) / best)
        now = residual(matrix, better, right)
        if not now < best:
            break
        x, stalled, best = better, now > 0.5 * best, now
        if stalled:
            break
    return x


def is_good(matrix: Matrix, x: np.ndarray, right: np.ndarray) -> bool:
    return residual(matrix, x, right) <= GOOD * size(x, right)


def residual(matrix: Matrix, x: np.ndarray, right: np.ndarray) -> float:
    return float(np.max(np.abs(right - matrix @ x)))


def size(x: np.ndarray, right: np.ndarray) -> float:
    return float(max(np.max(np.abs(x)), np.max(np.abs(right))))
