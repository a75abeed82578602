"""The values of one state, and how far they can be from the true ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from zermelo.basics.bounds import interval
from zermelo.basics.fields import described
from zermelo.basics.numbers import Number


class StateFacts(NamedTuple):
    """The values, errors and best play of one state. Values are those of player 0 (with PASS: of the player to move)."""

    values: tuple[Number, ...]  # one per payoff, in the order of `Rules.payoffs`
    errors: tuple[float, ...]  # upper bounds of |value - true value|; all 0.0 if proven
    best: int | None = None  # position of a best action among `Rules.actions`; None where it is not stored
    distance: int | None = None  # moves to the end under optimal play, if they are counted; None for endless draws
    # probabilities of the actions of player 0 and of player 1, with simultaneous moves, if they are stored
    mixtures: tuple[Sequence[Number], Sequence[Number]] | None = None
    least: Number = -math.inf  # a lower bound of the first payoff, from a separate argument

    def interval(self, payoff: int = 0) -> tuple[Number, Number]:
        """An interval that contains the true value of a payoff."""
        low, high = interval(self.values[payoff], self.errors[payoff])
        return (max(low, self.least) if payoff == 0 else low), high


@described(
    mean="The mean number of moves.",
    variance="The variance of the number of moves.",
    variance_low="The true variance is at least this.",
    variance_high="The true variance is at most this.",
    mean_low="The true mean is at least this.",
    mean_high="The true mean is at most this.",
)
class Length(NamedTuple):
    """The length of a play in moves under optimal play."""

    mean: float
    variance: float
    variance_low: float
    variance_high: float
    mean_low: float
    mean_high: float

    @property
    def standard_deviation(self) -> float:
        """The standard deviation: the square root of the variance."""
        return math.sqrt(self.variance)


ENDLESS = Length(math.inf, math.nan, math.nan, math.nan, math.inf, math.inf)  # play may go on forever
