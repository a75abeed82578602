"""One turn of Farkle, Ten Thousand or Zilch by the rules of a house: straights, pairs, many of a kind, an entry.

Write your own house into `HOUSES`. Points are counted in chips of 50. Of a roll all that matters is which numbers of dice can be set
aside, and what the best of them score: its menu. Tables of menus are made when this file is read; the rules only look them up.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Annotated, NamedTuple

MOST_DICE = 6
STOP, ROLL, TAKE = range(3)  # TAKE + k: set aside option k of the menu


class House(NamedTuple):
    """What scores, in chips."""

    one: int = 2  # a single 1
    five: int = 1  # a single 5
    triples: tuple[int, ...] = (20, 4, 6, 8, 10, 12)  # three 1s, 2s, ..., 6s
    doubled: bool = False  # four of a kind twice as much as three, five four times, six eight times
    kinds: tuple[int, ...] = ()  # or four, five and six of a kind, of any number
    straight: int = 0  # 1-2-3-4-5-6
    small_straight: int = 0  # 1-2-3-4-5 or 2-3-4-5-6
    three_pairs: int = 0
    hot_dice_stay: bool = False  # dice that can all be set aside must be


HOUSES = {
    "paper": House(hot_dice_stay=True),  # Crocce and Mordecki 2014
    "plain": House(),
    "doubled": House(doubled=True),
    "straights": House(straight=30, small_straight=15, three_pairs=15),
    "everything": House(kinds=(20, 40, 60), straight=30, three_pairs=30),
}
NAMES = tuple(HOUSES)
Counts = tuple[int, ...]  # of the faces 1 to 6
Menu = tuple[tuple[int, int], ...]  # (chips, dice) of what can be set aside, the most chips first


def combinations(house: House) -> Iterator[tuple[Counts, int]]:
    """What scores, and how many chips."""
    for face in range(6):
        if single := {0: house.one, 4: house.five}.get(face, 0):
            yield tuple(int(f == face) for f in range(6)), single
        for many in range(3, 7):
            chips = house.triples[face] * (2 ** (many - 3) if house.doubled else 1) if many == 3 or house.doubled else 0
            if many > 3 and house.kinds:
                chips = house.kinds[many - 4]
            if chips:
                yield tuple(many * (f == face) for f in range(6)), chips
    if house.straight:
        yield (1,) * 6, house.straight
    if house.small_straight:
        yield from (((1, 1, 1, 1, 1, 0), house.small_straight), ((0, 1, 1, 1, 1, 1), house.small_straight))
    if house.three_pairs:
        for counts in combinations_with_replacement(range(6), 3):
            if len(set(counts)) == 3:
                yield tuple(2 * (f in counts) for f in range(6)), house.three_pairs


@cache
def set_aside(name: str, counts: Counts) -> frozenset[tuple[int, int]]:
    """(chips, dice) of every way to set dice aside that all score, nothing at all included."""
    found = {(0, 0)}
    for used, chips in combinations(HOUSES[name]):
        if all(u <= c for u, c in zip(used, counts, strict=True)):
            rest = set_aside(name, tuple(c - u for u, c in zip(used, counts, strict=True)))
            found |= {(chips + more, sum(used) + dice) for more, dice in rest}
    return frozenset(found)


def menu(name: str, counts: Counts) -> Menu:
    """For each number of dice that can be set aside the most chips; nothing where the roll does not score."""
    best: dict[int, int] = {}
    for chips, dice in set_aside(name, counts):
        if dice:
            best[dice] = max(best.get(dice, 0), chips)
    if HOUSES[name].hot_dice_stay and sum(counts) in best:
        best = {sum(counts): best[sum(counts)]}
    return tuple(sorted(((chips, dice) for dice, chips in best.items()), key=lambda option: (-option[0], -option[1])))


@cache
def rolls(name: str, dice: int) -> dict[Menu, int]:
    """In how many ways so many dice give each menu."""
    found: dict[Menu, int] = {}
    for roll in combinations_with_replacement(range(1, 7), dice):
        counts = tuple(roll.count(face) for face in range(1, 7))
        ways = factorial(dice) // prod(map(factorial, counts))
        found[menu(name, counts)] = found.get(menu(name, counts), 0) + ways
    return dict(sorted(found.items()))


def enough(name: str, dice: int) -> int:
    """The least score at which no roll gains anything on average, if all that scores most is set aside."""
    found = 1
    for n in range(1, dice + 1):
        gain = sum(ways * options[0][0] for options, ways in rolls(name, n).items() if options)
        found = max(found, -(-gain // rolls(name, n).get((), 1)))
    return found


MENUS = tuple(sorted({m for name in NAMES for n in range(1, MOST_DICE + 1) for m in rolls(name, n)}))  # that of nothing comes first
CHIPS = tuple(chips for m in MENUS for chips, _ in m)
DICE = tuple(dice for m in MENUS for _, dice in m)
OPTIONS_FROM = tuple(sum(map(len, MENUS[:k])) for k in range(len(MENUS) + 1))
ROLLED = tuple(MENUS.index(m) for name in NAMES for n in range(MOST_DICE + 1) for m in rolls(name, n))
WAYS = tuple(ways for name in NAMES for n in range(MOST_DICE + 1) for ways in rolls(name, n).values())
SIZES = tuple(len(rolls(name, n)) for name in NAMES for n in range(MOST_DICE + 1))
ROLLS_FROM = tuple(sum(SIZES[:k]) for k in range(len(SIZES) + 1))  # at house * (MOST_DICE + 1) + dice
ENOUGH = tuple(enough(name, n) for name in NAMES for n in range(MOST_DICE + 1))


class State(NamedTuple):
    score: int  # chips set aside in this turn
    dice: int  # dice just rolled, while there is a choice; else dice to roll next; 0: the turn is over
    menu: int  # number in MENUS, while there is a choice; else 0


class Turn(NamedTuple):
    """Roll, set aside dice that score, roll the rest or stop to bank the chips of the turn. A roll without score loses them.

    If all dice have been set aside, all are rolled anew. Chips are banked from `entry` on only. From a score at which no roll gains
    anything on average one stops, which is proven for every score.
    """

    house: Annotated[str, "what scores: a name of HOUSES in this file", NAMES] = "everything"
    dice: Annotated[int, "dice", range(1, MOST_DICE + 1)] = 6
    entry: Annotated[int, "chips that a turn must have to be banked", range(201)] = 0
    take_back: Annotated[bool, "dice that score may be left and rolled again"] = True

    def start(self) -> State:
        return State(0, self.dice, 0)

    def at(self, dice: int) -> int:
        """Where ENOUGH and ROLLS_FROM have so many dice."""
        found = 0
        for k in range(len(NAMES)):
            if NAMES[k] == self.house:
                found = k
        return found * (MOST_DICE + 1) + dice

    def actions(self, s: State) -> Iterator[int]:
        if s.dice > 0:
            if self.chips(s) > 0 and self.chips(s) >= self.entry:
                yield STOP
            if s.menu == 0:
                yield ROLL
            else:
                for k in range(OPTIONS_FROM[s.menu + 1] - OPTIONS_FROM[s.menu]):
                    yield TAKE + k

    def chips(self, s: State) -> int:
        """What may be banked: of the last roll the best option."""
        return s.score if s.menu == 0 else s.score + CHIPS[OPTIONS_FROM[s.menu]]

    def settled(self, s: State) -> bool:
        return s.score >= max(ENOUGH[self.at(self.dice)], self.entry)

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == STOP:
            yield 1, self.chips(s), State(0, 0, 0)
        elif action == ROLL:
            for k in range(ROLLS_FROM[self.at(s.dice)], ROLLS_FROM[self.at(s.dice) + 1]):
                yield WAYS[k], 0, self.after(s, ROLLED[k])
        else:
            yield 1, 0, self.with_aside(s.score, s.dice, OPTIONS_FROM[s.menu] + action - TAKE)

    def after(self, s: State, rolled: int) -> State:
        """The state after a roll with this menu."""
        first = OPTIONS_FROM[rolled]
        options = OPTIONS_FROM[rolled + 1] - first
        if options == 0:
            return State(0, 0, 0)
        if options == 1 or not self.take_back:
            return self.with_aside(s.score, s.dice, first)
        return State(s.score, s.dice, rolled)

    def with_aside(self, score: int, dice: int, option: int) -> State:
        left = dice - DICE[option]
        return State(score + CHIPS[option], left if left > 0 else self.dice, 0)

    def show(self, s: State) -> str:
        if s.menu == 0:
            return f"{s.score} chips, {s.dice} dice to roll" if s.dice else "the turn is over"
        offers = ", ".join(f"{dice} dice for {chips}" for chips, dice in MENUS[s.menu])
        return f"{s.score} chips, {s.dice} dice rolled, of which may be set aside: {offers}"

    def action_name(self, action: int) -> str:
        return "stop" if action == STOP else "roll" if action == ROLL else f"set aside option {action - TAKE + 1}"
