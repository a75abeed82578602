"""An urn, solved by the urn sweep: its value and the stopping rule, without a table of all states."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.answers.base import StoppingLine, Tabled
from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.basics.fields import described
from zermelo.basics.machine import in_words
from zermelo.certificates.urn import exit_error, rounding_error
from zermelo.errors import UnreachableState
from zermelo.kernels.urn_places import FEWEST, LAST
from zermelo.language.rules import Rules, State
from zermelo.states.layout import Layout
from zermelo.states.space import check_state, off_play

KEPT = 256  # draws from the start after which the values are stored
LOOKED_AT = 200  # points of the stopping line at which the error is checked
GOOD_LINE = 1e-6  # largest error there, relative to the square root of the balls left
GOOD = 1e-7  # largest relative error at which a cone is still used for an urn that play rarely reaches
REMEMBERED = 8  # other urns whose sweeps are kept in memory


@described(
    reach="int64[x]: at most so many balls are left where a player stops with x more -1 balls than +1 balls; -1 for never.",
    known="The line is certain up to this many balls left; beyond, play from the start hardly ever reaches it.",
)
class Frontier(NamedTuple):
    """When to stop: with x more -1 balls than +1 balls left, a player stops if at most reach[x] balls are left; -1 for never."""

    reach: np.ndarray
    known: int

    def stops(self, plus: Any, minus: Any) -> Any:
        """Whether the player stops at these urns of up to `known` balls: +1 and -1 balls left, numbers or arrays."""
        ahead, left = np.subtract(minus, plus), np.add(minus, plus)
        found = self.reach[np.clip(ahead, 0, len(self.reach) - 1)] >= left
        return np.where(ahead >= len(self.reach), True, np.where(ahead < 0, False, found) | (left == 0))


@dataclass(frozen=True)
class UrnSweep:
    """The result of a finished urn sweep. W is the value that the right to stop early adds to drawing all balls (kernels/urn.py)."""

    plus: int
    minus: int
    deviations: float  # half the width of the window, in standard deviations
    tiles: np.ndarray  # int64[tiles, 4]
    highest: np.ndarray  # float64[tiles], the largest W of each tile
    reach: np.ndarray  # int64[x], as in `Frontier`, before it is known up to where it can be trusted
    kept: np.ndarray  # float64[depth + 1]: W after `depth` draws, by the number of +1 balls drawn
    going_on: Mapping[str, np.ndarray] = field(repr=False)  # the data that the sweep needs to resume from here

    @property
    def nbytes(self) -> int:
        """The size of all its arrays in bytes."""
        return sum(a.nbytes for a in (self.tiles, self.highest, self.reach, self.kept, *self.going_on.values()))

    @property
    def depth(self) -> int:
        """The number of draws up to which W is known at every urn that can result."""
        return min(KEPT, self.plus + self.minus)

    def rounding(self) -> np.ndarray:
        """float64[tiles]: the rounding error up to the end of each tile."""
        return rounding_error(self.tiles, self.highest)

    def error(self, plus: int, minus: int) -> float:
        """An upper bound of |W - true W| at this urn, which must lie in the window or within a few balls of its edge."""
        rounding = self.rounding()
        last = min(int(np.searchsorted(self.tiles[:, LAST], plus + minus)), len(rounding) - 1)
        return float(exit_error(self.tiles, plus, minus).sum()) + (float(rounding[last]) if len(rounding) else 0.0)

    @cached_property
    def frontier(self) -> Frontier:
        """The part of the stopping line where the errors are small; elsewhere the edge of the window is too close to it, or cuts it off."""
        ahead = np.flatnonzero(self.reach >= 0)
        ahead = ahead[: len(ahead) if (cut := np.flatnonzero(self._is_cut_off(ahead))).size == 0 else int(cut[0])]
        looked_at = ahead[np.unique(np.linspace(0, len(ahead) - 1, LOOKED_AT).astype(int))] if len(ahead) else ahead
        trusted = -1
        for x in looked_at.tolist():
            left = int(self.reach[x])
            if self.error((left - x) // 2, (left + x) // 2) > GOOD_LINE * max(1.0, math.sqrt(left)):
                break
            trusted = x
        reach = np.maximum.accumulate(np.append(-1, self.reach[1 : trusted + 1]))
        return Frontier(reach, max(0, int(reach[-1])))

    def _is_cut_off(self, ahead: np.ndarray) -> np.ndarray:
        """Whether one may stop with more balls left, so far ahead, than the line says: at urns that can result, outside of the window."""
        left = self.reach[ahead] + 2
        minus = (left + ahead) // 2
        tile = self.tiles[np.minimum(np.searchsorted(self.tiles[:, LAST], left), len(self.tiles) - 1)]
        can_result = (minus <= self.minus) & (left - minus <= self.plus)
        return can_result & (minus > tile[:, LAST] - tile[:, FEWEST])


class Cone:
    """W at the urn of a sweep and at all urns that can result from its first draws."""

    def __init__(self, swept: UrnSweep):
        self.swept, self.depth = swept, swept.depth
        self.plus, self.minus = plus, minus = swept.plus, swept.minus
        row = swept.kept  # by +1 balls drawn
        self.rows = [row]
        for drawn in range(self.depth - 1, -1, -1):
            left = plus + minus - drawn
            i = plus - np.arange(drawn + 1)
            drawing = row[:-1] + i / left * (row[1:] - row[:-1])
            row = np.maximum(left - 2.0 * i, drawing)
            self.rows.append(row)
        self.rows.reverse()
        self._highest = max(float(row.max()) for row in self.rows)

    def holds(self, plus: int, minus: int) -> bool:
        """Whether this urn can result from the first draws."""
        drawn = (self.plus - plus, self.minus - minus)
        return min(drawn) >= 0 and sum(drawn) <= self.depth

    def value(self, plus: int, minus: int) -> float:
        """V: the expected payoff from this urn on."""
        if plus + minus == 0:
            return 0.0
        drawn = self.plus + self.minus - plus - minus
        return max(0.0, float(self.rows[drawn][self.plus - plus]) + (plus - minus))

    def error(self, plus: int, minus: int) -> float:
        """An upper bound of |value - true value|."""
        rounding = self.depth * (self._highest + 18.0) * 2.0**-53
        return (self.swept.error(plus, minus) + float(rounding)) * (1 + 1e-9)


def urn_report(swept: UrnSweep, cells: int, seconds: Mapping[str, float]) -> Report:
    """The report on an urn sweep that computed this many cells."""
    stages, states, size = swept.plus + swept.minus, (swept.plus + 1) * (swept.minus + 1), swept.nbytes
    share = f"{cells / states:.2g} of the {states:,} states" if cells < states else f"{states:,} states"
    summary = f"{stages:,} stages, {cells:,} cells ({share}) in {in_words(size)}"
    facts = {"stages": stages, "states": states, "cells": cells, "bytes": size}
    return Report("urn", "UrnSweep", summary, facts, seconds)


@dataclass(eq=False)
class UrnAnswers:
    """The values of the start and of urns a few draws away, and the stopping rule for any urn; `sweep_from` runs a sweep for other urns."""

    rules: Rules
    swept: UrnSweep
    report: Report
    sweep_from: Callable[[int, int, float], UrnSweep]  # (+1 balls, -1 balls, width of the window)
    exact: Fraction | None = None  # the value of the start as a rational number
    bridge: Any = None  # the same game with all states stored, once something has needed it
    _cones: list[Cone] = field(default_factory=list)

    discount: ClassVar[float] = 1.0

    def __post_init__(self) -> None:
        self.layout = Layout.of([self.rules.start])
        self._cones = [Cone(self.swept)]
        plus, minus = self.swept.plus, self.swept.minus
        value, error = self._cones[0].value(plus, minus), self._cones[0].error(plus, minus)
        self._good = 10 * error
        if self.exact is not None and abs(float(self.exact) - value) > error * (1 + 1e-9) + 2.0**-52 * value:
            raise AssertionError(
                f"{self.rules.name}: the sweep gives {value!r} +- {error:.1e}, rational numbers {float(self.exact)!r}"
            )

    @property
    def is_exact(self) -> bool:
        return self.exact is not None

    @property
    def argument(self) -> str:
        """The reason why the certificate holds, in words."""
        swept = (
            f"a sweep over {self.swept.plus + self.swept.minus:,} stages in a window of {self.swept.deviations:.1f} standard deviations to "
            "either side: outside of it a player is credited with stopping or drawing all, and at most with knowing the order of the balls"
        )
        if self.exact is None:
            return swept
        return f"proof: computed in whole numbers only, stopping where nothing is to be won; {swept}, agrees"

    @property
    def frontier(self) -> Frontier:
        """The stopping rule: `frontier.stops(plus, minus)`, also for arrays, with up to `frontier.known` balls left."""
        return self.swept.frontier

    def lacks(self, capability: type) -> str | None:
        if capability is StoppingLine:
            return None
        if capability is Tabled:
            return f"needs all {self.report.states:,} states of {self.rules.name}, which are not stored: ask for smaller parameters"
        return f"is not for {self.rules.name}, an urn that was swept stage by stage"

    def known(self, state: State) -> StateFacts:
        """States that optimal play never reaches are known as well. Only the start's value can be exact. Other values are floats with
        bounds, as computing a fraction takes as long for each of them as for the start. `least`: drawing all balls, or none, is always
        possible."""
        plus, minus = self.urn(state)
        if self.exact is not None and (plus, minus) == (self.swept.plus, self.swept.minus):
            return StateFacts((self.exact,), (0.0,), self._best(state, self.exact > 0))
        cone = self._cone(plus, minus)
        value = cone.value(plus, minus)
        return StateFacts((value,), (cone.error(plus, minus),), self._best(state, value > 0), least=max(0, plus - minus))

    def _best(self, state: State, draws: bool) -> int | None:
        """The position of the action that draws, or else stops, which pays nothing: where both are equally good one stops, as at the
        stopping line."""
        pays = (any(o.payoff[0] for o in self.rules.outcomes(state, a) if o.ways) for a in self.rules.actions(state))
        return next((position for position, paid in enumerate(pays) if paid == draws), None)

    def urn(self, state: State) -> tuple[int, int]:
        """The number of balls of a state that pay 1, and the number that cost 1. Raises `ParameterError`, `UnreachableState`."""
        check_state(self.rules, self.layout, state)
        plus, minus = self.rules.game.urn(state)
        if not (0 <= plus <= self.swept.plus and 0 <= minus <= self.swept.minus):
            raise UnreachableState(off_play(self.rules, state))
        return plus, minus

    def _cone(self, plus: int, minus: int) -> Cone:
        """A cone with small errors that contains this urn and the urns after the next draw, from a new sweep if necessary."""
        for cone in self._cones:
            if cone.holds(plus, minus) and (plus + minus == 0 or cone.holds(plus - (plus > 0), minus - (plus == 0))):
                wanted = max(self._good, GOOD * max(1.0, cone.value(plus, minus)))
                if cone.error(plus, minus) <= wanted:
                    return cone
        swept = self.sweep_from(plus, minus, self.swept.deviations)
        self._cones[1:] = [Cone(swept), *self._cones[1:REMEMBERED]]
        return self._cones[1]
