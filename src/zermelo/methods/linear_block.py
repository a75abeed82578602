"""One large block of a sparse linear system x = b + P x, solved to rounding: directly if it is not too large, or has small factors, as
where play goes along a chain or slowly over a plane; otherwise by preconditioned iteration."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spilu, splu

from zermelo.methods.bicgstab import bicgstab, norm
from zermelo.methods.factors import MOST_NUMBERS, ask_for_factors, flat_order, is_flat, small_order, thin_order
from zermelo.methods.refinement import Rough, is_good, refined

DIRECT = 3000  # unknowns up to which a direct solver is used at once if the system is flat, and without a look at memory
FILLED = 1000  # unknowns whose factors take a few hundredths of a second, even if they fill in: less than to find out whether they do
BRANCHING = 10_000  # equations with two or more unknowns on the right up to which small factors are looked for, also where nothing is flat
FIRST_STEPS, FIRST_GAIN = 30, 0.001  # the steps by which an iteration is judged, and the fraction of a residual that they should leave
STEPS = 150  # of an iteration, which converges in far fewer if it suits the system
ENOUGH = 1e-8  # of a residual that an iteration leaves; refinement goes on from there

ITERATION, FACTORISATION = "iteration for linear systems", "a direct solver"


def solve_block(
    transition: csr_matrix, right: np.ndarray, guess: np.ndarray, given_up: set[tuple[str, str]]
) -> np.ndarray:
    """x with x = right + transition x, for each column of `right` : float64[n, m]. Raises RuntimeError if there is none.

    given_up : gets a pair (fast way, method used instead) where a fast way is not suitable."""
    matrix = (identity(transition.shape[0], format="csr") - transition).tocsr()
    if matrix.shape[0] > DIRECT and (found := _found_if_thin(matrix, right, guess)) is not None:
        return found
    direct = factorised_if_slow(matrix, right, guess)
    if direct is None:
        for method in (plain, incomplete):
            with np.errstate(all="ignore"):  # an iteration that does not suit the system may overflow, which its residual shows
                rough = method(matrix)
                found = guess if rough is None else refined(matrix, right, guess, rough)
            if is_good(matrix, found, right):
                return found
        given_up |= {(ITERATION, FACTORISATION)}
        direct = factorised(matrix)
    return refined(matrix, right, direct(right), direct)


def solve_if_thin(transition: csr_matrix, right: np.ndarray) -> np.ndarray | None:
    """x with x = right + transition x, for each column of `right`, if the system is long and thin; else None."""
    return _found_if_thin((identity(transition.shape[0], format="csr") - transition).tocsr(), right, np.zeros_like(right))


def _found_if_thin(matrix: csr_matrix, right: np.ndarray, guess: np.ndarray) -> np.ndarray | None:
    rough = thin(matrix)
    found = None if rough is None else refined(matrix, right, guess, rough)
    return found if found is not None and is_good(matrix, found, right) else None


def factorised(matrix: csr_matrix) -> Rough:
    """Solves with this matrix, whose rows are weakly diagonally dominant, so that rows need not be exchanged and the fill-in is known in
    advance. Raises `OutOfReach` if memory does not suffice."""
    if matrix.shape[0] <= DIRECT:
        return splu(matrix.tocsc()).solve
    return in_this_order(matrix, ask_for_factors(matrix))


def in_this_order(matrix: csr_matrix, order: np.ndarray) -> Rough:
    """Solves with this matrix, whose unknowns are eliminated in this order, each by its own equation."""
    factors = splu(matrix[order][:, order].tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def solve(right: np.ndarray) -> np.ndarray:
        found = np.empty_like(right)
        found[order] = factors.solve(right[order])
        return found

    return solve


def thin(matrix: csr_matrix) -> Rough | None:
    """Solves with a matrix that is long and thin, as of play along a chain, where an iteration would take as many steps as play; None if
    this one is not, or its factors are singular."""
    return _in_order(matrix, thin_order(matrix))


def _in_order(matrix: csr_matrix, order: np.ndarray | None) -> Rough | None:
    try:
        return None if order is None else in_this_order(matrix, order)
    except RuntimeError:  # singular
        return None


def factorised_if_slow(matrix: csr_matrix, right: np.ndarray, guess: np.ndarray) -> Rough | None:
    """Solves with this matrix if play is so long that an iteration begins slowly, and factors are small: those of a flat system, or where
    few equations have branches, or those of at most `FILLED` equations. Up to `DIRECT` flat ones are factorised in any case. Else None."""
    if matrix.shape[0] <= DIRECT and is_flat(matrix):
        return factorised(matrix)
    if not begins_slowly(matrix, right, guess):
        return None
    if matrix.shape[0] <= FILLED:
        return factorised(matrix)
    branches = int((np.diff(matrix.indptr) > 2).sum())  # one nonzero is the diagonal
    return _in_order(matrix, small_order(matrix) if branches <= BRANCHING else flat_order(matrix))


def begins_slowly(matrix: csr_matrix, right: np.ndarray, guess: np.ndarray) -> bool:
    """Whether the first steps of an iteration leave more of a residual than they should."""
    left = right[:, 0] - matrix @ guess[:, 0]
    with np.errstate(all="ignore"):
        step = bicgstab(matrix, left, FIRST_GAIN, FIRST_STEPS)
        return not norm(left - matrix @ step) <= 2.0 * FIRST_GAIN * norm(left)


def plain(matrix: csr_matrix) -> Rough:
    """BiCGSTAB: for play that mixes fast, in components of any size."""
    return lambda right: bicgstab(matrix, right, ENOUGH, STEPS)


def incomplete(matrix: csr_matrix) -> Rough | None:
    """BiCGSTAB with an incomplete factorisation: for long thin components. None if the remaining factors are singular,
    or their indices too large."""
    if max(matrix.nnz, matrix.shape[0]) >= MOST_NUMBERS:
        return None
    try:
        factors = spilu(matrix.tocsc(), drop_tol=1e-2, fill_factor=4)
    except RuntimeError:
        return None
    return lambda right: bicgstab(matrix, right, ENOUGH, STEPS, factors.solve)
