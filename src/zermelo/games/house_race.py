"""Ten Thousand, Zilch or Farkle for two by the rules of a house: who is the first to bank enough points?

What scores, and which of it may be rolled again, are the parameters of zermelo.games.ten_thousand_house, whose menus are looked up here;
two players race as in zermelo.games.ten_thousand_race. Scores are counted in steps: the largest number that divides every score.
"""

# mypy: disable-error-code="attr-defined,misc"
# (it does not see the methods of a named tuple that are taken from other games)

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.house_menus import in_words
from zermelo.games.race_pictures import dice_to_roll, race_bars
from zermelo.games.ten_thousand_house import ASIDE, MOST_DICE, MOST_POINTS, TenThousandHouse, so_many
from zermelo.games.ten_thousand_race import BANK, KEEP, PASS, ROLL, TenThousandRace


class State(NamedTuple):
    mine: Annotated[int, "steps banked by the player to move"]
    theirs: Annotated[int, "steps banked by the opponent"]
    turn: Annotated[int, "steps set aside in this turn, not banked yet"]
    dice: Annotated[int, "dice to roll next, or just rolled"]
    menu: Annotated[int, "number of the menu of the last roll, while there is a choice; else 0"]


class HouseRace(NamedTuple):
    """Race to bank enough points by the rules of your house. Roll, set dice that score aside, and roll the rest or bank.

    A roll without score loses the points of the turn and ends it; if all dice have been set aside, all are rolled again. The first
    turn that a player banks must have `entry` points. The first to bank the goal or more wins; a turn that can is over.
    """

    goal: Annotated[int, "points to win", range(1, 5 * MOST_POINTS + 1)] = 3000
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
    entry: Annotated[int, "points that the first turn that a player banks must have", range(MOST_POINTS + 1)] = 0
    back: Annotated[str, "dice that score and may be rolled again, as 5,1,55,222; all, or none"] = "all"
    hot: Annotated[bool, "dice that all score must all be set aside"] = False

    tables, offers = TenThousandHouse.tables, TenThousandHouse.offers
    steps, taken, first = TenThousandHouse.steps, TenThousandHouse.taken, TenThousandHouse.first
    rolled, ways, rolls = TenThousandHouse.rolled, TenThousandHouse.ways, TenThousandHouse.rolls

    def title(self) -> str:
        return f"Ten Thousand by house rules, a race: {in_words(self)}"

    def step(self) -> tuple[int, ...]:
        """Points of a step; the goal and the entry in steps."""
        step = self.tables(self.three, self.more, self.back).step
        return step, -(-self.goal // step), -(-self.entry // step)

    def start(self) -> State:
        self.tables(self.three, self.more, self.back)  # raises `ValueError` where a text is not understood
        if self.entry > self.goal:
            raise ValueError(f"entry ({self.entry}) must be at most the goal ({self.goal})")
        return State(0, 0, 0, self.dice, 0)

    def actions(self, s: State) -> Iterator[int]:
        if s.menu > 0:
            for k in range(self.first()[s.menu], self.first()[s.menu + 1]):
                yield ASIDE - 1 + self.taken()[k]
        elif s.mine + s.turn < self.step()[1]:
            yield ROLL
            if s.turn > 0 and (s.mine > 0 or s.turn >= self.step()[2]):
                yield BANK

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State, int]]:
        if action == BANK:
            yield 1, 0, State(s.theirs, s.mine + s.turn, 0, self.dice, 0), PASS
        elif action == ROLL:
            for k in range(self.rolls()[s.dice], self.rolls()[s.dice + 1]):
                menu = self.rolled()[k]
                if menu == 0:
                    yield self.ways()[k], 0, State(s.theirs, s.mine, 0, self.dice, 0), PASS
                else:
                    yield self.ways()[k], 0, self.after(s, menu), KEEP
        else:
            for k in range(self.first()[s.menu], self.first()[s.menu + 1]):
                if self.taken()[k] == action - ASIDE + 1:
                    yield 1, 0, self.with_aside(s, k), KEEP

    def after(self, s: State, menu: int) -> State:
        """The state after a roll with this menu, whose first option scores most. One option is no choice; nor is it one to win."""
        first = self.first()[menu]
        if s.mine + s.turn + self.steps()[first] >= self.step()[1]:
            return State(s.mine, s.theirs, self.step()[1] - s.mine, self.dice, 0)
        if self.first()[menu + 1] - first == 1:
            return self.with_aside(s, first)
        return State(s.mine, s.theirs, s.turn, s.dice, menu)

    def with_aside(self, s: State, option: int) -> State:
        left = s.dice - self.taken()[option]
        return State(s.mine, s.theirs, s.turn + self.steps()[option], left if left > 0 else self.dice, 0)

    def stage(self, s: State) -> int:
        """Both scores, regardless of which player has which: banked points only increase."""
        return (s.mine + s.theirs) * self.step()[1] + min(s.mine, s.theirs)

    def entries(self) -> Iterator[State]:
        """Beginnings of turns."""
        for mine in range(self.step()[1]):
            for theirs in range(self.step()[1]):
                yield State(mine, theirs, 0, self.dice, 0)

    payoff, win_probability, places = TenThousandRace.payoff, TenThousandRace.win_probability, TenThousandRace.places

    def show(self, s: State) -> str:
        mine, theirs, turn = (n * self.step()[0] for n in (s.mine, s.theirs, s.turn))
        scores = f"player to move has {mine} points, opponent {theirs}, {turn} in this turn"
        if s.menu == 0:
            return f"{scores}; {so_many(s.dice)} to roll"
        offers = ", ".join(f"{dice} for {points}" for dice, points in self.offers(s))
        return f"{scores}; {so_many(s.dice)} rolled, of which may be set aside: {offers}"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """Both scores, the dice to roll, and the points of the turn; a roll that leaves a choice is shown."""
        step, goal = self.step()[0], self.step()[1]
        yield race_bars(s.mine * step, s.theirs * step, s.turn * step, goal * step)
        if s.menu == 0:
            yield dice_to_roll(s.dice, "roll")
        else:
            yield {"kind": "facts", "label": f"{so_many(s.dice)} rolled, set aside", "facts": self.offers(s)}
        yield {"kind": "coins", "label": "bank: points of this turn", "coins": s.turn * step, "place": "bank"}

    def action_name(self, action: int) -> str:
        if action in (BANK, ROLL):
            return "bank" if action == BANK else "roll"
        return f"set {so_many(action - ASIDE + 1)} aside"


HouseRace.State = State
