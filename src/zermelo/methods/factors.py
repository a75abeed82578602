"""A check of memory for the factors of a large sparse matrix before they are computed, as SuperLU cannot be stopped on the way."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from zermelo.basics.machine import available, require
from zermelo.errors import OutOfReach
from zermelo.kernels.elimination import elimination_order

NUMBER = 18  # bytes that SuperLU uses for each number of its two factors while it computes them
MOST_NUMBERS = 2**31  # the most that it can count


def ask_for_factors(matrix: csr_matrix) -> np.ndarray:
    """An order of the unknowns, int32[n], with little fill-in if each is eliminated by its own equation. Raises `OutOfReach` if memory
    does not suffice for the factors in this order."""
    most = int(min(available() / NUMBER, MOST_NUMBERS)) // 2
    order, triangle = elimination_order(*_ties(matrix), most) if matrix.shape[0] <= most else (np.empty(0, np.int32), -1)
    what = f"a direct solver for {matrix.shape[0]:,} equations that depend on one another, whose factors have"
    if triangle < 0:
        require(NUMBER * 2 * most, f"{what} more than {2 * most:,} numbers,")
        raise OutOfReach(f"{what} more than {2 * most:,} numbers, can't count so many: give smaller parameters")
    require(NUMBER * 2 * triangle, f"{what} {2 * triangle:,} numbers,")
    return order


def _ties(matrix: csr_matrix) -> tuple[np.ndarray, np.ndarray]:
    """For each unknown, those in its equation and those whose equation contains it, as compressed rows."""
    entries = csr_matrix((np.ones(matrix.nnz, np.int8), matrix.indices, matrix.indptr), shape=matrix.shape)
    ties = entries.maximum(entries.T).tocsr()
    ties.setdiag(0)
    ties.eliminate_zeros()
    return ties.indptr.astype(np.int64), ties.indices.astype(np.int32)
