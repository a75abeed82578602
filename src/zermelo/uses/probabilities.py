"""The probabilities of a whole number, such as the length of a play: the results of `distribution`."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Protocol

import numpy as np

from zermelo.basics.html import bars, card, note
from zermelo.basics.numbers import Number, in_few
from zermelo.basics.parameters import check_number, check_quantile
from zermelo.basics.words import game_text, round_step
from zermelo.errors import OutOfReach
from zermelo.language.rules import Rules
from zermelo.uses.units import Measure

MOST_BARS = 120  # in a notebook
MAX_STEPS = 1_000_000  # by default
UNIT = 2.0**-53  # the relative error of one operation
UNDERFLOW = 1e-300  # more than the total loss of all products that are too small for a float


@dataclass(frozen=True, eq=False)
class Distribution:
    """The probabilities of a whole number X: the length of a play in moves, or a payoff's total over a play.

    The true P(X = support[i]) lies within errors[i] of probabilities[i]. All other values together have at most the probability
    `tail` (plays still in progress) plus `endless`. Probabilities and quantiles count the tail as larger than any
    value of the support; that is certain where `tail_from` exceeds it.
    """

    of: str
    """What X is, and of which game."""
    support: np.ndarray
    """int64[values]: the values, ascending."""
    probabilities: np.ndarray
    """float64[values]: their probabilities."""
    tail: float
    """At most so much probability is missing; 0.0 where every play has ended."""
    tail_from: float
    """What the tail comes to at least: -inf if not known, inf if there is none."""
    endless: float
    """Of a length: the probability that play cycles forever. Of a total: 0, for cycling adds nothing to it."""
    rounding: float
    """The relative error of each probability is at most this."""
    steps: int
    """The number of actions that were followed."""

    @cached_property
    def errors(self) -> np.ndarray:
        """float64[values]: how far each of `probabilities` can be from the truth."""
        return self.probabilities * self.rounding + UNDERFLOW + np.where(self.support >= self.tail_from, self.tail, 0.0)

    @cached_property
    def mean(self) -> float:
        """The mean of X over all plays except those of the tail; inf if some play never ends."""
        if self.endless > 0:
            return math.inf
        return float(np.average(self.support, weights=self.probabilities))

    @cached_property
    def variance(self) -> float:
        """The variance of X over all plays except those of the tail; NaN if some play never ends."""
        if self.endless > 0:
            return math.nan
        return float(np.average((self.support - self.mean) ** 2, weights=self.probabilities))

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    @cached_property
    def _cumulative(self) -> np.ndarray:
        return np.cumsum(self.probabilities)

    def probability(self, value: int) -> float:
        """P(X = value). Raises `ParameterError` for what is no number, as do the next two."""
        check_number(value)
        return float(self.probabilities[self.support == value].sum())

    def at_most(self, value: float) -> float:
        """P(X <= value)."""
        check_number(value)
        return float(self.probabilities[: np.searchsorted(self.support, value, "right")].sum())

    def at_least(self, value: float) -> float:
        """P(X >= value), including the tail and endless plays."""
        check_number(value)
        return (
            float(self.probabilities[np.searchsorted(self.support, value, "left") :].sum()) + self.tail + self.endless
        )

    def quantile(self, q: float) -> float:
        """The smallest k with P(X <= k) >= q, within the limits of rounding; inf where only endless plays are left.

        Raises `OutOfReach` for a quantile that lies in the tail, and `ParameterError` unless q is a number from 0 to 1.
        """
        check_quantile(q)
        slack = self.rounding + len(self.support) * UNIT
        at = int(np.searchsorted(self._cumulative, q - slack))
        if at < len(self.support):
            return int(self.support[at])
        if not self.tail or q > 1 - self.endless + slack:
            return math.inf
        raise OutOfReach(f"{self.of}: the quantile of {q} lies in the tail of {self.tail:.2g}; ask for a smaller tail")

    def bins(self, most: int, beyond: float = 0.001) -> list[tuple[int, int, float]]:
        """(least value, greatest value, probability) of at most about `most` equal ranges of values, without rare values:
        those that less than a share `beyond` of plays are below, or above."""
        total = self._cumulative[-1] if len(self.support) else 0.0
        if total == 0.0:
            return []
        low, high = (int(self.support[np.searchsorted(self._cumulative, q * total)]) for q in (beyond, 1 - beyond))
        width = round_step((high - low + 1) / most)
        starts = range(low // width * width, high + 1, width) if width > 1 else range(low, high + 1)
        places = np.searchsorted(self.support, [*starts, starts[-1] + width])
        parts = zip(starts, places[:-1], places[1:], strict=True)
        return [(s, s + width - 1, float(self.probabilities[a:b].sum())) for s, a, b in parts]

    def in_words(self, unit: Measure | None = None) -> str:
        """Mean, standard deviation and quantiles; of a payoff in its unit, where one is given."""
        if self.endless > 0:
            return f"play never ends with probability {self.endless:.6g}"
        return spread_in_words(self, unit)

    def _repr_html_(self) -> str:
        """The distribution as notebooks show it."""
        try:
            words = self.in_words()
        except OutOfReach:  # a quantile lies in the tail
            words = repr(self).strip("<>").partition(": ")[2]
        return card(f"Distribution of {self.of}", bars(self.bins(MOST_BARS), words), note(words))

    def __repr__(self) -> str:
        tail = f", tail {self.tail:.1g}" if self.tail else ""
        never = f", endless with probability {self.endless:.6g}" if self.endless else ""
        about = f"mean {in_few(self.mean)}, standard deviation {in_few(self.standard_deviation)}"
        span = f"{self.support[0]} to {self.support[-1]}" if len(self.support) else "no value"
        return f"<Distribution of {self.of}: {span}{'' if never else ', ' + about}{never}{tail}>"


class Spread(Protocol):
    """Of a distribution in floats or in fractions."""

    @property
    def mean(self) -> Number: ...

    @property
    def standard_deviation(self) -> float: ...

    def quantile(self, q: float, /) -> Number: ...


def spread_in_words(found: Spread, unit: Measure | None = None) -> str:
    """Mean, standard deviation and quantiles; of a payoff in its unit, where one is given."""
    own = unit or Measure("")

    def told(value: Number) -> str:
        text = str(own.of(value)) if own.payoffs == 1 and isinstance(value, int) else f"{float(own.of(value)):.2f}"
        return text if unit is None else own.written(text)

    middle, most, nearly_all = (told(plain_number(found.quantile(q))) for q in (0.5, 0.9, 0.99))
    spread = f"mean {told(found.mean)}, standard deviation {told(found.standard_deviation)}, median {middle}"
    return f"{spread}; 90% are at most {most}, 99% at most {nearly_all}"


def plain_number(value: Number) -> Number:
    """A fraction that is a whole number as such; anything else unchanged."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def subject(rules: Rules, payoff: str | None) -> str:
    """The subject of a distribution: the length of a play, or a total, and the game."""
    return f"the {'length' if payoff is None else payoff} of {game_text(rules.game)}"
