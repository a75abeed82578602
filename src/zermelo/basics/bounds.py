"""Error bounds of values: intervals and certificates."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, down, up


def interval(value: Number, error: float) -> tuple[Number, Number]:
    """(low, high): an interval that contains the true value if |value - true value| <= error. Its own rounding is included."""
    if error == 0.0:
        return value, value
    return math.nextafter(value - error, -math.inf), math.nextafter(value + error, math.inf)


def difference(one: tuple[Number, Number], other: tuple[Number, Number]) -> tuple[Number, Number]:
    """(low, high): an interval that contains the difference of two numbers that lie in these intervals."""
    low, high = (
        Fraction(a) - Fraction(b) if math.isfinite(a) and math.isfinite(b) else a - b for a, b in zip(one, reversed(other), strict=True)
    )
    return (low, high) if all(isinstance(end, Fraction) for end in (*one, *other)) else (down(low), up(high))


@described(
    kind='"proof": the value is exact; "bound": it lies in [low, high], rounding included; "sample": not proven.',
    low="The true value is at least this.",
    high="The true value is at most this.",
    argument="Why, in words.",
)
class Certificate(NamedTuple):
    """How far a value can be from the true one, and why."""

    kind: str
    low: Number
    high: Number
    argument: str

    def __str__(self) -> str:
        if self.kind != "bound":
            return self.argument
        return f"{self.argument}; the value lies in [{down(self.low)!r}, {up(self.high)!r}]"
