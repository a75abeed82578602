"""What is known about one state, and how far it can be from the truth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.basics.bounds import interval
from zermelo.basics.fields import described
from zermelo.basics.numbers import Number


class StateFacts(NamedTuple):
    """What is known about one state. Values are those of player 0 (with PASS: of the player to move)."""

    values: tuple[Number, ...]  # one a payoff, in the order of `Rules.payoffs`
    errors: tuple[float, ...]  # |value - true value| is at most this; all 0.0 if proven
    best: int | None = None  # position of a best action among `Rules.actions`; None where it is not stored
    distance: int | None = None  # moves to the end under best play, where they are counted; None for endless draws
    # probabilities of the actions of player 0 and of player 1, with simultaneous moves and where they are stored
    mixtures: tuple[Sequence[Number], Sequence[Number]] | None = None
    least: Number = -math.inf  # the first payoff is worth at least this, by an argument of its own

    def interval(self, payoff: int = 0) -> tuple[Number, Number]:
        """An interval that contains the true value of a payoff."""
        low, high = interval(self.values[payoff], self.errors[payoff])
        return (max(low, self.least) if payoff == 0 else low), high


@described(
    mean="The mean number of moves.",
    variance="The variance of the number of moves.",
    variance_low="The true variance is at least this.",
    variance_high="The true variance is at most this.",
)
class Length(NamedTuple):
    """The length of a play, in moves, when everybody plays optimally."""

    mean: float
    variance: float
    variance_low: float
    variance_high: float

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)
