"""How a state is packed into one integer of at most 62 bits, its *key*, and back.

A state is a NamedTuple whose fields are integers, booleans or tuples of integers; flattened it has k *slots*. Slot j holds
an integer in [low_j, low_j + 2^bits_j); its bits sit in the key above those of the later slots, so that keys sort as states do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.errors import OutOfReach
from zermelo.language.parameters import fields
from zermelo.language.rules import lengths

KEY_BITS = 62
MOST_NAMED = 3  # fields in a message


@dataclass(frozen=True)
class Layout:
    """The shape of a game's states and the range of each slot. A *slot* is one of the integers of a state, in order."""

    state_class: type[Any]
    lengths: tuple[int, ...]  # per field: 0 for an integer, n for a tuple of n integers
    low: tuple[int, ...]  # per slot: its smallest value
    bits: tuple[int, ...]  # per slot: it holds low to low + 2^bits - 1

    @staticmethod
    def of(states: Iterable[Any]) -> Layout:
        """The smallest layout that holds all these states, of which there must be one at least. Raises `OutOfReach`."""
        states = list(states)
        first = states[0]
        rows = np.array([flatten(s) for s in states], dtype=object).reshape(len(states), -1)
        low = [min(min(column), 0) if min(column) < 0 else 0 for column in rows.T]
        bits = [max(int(max(column) - lo).bit_length(), 1) for column, lo in zip(rows.T, low, strict=True)]
        return Layout(type(first), lengths(first), tuple(int(v) for v in low), tuple(bits)).checked()

    @staticmethod
    def tight(states: Iterable[Any]) -> Layout:
        """The same without a bit for numbers that are the same in all these states, and with the declared ranges (`declared_ranges`) as
        they are. Raises `OutOfReach`."""
        states = list(states)
        layout = Layout.of(states)
        rows = [flatten(s) for s in states]
        low, bits = list(layout.low), list(layout.bits)
        for slot, declared in enumerate(declared_ranges(layout.state_class, layout.lengths)):
            values = [int(row[slot]) for row in rows]
            if declared is not None and all(v in declared for v in values):
                low[slot], bits[slot] = declared.start, len(declared[1:]).bit_length()
            elif min(values) == max(values):
                low[slot], bits[slot] = values[0], 0
        return Layout(layout.state_class, layout.lengths, tuple(low), tuple(bits)).checked()

    def checked(self) -> Layout:
        if sum(self.bits) > KEY_BITS:
            raise OutOfReach(
                f"a state of {self.state_class.__name__} needs {sum(self.bits)} bits, and {KEY_BITS} is the most that one "
                f"key holds ({self._largest_fields()}): use smaller numbers in the state, or see whether one of them grows without end"
            )
        return self

    def _largest_fields(self) -> str:
        """The fields that need most bits, in words."""
        names = [name.partition("[")[0] for name in self.slot_names]
        bits = {n: sum(b for name, b in zip(names, self.bits, strict=True) if name == n) for n in dict.fromkeys(names)}
        count = {n: names.count(n) for n in bits}
        largest = sorted(bits, key=lambda n: -bits[n])
        said = [f"`{n}` {bits[n]}" + (f" for {count[n]} numbers" if count[n] > 1 else "") for n in largest[:MOST_NAMED]]
        others = sum(bits[n] for n in largest[MOST_NAMED:])
        return ", ".join([*said, *([f"{len(largest) - MOST_NAMED} other fields {others}"] if others else [])])

    @property
    def slot_names(self) -> tuple[str, ...]:
        names: list[str] = []
        for name, n in zip(self.state_class._fields, self.lengths, strict=True):
            names += [f"{name}[{i}]" for i in range(n)] if n else [name]
        return tuple(names)

    @property
    def shifts(self) -> tuple[int, ...]:
        total, found = 0, []
        for b in reversed(self.bits):
            found.append(total)
            total += b
        return tuple(reversed(found))

    def widened(self, slot: int, value: int) -> Layout:
        """A layout whose `slot` also holds `value`; its range is at least doubled, so that few widenings are needed. Raises
        `OutOfReach`."""
        low, high = self.low[slot], self.low[slot] + (1 << self.bits[slot]) - 1
        if value < low:
            low = min(value, low - (high - low + 1))
        bits = max((max(value, high) - low).bit_length(), self.bits[slot] + 1)
        lows, widths = list(self.low), list(self.bits)
        lows[slot], widths[slot] = low, bits
        return Layout(self.state_class, self.lengths, tuple(lows), tuple(widths)).checked()

    def pack(self, state: Any) -> int:
        """The key of `state`, or -1 if a slot is outside its range or no whole number, or the state has another shape."""
        if lengths(state) != self.lengths:
            return -1
        key = 0
        for value, low, bits in zip(flatten(state), self.low, self.bits, strict=True):
            if not 0 <= value - low < 1 << bits or value != int(value):
                return -1
            key = key << bits | int(value - low)
        return key

    def pack_many(self, states: Sequence[Any]) -> np.ndarray:
        """int64[len(states)]: the keys of states of this shape whose slots are in range."""
        if any(self.lengths):
            return np.array([self.pack(state) for state in states], dtype=np.int64)
        return self.pack_columns(np.array(states, dtype=np.int64).reshape(len(states), -1).T)

    def pack_columns(self, columns: np.ndarray) -> np.ndarray:
        """int64[n]: the keys of states whose slots are in range, given as int64[slots, n]: the inverse of `columns`."""
        keys = np.zeros(columns.shape[1], np.int64)
        for column, low, shift in zip(columns, self.low, self.shifts, strict=True):
            keys |= (column - low) << shift
        return keys

    def unpack(self, key: int) -> Any:
        return nested(self.state_class, self.lengths, self.columns(np.array([key], dtype=np.int64))[:, 0].tolist())

    def columns(self, keys: np.ndarray) -> np.ndarray:
        """int64[slots, len(keys)]: the slots of many keys."""
        return np.array(
            [(keys >> s & (1 << b) - 1) + lo for s, b, lo in zip(self.shifts, self.bits, self.low, strict=True)],
            dtype=np.int64,
        ).reshape(len(self.bits), len(keys))

    def unpack_many(self, keys: np.ndarray) -> list[Any]:
        rows = self.columns(keys).T.tolist()
        return [nested(self.state_class, self.lengths, row) for row in rows]


def declared_ranges(state_class: type[Any], shape: Sequence[int]) -> list[range | None]:
    """The range of each slot that the state class declares, as in `x: Annotated[int, range(10)]`; of a tuple, that of its items."""
    found: list[range | None] = []
    for field, n in zip(fields(state_class), shape, strict=True):
        allowed = field.allowed
        is_usable = isinstance(allowed, range) and allowed.step == 1 and len(allowed) > 0
        found += [allowed if is_usable else None] * (n or 1)  # type: ignore[list-item]
    return found


def nested(state_class: type[Any], shape: Sequence[int], numbers: Sequence[int]) -> Any:
    """The state of this shape (see `language.rules.lengths`) from its integers in order: the inverse of `flatten`."""
    values: list[Any] = []
    at = 0
    for n in shape:
        values.append(tuple(numbers[at : at + n]) if n else numbers[at])
        at += n or 1
    return state_class(*values)


def flatten(state: Any) -> list[int]:
    """The integers of a state in order."""
    flat: list[int] = []
    for value in state:
        if isinstance(value, tuple):
            flat.extend(value)
        else:
            flat.append(value)
    return flat
