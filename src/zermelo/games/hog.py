"""Hog: the dice race in which you say beforehand how many dice you roll, in turns.

Feldman and Morgan 2003 ("The pedagogy and probability of the dice game HOG"); Neller and Presser 2005 ("Pigtail: a Pig
addendum"), who count it among the variants of Pig.

Written from the view of the player to move: every turn passes the dice, and the value counts negated. A win pays 1 and a
loss -1, so that value = P(win) - P(loss) and P(win) = (1 + value) / 2.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.dice_sums import so_many_dice, with_ones, without_ones
from zermelo.games.race_pictures import race_bars

MOST_DICE = 60
PASS = -1  # the other player moves next


class State(NamedTuple):
    mine: Annotated[int, "score of the player to move"]
    theirs: Annotated[int, "score of the opponent"]


# By number of dice; as floats, since 6^60 does not fit in 64 bits. Up to 20 dice they are exact; beyond, each has a relative error
# of some 10^-16.
POINTS = tuple(tuple(map(float, ways)) for ways in without_ones(MOST_DICE))
NOTHING = tuple(map(float, with_ones(MOST_DICE)))


class Hog(NamedTuple):
    """Race to the goal in turns. In your turn choose a number of dice and roll them all at once.

    If any die shows a 1 you score nothing, else the sum of the dice. The first to reach the goal wins. Bounds are strict
    up to 20 dice; beyond, the numbers of ways are rounded, which moves values by less than 1e-14 and is not counted.
    """

    goal: Annotated[int, "points to win", range(1, 501)] = 100
    most_dice: Annotated[int, "dice that may be rolled at once", range(1, MOST_DICE + 1)] = 10

    def title(self) -> str:
        return f"Hog: first to {counted(self.goal, 'point')}, at most {counted(self.most_dice, 'die', 'dice')}"

    def start(self) -> State:
        return State(0, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.theirs < self.goal:
            for dice in range(1, self.most_dice + 1):  # noqa: UP028 - compiled, where there is no `yield from`
                yield dice

    def outcomes(self, s: State, dice: int) -> Iterator[tuple[float, int, State, int]]:
        yield NOTHING[dice], 0, State(s.theirs, s.mine), PASS
        enough = 0.0
        for points in range(2 * dice, 6 * dice + 1):
            if s.mine + points < self.goal:
                yield POINTS[dice][points], 0, State(s.theirs, s.mine + points), PASS
            else:
                enough += POINTS[dice][points]
        yield enough, 0, State(s.theirs, self.goal), PASS

    def payoff(self, s: State) -> int:
        return -1  # the play ends when the other player has reached the goal

    def win_probability(self, value: float) -> float:
        """The probability that the player to move wins, from the value of the state."""
        return (1 + value) / 2

    def show(self, s: State) -> str:
        return f"player to move has {s.mine}, opponent {s.theirs}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """Both scores, and the dice: a click on the third one rolls three."""
        yield race_bars(s.mine, s.theirs, 0, self.goal)
        yield {"kind": "dice", "label": "roll up to", "dice": [{"face": n, "place": n} for n in range(1, self.most_dice + 1)]}

    def places(self, s: State, dice: int) -> Iterator[int]:
        yield dice

    def action_name(self, dice: int) -> str:
        return so_many_dice(dice)


Hog.State = State  # type: ignore[attr-defined]
