"""Queries of strategies in games without states: the guarantee of a strategy, a best response to it, the law of the payoff. All exact."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.basics.numbers import shortened
from zermelo.basics.parameters import check_number, check_quantile
from zermelo.errors import NoStates, OutOfReach, ParameterError

if TYPE_CHECKING:
    import pandas

Mixture = Mapping[Any, Fraction]  # strategies with positive probability
Pays = Callable[[Any, Any], Fraction]  # what the row player gets if a row and a column meet


@dataclass(frozen=True)
class _Worth:
    """A proven rational number, with the same attributes as the value of a solution."""

    value: Fraction
    """The average payoff to the row player."""

    is_exact = True  # `value` is a proven rational number

    @property
    def low(self) -> Fraction:
        """A lower bound of the true value: `value` itself, which is exact."""
        return self.value

    @property
    def high(self) -> Fraction:
        """An upper bound of the true value: `value` itself, which is exact."""
        return self.value

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """The value, keyed by the name of the payoff, as in games with states."""
        return {"payoff": self.value}

    @property
    def bounds(self) -> dict[str, tuple[Fraction, Fraction]]:
        """The interval (`low`, `high`), keyed by the name of the payoff."""
        return {"payoff": (self.value, self.value)}


@dataclass(frozen=True)
class MixedEvaluation(_Worth):
    """The value of a strategy to the row player.

    `value` is the strategy's value against a best response, which is the worst case, or against the opponent if one was given.
    """

    loss: Fraction
    """How much worse that is for the strategy's player than the solution's value."""
    seat: int
    """The player whose strategy it is: 0 for the row player, 1 for the column player."""
    reply: Any
    """A best response of the other player, a pure strategy; None if an opponent was given."""
    against_optimal: Fraction
    """The row player's average payoff if the strategy meets the other player's optimal mixture."""

    def __repr__(self) -> str:
        return f"<MixedEvaluation in seat {self.seat}: value {shortened(self.value)}, loss {shortened(self.loss)}>"


@dataclass(frozen=True)
class MixedResponse(_Worth):
    """The best response to a strategy. Against a fixed strategy a best response need not be mixed."""

    gain: Fraction
    """The gain of the responding player over the solution's value; never negative."""
    seat: int
    """The responding player: 0 for the row player, 1 for the column player."""
    strategy: Any
    """The response, a pure strategy."""

    @property
    def policy(self) -> dict[Any, Fraction]:
        """The response as a mixture: its probability is 1."""
        return {self.strategy: Fraction(1)}

    def __repr__(self) -> str:
        return f"<MixedResponse in seat {self.seat}: value {shortened(self.value)}, gain {shortened(self.gain)}>"


@dataclass(frozen=True)
class ExactDistribution:
    """The probabilities of a payoff, as rational numbers."""

    of: str
    """The name of the payoff and of the game."""
    support: tuple[Fraction, ...]
    """The possible payoffs of the row player, ascending."""
    probabilities: tuple[Fraction, ...]
    """The probability of each value of `support`: all are positive, and their sum is 1."""

    @cached_property
    def mean(self) -> Fraction:
        """The mean payoff: the value, if both mixtures are optimal."""
        return sum((x * p for x, p in self._pairs), Fraction(0))

    @cached_property
    def variance(self) -> Fraction:
        """The variance of the payoff."""
        return sum(((x - self.mean) ** 2 * p for x, p in self._pairs), Fraction(0))

    @property
    def standard_deviation(self) -> float:
        """The standard deviation: the square root of the variance. Raises `OutOfReach` where it is too large for a float."""
        above, below = self.variance.as_integer_ratio()
        digits = max(64 - (above.bit_length() - below.bit_length()) // 2, 0)  # binary ones after the point: floats have no such range
        try:
            return math.ldexp(math.isqrt((above << 2 * digits) // below), -digits)
        except OverflowError:
            raise OutOfReach(f"the standard deviation of {self.of} is too large for a float: `variance` is exact") from None

    def __repr__(self) -> str:
        low, high = shortened(self.support[0]), shortened(self.support[-1])
        return f"<ExactDistribution of {self.of}: {low} to {high}, mean {shortened(self.mean)}>"

    @property
    def _pairs(self) -> list[tuple[Fraction, Fraction]]:
        return list(zip(self.support, self.probabilities, strict=True))

    def probability(self, value: Any) -> Fraction:
        """P(X = value)."""
        check_number(value)
        return sum((p for x, p in self._pairs if x == value), Fraction(0))

    def at_most(self, value: Any) -> Fraction:
        """P(X <= value)."""
        check_number(value)
        return sum((p for x, p in self._pairs if x <= value), Fraction(0))

    def at_least(self, value: Any) -> Fraction:
        """P(X >= value)."""
        check_number(value)
        return sum((p for x, p in self._pairs if x >= value), Fraction(0))

    def quantile(self, q: Any) -> Fraction:
        """The smallest x of the support with P(X <= x) >= q. Raises `ParameterError` unless q is a number from 0 to 1."""
        check_quantile(q)
        return next(x for x in self.support if self.at_most(x) >= q)


def check_seat(seat: Any) -> int:
    """The seat of a player in a matrix game. Raises `ParameterError`."""
    if not isinstance(seat, int) or isinstance(seat, bool) or seat not in (0, 1):
        raise ParameterError(f"seat must be 0 (the row player) or 1 (the column player), not {seat!r}")
    return int(seat)


def average(pays: Pays, row: Mixture, column: Mixture) -> Fraction:
    """The row player's average payoff if both players draw."""
    return sum((p * q * pays(r, c) for r, p in row.items() for c, q in column.items()), Fraction(0))


def against(pays: Pays, seat: int, strategy: Any, other: Mixture) -> Fraction:
    """The row player's average payoff if the player in `seat` plays one strategy against a mixture of the other player."""
    return average(pays, {strategy: Fraction(1)}, other) if seat == 0 else average(pays, other, {strategy: Fraction(1)})


def best_listed(pays: Pays, seat: int, strategies: list[Any], other: Mixture) -> tuple[Any, Fraction]:
    """The best of these strategies of the player in `seat` against a mixture, the first of several; and its value."""
    worth = [against(pays, seat, strategy, other) for strategy in strategies]
    best = max(worth) if seat == 0 else min(worth)
    return strategies[worth.index(best)], best


def beyond(value: Fraction, optimal: Fraction, seat: int) -> Fraction:
    """How much better `value` is than `optimal` for the player in `seat`."""
    return value - optimal if seat == 0 else optimal - value


def distribution(pays: Pays, row: Mixture, column: Mixture, of: str) -> ExactDistribution:
    """The law of the payoff if both players draw."""
    found: dict[Fraction, Fraction] = {}
    for r, p in row.items():
        for c, q in column.items():
            paid = Fraction(pays(r, c))
            found[paid] = found.get(paid, Fraction(0)) + p * q
    support = sorted(found)
    return ExactDistribution(of, tuple(support), tuple(found[x] for x in support))


def to_dataframe(
    pays: Pays, sides: tuple[Mixture, Mixture], listed: tuple[list[Any], list[Any]], players: tuple[str, str]
) -> pandas.DataFrame:
    """One row per listed strategy: its player, its probability, and what the row player gets if it meets the other player's mixture. Both
    numbers are given as floats and, in columns "exact ...", as Fractions."""
    import pandas

    rows = [
        (
            players[seat],
            strategy,
            sides[seat].get(strategy, Fraction(0)),
            against(pays, seat, strategy, sides[1 - seat]),
        )
        for seat in (0, 1)
        for strategy in listed[seat]
    ]
    frame = pandas.DataFrame({"player": [row[0] for row in rows]})
    frame["strategy"] = pandas.Series([row[1] for row in rows], dtype=object)
    for name, k in (("probability", 2), ("payoff", 3)):
        frame[name] = [_float(row[k]) for row in rows]
        frame[f"exact {name}"] = pandas.Series([row[k] for row in rows], dtype=object)
    return frame


def _float(number: Any) -> float:
    """The nearest float; infinite beyond all of them, as in arithmetic with floats."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


# --- what makes sense only with states --------------------------------------------------------------------------------

MIXTURES = "`row` and `column` are the optimal mixtures, evaluate(strategy) says what a strategy guarantees"
FRAME = "to_dataframe() lists the strategies"
INSTEAD = {
    **dict.fromkeys(("rules", "layout", "state", "probe", "mixtures", "mixtures_at"), MIXTURES),
    **dict.fromkeys(("best_action", "action_numbers"), "policy(seat) is the optimal mixture of a player"),
    "action_value": "best_response(mixture) and to_dataframe() have what strategies are worth",
    **dict.fromkeys(("space", "values", "errors", "payoff_values", "to_xarray", "require_states"), FRAME),
    **dict.fromkeys(
        ("moves_after", "distances", "census", "farthest"), "both choose once, and there are no moves to count"
    ),
    "require_turns": "both choose at once",
    "win_probability": "distribution() has the probability of every payoff",
    "frontier": "only urns have a stopping line",
    "export_umb": "the format of model checkers describes games with states; save() or to_dataframe() keep the answer",
}


def no_attribute(kind: str, name: str) -> AttributeError:
    """The error for an attribute that `kind` does not have: with the reason, and what to use instead, for attributes that solutions of
    games with states have."""
    instead = INSTEAD.get(name)
    if instead is None:
        return AttributeError(f"{kind!r} object has no attribute {name!r}")
    return NoStates(f"{kind} has no `{name}`: the game has no states; {instead}")
