"""BiCGSTAB (van der Vorst 1992), for systems A x = b that are not symmetric.

scipy has one, whose sums are made by BLAS: its threads spin while they wait for one another, so that a system took eight times as long on a
busy machine, and last bits depend on how many there are."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

BROKEN_DOWN = 2.0**-104  # where an inner product is as small as that, the method can't go on


def bicgstab(
    matrix: Any, right: np.ndarray, accuracy: float, most: int, helper: Callable[[np.ndarray], np.ndarray] | None = None
) -> np.ndarray:
    """An approximate x : float64[n], after at most so many steps; sooner if the residual is no more than `accuracy` times `right`, or the
    method breaks down. helper : solves approximately with the matrix."""
    solved = helper or (lambda vector: vector)
    x, r = np.zeros_like(right), right.copy()
    shadow, enough = right, accuracy * norm(right)
    p, v, rho, alpha, omega = np.zeros_like(right), np.zeros_like(right), 1.0, 1.0, 1.0
    for _ in range(most):
        if not norm(r) > enough:
            break
        before, rho = rho, _inner(shadow, r)
        if not abs(rho) > BROKEN_DOWN or not abs(omega) > BROKEN_DOWN:
            break
        p = r + rho / before * (alpha / omega) * (p - omega * v)
        forth = solved(p)
        v = matrix @ forth
        below = _inner(shadow, v)
        if below == 0.0:
            break
        alpha = rho / below
        r = r - alpha * v
        x += alpha * forth
        if not norm(r) > enough:
            break
        back = solved(r)
        t = matrix @ back
        square = _inner(t, t)
        if square == 0.0:
            break
        omega = _inner(t, r) / square
        x += omega * back
        r -= omega * t
    return x


def _inner(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.einsum("i,i", x, y))


def norm(x: np.ndarray) -> float:
    """The length of a vector, not by BLAS."""
    return math.sqrt(_inner(x, x))
