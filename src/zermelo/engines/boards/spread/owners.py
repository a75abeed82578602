"""The part of a distributed table to which a position belongs: units of consecutive numbers are dealt to the parts in turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels import spread as kernels

UNIT = 1 << 12  # the size of units is this many numbers, or that times a power of two
ROUNDS = 64  # units of each part of a large table, or up to twice as many: with more, parts are more equal; with fewer, batches smaller


class Owners(NamedTuple):
    """`size` numbers in units, unit u with part u % parts."""

    size: int
    parts: int
    unit: int

    @classmethod
    def of(cls, size: int, parts: int, unit: int | None = None) -> Owners:
        """Parts as equal as units allow; fewer if there are not enough units."""
        if unit is None:
            unit = UNIT << max((size // (parts * ROUNDS * UNIT)).bit_length() - 1, 0)
        return cls(size, min(parts, -(-size // unit)), unit)

    def places(self, part: int) -> int:
        """The number of numbers in a part."""
        units = -(-self.size // self.unit)
        own = (units - part + self.parts - 1) // self.parts
        is_last = (units - 1) % self.parts == part
        return own * self.unit - (units * self.unit - self.size if is_last else 0)

    def numbers(self, part: int, places: np.ndarray) -> np.ndarray:
        """int64[n]: the numbers of places of a part."""
        numbers = np.empty(len(places), np.int64)
        kernels.numbers_of(places, self.unit, self.parts, part, numbers)
        return numbers

    @property
    def by_unit(self) -> tuple[np.ndarray, np.ndarray]:
        """int64[units] each: the part that a unit belongs to, and its first place there."""
        rank, part = np.divmod(np.arange(-(-self.size // self.unit)), self.parts)
        return part, rank * self.unit

    def begins(self, part: int) -> range:
        """The number with which each unit of a part begins."""
        return range(part * self.unit, self.size, self.parts * self.unit)
