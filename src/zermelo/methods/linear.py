"""Sparse linear systems x = b + P x, solved to rounding: directly while they are small, else by preconditioned
iteration.

The systems come from policies: x are values, P the coefficients of the next states, sum |P| <= 1 in every row.
Iterative refinement (Wilkinson 1963; Higham 2002, chapter 12) repeats a rough solver on the residual until rounding
stops it.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import LinearOperator, bicgstab, spilu, splu

DIRECT = 3000  # unknowns up to which a direct solver is used at once
STEPS = 150  # of an iteration, which converges in far fewer if it suits the system
REFINEMENTS = 40
ROUNDING = 2.0**-52
GOOD = 1e-13  # relative residual at which an iterative solution is accepted

Rough = Callable[[np.ndarray], np.ndarray]


def solve(transition: csr_matrix, right: np.ndarray, guess: np.ndarray) -> np.ndarray:
    """x with x = right + transition x, for each column of `right` : float64[n, m]. Raises RuntimeError if there is none."""
    matrix = (identity(transition.shape[0], format="csr") - transition).tocsr()
    for method in (plain, incomplete) if matrix.shape[0] > DIRECT else ():
        guess = refined(matrix, right, guess, method(matrix))
        if residual(matrix, guess, right) <= GOOD * size(guess, right):
            return guess
    direct = splu(matrix.tocsc())
    return refined(matrix, right, direct.solve(right), direct.solve)


def plain(matrix: csr_matrix) -> Rough:
    """BiCGSTAB (van der Vorst 1992): for play that mixes fast, however large the component."""
    return lambda right: bicgstab(matrix, right, rtol=1e-8, maxiter=STEPS)[0]


def incomplete(matrix: csr_matrix) -> Rough:
    """BiCGSTAB with an incomplete factorisation: for long thin components."""
    factors = spilu(matrix.tocsc(), drop_tol=1e-2, fill_factor=4)
    helper = LinearOperator(matrix.shape, factors.solve)
    return lambda right: bicgstab(matrix, right, rtol=1e-8, maxiter=STEPS, M=helper)[0]


def residual(matrix: csr_matrix, x: np.ndarray, right: np.ndarray) -> float:
    return float(np.max(np.abs(right - matrix @ x)))


def size(x: np.ndarray, right: np.ndarray) -> float:
    return float(max(np.max(np.abs(x)), np.max(np.abs(right))))


def refined(matrix: csr_matrix, right: np.ndarray, guess: np.ndarray, rough: Rough) -> np.ndarray:
    """All columns refined."""
    return np.column_stack([refine(matrix, b, x, rough) for b, x in zip(right.T, guess.T, strict=True)])


def refine(matrix: csr_matrix, right: np.ndarray, x: np.ndarray, rough: Rough) -> np.ndarray:
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
