"""Sparse linear systems x = b + P x, solved to rounding block by block.

The systems come from policies: x are values, P the coefficients of the next states, sum |P| <= 1 in every row. A policy leads through
its component in one direction more often than not, so the blocks (strongly connected components of P) are small even if the
component is large.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import runs
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
    x, at, large = np.array(guess, np.float64), 0, None
    while (at := solve_small(*parts, right, order, start, at, x)) < start.size - 1:
        block = order[start[at] : start[at + 1]]
        if block.size <= DENSE:
            x[block] = _solved_densely(parts, right, x, block)
        else:
            large = large or _Large(parts, right, set() if given_up is None else given_up)
            x[block] = large.solved(x, block)
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


def _solved_densely(parts: Compressed, right: np.ndarray, x: np.ndarray, block: np.ndarray) -> np.ndarray:
    """The x of a block of a few hundred unknowns, from the known ones. Raises RuntimeError if there is none."""
    indptr, indices, data = parts
    counts = np.diff(indptr)[block]
    at = runs(indptr[block], counts)
    row, to, weight = np.repeat(np.arange(block.size), counts), indices[at], data[at]
    place = np.full(indptr.size - 1, -1)
    place[block] = np.arange(block.size)
    inside = place[to] >= 0
    matrix, known = np.eye(block.size), right[block].copy()
    np.subtract.at(matrix, (row[inside], place[to[inside]]), weight[inside])
    np.add.at(known, row[~inside], weight[~inside, None] * _without(x, block)[to[~inside]])

    def rough(left: np.ndarray) -> np.ndarray:
        return dense.solve(matrix, left)

    return refined(matrix, known, rough(known), rough)


class _Large:
    """Blocks that are neither small nor a few hundred unknowns."""

    def __init__(self, parts: Compressed, right: np.ndarray, given_up: set[tuple[str, str]]):
        self.transition = _sparse(parts)
        self.right, self.given_up = right, given_up

    def solved(self, x: np.ndarray, block: np.ndarray) -> np.ndarray:
        """The x of a block, from the known ones."""
        from zermelo.methods.linear_block import solve_block

        rows = self.transition[block]
        known = self.right[block] + rows @ _without(x, block)
        return solve_block(rows[:, block].tocsr(), known, x[block], self.given_up)


def _without(x: np.ndarray, block: np.ndarray) -> np.ndarray:
    """x, with 0 in the block and where it is not yet known."""
    others = np.nan_to_num(x, copy=True, posinf=0.0, neginf=0.0)
    others[block] = 0.0
    return others
