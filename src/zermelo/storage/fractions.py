"""Fractions of any size as arrays of bytes."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import overload

import numpy as np


class Fractions(Sequence[Fraction]):
    """Fractions of any size, stored in arrays of bytes; each is created when it is accessed."""

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._bytes = (arrays["numerators"], arrays["denominators"])
        self._ends = (arrays["numerator_ends"], arrays["denominator_ends"])

    def __len__(self) -> int:
        return len(self._ends[0])

    @overload
    def __getitem__(self, index: int) -> Fraction: ...
    @overload
    def __getitem__(self, index: slice) -> list[Fraction]: ...
    def __getitem__(self, index: int | slice) -> Fraction | list[Fraction]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = operator.index(index)
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are {len(self)} fractions, none has the index {index}")
        numerator, denominator = (self._number(which, at % len(self)) for which in (0, 1))
        return Fraction(numerator, denominator)

    def _number(self, which: int, at: int) -> int:
        ends = self._ends[which]
        begin = int(ends[at - 1]) if at else 0
        return int.from_bytes(self._bytes[which][begin : int(ends[at])].tobytes(), "little", signed=True)


def encode_fractions(fractions: Iterable[Fraction]) -> dict[str, np.ndarray]:
    """Fractions as arrays, for `file.write` and `decode_fractions`."""
    fractions = list(fractions)
    return {
        **_encoded("numerator", [f.numerator for f in fractions]),
        **_encoded("denominator", [f.denominator for f in fractions]),
    }


def _encoded(name: str, numbers: list[int]) -> dict[str, np.ndarray]:
    parts = [n.to_bytes(n.bit_length() // 8 + 1, "little", signed=True) for n in numbers]
    ends = np.cumsum(np.fromiter(map(len, parts), np.int64, len(parts)))
    return {f"{name}s": np.frombuffer(b"".join(parts), np.uint8), f"{name}_ends": ends.astype(np.int64)}


def decode_fractions(arrays: Mapping[str, np.ndarray]) -> Fractions:
    """The fractions in these arrays. They are created lazily, so that a large file opens immediately."""
    return Fractions(arrays)
