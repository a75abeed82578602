"""The part of a distributed table to which a position belongs: units of consecutive numbers are dealt to the parts in turn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

UNIT = 1 << 12  # the size of units is this many numbers, or a multiple
ROUNDS = 64  # about the number of units of each part: more make parts more equal; fewer make fewer moves lead to other parts


class Owners(NamedTuple):
    """`size` numbers in units, unit u with part u % parts."""

    size: int
    parts: int
    unit: int

    @classmethod
    def of(cls, size: int, parts: int, unit: int | None = None) -> Owners:
        """Parts as equal as units allow; fewer if there are not enough units."""
        if unit is None:
            unit = max(size // (parts * ROUNDS * UNIT), 1) * UNIT
        return cls(size, min(parts, -(-size // unit)), unit)

    def places(self, part: int) -> int:
        """The number of numbers in a part."""
        units = -(-self.size // self.unit)
        own = (units - part + self.parts - 1) // self.parts
        is_last = (units - 1) % self.parts == part
        return own * self.unit - (units * self.unit - self.size if is_last else 0)

    def numbers(self, part: int, places: np.ndarray) -> np.ndarray:
        """int64[n]: the numbers of places of a part."""
        places = places.astype(np.int64)
        return np.asarray((places // self.unit * self.parts + part) * self.unit + places % self.unit)

    def begins(self, part: int) -> range:
        """The number with which each unit of a part begins."""
        return range(part * self.unit, self.size, self.parts * self.unit)
