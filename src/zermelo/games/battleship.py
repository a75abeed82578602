"""Battleship on a tiny board: each player hides a ship, and they fire in turn.

Each player places a ship of a given number of squares, in a row, on a board of their own that the opponent does not see. They then fire
in turn, the first player first, and learn whether each shot hit. The first to hit every square of the opponent's ship wins 1. If both
have fired all their shots, it is a draw.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted

NOT_YET = -1


class State(NamedTuple):
    first: int  # where the first player's ship lies; -1 before
    second: int
    shots: tuple[int, ...]  # the squares that the first player fired at, in turn; -1 not yet
    others: tuple[int, ...]


class Battleship(NamedTuple):
    """The value is what the first player wins on average. With ships of one square and shots for the whole board it is 1 / squares."""

    width: Annotated[int, "columns of each board", range(1, 5)] = 2
    height: Annotated[int, "rows of each board", range(1, 5)] = 2
    ship: Annotated[int, "squares of a ship", range(1, 5)] = 2
    shots: Annotated[int, "shots of each player", range(1, 7)] = 3

    def title(self) -> str:
        return f"Battleship: {self.width} x {self.height} squares, ships of {self.ship}, {counted(self.shots, 'shot')} each"

    def start(self) -> State:
        if self.ship > max(self.width, self.height):
            raise ValueError(f"a ship of {self.ship} squares has no room on a board of {self.width} x {self.height}")
        none = (NOT_YET,) * self.shots
        return State(NOT_YET, NOT_YET, none, none)

    def across(self) -> int:
        return max(self.width - self.ship + 1, 0) * self.height

    def berths(self) -> int:
        """How many ways there are to lay a ship."""
        return self.across() + (self.width * max(self.height - self.ship + 1, 0) if self.ship > 1 else 0)

    def covers(self, place: int, square: int) -> bool:
        """Whether a ship at this place lies on the square."""
        column, row = square % self.width, square // self.width
        if place < self.across():
            first = place % (self.width - self.ship + 1)
            return row == place // (self.width - self.ship + 1) and first <= column < first + self.ship
        place -= self.across()
        return column == place % self.width and place // self.width <= row < place // self.width + self.ship

    def hits(self, place: int, shots: tuple[int, ...]) -> int:
        count = 0
        for square in shots:
            if square != NOT_YET and self.covers(place, square):
                count += 1
        return count

    def fired(self, shots: tuple[int, ...]) -> int:
        count = 0
        for square in shots:
            count += int(square != NOT_YET)
        return count

    def is_over(self, s: State) -> bool:
        if s.second == NOT_YET:
            return False
        if self.hits(s.second, s.shots) == self.ship or self.hits(s.first, s.others) == self.ship:
            return True
        return self.fired(s.others) == self.shots

    def player(self, s: State) -> int:
        if s.second == NOT_YET:
            return int(s.first != NOT_YET)
        return int(self.fired(s.shots) > self.fired(s.others))

    def sees(self, s: State, player: int) -> Iterator[int]:
        yield s.first if player == 0 else s.second
        yield int(s.first != NOT_YET) + int(s.second != NOT_YET)
        for at in range(self.shots):
            for mine in range(2):
                square = s.shots[at] if mine == int(player == 0) else s.others[at]
                place = s.second if mine == int(player == 0) else s.first
                yield square
                yield int(square != NOT_YET and self.covers(place, square))

    def actions(self, s: State) -> Iterator[int]:
        if s.second == NOT_YET:
            for place in range(self.berths()):  # noqa: UP028
                yield place
        elif not self.is_over(s):
            for square in range(self.width * self.height):
                if square not in (s.shots if self.player(s) == 0 else s.others):
                    yield square

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if s.first == NOT_YET:
            yield 1, 0, State(action, NOT_YET, s.shots, s.others)
        elif s.second == NOT_YET:
            yield 1, 0, State(s.first, action, s.shots, s.others)
        elif self.player(s) == 0:
            at = self.fired(s.shots)
            yield 1, 0, State(s.first, s.second, s.shots[:at] + (action,) + s.shots[at + 1 :], s.others)
        else:
            at = self.fired(s.others)
            yield 1, 0, State(s.first, s.second, s.shots, s.others[:at] + (action,) + s.others[at + 1 :])

    def payoff(self, s: State) -> int:
        return int(self.hits(s.second, s.shots) == self.ship) - int(self.hits(s.first, s.others) == self.ship)

    def show(self, s: State, player: int = -1) -> str:
        """Both boards; a player sees his own, and what he has found out about the opponent's."""
        if s.second == NOT_YET:
            return "where does the ship lie?"
        boards = self.board(s.first, s.others, player != 1), self.board(s.second, s.shots, player != 0)
        return "\n\n".join(boards if player != 1 else boards[::-1])

    def board(self, place: int, shots: tuple[int, ...], is_open: bool = True) -> str:
        """A board as text: # ship, * hit, o water that was fired at."""
        rows = []
        for row in range(self.height):
            squares = range(row * self.width, (row + 1) * self.width)
            rows.append("".join((".#o*" if is_open else "..o*")[int(self.covers(place, q)) + 2 * int(q in shots)] for q in squares))
        return "\n".join(rows)

    def picture(self, s: State, player: int = -1) -> Iterator[dict[str, Any]]:
        """Both boards: ships that `player` sees are squares, hits are crosses, water that was fired at is a disc."""
        aims = player if s.second == NOT_YET else 1 - player  # whose board the player points at
        for owner, (ship, shots) in enumerate(((s.first, s.others), (s.second, s.shots))):
            cells = [[self.square(row * self.width + column, ship if player in (-1, owner) else NOT_YET, ship, shots)
                      for column in range(self.width)] for row in range(self.height)]
            for k, cell in enumerate(cell for row in cells for cell in row):
                cell["place"] = k if owner == aims and player >= 0 else f"{owner}: {k}"
            yield {"kind": "grid", "owner": owner, "label": "board", "cells": cells}

    def square(self, square: int, seen: int, ship: int, shots: tuple[int, ...]) -> dict[str, Any]:
        """A cell: the ship, where it is `seen`, and the result of a shot at it."""
        is_hit = ship != NOT_YET and self.covers(ship, square)
        hull = {"shape": "square"} if seen != NOT_YET and self.covers(seen, square) else {}
        if square in shots:
            return {"pieces": [{**hull, "text": "✕"} if is_hit else {"shape": "disc", "size": 1}]}
        return {"pieces": [hull] if hull else []}

    def places(self, s: State, action: int) -> Iterator[int]:
        if s.second != NOT_YET:
            yield action
        else:
            for square in range(self.width * self.height):
                if self.covers(action, square):
                    yield square

    def action_name(self, action: int) -> str:
        return f"square or place {action + 1}"


Battleship.State = State  # type: ignore[attr-defined]
