"""The unit in which the worth of a state or an action is shown: the chance of winning, if a game defines it; otherwise the unit that
it names for its payoffs, such as dollars.

A game may pay 1 for a win and -1 for a loss, or 1 and 0, or any other numbers; people think in chances. The game's
`win_probability(value)` gives the chance that a value stands for. With PASS, values and chances are those of the player to move; otherwise
both are player 0's, called the first player (in a game for one, the player's own).

Values and chances are both means over plays, so the conversion is linear and increasing. Discounted values are not chances.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any, NamedTuple, cast

import numpy as np

from zermelo.answers.base import Answers, Tabled
from zermelo.basics.bounds import interval
from zermelo.basics.fields import described
from zermelo.basics.numbers import (
    AND,
    BETWEEN,
    LEAST_DIGITS,
    SURELY_WHOLE,
    UNKNOWN,
    USUAL,
    Number,
    between,
    down,
    in_decimals,
    in_few,
    leading,
    meant,
    up,
    with_decimals,
)
from zermelo.basics.words import of_one
from zermelo.errors import RulesError
from zermelo.language.chances import CLOSE, chance_fault, inherited, line_fault, number_fault, told
from zermelo.language.units import is_unit, payoff_unit
from zermelo.uses.lookahead import Interval

SURE = 0.5  # per cent up to which the certain digits of a chance are shown, not its interval
ROUGH = 2.0**-50  # more than rounding can do to a conversion that is computed in floats, relative to 1


@described(
    value="The probability.",
    low="The true probability is at least this.",
    high="The true probability is at most this.",
)
class Chance(NamedTuple):
    """A probability of winning: the true one lies in [low, high]."""

    value: Number
    low: Number
    high: Number


class Winning(NamedTuple):
    """How values of a game become chances of winning, and whose these are."""

    game: Any
    who: str  # "the player to move"

    @property
    def name(self) -> str:
        """The name of the shown quantity, for a heading or a colour bar."""
        return chance_of(self.who)

    def convert(self, value: Number) -> Number:
        """The game's `win_probability` of a value. Raises `RulesError` if that raises anything, or is no number."""
        try:
            found: Number = self.game.win_probability(value)
        except Exception as error:
            said = " ".join(f"{type(error).__name__}: {error}".split())
            raise self._at_fault(f"`win_probability` raised {said} for the value {told(value)}") from None
        if fault := number_fault(found, value):
            raise self._at_fault(fault)
        return found

    def of(self, value: Number, low: Number, high: Number) -> Chance:
        """The chance that a value stands for, with its bounds, which are rounded outwards and lie between 0 and 1. Raises `RulesError` if
        the bounds contain no chance."""
        shown = self.convert(value)
        if isinstance(shown, Fraction) and low == high:
            self._refuse_unless(0 <= shown <= 1, shown, value)
            return Chance(shown, shown, shown)
        ends = [self._end(low)[0], self._end(high)[1]]
        self._refuse_unless(ends[0] <= 1 + CLOSE and ends[1] >= -CLOSE, shown, value)
        least, most = max(0.0, min(ends[0], float(shown))), min(1.0, max(ends[1], float(shown)))
        return Chance(min(max(float(shown), least), most), least, most)

    def _refuse_unless(self, is_chance: bool, shown: Number, value: Number) -> None:
        if not is_chance:
            raise self._at_fault(chance_fault(shown, value))

    def _at_fault(self, fault: str) -> RulesError:
        return RulesError(type(self.game).__name__, [fault + inherited(type(self.game))])

    def _end(self, value: Number) -> tuple[float, float]:
        """The chance that a bound stands for, rounded down and up; exactly where the game's conversion can take fractions."""
        if not math.isfinite(value):
            return 0.0, 1.0
        found = self.convert(Fraction(value))
        if isinstance(found, Fraction):
            return down(found), up(found)
        return float(found) - ROUGH, float(found) + ROUGH

    def loss(self, value: Number, other: Number) -> Number:
        """The amount by which the chance falls from one value to another."""
        lost: Number = self.convert(value) - self.convert(other)
        return lost

    def of_all(self, values: np.ndarray) -> np.ndarray:
        """float64[n]: the chances that the values of many states stand for."""
        with suppress(Exception):
            found = np.fromiter(map(self.game.win_probability, values.tolist()), np.float64, len(values))
            if not np.isnan(found).any():  # which is None, too
                return found
        return np.fromiter(map(self.convert, values.tolist()), np.float64, len(values))  # says more slowly what is wrong, if anything is


def chance_of(who: str) -> str:
    """The name of a chance of winning; `who` has it: "the player to move"."""
    return f"chance that {who} wins"


def winning(answers: Answers) -> Winning | None:
    """The conversion of values to chances of winning; None if the game does not define it, or if values are discounted."""
    game = answers.rules.game
    if not callable(getattr(game, "win_probability", None)) or answers.discount != 1:
        return None
    report = answers.report
    is_alone = not report.is_for_two
    return Winning(game, "the player" if is_alone else "the player to move" if report.passes else "the first player")


def check_chances(answers: Answers) -> None:
    """Raise `RulesError` if the game's `win_probability` says no chances for solved values, or is not linear in them: for the start and,
    where all states are stored, for the least and the largest value."""
    unit = winning(answers)
    if unit is None:
        return
    known = answers.known(answers.rules.start)
    found = [(known.values[0], known.errors[0]), *(_extremes(cast(Tabled, answers)) if answers.lacks(Tabled) is None else ())]
    finite = [(value, error) for value, error in found if math.isfinite(value)]
    for value, error in finite:
        unit.of(value, *interval(value, error))
    if fault := line_fault(unit.convert, [value for value, _ in finite]):
        raise RulesError(answers.rules.name, [fault + inherited(type(unit.game))])


def _extremes(table: Tabled) -> list[tuple[float, float]]:
    """The least and the largest value of all states, with their errors."""
    values, errors = np.asarray(table.value[:, 0]), table.error[:, 0]
    finite = np.flatnonzero(np.isfinite(values))
    ends = (finite[values[finite].argmin()], finite[values[finite].argmax()]) if finite.size else ()
    return [(float(values[i]), float(errors[i])) for i in ends]


@described(
    name='What the unit is called: "$", "chips".',
    payoffs="How many payoffs of the rules make one of it: 100 where they count cents.",
)
class Measure(NamedTuple):
    """The unit of a game's payoffs (`payoff_unit`). Everything shown to people is in it; all else stays in payoffs of the rules."""

    name: str
    payoffs: int = 1

    def of(self, value: Number) -> Number:
        """An amount of payoffs in the unit."""
        return value if self.payoffs == 1 else value / self.payoffs

    def in_payoffs(self, amount: float) -> float:
        """An amount in the unit as payoffs of the rules: $0.07 are 7 cents, which is not 0.07 * 100 in floats."""
        payoffs = amount * self.payoffs
        return float(meant(amount) * self.payoffs) if math.isfinite(payoffs) else payoffs

    def shown(self, value: Number, low: Number, high: Number) -> tuple[Number, Number, Number]:
        """A value and its bounds in the unit, these rounded outwards."""
        if isinstance(value, Fraction) and low == high:
            return self.of(value), self.of(value), self.of(value)
        if self.payoffs == 1 or not (math.isfinite(low) and math.isfinite(high)):
            return self.of(value), self.of(low), self.of(high)
        return self.of(value), down(Fraction(low) / self.payoffs), up(Fraction(high) / self.payoffs)

    def written(self, text: str) -> str:
        """A number's text with the unit: -$3, 5 chips; "1/8 = 0.125" as $1/8 = $0.125, "between 1 and 2" as between $1 and $2."""
        if text == UNKNOWN:
            return text
        if len(self.name) > 1:
            return f"{text} {of_one(self.name) if text.lstrip('+-') == '1' else self.name}"
        if text.startswith(BETWEEN):
            return BETWEEN + AND.join(map(self.written, text.removeprefix(BETWEEN).split(AND)))
        return " = ".join(f"{t[: t[0] in '+-']}{self.name}{t[t[0] in '+-' :]}" for t in text.split(" = "))

    def text(self, value: Number, low: Number, high: Number, most: int | None = None) -> str:
        """A value with the digits that are certain, or `most` of them, in the unit."""
        return self.written(with_decimals(*self.shown(value, low, high), most))

    def amount(self, value: Number, most: int = USUAL, sign: str = "") -> str:
        """An amount of payoffs in a few digits, in the unit."""
        return self.written(in_few(self.of(value), most, sign))

    def label(self, what: str) -> str:
        """The label of a column, an axis or a colour bar: "value, $"."""
        return f"{what}, {self.name}"


def measure(game: Any) -> Measure | None:
    """The unit of the game's payoffs; None if the game does not name one."""
    declared = payoff_unit(game)
    if not is_unit(declared):
        return None
    return Measure(declared) if isinstance(declared, str) else Measure(*declared)


def chances(unit: Winning, values: Mapping[Any, Number], bounds: Mapping[Any, Interval]) -> dict[Any, Chance]:
    """The chance that each action stands for."""
    return {action: unit.of(value, *bounds[action]) for action, value in values.items()}


def in_percent(chance: Chance) -> str:
    """The interval of a chance in per cent, without the sign."""
    return between(100 * max(chance.low, 0), 100 * min(chance.high, 1))


def percent(chance: Chance, most: int = 6) -> str:
    """A chance in per cent, without the sign: as many decimals as its bounds make reliable, but at most `most` digits; the interval if
    not even whole per cents are."""
    value, radius = 100 * chance.value, 100 * max(chance.high - chance.value, chance.value - chance.low)
    if radius > SURE:
        return in_percent(chance)
    if chance.low == chance.high and value in (0, 100):
        return f"{float(value):g}"
    if chance.low > 0 and leading(value) < -LEAST_DIGITS:
        return in_decimals(value, most) if isinstance(value, Fraction) else with_decimals(value, 100 * chance.low, 100 * chance.high, most)
    places = most - 1 - (leading(value) if value > 0 else 1)
    if radius > 0:
        places = min(places, math.floor(-math.log10(2 * radius)))
    text = f"{float(value):.{max(0, places)}f}"
    whole, _, rest = text.partition(".")
    return whole if len(rest) >= SURELY_WHOLE and not rest.strip("0") else text


__all__ = ["Chance", "Measure", "Winning", "chance_of", "chances", "in_percent", "measure", "percent", "winning"]
