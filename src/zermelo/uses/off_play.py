"""States that no play from the start reaches, worked out from the states that they lead to. Tables need them.

The rules are followed from such a state until every play has reached solved states or its end; then values are computed backwards, with
intervals as narrow as those of the solved states. So play must reach them without cycling.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from zermelo.answers.base import Answers
from zermelo.answers.known import StateFacts
from zermelo.basics.numbers import Number, rounding, written
from zermelo.errors import OutOfReach, RulesError, UnreachableState
from zermelo.language.checking import check_states
from zermelo.language.rules import State
from zermelo.states.space import off_play
from zermelo.uses.lookahead import Lookahead, happening
from zermelo.uses.need import tabled

MOST = 10_000  # states off play that are worked out for one query


class OffPlay:
    """An answer that also knows one state that no play reaches, and those that follow from it.

    Raises `OutOfReach` if there are too many, play cycles, or values are not means of next values; `UnreachableState` where
    the rules fail at them.
    """

    def __init__(self, answers: Answers, state: State):
        rules = answers.rules
        self._found, self._reason = dict[State, StateFacts](), off_play(rules, state)
        if rules.is_simultaneous or rules.is_cut_off or len(rules.payoffs) > 1 or rules.is_hidden:
            raise OutOfReach(f"{self._reason}; states off play are worked out for one payoff, moves in turn, and play that is not cut off")
        try:
            self._answers: Answers = tabled(answers, "working out its value")
        except OutOfReach as error:
            raise OutOfReach(f"{self._reason}; {error}") from None
        self._work_out(state)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._answers, name)

    def known(self, state: State) -> StateFacts:
        return self._found[state] if state in self._found else self._answers.known(state)

    def _work_out(self, first: State) -> None:
        """Values of all states off play that follow from this one, the last ones first."""
        waiting, opened = [first], set[State]()
        while waiting:
            state = waiting[-1]
            if state in self._found:
                waiting.pop()
                continue
            if state not in opened:
                self._examine(state)
                opened.add(state)
                if len(opened) + len(self._found) > MOST:
                    raise OutOfReach(f"{self._reason}; from there play goes through more than {MOST:,} such states")
            more = [s for s in self._next(state) if s not in self._found and not self._is_solved(s)]
            if any(s in opened for s in more):
                raise OutOfReach(f"{self._reason}; from there play can go round among such states")
            if more:
                waiting.extend(more)
            else:
                self._found[state] = self._value(state)
                opened.discard(state)

    def _examine(self, state: State) -> None:
        rules = self._answers.rules
        try:
            check_states(rules, [state])
        except RulesError as error:
            raise UnreachableState(f"{self._reason}; and the rules fail at {rules.in_line(state)}: {error.faults[0]}") from None
        if rules.is_settled(state):
            raise OutOfReach(f"{self._reason}; `settled` is proven for states that play reaches, not for {rules.in_line(state)}")

    def _is_solved(self, state: State) -> bool:
        try:
            self._answers.known(state)
        except UnreachableState:
            return False
        return True

    def _next(self, state: State) -> list[State]:
        return [o.state for action in self._answers.rules.actions(state) for o in happening(self._answers, state, action)]

    def _value(self, state: State) -> StateFacts:
        rules = self._answers.rules
        looks = [Lookahead.of(self, state, action) for action in rules.actions(state)]
        if not looks:
            (payoff,) = rules.payoff(state)
            exact = self._answers.is_exact
            return StateFacts((written(payoff) if exact else float(payoff),), (0.0 if exact else rounding(payoff),))
        choose: Any = max if rules.player(state) == 0 else min
        value: Number = choose(look.value for look in looks)
        if isinstance(value, Fraction):
            return StateFacts((value,), (0.0,))
        ends = [look.interval for look in looks]
        low, high = choose(float(low) for low, _ in ends), choose(float(high) for _, high in ends)
        error = max(high - value, value - low)
        return StateFacts((value,), (math.nextafter(error, math.inf) if error else 0.0,))
