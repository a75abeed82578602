"""An answer about a game that ends after a number of moves, which keeps the values for some numbers of moves left. Those for the others are
computed again on demand, from the nearest one below."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import CountsDown, Tabled
from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.language.rules import Action, Rules, State
from zermelo.states.keys import index_of, sortable
from zermelo.states.layout import Layout
from zermelo.states.space import check_state, unreachable

ROOM = 1.0 + 2.0**-40  # for computing a bound itself
TINY = 1e-290  # more than what underflows


class Layer(NamedTuple):
    """The values with a number of moves left, of the states that play may then be in, which come first among all."""

    left: int
    value: np.ndarray  # float64[states, payoffs]
    error: np.ndarray  # float64[payoffs], a bound for all of these states
    is_relative: bool = False  # whether it is to be multiplied by the values, of which none is negative then

    def error_of(self, number: int) -> np.ndarray:
        """float64[payoffs]: how far the values of a state may be off."""
        if not self.is_relative:
            return self.error
        found: np.ndarray = self.error / (1.0 - self.error) * self.value[number] * ROOM + TINY
        return found


@dataclass(eq=False)
class CountedAnswers:
    """Values of the states apart from the number of moves left (the field `count`), for some of these numbers.

    keys    of the states, with the number of moves left that the start has; those that fewer moves lead to come first
    exact   with rational values: those of the start and of the states that follow it; of other states bounds are known
    """

    rules: Rules
    layout: Layout
    count: str
    keys: np.ndarray
    kept: Sequence[Layer]  # by the number of moves left, 0 first
    argument: str
    report: Report
    # called with this answer, a kept layer, and the number of moves left up to which the layers above it are wanted
    sweep: Callable[[CountedAnswers, Layer, int], list[Layer]]
    discount: float = 1.0
    exact: Mapping[State, tuple[Fraction, ...]] | None = None
    explored: Any = None  # the states apart from the moves left (engines/horizon/core.py), if this process has found them
    bridge: Any = None  # the same game with all states stored, once something has needed it
    _above: dict[int, Layer] = field(default_factory=dict)  # layers that were computed again, between two that are kept

    def lacks(self, capability: type) -> str | None:
        if capability is CountsDown:
            return None
        if capability is Tabled:
            return (
                f"needs all {self.report.states:,} states of {self.rules.name}, whose values are not kept for every number of moves left: "
                f"solve it with max_states={self.report.states}, which has them stored, or ask for smaller parameters"
            )
        return f"is not for {self.rules.name}, which was solved for one number of moves left after another"

    @property
    def is_exact(self) -> bool:
        """Whether the values of the start, and of the states that follow it, are rational numbers that are proven."""
        return self.exact is not None

    @property
    def horizon(self) -> int:
        """The number of moves left at the start."""
        return int(getattr(self.rules.start, self.count))

    def known(self, state: State) -> StateFacts:
        """States that have too few moves left to be reached are known as well. The best action is not stored, as it follows from the next
        states (`best_counted`)."""
        check_state(self.rules, self.layout, state)
        left = getattr(state, self.count)
        number = self._number(state) if 0 <= left <= self.horizon else -1
        if number < 0:
            raise unreachable(self.rules, state)
        if self.exact is not None and state in self.exact:
            return StateFacts(self.exact[state], (0.0,) * len(self.exact[state]))
        layer = self.layer(left)
        if number >= len(layer.value):
            raise unreachable(self.rules, state)
        return StateFacts(tuple(layer.value[number].tolist()), tuple(layer.error_of(number).tolist()))

    def best_counted(self, state: State) -> int:
        """The position of the action on which the values of `state` rest: the first of the best ones as the sweep compares them, rounding
        included (kernels/counting_down.py)."""
        before, sense = self.layer(getattr(state, self.count) - 1).value, 1 if self.rules.player(state) == 0 else -1
        return max(enumerate(sense * self._worth(state, action, before) for action in self.rules.actions(state)), key=itemgetter(1))[0]

    def _worth(self, state: State, action: Action, before: np.ndarray) -> float:
        """The worth of an action by the values with one move less left: operation by operation as in kernels/condense.py."""
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        total = paid = 0.0
        for o in outcomes:
            total += o.ways
            paid += float(o.ways) * float(o.payoff[0])
        worth = paid / total
        for o in outcomes:
            worth += o.sign * (o.ways / total * self.discount) * float(before[self._number(o.state), 0])
        return worth

    @cached_property
    def _order(self) -> np.ndarray:
        return np.argsort(sortable(self.keys), kind="stable")

    @cached_property
    def _ascending(self) -> np.ndarray:
        found: np.ndarray = self.keys[self._order]
        return found

    def _number(self, state: State) -> int:
        """The number of a state apart from the moves left; -1 if it was not found."""
        key = self.layout.pack(state._replace(**{self.count: self.horizon}))
        at = index_of(self._ascending, self.layout.item(key)) if key >= 0 else -1
        return int(self._order[at]) if at >= 0 else -1

    def layer(self, left: int) -> Layer:
        """The values with this many moves left."""
        at = bisect_right([layer.left for layer in self.kept], left) - 1
        below = self.kept[at]
        if below.left == left:
            return below
        if left not in self._above:
            last = self.kept[at + 1].left - 1
            self._above = {layer.left: layer for layer in self.sweep(self, below, last)}
        return self._above[left]
