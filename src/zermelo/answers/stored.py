"""All states as arrays: from the general engine, and from games of chance that go through stages."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import CountsLength, CountsMoves, Tabled
from zermelo.answers.known import Length, StateFacts
from zermelo.answers.report import Report
from zermelo.basics.numbers import Number
from zermelo.language.rules import Rules, State
from zermelo.problem.mixtures import Mixtures
from zermelo.states.keys import sortable
from zermelo.states.layout import Layout
from zermelo.states.space import REMEMBERED, Space, is_whole


class Place(NamedTuple):
    """Where the values of a state are stored: at the state with this number, which is the same up to a rotation of the table by `turns`
    seats."""

    number: int
    turns: int = 0


@dataclass(eq=False)
class StoredAnswers:
    """Values, error bounds and an optimal policy of all states, in arrays indexed by the engine's number of a state."""

    rules: Rules
    layout: Layout
    keys: np.ndarray  # of the states (states/keys.py)
    value: Any  # float64[n, payoffs], or an object that can be indexed like it
    error: Any  # likewise
    policy: np.ndarray  # int32[n]
    start: Place
    argument: str
    report: Report
    discount: float = 1.0
    distance: np.ndarray | None = None  # int32[n]
    exact: Sequence[tuple[Fraction, ...]] | None = None
    mixtures: Mixtures | None = None  # with simultaneous moves; `policy` is then the most probable action of player 0
    length: Length | None = None
    moves: str | None = None  # the payoff that counts moves, if they were counted
    explored: Any = None  # the explored game, if this process solved it
    apart: Any = None  # the same game with symmetric states kept apart, once something has needed it
    _known: dict[State, StateFacts] = field(default_factory=dict, init=False, repr=False)  # a probe asks for next states more than once

    def lacks(self, capability: type) -> str | None:
        if capability is Tabled:
            return None
        if capability is CountsMoves:
            return None if self.distance is not None else f"needs moves to the end, which are not counted in {self._name}"
        if capability is CountsLength:
            return None if self.length is not None else f"needs moves counted with the values, as in {self._name} they are not"
        return f"is not for {self._name}, all of whose states are stored"

    @property
    def _name(self) -> str:
        return self.rules.name

    @property
    def is_exact(self) -> bool:
        return self.exact is not None

    # --- one state --------------------------------------------------------------------------------------------------

    def known(self, state: State) -> StateFacts:
        is_state = self.layout.is_for(state) and is_whole(state)  # other tuples and numbers compare equal to those of one
        found = self._known.get(state) if is_state else None
        if found is None:
            place = self.start if is_state and state == self.rules.start else self.place(state)
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[state] = self._facts(state, place)
        return found

    def _facts(self, state: State, place: Place) -> StateFacts:
        number, payoffs = place.number, range(len(self.rules.payoffs))
        columns = [self.rules.payoff_after(j, place.turns) for j in payoffs] if place.turns else list(payoffs)
        values: tuple[Number, ...]
        if self.exact is not None:
            error = math.inf if math.isinf(self.error[number, 0]) else 0.0  # infinite: not known (uses/until.py)
            values, errors = tuple(self.exact[number][j] for j in columns), (error,) * len(columns)
        else:
            values = tuple(float(self.value[number, j]) for j in columns)
            errors = tuple(float(self.error[number, j]) for j in columns)
        is_own = self.layout.pack(state) == self.layout.whole(self.keys[number])  # and not a symmetric image of the stored state
        best = int(self.policy[number]) if is_own else -1
        away = -1 if self.distance is None else int(self.distance[number])
        mixtures = self.mixtures.of(number) if self.mixtures is not None and is_own else None
        kept = None if mixtures is None else (mixtures[0].tolist(), mixtures[1].tolist())
        return StateFacts(values, errors, best if best >= 0 else None, away if away >= 0 else None, kept)

    def place(self, state: State) -> Place:
        """Where the values of a state are stored. Raises `ParameterError`, `UnreachableState`."""
        index, turns = self.space.find(state)
        return Place(int(self.order[index]), turns)

    # --- all states -------------------------------------------------------------------------------------------------

    @cached_property
    def order(self) -> np.ndarray:
        """int64[n]: the numbers of the states, in the order of `space`."""
        keys = sortable(self.keys)
        return np.arange(len(keys)) if np.all(keys[1:] > keys[:-1]) else np.argsort(keys)

    @cached_property
    def space(self) -> Space:
        """The states in sorted order."""
        return Space(self.rules, self.layout, self.ordered(self.keys))

    def ordered(self, array: np.ndarray) -> np.ndarray:
        """An array indexed by number, rearranged into the order of `space`."""
        order = self.order
        is_sorted = order[0] == 0 and order[-1] == len(order) - 1 and np.all(order[1:] > order[:-1])
        return array if is_sorted else array[order]

    # --- moves to the end -------------------------------------------------------------------------------------------

    def census(self) -> dict[str, list[tuple[int, int]]]:
        """The number of positions that are "won", "lost" and "drawn" for the player to move: for each of these words, pairs (moves to the
        end, number of positions), shortest first, where -1 moves stands for draws by infinite play. Final positions count as their `payoff`
        says."""
        assert self.distance is not None
        distances, values = self.ordered(self.distance), self.ordered(self.value[:, 0])
        if hasattr(self.rules.game, "player"):  # values are those of player 0
            movers = [self.rules.player(s) if away else 0 for s, away in zip(self.space, distances, strict=True)]
            values = values * (1 - 2 * np.array(movers))
        found = {}
        for name, value in (("won", 1), ("lost", -1), ("drawn", 0)):
            moves, counts = np.unique(distances[values == value], return_counts=True)
            found[name] = [(int(m), int(n)) for m, n in zip(moves, counts, strict=True)]
        return found

    def farthest(self) -> State | None:
        """The position with the longest win for player 0 (with PASS: for the player to move); None if no position that is not final is
        won."""
        assert self.distance is not None
        moves = np.where(self.ordered(self.value[:, 0]) == 1, self.ordered(self.distance), 0)
        return self.space.unrank(int(np.argmax(moves))) if moves.max(initial=0) > 0 else None
