"""The exact payoffs of states: in machine words where they fit, else as long integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq, fmpz

from zermelo.basics.machine import require
from zermelo.basics.numbers import WHOLE
from zermelo.kernels.rational_words import MOST
from zermelo.methods.rational_matrix import Column

ONE_STATE = 8  # bytes of its place in the list of long numbers
ONE_FRACTION = 2 * 8  # of two whole numbers in words: the memory of longer ones is watched, not predicted
WORTH_REDUCING = 1024  # bits of a denominator up to which it is tried whether the number fits into words

Ratio = tuple[fmpz, fmpz]  # numerator, denominator > 0, not necessarily in lowest terms


class ExactValues(Sequence[tuple[Fraction, ...]]):
    """The exact payoffs of every state; fractions are reduced when they are looked at.

    numerator, denominator : int64[states, payoffs], in lowest terms; the denominator of payoff 0 is 0 where the state's payoffs are not
    known, or known as long integers only."""

    def __init__(self, states: int, payoffs: int):
        needed = states * (ONE_STATE + ONE_FRACTION * payoffs)
        require(needed, f"a list of {states:,} exact values", "leave out exact=True for a certified interval, or give smaller parameters")
        self.numerator, self.denominator = np.zeros((2, states, payoffs), np.int64)
        self._long: list[tuple[Ratio, ...] | None] = [None] * states

    @staticmethod
    def of(values: np.ndarray) -> ExactValues:
        """From whole numbers that floats hold exactly."""
        found = ExactValues(*values.shape)
        found.numerator[:], found.denominator[:] = values, 1
        return found

    def __len__(self) -> int:
        return len(self._long)

    def __getitem__(self, index: Any) -> Any:
        return tuple(_fraction(r) for r in self.ratios(index))

    def ratios(self, state: int) -> tuple[Ratio, ...]:
        """The payoffs of a state."""
        long = self._long[state]
        if long is not None:
            return long
        return tuple((fmpz(p), fmpz(q)) for p, q in zip(self.numerator[state].tolist(), self.denominator[state].tolist(), strict=True))

    def put(self, state: int, ratios: tuple[Ratio, ...]) -> None:
        """Enter the payoffs of a state."""
        self._long[state] = ratios
        self.denominator[state, 0] = 0
        if all(q.bit_length() <= WORTH_REDUCING for _, q in ratios):
            reduced = [fmpq(*r) for r in ratios]
            if all(abs(r.p) < MOST and r.q < MOST for r in reduced):
                self.numerator[state] = [int(r.p) for r in reduced]
                self.denominator[state] = [int(r.q) for r in reduced]
                self._long[state] = None

    def put_columns(self, states: Iterable[int], columns: Sequence[Column]) -> None:
        """Enter the payoffs of several states, each payoff a column."""
        for k, state in enumerate(states):
            self.put(state, tuple((x.numerator[k], x.denominator) for x in columns))

    def are_whole(self, states: slice, j: int = 0) -> np.ndarray:
        """bool[states]: whether payoff j is a whole number that floats hold."""
        return (self.denominator[states, j] == 1) & (self.denominator[states, 0] != 0) & (np.abs(self.numerator[states, j]) < WHOLE)

    def floats(self, states: np.ndarray, j: int = 0) -> np.ndarray:
        """float64[len(states)]: payoff j, with a relative error of at most 2^-51; not finite, or 0, where floats can't hold it."""
        with np.errstate(divide="ignore", invalid="ignore"):
            found = self.numerator[states, j] / self.denominator[states, j].astype(float)
        for k in np.flatnonzero(self.denominator[states, 0] == 0).tolist():
            p, q = self.ratios(int(states[k]))[j]
            try:
                found[k] = int(p) / int(q)
            except OverflowError:
                found[k] = np.inf
        return found


def _fraction(ratio: Ratio) -> Fraction:
    reduced = fmpq(*ratio)
    return Fraction(int(reduced.p), int(reduced.q))
