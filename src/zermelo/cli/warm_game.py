"""A game that nobody plays: small, but with components too large for Newton's method. `zermelo warm` solves it to compile the code that
large games need."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class State(NamedTuple):
    turn: int  # 0: the chaser moves, 1: the runner
    chaser: int  # squares, row by row
    runner: int


class Chase(NamedTuple):
    """Two tokens go round a board, row by row. The chaser wins when they meet, and has lost when the runner has reached the last square
    and it is the chaser's turn. The first of three moves is certain, the others go a square too far one time in four. Some states are
    certain wins, in others play can cycle forever, and the rest require numbers."""

    side: int = 3

    def start(self) -> State:
        return State(0, 0, self.side * self.side // 2)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if s.chaser != s.runner and not (s.turn == 0 and s.runner == self.side * self.side - 1):
            yield 0
            yield 1
            yield 2

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        for ways, slip in ((3, 0), (1, min(action, 1))):
            step = (1, 2, self.side)[action] + slip
            if s.turn == 0:
                yield ways, 0, State(1, (s.chaser + step) % (self.side * self.side), s.runner)
            else:
                yield ways, 0, State(0, s.chaser, (s.runner + step) % (self.side * self.side))

    def payoff(self, s: State) -> int:
        return 1 if s.chaser == s.runner else 0
