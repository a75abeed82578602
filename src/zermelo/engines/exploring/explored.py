"""The reachable states of a game, numbered in component order, and their transitions."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from zermelo.basics import machine
from zermelo.basics.numbering import number_type
from zermelo.basics.once import once
from zermelo.basics.pipeline import ahead, closed_when_dropped
from zermelo.basics.threads import spare, threads
from zermelo.kernels.exploring import numbers_of
from zermelo.kernels.tables import find, hashed_row
from zermelo.language.rules import Rules
from zermelo.link import InterpretedRules, Numbers, StepArrays
from zermelo.problem.structure import Structure, structure_of
from zermelo.problem.transitions import Transitions
from zermelo.states.layout import Layout
from zermelo.states.quotient import smallest_key

BATCH = 1 << 13  # states that are expanded at a time
BATCH_OUTCOMES = 1 << 18
FEW_OUTCOMES = 1 << 8  # of a single state
ROOMY = 1.25  # times the mean number of outcomes of a state: room for the outcomes of some states
SHARED = 1 << 12  # states for which a second thread pays off


@dataclass
class Explored:
    """The reachable states of a game in component order, and access to their transitions."""

    rules: Rules
    layout: Layout
    native: Any  # NativeRules or InterpretedRules
    keys: np.ndarray  # of the states (states/keys.py), by number
    table: np.ndarray | Numbers  # key -> number (basics/numbering.py)
    direct: bool
    component_start: np.ndarray  # int64[components+1]
    looped: np.ndarray  # bool[components], whether play can return to the component
    facts: dict[str, int] = field(default_factory=dict)

    @property
    def is_interpreted(self) -> bool:
        """Whether Python runs the rules; otherwise they are compiled."""
        return isinstance(self.native, InterpretedRules)

    @property
    def num_states(self) -> int:
        return len(self.keys)

    @property
    def numbers(self) -> Any:
        """The type of the numbers of its states."""
        return number_type(self.num_states)

    @property
    def num_payoffs(self) -> int:
        return len(self.rules.payoffs)

    @property
    def structure(self) -> Structure:
        return structure_of(self.facts, self.component_start, self.rules.is_simultaneous)

    @property
    def start(self) -> int:
        """The number of the start, or of its representative."""
        return self.number_of(self.rules.start)

    def number_of(self, state: Any) -> int:
        """The number of a state, or -1 if it was not found."""
        key = smallest_key(self.rules, self.layout, state)
        if key < 0:
            return -1
        if isinstance(self.table, Numbers):
            return self.table[key]
        if self.direct:
            return int(self.table[key]) if key < len(self.table) else -1
        if self.layout.num_words == 1:
            return int(find(self.table, self.keys, key))
        return int(self.table[hashed_row(self.table, self.keys, self.layout.array([key]), 0)])

    def state_of(self, number: int) -> Any:
        """The state with a number."""
        return self.layout.unpack(self.keys[number])

    @closed_when_dropped
    def batches(self, outcomes: int = BATCH_OUTCOMES) -> Generator[tuple[Transitions, np.ndarray]]:
        """Transitions of consecutive whole components, about `outcomes` outcomes at a time, with the components' boundaries."""
        starts, held = self.component_start, _Gathered(0, self.num_payoffs, self.numbers)
        with closing(self._pieces(0, self.num_states, outcomes)) as pieces:
            for piece in pieces:
                if held.high == held.low and self._is_batch(piece, outcomes):
                    first, last = np.searchsorted(starts, (piece.low, piece.high))
                    held = _Gathered(piece.high, self.num_payoffs, self.numbers)
                    yield piece.taken(), starts[first : last + 1]
                    continue
                held.add(piece, int(starts[np.searchsorted(starts, piece.high)]))
                if held.outcomes < outcomes and held.high < self.num_states:
                    continue
                first, last = np.searchsorted(starts, (held.low, held.high), side="right") - 1
                high = int(starts[last])
                if high > held.low:
                    batch, held = held.transitions(high), held.beyond(high)
                    yield batch, starts[first : last + 1]

    def _is_batch(self, piece: _Piece, outcomes: int) -> bool:
        """Whether it can be used as a batch: it ends with a component, and is large enough or the last one."""
        return piece.high == self.num_states or (
            2 * len(piece.next) >= outcomes and self.component_start[np.searchsorted(self.component_start, piece.high)] == piece.high
        )

    def whole(self) -> Transitions:
        """Transitions of all states at once. Raises `OutOfReach`."""
        states, rows, outcomes = self.num_states, self.facts["rows"], self.facts["outcomes"]
        needed = outcomes * (9 + np.dtype(self.numbers).itemsize + 8 * self.num_payoffs) + 8 * rows + states * (13 + 8 * self.num_payoffs)
        machine.require(needed, f"{self.rules.name}: the transitions of all {self.num_states:,} states at once")
        held = _Gathered(0, self.num_payoffs, self.numbers, states, rows, outcomes)
        for piece in self._pieces(0, states):
            held.add(piece)
        return held.transitions(states)

    def transitions(self, low: int, high: int) -> Transitions:
        """Transitions of the states low..high-1."""
        held = _Gathered(low, self.num_payoffs, self.numbers)
        for piece in self._pieces(low, high):
            held.add(piece)
        return held.transitions(high)

    def transitions_of(self, numbers: Sequence[int]) -> Transitions:
        """Transitions of the states with these numbers, in this order, numbered from 0."""
        held = _Gathered(0, self.num_payoffs, self.numbers)
        for piece in self._write(self.keys[numbers], 0, deque()):
            held.add(piece)
        return held.transitions(len(numbers))

    def widths(self, low: int, high: int) -> np.ndarray:
        """int32[high-low], with simultaneous moves: the number of player 0's actions in the states low..high-1; 0 in final ones."""
        if not self._widths[low:high].all():
            for _ in self._pieces(low, high):
                pass  # which notes them
        return self._widths[low:high] - 1

    @once
    def _widths(self) -> np.ndarray:
        """int32[states]: one more than the number of player 0's actions in each state whose transitions were written; 0 in others."""
        return np.zeros(self.num_states, np.int32)

    def sort_keys(self, low: int, high: int) -> list[np.ndarray]:
        """The slots of the states low..high-1: keys by which solvers may sort them."""
        return list(self.layout.columns(self.keys[low:high]))

    @closed_when_dropped
    def _pieces(self, low: int, high: int, outcomes: int = 0) -> Generator[_Piece]:
        """The transitions of the states low, ..., high-1, in pieces, written by all threads. With `outcomes`, pieces have about this many,
        and whole components where these are small. A piece is invalid once the next one is requested, unless it was `taken`."""
        rooms = deque[StepArrays]()
        most = 1 if self.is_interpreted or high - low < SHARED else threads()
        size = min(BATCH, max(SHARED // 2, (high - low) // (4 * most)))
        if outcomes and not self.is_interpreted:
            size = max(size, int(outcomes / self._outcomes_a_state))
        cuts = self._cuts(low, high, size)
        written = ahead(lambda at: self._write(self.keys[slice(*at)], at[0], rooms), zip(cuts[:-1], cuts[1:], strict=True), most)
        with closing(written):
            for pieces in written:
                for piece in pieces:
                    if self.rules.is_simultaneous:
                        self._widths[piece.low : piece.high] = piece.room.own[: piece.states] + 1
                    yield piece
                    if not piece.is_taken:
                        rooms.append(piece.room)

    @property
    def _outcomes_a_state(self) -> float:
        return max(self.facts["outcomes"] / self.num_states, 1.0)

    def _cuts(self, low: int, high: int, size: int) -> list[int]:
        """low, ..., high: the ends of pieces of about `size` states, at the end of a component if one is nearby."""
        if high - low <= size:
            return [low, high]
        even = np.arange(low + size, high, size)
        starts = self.component_start
        near = starts[np.searchsorted(starts, even)]
        return [low, *np.where(near - even < size // 2, np.minimum(near, high), even).tolist(), high]

    def _write(self, keys: np.ndarray, low: int, rooms: deque[StepArrays]) -> list[_Piece]:
        """The transitions of the states with these keys, numbered from `low` on, written to arrays from `rooms` or to new ones; several
        pieces if there are many."""
        pieces = []
        outcomes = FEW_OUTCOMES + int(ROOMY * self._outcomes_a_state * len(keys))
        while len(keys):
            room = spare(rooms, partial(StepArrays, self.num_payoffs, len(keys), outcomes, self.native.words_of(self.layout)))
            states = 0
            while states == 0:
                states = self.native.write_steps(self.layout, keys, *room.arrays)
                room = room if states else room.doubled()
            found = room.key[: room.outcome_of[room.row_of[states]]]
            numbers = np.empty(len(found), self.numbers)
            self.native.run(numbers_of, self.table, self.direct, self.keys, found, numbers)
            pieces.append(_Piece(low, room, states, numbers))
            keys, low = keys[states:], low + states
        return pieces


@dataclass
class _Piece:
    """The transitions of some states, from number `low` on, and the numbers of the next states."""

    low: int
    room: StepArrays
    states: int
    next: np.ndarray
    is_taken: bool = False

    @property
    def high(self) -> int:
        return self.low + self.states

    def taken(self) -> Transitions:
        """Its transitions, in its own arrays, to which nothing else will be written."""
        self.is_taken = True
        row_of, outcome_of, ways, _, sign, payoff, final, player, *_ = self.room.written(self.states)
        return Transitions(self.low, self.high, row_of, outcome_of, ways, self.next, sign, payoff, final, player)


class _Gathered:
    """Transitions of consecutive states, assembled from pieces; arrays grow as needed."""

    def __init__(self, low: int, payoffs: int, numbers: Any, states: int = 0, rows: int = 0, outcomes: int = 0):
        self.low = self.high = low
        self.rows = self.outcomes = 0
        self.action_start, self.outcome_start = np.zeros(states + 1, np.int64), np.zeros(rows + 1, np.int64)
        self.player, self.final_payoff = np.empty(states, np.int8), np.empty((states, payoffs))
        self.ways, self.next, self.sign = np.empty(outcomes), np.empty(outcomes, numbers), np.empty(outcomes, np.int8)
        self.payoff = np.empty((outcomes, payoffs))

    def add(self, piece: _Piece, until: int = 0) -> None:
        """Append a piece. Room is made for about as many outcomes as the states up to `until` have, if there are more."""
        row_of, outcome_of, ways, _, sign, payoff, final, player, *_ = piece.room.written(piece.states)
        at, row, outcome = self.high - self.low, self.rows, self.outcomes
        states, rows, outcomes = at + piece.states, row + len(outcome_of) - 1, outcome + len(ways)
        times = ROOMY * (until - self.low) / states if until > piece.high else 1.0
        self._put("action_start", at, row_of + row, states + 1, times)
        self._put("outcome_start", row, outcome_of + outcome, rows + 1, times)
        for name, values in (("player", player), ("final_payoff", final)):
            self._put(name, at, values, states, times)
        for name, values in (("ways", ways), ("next", piece.next), ("sign", sign), ("payoff", payoff)):
            self._put(name, outcome, values, outcomes, times)
        self.high, self.rows, self.outcomes = self.low + states, rows, outcomes

    def _put(self, name: str, at: int, values: np.ndarray, end: int, times: float) -> None:
        array = getattr(self, name)
        if end > len(array):
            grown = np.empty((max(end, 2 * len(array), int(times * end)), *array.shape[1:]), array.dtype)
            grown[:at] = array[:at]
            setattr(self, name, array := grown)
        array[at:end] = values

    def transitions(self, high: int) -> Transitions:
        """The transitions of the states up to `high`."""
        states = high - self.low
        rows = int(self.action_start[states])
        outcomes = int(self.outcome_start[rows])
        return Transitions(
            self.low, high, self.action_start[: states + 1], self.outcome_start[: rows + 1], self.ways[:outcomes], self.next[:outcomes],
            self.sign[:outcomes], self.payoff[:outcomes], self.final_payoff[:states], self.player[:states],
        )  # fmt: skip

    def beyond(self, low: int) -> _Gathered:
        """The transitions of the states from `low` on, in separate arrays with room for as many as the present ones."""
        states = low - self.low
        rows = int(self.action_start[states])
        outcomes = int(self.outcome_start[rows])
        rest = _Gathered(low, self.payoff.shape[1], self.next.dtype, len(self.player), len(self.outcome_start) - 1, len(self.ways))
        rest.high, rest.rows, rest.outcomes = self.high, self.rows - rows, self.outcomes - outcomes
        rest.action_start[: self.high - low + 1] = self.action_start[states : self.high - self.low + 1] - rows
        rest.outcome_start[: rest.rows + 1] = self.outcome_start[rows : self.rows + 1] - outcomes
        for name in ("player", "final_payoff"):
            getattr(rest, name)[: self.high - low] = getattr(self, name)[states : self.high - self.low]
        for name in ("ways", "next", "sign", "payoff"):
            getattr(rest, name)[: rest.outcomes] = getattr(self, name)[outcomes : self.outcomes]
        return rest
