"""Sparse linear systems x = b + P x, solved to rounding block by block.

The systems come from policies: x are values, P the coefficients of the next states, sum |P| <= 1 in every row. A policy leads through
its component in one direction more often than not, so the blocks (strongly connected components of P) are small even if the
component is large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running, runs
from zermelo.kernels.blocks import in_blocks, solve_small
from zermelo.methods import dense
from zermelo.methods.refinement import refined

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

DENSE = 300  # unknowns up to which a dense matrix takes less time than loading a library for sparse ones

Compressed = tuple[np.ndarray, np.ndarray, np.ndarray]  # indptr, indices and data of a matrix whose rows are compressed


def solve(
    transition: Compressed, right: np.ndarray, guess: np.ndarray, given_up: set[tuple[str, str]] | None = None
) -> np.ndarray:
    """x with x = right + transition x, for each column of `right` : float64[n, m]. Raises RuntimeError if there is none.

    given_up : gets a pair (fast way, method used instead) where a fast way is not suitable."""
    indptr, indices, data = transition
    index = number_type(max(data.size, indptr.size))
    parts = indptr.astype(index, copy=False), indices.astype(index, copy=False), data
    order, start = in_blocks(*parts)
    x, at, place = np.array(guess, np.float64), 0, np.full(indptr.size - 1, -1, index)
    while (at := solve_small(*parts, right, order, start, at, place, x)) < start.size - 1:
        block = order[start[at] : start[at + 1]]
        place[block] = np.arange(block.size)
        inside, known = _parted(parts, right, x, block, place)
        place[block] = -1
        if block.size <= DENSE:
            x[block] = _solved_densely(inside, known)
        else:
            from zermelo.methods.linear_block import solve_block

            x[block] = solve_block(_sparse(inside), known, x[block], set() if given_up is None else given_up)
        at += 1
    return x


def solve_thin(transition: Compressed, right: np.ndarray) -> np.ndarray | None:
    """x with x = right + transition x, if all unknowns depend on one another and the system is long and thin; else None."""
    from zermelo.methods.linear_block import solve_if_thin

    return solve_if_thin(_sparse(transition), right)


def _sparse(transition: Compressed) -> csr_matrix:
    from scipy.sparse import csr_matrix  # takes 0.1 s, and few systems need it

    indptr, indices, data = transition
    return csr_matrix((data, indices, indptr), shape=(indptr.size - 1, indptr.size - 1))


def _parted(
    parts: Compressed, right: np.ndarray, x: np.ndarray, block: np.ndarray, place: np.ndarray
) -> tuple[Compressed, np.ndarray]:
    """The system of a block by itself: the transitions inside, and its right-hand side with what the known x outside are worth.

    place : whole numbers [n], the number of each unknown in the block, -1 outside. The work is that of the block alone."""
    indptr, indices, data = parts
    counts = indptr[block + 1] - indptr[block]
    at = runs(indptr[block], counts)
    row, to, weight = np.repeat(np.arange(block.size), counts), indices[at], data[at]
    inside, known = place[to] >= 0, right[block].copy()
    outside = ~inside
    np.add.at(known, row[outside], weight[outside, None] * np.nan_to_num(x[to[outside]], posinf=0.0, neginf=0.0))  # 0: not yet known
    begin = running(np.bincount(row[inside], minlength=block.size)).astype(indptr.dtype)
    return (begin, place[to[inside]], weight[inside]), known


def _solved_densely(transition: Compressed, right: np.ndarray) -> np.ndarray:
    """The x of a few hundred unknowns. Raises RuntimeError if there is none."""
    indptr, indices, data = transition
    matrix = np.eye(indptr.size - 1)
    np.subtract.at(matrix, (np.repeat(np.arange(indptr.size - 1), np.diff(indptr)), indices), data)

    def rough(left: np.ndarray) -> np.ndarray:
        return dense.solve(matrix, left)

    return refined(matrix, right, rough(right), rough)
