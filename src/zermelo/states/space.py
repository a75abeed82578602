"""The states of a solution, in sorted order: a bijection between states and 0..size-1."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np

from zermelo.basics.words import counted, game_text
from zermelo.errors import ParameterError, UnreachableState
from zermelo.language.rules import Rules, State, lengths
from zermelo.states.keys import index_of
from zermelo.states.layout import Layout
from zermelo.states.quotient import kept

REMEMBERED = 1 << 14  # states whose index is cached


class ByIndex(np.ndarray):
    """An array in the order of `space`. It takes no state as index, which is a tuple to numpy: the state's numbers would be the index."""

    def __new__(cls, array: np.ndarray) -> ByIndex:
        return array.view(cls)

    def __getitem__(self, index: Any) -> Any:
        if hasattr(index, "_fields"):
            said = "arrays of a solution are in the order of its space: index them with solution.space.rank(state), not with the state"
            raise ParameterError(f"{said}; or ask solution.probe(state)")
        return np.asarray(self)[index]

    def __array_wrap__(self, array: np.ndarray, *_: Any) -> Any:
        """What is computed from it is a plain array, or a number."""
        return np.asarray(array)[()]

    def __repr__(self) -> str:
        return repr(np.asarray(self))


class Space:
    """The states that were solved, sorted. `rank(state)` is the index of a state, `unrank(index)` the state with an index."""

    def __init__(self, rules: Rules, layout: Layout, keys: np.ndarray):
        self.rules, self.layout, self.keys = rules, layout, keys
        self._found: dict[State, tuple[int, int]] = {}  # cached results, as a walk through a game looks up each state often

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.keys)

    def __len__(self) -> int:
        return len(self.keys)

    def __repr__(self) -> str:
        return f"<Space of {game_text(self.rules.game)}: {counted(self.size, 'state')}>"

    def rank(self, state: State) -> int:
        """The index of a state; symmetric states share one. Raises `ParameterError`, `UnreachableState`."""
        return self.find(state)[0]

    def find(self, state: State) -> tuple[int, int]:
        """(index, turns): the index of the state or of its representative, and the number of seats by which the table is rotated there."""
        check_state(self.rules, self.layout, state)
        known = self._found.get(state)
        if known is not None:
            return known
        for key, turns in kept(self.rules, self.layout, state):
            index = self._index(key)
            if index >= 0:
                if len(self._found) >= REMEMBERED:
                    self._found.clear()
                self._found[state] = index, turns
                return index, turns
        raise unreachable(self.rules, state)

    def _index(self, key: int) -> int:
        return index_of(self.keys, self.layout.item(key))

    def __contains__(self, state: State) -> bool:
        try:
            self.rank(state)
        except (UnreachableState, ParameterError):
            return False
        return True

    def unrank(self, index: int) -> State:
        """The state with this index. Raises `IndexError`, and `TypeError` for anything but a whole number."""
        index = operator.index(index)
        if not 0 <= index < self.size:
            raise IndexError(f"state index {index} is not in 0..{self.size - 1}")
        return self.layout.unpack(self.keys[index])

    def __iter__(self) -> Iterator[State]:
        for at in range(0, self.size, 1 << 16):
            yield from self.layout.unpack_many(self.keys[at : at + (1 << 16)])

    @cached_property
    def columns(self) -> dict[str, np.ndarray]:
        """The states as arrays int64[size], one for each integer of a state, by names such as "score" or "cells[0]"."""
        return dict(zip(self.layout.slot_names, self.layout.columns(np.asarray(self.keys)), strict=True))


def check_state(rules: Rules, layout: Layout, state: State) -> None:
    """Raise `ParameterError` unless this is a state of the game."""
    if not layout.is_for(state) or not is_whole(state) or not has_shape(state, layout.lengths):
        expected = ", ".join(layout.state_class._fields)
        name = layout.state_class.__name__
        is_another = not layout.is_for(state) and type(state).__name__ == name
        why = f"; this {name} is another class of that name, from {type(state).__module__}" if is_another else ""
        raise ParameterError(f"{state!r} is not a state of {rules.name}: expected {name}({expected}){why}")


def is_whole(state: State) -> bool:
    """Whether the fields of a tuple are whole numbers, or tuples of these."""
    return all(isinstance(v, int | np.integer) for f in state for v in (f if isinstance(f, tuple) else (f,)))


def plain(state: Any) -> Any:
    """The state with its numpy integers, such as those of a data frame, replaced by Python's, as rules would overflow with numpy's.
    Anything else is left as it is."""
    if not isinstance(state, tuple) or not hasattr(state, "_fields") or set(map(type, state)) == {int} or not is_whole(state):
        return state
    fields: list[Any] = [tuple(map(int, f)) if isinstance(f, tuple) else int(f) for f in state]
    return type(state)(*fields)


def has_shape(state: State, wanted: tuple[int, ...]) -> bool:
    """Whether the fields of a state are numbers and tuples with the right number of numbers (`language.rules.lengths`)."""
    return lengths(state) == wanted and all(f for f in state if isinstance(f, tuple))  # () would be taken for a number


def unreachable(rules: Rules, state: State) -> UnreachableState:
    """The error for a state that was not solved."""
    return UnreachableState(f"{off_play(rules, state)}; it has no computed value (`probe` with off_play=True works one out)")


def off_play(rules: Rules, state: State) -> str:
    """A sentence saying that play does not reach a state."""
    return f"{state} can't be reached from {rules.start} in {rules.name}"
