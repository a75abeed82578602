"""Connect Four on boards of any small size: four in a line, and discs fall to the bottom.

Wexler and Strongin 1974. The number of positions is that of Tromp ("John's Connect Four Playground"), who counts them with both
players' colours distinguished, and mirror images separately.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted

PASS = -1  # the other player moves next


class State(NamedTuple):
    columns: Annotated[tuple[int, ...], "bits from the bottom: 1 a disc of the player to move, 0 of the opponent; above the top one a 1"]


def below_top(column: int) -> int:
    """A bit for every disc of a column: all below its highest bit (of 16)."""
    column |= column >> 1
    column |= column >> 2
    column |= column >> 4
    column |= column >> 8
    return column >> 1


def has_four(discs: int, height: int) -> bool:
    """Whether four of these discs are in a line, a column having height + 1 bits: shifted by a step, and again by two."""
    for step in (1, height, height + 1, height + 2):  # upwards, and to the right: down, straight, up
        pairs = discs & discs >> step
        if pairs & pairs >> 2 * step:
            return True
    return False


class ConnectFour(NamedTuple):
    """Drop a disc into a column that is not full. Four discs in a line, also diagonally, win; a full board is a draw.

    A win is worth 1. An action is a column, counted from 0.
    """

    width: Annotated[int, "columns", range(1, 9)] = 5
    height: Annotated[int, "rows", range(1, 9)] = 4

    def title(self) -> str:
        return f"Connect Four: {counted(self.width, 'column')}, {counted(self.height, 'row')}"

    def start(self) -> State:
        return State((1,) * self.width)

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_lost(s):
            for c in range(self.width):
                if s.columns[c] >> self.height == 0:
                    yield c

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State, int]]:
        """The disc takes the place of the bit above the topmost one; then all discs are seen by the other player."""
        columns = tuple(s.columns[c] ^ below_top(s.columns[c]) for c in range(self.width))
        top = below_top(columns[action]) + 1
        yield 1, 0, State(columns[:action] + (columns[action] + top,) + columns[action + 1 :]), PASS

    def is_lost(self, s: State) -> bool:
        """Whether the opponent, who moved last, has four in a line."""
        discs = 0
        for c in range(self.width):
            discs |= (below_top(s.columns[c]) & ~s.columns[c]) << c * (self.height + 1)
        return has_four(discs, self.height)

    def payoff(self, s: State) -> int:
        return -1 if self.is_lost(s) else 0

    def symmetries(self, s: State) -> Iterator[State]:
        """Left and right exchanged."""
        yield State(tuple(s.columns[self.width - 1 - c] for c in range(self.width)))

    def space(self) -> Any:
        from zermelo.spaces import product

        return product(*[range(1, 2 << self.height)] * self.width)

    def picture(self, s: State) -> dict[str, Any]:
        """The board: x is to move, o is the opponent. All squares of a column are one place."""
        rows = []
        for r in range(self.height - 1, -1, -1):
            owners = [None if c >> r <= 1 else 0 if c >> r & 1 else 1 for c in s.columns]
            discs = [[] if owner is None else [{"shape": "disc", "owner": owner}] for owner in owners]
            rows.append([{"pieces": pieces, "place": c} for c, pieces in enumerate(discs)])
        return {"kind": "grid", "cells": rows, "columns": [str(c) for c in range(self.width)]}

    def places(self, s: State, action: int) -> Iterator[int]:
        yield action

    def action_name(self, action: int) -> str:
        return f"column {action}"


ConnectFour.State = State  # type: ignore[attr-defined]
