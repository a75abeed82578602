"""Sparse square matrices of whole numbers, and columns of rationals over one denominator: the parts of exact linear systems."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from flint import fmpq, fmpz
from scipy.sparse import csr_matrix

from zermelo.basics.runs import running


class Matrix(NamedTuple):
    """A sparse square integer matrix in compressed rows.

    A row of rationals, and its right-hand sides, is multiplied by its denominator.
    """

    start: np.ndarray  # int64[n+1]
    column: np.ndarray  # int64[nnz]; repeated ones add up
    entry: np.ndarray  # int64[nnz], or Python's integers (dtype object) where one of them is longer

    @property
    def size(self) -> int:
        return len(self.start) - 1


def matrix_of(size: int, row: np.ndarray, column: np.ndarray, entry: np.ndarray) -> Matrix:
    """The matrix with these entries, which may be of any length (dtype object)."""
    order = np.argsort(row, kind="stable")
    start = running(np.bincount(row, minlength=size))
    if entry.dtype == object and all(abs(value) < 2**63 for value in entry.tolist()):
        entry = entry.astype(np.int64)
    return Matrix(start, column[order].astype(np.int64), entry[order])


class Column(NamedTuple):
    """Rationals over one denominator: value i is numerator[i] / denominator. In lowest terms as a whole, not each.

    Reducing one fraction of 60 000 bits takes a millisecond, more than computing it: reduce only those that are shown.
    """

    numerator: list[fmpz]
    denominator: fmpz

    def value(self, i: int) -> fmpq:
        return fmpq(self.numerator[i], self.denominator)


def column(values: Iterable[int | Fraction]) -> Column:
    return combine([(1, value.numerator, value.denominator)] for value in values)


def combine(rows: Iterable[Iterable[tuple[int, int | fmpz, int | fmpz]]]) -> Column:
    """Each row is a sum of weight * numerator / denominator: a right-hand side made of the values of solved components.

    Terms over the same denominator are added first, so that a row costs one long product for each denominator in it.
    """
    sums: list[dict[int | fmpz, int | fmpz]] = []
    for row in rows:
        total: dict[int | fmpz, int | fmpz] = {}
        for weight, numerator, denominator in row:
            total[denominator] = total.get(denominator, 0) + numerator * weight
        sums.append(total)
    denominators = {d for total in sums for d in total}
    common = fmpz(1)
    for d in sorted(denominators, reverse=True):
        if common % d != 0:
            common = common.lcm(d)
    factor = {d: common // d for d in denominators}
    return Column([sum((s * factor[d] for d, s in total.items()), fmpz(0)) for total in sums], common)


def merged(matrix: Matrix) -> Matrix:
    rows = scipy(matrix, matrix.entry)
    rows.sum_duplicates()
    rows.eliminate_zeros()
    return Matrix(rows.indptr.astype(np.int64), rows.indices.astype(np.int64), rows.data)


def scipy(matrix: Matrix, entry: np.ndarray) -> csr_matrix:
    return csr_matrix((entry, matrix.column, matrix.start), shape=(matrix.size, matrix.size), copy=True)


def longest(numbers: list[fmpz]) -> int:
    return max(abs(value).bit_length() for value in numbers)


def width(matrix: Matrix) -> int:
    """Bits of the largest sum of |entries| in a row."""
    sums = scipy(matrix, np.abs(matrix.entry.astype(float))) @ np.ones(matrix.size)
    return int(np.ceil(np.log2(max(2.0, sums.max()))))


def solves(matrix: Matrix, x: list[fmpz], b: list[fmpz]) -> bool:
    """Whether A x = b, in long integers."""
    start, columns, entries = (array.tolist() for array in matrix)
    for i, value in enumerate(b):
        row = range(start[i], start[i + 1])
        if sum((x[columns[k]] * entries[k] for k in row), fmpz(0)) != value:
            return False
    return True


def pieces(start: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(k, i) for all i of start[k]..end[k]-1, in order."""
    length = end - start
    k = np.repeat(np.arange(start.size), length)
    return k, np.arange(length.sum()) + (start - np.cumsum(length) + length)[k]
