"""Ten Thousand or Farkle for two with an entry: who has banked nothing yet must have so many chips in one turn to bank them.

The rules of zermelo.games.ten_thousand_race, with one line more in `actions`.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from zermelo.games.dice_sets import PARTS, PARTS_FROM
from zermelo.games.ten_thousand_race import BANK, ROLL, SET_ASIDE, State, TenThousandRace


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

    outcomes, after, with_aside = TenThousandRace.outcomes, TenThousandRace.after, TenThousandRace.with_aside  # type: ignore[misc]
    payoff, stage, entries = TenThousandRace.payoff, TenThousandRace.stage, TenThousandRace.entries  # type: ignore[misc]
    win_probability, action_name = TenThousandRace.win_probability, TenThousandRace.action_name  # type: ignore[misc]
    show, picture, places = TenThousandRace.show, TenThousandRace.picture, TenThousandRace.places  # type: ignore[misc]


EntryRace.State = State  # type: ignore[attr-defined]
