"""Hog with simultaneous turns: both choose how many dice to roll, hidden from each other, and roll.

Hog in turns is hog.py, which gives the sources. With simultaneous choices, the best play mixes.

A round is two steps: both choose, and the first player's dice are rolled; then the second player's. Both have one choice in the
second step. So a round has the outcomes of n dice and of m dice one after the other, not every pair of them.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.dice_sums import so_many_dice, with_ones, without_ones
from zermelo.games.race_pictures import dice_to_roll, race_bars

MOST_DICE = 20  # 6^20 ways are still exact in floats
WAYS = without_ones(MOST_DICE)
ONES = with_ones(MOST_DICE)


class State(NamedTuple):
    first: Annotated[int, "points of the first player"]
    second: Annotated[int, "points of the second player"]
    waiting: Annotated[int, "dice that the second player has chosen and not yet rolled; 0 before the choice"]


class HogSimultaneous(NamedTuple):
    """Each round both choose a number of dice at once and roll them: the sum counts, but nothing if there is a 1.

    Play ends with the round in which somebody reaches the goal; then the higher total wins, and equal totals are a draw.
    """

    goal: Annotated[int, "points that end the play", range(1, 1001)] = 100
    most_dice: Annotated[int, "dice that may be rolled at once", range(1, MOST_DICE + 1)] = 10
    first: Annotated[int, "points of the first player at the start", range(1000)] = 0
    second: Annotated[int, "points of the second player at the start", range(1000)] = 0

    def title(self) -> str:
        text = f"Hog, both choosing at once: first to {counted(self.goal, 'point')}, at most {counted(self.most_dice, 'die', 'dice')}"
        return f"{text}, from {self.first} to {self.second}" if self.first or self.second else text

    def start(self) -> State:
        if max(self.first, self.second) >= self.goal:
            raise ValueError(
                f"somebody has reached the goal of {self.goal} at the start ({self.first} to {self.second})"
            )
        return State(self.first, self.second, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.waiting > 0:
            yield 0
        for n in range(1, self.most_dice + 1):
            if s.waiting == 0 and max(s.first, s.second) < self.goal:
                yield n

    def other_actions(self, s: State) -> Iterator[int]:
        if s.waiting > 0:
            yield s.waiting
        for n in range(1, self.most_dice + 1):
            if s.waiting == 0 and max(s.first, s.second) < self.goal:
                yield n

    def outcomes(self, s: State, action: int, other: int) -> Iterator[tuple[int, int, State]]:
        if s.waiting > 0:
            yield ONES[other], 0, State(s.first, s.second, 0)
            for total in range(2 * other, 6 * other + 1):
                yield WAYS[other][total], 0, State(s.first, s.second + total, 0)
        else:
            yield ONES[action], 0, State(s.first, s.second, other)
            for total in range(2 * action, 6 * action + 1):
                yield WAYS[action][total], 0, State(s.first + total, s.second, other)

    def payoff(self, s: State) -> int:
        return (s.first > s.second) - (s.first < s.second)

    def win_probability(self, value: float) -> float:
        """The probability that the first player wins, a draw counting half, from the value of the state."""
        return (1 + value) / 2

    def show(self, s: State) -> str:
        rolling = f", {so_many_dice(s.waiting)} of the second player still to be rolled" if s.waiting else ""
        return f"{s.first} to {s.second}{rolling}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield race_bars(s.first, s.second, 0, self.goal)
        if s.waiting:
            yield dice_to_roll(s.waiting, "to be rolled by the second player")

    def action_name(self, action: int) -> str:
        return "wait" if action == 0 else so_many_dice(action)


HogSimultaneous.State = State  # type: ignore[attr-defined]
