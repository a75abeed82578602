"""Pig alone: reach the goal in as few turns as possible (Haigh and Roters 2000, "Optimal strategy in a dice game").

Roll a die as often as you like: the sum counts when you hold, and a 1 ends the turn with nothing. A turn costs 1, so the value is the
expected number of turns, negated.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.race_pictures import alone, dice_to_roll

HOLD, ROLL = range(2)


class State(NamedTuple):
    banked: Annotated[int, "points of earlier turns"]
    turn: Annotated[int, "points of this turn; 0: it has not begun"]


class FewestTurns(NamedTuple):
    """Pig alone: reach the goal in as few turns as possible. The value is the expected number of turns, negated."""

    goal: Annotated[int, "points to reach", range(1, 1001)] = 100
    sides: Annotated[int, "sides of the die", range(2, 101)] = 6

    def title(self) -> str:
        return f"Pig in the fewest turns: {counted(self.goal, 'point')}, a die of {self.sides} sides"

    def payoff_unit(self) -> str:
        return "turns"

    def start(self) -> State:
        return State(0, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.banked + s.turn < self.goal:
            if s.turn > 0:
                yield HOLD
            yield ROLL

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        cost = -1 if s.turn == 0 else 0
        if action == HOLD:
            yield 1, 0, State(s.banked + s.turn, 0)
        else:
            yield 1, cost, State(s.banked, 0)
            for face in range(2, self.sides + 1):
                yield 1, cost, State(s.banked, min(s.turn + face, self.goal - s.banked))

    def show(self, s: State) -> str:
        return f"{s.banked} points banked, {s.turn} in this turn"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield alone(s.banked, s.turn, self.goal)
        yield dice_to_roll(1, "roll")
        yield {"kind": "coins", "label": "hold: points of this turn", "coins": s.turn, "place": "hold"}

    def places(self, s: State, action: int) -> Iterator[str]:
        yield self.action_name(action)

    def action_name(self, action: int) -> str:
        return "hold" if action == HOLD else "roll"


FewestTurns.State = State  # type: ignore[attr-defined]
