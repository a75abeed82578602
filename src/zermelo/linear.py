"""Sparse linear systems x = b + P x, solved to rounding: directly while they are small, else by preconditioned iteration.

The systems come from policies: x are values, P the coefficients of the next states, sum |P| <= 1 in every row.
Iterative refinement (Wilkinson 1963; Higham 2002, chapter 12) repeats a rough solver on the residual until rounding stops it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import LinearOperator, gmres, spilu, splu

DIRECT = 3000  # unknowns up to which a direct solver is used at once
REFINEMENTS = 40
ROUNDING = 2.0**-52
GOOD = 1e-11  # relative residual at which an iterative solution is accepted, should rounding not stop it earlier

Rough = Callable[[np.ndarray], np.ndarray]


def solve(transition: csr_matrix, right: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """x with x = right + transition x, for each column of `right` : float64[n, m]. Raises RuntimeError if there is none."""
    matrix = (identity(transition.shape[0], format="csr") - transition).tocsr()
    if matrix.shape[0] > DIRECT:
        rough = preconditioned(matrix)
        found = np.column_stack([refine(matrix, column, x, rough) for column, x in zip(right.T, guess.T, strict=True)])
        if residual(matrix, found, right) <= GOOD * size(found, right):
            return found
    direct = splu(matrix.tocsc())
    return np.column_stack([refine(matrix, column, direct.solve(column), direct.solve) for column in right.T])


def residual(matrix: csr_matrix, x: np.ndarray, right: np.ndarray) -> float:
    return float(np.max(np.abs(right - matrix @ x)))


def size(x: np.ndarray, right: np.ndarray) -> float:
    return float(max(np.max(np.abs(x)), np.max(np.abs(right))))


def refine(matrix: csr_matrix, right: np.ndarray, x: np.ndarray, rough: Rough) -> np.ndarray:
    """Add rough solutions of the residual as long as they make it clearly smaller."""
    best = residual(matrix, x, right)
    for _ in range(REFINEMENTS):
        if best <= ROUNDING * size(x, right):
            break
        better = x + rough(right - matrix @ x)
        now = residual(matrix, better, right)
        if not now < best:
            break
        x, stalled, best = better, now > 0.5 * best, now
        if stalled:
            break
    return x


def preconditioned(matrix: csr_matrix) -> Rough:
    """GMRES (Saad and Schultz 1986) with an incomplete factorisation, to a few digits."""
    factors = spilu(matrix.tocsc(), drop_tol=1e-3, fill_factor=8)
    helper = LinearOperator(matrix.shape, factors.solve)
    return lambda right: gmres(matrix, right, rtol=1e-6, restart=40, maxiter=10, M=helper)[0]
