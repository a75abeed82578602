"""A solved game: its value, the value and best action of every state, and the certificate. Needs no engine and no compiler."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.game import Action, Rules, State
from zermelo.layout import Layout

if TYPE_CHECKING:
    import pandas
    import xarray

    from zermelo.evaluate import Evaluation
    from zermelo.simulate import Simulation

Number = float | Fraction


class Certificate(NamedTuple):
    """How far the printed value can be from the truth, and why."""

    kind: str  # "proof": the value is exact; "bound": it lies in [low, high], rounding included
    low: Number
    high: Number
    argument: str

    def __str__(self) -> str:
        if self.kind == "proof":
            return self.argument
        return f"{self.argument}; the value lies in [{float(self.low)!r}, {float(self.high)!r}]"


class Space:
    """The states of a solution: a bijection between states and 0..size-1, in the order in which states sort."""

    def __init__(self, rules: Rules, layout: Layout, keys: np.ndarray):
        self.rules, self.layout, self.keys = rules, layout, keys

    @property
    def size(self) -> int:
        return len(self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    def rank(self, state: State) -> int:
        """The index of a state; symmetric positions share one. Raises `UnreachableState`."""
        key = self._key(state)
        index = int(np.searchsorted(self.keys, key)) if key >= 0 else self.size
        if index >= self.size or self.keys[index] != key:
            raise UnreachableState(
                f"{self.rules.show(state) if isinstance(state, self.layout.state_class) else state!r} can't be reached from "
                f"{self.rules.show(self.rules.start)} in {self.rules.name}; it has no computed value"
            )
        return index

    def _key(self, state: State) -> int:
        if not isinstance(state, self.layout.state_class) or not _is_whole(state):
            expected = ", ".join(self.layout.state_class._fields)  # type: ignore[attr-defined]
            raise ParameterError(f"{state!r} is not a state of {self.rules.name}: expected {self.layout.state_class.__name__}({expected})")
        return min(self.layout.pack(s) for s in (state, *self.rules.same_as(state)))

    def __contains__(self, state: State) -> bool:
        try:
            self.rank(state)
        except (UnreachableState, ParameterError):
            return False
        return True

    def unrank(self, index: int) -> State:
        """The state with this index."""
        if not 0 <= index < self.size:
            raise IndexError(f"state index {index} is not in 0..{self.size - 1}")
        return self.layout.unpack(int(self.keys[index]))

    def __iter__(self) -> Iterable[State]:  # type: ignore[override]
        for at in range(0, self.size, 1 << 16):
            yield from self.layout.unpack_many(self.keys[at : at + (1 << 16)])

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The states as arrays, one per integer of a state: int64[size]."""
        return dict(zip(self.layout.slot_names, self.layout.columns(np.asarray(self.keys)), strict=True))


def _is_whole(state: State) -> bool:
    return all(isinstance(v, int | np.integer) for f in state for v in (f if isinstance(f, tuple) else (f,)))


class Probe(NamedTuple):
    """What is known about one state."""

    state: State
    value: Number
    low: Number
    high: Number
    action: Action  # a best action; None where the play is over or only chance moves
    actions: dict[Action, Number]  # the value of every legal action
    payoffs: dict[str, Number]  # the expected total of every named payoff
    player: int  # who moves
    distance: int | None  # moves to the end under best play, where the solver counts them; None in endless draws


class Solution:
    """The solution of a game. `value` is what the first payoff is worth to player 0 (to the player to move, with PASS) at the start."""

    def __init__(
        self,
        rules: Rules,
        space: Space,
        *,
        values: np.ndarray,  # float64[n, payoffs]
        policy: np.ndarray,  # int[n]
        errors: np.ndarray,  # float64[n, payoffs]
        distances: np.ndarray | None,
        exact_values: Sequence[tuple[Fraction, ...]] | None,
        argument: str,
        discount: float,
        statistics: Mapping[str, Any],
    ):
        self.rules, self.space = rules, space
        self.game = rules.game
        self.discount = discount
        self.statistics = dict(statistics)
        self._values, self._errors, self._policy, self.distances = values, errors, policy, distances
        self._exact, self._argument = exact_values, argument
        self._engine: Any = None  # the explored game, where this process solved it

    # --- the answer -------------------------------------------------------------------------------------------------

    @cached_property
    def _start(self) -> int:
        return self.space.rank(self.rules.start)

    @property
    def is_exact(self) -> bool:
        """Every value is proven: a rational number, or win, draw or loss."""
        return self._exact is not None or self.certificate.kind == "proof"

    @property
    def value(self) -> Number:
        return self._value(self._start, 0)

    @property
    def low(self) -> Number:
        return self._interval(self._start, 0)[0]

    @property
    def high(self) -> Number:
        return self._interval(self._start, 0)[1]

    @property
    def payoffs(self) -> dict[str, Number]:
        """The expected total of every named payoff at the start."""
        return {name: self._value(self._start, j) for j, name in enumerate(self.rules.payoffs)}

    @property
    def bounds(self) -> dict[str, tuple[Number, Number]]:
        """An interval that contains the true expectation, for every named payoff at the start."""
        return {name: self._interval(self._start, j) for j, name in enumerate(self.rules.payoffs)}

    @cached_property
    def certificate(self) -> Certificate:
        low, high = self._interval(self._start, 0)
        return Certificate("proof" if low == high else "bound", low, high, self._argument)

    def _value(self, index: int, payoff: int) -> Number:
        return self._exact[index][payoff] if self._exact is not None else float(self._values[index, payoff])

    def _interval(self, index: int, payoff: int) -> tuple[Number, Number]:
        value = self._value(index, payoff)
        error = 0.0 if self._exact is not None else float(self._errors[index, payoff])
        if error == 0.0:
            return value, value
        return math.nextafter(value - error, -math.inf), math.nextafter(value + error, math.inf)

    # --- every state ------------------------------------------------------------------------------------------------

    @property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every state, in the order of `space`."""
        return self._values[:, 0]

    @property
    def errors(self) -> np.ndarray:
        """float64[states]: how far each of `values` can be from the truth."""
        return self._errors[:, 0]

    @property
    def policy(self) -> Callable[[State], Action]:
        """An optimal policy: a function from a state to a best action."""
        return self.best_action

    @property
    def action_numbers(self) -> np.ndarray:
        """int[states]: position of the best action among the state's actions; -1 where the play is over."""
        return self._policy

    def best_action(self, state: State) -> Action:
        """A best action in `state`; None where the play is over or only chance moves."""
        return self.probe(state).action

    def probe(self, state: State) -> Probe:
        """Value, best action and the value of every action of a state. Raises `UnreachableState`."""
        index = self.space.rank(state)
        low, high = self._interval(index, 0)
        actions = self.rules.actions(state)
        values = {a: self._action_value(state, a) for a in actions}
        player = self.rules.player(state) if actions else 0
        best = None
        if actions and actions[0] is not None:
            own_key = self.space.layout.pack(state) == self.space.keys[index]
            prefer = max if player == 0 else min
            best = actions[int(self._policy[index])] if own_key else prefer(actions, key=lambda a: values[a])
        distance = None if self.distances is None or self.distances[index] < 0 else int(self.distances[index])
        payoffs = {name: self._value(index, j) for j, name in enumerate(self.rules.payoffs)}
        return Probe(state, self._value(index, 0), low, high, best, values, payoffs, player, distance)

    def _action_value(self, state: State, action: Action) -> Number:
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        discount: Number = Fraction(self.discount) if self._exact is not None else self.discount
        total: Any = sum(o.ways for o in outcomes)
        gain: Any = 0
        for o in outcomes:
            gain += o.ways * (o.payoff[0] + o.sign * discount * self._value(self.space.rank(o.state), 0))
        return Fraction(gain) / Fraction(total) if self._exact is not None else float(gain / total)

    # --- tables -----------------------------------------------------------------------------------------------------

    def to_dataframe(self) -> pandas.DataFrame:
        """One row a state: its fields, the value of every payoff, the error bound, the best action, the distance where known."""
        import pandas

        frame = pandas.DataFrame(dict(self.space.columns))
        if len(self.rules.payoffs) == 1:
            frame["value"] = np.asarray(self.values)
        else:
            for j, name in enumerate(self.rules.payoffs):
                frame[name] = np.asarray(self._values[:, j])
        frame["error"] = np.asarray(self.errors)
        if not self.rules.is_chance:
            frame["action"] = [
                self._named_action(s, int(p)) for s, p in zip(self.space, self._policy, strict=True)  # type: ignore[call-overload]
            ]
        if self.distances is not None:
            frame["distance"] = np.asarray(self.distances)
        return frame

    def _named_action(self, state: State, position: int) -> str | None:
        return None if position < 0 else self.rules.action_name(self.rules.actions(state)[position])

    def to_xarray(self) -> xarray.Dataset:
        """Values and action numbers as arrays over the fields of a state; NaN and -1 where the box holds no state.

        Raises `OutOfReach` where the states fill less than 1 in 50 of the box that their fields span.
        """
        import xarray

        columns = {n: c for n, c in self.space.columns.items()}
        coordinates = {n: np.unique(c) for n, c in columns.items()}
        shape = tuple(len(c) for c in coordinates.values())
        if math.prod(shape) > max(50 * self.space.size, 1000):
            raise OutOfReach(
                f"the {self.space.size:,} states of {self.rules.name} do not form a box (their fields span {math.prod(shape):,} "
                "combinations); use to_dataframe()"
            )
        where = tuple(np.searchsorted(coordinates[n], c) for n, c in columns.items())
        names = ("value",) if len(self.rules.payoffs) == 1 else self.rules.payoffs
        variables: dict[str, Any] = {}
        for j, name in enumerate(names):
            filled = np.full(shape, np.nan)
            filled[where] = self._values[:, j]
            variables[name] = (tuple(columns), filled)
        chosen = np.full(shape, -1, dtype=np.int32)
        chosen[where] = self._policy
        variables["action_number"] = (tuple(columns), chosen)
        return xarray.Dataset(variables, coords=coordinates)

    # --- what people do with a solution -------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it."""
        from zermelo.store import save

        save(self, path)

    def export_umb(self, path: str | Path) -> None:
        """Write the game in the interchange format of model checkers (needs the package umbi)."""
        from zermelo.umb import export_solution

        export_solution(self, path)

    def simulate(self, plays: int, seed: int = 0) -> Simulation:
        """Play the optimal policy many times: mean, standard error, distribution of payoff and length."""
        from zermelo.simulate import simulate

        return simulate(self, plays, seed)

    def evaluate(self, policy: Callable[[State], Action], opponent: Callable[[State], Action] | None = None) -> Evaluation:
        """The exact value of a policy (a function of the state), and its loss against optimal play."""
        from zermelo.evaluate import evaluate

        return evaluate(self, policy, opponent)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{n}={v!r}" for n, v in zip(self.game._fields, self.game, strict=True))
        return f"<Solution of {self.rules.name}({parameters}): value {digits(self.value, self.low, self.high)}>"


def digits(value: Number, low: Number, high: Number) -> str:
    """A value with the digits that its interval makes reliable, and no others; a fraction as it is."""
    if isinstance(value, Fraction):
        return str(value)
    if low == high:
        return repr(float(value)) if value != int(value) else str(int(value))
    radius = max(float(high) - float(value), float(value) - float(low))
    decimals = max(0, math.floor(-math.log10(2 * radius))) if radius > 0 else 17
    return f"{float(value):.{min(decimals, 16)}f}"
