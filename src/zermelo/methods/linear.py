"""Sparse linear systems x = b + P x, solved to rounding block by block.

The systems come from policies: x are values, P the coefficients of the next states, sum |P| <= 1 in every row. A policy leads through
its component in one direction more often than not, so the blocks (strongly connected components of P) are small where the
component is large.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.blocks import in_blocks, solve_small

Compressed = tuple[np.ndarray, np.ndarray, np.ndarray]  # indptr, indices and data of a matrix whose rows are compressed


def solve(
    transition: Compressed, right: np.ndarray, guess: np.ndarray, given_up: set[tuple[str, str]] | None = None
) -> np.ndarray:
    """x with x = right + transition x, for each column of `right` : float64[n, m]. Raises RuntimeError if there is none.

    given_up : gains (fast way, what was used instead) where a fast way does not do."""
    indptr, indices, data = transition
    index = np.int32 if data.size < 2**31 else np.int64
    parts = indptr.astype(index, copy=False), indices.astype(index, copy=False), data
    order, start = in_blocks(*parts)
    x, at = np.array(guess, np.float64), 0
    while (at := solve_small(*parts, right, order, start, at, x)) < start.size - 1:
        x[order[start[at] : start[at + 1]]] = _large(parts, right, x, order[start[at] : start[at + 1]], given_up)
        at += 1
    return x


def _large(
    parts: Compressed, right: np.ndarray, x: np.ndarray, block: np.ndarray, given_up: set[tuple[str, str]] | None
) -> np.ndarray:
    """The x of a block that was not small, from those that are known."""
    from scipy.sparse import csr_matrix  # 0.1 s, which few systems need

    from zermelo.methods.linear_block import solve_block

    rows = csr_matrix((parts[2], parts[1], parts[0]), shape=(x.shape[0], x.shape[0]))[block]
    known = right[block] + rows @ _without(x, block)
    return solve_block(rows[:, block].tocsr(), known, x[block], set() if given_up is None else given_up)


def _without(x: np.ndarray, block: np.ndarray) -> np.ndarray:
    """x, 0 in the block and where it is not known yet."""
    others = np.nan_to_num(x, copy=True, posinf=0.0, neginf=0.0)
    others[block] = 0.0
    return others
