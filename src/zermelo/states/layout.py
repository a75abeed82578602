"""How a state is packed into one whole number, its *key*, and back.

A state is a NamedTuple whose fields are integers, booleans or tuples of integers; flattened it has k *slots*. Slot j holds
an integer in [low_j, low_j + 2^bits_j); its bits sit in the key above those of the later slots, so that keys sort as states do.

A key lies in as many machine words of 63 bits as its state needs, mostly one; word_j says which of them holds slot j, as a whole, and the
words in sequence sort as the key does. Arrays of keys: states/keys.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from zermelo.errors import OutOfReach
from zermelo.language.parameters import fields
from zermelo.language.rules import lengths
from zermelo.states.keys import OBJECTS, room, word_of

WORD_BITS = 63
SLOT_BITS = 62
MOST_WORDS = 16
LEAST = -(2**63)  # the smallest number of 64 bits
MOST_NAMED = 5  # fields in a message
TOGETHER = 1 << 20  # keys that are moved to another layout at a time


@dataclass(frozen=True)
class Layout:
    """The shape of a game's states and the range of each slot. A *slot* is one of the integers of a state, in order."""

    state_class: type[Any]
    lengths: tuple[int, ...]  # per field: 0 for an integer, n for a tuple of n integers
    low: tuple[int, ...]  # per slot: its smallest value
    bits: tuple[int, ...]  # per slot: it holds low to low + 2^bits - 1
    words: tuple[int, ...] = ()  # per slot: the word that holds it; if it is left out, as few words as will do

    def __post_init__(self) -> None:
        if not self.words:
            object.__setattr__(self, "words", words_for(self.bits))

    def is_for(self, state: Any) -> bool:
        """Whether this is a NamedTuple of the class of the states (see `is_of`)."""
        return type(state) is self.state_class or is_of(state, self.state_class)  # the first is quick, and nearly always so

    @staticmethod
    def of(states: Iterable[Any]) -> Layout:
        """The smallest layout that holds all these states, of which there must be at least one. Raises `OutOfReach`."""
        return _fitted(list(states), is_tight=False)

    @staticmethod
    def tight(states: Iterable[Any]) -> Layout:
        """The same layout, with no bits for numbers that are the same in all these states, and with the declared ranges (`declared_ranges`)
        as they are. Raises `OutOfReach`."""
        return _fitted(list(states), is_tight=True)

    def checked(self) -> Layout:
        for name, low, bits in zip(self.slot_names, self.low, self.bits, strict=True):
            if bits > SLOT_BITS:
                raise OutOfReach(
                    f"`{name}` of {self.state_class.__name__} needs {bits} bits (numbers from {low:,} on), and a number of a state has at "
                    f"most {SLOT_BITS}: use smaller numbers in the state, or see whether this one grows without end"
                )
        if self.num_words > MOST_WORDS:
            raise OutOfReach(
                f"a state of {self.state_class.__name__} needs {sum(self.bits):,} bits, and keys have at most {MOST_WORDS} words of "
                f"{WORD_BITS} bits: use fewer or smaller numbers in the state, or declare their ranges. What costs most:"
                + "".join(f"\n  {line}" for line in self._largest_fields())
            )
        return self

    def _largest_fields(self) -> list[str]:
        """The fields that need most bits, one line for each."""
        found, at = list[tuple[int, str]](), 0
        for name, n in zip(self.state_class._fields, self.lengths, strict=True):
            bits = self.bits[at : at + (n or 1)]
            of_each = f"{min(bits)} to {max(bits)}" if min(bits) < max(bits) else str(bits[0])
            found.append((sum(bits), f"`{name}`: {sum(bits):,} bits" + (f", {n:,} numbers of {of_each}" if n else "")))
            at += n or 1
        found.sort(key=lambda field: -field[0])
        lines, others = [line for _, line in found[:MOST_NAMED]], found[MOST_NAMED:]
        return [*lines, *([f"{len(others):,} other fields: {sum(bits for bits, _ in others):,} bits"] if others else [])]

    @property
    def slot_names(self) -> tuple[str, ...]:
        names: list[str] = []
        for name, n in zip(self.state_class._fields, self.lengths, strict=True):
            names += [f"{name}[{i}]" for i in range(n)] if n else [name]
        return tuple(names)

    @property
    def described(self) -> dict[str, list[int]]:
        """The slots as they are stored in files: low, bits and, if a key has several words, words."""
        found = {"low": list(self.low), "bits": list(self.bits)}
        return found | ({"words": list(self.words)} if self.num_words > 1 else {})

    @property
    def num_words(self) -> int:
        return self.words[-1] + 1 if self.words else 1

    @cached_property
    def word_bits(self) -> tuple[int, ...]:
        """Per word: the number of its bits that are used."""
        return tuple(sum(b for b, w in zip(self.bits, self.words, strict=True) if w == word) for word in range(self.num_words))

    @cached_property
    def shifts(self) -> tuple[int, ...]:
        """Per slot: the position of its bits in its word."""
        left, found = list(self.word_bits), []
        for bits, word in zip(self.bits, self.words, strict=True):
            left[word] -= bits
            found.append(left[word])
        return tuple(found)

    @cached_property
    def _parts(self) -> tuple[tuple[int, int, int], ...]:
        """Per slot: the position of its bits in the key, its greatest value minus its smallest one, and its smallest value."""
        total, found = 0, []
        for bits, low in zip(reversed(self.bits), reversed(self.low), strict=True):
            found.append((total, (1 << bits) - 1, low))
            total += bits
        return tuple(reversed(found))

    def widened(self, slot: int, value: int) -> Layout:
        """A layout whose `slot` also holds `value`; its range is at least doubled, so that few widenings are needed. Slots keep their words
        while there is room. Raises `OutOfReach`."""
        low, high = self.low[slot], self.low[slot] + (1 << self.bits[slot]) - 1
        if value < low:
            low = min(value, max(low - (high - low + 1), LEAST))
        bits = max((max(value, high) - low).bit_length(), self.bits[slot] + 1)
        lows, widths = list(self.low), list(self.bits)
        lows[slot], widths[slot] = low, bits
        has_room = self.word_bits[self.words[slot]] + bits - self.bits[slot] <= WORD_BITS
        return Layout(self.state_class, self.lengths, tuple(lows), tuple(widths), self.words if has_room else ()).checked()

    def roomier(self, most: int) -> Layout:
        """A layout whose slots hold twice as many numbers each, upwards, if keys then have at most so many bits; else this one."""
        wider = tuple(min(bits + 1, SLOT_BITS) for bits in self.bits)
        return Layout(self.state_class, self.lengths, self.low, wider) if sum(wider) <= most else self

    def shrunk(self, columns: np.ndarray) -> Layout:
        """A layout whose slots hold the numbers in `columns`, int64[slots, n], and what lies between them; no more."""
        low, high = columns.min(axis=1).tolist(), columns.max(axis=1).tolist()
        return Layout(self.state_class, self.lengths, tuple(low), tuple((b - a).bit_length() for a, b in zip(low, high, strict=True)))

    # One key -----------------------------------------------------------------------------------------------------------------

    def pack(self, state: Any) -> int:
        """The key of `state`, or -1 if a slot is outside its range or not a whole number, or if the state has another shape."""
        if lengths(state) != self.lengths:
            return -1
        key = 0
        for value, low, bits in zip(flatten(state), self.low, self.bits, strict=True):
            if not 0 <= value - low < 1 << bits or value != int(value):
                return -1
            key = key << bits | int(value - low)
        return key

    def unpack(self, key: Any) -> Any:
        """The state with this key, a whole number or an item of an array of keys."""
        number = self.whole(key)
        return nested(self.state_class, self.lengths, [(number >> shift & most) + low for shift, most, low in self._parts])

    def item(self, key: int) -> Any:
        """The item that represents this key, a whole number, in an array of keys."""
        return key if self.num_words == 1 else self.array([key])[0]

    def whole(self, key: Any) -> int:
        """A key as one whole number, given as such or as an item of an array of keys."""
        if not isinstance(key, np.ndarray):
            return int(key)
        number = 0
        for word, bits in zip(key.tolist(), self.word_bits, strict=True):
            number = number << bits | word
        return number

    # Many keys ---------------------------------------------------------------------------------------------------------------

    def room(self, count: int) -> np.ndarray:
        """An array for this many keys."""
        return room(self.num_words, count)

    def array(self, keys: Iterable[int]) -> np.ndarray:
        """The array of these keys, given as whole numbers."""
        if self.num_words == 1:
            return np.array(list(keys), np.int64)
        rows = [(-1,) * self.num_words if key < 0 else self._words(key) for key in keys]
        return np.array(rows, np.int64).reshape(len(rows), self.num_words)

    def _words(self, key: int) -> tuple[int, ...]:
        found = []
        for bits in reversed(self.word_bits):
            found.append(key & (1 << bits) - 1)
            key >>= bits
        return tuple(reversed(found))

    def wholes(self, keys: np.ndarray) -> np.ndarray:
        """object[n]: the same keys as whole numbers."""
        found = room(OBJECTS, len(keys))
        found[:] = [self.whole(key) for key in keys]
        return found

    def are_held(self, keys: np.ndarray) -> np.ndarray:
        """bool[n]: which keys use only the bits of the slots."""
        words = [word_of(keys, word) for word in range(self.num_words)]
        return np.all([(of >= 0) & (of <= (1 << bits) - 1) for of, bits in zip(words, self.word_bits, strict=True)], axis=0)

    def pack_many(self, states: Sequence[Any]) -> np.ndarray:
        """The keys of states of this shape whose slots are in range."""
        if any(self.lengths):
            return self.array(self.pack(state) for state in states)
        return self.pack_columns(_rows(states).T)

    def pack_columns(self, columns: np.ndarray) -> np.ndarray:
        """The keys of states whose slots are in range, given as int64[slots, n]: the inverse of `columns`."""
        keys = self.room(columns.shape[1])
        keys[:] = 0
        for column, low, shift, word in zip(columns, self.low, self.shifts, self.words, strict=True):
            of = word_of(keys, word)
            of |= (column - low) << shift
        return keys

    def column(self, keys: np.ndarray, slot: int) -> np.ndarray:
        """int64[len(keys)]: one slot of many keys."""
        found: np.ndarray = word_of(keys, self.words[slot]) >> self.shifts[slot]
        found &= (1 << self.bits[slot]) - 1
        found += self.low[slot]
        return found

    def columns(self, keys: np.ndarray) -> np.ndarray:
        """int64[slots, len(keys)]: the slots of many keys."""
        found = np.empty((len(self.bits), len(keys)), np.int64)
        for slot, column in enumerate(found):
            column[:] = self.column(keys, slot)
        return found

    def moved(self, keys: np.ndarray, other: Layout) -> np.ndarray:
        """The keys of the same states in another layout, which holds them."""
        found = other.room(len(keys))
        for at in range(0, len(keys), TOGETHER):
            some = slice(at, at + TOGETHER)
            found[some] = other.pack_columns(self.columns(keys[some]))
        return found

    def unpack_many(self, keys: np.ndarray) -> list[Any]:
        rows = self.columns(keys).T.tolist()
        return [nested(self.state_class, self.lengths, row) for row in rows]


def words_for(bits: Sequence[int]) -> tuple[int, ...]:
    """Per slot the word that holds it: as few words as possible, filled evenly, so that slots can grow."""
    words = _filled(bits, WORD_BITS)
    if not words or words[-1] == 0:
        return words
    return next(found for most in range(WORD_BITS + 1) if (found := _filled(bits, most))[-1] == words[-1])


def _filled(bits: Sequence[int], most: int) -> tuple[int, ...]:
    """Per slot its word, if words are filled one after another with at most this many bits (a larger slot has a word of its own)."""
    found, word, filled = [], 0, 0
    for b in bits:
        if filled and filled + b > most:
            word, filled = word + 1, 0
        filled += b
        found.append(word)
    return tuple(found)


def are_words(words: Sequence[int], bits: Sequence[int]) -> bool:
    """Whether slots with these numbers of bits fit into these words."""
    steps = [after - before for before, after in zip([*words[:1], *words], words, strict=False)]
    used = [sum(b for b, w in zip(bits, words, strict=False) if w == word) for word in range(len(words))]
    return len(words) == len(bits) and set(words[:1]) <= {0} and all(step in (0, 1) for step in steps) and max([0, *used]) <= WORD_BITS


def _fitted(states: list[Any], is_tight: bool) -> Layout:
    first = states[0]
    shape = lengths(first)
    rows = _rows([flatten(s) for s in states] if any(shape) else states)
    declared = declared_ranges(type(first), shape) if is_tight else [None] * rows.shape[1]
    low, bits = [], []
    for column, allowed in zip(rows.T, declared, strict=True):
        least, most = int(column.min()), int(column.max())
        if allowed is not None and least in allowed and most in allowed:
            least, width = allowed.start, len(allowed[1:]).bit_length()
        elif is_tight and least == most:
            width = 0
        else:
            if (most - min(least, 0)).bit_length() <= SLOT_BITS:  # else no number of it is near 0
                least = min(least, 0)
            width = max((most - least).bit_length(), 1)
        low.append(least)
        bits.append(width)
    return Layout(type(first), shape, tuple(low), tuple(bits)).checked()


def _rows(numbers: Sequence[Any]) -> np.ndarray:
    """int64[n, slots], or whole numbers of Python where some are larger. (numpy takes ten times as long for a list of NamedTuples.)"""
    try:
        return np.fromiter(chain.from_iterable(numbers), np.int64).reshape(len(numbers), -1)
    except OverflowError:
        return np.array(numbers, object).reshape(len(numbers), -1)


def is_of(state: Any, state_class: type[Any]) -> bool:
    """Whether this is of the class, or of that which the same lines made when they ran again: a cell of a notebook, a module that was
    loaded again. (Whether the rules are still those that were solved is seen from their text.)"""
    return isinstance(state, state_class) or _made_by(type(state)) == _made_by(state_class)


def _made_by(a_class: type[Any]) -> tuple[Any, ...]:
    return a_class.__module__, a_class.__qualname__, getattr(a_class, "_fields", None)


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


def layout_described(state: Any, described: Mapping[str, Any]) -> Layout:
    """The layout in a file (`Layout.described`) for states like this one. Raises `ValueError` if it cannot be theirs."""
    low, bits = (tuple(int(x) for x in described[name]) for name in ("low", "bits"))
    words = tuple(int(x) for x in described.get("words", words_for(bits)))
    if len({len(low), len(bits), sum(n or 1 for n in lengths(state))}) > 1 or min(bits) < 0:
        raise ValueError("its states have other numbers than those of the game")
    if not are_words(words, bits):
        raise ValueError("its `words` can't hold its `bits`")
    return Layout(type(state), lengths(state), low, bits, words).checked()
