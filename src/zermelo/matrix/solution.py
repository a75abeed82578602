"""The solution of a game given by best replies: its value, a mixed strategy for each player, the certificate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.solution import Certificate


@dataclass(frozen=True)
class MixedSolution:
    """The value of a game of hidden choice, and an optimal mixed strategy for each player (there may be others).

    `row` and `column` give the probabilities of the strategies that are played at all. Everything is rational. With a
    certificate of kind "bound" the two strategies guarantee `low` and `high`, and `value` is the middle of these.
    """

    game: Any
    row: Mapping[Any, Fraction] = field(repr=False)
    column: Mapping[Any, Fraction] = field(repr=False)
    certificate: Certificate
    statistics: Mapping[str, Any] = field(repr=False)

    @property
    def value(self) -> Fraction:
        """What the row player gets from the column player on average."""
        return (self.low + self.high) / 2

    @property
    def low(self) -> Fraction:
        """What `row` guarantees to the row player."""
        return Fraction(self.certificate.low)

    @property
    def high(self) -> Fraction:
        """What `column` makes the column player pay at most."""
        return Fraction(self.certificate.high)
