"""A solved game: its value, the value and best action of every state, and the certificate. Needs no engine and no compiler."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import Number, digits, written
from zermelo.basics.progress import Progress, silent
from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.language.rules import Action, Rules, State, lengths
from zermelo.problem.mixtures import Mixtures
from zermelo.states.layout import Layout

if TYPE_CHECKING:
    import pandas
    import xarray

    from zermelo.uses.distribution import Distribution
    from zermelo.uses.evaluate import Evaluation, Response
    from zermelo.uses.simulate import Simulation
    from zermelo.uses.umb import Exported


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
        return self.find(state)[0]

    def find(self, state: State) -> tuple[int, int]:
        """(index, turns): the index of the state, or of the one that stands for it with the table turned by so many seats."""
        check_state(self.rules, self.layout, state)
        index = self._index(min(self.layout.pack(s) for s in (state, *self.rules.same_as(state))))
        if index >= 0:
            return index, 0
        index, turns = self._turned(state)
        if index < 0:
            raise UnreachableState(
                f"{state} can't be reached from {self.rules.start} in {self.rules.name}; it has no computed value"
            )
        return index, turns

    def _turned(self, state: State) -> tuple[int, int]:
        """The same for a state that is not kept itself; an index of -1 if no other stands for it."""
        if lengths(state) != self.layout.lengths:
            return -1, 0
        try:
            turned, turns = self.rules.turned(state)
        except Exception:  # rules need not make sense of what is no state of the game
            return -1, 0
        is_turned = turned != state and 0 <= turns < max(len(self.rules.seats), 1)
        return (self._index(self.layout.pack(turned)) if is_turned else -1), turns

    def _index(self, key: int) -> int:
        index = int(np.searchsorted(self.keys, key)) if key >= 0 else self.size
        return index if index < self.size and self.keys[index] == key else -1

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

    def __iter__(self) -> Iterator[State]:
        for at in range(0, self.size, 1 << 16):
            yield from self.layout.unpack_many(self.keys[at : at + (1 << 16)])

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The states as arrays, one per integer of a state: int64[size]."""
        return dict(zip(self.layout.slot_names, self.layout.columns(np.asarray(self.keys)), strict=True))


def interval(value: Number, error: float) -> tuple[Number, Number]:
    """Where a value lies that is known up to `error`, rounding included."""
    if error == 0.0:
        return value, value
    return math.nextafter(value - error, -math.inf), math.nextafter(value + error, math.inf)


def check_state(rules: Rules, layout: Layout, state: State) -> None:
    """Raise `ParameterError` unless this is a state of the game."""
    if not isinstance(state, layout.state_class) or not _is_whole(state):
        expected = ", ".join(layout.state_class._fields)
        raise ParameterError(
            f"{state!r} is not a state of {rules.name}: expected {layout.state_class.__name__}({expected})"
        )


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
    # Where both choose at once: `actions` are player 0's, each against player 1's optimal mixture, and `action` is the likeliest.
    mixture: dict[Action, Number] | None = None  # player 0's probabilities
    other_actions: dict[Action, Number] | None = None  # the value of each action of player 1 against player 0's mixture
    other_mixture: dict[Action, Number] | None = None  # player 1's probabilities


class Length(NamedTuple):
    """How many moves a play takes."""

    mean: float
    variance: float
    variance_low: float  # the true variance lies between
    variance_high: float

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)


class Found(NamedTuple):
    """What a solver found, by the engine's number of a state."""

    keys: np.ndarray  # int64[n]
    value: Any  # float64[n, payoffs], or what can be indexed like it
    error: Any  # likewise
    policy: np.ndarray  # int32[n]
    distance: np.ndarray | None  # int32[n]
    exact: Sequence[tuple[Fraction, ...]] | None
    start: int
    argument: str
    start_turns: int = 0  # the table is turned by so many seats from the start to the state that stands for it
    mixtures: Mixtures | None = (
        None  # where both choose at once; the policy is then the position of the likeliest action
    )


class Place(NamedTuple):
    """Where the values of a state are kept: at a number of the engine, the table turned by so many seats."""

    number: int
    turns: int


class Solution:
    """The solution of a game. `value` is what the first payoff is worth to player 0 (to the player to move, with PASS) at the start."""

    def __init__(self, rules: Rules, layout: Layout, found: Found, discount: float, statistics: Mapping[str, Any]):
        self.rules, self.layout = rules, layout
        self.game = rules.game
        self.discount = discount
        self.statistics = dict(statistics)
        self._found = found
        self._engine: Any = None  # the explored game, where this process solved it

    @property
    def has_states(self) -> bool:
        """Whether all states are there, with values and policy; if not, `probe` still answers for each."""
        return True

    def require_states(self, what: str) -> None:
        """Raise `OutOfReach` if `what` needs all states and they are not there."""

    def require_turns(self, what: str) -> None:
        """Raise `OutOfReach` where both players choose at once, so that `what` does not fit."""
        if self.rules.is_simultaneous:
            raise OutOfReach(
                f"{what}: in {self.rules.name} both choose at once, and optimal play is mixed; probe(state).mixture has it"
            )

    def require_joint(self, what: str) -> None:
        """Raise `ParameterError` unless both players choose at once, as `what` needs."""
        if not self.rules.is_simultaneous:
            raise ParameterError(
                f"{what}: in {self.rules.name} nobody chooses at the same time as the other player; best_action(state) has what to do"
            )

    @property
    def _stored(self) -> Solution:
        """The same solution with all states stored."""
        return self

    def require_end(self, what: str) -> None:
        """Raise `OutOfReach` if play is cut off somewhere: `what` would need to know how it ends."""
        if self.rules.is_cut_off:
            raise OutOfReach(
                f"{what}: {self.rules.name} cuts play off and bounds the rest, and what is not played has no one value"
            )

    @cached_property
    def _order(self) -> np.ndarray:
        """Engine numbers in the order in which states sort."""
        keys = self._found.keys
        return np.arange(len(keys)) if np.all(keys[1:] > keys[:-1]) else np.argsort(keys)

    @cached_property
    def space(self) -> Space:
        """The states that were solved, in the order in which they sort."""
        return Space(self.rules, self.layout, self._sorted(self._found.keys))

    def _sorted(self, array: np.ndarray) -> np.ndarray:
        order = self._order
        return (
            array if order[0] == 0 and order[-1] == len(order) - 1 and np.all(order[1:] > order[:-1]) else array[order]
        )

    def _place(self, state: State) -> Place:
        """Where the values of a state are kept."""
        index, turns = self.space.find(state)
        return Place(int(self._order[index]), turns)

    # --- the answer -------------------------------------------------------------------------------------------------

    @property
    def _start(self) -> Place:
        return Place(self._found.start, self._found.start_turns)

    @property
    def is_exact(self) -> bool:
        """Every value is a rational number, proven."""
        return self._found.exact is not None

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

    @property
    def length(self) -> Length:
        """Mean and variance of the number of moves of a play, where they were computed with the values: in games of stages.

        Raises `OutOfReach` elsewhere; `distribution()` computes them there.
        """
        if "length" not in self.statistics:
            self.require_states("the length of a play")
            raise OutOfReach(
                f"{self.rules.name} was solved without counting moves; distribution() has the variance of lengths"
            )
        return Length(**self.statistics["length"])

    @cached_property
    def certificate(self) -> Certificate:
        low, high = self._interval(self._start, 0)
        return Certificate("proof" if low == high else "bound", low, high, self._found.argument)

    def _value(self, place: Place, payoff: int) -> Number:
        exact, column = self._found.exact, self.rules.payoff_after(payoff, place.turns)
        return exact[place.number][column] if exact is not None else float(self._found.value[place.number, column])

    def _interval(self, place: Place, payoff: int) -> tuple[Number, Number]:
        value = self._value(place, payoff)
        column = self.rules.payoff_after(payoff, place.turns)
        error = 0.0 if self.is_exact else float(self._found.error[place.number, column])
        return interval(value, error)

    # --- every state ------------------------------------------------------------------------------------------------

    @cached_property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every state, in the order of `space`."""
        return self._sorted(self._found.value[:, 0])

    @cached_property
    def errors(self) -> np.ndarray:
        """float64[states]: how far each of `values` can be from the truth."""
        return self._sorted(self._found.error[:, 0])

    @cached_property
    def payoff_values(self) -> np.ndarray:
        """float64[states, payoffs]: the expected total of every named payoff, in the order of `space`."""
        return np.asarray(self._sorted(self._found.value))

    @cached_property
    def action_numbers(self) -> np.ndarray:
        """int32[states]: position of the best action among the state's actions; -1 where the play is over."""
        return self._sorted(self._found.policy)

    @cached_property
    def distances(self) -> np.ndarray | None:
        """int32[states]: moves to the end under best play, -1 for endless draws; None where the solver does not count them."""
        return None if self._found.distance is None else self._sorted(self._found.distance)

    @property
    def counts_moves(self) -> bool:
        """Whether the solver counted the moves to the end: in games that can only be won, drawn or lost, without chance."""
        return self._found.distance is not None

    def census(self) -> dict[str, list[tuple[int, int]]]:
        """For "won", "lost" and "drawn" (for the player to move; at the end, as `payoff` tells it): pairs (moves to the end,
        positions), shortest first; -1 moves are those of an endless draw. Raises `ParameterError` where moves are not counted.
        """
        distances = self.distances
        if distances is None:
            raise ParameterError(f"{self.rules.name}: its solver counts no moves to the end")
        values, found = self.values, {}
        if hasattr(self.game, "player"):  # values are those of player 0
            movers = [self.rules.player(s) if away else 0 for s, away in zip(self.space, distances, strict=True)]
            values = values * (1 - 2 * np.array(movers))
        for name, value in (("won", 1), ("lost", -1), ("drawn", 0)):
            moves, counts = np.unique(distances[values == value], return_counts=True)
            found[name] = [(int(m), int(n)) for m, n in zip(moves, counts, strict=True)]
        return found

    def farthest(self) -> State | None:
        """The position from which the player to move wins, but only after the most moves; None if none is won by a move."""
        if self.distances is None:
            raise ParameterError(f"{self.rules.name}: its solver counts no moves to the end")
        moves = np.where(self.values == 1, self.distances, 0)
        return self.space.unrank(int(np.argmax(moves))) if moves.max(initial=0) > 0 else None

    @property
    def policy(self) -> Callable[[State], Action]:
        """An optimal policy: a function from a state to a best action. Raises `OutOfReach` where both choose at once."""
        self.require_turns("a policy of single actions")
        return self.best_action

    def best_action(self, state: State) -> Action:
        """A best action in `state`; None where the play is over or only chance moves. (The likeliest where both choose at once.)"""
        return self.probe(state).action

    def probe(self, state: State) -> Probe:
        """Value, best action and the value of every action of a state. Raises `UnreachableState`."""
        place = self._place(state)
        low, high = self._interval(place, 0)
        if self.rules.is_simultaneous:
            from zermelo.uses.joint import probe

            return probe(self, state, place)
        actions = self.rules.actions(state)
        values = {a: self.action_value(state, a) for a in actions}
        player = self.rules.player(state) if actions else 0
        best = None
        if actions and actions[0] is not None:
            kept = self._kept_action(state, place)
            best = (
                max(actions, key=lambda a: self._merit(state, a, values[a], player)) if kept is None else actions[kept]
            )
        payoffs = {name: self._value(place, j) for j, name in enumerate(self.rules.payoffs)}
        return Probe(state, self._value(place, 0), low, high, best, values, payoffs, player, self._distance(place))

    def _kept_action(self, state: State, place: Place) -> int | None:
        """Which action is best, where it is kept; None for a mirror image of the state that is."""
        return int(self._found.policy[place.number]) if self._is_own(state, place) else None

    def _merit(self, state: State, action: Action, value: Number, player: int) -> tuple[Number, int]:
        """By this actions compare: what they are worth to the player, then sooner wins and later losses."""
        worth = value if player == 0 else -value
        away = self.moves_after(state, action) or 0
        return worth, -away if worth > 0 else away

    def _distance(self, place: Place) -> int | None:
        """Moves to the end from the state kept there."""
        away = -1 if self._found.distance is None else int(self._found.distance[place.number])
        return away if away >= 0 else None

    def moves_after(self, state: State, action: Action) -> int | None:
        """Moves to the win or loss under best play if it begins with this action; None for draws, and where they are not counted."""
        if not self.counts_moves:
            return None
        (outcome,) = [o for o in self.rules.outcomes(state, action) if o.ways]
        place = self._place(outcome.state)
        away = self._distance(place)
        return None if away is None or self._value(place, 0) == 0 else away + 1

    def _is_own(self, state: State, place: Place) -> bool:
        """Whether the policy that is stored is that of the state itself, not of a mirror image."""
        return bool(self.layout.pack(state) == self._found.keys[place.number])

    def action_value(self, state: State, action: Action) -> Number:
        """What an action is worth by the values of the next states; 0.1 counts as 1/10 where these are exact.

        Also of an action that `actions` leaves out since others are as good, if the states that it leads to were solved;
        raises `UnreachableState` if not.
        """
        outcomes = [o for o in self.rules.outcomes(state, action) if o.ways]
        exact = self.is_exact
        meant: Callable[[Any], Any] = written if exact else float
        discount: Number = Fraction(str(self.discount)) if exact else self.discount
        ways = [meant(o.ways) for o in outcomes] if len(outcomes) > 1 else [meant(1)]
        gain: Any = 0
        for o, share in zip(outcomes, ways, strict=True):
            gain += share * (meant(o.payoff[0]) + o.sign * discount * self._value(self._place(o.state), 0))
        total: Any = sum(ways)
        return gain / total

    # --- tables -----------------------------------------------------------------------------------------------------

    def to_dataframe(self) -> pandas.DataFrame:
        """One row a state: its fields, the value of every payoff, the error bound, the best action, the distance where known."""
        import pandas

        frame = pandas.DataFrame(dict(self.space.columns))
        if len(self.rules.payoffs) == 1:
            frame["value"] = np.asarray(self.values)
        else:
            for j, name in enumerate(self.rules.payoffs):
                frame[name] = self.payoff_values[:, j]
        frame["error"] = np.asarray(self.errors)
        if self.rules.is_simultaneous:
            from zermelo.uses.joint import add_mixtures

            add_mixtures(self, frame)
        elif not self.rules.is_chance:
            frame["action"] = [
                self._named_action(s, int(p)) for s, p in zip(self.space, self.action_numbers, strict=True)
            ]
        if self.distances is not None:
            frame["distance"] = np.asarray(self.distances)
        return frame

    @property
    def mixtures(self) -> Mixtures:
        """Where both choose at once: both mixtures of every state, in floats, in the engine's order of the states."""
        from zermelo.uses.joint import mixtures

        self.require_joint("`mixtures`")
        return mixtures(self)

    def mixtures_at(self, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
        """Where both choose at once: the probabilities of player 0's and of player 1's actions in the state with this index."""
        from zermelo.uses.joint import mixtures_at

        self.require_joint("`mixtures_at`")
        return mixtures_at(self, index)

    def _named_action(self, state: State, position: int) -> str | None:
        return None if position < 0 else self.rules.action_name(self.rules.own_actions(state)[position])

    def to_xarray(self) -> xarray.Dataset:
        """Values and action numbers as arrays over the fields of a state; NaN and -1 where the box holds no state.

        Raises `OutOfReach` where the states fill less than 1 in 50 of the box that their fields span.
        """
        import xarray

        columns = dict(self.space.columns)
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
            filled[where] = self.payoff_values[:, j]
            variables[name] = (tuple(columns), filled)
        chosen = np.full(shape, -1, dtype=np.int32)
        chosen[where] = self.action_numbers
        variables["action_number"] = (tuple(columns), chosen)
        return xarray.Dataset(variables, coords=coordinates)

    # --- what people do with a solution -------------------------------------------------------------------------------

    def save(self, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it. Large board games can be compressed."""
        from zermelo.storage.store import save

        if compress:
            raise ParameterError(
                f"{self.rules.name}: only the tables of large board games are compressed; save it plainly"
            )
        save(self._stored, path)

    def export_umb(self, path: str | Path) -> Exported:
        """Write the game in the interchange format of model checkers, so that others can check the answer (needs the package umbi)."""
        from zermelo.solving import engine_of
        from zermelo.uses.umb import export

        self.require_states("an export")
        self.require_end("an export")
        self.require_turns("an export")
        if self.discount != 1:
            raise OutOfReach("model checkers' files know no discount; solve without it to export the game")
        explored = engine_of(self._stored)
        columns = dict(zip(explored.layout.slot_names, explored.layout.columns(explored.keys), strict=True))
        return export(
            explored.whole(),
            path,
            start=explored.start,
            payoffs=self.rules.payoffs,
            name=self.rules.name,
            comment=repr(self),
            columns=columns,
        )

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
        """Play many times at compiled speed: mean, standard error, distribution of payoff and length.

        Both sides play optimally unless `policy` (for the player in `seat`) or `opponent` is given. The same seed gives the same plays.
        """
        from zermelo.uses.simulate import simulate

        return simulate(self._stored, plays, seed, policy, opponent=opponent, seat=seat, progress=progress)

    def distribution(
        self, payoff: str | None = None, *, tail: float = 1e-12, max_steps: int = 1_000_000, progress: Progress = silent
    ) -> Distribution:
        """The probabilities of every length of a play, or of every total of the named `payoff`, where these are whole numbers.

        Computed, not simulated, under optimal play, until the plays that are still going on have at most the probability `tail`.
        """
        from zermelo.uses.distribution import distribution

        return distribution(self._stored, payoff, tail=tail, max_steps=max_steps, progress=progress)

    def evaluate(
        self, policy: Callable[[State], Action], opponent: Callable[[State], Action] | None = None, *, seat: int = 0
    ) -> Evaluation:
        """The exact value of any policy (a function of the state), its loss against optimal play and its costliest mistakes.

        In a game for two the policy plays in `seat` (0 or 1) against `opponent`, or against optimal play. Where both choose at once
        a policy may answer with probabilities, as a dict.
        """
        from zermelo.uses.evaluate import evaluate

        self.require_states("evaluating a policy")
        self.require_end("evaluating a policy")
        return evaluate(self._stored, policy, opponent, seat=seat)

    def best_response(self, opponent: Callable[[State], Action], *, seat: int = 0) -> Response:
        """The best that the player in `seat` can do against a given policy of the opponent."""
        from zermelo.uses.evaluate import best_response

        self.require_states("a best response")
        self.require_end("a best response")
        self.require_turns("a best response to single actions")
        return best_response(self._stored, opponent, seat=seat)

    def __repr__(self) -> str:
        parameters = ", ".join(f"{n}={v!r}" for n, v in zip(self.game._fields, self.game, strict=True))
        return f"<Solution of {self.rules.name}({parameters}): value {digits(self.value, self.low, self.high)}>"
