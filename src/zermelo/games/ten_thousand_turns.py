"""Ten Thousand, Zilch or Farkle alone: bank enough points in as few turns as possible, as Haigh and Roters (2000) asked of Pig.

A turn costs 1, so the value is the expected number of turns, negated. What scores, and which of it may be rolled again, are the parameters
of zermelo.games.ten_thousand_house, whose menus are looked up here. Scores are counted in steps: the largest number that divides every
score.
"""

# mypy: disable-error-code="attr-defined,misc"
# (it does not see the methods of a named tuple that are taken from other games)

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.house_menus import in_words
from zermelo.games.house_race import HouseRace
from zermelo.games.race_pictures import alone, dice_to_roll
from zermelo.games.ten_thousand_house import ASIDE, MOST_DICE, MOST_POINTS, TenThousandHouse, so_many
from zermelo.games.ten_thousand_race import BANK, ROLL


class State(NamedTuple):
    banked: Annotated[int, "steps of earlier turns"]
    turn: Annotated[int, "steps set aside in this turn"]
    dice: Annotated[int, "dice to roll next, or just rolled"]
    menu: Annotated[int, "number of the menu of the last roll, while there is a choice; else 0"]


class TenThousandTurns(NamedTuple):
    """Bank enough points in as few turns as possible, by the rules of your house. The value is the expected number of turns, negated."""

    goal: Annotated[int, "points to bank", range(1, 5 * MOST_POINTS + 1)] = 2000
    dice: Annotated[int, "dice", range(1, MOST_DICE + 1)] = 6
    one: Annotated[int, "points for a single 1", range(MOST_POINTS + 1)] = 100
    five: Annotated[int, "points for a single 5", range(MOST_POINTS + 1)] = 50
    three: Annotated[str, "points for three 1s, three 2s, ..., three 6s"] = "1000,200,300,400,500,600"
    more: Annotated[str, "four, five, six of a kind: doubled, added, none, or points as 1000,2000,3000"] = "none"
    straight: Annotated[int, "points for 1-2-3-4-5-6 (0: none)", range(MOST_POINTS + 1)] = 0
    small_straight: Annotated[int, "points for 1-2-3-4-5 and 2-3-4-5-6", range(MOST_POINTS + 1)] = 0
    three_pairs: Annotated[int, "points for three pairs of different numbers", range(MOST_POINTS + 1)] = 0
    four_and_pair: Annotated[int, "points for four of a kind and a pair", range(MOST_POINTS + 1)] = 0
    two_triples: Annotated[int, "points for two triples", range(MOST_POINTS + 1)] = 0
    full_house: Annotated[int, "points for three of a kind and a pair", range(MOST_POINTS + 1)] = 0
    entry: Annotated[int, "points that the first turn that is banked must have", range(MOST_POINTS + 1)] = 0
    back: Annotated[str, "dice that score and may be rolled again, as 5,1,55,222; all, or none"] = "all"
    hot: Annotated[bool, "dice that all score must all be set aside"] = False

    tables, offers = TenThousandHouse.tables, TenThousandHouse.offers
    steps, taken, first = TenThousandHouse.steps, TenThousandHouse.taken, TenThousandHouse.first
    rolled, ways, rolls = TenThousandHouse.rolled, TenThousandHouse.ways, TenThousandHouse.rolls
    step = HouseRace.step

    def title(self) -> str:
        return f"Ten Thousand in the fewest turns: {in_words(self)}"

    def payoff_unit(self) -> str:
        return "turns"

    def start(self) -> State:
        if not self.tables(self.three, self.more, self.back).steps:  # it raises `ValueError` where a text is not understood
            raise ValueError("no roll scores by these rules, so that the goal is never reached")
        if self.entry > self.goal:
            raise ValueError(f"entry ({self.entry}) must be at most the goal ({self.goal})")
        return State(0, 0, self.dice, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.menu > 0:
            for k in range(self.first()[s.menu], self.first()[s.menu + 1]):
                yield ASIDE - 1 + self.taken()[k]
        elif s.banked + s.turn < self.step()[1]:
            yield ROLL
            if s.turn > 0 and (s.banked > 0 or s.turn >= self.step()[2]):
                yield BANK

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        cost = -1 if s.turn == 0 and s.menu == 0 else 0
        if action == BANK:
            yield 1, 0, State(s.banked + s.turn, 0, self.dice, 0)
        elif action == ROLL:
            for k in range(self.rolls()[s.dice], self.rolls()[s.dice + 1]):
                yield self.ways()[k], cost, self.after(s, self.rolled()[k])
        else:
            for k in range(self.first()[s.menu], self.first()[s.menu + 1]):
                if self.taken()[k] == action - ASIDE + 1:
                    yield 1, 0, self.with_aside(s, k)

    def after(self, s: State, menu: int) -> State:
        """The state after a roll with this menu, whose first option scores most. One option is no choice; nor is reaching the goal."""
        if menu == 0:
            return State(s.banked, 0, self.dice, 0)
        first = self.first()[menu]
        if s.banked + s.turn + self.steps()[first] >= self.step()[1]:
            return State(s.banked, self.step()[1] - s.banked, self.dice, 0)
        if self.first()[menu + 1] - first == 1:
            return self.with_aside(s, first)
        return State(s.banked, s.turn, s.dice, menu)

    def with_aside(self, s: State, option: int) -> State:
        left = s.dice - self.taken()[option]
        return State(s.banked, s.turn + self.steps()[option], left if left > 0 else self.dice, 0)

    def stage(self, s: State) -> int:
        return s.banked

    def entries(self) -> Iterator[State]:
        """Beginnings of turns."""
        for banked in range(self.step()[1]):
            yield State(banked, 0, self.dice, 0)

    def show(self, s: State) -> str:
        banked, turn = s.banked * self.step()[0], s.turn * self.step()[0]
        scores = f"{banked} points banked, {turn} in this turn"
        if s.menu == 0:
            return f"{scores}; {so_many(s.dice)} to roll"
        offers = ", ".join(f"{dice} for {points}" for dice, points in self.offers(s))
        return f"{scores}; {so_many(s.dice)} rolled, of which may be set aside: {offers}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """Points banked, the dice to roll, and the points of the turn; a roll that leaves a choice is shown."""
        step, goal = self.step()[0], self.step()[1]
        yield alone(s.banked * step, s.turn * step, goal * step)
        if s.menu == 0:
            yield dice_to_roll(s.dice, "roll")
        else:
            yield {"kind": "facts", "label": f"{so_many(s.dice)} rolled, set aside", "facts": self.offers(s)}
        yield {"kind": "coins", "label": "bank: points of this turn", "coins": s.turn * step, "place": "bank"}

    places, action_name = HouseRace.places, HouseRace.action_name


TenThousandTurns.State = State
