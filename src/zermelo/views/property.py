"""The answer to the property of a model that a game was translated from (`zermelo.foreign`)."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.numbers import Number, with_decimals

WIDE = 1e-5


class Answer(NamedTuple):
    """What a property is worth, an interval that contains it, and whether its threshold is met: None where the interval does not say."""

    text: str
    relation: str
    value: Number
    low: Number
    high: Number
    holds: bool | None

    @property
    def line(self) -> str:
        """For people."""
        if self.relation != "=?":
            is_close = "not decided: the bound lies within what is known of it; --exact decides"
            told = {True: "true", False: "false", None: is_close}[self.holds]
            return f"{self.text} is {told} ({self._number})"
        return f"{self.text} = {self._number}"

    @property
    def _number(self) -> str:
        if self.high - self.low > WIDE * max(1.0, abs(float(self.high))):
            return f"between {float(self.low):.6g} and {float(self.high):.6g}"
        if isinstance(self.value, Fraction) and self.value.denominator != 1:
            return f"{self.value.numerator}/{self.value.denominator} = {float(self.value):.15g}"
        return with_decimals(self.value, self.low, self.high)


def answer(solution: Any) -> Answer | None:
    """What the solution of a translated game says about its property; None for other games."""
    game = getattr(solution, "game", None)
    if game is None or "zermelo.foreign.loading" not in sys.modules:
        return None
    from zermelo.foreign.loading import question_of

    question = question_of(game)
    if question is None:
        return None
    value, low, high = solution.value, solution.low, solution.high
    if question.reads == "rest":
        value, low, high = 1 - value, 1 - high, 1 - low
    never = getattr(game, "never", 0) if question.must_reach else 0
    value, low, high = value + never, low + never, high + never
    if question.bound is None:
        return Answer(question.text, "=?", value, low, high, None)
    return Answer(question.text, question.relation, value, low, high, _holds(question.relation, question.bound, low, high))


def _holds(relation: str, bound: Fraction, low: Number, high: Number) -> bool | None:
    least, most = Fraction(low), Fraction(high)
    always = {">=": least >= bound, ">": least > bound, "<=": most <= bound, "<": most < bound}[relation]
    sometimes = {">=": most >= bound, ">": most > bound, "<=": least <= bound, "<": least < bound}[relation]
    return True if always else None if sometimes else False
