"""The patterns of a game's stages (kernels/patterns.py): one for all entry states that differ only in a passthrough field."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.basics.words import counted
from zermelo.engines.entries.table import Entries
from zermelo.errors import RulesError
from zermelo.kernels import status
from zermelo.kernels.block import Block, room
from zermelo.kernels.patterns import Patterns, Scratch, read_pattern, scratch
from zermelo.language.passthrough import passthrough, passthrough_fields
from zermelo.language.rules import Rules
from zermelo.link import EnteredRules

ONE_BY_ONE = "stages are found one by one"
FEWEST = 4  # entry states to a pattern, on average: with fewer, patterns do not pay off
MOST_OUTCOMES = 60_000_000  # of all patterns together; 4 bytes each and a little more
MOST_NODES = 1 << 20  # the most nodes of one pattern


class Room(NamedTuple):
    """Arrays for the states that follow from two entry states of one pattern."""

    a: Block
    b: Block
    out: Scratch


def no_patterns() -> Patterns:
    """No patterns at all: for games without a passthrough field."""
    i64, i32, i8, f64 = (np.zeros(0, kind) for kind in (np.int64, np.int32, np.int8, np.float64))
    return Patterns(i32, i64, i64, i64, i8, f64, f64, i64, i8, i32, i64, i32, i32, i64, i32, i64, f64, i64)


def patterns_of(native: EnteredRules, entries: Entries) -> tuple[Patterns, np.ndarray, tuple[str, ...]]:
    """The patterns of all entry states; the counts (int64, by the numbers of kernels/status.py); and, if some entry
    state has no pattern, the reason. The patterns are then `no_patterns`: the general way solves any game, and reports the faults of its
    rules."""
    nothing = np.zeros(status.ENTERED_COUNTERS, np.int64)
    if native.has_policies:
        return no_patterns(), nothing, ()
    why = why_one_by_one(entries.rules)
    if why:
        return no_patterns(), nothing, (why,)
    field = _field(entries)
    if field < 0:
        return no_patterns(), nothing, (f"{ONE_BY_ONE}: the fields that are only passed through are tuples",)
    reader = _Reader(native, entries, field)
    found = reader.all()
    if isinstance(found, str):
        return no_patterns(), reader.c, (f"{ONE_BY_ONE}: {found}",)
    return found, reader.c, ()


def why_one_by_one(rules: Rules) -> str:
    """The reason why no two stages of a game can share a pattern, which its rules show in advance; "" if they may."""
    if len(rules.payoffs) > 1:
        return f"{ONE_BY_ONE}: patterns are for games with one payoff"
    fields, why = passthrough(rules)
    return "" if fields else f"{ONE_BY_ONE}, since no field is only passed through: {why}"


def _field(entries: Entries) -> int:
    """The slot of the passthrough field that takes the most values; -1 if all of them are tuples."""
    names, layout = passthrough_fields(entries.rules), entries.layout
    taken = {
        slot: len(np.unique(layout.columns(entries.keys)[slot]))
        for slot, name in enumerate(layout.slot_names)
        if name in names
    }
    return max(taken, key=lambda slot: taken[slot], default=-1)


class _Reader:
    """Reads one pattern after another into arrays that grow as needed."""

    def __init__(self, native: EnteredRules, entries: Entries, field: int):
        self.native, self.entries = native, entries
        columns, low, bits = entries.layout.columns(entries.keys), entries.layout.low, entries.layout.bits
        self.handed = columns[field] - low[field]
        holds_all = [lo == low[field] and self.handed.max() < 1 << b for lo, b in zip(low, bits, strict=True)]
        self.shifts = np.array(entries.layout.shifts, np.int64)
        self.own, self.shifts = int(self.shifts[field]), self.shifts[holds_all]
        self.stages = np.repeat(entries.stages, np.diff(entries.first))
        self.c = np.zeros(status.ENTERED_COUNTERS, np.int64)
        self.room = _room(1 << 12)

    def all(self) -> Patterns | str:
        """All patterns of the game; or the reason why there are none, or too many to be worthwhile."""
        keys = self.entries.keys
        kinds, first, of_entry = np.unique(keys - (self.handed << self.own), return_index=True, return_inverse=True)
        if FEWEST * len(kinds) > len(keys):
            return f"{counted(len(keys), 'entry', 'entries')} for {counted(len(kinds), 'pattern')}, too many to gain anything"
        last = len(keys) - 1 - np.unique(of_entry[::-1], return_index=True)[1]
        found, outcomes = [], 0
        for one, other in zip(first, last, strict=True):
            pattern = self.read(int(one), int(other))
            if pattern is None:
                state = self.entries.rules.show(self.entries.layout.unpack(int(keys[one])))
                return f"what follows from {state} has no pattern in common with other stages"
            found.append(pattern)
            outcomes += len(pattern.arrays.to)
            if outcomes > MOST_OUTCOMES:
                return f"their patterns have more than {MOST_OUTCOMES:,} outcomes"
        return _joined(found, of_entry.astype(np.int32), self.handed)

    def read(self, one: int, other: int) -> _Pattern | None:
        """The pattern that the entry states `one` and `other` (their numbers) share; None if they share none."""
        nodes = 0
        for entry, block in ((one, self.room.a), (other, self.room.b)):
            why = self._filled(block, int(self.stages[entry]), int(self.entries.keys[entry]))
            if why == status.GROW and len(self.room.a.keys) < MOST_NODES:
                self.room = _room(2 * len(self.room.a.keys))
                return self.read(one, other)
            if why != status.DONE or nodes not in (0, self.c[status.NODES]):
                return None
            nodes = int(self.c[status.NODES])
        value, apart = int(self.handed[one]), int(self.handed[other] - self.handed[one])
        sizes = read_pattern(self.room.a, self.room.b, nodes, value, apart, self.own, self.shifts, self.room.out)
        return _Pattern(sizes, self.room.out) if sizes[1] else None

    def _filled(self, block: Block, stage: int, key: int) -> int:
        try:
            return self.native.fill_apart(self.entries.layout, stage, key, self.entries.arrays, block, self.c)
        except RulesError:
            return status.HARD  # a rule raised: reported when the stages are solved


def _room(nodes: int) -> Room:
    return Room(
        room(nodes, 4 * nodes, 8 * nodes, 1), room(nodes, 4 * nodes, 8 * nodes, 1), scratch(nodes, 4 * nodes, 8 * nodes)
    )


class _Pattern:
    """One pattern: its sizes as returned by `read_pattern`, and arrays of these sizes."""

    def __init__(self, sizes: tuple[int, ...], out: Scratch):
        self.sizes = exits, nodes, rows, outcomes, ways, _ = sizes
        lengths = (exits, exits, exits, exits, nodes, nodes, rows, rows, outcomes, ways)
        self.arrays = Scratch(*(array[:length].copy() for array, length in zip(out, lengths, strict=True)))


def _joined(found: list[_Pattern], of_entry: np.ndarray, handed: np.ndarray) -> Patterns:
    """All patterns, one after another."""
    key, shift, worth, sign, side, kind, counts, begin, to, ways = (
        np.concatenate(arrays) for arrays in zip(*(p.arrays for p in found), strict=True)
    )
    sizes = np.array([p.sizes for p in found], np.int64)
    exits, nodes, rows, outcomes, first_ways = (np.append(0, np.cumsum(sizes[:, k])) for k in range(5))
    return Patterns(
        of_entry, handed, exits, key, shift, worth, sign, nodes, side, kind, rows, counts, begin, outcomes, to, first_ways, ways,
        sizes[:, 5].copy(),
    )  # fmt: skip
