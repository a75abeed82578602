"""The states of a game, found from its rules and numbered in component order.

`explore(rules)` drives the kernel `explore` of link/templates/rules.py, which Python runs for a moment and which is compiled if there is
more to do: it makes room where arrays are full, widens the layout where a state does not fit, reports progress, stays interruptible, and
turns what the kernel refuses into the user's words.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.basics import machine
from zermelo.basics.progress import Progress, silent
from zermelo.engines.base import MOST_EXPLORED
from zermelo.engines.faults import check_declared, holding, holding_successors, leads_further, raised_at
from zermelo.errors import OutOfReach, RulesError
from zermelo.kernels import status
from zermelo.kernels.kernel import Allowance, OutOfTime
from zermelo.kernels.tables import find, rehash, renumber
from zermelo.language.rules import Rules
from zermelo.link import LONG, InterpretedRules, NativeRules, Numbers, RuleRaised, patience
from zermelo.problem.structure import Structure, structure_of
from zermelo.problem.transitions import Transitions
from zermelo.states.layout import Layout, declared_ranges, flatten
from zermelo.states.quotient import smallest_key

DIRECT_BITS = 24  # up to 2^24 keys are addressed directly: 64 MiB of table
BUDGET = 2_000_000  # states explored between two looks at the clock and at Ctrl-C
GROWN = 1.5  # by this factor a number has grown while states have doubled
LOOKED_AT = 1 << 18  # states, evenly spread
WIDE = 1000  # numbers that take fewer values are not looked at
FAR = 1 << 40  # by so much a number is changed to see whether rules lead further
BATCH_OUTCOMES = 1 << 18
FEW_OUTCOMES = 1 << 8  # of a single state
MOST_ROOTS = 10_000  # states to begin with, if rules are to be interpreted


@dataclass
class Explored:
    """The reachable states of a game in component order, and access to their transitions."""

    rules: Rules
    layout: Layout
    native: Any  # NativeRules or InterpretedRules
    keys: np.ndarray  # int64[states], by number
    table: np.ndarray | Numbers  # int32: key -> number
    direct: bool
    component_start: np.ndarray  # int64[components+1]
    looped: np.ndarray  # bool[components], whether play can return to the component
    facts: dict[str, int] = field(default_factory=dict)

    @property
    def is_interpreted(self) -> bool:
        """Whether Python runs the rules; else they are compiled."""
        return isinstance(self.native, InterpretedRules)

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
        return self.table[key] if isinstance(self.table, Numbers) else int(find(self.table, self.direct, self.keys, key))

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
        """Transitions of all states at once. Raises `OutOfReach`."""
        per_outcome, per_state = 13 + 8 * self.num_payoffs, 9 + 8 * self.num_payoffs
        needed = self.facts["outcomes"] * per_outcome + 8 * self.facts["rows"] + self.num_states * per_state
        machine.require(needed, f"{self.rules.name}: the transitions of all {self.num_states:,} states at once")
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
    known = [*sample, rules.start, *_corners(rules)]
    layout = Layout.tight(known)
    check_declared(rules, layout, known)
    seconds = patience(rules, layout)
    interpreted = InterpretedRules(rules, layout, Allowance(seconds)) if seconds else None
    compiled: NativeRules | None = None
    while True:
        layout, roots = _roots(rules, layout)
        if interpreted is not None and len(roots) <= MOST_ROOTS:
            interpreted = interpreted.with_layout(layout)
        else:
            interpreted, compiled = None, compiled or NativeRules(rules, layout)
        attempt = _Exploration(rules, layout, interpreted or compiled, roots, max_states, progress)
        try:
            wider = attempt.run()
        except OutOfTime:
            interpreted = None
            continue
        if wider is None:
            found = attempt.result()
            check_declared(rules, layout, _extremes(found))
            return found
        layout = wider


def _extremes(explored: Explored) -> list[Any]:
    """States that have the smallest and the largest number of every slot whose range is declared."""
    layout = explored.layout
    declared = declared_ranges(layout.state_class, layout.lengths)
    if not any(declared):
        return []
    columns = layout.columns(explored.keys)
    numbers = {int(f(columns[slot])) for slot, d in enumerate(declared) if d is not None for f in (np.argmin, np.argmax)}
    return [layout.unpack(int(explored.keys[k])) for k in sorted(numbers)]


def compile_rules(rules: Rules, sample: list[Any]) -> None:
    """Have the rules compiled, and explore one state with them. Raises `RulesError`."""
    layout = Layout.of([*sample, rules.start])
    roots = np.array([layout.pack(rules.start)], dtype=np.int64)
    _Exploration(rules, layout, NativeRules(rules, layout), roots, 1, silent).step(1)


def try_rules(rules: Rules, sample: list[Any]) -> None:
    """Begin as `explore` does: Python explores for a moment; if there is more to do, the rules are compiled. Raises `RulesError`."""
    known = [*sample, rules.start, *_corners(rules)]
    wider: Layout | None = Layout.tight(known)
    assert wider is not None
    interpreted = InterpretedRules(rules, wider, Allowance(min(patience(rules, wider), LONG)))
    with suppress(OutOfTime):
        while wider is not None:
            layout, roots = _roots(rules, wider)
            if len(roots) > MOST_ROOTS:
                raise OutOfTime
            wider = _Exploration(rules, layout, interpreted.with_layout(layout), roots, MOST_EXPLORED, silent).run()
        return
    compile_rules(rules, sample)


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
        self,
        rules: Rules,
        layout: Layout,
        native: Any,
        keys: np.ndarray,
        max_states: int,
        progress: Progress,
    ):
        self.rules, self.layout, self.native, self.progress = rules, layout, native, progress
        self.max_states = max_states
        is_interpreted = isinstance(native, InterpretedRules)
        self.direct = is_interpreted or sum(layout.bits) <= DIRECT_BITS
        size = 1 << sum(layout.bits) if sum(layout.bits) <= DIRECT_BITS else 1 << 16
        self.table = Numbers() if is_interpreted else np.full(size, -1, np.int32)
        room = min(1 << 16, size) + 2
        self.keys = np.empty(room, np.int64)
        self.lowest, self.number, self.order = (np.empty(room, np.int32) for _ in range(3))
        self.frames, self.waiting = (np.empty(room, np.int32) for _ in range(2))
        self.returns, self.looped = (np.zeros(room, np.uint8) for _ in range(2))
        self.starts = np.empty(room, np.int32)
        self.stack = np.empty(max(room, 2 * len(keys)), np.int64)
        self.stack[: len(keys)] = keys
        self.ends: np.ndarray | None = None  # int64[slots, 2]: the least and the largest number in each when it was last looked at
        self.looked_at = BUDGET // 2  # states then
        self.c = np.zeros(status.COUNTERS, np.int64)
        self.c[status.STACK] = len(keys)

    def run(self) -> Layout | None:
        """Search to the end. Returns None, or the wider layout that is needed instead."""
        while True:
            why = self.step(min(BUDGET, self.max_states + 1 - int(self.c[status.SLOTS])))
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
            elif slots >= 2 * self.looked_at and self.max_states == MOST_EXPLORED:
                self._check_growth(slots)

    def _check_growth(self, slots: int) -> None:
        """Raise `OutOfReach` if a number in the state seems to grow without end: it has grown with the number of states, and from the state
        where it is largest (or smallest) the rules also lead further if it is far larger. Nobody then waits for what can't end; who
        knows better gives `max_states`."""
        keys = self.keys[: slots : max(1, slots // LOOKED_AT)]
        columns = self.layout.columns(keys)
        ends = np.column_stack([columns.min(axis=1), columns.max(axis=1)])
        before, self.ends, self.looked_at = self.ends, ends, slots
        if before is None:
            return
        width, was = ends[:, 1] - ends[:, 0], before[:, 1] - before[:, 0]
        for slot in np.flatnonzero((width > GROWN * was) & (width > WIDE)).tolist():
            for side in np.flatnonzero(ends[slot] != before[slot]).tolist():
                at = int(np.argmin(columns[slot]) if side == 0 else np.argmax(columns[slot]))
                further = leads_further(self.rules, self.layout.unpack(int(keys[at])), slot, -FAR if side == 0 else FAR)
                if further is not None:
                    name = self.layout.slot_names[slot]
                    raise OutOfReach(
                        f"{self.rules.name} has more than {slots:,} states, and `{name}`, which has come to {ends[slot, side]:,}, seems to "
                        f"go on without end: the rules lead from {name}={further[0]:,} to {further[1]:,}; end play somewhere, or give "
                        f"max_states={MOST_EXPLORED + 1} if it does end"
                    )

    def step(self, budget: int) -> int:
        """Explore so many states. Returns why the kernel came back (kernels/status.py)."""
        try:
            return self.native.explore(
                self.layout, self.table, self.direct, self.keys, self.lowest, self.number, self.returns, self.stack,
                self.frames, self.waiting, self.order, self.starts, self.looped, self.c, budget,
            )  # fmt: skip
        except RuleRaised as error:
            raise raised_at(self.rules, self.layout.unpack(int(self.c[status.BAD_KEY])), error) from None

    def _check_memory(self, slots: int) -> None:
        """Raise `OutOfReach` if arrays of twice the size outgrow the memory that is free, as they do if a number in the state grows
        without end."""
        held = sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))
        free = machine.available()
        if 2 * held > free:  # what is added, and one array twice while it is copied
            name, bits = max(zip(self.layout.slot_names, self.layout.bits, strict=True), key=lambda slot: slot[1])
            raise OutOfReach(
                f"{self.rules.name} has more than {slots:,} states; room for twice as many needs {machine.in_words(2 * held)} of memory, "
                f"and {machine.in_words(free)} are free; "
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
        if isinstance(self.table, Numbers):
            self.table = Numbers((key, int(self.number[slot])) for key, slot in self.table.items())
        else:
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
