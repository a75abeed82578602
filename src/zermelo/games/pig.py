"""Pig, the jeopardy dice race for two, and Piglet, the same race with a coin.

Neller and Presser 2004 ("Optimal play of the dice game Pig").

Both are written from the view of the player to move: a turn that ends passes the die (`PASS`), and the value counts
negated. A win pays 1 and a loss -1, so that value = P(win) - P(loss) and P(win) = (1 + value) / 2.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.race_pictures import race_bars, turn_of_pig

ROLL, HOLD = range(2)
KEEP, PASS = +1, -1  # who moves next: the same player, or the other one


class State(NamedTuple):
    mine: Annotated[int, "score of the player to move"]
    theirs: Annotated[int, "score of the opponent"]
    turn: Annotated[int, "points collected in this turn, not banked yet"]


class Pig(NamedTuple):
    """Race to the goal. In your turn roll as often as you like, at least once; hold to bank the turn total.

    A 1 loses the turn total and ends the turn. The first to reach the goal wins. A turn total that reaches it has
    won (any player who rolls that would hold), and points beyond it aren't counted.
    """

    goal: Annotated[int, "points to win", range(1, 1001)] = 100

    def title(self) -> str:
        return f"Pig: first to {counted(self.goal, 'point')}"

    def start(self) -> State:
        return State(0, 0, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.mine + s.turn < self.goal:
            yield ROLL
            if s.turn > 0:
                yield HOLD

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State, int]]:
        if action == HOLD:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0), PASS
        else:
            yield 1, 0, State(s.theirs, s.mine, 0), PASS
            for face in range(2, 7):
                yield 1, 0, State(s.mine, s.theirs, min(s.turn + face, self.goal - s.mine)), KEEP

    def payoff(self, s: State) -> int:
        return 1  # the play ends when the player to move has reached the goal

    def win_probability(self, value: float) -> float:
        """The probability that the player to move wins, from the value of the state."""
        return (1 + value) / 2

    def show(self, s: State) -> str:
        return f"player to move has {s.mine}, opponent {s.theirs}, turn total {s.turn}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield from turn_of_pig(s.mine, s.theirs, s.turn, self.goal)

    def places(self, s: State, action: int) -> Iterator[str]:
        yield self.action_name(action)

    def action_name(self, action: int) -> str:
        return "hold" if action == HOLD else "roll"


Pig.State = State  # type: ignore[attr-defined]


class Piglet(NamedTuple):
    """Pig with a coin: heads adds 1 to the turn total, tails loses it. The first to reach the goal wins."""

    goal: Annotated[int, "points to win", range(1, 1001)] = 10

    def title(self) -> str:
        return f"Piglet: first to {counted(self.goal, 'point')}"

    def start(self) -> State:
        return State(0, 0, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.mine + s.turn < self.goal:
            yield ROLL
            if s.turn > 0:
                yield HOLD

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State, int]]:
        if action == HOLD:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0), PASS
        else:
            yield 1, 0, State(s.theirs, s.mine, 0), PASS
            yield 1, 0, State(s.mine, s.theirs, s.turn + 1), KEEP

    def payoff(self, s: State) -> int:
        return 1  # the play ends when the player to move has reached the goal

    def win_probability(self, value: float) -> float:
        """The probability that the player to move wins, from the value of the state."""
        return (1 + value) / 2

    def show(self, s: State) -> str:
        return f"player to move has {s.mine}, opponent {s.theirs}, turn total {s.turn}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield race_bars(s.mine, s.theirs, s.turn, self.goal)
        yield {"kind": "coins", "label": "flip", "coins": 1, "place": "flip"}
        yield {"kind": "coins", "label": "hold: points of this turn", "coins": s.turn, "place": "hold"}

    def places(self, s: State, action: int) -> Iterator[str]:
        yield self.action_name(action)

    def action_name(self, action: int) -> str:
        return "hold" if action == HOLD else "flip"


Piglet.State = State  # type: ignore[attr-defined]
