"""What is known of one state, and how far it can be from the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.basics.bounds import interval
from zermelo.basics.numbers import Number


class Known(NamedTuple):
    """What is known of one state, in the view of player 0 (with PASS: of the player to move)."""

    values: tuple[Number, ...]  # one a payoff, in the order of `Rules.payoffs`
    errors: tuple[float, ...]  # |value - true value| is at most this; all 0.0 if proven
    best: int | None = None  # position of a best action among `Rules.actions`; None where it is not kept
    distance: int | None = None  # moves to the end under best play, where they are counted; None for endless draws
    mixtures: tuple[Sequence[Number], Sequence[Number]] | None = None  # where both choose at once and it is kept
    least: Number = -math.inf  # the first payoff is worth at least this, by an argument of its own

    def interval(self, payoff: int = 0) -> tuple[Number, Number]:
        """An interval that contains the true value of a payoff."""
        low, high = interval(self.values[payoff], self.errors[payoff])
        return (max(low, self.least) if payoff == 0 else low), high


class Length(NamedTuple):
    """How many moves a play takes."""

    mean: float
    variance: float
    variance_low: float  # the true variance lies between
    variance_high: float

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)
