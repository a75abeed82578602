"""Dodgem: two players drive their cars off the board, and in each other's way.

Colin Vout; Berlekamp, Conway and Guy 1982, Winning Ways, volume 2, which lists the winner from each position of the 3 x 3 board. Larger
boards: David desJardins 1996 found that 4 x 4 and 5 x 5 are never over if both play well.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

PASS = -1  # the other player moves next
EMPTY, MINE, THEIRS = range(3)
OTHER = (EMPTY, THEIRS, MINE)  # what the other player calls it
FORWARD, LEFT, RIGHT = range(3)


class State(NamedTuple):
    cells: Annotated[tuple[int, ...], "row by row as seen by the player to move, who drives right: 0 empty, 1 own car, 2 theirs"]


class Dodgem(NamedTuple):
    """Each player has one car fewer than the board has rows. A car moves forward, to its left or to its right, to an empty square;
    forwards it can leave the board for good.

    A player who can't move has won: all cars are gone, or the opponent blocks them. Endless play is a draw, worth 0; a win is worth 1.
    An action is (square of the car, direction).
    """

    size: Annotated[int, "rows and columns of the board", range(2, 5)] = 3

    def title(self) -> str:
        return f"Dodgem: {self.size} x {self.size} squares"

    def start(self) -> State:
        """The mover's cars on the left edge, the opponent's on the lower one, the corner between them empty."""
        n = self.size
        mine = [r * n for r in range(n - 1)]
        theirs = [(n - 1) * n + c for c in range(1, n)]
        return State(tuple(MINE if i in mine else THEIRS if i in theirs else EMPTY for i in range(n * n)))

    def actions(self, s: State) -> Iterator[tuple[int, int]]:
        n = self.size
        for i in range(n * n):
            if s.cells[i] == MINE:
                if i % n == n - 1 or s.cells[i + 1] == EMPTY:
                    yield i, FORWARD
                if i >= n and s.cells[i - n] == EMPTY:
                    yield i, LEFT
                if i < n * n - n and s.cells[i + n] == EMPTY:
                    yield i, RIGHT

    def outcomes(self, s: State, action: tuple[int, int]) -> Iterator[tuple[int, int, State, int]]:
        i, direction = action
        n = self.size
        cells = s.cells[:i] + (EMPTY,) + s.cells[i + 1 :]
        if direction != FORWARD or i % n < n - 1:
            to = i + (1, -n, n)[direction]
            cells = cells[:to] + (MINE,) + cells[to + 1 :]
        yield 1, 0, State(self.seen_by_other(cells)), PASS

    def seen_by_other(self, cells: tuple[int, ...]) -> tuple[int, ...]:
        """The board mirrored in the diagonal through the corner between the starting edges, so that the opponent drives to the right."""
        n = self.size
        return tuple(OTHER[cells[(n - 1 - k % n) * n + n - 1 - k // n]] for k in range(n * n))

    def payoff(self, s: State) -> int:
        return 1

    def space(self) -> Any:
        """All ways to put up to as many cars of both players on the board as they have."""
        from zermelo.spaces import words

        most = self.size - 1

        def step(cars: tuple[int, int], cell: int) -> tuple[int, int] | None:
            mine, theirs = cars[0] + (cell == MINE), cars[1] + (cell == THEIRS)
            return (mine, theirs) if mine <= most and theirs <= most else None

        return words([range(3)] * self.size**2, (0, 0), step)

    def squares(self) -> str:
        return "squares: row,column from the upper left, as the player to move sees the board"

    def picture(self, s: State) -> dict[str, Any]:
        """The board as the player to move sees it: > are their cars, which leave to the right; ^ are the opponent's, which leave
        at the top. Rows and columns are numbered, as moves name a car by its row and column."""
        n = self.size
        names = [str(i) for i in range(n)]
        cars = [None, {"shape": "arrow", "owner": 0, "heads": "right"}, {"shape": "arrow", "owner": 1, "heads": "up"}]
        cells = [[cars[s.cells[r * n + c]] for c in range(n)] for r in range(n)]
        return {"kind": "grid", "cells": cells, "rows": names, "columns": names, "other side": "diagonal"}

    def places(self, s: State, action: tuple[int, int]) -> Iterator[int]:
        """The car, and where it goes; a car that leaves the board is clicked twice."""
        i, direction = action
        yield i
        yield i if direction == FORWARD and i % self.size == self.size - 1 else i + (1, -self.size, self.size)[direction]

    def action_name(self, action: tuple[int, int]) -> str:
        i, direction = action
        return f"{i // self.size},{i % self.size} {('forward', 'left', 'right')[direction]}"


Dodgem.State = State  # type: ignore[attr-defined]
