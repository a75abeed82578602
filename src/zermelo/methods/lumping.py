"""Smaller exact systems A x = b: unknowns that must be equal are found, and solved for once (lumping, Kemeny and Snell 1960).

A partition of the unknowns is *stable* if the equations of a class have equal right-hand sides and lead to every class with equal
coefficients in sum, each equation divided by its weight. If A has an inverse, the unknowns of a class are then equal: a solution of the
system of the classes, given to all members, solves every equation. In Herman's ring of 15 processes, 12,870 unknowns have 232 classes.

The coarsest stable partition is found by refinement. At first the classes are those of equal right-hand sides; each round splits
classes whose equations lead to other classes than those of their companions, until nothing changes. One part of a split class keeps
its number, so that a round reads only the equations that lead to renumbered unknowns. What an equation leads to is known by a
fingerprint modulo two primes: the sum of its coefficients, each times a random number of the class. Equal rationals have equal
fingerprints, however they are scaled. Others may have equal ones by chance, which is why no fingerprint is trusted: that the
partition is stable is checked in whole numbers (`_is_stable`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from zermelo.basics.machine import fits
from zermelo.methods.rational_linear import WITHOUT_ASKING
from zermelo.methods.rational_matrix import Column, Matrix, merged, pieces, scipy, width
from zermelo.methods.rational_search import WORD

FEWEST = 200  # unknowns: below, solving takes no more than a moment
WORTH = 0.8  # classes for each unknown: if there are more, the system is left as it is
PRIMES = (2**31 - 1, 2**31 - 19)
WORK = 40  # nonzeros read, for each nonzero of the matrix, after which the search is given up
ROUND = 2000  # nonzeros that could be read in the time that a round takes in any case
BYTES = 100  # for each nonzero of the matrix


class Lumped(NamedTuple):
    """The system of the classes, and the class of each unknown."""

    matrix: Matrix
    right: list[Column]
    label: np.ndarray  # int64[n]

    def of_unknowns(self, solved: Sequence[Column]) -> list[Column]:
        """The solutions of the system as it was given."""
        label = self.label.tolist()
        return [Column([x.numerator[c] for c in label], x.denominator) for x in solved]


def lumped(matrix: Matrix, right: Sequence[Column], weight: np.ndarray) -> Lumped | None:
    """The system of the classes, if they are much fewer than the unknowns; A must have an inverse. weight : int64[n] > 0: row i of A and of
    b is to be divided by weight[i], so that equations that say the same of like unknowns are alike."""
    if matrix.size < FEWEST or weight.dtype == object or matrix.entry.dtype == object or width(matrix) > WORD:
        return None
    needed = BYTES * len(matrix.column)
    if any((weight % p == 0).any() for p in PRIMES) or (needed > WITHOUT_ASKING and not fits(needed)):
        return None
    matrix = merged(matrix)
    label = _coarsest(matrix, _residues(right, weight), weight)
    if label is None:
        return None
    first = np.unique(label, return_index=True)[1]  # of each class, the first member
    sums = scipy(matrix, matrix.entry)
    sums = csr_matrix((sums.data, label[sums.indices], sums.indptr), shape=(matrix.size, len(first)))
    sums.sum_duplicates()
    sums.eliminate_zeros()
    if not _is_stable(sums, right, weight, label, first):
        return None
    of_classes = sums[first]
    parts = Matrix(of_classes.indptr.astype(np.int64), of_classes.indices.astype(np.int64), of_classes.data)
    members = first.tolist()
    return Lumped(parts, [Column([b.numerator[i] for i in members], b.denominator) for b in right], label)


def _is_stable(sums: csr_matrix, right: Sequence[Column], weight: np.ndarray, label: np.ndarray, first: np.ndarray) -> bool:
    """Whether every equation, divided by its weight, is that of the first member of its class. sums : int64[n, classes], the coefficients
    of each equation added up by classes."""
    length = np.diff(sums.indptr)
    if (length != length[first][label]).any():
        return False
    row = np.repeat(np.arange(len(label)), length)
    place = np.arange(len(row)) - sums.indptr[:-1][row] + sums.indptr[first][label][row]  # of the same class in the first member
    common = np.gcd(sums.data, weight[row])
    top, bottom = sums.data // common, weight[row] // common
    if (sums.indices != sums.indices[place]).any() or (top != top[place]).any() or (bottom != bottom[place]).any():
        return False
    scale, leader = weight.tolist(), first[label].tolist()
    for b in right:
        number = b.numerator
        if any(number[i] * scale[k] != number[k] * scale[i] for i, k in enumerate(leader) if i != k):
            return False
    return True


def _residues(right: Sequence[Column], weight: np.ndarray) -> np.ndarray:
    """int64[n, 2 for each side]: the right-hand sides, divided by the weights, modulo the primes."""
    columns = [(np.array([int(v % p) for v in b.numerator], np.int64) * _inverse(weight, p)) % p for b in right for p in PRIMES]
    return np.stack(columns, axis=1)


def _inverse(numbers: np.ndarray, prime: int) -> np.ndarray:
    distinct, place = np.unique(numbers, return_inverse=True)
    return np.array([pow(int(v), -1, prime) for v in distinct], np.int64)[place]


def _coarsest(matrix: Matrix, side: np.ndarray, weight: np.ndarray) -> np.ndarray | None:
    """int64[n]: the class of each unknown; None if there are too many, or finding them takes too long. side : int64[n, any], the same where
    right-hand sides are equal."""
    n = matrix.size
    classes = _Classes(np.unique(side, axis=0, return_inverse=True)[1].reshape(n), int(WORTH * n))
    row = np.repeat(np.arange(n, dtype=np.int32), np.diff(matrix.start))
    order = np.argsort(matrix.column, kind="stable")  # the nonzeros by columns
    start = np.searchsorted(matrix.column[order], np.arange(n + 1))
    source = row[order]
    shares = [((matrix.entry % p) * _inverse(weight, p)[row] % p)[order] for p in PRIMES]
    randoms = [np.random.default_rng(1).integers(1, p, n) for p in PRIMES]  # of classes
    changes = [np.zeros(n, np.int64) for _ in PRIMES]  # of fingerprints
    renamed, before = np.arange(n), [np.zeros(n, np.int64) for _ in PRIMES]  # with the random numbers of their classes until now
    is_touched, left = np.zeros(n, bool), WORK * len(row)
    while renamed.size and classes.count <= classes.most:
        which, at = pieces(start[renamed], start[renamed + 1])
        left -= len(at) + ROUND
        if left < 0:
            return None
        is_touched[source[at]] = True
        touched = np.flatnonzero(is_touched)
        now = classes.label[renamed]
        for change, share, random, past, p in zip(changes, shares, randoms, before, PRIMES, strict=True):
            np.add.at(change, source[at], share[at] * ((random[now] - past) % p)[which] % p)
        renamed, old = classes.split(touched, np.stack([change[touched] for change in changes], axis=1))
        before = [random[old] for random in randoms]
        is_touched[touched] = False
        for change in changes:
            change[touched] = 0
    return classes.label if classes.count <= classes.most else None


class _Classes:
    """A partition that is refined. Members of a class have equal fingerprints."""

    def __init__(self, label: np.ndarray, most: int):
        self.label, self.count, self.most = label, int(label.max()) + 1, most
        self.fingerprint = np.zeros((len(label), len(PRIMES)), np.int64)
        self.seen = np.zeros((len(label), len(PRIMES)), np.int64)  # the fingerprint of each class
        self.size = np.bincount(label, minlength=len(label))

    def split(self, touched: np.ndarray, change: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Change the fingerprints of these unknowns. (unknowns that have come to a new class, their classes until now)"""
        self.fingerprint[touched] = now = (self.fingerprint[touched] + change) % PRIMES
        has_moved = (now != self.seen[self.label[touched]]).any(axis=1)
        moved, now = touched[has_moved], now[has_moved]
        label = self.label[moved]
        order = np.lexsort((*now.T, label))
        moved, now, label = moved[order], now[order], label[order]
        differs = (np.diff(now, axis=0, prepend=-1) != 0).any(axis=1) | (np.diff(label, prepend=-1) != 0)
        first = np.flatnonzero(differs)  # of each part
        length, of_part = np.diff(first, append=len(moved)), np.cumsum(differs) - 1
        old = label[first]
        # a class that all its members leave is kept for the largest part
        leaving = np.bincount(old, weights=length, minlength=1).astype(np.int64) if old.size else np.zeros(1, np.int64)
        by_size = np.lexsort((-length, old))
        is_largest = np.zeros(len(first), bool)
        is_largest[by_size[np.diff(old[by_size], prepend=-1) != 0]] = True
        stays = is_largest & (leaving[old] == self.size[old])
        number = np.where(stays, old, self.count + np.cumsum(~stays) - 1)
        self.count += int((~stays).sum())
        if self.count > self.most:
            return moved[:0], moved[:0]
        np.subtract.at(self.size, old, length)
        self.size[number] += length
        self.seen[number] = now[first]
        self.label[moved] = number[of_part]
        is_new = ~stays[of_part]
        return moved[is_new], label[is_new]
