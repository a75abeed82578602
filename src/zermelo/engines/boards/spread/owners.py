"""Which part of a table spread over machines a position belongs to: units of neighbouring numbers go round among the parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

UNIT = 1 << 12  # numbers, and multiples of it
ROUNDS = 64  # units that each part has about: the more, the more equal the parts; the fewer, the fewer moves lead elsewhere


class Owners(NamedTuple):
    """`size` numbers in units, unit u with part u % parts."""

    size: int
    parts: int
    unit: int

    @classmethod
    def of(cls, size: int, parts: int, unit: int | None = None) -> Owners:
        """Parts that are as equal as units allow; fewer where there are not units enough."""
        if unit is None:
            unit = max(size // (parts * ROUNDS * UNIT), 1) * UNIT
        return cls(size, min(parts, -(-size // unit)), unit)

    def places(self, part: int) -> int:
        """How many numbers a part has."""
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
