"""Ten Thousand and Farkle as races for two: who is the first to bank enough points?

Crocce and Mordecki 2014 ("A finite exact algorithm to solve a dice game") leave open whether the competitive game can be
solved; Busche and Neller 2017 ("Optimal play of the Farkle dice game") solve six-dice Farkle.

Written from the view of the player to move: a turn that ends passes the dice (`PASS`), and the value counts negated. A win
pays 1 and a loss -1, so that value = P(win) - P(loss) and P(win) = (1 + value) / 2.
"""

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.dice_sets import CHIPS, CHOICES, DICE_OF, PARTS, PARTS_FROM, ROLLED, ROLLS_FROM, SETS, WAYS
from zermelo.games.race_pictures import dice_and_chips, race_bars

BANK, ROLL = range(2)
SET_ASIDE = 2  # setting aside the dice number k of `SETS` is the action SET_ASIDE + k
KEEP, PASS = +1, -1  # who moves next: the same player, or the other one
HOT_DICE_STAY = 5  # with this many dice, all that score at once are set aside; with six some may be rolled again


class State(NamedTuple):
    mine: Annotated[int, "chips banked by the player to move"]
    theirs: Annotated[int, "chips banked by the opponent"]
    turn: Annotated[int, "chips set aside in this turn, not banked yet"]
    dice: Annotated[int, "dice to roll next, or just rolled"]
    rolled: Annotated[int, "number of the last roll, while some of it is to be set aside; else 0"]


class TenThousandRace(NamedTuple):
    """Race to bank enough chips of 50 points. In your turn roll, set scoring dice aside, and roll the rest or bank.

    At least one scoring combination of every roll is set aside, and what is not may be rolled again; if all dice have
    scored, all are rolled again. A roll without score loses the chips of the turn and ends it. The first to bank the
    goal or more wins; a turn that can is over (any player with that many would bank). With five dice this is Ten Thousand
    with the moves of the solitaire game; with six it is Farkle, in which dice may also be left where all score.
    """

    goal: Annotated[int, "chips of 50 points to win", range(1, 1001)] = 200
    dice: Annotated[int, "dice that are rolled: 5 (Ten Thousand) or 6 (Farkle)", (5, 6)] = 5
    head_start: Annotated[int, "chips that the second player begins with", range(1000)] = 0

    def title(self) -> str:
        name = "Farkle" if self.dice == 6 else "Ten Thousand"
        ahead = f", the second player {self.head_start} chips ahead" if self.head_start else ""
        return f"{name}: first to {counted(self.goal, 'chip')}, {counted(self.dice, 'die', 'dice')}{ahead}"

    def start(self) -> State:
        if self.head_start >= self.goal:
            raise ValueError(f"head_start ({self.head_start}) must be less than the goal ({self.goal})")
        return State(0, self.head_start, 0, self.dice, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.rolled > 0:
            for k in range(PARTS_FROM[s.rolled], PARTS_FROM[s.rolled + 1]):
                yield SET_ASIDE + PARTS[k]
        elif s.mine + s.turn < self.goal:
            yield ROLL
            if s.turn > 0:
                yield BANK

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State, int]]:
        if action == BANK:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0, self.dice, 0), PASS
        elif action == ROLL:
            first = ROLLS_FROM[s.dice]
            yield WAYS[first], 0, State(s.theirs, s.mine, 0, self.dice, 0), PASS
            for k in range(first + 1, ROLLS_FROM[s.dice + 1]):
                yield WAYS[k], 0, self.after(s, ROLLED[k]), KEEP
        else:
            yield 1, 0, self.with_aside(s, action - SET_ASIDE), KEEP

    def after(self, s: State, rolled: int) -> State:
        """The state after a roll. There is nothing to choose if one die or triple scores, or if the goal is reached."""
        turn, left = s.turn + CHIPS[rolled], s.dice - DICE_OF[rolled]
        if s.mine + turn >= self.goal:
            return State(s.mine, s.theirs, self.goal - s.mine, self.dice, 0)
        if left == 0 and self.dice == HOT_DICE_STAY:
            return State(s.mine, s.theirs, turn, self.dice, 0)
        if CHOICES[rolled] == 1:
            return State(s.mine, s.theirs, turn, left if left > 0 else self.dice, 0)
        return State(s.mine, s.theirs, s.turn, s.dice, rolled)

    def with_aside(self, s: State, aside: int) -> State:
        """The state with these scoring dice set aside, which do not reach the goal; if none is left, all are rolled next."""
        left = s.dice - DICE_OF[aside]
        return State(s.mine, s.theirs, s.turn + CHIPS[aside], left if left > 0 else self.dice, 0)

    def payoff(self, s: State) -> int:
        return 1  # the play ends when the player to move has reached the goal

    def stage(self, s: State) -> int:
        """Both scores, regardless of which player has which: banked chips only increase."""
        return (s.mine + s.theirs) * self.goal + min(s.mine, s.theirs)

    def entries(self) -> Iterator[State]:
        """Beginnings of turns."""
        for mine in range(self.goal):
            for theirs in range(self.goal):
                yield State(mine, theirs, 0, self.dice, 0)

    def win_probability(self, value: float) -> float:
        """The probability that the player to move wins, from the value of the state."""
        return (1 + value) / 2

    def show(self, s: State) -> str:
        scores = f"player to move has {s.mine} chips, opponent {s.theirs}"
        if s.rolled:
            return f"{scores}, {s.turn} in this turn; {s.dice} dice rolled, scoring: {SETS[s.rolled]}"
        return f"{scores}, {s.turn} in this turn; {s.dice} dice to roll"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield race_bars(s.mine, s.theirs, s.turn, self.goal)
        yield from dice_and_chips(s.dice, str(SETS[s.rolled]) if s.rolled else "", s.turn)

    def places(self, s: State, action: int) -> Iterator[str]:
        if action in (BANK, ROLL):
            yield self.action_name(action)

    def action_name(self, action: int) -> str:
        if action in (BANK, ROLL):
            return "bank" if action == BANK else "roll"
        return f"set aside {SETS[action - SET_ASIDE]}"


TenThousandRace.State = State  # type: ignore[attr-defined]


def Farkle(goal: int = 200, head_start: int = 0) -> TenThousandRace:
    """Farkle: the race with six dice, to `goal` chips of 50 points."""
    return TenThousandRace(goal, 6, head_start)


def bank_at(chips: int) -> Callable[[State], int]:
    """The policy that sets aside all that scores and banks as soon as there are this many chips."""

    def policy(s: State) -> int:
        if s.rolled > 0:
            return SET_ASIDE + s.rolled
        return BANK if s.turn >= chips else ROLL

    return policy
