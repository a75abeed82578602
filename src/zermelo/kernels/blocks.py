"""Systems x = right + P x whose matrix falls into blocks: one strongly connected component after the other, small ones directly."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.graph import strong_components
from zermelo.kernels.kernel import kernel
from zermelo.kernels.newton import eliminate

SMALL = 40  # unknowns of a block that is solved by elimination


@kernel
def in_blocks(indptr, indices, data):
    """(order : whole numbers [n], start : int64[blocks + 1]): the unknowns of block k are order[start[k] : start[k + 1]], and depend on
    those of the same and of earlier blocks."""
    n = indptr.size - 1
    label, order = np.empty(n, indices.dtype), np.empty(n, indices.dtype)
    rows = np.arange(n + 1)
    count = strong_components(rows, indptr, indices, data, np.ones(n, np.bool_), label, order)
    start = np.zeros(count + 2, np.int64)
    for s in range(n):
        start[label[s] + 2] += 1
    for k in range(count):
        start[k + 2] += start[k + 1]
    placed = np.empty(n, indices.dtype)
    for i in range(n):
        k = label[order[i]] + 1
        placed[start[k]] = order[i]
        start[k] += 1
    return placed, start[:-1]


@kernel
def solve_small(indptr, indices, data, right, order, start, at, place, x):
    """Solve the blocks at, at + 1, ... : float64[n, m], in place; returns the first that is too large or singular, or their number.

    place : whole numbers [n], scratch, -1 before and after."""
    columns = right.shape[1]
    for k in range(at, start.size - 1):
        size = start[k + 1] - start[k]
        if size > SMALL:
            return k
        matrix, sums = np.zeros((size, size)), np.empty(size)
        members = order[start[k] : start[k + 1]]
        for i in range(size):
            place[members[i]] = i
        for j in range(columns):
            for i in range(size):
                s = members[i]
                sums[i] = right[s, j]
                for c in range(size):
                    matrix[i, c] = 1.0 if c == i else 0.0
                for o in range(indptr[s], indptr[s + 1]):
                    if place[indices[o]] >= 0:
                        matrix[i, place[indices[o]]] -= data[o]
                    else:
                        sums[i] += data[o] * x[indices[o], j]
            if not eliminate(matrix, sums):
                for i in range(size):
                    place[members[i]] = -1
                return k
            for i in range(size):
                x[members[i], j] = sums[i]
        for i in range(size):
            place[members[i]] = -1
    return start.size - 1
