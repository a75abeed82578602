"""A game given by best replies: the value, and an optimal mixed strategy for each player. There are no states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate


@dataclass(eq=False)
class MixedAnswers:
    """The probabilities of the strategies that are played at all, and the certificate.

    Everything is rational. With a certificate of kind "bound" the two strategies guarantee `low` and `high`.
    """

    game: Any
    row: Mapping[Any, Fraction] = field(repr=False)
    column: Mapping[Any, Fraction] = field(repr=False)
    certificate: Certificate
    report: Report = field(repr=False)

    @property
    def low(self) -> Fraction:
        """What `row` guarantees to the row player."""
        return Fraction(self.certificate.low)

    @property
    def high(self) -> Fraction:
        """What `column` makes the column player pay at most."""
        return Fraction(self.certificate.high)

    @property
    def value(self) -> Fraction:
        """What the row player gets from the column player on average; with a bound, the middle of it."""
        return (self.low + self.high) / 2
