"""The states of a game, found from its rules and numbered in component order.

`explore(rules)` drives the compiled kernel `explore` of link/templates/rules.py: it makes room where arrays are full, widens the layout
where a state does not fit, reports progress, stays interruptible, and turns what the kernel refuses into the user's words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.basics.machine import memory as machine_memory
from zermelo.basics.progress import Progress, silent
from zermelo.engines.base import MOST_EXPLORED
from zermelo.engines.faults import holding, holding_successors, raised_at
from zermelo.errors import OutOfReach, RulesError
from zermelo.kernels import status
from zermelo.kernels.tables import find, rehash, renumber
from zermelo.language.rules import Rules
from zermelo.link import NativeRules, RuleRaised
from zermelo.problem.structure import Structure, structure_of
from zermelo.problem.transitions import Transitions
from zermelo.states.layout import Layout, flatten
from zermelo.states.quotient import smallest_key

DIRECT_BITS = 24  # up to 2^24 keys are addressed directly: 64 MiB of table
BUDGET = 2_000_000  # states explored between two looks at the clock and at Ctrl-C
BATCH_OUTCOMES = 1 << 18
FEW_OUTCOMES = 1 << 8  # of a single state


@dataclass
class Explored:
    """The reachable states of a game in component order, and access to their transitions."""

    rules: Rules
    layout: Layout
    native: NativeRules
    keys: np.ndarray  # int64[states], by number
    table: np.ndarray  # int32: key -> number
    direct: bool
    component_start: np.ndarray  # int64[components+1]
    looped: np.ndarray  # bool[components], whether play can return to the component
    facts: dict[str, int] = field(default_factory=dict)

    @property
    def num_states(self) -> int:
        return len(self.keys)

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
        return int(find(self.table, self.direct, self.keys, key))

    def batches(self, outcomes: int = BATCH_OUTCOMES) -> Iterator[tuple[Transitions, np.ndarray]]:
        """Transitions of consecutive whole components, about `outcomes` outcomes at a time, with the components' boundaries."""
        low = 0
        starts = self.component_start
        buffers = _Buffers(outcomes, len(self.rules.payoffs))
        while low < self.num_states:
            written = self._materialize(buffers, low)
            last = int(np.searchsorted(starts, written, side="right")) - 1
            high = int(starts[last])
            if high == low:
                buffers = buffers.doubled()
                continue
            first = int(np.searchsorted(starts, low))
            yield buffers.transitions(low, high), starts[first : last + 1]
            low = high

    def whole(self) -> Transitions:
        """Transitions of all states at once."""
        buffers = _Buffers(
            self.facts["outcomes"] + 1, len(self.rules.payoffs), self.facts["rows"] + 2, self.num_states + 1
        )
        self._materialize(buffers, 0)
        return buffers.transitions(0, self.num_states)

    def transitions(self, low: int, high: int) -> Transitions:
        """Transitions of the states low..high-1."""
        buffers = _Buffers(FEW_OUTCOMES, len(self.rules.payoffs))
        while self._materialize(buffers, low, high) < high:
            buffers = buffers.doubled()
        return buffers.transitions(low, high)

    def widths(self, low: int, high: int) -> np.ndarray:
        """int32[high-low], with simultaneous moves: how many actions player 0 has in the states low..high-1; 0 in final ones."""
        found = np.empty(high - low, np.int32)
        self.native.count_actions(self.layout, self.keys, low, found)
        return found

    def sort_keys(self, low: int, high: int) -> list[np.ndarray]:
        """The slots of the states low..high-1: keys by which solvers may sort them."""
        return list(self.layout.columns(self.keys[low:high]))

    def _materialize(self, b: _Buffers, low: int, high: int | None = None) -> int:
        return self.native.materialize(
            self.layout, self.table, self.direct, self.keys, low, self.num_states if high is None else high,
            b.action_start, b.outcome_start, b.ways, b.next, b.sign, b.payoff, b.final_payoff, b.player,
        )  # fmt: skip


class _Buffers:
    """The arrays to which a batch of transitions is written; the next batch uses them again."""

    def __init__(self, outcomes: int, payoffs: int, rows: int | None = None, states: int | None = None):
        self.size = outcomes
        self.payoffs = payoffs
        rows = rows or outcomes + 1
        states = states or rows
        self.action_start = np.empty(states + 1, np.int64)
        self.outcome_start = np.empty(rows + 1, np.int64)
        self.ways = np.empty(outcomes, np.float64)
        self.next = np.empty(outcomes, np.int32)
        self.sign = np.empty(outcomes, np.int8)
        self.payoff = np.empty((outcomes, payoffs), np.float64)
        self.final_payoff = np.empty((states, payoffs), np.float64)
        self.player = np.empty(states, np.int8)

    def doubled(self) -> _Buffers:
        return _Buffers(2 * self.size, self.payoffs)

    def transitions(self, low: int, high: int) -> Transitions:
        states = high - low
        rows = int(self.action_start[states])
        outcomes = int(self.outcome_start[rows])
        return Transitions(
            low, high, self.action_start[: states + 1], self.outcome_start[: rows + 1], self.ways[:outcomes], self.next[:outcomes],
            self.sign[:outcomes], self.payoff[:outcomes], self.final_payoff[:states], self.player[:states],
        )  # fmt: skip


def explore(rules: Rules, sample: list[Any], max_states: int = MOST_EXPLORED, progress: Progress = silent) -> Explored:
    """All states reachable from the start (or from any state of the game's `space`), numbered in component order."""
    box = _box(rules)
    if box is not None:
        size = math.prod(map(len, _ranges(box)))
        if size > max_states:
            raise OutOfReach(f"the `space` of {rules.name} has {size:,} states, more than {max_states:,} (max_states)")
    layout = Layout.of([*sample, rules.start, *_corners(rules)])
    native = NativeRules(rules, layout)
    while True:
        layout, roots = _roots(rules, layout)
        attempt = _Exploration(rules, layout, native, roots, max_states, progress)
        wider = attempt.run()
        if wider is None:
            return attempt.result()
        layout = wider


def _box(rules: Rules) -> Any:
    """The box that `space` declares: a state whose fields are ranges (or tuples of ranges); None without `space`, or for a ranked space."""
    is_box = hasattr(rules.game, "space") and not rules.is_staged and rules.ranked is None
    return rules.game.space() if is_box else None


def _ranges(box: Any) -> list[Any]:
    """The range of every number in a state."""
    return flatten(box)


def _corners(rules: Rules) -> list[Any]:
    """The lowest and the highest state of the declared box."""
    box = _box(rules)
    if box is None:
        return []
    return [
        type(box)(*(tuple(end(r) for r in field) if isinstance(field, tuple) else end(field) for field in box))
        for end in (min, max)
    ]


def _roots(rules: Rules, layout: Layout) -> tuple[Layout, np.ndarray]:
    """Keys to start from, the start and every state of the declared box; and the layout, wide enough for them."""
    start = np.array([layout.pack(rules.start)], dtype=np.int64)
    box = _box(rules)
    keys = np.zeros(0 if box is None else 1, np.int64)
    for values, low, bits in zip(_ranges(box) if box else (), layout.low, layout.bits, strict=False):
        keys = ((keys[:, None] << bits) | (np.array(values, dtype=np.int64) - low)[None, :]).ravel()
    keys = np.concatenate([keys[::-1], start])
    if not hasattr(rules.game, "symmetries"):
        return layout, keys
    wider, states = layout, layout.unpack_many(keys)
    for state in states:
        for other in rules.same_as(state):
            wider = holding(rules, wider, state, other)
    if wider is not layout:
        return _roots(rules, wider)
    return layout, np.unique([smallest_key(rules, layout, state) for state in states])[::-1]


class _Exploration:
    """A depth-first search with one layout; arrays grow as needed."""

    def __init__(
        self, rules: Rules, layout: Layout, native: NativeRules, keys: np.ndarray, max_states: int, progress: Progress
    ):
        self.rules, self.layout, self.native, self.progress = rules, layout, native, progress
        self.max_states = max_states
        self.direct = sum(layout.bits) <= DIRECT_BITS
        size = 1 << sum(layout.bits) if self.direct else 1 << 16
        self.table = np.full(size, -1, np.int32)
        room = min(1 << 16, size) + 2
        self.keys = np.empty(room, np.int64)
        self.lowest, self.number, self.order = (np.empty(room, np.int32) for _ in range(3))
        self.frames, self.waiting = (np.empty(room, np.int32) for _ in range(2))
        self.returns, self.looped = (np.zeros(room, np.uint8) for _ in range(2))
        self.starts = np.empty(room, np.int32)
        self.stack = np.empty(max(room, 2 * len(keys)), np.int64)
        self.stack[: len(keys)] = keys
        self.c = np.zeros(status.COUNTERS, np.int64)
        self.c[status.STACK] = len(keys)

    def run(self) -> Layout | None:
        """Search to the end. Returns None, or the wider layout that is needed instead."""
        while True:
            budget = min(BUDGET, self.max_states + 1 - int(self.c[status.SLOTS]))
            try:
                why = self.native.explore(
                    self.layout, self.table, self.direct, self.keys, self.lowest, self.number, self.returns, self.stack,
                    self.frames, self.waiting, self.order, self.starts, self.looped, self.c, budget,
                )  # fmt: skip
            except RuleRaised as error:
                raise raised_at(self.rules, self.layout.unpack(int(self.c[status.BAD_KEY])), error) from None
            slots = int(self.c[status.SLOTS])
            self.progress("exploring", slots, None)
            if slots > self.max_states:
                raise OutOfReach(
                    f"{self.rules.name} has more than {self.max_states:,} states; give smaller parameters or raise max_states"
                )
            if why == status.DONE:
                return None
            if why == status.GROW:
                self._grow(slots)
            elif why == status.OUTSIDE:
                return holding_successors(self.rules, self.layout, self.layout.unpack(int(self.c[status.BAD_KEY])))
            elif why != status.PAUSED:
                raise self._fault(why, self.layout.unpack(int(self.c[status.BAD_KEY])))

    def _check_memory(self, slots: int) -> None:
        """Raise `OutOfReach` if the arrays outgrow the machine's memory, as they do if a number in the state grows without end."""
        held = sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))
        memory = machine_memory()
        if 3 * held > memory:
            name, bits = max(zip(self.layout.slot_names, self.layout.bits, strict=True), key=lambda slot: slot[1])
            raise OutOfReach(
                f"{self.rules.name} has more than {slots:,} states, which is more than {memory >> 30} GiB of memory hold; "
                f"give smaller parameters, or see whether a number in the state grows without end ({name} has {bits} bits by now)"
            )

    def _grow(self, slots: int) -> None:
        """Double what is (nearly) full; the stack where nothing else is, for one state may have more outcomes than it has room."""
        self._check_memory(slots)
        before = len(self.keys) + len(self.table)
        if slots * 2 + 2 >= len(self.keys):
            for name in ("keys", "lowest", "number", "order", "frames", "waiting", "returns", "looped", "starts"):
                setattr(self, name, _doubled(getattr(self, name)))
        if not self.direct and 2 * slots >= len(self.table):
            self.table = np.full(4 * len(self.table), -1, np.int32)
            rehash(self.table, self.keys, slots)
        if len(self.keys) + len(self.table) == before or self.c[status.STACK] * 2 + 64 >= len(self.stack):
            self.stack = _doubled(self.stack)

    def _fault(self, why: int, state: Any) -> Exception:
        return RulesError(self.rules.name, [f"at {self.rules.show(state)}: {status.IN_WORDS[why]}"])

    def result(self) -> Explored:
        n, components = int(self.c[status.SLOTS]), int(self.c[status.COMPONENTS])
        order = self.order[:n]
        keys = self.keys[:n][order]
        renumber(self.table, self.number)
        c = {name.lower(): int(self.c[getattr(status, name)]) for name in FACTS}
        c["payoffs"] = len(self.rules.payoffs)
        starts = np.append(self.starts[:components], n).astype(np.int64)
        return Explored(
            self.rules,
            self.layout,
            self.native,
            keys,
            self.table,
            self.direct,
            starts,
            self.looped[:components].astype(bool),
            c,
        )


FACTS = (
    "ROWS", "OUTCOMES", "FINALS", "BRANCHES", "PASSES", "PLAYER_0", "PLAYER_1", "CHOICES", "PAYS", "PAYS_NEGATIVE", "CYCLES",
    "MOST_ACTIONS", "MIXED_FINAL",
)  # fmt: skip


def _doubled(array: np.ndarray) -> np.ndarray:
    larger = np.empty(2 * len(array), array.dtype)
    larger[: len(array)] = array
    return larger
