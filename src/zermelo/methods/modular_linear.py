"""Sparse systems A x = b over the rationals, modulo powers of a prime (Dixon 1982): for systems that floats cannot solve because play is
too long or probabilities are too uneven. Factors of A modulo the prime stand for its inverse, so that its condition does not matter.

A step yields at most 31 bits of every unknown, and fewer where the entries of A are long: a residual has to fit into a word. It costs two
to four times as much as a step in floats.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpz
from scipy.sparse import csr_matrix

from zermelo.basics.progress import Progress
from zermelo.kernels.modular import factors_modulo, lift_modulo
from zermelo.methods.factors import ask_for_factors
from zermelo.methods.rational_matrix import Matrix, scipy, width
from zermelo.methods.rational_search import WORD, Fractions, Search

LONGEST, SHORTEST = 31, 20  # bits of the prime
PRIMES = 3  # primes that are tried: a pivot is zero modulo one of them once in some thousand systems, unless it is always zero


def solve_modulo(matrix: Matrix, right: Sequence[list[fmpz]], progress: Progress) -> list[Fractions] | None:
    """Numerators and denominator of x with A x = b for each b, exact and checked in integers; A then has an inverse. None if it has
    none, or its pivots cannot be those of the diagonal, or its entries are too long. Repeated entries have been added up."""
    bits = min(LONGEST, WORD - width(matrix))
    if bits < SHORTEST:
        return None
    rows = scipy(matrix, matrix.entry)
    order = ask_for_factors(rows)
    ordered = rows[order][:, order].tocsr()
    ordered.sort_indices()
    above = 1 << bits
    for _ in range(PRIMES):
        above = _prime_below(above)
        factors = _factors(ordered, above)
        if factors is not None:
            break
    else:
        return None
    parts = Matrix(ordered.indptr.astype(np.int64), ordered.indices.astype(np.int64), ordered.data)
    solved: list[Fractions] = []
    for b in right:  # one at a time, as each reads all factors in every step
        found = _Lifting(parts, factors, above, [[b[i] for i in order.tolist()]], progress).run()
        if found is None:
            return None
        ((numerators, denominator),) = found
        back = np.argsort(order).tolist()
        solved.append(([numerators[k] for k in back], denominator))
    return solved


def _factors(rows: csr_matrix, prime: int) -> tuple[np.ndarray, ...] | None:
    """Modulo the prime; None if a pivot is zero."""
    reduced = csr_matrix((rows.data % prime, rows.indices, rows.indptr), shape=rows.shape)
    columns = reduced.tocsc()
    done, factors = factors_modulo(
        (reduced.indptr, reduced.indices, reduced.data), (columns.indptr, columns.indices, columns.data), prime
    )  # fmt: skip
    return factors if done == rows.shape[0] else None


def _prime_below(number: int) -> int:
    return next(p for p in range(number - 1, 2, -1) if fmpz(p).is_prime())


class _Lifting(Search):
    """Digits in the powers of a prime, least significant first: A y = b modulo prime^digits."""

    def __init__(self, matrix: Matrix, factors: tuple[np.ndarray, ...], prime: int, right: list[list[fmpz]], progress: Progress):
        super().__init__(matrix, prime.bit_length() - 1, right, progress)
        self.factors, self.prime = factors, prime
        self.count = 0  # digits so far

    def _given(self, whole: int) -> np.ndarray:
        given = np.zeros((whole + 1, len(self.right), self.matrix.size), np.int64)
        for c, b in enumerate(self.right):
            for i, value in enumerate(b):
                rest = abs(value)
                for step in range(whole + 1):
                    if not rest:
                        break
                    rest, digit = divmod(rest, self.prime)
                    given[step, c, i] = -int(digit) if value < 0 else int(digit)
        return given

    def _advance(self, active: list[int], steps: int, given: np.ndarray) -> bool:
        rows = (self.matrix.start, self.matrix.column, self.matrix.entry)
        for position, c in enumerate(active):
            digit, residual = np.empty((steps, self.matrix.size), np.int64), self.residual[:, position].copy()
            lift_modulo(rows, self.factors, self.prime, np.ascontiguousarray(given[:, position]), residual, digit)
            self.residual[:, position] = residual
            self.digits[c].append(digit)
        self.count += steps
        return True

    def _numbers(self, c: int, which: slice) -> list[fmpz]:
        digits = np.concatenate([block[:, which] for block in self.digits[c]])
        power = fmpz(self.prime)
        numbers = _long(digits)
        while len(numbers) > 1:
            odd = numbers[-1:] if len(numbers) % 2 else numbers[:0]
            low, high = numbers[: len(numbers) - len(odd) : 2], numbers[1::2]
            numbers = np.concatenate([low + high * power, odd])
            power = power * power
        return list(numbers[0])

    def _modulus(self) -> fmpz:
        return fmpz(self.prime) ** self.count

    def _part(self, quotient: fmpz, rest: fmpz) -> fmpz:
        return rest


_long = np.frompyfunc(fmpz, 1, 1)
