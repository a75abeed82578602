"""The search for the rationals behind digits of solutions of A x = b, which is the same whether the digits come from floats or are
modulo powers of a prime (`rational_linear.py`, `modular_linear.py`)."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator

import numpy as np
from flint import fmpz

from zermelo.basics.machine import require
from zermelo.basics.progress import Progress, roughly
from zermelo.methods.rational_matrix import Matrix, longest, solves

FIRST = 128  # bits of a solution, in addition to those of b, before the first search for a denominator
SLACK = 32  # bits by which a denominator must beat a random candidate to be worth a check
WORD = 61  # bits that the sums in a residual may use, sign and safety aside
OBJECT = 80  # bytes of a FLINT integer in addition to its words
TOGETHER = 1 << 20  # words of numbers that are processed at a time

Fractions = tuple[list[fmpz], fmpz]  # numerators, and their denominator


class Search(ABC):
    """The digits of all solutions so far, and the search for the rationals behind them.

    Of a solution x, `_numbers` are known: integers y with d y = N + R * modulus for its denominator d, where N and R are short compared
    with the modulus. So d can be found as soon as the modulus is long enough, and d x is N or R (`_part`)."""

    def __init__(self, matrix: Matrix, shift: int, right: list[list[fmpz]], progress: Progress):
        self.matrix = matrix
        self.shift = shift  # bits per digit
        self.right = right
        self.progress = progress
        self.residual = np.zeros((matrix.size, len(right)), dtype=np.int64)  # of those that are not yet solved
        self.digits: list[list[np.ndarray]] = [[] for _ in right]  # blocks [step, unknown] of each solution
        self.fraction = 0  # bits so far, in addition to those of b
        self.common = fmpz(1)  # a common denominator of all solutions so far
        self.probe = [0] * len(right)  # the unknown that showed that more digits are needed
        self.solved: list[Fractions | None] = [None] * len(right)

    @abstractmethod
    def _given(self, whole: int) -> np.ndarray:
        """int64[step, side, row]: the digits of the right-hand sides."""

    @abstractmethod
    def _advance(self, active: list[int], steps: int, given: np.ndarray) -> bool:
        """Append digits to each active solution; False if they do not converge."""

    @abstractmethod
    def _numbers(self, c: int, which: slice) -> list[fmpz]:
        """Some unknowns of solution c, to the digits known so far."""

    @abstractmethod
    def _modulus(self) -> fmpz:
        """The modulus of the numbers."""

    @abstractmethod
    def _part(self, quotient: fmpz, rest: fmpz) -> fmpz:
        """The one of R and N that is d x."""

    def run(self) -> list | None:
        """Numerators and denominator of each solution; None if the steps do not converge."""
        whole = max(longest(b) for b in self.right) // self.shift + 1
        self._ask_for_room(2 * whole, len(self.right))  # that many digits are given
        given = self._given(whole)
        active = list(range(len(self.right)))
        converging = self._advance(active, len(given), given)
        enough = self._enough()
        while active and converging and self.fraction < enough:
            steps = 1 + max(FIRST, self.fraction // 3) // self.shift
            self._ask_for_room(steps, len(active))
            began = time.perf_counter()
            converging = self._advance(active, steps, given[:0, : len(active)])
            self.fraction += steps * self.shift
            for c in active if converging else []:
                self.solved[c] = self._rationals(c)
            self.residual = self.residual[:, [self.solved[c] is None for c in active]]
            active = [c for c in active if self.solved[c] is None]
            most = (time.perf_counter() - began) / (steps * self.shift) * max(0.0, enough - self.fraction)
            what = f"solving {self.matrix.size:,} equations in rationals ({roughly(most)} more at most), bits"
            self.progress(what, min(self.fraction, int(enough)), int(enough))
        return None if active else self.solved

    def _ask_for_room(self, steps: int, sides: int) -> None:
        """Raise `OutOfReach` unless that many more digits of all unknowns fit into memory, and the fractions found from them."""
        unknowns, bits = self.matrix.size, self.fraction + steps * self.shift
        digits = sides * steps * unknowns * 8.0 * 2  # and each block again while it is created
        fractions = unknowns * (bits / 2 / 8 + OBJECT)
        require(digits + fractions, f"solving {unknowns:,} equations in rationals, of which {bits:,} bits are asked for,")

    def _enough(self) -> float:
        """Enough bits for any denominator: denominators divide det A, which Hadamard's inequality bounds."""
        squares = np.add.reduceat(self.matrix.entry.astype(float) ** 2, self.matrix.start[:-1])
        return np.log2(squares).sum() + 2 * (WORD + SLACK)

    def _rationals(self, c: int) -> Fractions | None:
        """Solution c as numerators and denominator, proven; None if it takes more digits."""
        modulus, most, probe = self._modulus(), self.fraction // 2, self.probe[c]
        factor = _denominator(self.common * self._numbers(c, slice(probe, probe + 1))[0], modulus, most)
        if factor is None:
            return None
        denominator = self.common * factor
        found: list[tuple[fmpz, fmpz]] = []
        for i, y in enumerate(self._all_numbers(c)):
            quotient, rest = _nearest(denominator * y, modulus)
            if rest.bit_length() > modulus.bit_length() - SLACK:
                factor = _denominator(denominator * y, modulus, most)
                if factor is None:
                    self.probe[c] = i
                    return None
                denominator *= factor
                quotient, rest = _nearest(denominator * y, modulus)
            found.append((self._part(quotient, rest), denominator))
        numerators = [x if d is denominator else x * (denominator // d) for x, d in found]
        if not solves(self.matrix, numerators, [denominator * b for b in self.right[c]]):
            return None
        self.common = denominator
        return numerators, denominator

    def _all_numbers(self, c: int) -> Iterator[fmpz]:
        """All unknowns, a few at a time: as words they take as much memory again."""
        few = 1 + TOGETHER // (1 + self.fraction // 64)
        for first in range(0, self.matrix.size, few):
            yield from self._numbers(c, slice(first, first + few))


def _nearest(value: fmpz, modulus: fmpz) -> tuple[fmpz, fmpz]:
    """(quotient, rest) with value = quotient * modulus + rest and |rest| <= modulus / 2."""
    quotient, rest = divmod(value, modulus)
    return (quotient + 1, rest - modulus) if 2 * rest > modulus else (quotient, rest)


def _denominator(value: fmpz, modulus: fmpz, most: int) -> fmpz | None:
    """The d of at most about `most` bits for which the rest of d * value is short compared with the modulus; None if none stands out."""
    before, rest, bits = modulus, value % modulus, modulus.bit_length()
    d_before, d = fmpz(0), fmpz(1)
    while rest.bit_length() > bits - most:
        quotient, after = divmod(before, rest)
        before, rest = rest, after
        d_before, d = d, d_before + quotient * d
    return d if rest.bit_length() + d.bit_length() < bits - SLACK else None
