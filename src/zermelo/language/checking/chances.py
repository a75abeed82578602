"""Checks of `win_probability`, for all that is paid at the ends of plays."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from typing import Any

from zermelo.language.chances import CLOSE, chance_fault, home_of, inherited, line_fault, number_fault, told
from zermelo.language.checking.examination import Checks, Examination
from zermelo.language.checking.runner import FAILED
from zermelo.language.checking.values import is_number, show


class Broken(Exception):
    """`win_probability` failed, and this is reported."""


class Chances(Checks):
    """Gathers what ends of plays are worth; then asks the game for the chances that this stands for."""

    def __init__(self, examination: Examination):
        super().__init__(examination)
        self.is_asked = callable(getattr(self.game, "win_probability", None))
        self.finals: dict[Any, Any] = {}  # what the examined final states pay
        self.paid: list[tuple[Any, Any, int, str]] = []  # by outcomes: how much, the next state, the sign, and where

    def final(self, state: Any, payoff: Any) -> None:
        """An examined final state, and what it pays."""
        if self.is_asked and is_number(first := self._first(payoff)):
            self.finals[state] = first

    def outcome(self, payoff: Any, successor: Any, sign: int, context: str) -> None:
        """An outcome that pays on the way."""
        if self.is_asked and (first := self._first(payoff)):
            self.paid.append((first, successor, sign, context))

    def _first(self, payoff: Any) -> Any:
        return payoff[0] if self.rules.has_several_payoffs and isinstance(payoff, tuple) and payoff else payoff

    def tell(self) -> None:
        """Report a conversion that is none."""
        if not self.is_asked or "win_probability" in self.examination.broken or self.faults.texts:
            return
        worth = {p: f" of the final state {show(s)}" for s, p in reversed(self.finals.items())}
        ending = [(p + sign * self.finals[s], context) for p, s, sign, context in self.paid if s in self.finals]
        worth |= {value: f" with which play ends {context}" for value, context in reversed(ending)}
        if self.examination.signs.passes:  # what one player gets is what the other one pays
            worth |= {-value: f" of a player whose opponent gets {told(value)}" for value in worth if -value not in worth}
        with suppress(Broken):
            if text := self._fault(worth):
                self.faults.add(("win_probability",), f"{text}{inherited(type(self.game))} {self.runner.place_of('win_probability')}")

    def _fault(self, worth: dict[Any, str]) -> str:
        """The first fault; it is asked for each value as a float and as a Fraction."""
        if not worth:  # no end was seen, so that any number may be right
            return number_fault(self._asked(0.0), 0)
        faults = (chance_fault(self._asked(number(v)), v, where) for v, where in worth.items() for number in (float, Fraction))
        return next(filter(None, faults), "") or line_fault(self._asked, worth) or self._changed()

    def _asked(self, value: Any) -> Any:
        found = self.runner.call("win_probability", None, f" for the value {told(value)}", value)
        if found is FAILED:
            raise Broken
        return found

    def _changed(self) -> str:
        """The fault of an inherited conversion, if the game pays otherwise than the class that it comes from."""
        home, own = home_of(type(self.game)), type(self.game)
        before = getattr(home, "payoff", None)
        if before is None or before is getattr(own, "payoff", None):
            return ""
        known = {0.0, 1.0}
        for state in self.finals:
            with suppress(Exception):
                payoff = self._first(before(self.game, state))
                signs = (1, -1) if self.examination.signs.passes else (1,)
                known |= {float(self._asked(Fraction(sign * payoff))) for sign in signs}
        for state, payoff in self.finals.items():
            chance = float(self._asked(Fraction(payoff)))
            if not any(abs(chance - other) <= CLOSE for other in known):
                same = f"write `win_probability = {home.__name__}.win_probability` if that is meant"
                return f"`win_probability` is {told(chance)} at {show(state)}, where `payoff` is not that of {home.__name__} ({same})"
        return ""
