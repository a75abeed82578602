"""Ten Thousand alone: bank so many chips of 50 points in as few turns as possible, as Haigh and Roters (2000) asked of Pig.

A turn costs 1, so the value is the expected number of turns, negated. Rolls and dice that score are those of the race for two.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.dice_sets import CHIPS, CHOICES, DICE_OF, PARTS, PARTS_FROM, ROLLED, ROLLS_FROM, SETS, WAYS
from zermelo.games.race_pictures import alone, dice_and_chips
from zermelo.games.ten_thousand_race import BANK, ROLL, SET_ASIDE, TenThousandRace


class State(NamedTuple):
    banked: int  # chips of earlier turns
    turn: int  # chips set aside in this turn
    dice: int  # dice to roll next, or just rolled
    rolled: int  # what of the last roll scores (number in `SETS`) while some of it is to be set aside; else 0


class TenThousandTurns(NamedTuple):
    """Bank so many chips of 50 points in as few turns as possible. The value is the expected number of turns, negated."""

    goal: Annotated[int, "chips of 50 points to bank", range(1, 201)] = 40
    dice: Annotated[int, "dice that are rolled: 5 (Ten Thousand) or 6 (Farkle)", (5, 6)] = 5
    entry: Annotated[int, "chips that the first turn that is banked must have", range(201)] = 0

    def title(self) -> str:
        text = f"Ten Thousand in the fewest turns: {self.goal} chips, {self.dice} dice"
        return f"{text}, {self.entry} chips to enter" if self.entry else text

    def start(self) -> State:
        return State(0, 0, self.dice, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.rolled > 0:
            for k in range(PARTS_FROM[s.rolled], PARTS_FROM[s.rolled + 1]):
                yield SET_ASIDE + PARTS[k]
        elif s.banked + s.turn < self.goal:
            yield ROLL
            if s.turn > 0 and (s.banked > 0 or s.turn >= self.entry):
                yield BANK

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        cost = -1 if s.turn == 0 and s.rolled == 0 else 0
        if action == BANK:
            yield 1, 0, State(s.banked + s.turn, 0, self.dice, 0)
        elif action == ROLL:
            first = ROLLS_FROM[s.dice]
            yield WAYS[first], cost, State(s.banked, 0, self.dice, 0)
            for k in range(first + 1, ROLLS_FROM[s.dice + 1]):
                yield WAYS[k], cost, self.after(s, ROLLED[k])
        else:
            yield 1, 0, self.with_aside(s, action - SET_ASIDE)

    def after(self, s: State, rolled: int) -> State:
        """The state after a roll. There is nothing to choose if one die or triple scores, or if the goal is reached."""
        turn, left = s.turn + CHIPS[rolled], s.dice - DICE_OF[rolled]
        if s.banked + turn >= self.goal:
            return State(s.banked, self.goal - s.banked, self.dice, 0)
        if left == 0 and self.dice == 5:
            return State(s.banked, turn, self.dice, 0)
        if CHOICES[rolled] == 1:
            return State(s.banked, turn, left if left > 0 else self.dice, 0)
        return State(s.banked, s.turn, s.dice, rolled)

    def with_aside(self, s: State, aside: int) -> State:
        """The state with these scoring dice set aside; if none is left, all are rolled next."""
        left = s.dice - DICE_OF[aside]
        return State(s.banked, s.turn + CHIPS[aside], left if left > 0 else self.dice, 0)

    def stage(self, s: State) -> int:
        return s.banked

    def entries(self) -> Iterator[State]:
        """Beginnings of turns."""
        for banked in range(self.goal):
            yield State(banked, 0, self.dice, 0)

    def show(self, s: State) -> str:
        rolled = f", {s.dice} dice rolled, scoring: {SETS[s.rolled]}" if s.rolled else f", {s.dice} dice to roll"
        return f"{s.banked} chips banked, {s.turn} in this turn{rolled}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        yield alone(s.banked, s.turn, self.goal)
        yield from dice_and_chips(s.dice, str(SETS[s.rolled]) if s.rolled else "", s.turn)

    places, action_name = TenThousandRace.places, TenThousandRace.action_name  # type: ignore[misc]


TenThousandTurns.State = State  # type: ignore[attr-defined]
