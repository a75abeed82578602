"""The solution of a board game in one byte a position: result and moves to the end. Needs no engine and no compiler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, Protocol

import numpy as np

from zermelo.basics.numbers import Number
from zermelo.basics.progress import Progress, silent
from zermelo.errors import OutOfReach, UnreachableState
from zermelo.kernels.status import DRAWN, FINAL_DRAW, FIRST, UNSEEN
from zermelo.language.rules import State
from zermelo.solution import Found, Place, Solution, check_state
from zermelo.states.positions import Positions

CHUNK = 1 << 20  # codes looked at in one go


class Codes(Protocol):
    """The codes of all positions: an array, or what is read like one (storing.py)."""

    @property
    def dtype(self) -> Any: ...
    def __len__(self) -> int: ...
    def __getitem__(self, index: Any) -> Any: ...


class Census(NamedTuple):
    """How many positions have each code."""

    codes: np.ndarray  # int64[k], ascending
    counts: np.ndarray  # int64[k]

    @property
    def positions(self) -> int:
        """All that were reached."""
        return int(self.counts[self.codes != UNSEEN].sum())


def counted(codes: Codes) -> Census:
    """Count the codes of a table."""
    bits = 8 * codes.dtype.itemsize
    total = np.zeros(1 << bits, np.int64)
    for at in range(0, len(codes), CHUNK):
        total += np.bincount(codes[at : at + CHUNK].view(f"u{codes.dtype.itemsize}"), minlength=len(total))
    found = np.flatnonzero(total)
    signed = np.where(found >= len(total) // 2, found - len(total), found)
    order = np.argsort(signed)
    return Census(signed[order], total[found[order]])


class Reached:
    """The positions that can be reached. Their numbers have gaps: those of positions that can't, or that have a mirror image."""

    def __init__(self, positions: Positions, codes: Codes, size: int):
        self.positions, self.codes, self.size = positions, codes, size
        self.rules, self.layout = positions.rules, positions.layout

    def __len__(self) -> int:
        return self.size

    def rank(self, state: State) -> int:
        """The number of a position; symmetric ones share one. Raises `UnreachableState`."""
        check_state(self.rules, self.layout, state)
        number = self.positions.find(state)
        if number < 0 or self.codes[number] == UNSEEN:
            raise UnreachableState(
                f"{state} can't be reached from {self.rules.start} in {self.rules.name}; it has no computed value"
            )
        return number

    def __contains__(self, state: State) -> bool:
        number = self.positions.find(state)
        return bool(number >= 0 and self.codes[number] != UNSEEN)

    def unrank(self, number: int) -> State:
        """The position with this number."""
        if not 0 <= number < len(self.codes) or self.codes[number] == UNSEEN:
            raise IndexError(f"no position has the number {number}")
        return self.positions.state(number)

    def __iter__(self) -> Iterator[State]:
        for at in range(0, len(self.codes), CHUNK):
            for number in np.flatnonzero(self.codes[at : at + CHUNK] != UNSEEN):
                yield self.positions.state(at + int(number))


class BoardSolution(Solution):
    """A solution that keeps one code a position (kernels/status.py), and computes best moves from those of the next positions.

    `codes` : int8[entries] (int16 where play takes more than 125 moves), by the numbers of `positions`.
    Values are proven; they are fractions if they `are_fractions`, as those of other exact solutions, else floats.
    """

    def __init__(
        self,
        positions: Positions,
        codes: Codes,
        argument: str,
        statistics: Mapping[str, Any],
        are_fractions: bool = False,
    ):
        self.positions, self.codes, self._number = positions, codes, Fraction if are_fractions else float
        rules = positions.rules
        start = positions.find(rules.start)
        found = Found(np.zeros(1, np.int64), None, np.zeros((1, 1)), np.zeros(1, np.int32), None, None, start, argument)
        super().__init__(rules, positions.layout, found, 1.0, statistics)

    @property
    def has_states(self) -> bool:
        return False

    @property
    def is_exact(self) -> bool:
        return self._number is Fraction

    @property
    def counts_moves(self) -> bool:
        return True

    @cached_property
    def space(self) -> Any:
        """The positions that can be reached."""
        return Reached(self.positions, self.codes, self.statistics["states"])

    def _place(self, state: State) -> Place:
        return Place(self.space.rank(state), 0)

    def _value(self, place: Place, payoff: int) -> Number:
        """+1, 0 or -1 for the maximiser (for the player to move, with PASS)."""
        code = int(self.codes[place.number])
        result = 0 if code in (DRAWN, FINAL_DRAW) else 1 if code > 0 else -1
        if not hasattr(self.game, "player") or code in (FIRST, -FIRST):
            return self._number(result)
        return self._number(result * (1 - 2 * self.rules.player(self.positions.state(place.number))))

    def _interval(self, place: Place, payoff: int) -> tuple[Number, Number]:
        value = self._value(place, payoff)
        return value, value

    def _distance(self, place: Place) -> int | None:
        code = int(self.codes[place.number])
        return None if code == DRAWN else 0 if code == FINAL_DRAW else abs(code) - FIRST

    def _kept_action(self, state: State, place: Place) -> None:
        """Best actions are not kept."""

    def census(self) -> dict[str, list[tuple[int, int]]]:
        every = list(zip(*map(np.ndarray.tolist, counted(self.codes)), strict=True))
        lost = sorted((-code - FIRST, n) for code, n in every if code <= -FIRST)
        drawn = sorted((0 if code == FINAL_DRAW else -1, n) for code, n in every if code in (DRAWN, FINAL_DRAW))
        return {"won": [(code - FIRST, n) for code, n in every if code >= FIRST], "lost": lost, "drawn": drawn}

    def farthest(self) -> State | None:
        best, at = 0, -1
        for begin in range(0, len(self.codes), CHUNK):
            part = self.codes[begin : begin + CHUNK]
            if part.max() > max(best, FIRST):
                best, at = int(part.max()), begin + int(part.argmax())
        return self.positions.state(at) if at >= 0 else None

    def save(self, path: Any, compress: bool = False, progress: Progress = silent) -> None:
        """Write the solution to one file, atomically; `zermelo.open` reads it, or as much of it as is asked for. It is much smaller
        if it is compressed, and slower to look up positions in."""
        from zermelo.storage.boards import save

        save(self, path, compress, progress)

    # --- what needs all states as arrays ---------------------------------------------------------------------------------

    def require_states(self, what: str) -> NoReturn:
        raise OutOfReach(
            f"{what} needs tables of all {self.statistics['states']:,} positions of {self.rules.name}, which are kept in a byte each: "
            "ask for smaller parameters"
        )

    @property
    def values(self) -> Any:
        self.require_states("`values`")

    @property
    def payoff_values(self) -> Any:
        self.require_states("`payoff_values`")

    @property
    def errors(self) -> Any:
        self.require_states("`errors`")

    @property
    def distances(self) -> Any:
        self.require_states("`distances`")

    @property
    def action_numbers(self) -> Any:
        self.require_states("`action_numbers`")

    def to_dataframe(self) -> Any:
        self.require_states("a data frame")

    def to_xarray(self) -> Any:
        self.require_states("an array over the fields")
