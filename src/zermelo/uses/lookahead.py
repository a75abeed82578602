"""One step of lookahead: the worth of an action by the known values of its next states, and how far that can be off.

The rules are run interpreted, so no engine is needed here. Intervals are computed in whole numbers and rounded outwards once at
the end: they are as narrow as those of the next states, and end exactly where these are exact.

A number in the rules that is not whole stands for a decimal: 0.1 for 1/10, which lies within a relative error of u = 2^-53. Such ways
move the mean of |payoff + value of the next state| by at most 2u/(1 - u) of it; a payoff and a discount move their part by u each.
The total is less than 4u of that mean, which is added on both sides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from numbers import Integral
from typing import Any, NamedTuple

from zermelo.answers.base import Answers
from zermelo.answers.known import StateFacts
from zermelo.basics.numbers import UNIT, Number, down, is_wide, rounding, up, written
from zermelo.language.rules import Action, Outcome, State

Interval = tuple[Number, Number]


class Lookahead(NamedTuple):
    """An action: each outcome, and the facts about its next state."""

    outcomes: list[Outcome]
    next: list[StateFacts]
    discount: float

    @staticmethod
    def of(answers: Answers, state: State, action: Action, known: Callable[[State], StateFacts] | None = None) -> Lookahead:
        """known : used for the next states instead of `answers.known`, for example the same with a cache."""
        outcomes = happening(answers, state, action)
        return Lookahead(outcomes, list(map(known or answers.known, (o.state for o in outcomes))), answers.discount)

    @property
    def is_exact(self) -> bool:
        return all(isinstance(known.values[0], Fraction) for known in self.next)

    @property
    def value(self) -> Number:
        """In rational numbers where all next values are rational, else in floats."""
        meant: Any = written if self.is_exact else float
        discount: Any = Fraction(str(self.discount)) if self.is_exact else self.discount
        ways = [meant(share) for share in self._ways]
        gain: Any = 0
        for o, known, share in zip(self.outcomes, self.next, ways, strict=True):
            gain += share * (meant(o.payoff[0]) + o.sign * discount * known.values[0])
        total: Any = sum(ways)
        return gain / total

    @property
    def interval(self) -> Interval:
        """An interval that contains the true value of the action, and `value`."""
        value = self.value
        if (self.is_exact and not any(known.errors[0] for known in self.next)) or self._is_passed_on:
            return value, value
        ends = [known.interval() for known in self.next]
        if not all(math.isfinite(end) for both in ends for end in both):
            return -math.inf, math.inf
        lows = [self._after(o, both[o.sign < 0]) for o, both in zip(self.outcomes, ends, strict=True)]
        highs = [self._after(o, both[o.sign > 0]) for o, both in zip(self.outcomes, ends, strict=True)]
        low, high = mean(self._ways, lows), mean(self._ways, highs)
        if not self._is_as_written:
            blur = 4 * Fraction(UNIT) * mean(self._ways, self._sizes(ends))
            low, high = low - blur, high + blur
        return min(value, down(low)), max(value, up(high))

    @property
    def _is_passed_on(self) -> bool:
        """Whether the value is that of the only next state, or its negative, and is known: nothing is rounded then."""
        if len(self.next) > 1 or self.outcomes[0].payoff[0] != 0 or self.discount != 1:
            return False
        value = self.next[0].values[0]
        return math.isfinite(value) and self.next[0].interval() == (value, value)

    @property
    def _ways(self) -> Sequence[Any]:
        return [o.ways for o in self.outcomes] if len(self.outcomes) > 1 else [1]

    @property
    def _is_as_written(self) -> bool:
        """Whether every number of the rules that stands for a decimal is exact as a float."""
        numbers = (*self._ways, *(o.payoff[0] for o in self.outcomes), self.discount)
        return all(map(_is_as_written, numbers))

    def _after(self, o: Outcome, end: Number) -> Number:
        """The payoff of an outcome plus the rest, if the next state is worth `end`."""
        if o.payoff[0] == 0 and self.discount == 1:
            return end if o.sign > 0 else -end
        return Fraction(o.payoff[0]) + o.sign * Fraction(self.discount) * Fraction(end)

    def _sizes(self, ends: Iterable[Interval]) -> list[Number]:
        """The largest possible magnitude of each outcome."""
        paid = [abs(Fraction(o.payoff[0])) for o in self.outcomes]
        return [p + max(abs(Fraction(end)) for end in both) for p, both in zip(paid, ends, strict=True)]


def happening(answers: Answers, state: State, action: Action) -> list[Outcome]:
    """The outcomes of an action that can happen."""
    return [o for o in answers.rules.outcomes(state, action) if o.ways]


def mean(weights: Sequence[Any], numbers: Sequence[Number]) -> Fraction:
    """The weighted mean of numbers (ints, floats, fractions), exactly. Raises `ZeroDivisionError` where all weights are 0."""
    shares, _ = _whole(weights)
    parts, scale = _whole(numbers)
    return Fraction(sum(s * p for s, p in zip(shares, parts, strict=True)), scale * sum(shares))


def _whole(numbers: Sequence[Any]) -> tuple[list[int], int]:
    """Numbers as whole numbers over one common denominator."""
    ratios = [(int(x), 1) if not isinstance(x, float) and isinstance(x, Integral) else x.as_integer_ratio() for x in numbers]
    scale = math.lcm(*{q for _, q in ratios})
    return [p * (scale // q) for p, q in ratios], scale


def _is_as_written(number: Any) -> bool:
    return not isinstance(number, float) or rounding(number) == 0.0


def proven_losses(values: Mapping[Action, Number], bounds: Mapping[Action, Interval], sign: int) -> dict[Action, float]:
    """By how much each action is worse than the best one for the player who chooses it (`sign` 1: the one who wants most, -1: least);
    0 if by its bounds it may be as good."""
    ends = {a: sorted((sign * low, sign * high)) for a, (low, high) in bounds.items()}
    sure, best = max((low for low, _ in ends.values()), default=0), max((sign * v for v in values.values()), default=0)
    return {a: max(0.0, float(best - sign * v)) if ends[a][1] < sure else 0.0 for a, v in values.items()}


def places(values: Mapping[Action, Number], bounds: Mapping[Action, Interval], sign: int) -> dict[Action, int]:
    """The place of each action for the player who chooses (`sign` as above), 0 being the best: the order of a list that is the same however
    values are rounded. Those that may be equal to the first of a place share it: their bounds overlap, and are not wider than rounding."""
    found, first, place = dict[Action, int](), None, -1
    for action in sorted(values, key=lambda a: -sign * values[a]):
        if place < 0 or not _may_equal(values[first], values[action], bounds[first], bounds[action]):
            first, place = action, place + 1
        found[action] = place
    return found


def _may_equal(one: Number, other: Number, ends: Interval, others: Interval) -> bool:
    if is_wide(*ends) or is_wide(*others):
        return one == other
    return ends[0] <= others[1] and others[0] <= ends[1]
