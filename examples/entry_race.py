"""Ten Thousand or Farkle for two with an entry: who has banked nothing yet must have so many chips in one turn to bank them.

The rules of zermelo.games.ten_thousand_race, with one line more in `actions`.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.games.dice_sets import CHIPS, CHOICES, DICE_OF, PARTS, PARTS_FROM, ROLLED, ROLLS_FROM, SETS, WAYS
from zermelo.games.ten_thousand_race import BANK, HOT_DICE_STAY, KEEP, PASS, ROLL, SET_ASIDE, State


class EntryRace(NamedTuple):
    """Race to bank so many chips of 50 points. The first turn that a player banks must have `entry` chips."""

    goal: Annotated[int, "chips of 50 points to win", range(1, 1001)] = 60
    dice: Annotated[int, "dice that are rolled: 5 (Ten Thousand) or 6 (Farkle)", (5, 6)] = 5
    entry: Annotated[int, "chips that the first turn that a player banks must have", range(1001)] = 10

    def start(self) -> State:
        if self.entry > self.goal:
            raise ValueError(f"entry ({self.entry}) must be at most the goal ({self.goal})")
        return State(0, 0, 0, self.dice, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.rolled > 0:
            for k in range(PARTS_FROM[s.rolled], PARTS_FROM[s.rolled + 1]):
                yield SET_ASIDE + PARTS[k]
        elif s.mine + s.turn < self.goal:
            yield ROLL
            if s.turn > 0 and (s.mine > 0 or s.turn >= self.entry):
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
        """Both scores, whoever has which: banked chips only become more."""
        return (s.mine + s.theirs) * self.goal + min(s.mine, s.theirs)

    def entries(self) -> Iterator[State]:
        """Beginnings of turns."""
        for mine in range(self.goal):
            for theirs in range(self.goal):
                yield State(mine, theirs, 0, self.dice, 0)

    def win_probability(self, value: float) -> float:
        """The probability that the player to move wins, from the value of the state."""
        return (1 + value) / 2

    def action_name(self, action: int) -> str:
        if action in (BANK, ROLL):
            return "bank" if action == BANK else "roll"
        return f"set aside {SETS[action - SET_ASIDE]}"
