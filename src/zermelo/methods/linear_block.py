"""One large block of a sparse linear system x = b + P x, solved to rounding: directly if it is not too large, or has small factors, as
where play goes along a chain or slowly over a plane; otherwise by preconditioned iteration."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix, identity
from scipy.sparse.csgraph import breadth_first_order
from scipy.sparse.linalg import spilu, splu

from zermelo.methods.bicgstab import bicgstab, norm
from zermelo.methods.factors import (
    MOST_NUMBERS,
    ask_for_factors,
    flat_order,
    is_flat,
    small_order,
    thin_order,
    tiny_order,
)
from zermelo.methods.refinement import Rough, is_good, refined
from zermelo.methods.sweeping import best_place, settle, system_of

DIRECT = 3000  # unknowns up to which a direct solver is used at once if the system is flat, and without a look at memory
FILLED = 1000  # unknowns whose factors take a few hundredths of a second, even if they fill in: less than to find out whether they do
BRANCHING = 10_000  # equations with two or more unknowns on the right up to which small factors are looked for, also where nothing is flat
FIRST_STEPS, FIRST_GAIN = 30, 0.001  # the steps by which an iteration is judged, and the fraction of a residual that they should leave
SELDOM = 1e-3  # where play leaves with a smaller probability in every move, sweeps would take as many
OFTEN = 0.1  # where play leaves with this share of the largest probability, or more often, sweeps begin
STEPS = 150  # of an iteration, which converges in far fewer if it suits the system
ENOUGH = 1e-8  # of a residual that an iteration leaves; refinement goes on from there

ITERATION, FACTORISATION = "iteration for linear systems", "a direct solver"


def solve_block(
    transition: csr_matrix, right: np.ndarray, guess: np.ndarray, given_up: set[tuple[str, str]]
) -> np.ndarray:
    """x with x = right + transition x, for each column of `right` : float64[n, m]. Raises RuntimeError if there is none.

    given_up : gets a pair (fast way, method used instead) where a fast way is not suitable."""
    matrix = (identity(transition.shape[0], format="csr") - transition).tocsr()

    def found_by(rough: Rough | None) -> np.ndarray | None:
        return _found(matrix, right, guess, rough)

    direct, is_large = None, matrix.shape[0] > DIRECT
    if is_large and (found := found_by(thin(matrix))) is not None:
        return found
    if not is_large and is_flat(matrix):
        direct = factorised(matrix)
    elif begins_slowly(matrix, right, guess):
        direct = _in_order(matrix, tiny_order(matrix)) if is_large else None
        if is_large and direct is None and (found := found_by(by_sweeps(transition))) is not None:
            return found
        direct = direct or with_small_factors(matrix)
    if direct is None:
        for method in (plain, incomplete):
            if (found := found_by(method(matrix))) is not None:
                return found
        given_up |= {(ITERATION, FACTORISATION)}
        direct = factorised(matrix)
    return refined(matrix, right, direct(right), direct)


def solve_if_thin(transition: csr_matrix, right: np.ndarray) -> np.ndarray | None:
    """x with x = right + transition x, for each column of `right`, if the system is long and thin; else None."""
    matrix = (identity(transition.shape[0], format="csr") - transition).tocsr()
    return _found(matrix, right, np.zeros_like(right), thin(matrix))


def _found(matrix: csr_matrix, right: np.ndarray, guess: np.ndarray, rough: Rough | None) -> np.ndarray | None:
    """The guess, refined if there is a rough solver; None if it is not good then."""
    with np.errstate(all="ignore"):  # an iteration that does not suit the system may overflow, which its residual shows
        found = guess if rough is None else refined(matrix, right, guess, rough)
    return found if is_good(matrix, found, right) else None


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


def with_small_factors(matrix: csr_matrix) -> Rough | None:
    """Solves with this matrix if its factors are small: those of a flat system, or where few equations have branches, or those of at most
    `FILLED` equations; else None."""
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


def by_sweeps(transition: csr_matrix) -> Rough | None:
    """Sweeps (sweeping.py), beginning where play leaves: for large systems in which play may take long. None if it hardly ever leaves."""
    parts, key = (transition.indptr, transition.indices, transition.data), from_exits(transition)
    if key is None:
        return None
    place = best_place((*parts[:2], np.abs(parts[2])), [np.arange(key.size), key])

    def solve(right: np.ndarray) -> np.ndarray:
        system = system_of(parts, right[:, None], place)
        x = np.empty_like(system.right)
        return x[place, 0] if system.first[-1] >= 0 and settle(system, x, ENOUGH) >= 0 else np.zeros_like(right)

    return solve


def from_exits(transition: csr_matrix) -> np.ndarray | None:
    """int64[n], numbers of the unknowns, the smaller the fewer moves it takes to where play leaves most often; None if that is seldom."""
    leaving, n = 1.0 - np.asarray(abs(transition).sum(axis=1)).ravel(), transition.shape[0]
    if not leaving.max() >= SELDOM:
        return None
    exits, back = np.flatnonzero(leaving >= OFTEN * leaving.max()), transition.T.tocsr()
    first, to = np.append(back.indptr, back.nnz + exits.size), np.concatenate([back.indices, exits])
    found = breadth_first_order(csr_matrix((np.ones(to.size), to, first), shape=(n + 1, n + 1)), n, return_predecessors=False)[1:]
    key = np.full(n, n)
    key[found] = np.arange(found.size)
    return key


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
