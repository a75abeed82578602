"""A matrix game, given by its matrix or by best responses: the value, and an optimal mixed strategy for each player."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate


@dataclass(eq=False)
class MixedAnswers:
    """The value and an optimal mixed strategy for each player: probabilities by strategy, zeros omitted. All are rational.

    With a certificate of kind "bound" the mixed strategies are nearly optimal: `row` guarantees `low`, `column` guarantees `high`.
    """

    game: Any  # with `payoff(row, column)`; a `Matrix`, or an instance of a user's class with a method of best responses
    row: Mapping[Any, Fraction] = field(repr=False)
    column: Mapping[Any, Fraction] = field(repr=False)
    certificate: Certificate
    report: Report = field(repr=False)
    represented: tuple[Mapping[Any, Fraction], Mapping[Any, Fraction]] | None = field(default=None, repr=False)
    """Both mixed strategies by the strategies that the game's own methods know, where one of these stands for several (`row_members`,
    `column_members`); None in other games, and in files of versions that did not keep them."""

    @property
    def is_exact(self) -> bool:
        return self.certificate.kind == "proof"

    @property
    def low(self) -> Fraction:
        """The row player gets at least this on average with `row`."""
        return Fraction(self.certificate.low)

    @property
    def high(self) -> Fraction:
        """The column player pays at most this on average with `column`."""
        return Fraction(self.certificate.high)

    @property
    def value(self) -> Fraction:
        """The row player's average payoff from the column player; the midpoint of `low` and `high` if the value is only bounded."""
        return (self.low + self.high) / 2
