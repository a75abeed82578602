"""Solitaire Pig: how much to collect in a single turn of Pig.

Roters 1998 ("Optimal stopping in a dice game"), Haigh and Roters 2000.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

HOLD, ROLL = range(2)
OVER = -1  # the total when the turn has ended


class State(NamedTuple):
    total: int  # points collected in this turn


class SolitairePig(NamedTuple):
    """One turn of Pig, for the most points: roll as often as you like, but a 1 loses the whole total. Holding banks it.

    Nothing in the rules bounds the total; this does: at total t, one more roll wins 2, 3, ... or `sides` and loses
    t, each in one way, so it gains nothing on average once t >= 2 + 3 + ... + sides. From there the total only
    grows, so that this stays true at every later roll, and holding at once is optimal (the monotone case of Chow
    and Robbins 1961).
    """

    sides: Annotated[int, "sides of the die", range(2, 1001)] = 6

    def start(self) -> State:
        return State(0)

    def enough(self) -> int:
        """The total from which no further roll gains anything on average: 20 for a die of six sides."""
        return self.sides * (self.sides + 1) // 2 - 1

    def actions(self, s: State) -> Iterator[int]:
        if s.total != OVER:
            yield HOLD
            if s.total < self.enough():
                yield ROLL

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == HOLD:
            yield 1, s.total, State(OVER)
        else:
            yield 1, 0, State(OVER)
            for face in range(2, self.sides + 1):
                yield 1, 0, State(s.total + face)

    def show(self, s: State) -> str:
        return "the turn is over" if s.total == OVER else f"turn total {s.total}"

    def action_name(self, action: int) -> str:
        return "hold" if action == HOLD else "roll"
