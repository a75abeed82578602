"""The solution of a game on an urn: the value and when to stop, without a table of all states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from zermelo.basics.numbers import Number
from zermelo.basics.progress import Progress, silent
from zermelo.engines.urn.sweep import Frontier, Sweep
from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.language.rules import Action, Rules, State
from zermelo.solution import Found, Place, Probe, Solution, check_state, interval
from zermelo.states.layout import Layout
from zermelo.storage.store import decode_fractions, encode_fractions, game_of, rules_header

if TYPE_CHECKING:
    from zermelo.uses.simulate import Simulation

GOOD = 1e-7  # relative error with which a cone still answers for an urn that play hardly comes to
REMEMBERED = 8  # urns off the start's cone for which a sweep of their own is remembered


class Cone:
    """W at the urn of a sweep and at all that its first draws can make of it."""

    def __init__(self, sweep: Sweep):
        self.sweep, self.depth = sweep, sweep.depth
        self.plus, self.minus = plus, minus = sweep.plus, sweep.minus
        row = sweep.kept  # by +1 balls drawn
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
        drawn = (self.plus - plus, self.minus - minus)
        return min(drawn) >= 0 and sum(drawn) <= self.depth

    def value(self, plus: int, minus: int) -> float:
        """V, what is to be won from this urn on."""
        if plus + minus == 0:
            return 0.0
        drawn = self.plus + self.minus - plus - minus
        return max(0.0, float(self.rows[drawn][self.plus - plus]) + (plus - minus))

    def error(self, plus: int, minus: int) -> float:
        """How far `value` can be from the truth."""
        rounding = self.depth * (self._highest + 18.0) * 2.0**-53
        return (self.sweep.error(plus, minus) + float(rounding)) * (1 + 1e-9)


class UrnSolution(Solution):
    """The solution of a game on an urn. It knows the value of the start and of what a few draws make of it, and when to
    stop anywhere; `probe` of other states sweeps again from there. All states as arrays there are none: they would not fit.
    """

    def __init__(self, rules: Rules, sweep: Sweep, exact: Fraction | None = None):
        self._sweep = sweep
        plus, minus = rules.game.urn(rules.start)
        self._cones = [Cone(sweep)]
        value, error = self._cones[0].value(plus, minus), self._cones[0].error(plus, minus)
        argument = (
            f"a sweep over {plus + minus:,} stages in a window of {sweep.deviations:.1f} standard deviations to either side: outside of "
            "it a player is credited with stopping or drawing all, and at most with knowing the order of the balls"
        )
        if exact is not None:
            if abs(float(exact) - value) > error * (1 + 1e-9) + 2.0**-52 * value:
                raise AssertionError(
                    f"{rules.name}: the sweep gives {value!r} +- {error:.1e}, rational numbers {float(exact)!r}"
                )
            argument = (
                "proof: computed in whole numbers only, stopping where nothing is to be won; " + argument + ", agrees"
            )
        layout = Layout.of([rules.start])
        found = Found(
            np.array([layout.pack(rules.start)]), np.array([[value]]), np.array([[error]]), np.zeros(1, np.int32), None,
            None if exact is None else [(exact,)], 0, argument,
        )  # fmt: skip
        statistics = {
            "solver": "UrnSweep",
            "stages": plus + minus,
            "states": (plus + 1) * (minus + 1),
            "cells": sweep.cells,
            "bytes": sweep.memory,
            "seconds compiling": sweep.compiling,
            "seconds solving": sweep.seconds,
        }
        super().__init__(rules, layout, found, 1.0, statistics)

    def _interval(self, place: Place, payoff: int) -> tuple[Number, Number]:
        """Drawing all balls, or none, is possible; the sweep's bound may not know it."""
        plus, minus = self.rules.game.urn(self.rules.start)
        low, high = super()._interval(place, payoff)
        return max(low, max(0, plus - minus)), high

    @property
    def has_states(self) -> bool:
        return False

    @property
    def frontier(self) -> Frontier:
        """When to stop: `frontier.stops(plus, minus)`, also for arrays, with up to `frontier.known` balls left."""
        return self._sweep.frontier

    def probe(self, state: State) -> Probe:
        """Value, best action and the value of every action, also at states that optimal play never reaches."""
        plus, minus = self._urn(state)
        cone = self._cone(plus, minus)
        value: Number = cone.value(plus, minus)
        low, high = interval(value, cone.error(plus, minus))
        low = max(low, max(0, plus - minus))
        if state == self.rules.start:
            value, low, high = self.value, self.low, self.high
        actions = self.rules.actions(state)
        values: dict[Action, Number] = {a: self._worth(cone, state, a) for a in actions}
        best = max(actions, key=lambda a: values[a], default=None)
        return Probe(state, value, low, high, best, values, {self.rules.payoffs[0]: value}, 0, None)

    def action_value(self, state: State, action: Action) -> Number:
        """What an action is worth by the values of the next states."""
        return self._worth(self._cone(*self._urn(state)), state, action)

    def _worth(self, cone: Cone, state: State, action: Action) -> float:
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        total = sum(o.ways for o in outcomes)
        return sum(o.ways * (o.payoff[0] + cone.value(*self.rules.game.urn(o.state))) for o in outcomes) / total

    def _urn(self, state: State) -> tuple[int, int]:
        """The urn of a state that can be reached."""
        check_state(self.rules, self.layout, state)
        plus, minus = self.rules.game.urn(state)
        most = self.rules.game.urn(self.rules.start)
        if not (0 <= plus <= most[0] and 0 <= minus <= most[1]):
            raise UnreachableState(f"{state} can't be reached from {self.rules.start} in {self.rules.name}")
        return plus, minus

    def _cone(self, plus: int, minus: int) -> Cone:
        """A cone that holds this urn, and the urns after the next draw, to a good bound; another sweep where none does."""
        for cone in self._cones:
            if cone.holds(plus, minus) and (plus + minus == 0 or cone.holds(plus - (plus > 0), minus - (plus == 0))):
                wanted = max(10 * self._found.error[0, 0], GOOD * max(1.0, cone.value(plus, minus)))
                if cone.error(plus, minus) <= wanted:
                    return cone
        return self._swept(plus, minus)

    def _swept(self, plus: int, minus: int) -> Cone:
        sweep = Sweep(plus, minus, self._sweep.deviations)
        sweep.run()
        self._cones[1:] = [Cone(sweep), *self._cones[1:REMEMBERED]]
        return self._cones[1]

    def simulate(
        self,
        plays: int,
        seed: int = 0,
        policy: Callable[[State], Action] | None = None,
        *,
        opponent: Callable[[State], Action] | None = None,
        seat: int = 0,
        progress: Progress = silent,
    ) -> Simulation:
        """Draw from shuffled urns many times and stop at the frontier. Only optimal play: policies of your own are for
        urns small enough to be stored."""
        if policy is not None or opponent is not None or seat != 0:
            self.require_states("playing a policy of your own")
        from zermelo.uses.simulate_urn import simulate

        return simulate(self, plays, seed, progress)

    def save(self, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. It is a checkpoint, too: solving again with
        `checkpoint=path` finds the answer there."""
        if compress:
            raise ParameterError(
                f"{self.rules.name}: only the tables of large board games are compressed; save it plainly"
            )
        exact = self._found.exact
        self._sweep.save(Path(path), rules_header(self.game), {} if exact is None else encode_fractions(exact[0]))

    # --- what needs all states ----------------------------------------------------------------------------------------------

    def require_states(self, what: str) -> NoReturn:
        states = self.statistics["states"]
        raise OutOfReach(
            f"{what} needs all {states:,} states of {self.rules.name}, which are not stored: ask for smaller parameters"
        )

    @property
    def space(self) -> Any:
        self.require_states("`space`")

    @property
    def values(self) -> Any:
        self.require_states("`values`")

    @property
    def payoff_values(self) -> Any:
        self.require_states("`payoff_values`")

    @property
    def errors(self) -> Any:
        self.require_states("`errors`")

    @property
    def distances(self) -> Any:
        self.require_states("`distances`")

    @property
    def action_numbers(self) -> Any:
        self.require_states("`action_numbers`")

    def to_dataframe(self) -> Any:
        self.require_states("a data frame")

    def to_xarray(self) -> Any:
        self.require_states("an array over the fields")


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> UrnSolution:
    """The solution in a file that `store.read` has read."""
    rules = Rules(game_of(path, header, game))
    plus, minus = rules.game.urn(rules.start)
    sweep = Sweep(plus, minus, header["run"]["width of the window"])
    sweep.resume(Path(path))
    return UrnSolution(rules, sweep, decode_fractions(arrays)[0] if "numerators" in arrays else None)
