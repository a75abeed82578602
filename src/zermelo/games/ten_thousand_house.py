"""One turn of Ten Thousand, Zilch or Farkle by the rules of a house, which are parameters: what scores, and what may be done with it.

All that matters about a roll is which numbers of dice can be set aside, and what the best of them score: its menu. Menus are computed once
by Python (house_menus.py), and the rules look them up. With five dice, `hot` and no other parameter it is the game of Crocce and Mordecki
2014.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.house_menus import Menus, house, in_words, menus
from zermelo.games.race_pictures import dice_to_roll

STOP, ROLL, ASIDE = range(3)  # ASIDE - 1 + n: set n dice aside
MOST_DICE = 6
MOST_POINTS = 10_000


class State(NamedTuple):
    score: Annotated[int, "set aside in this turn, in steps"]
    dice: Annotated[int, "dice just rolled, while there is a choice; else dice to roll next; 0: the turn is over"]
    menu: Annotated[int, "number of the menu, while there is a choice; else 0"]


class TenThousandHouse(NamedTuple):
    """Roll, set aside dice that score, roll the rest or stop to bank the points of the turn. A roll without score loses them.

    If all dice have been set aside, all are rolled again. Points can only be banked from `entry` on. From a score at which no roll gains
    anything on average the player stops, which is proven for every score.
    """

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
    entry: Annotated[int, "points that a turn must have to be banked", range(MOST_POINTS + 1)] = 0
    back: Annotated[str, "dice that score and may be rolled again, as 5,1,55,222; all, or none"] = "all"
    hot: Annotated[bool, "dice that all score must all be set aside"] = False

    def title(self) -> str:
        return f"Ten Thousand by house rules, one turn: {in_words(self)}"

    def payoff_unit(self) -> str:
        return "points"

    def tables(self, three: str, more: str, back: str) -> Menus:
        together = self.straight, self.small_straight, self.three_pairs, self.four_and_pair, self.two_triples, self.full_house
        return menus(house(self.dice, self.one, self.five, three, more, together, back, self.hot))

    def step(self) -> tuple[int, ...]:
        """Points of a step; the number of steps from which stopping is best."""
        found = self.tables(self.three, self.more, self.back)
        return found.step, max(found.enough, -(-self.entry // found.step))

    def steps(self) -> tuple[int, ...]:
        """The score of each option of the menus."""
        return self.tables(self.three, self.more, self.back).steps

    def taken(self) -> tuple[int, ...]:
        """How many dice each option sets aside."""
        return self.tables(self.three, self.more, self.back).dice

    def first(self) -> tuple[int, ...]:
        """Where the options of each menu begin."""
        return self.tables(self.three, self.more, self.back).first

    def rolled(self) -> tuple[int, ...]:
        """The menus that rolls give,"""
        return self.tables(self.three, self.more, self.back).rolled

    def ways(self) -> tuple[int, ...]:
        """in how many ways,"""
        return self.tables(self.three, self.more, self.back).ways

    def rolls(self) -> tuple[int, ...]:
        """and where those of each number of dice begin."""
        return self.tables(self.three, self.more, self.back).rolls

    def start(self) -> State:
        self.tables(self.three, self.more, self.back)  # raises `ValueError` where a text is not understood
        return State(0, self.dice, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.dice > 0:
            if self.banked(s) > 0 and self.banked(s) * self.step()[0] >= self.entry:
                yield STOP
            if s.menu == 0:
                yield ROLL
            else:
                for k in range(self.first()[s.menu], self.first()[s.menu + 1]):
                    yield ASIDE - 1 + self.taken()[k]

    def banked(self, s: State) -> int:
        """Steps that may be banked: of the last roll the best option."""
        return s.score if s.menu == 0 else s.score + self.steps()[self.first()[s.menu]]

    def settled(self, s: State) -> bool:
        return s.score >= self.step()[1]

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == STOP:
            yield 1, self.banked(s) * self.step()[0], State(0, 0, 0)
        elif action == ROLL:
            for k in range(self.rolls()[s.dice], self.rolls()[s.dice + 1]):
                yield self.ways()[k], 0, self.after(s, self.rolled()[k])
        else:
            for k in range(self.first()[s.menu], self.first()[s.menu + 1]):
                if self.taken()[k] == action - ASIDE + 1:
                    yield 1, 0, self.with_aside(s, k)

    def after(self, s: State, menu: int) -> State:
        """The state after a roll with this menu; one option is no choice."""
        first = self.first()[menu]
        options = self.first()[menu + 1] - first
        if options == 0:
            return State(0, 0, 0)
        if options == 1:
            return self.with_aside(s, first)
        return State(s.score, s.dice, menu)

    def with_aside(self, s: State, option: int) -> State:
        left = s.dice - self.taken()[option]
        return State(s.score + self.steps()[option], left if left > 0 else self.dice, 0)

    def show(self, s: State) -> str:
        step = self.step()[0]
        if s.menu == 0:
            return f"{s.score * step} points, {so_many(s.dice)} to roll" if s.dice else "the turn is over"
        offers = ", ".join(f"{dice} for {points}" for dice, points in self.offers(s))
        return f"{s.score * step} points, {so_many(s.dice)} rolled, of which may be set aside: {offers}"

    def offers(self, s: State) -> list[tuple[str, str]]:
        """What may be set aside, and its points."""
        options = range(self.first()[s.menu], self.first()[s.menu + 1])
        return [(so_many(self.taken()[k]), str(self.steps()[k] * self.step()[0])) for k in options]

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """What is set aside, and the dice to roll; a roll that leaves a choice is shown."""
        if s.dice > 0:
            yield {"kind": "coins", "label": "stop: points of this turn", "coins": s.score * self.step()[0], "place": "stop"}
            if s.menu == 0:
                yield dice_to_roll(s.dice, "roll")
            else:
                yield {"kind": "facts", "label": f"{so_many(s.dice)} rolled, set aside", "facts": self.offers(s)}

    def places(self, s: State, action: int) -> Iterator[str]:
        if action in (STOP, ROLL):
            yield self.action_name(action)

    def action_name(self, action: int) -> str:
        return "stop" if action == STOP else "roll" if action == ROLL else f"set {so_many(action - ASIDE + 1)} aside"


def so_many(dice: int) -> str:
    return "1 die" if dice == 1 else f"{dice} dice"


TenThousandHouse.State = State  # type: ignore[attr-defined]
