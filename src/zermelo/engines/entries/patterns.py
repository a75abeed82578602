"""The patterns of a game's stages (kernels/patterns.py): one for all entry states that differ only in a passthrough field."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import closing
from typing import NamedTuple

import numpy as np

from zermelo.basics.ahead import begin
from zermelo.basics.different import different
from zermelo.basics.pipeline import ahead
from zermelo.basics.threads import spare, threads
from zermelo.basics.words import counted
from zermelo.engines.entries.gathered import Gathered
from zermelo.engines.entries.table import Entries, LayoutTooNarrow
from zermelo.kernels import status
from zermelo.kernels.block import Block, room
from zermelo.kernels.pattern_items import Read, read_pattern, scratch
from zermelo.kernels.patterns import Patterns, solve_by_patterns
from zermelo.language.passthrough import passthrough, passthrough_fields
from zermelo.language.rules import Rules
from zermelo.link import EnteredRules, RuleRaised

ONE_BY_ONE = "stages are found one by one"
FEWEST = 4  # entry states to a pattern, on average: with fewer, patterns do not pay off
MANY = 1000  # entry states from which on it is told that they don't: fewer are solved at once
MOST_NUMBERS = 60_000_000  # of all items of patterns together, 8 bytes each while they are gathered
MOST_NODES = 1 << 20  # the most nodes of one pattern
AN_ENTRY = 5e-4  # seconds that Python takes at least to solve one by its pattern, but for the smallest patterns


class Room(NamedTuple):
    """Arrays for the states that follow from two entry states of one pattern."""

    a: Block
    b: Block
    out: Read
    c: np.ndarray  # int64, the counts of all that was found here (kernels/status.py)


class Found(NamedTuple):
    """A pattern that was read, and where it is until it is gathered."""

    room: Room
    sizes: tuple[int, ...]
    value: int  # of the field that is handed on
    stage: int


def no_patterns() -> Patterns:
    """No patterns at all: for games without a passthrough field."""
    return Gathered().patterns(np.zeros(0, np.int32), np.zeros(0, np.int64), np.zeros(2, np.int64))


def patterns_of(native: EnteredRules, entries: Entries) -> tuple[Patterns, np.ndarray, tuple[str, ...]]:
    """The patterns of all entry states; the counts (int64, by the numbers of kernels/status.py); and, if some entry
    state has no pattern, the reason. The patterns are then `no_patterns`: the general way solves any game, and reports the faults of its
    rules. Raises `LayoutTooNarrow`."""
    nothing = np.zeros(status.ENTERED_COUNTERS, np.int64)
    if native.has_policies:
        return no_patterns(), nothing, ()
    why = why_one_by_one(entries.rules)
    if why:
        return no_patterns(), nothing, (why,)
    field = _most_varied(entries, passthrough_fields(entries.rules))
    if field < 0:
        return no_patterns(), nothing, (f"{ONE_BY_ONE}: the fields that are only passed through are tuples",)
    reader = _Reader(native, entries, field)
    found = reader.all()
    if isinstance(found, str):
        return no_patterns(), reader.c, (f"{ONE_BY_ONE}: {found}",) if found else ()
    return found, reader.c, ()


def why_one_by_one(rules: Rules) -> str:
    """The reason why no two stages of a game can share a pattern, which its rules show in advance; "" if they may."""
    if len(rules.payoffs) > 1:
        return f"{ONE_BY_ONE}: patterns are for games with one payoff"
    fields, why = passthrough(rules)
    return "" if fields else f"{ONE_BY_ONE}, since no field is only passed through: {why}"


def _most_varied(entries: Entries, names: Collection[str]) -> int:
    """The slot, of one of these fields, that takes the most values in entry states; -1 if all of them are tuples."""
    layout = entries.layout
    taken = {
        slot: len(different(layout.columns(entries.keys)[slot]))
        for slot, name in enumerate(layout.slot_names)
        if name in names
    }
    return max(taken, key=lambda slot: taken[slot], default=-1)


def _ahead(entries: Entries, slot: int) -> int:
    """How much larger the key of an entry state is than that of another if this slot takes the next value on the way to later stages; 0 if
    it always takes the same value."""
    layout, keys = entries.layout, entries.keys
    values = different(layout.columns(keys)[slot]) if slot >= 0 else keys[:1]
    if len(values) < 2:
        return 0
    step = int(np.diff(values).min()) << layout.shifts[slot]
    order = np.argsort(keys)
    beside = np.minimum(np.searchsorted(keys, keys + step, sorter=order), len(keys) - 1)
    other = order[beside]
    there = keys[other] == keys + step
    stage = np.repeat(np.arange(len(entries.stages)), np.diff(entries.first))
    return step if 2 * (stage[other] > stage)[there].sum() >= there.sum() else -step


class _Reader:
    """Reads patterns, by all threads, into arrays that grow as needed."""

    def __init__(self, native: EnteredRules, entries: Entries, field: int):
        self.native, self.entries = native, entries
        columns, low, bits = entries.layout.columns(entries.keys), entries.layout.low, entries.layout.bits
        self.handed = columns[field] - low[field]
        holds_all = [lo == low[field] and self.handed.max() < 1 << b for lo, b in zip(low, bits, strict=True)]
        self.shifts = np.array(entries.layout.shifts, np.int64)
        self.own, self.shifts = int(self.shifts[field]), self.shifts[holds_all]
        names = set(entries.layout.slot_names) - {entries.layout.slot_names[field]}
        self.ahead = np.array([_ahead(entries, slot) for slot in (_most_varied(entries, names), field)], np.int64)
        self.stages = np.repeat(entries.stages, np.diff(entries.first))
        self.nodes = 1 << 8  # that a room has place for: Python handles small arrays
        self.counts, self.free = [np.zeros(status.ENTERED_COUNTERS, np.int64)], list[Room]()

    @property
    def c(self) -> np.ndarray:
        """int64: the counts of all patterns, by the numbers of kernels/status.py."""
        return np.sum(self.counts, axis=0)

    def all(self) -> Patterns | str:
        """All patterns of the game; or the reason why there are none, or too many to be worthwhile, which goes without saying where entry
        states are few."""
        keys = self.entries.keys
        kinds, first, of_entry = np.unique(keys - (self.handed << self.own), return_index=True, return_inverse=True)
        if FEWEST * len(kinds) > len(keys):
            few = f"{len(keys):,} entry states have {counted(len(kinds), 'pattern')}"
            return f"{few}, and only from {FEWEST} to a pattern on is anything gained" if len(keys) >= MANY else ""
        if AN_ENTRY * len(keys) > solve_by_patterns.cost:  # compiled while Python reads patterns
            begin("entries", "solve_by_patterns")
        last = len(keys) - 1 - np.unique(of_entry[::-1], return_index=True)[1]
        pairs = list(zip(first.tolist(), last.tolist(), strict=True))
        gathered = Gathered()
        pieces = zip(range(len(pairs), 0, -1), pairs, strict=True)
        with closing(ahead(lambda piece: self.read(2 * piece[0], *piece[1]), pieces, threads())) as all_found:
            for (one, _), found in zip(pairs, all_found, strict=True):
                if found is None:
                    state = self.entries.rules.in_line(self.entries.layout.unpack(int(keys[one])))
                    return f"what follows from {state} has no pattern in common with other stages"
                self._gather(found, gathered)
                if gathered.size > MOST_NUMBERS:
                    return f"what their patterns consist of takes more than {MOST_NUMBERS:,} numbers"
        return gathered.patterns(of_entry.astype(np.int32), self.handed, self.ahead)

    def read(self, left: int, one: int, other: int) -> Found | None:
        """The pattern that the entry states `one` and `other` (their numbers) share; None if they share none. `left` : the number of entry
        states that are still to be followed."""
        room, nodes = self._room(), 0
        for entry, block in ((one, room.a), (other, room.b)):
            why = self._filled(left, block, int(self.stages[entry]), int(self.entries.keys[entry]), room.c)
            if why == status.GROW and len(room.a.keys) < MOST_NODES:
                self.nodes = max(self.nodes, 2 * len(room.a.keys))
                return self.read(left, one, other)
            if why != status.DONE or nodes not in (0, room.c[status.NODES]):
                return None
            nodes = int(room.c[status.NODES])
        value, apart = int(self.handed[one]), int(self.handed[other] - self.handed[one])
        sizes = read_pattern(room.a, room.b, nodes, value, apart, self.own, self.shifts, room.out)
        rows = int(room.a.first_row[nodes])
        sizes = *sizes, rows, int(room.a.first_outcome[rows])
        return Found(room, sizes, value, int(self.stages[one])) if sizes[1] else None

    def _gather(self, found: Found, gathered: Gathered) -> None:
        gathered.add(found.sizes, found.room.out, found.value, self.entries.keys[self.stages == found.stage])
        self.free.append(found.room)

    def _room(self) -> Room:
        """A room that no thread uses."""
        room = spare(self.free, self._new_room)
        return room if len(room.a.keys) >= self.nodes else self._new_room()

    def _new_room(self) -> Room:
        room = _room(self.nodes)
        self.counts.append(room.c)
        return room

    def _filled(self, left: int, block: Block, stage: int, key: int, c: np.ndarray) -> int:
        layout = self.entries.layout
        try:
            why = self.native.fill_apart(left, layout, stage, key, self.entries.arrays, block, c)
        except RuleRaised:
            return status.HARD  # reported when the stages are solved
        if why == status.OUTSIDE:
            raise LayoutTooNarrow(self.entries, int(c[status.BAD_KEY]))
        return why


def _room(nodes: int) -> Room:
    rows, outcomes = 4 * nodes, 8 * nodes
    return Room(
        room(nodes, rows, outcomes, 1), room(nodes, rows, outcomes, 1), scratch(nodes, rows, outcomes),
        np.zeros(status.ENTERED_COUNTERS, np.int64),
    )  # fmt: skip
