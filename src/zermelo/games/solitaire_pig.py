"""Solitaire Pig: how much to collect in a single turn of Pig.

Roters 1998 ("Optimal stopping in a dice game"), Haigh and Roters 2000.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.race_pictures import dice_to_roll

HOLD, ROLL = range(2)
OVER = -1  # the total when the turn has ended


class State(NamedTuple):
    total: Annotated[int, "points collected in this turn"]


class SolitairePig(NamedTuple):
    """One turn of Pig, for the most points: roll as often as you like, but a 1 loses the whole total. Holding banks it.

    Nothing in the rules bounds the total. One more roll wins 2, 3, ... or `sides` and loses the total, each in one way, so it
    gains nothing on average once the total is 2 + 3 + ... + sides: from there the turn is claimed to be settled, which Zermelo
    proves for every total (the monotone case of Chow and Robbins 1961) before it cuts the game there.
    """

    sides: Annotated[int, "sides of the die", range(2, 1001)] = 6

    def title(self) -> str:
        return f"Solitaire Pig: one turn with a die of {self.sides} sides"

    def payoff_unit(self) -> str:
        return "points"

    def start(self) -> State:
        return State(0)

    def enough(self) -> int:
        """The total from which no further roll gains anything on average: 20 for a die of six sides."""
        return self.sides * (self.sides + 1) // 2 - 1

    def actions(self, s: State) -> Iterator[int]:
        if s.total != OVER:
            yield HOLD
            yield ROLL

    def settled(self, s: State) -> bool:
        return s.total >= self.enough()

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == HOLD:
            yield 1, s.total, State(OVER)
        else:
            yield 1, 0, State(OVER)
            for face in range(2, self.sides + 1):
                yield 1, 0, State(s.total + face)

    def show(self, s: State) -> str:
        return "the turn is over" if s.total == OVER else f"turn total {s.total}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        if s.total != OVER:
            yield dice_to_roll(1, "roll")
            yield {"kind": "coins", "label": "hold: points of this turn", "coins": s.total, "place": "hold"}

    def places(self, s: State, action: int) -> Iterator[str]:
        yield self.action_name(action)

    def action_name(self, action: int) -> str:
        return "hold" if action == HOLD else "roll"


SolitairePig.State = State  # type: ignore[attr-defined]
