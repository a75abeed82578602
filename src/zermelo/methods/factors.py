"""A check of memory for the factors of a large sparse matrix before they are computed, as SuperLU cannot be stopped on the way."""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from zermelo.basics.machine import available, require
from zermelo.errors import OutOfReach
from zermelo.kernels.elimination import elimination_order, is_thin

NUMBER = 18  # bytes that SuperLU uses for each number of its two factors while it computes them
MOST_NUMBERS = 2**31  # the most that it can count
WIDEST = 100  # unknowns at the same distance in a long thin system
FLAT = 8  # unknowns at the same distance in a flat system, such as play on a plane, times the root of how many there are
HUB = 200  # unknowns, tied to one that is eliminated last anyway
FILL, TINY = 16, 4  # numbers of a small factor, and of one so small that nothing else takes less time, for each coefficient of its system


def thin_order(matrix: csr_matrix) -> np.ndarray | None:
    """An order of the unknowns, int32[n], in which they are soon eliminated, each by its own equation, if the system is long and thin; else
    None."""
    return _order_if_within(matrix, WIDEST)


def flat_order(matrix: csr_matrix) -> np.ndarray | None:
    """The same if the system is flat: `WIDEST` grows with its size."""
    return _order_if_within(matrix, _flat(matrix))


def is_flat(matrix: csr_matrix) -> bool:
    """Whether the system is flat, or long and thin."""
    return bool(is_thin(*_ties(matrix), _flat(matrix), HUB))


def _flat(matrix: csr_matrix) -> int:
    """The most unknowns at the same distance in a flat system."""
    return max(WIDEST, int(FLAT * matrix.shape[0] ** 0.5))


def small_order(matrix: csr_matrix) -> np.ndarray | None:
    """The same if factors in this order are small, whatever the system is like."""
    return _order_if_within(matrix, matrix.shape[0])


def tiny_order(matrix: csr_matrix) -> np.ndarray | None:
    """The same if they are so small that nothing else takes less time."""
    return _order_if_within(matrix, matrix.shape[0], TINY)


def _order_if_within(matrix: csr_matrix, widest: int, fill: int = FILL) -> np.ndarray | None:
    ties = _ties(matrix)
    if not is_thin(*ties, widest, HUB):
        return None
    order, triangle = elimination_order(*ties, int(min(fill * matrix.nnz, available() / NUMBER / 2, MOST_NUMBERS / 2)))
    return order if triangle >= 0 else None


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
