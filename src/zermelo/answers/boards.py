"""A board game with one code per position: result and moves to the end."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from zermelo.answers.base import Coded, CountsMoves, Tabled
from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.basics.threads import ranges, shared
from zermelo.errors import ParameterError, UnreachableState
from zermelo.kernels.status import DRAWN, FINAL_DRAW, FIRST, UNSEEN
from zermelo.language.rules import Rules, State
from zermelo.states.layout import Layout
from zermelo.states.positions import Positions
from zermelo.states.space import REMEMBERED, check_state, unreachable

CHUNK = 1 << 20  # codes processed at a time


class Codes(Protocol):
    """The codes of all positions: an array, or compressed codes that are read like one (storage/boards.py)."""

    @property
    def dtype(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: Any) -> Any: ...


class Census(NamedTuple):
    """The number of positions with each code."""

    codes: np.ndarray  # int64[k], ascending
    counts: np.ndarray  # int64[k]

    @property
    def positions(self) -> int:
        """The number of reachable positions."""
        return int(self.counts[self.codes != UNSEEN].sum())

    def of(self, code: int) -> int:
        """The number of positions with this code."""
        return int(self.counts[self.codes == code].sum())

    def won_in(self, moves: int) -> int:
        """The number of positions that the player to move wins in this many moves."""
        return self.of(FIRST + moves)

    def lost_in(self, moves: int) -> int:
        """The number of positions that the player to move loses in this many moves."""
        return self.of(-FIRST - moves)


def counted(codes: Codes) -> Census:
    """The number of times each code occurs."""
    size = codes.dtype.itemsize

    def times(low: int, high: int) -> np.ndarray:
        found = np.zeros(1 << 8 * size, np.int64)
        for at in range(low, high, CHUNK):
            some = codes[at : min(at + CHUNK, high)].view(f"u{size}")
            if size == 1 and len(some) % 2 == 0:  # in pairs, which takes half the time
                pairs = np.bincount(some.view("u2"), minlength=1 << 16).reshape(256, 256)
                found += pairs.sum(0) + pairs.sum(1)
            else:
                found += np.bincount(some, minlength=len(found))
        return found

    total = sum(shared(lambda part: times(*part), ranges(len(codes), CHUNK)), np.zeros(1 << 8 * size, np.int64))
    found = np.flatnonzero(total)
    signed = np.where(found >= len(total) // 2, found - len(total), found)
    order = np.argsort(signed)
    return Census(signed[order], total[found[order]])


class BoardSpace:
    """The reachable positions, numbered with gaps: other positions, and all but one of each set of symmetric positions, have no
    number."""

    def __init__(self, positions: Positions, codes: Codes, size: int):
        self.positions, self.codes, self.size = positions, codes, size
        self.rules, self.layout = positions.rules, positions.layout

    def __len__(self) -> int:
        return self.size

    def rank(self, state: State) -> int:
        """The number of a position; symmetric positions share one. Raises `ParameterError`, `UnreachableState`."""
        check_state(self.rules, self.layout, state)
        return self.find(state)[0]

    def find(self, state: State) -> tuple[int, int]:
        """The number of a position, and its code. Raises `UnreachableState`."""
        number = self.positions.find(state)
        code = UNSEEN if number < 0 else int(self.codes[number])
        if code == UNSEEN:
            raise unreachable(self.rules, state)
        return number, code

    def __contains__(self, state: State) -> bool:
        try:
            self.rank(state)
        except (UnreachableState, ParameterError):
            return False
        return True

    def unrank(self, number: int) -> State:
        """The position with this number. Raises `IndexError`, and `TypeError` for anything but a whole number."""
        number = operator.index(number)
        if not 0 <= number < len(self.codes) or self.codes[number] == UNSEEN:
            raise IndexError(f"no position has the number {number}")
        return self.positions.state(number)

    def __iter__(self) -> Iterator[State]:
        for at in range(0, len(self.codes), CHUNK):
            for number in np.flatnonzero(self.codes[at : at + CHUNK] != UNSEEN):
                yield self.positions.state(at + int(number))


@dataclass(eq=False)
class BoardAnswers:
    """One code per position (kernels/status.py). Best actions are not stored: they follow from the codes of the next positions.

    `codes` : int8[positions.size] (int16 where play takes more than 125 moves), indexed by the numbers of `positions`.
    """

    positions: Positions
    codes: Codes
    argument: str
    report: Report
    is_exact: bool = False  # values are Fractions; they are proven either way
    bridge: Any = None  # the same game with all states stored, once something has needed it
    _known: dict[State, StateFacts] = field(default_factory=dict, init=False, repr=False)  # a probe asks for next positions more than once

    discount: ClassVar[float] = 1.0

    @property
    def rules(self) -> Rules:
        return self.positions.rules

    @property
    def layout(self) -> Layout:
        return self.positions.layout

    def lacks(self, capability: type) -> str | None:
        if capability in (CountsMoves, Coded):
            return None
        if capability is Tabled:
            return (
                f"needs tables of all {self.report.states:,} positions of {self.rules.name}, which are kept in a byte each: "
                "ask for smaller parameters"
            )
        return f"is not for {self.rules.name}, a board game"

    @cached_property
    def space(self) -> BoardSpace:
        """The reachable positions."""
        return BoardSpace(self.positions, self.codes, self.report.states)

    def known(self, state: State) -> StateFacts:
        """+1, 0 or -1 for the maximiser (for the player to move, with PASS)."""
        check_state(self.rules, self.layout, state)  # first: other tuples and numbers compare equal to those of a state
        found = self._known.get(state)
        if found is None:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            found = self._known[state] = self._facts(state)
        return found

    def _facts(self, state: State) -> StateFacts:
        number, code = self.space.find(state)
        result = 0 if code in (DRAWN, FINAL_DRAW) else 1 if code > 0 else -1
        if result and hasattr(self.rules.game, "player") and code not in (FIRST, -FIRST):
            result *= 1 - 2 * self.rules.player(self.positions.state(number))
        away = None if code == DRAWN else 0 if code == FINAL_DRAW else abs(code) - FIRST
        return StateFacts((Fraction(result) if self.is_exact else float(result),), (0.0,), None, away)

    def census(self) -> dict[str, list[tuple[int, int]]]:
        """The number of positions won, lost and drawn for the player to move, by moves to the end (see `StoredAnswers.census`)."""
        every = list(zip(*map(np.ndarray.tolist, counted(self.codes)), strict=True))
        lost = sorted((-code - FIRST, n) for code, n in every if code <= -FIRST)
        drawn = sorted((0 if code == FINAL_DRAW else -1, n) for code, n in every if code in (DRAWN, FINAL_DRAW))
        return {"won": [(code - FIRST, n) for code, n in every if code >= FIRST], "lost": lost, "drawn": drawn}

    def farthest(self) -> State | None:
        """The position with the longest win for the player to move; None if no position that is not final is won."""
        best, at = 0, -1
        for begin in range(0, len(self.codes), CHUNK):
            part = self.codes[begin : begin + CHUNK]
            if part.max() > max(best, FIRST):
                best, at = int(part.max()), begin + int(part.argmax())
        return self.positions.state(at) if at >= 0 else None
