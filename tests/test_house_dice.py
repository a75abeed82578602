"""Farkle by house rules (examples/house_dice.py): the paper's figures, and dice set aside one by one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from pathlib import Path

import pytest

import zermelo

sys.path.append(str(Path(__file__).parents[1] / "examples"))

import house_dice
from house_dice import ENOUGH, HOUSES, MOST_DICE, NAMES, Turn

from zermelo.games import TenThousand

Roll = tuple[int, ...]


@cache
def worth(name: str, roll: Roll) -> int:
    """The most chips for dice that are all set aside, sorted; 0 if some of them do not score."""
    house, found = HOUSES[name], 0
    for size in range(1, len(roll) + 1):
        for others in combinations(roll[1:], size - 1):
            group, rest = (roll[0], *others), list(roll)
            for die in group:
                rest.remove(die)
            chips = one_combination(house, group)
            if chips and (not rest or worth(name, tuple(rest))):
                found = max(found, chips + (worth(name, tuple(rest)) if rest else 0))
    return found


def one_combination(house: house_dice.House, group: Roll) -> int:
    """Chips for sorted dice as one combination."""
    faces, size, pairs = set(group), len(group), 0
    if size == 1:
        return {1: house.one, 5: house.five}.get(group[0], 0)
    if size == 6 and len(faces) == 3 and all(group.count(face) == 2 for face in faces):
        pairs = house.three_pairs
    if size == 6 and len(faces) == 6:
        return house.straight
    if group in ((1, 2, 3, 4, 5), (2, 3, 4, 5, 6)):
        return house.small_straight
    if len(faces) == 1 and size >= 3:
        if house.kinds and size > 3:
            return house.kinds[size - 4]
        return house.triples[group[0] - 1] * 2 ** (size - 3) if size == 3 or house.doubled else 0
    return pairs


def rolled(dice: int) -> Iterator[tuple[Roll, int]]:
    for roll in combinations_with_replacement(range(1, 7), dice):
        yield roll, factorial(dice) // prod(factorial(roll.count(face)) for face in range(1, 7))


def choices(name: str, roll: Roll) -> set[tuple[int, int]]:
    """(chips, dice) of all ways to set dice aside."""
    parts = {part for size in range(1, len(roll) + 1) for part in combinations(roll, size)}
    found = {(worth(name, part), len(part)) for part in parts if worth(name, part)}
    whole = {choice for choice in found if choice[1] == len(roll)}
    return whole if HOUSES[name].hot_dice_stay and whole else found


def turn(name: str, dice: int, entry: int) -> Fraction:
    """The value of a turn, from the definition."""
    end = max(ENOUGH[NAMES.index(name) * (MOST_DICE + 1) + dice], entry)
    found = {n: [(ways, choices(name, roll)) for roll, ways in rolled(n)] for n in range(1, dice + 1)}

    @cache
    def value(score: int, left: int) -> Fraction:
        stopped = Fraction(score if score >= entry else 0)
        if score >= end:
            return stopped
        going = sum(ways * max((value(score + c, left - n or dice) for c, n in some), default=Fraction(0)) for ways, some in found[left])
        return max(stopped, Fraction(going) / 6**left)

    return value(0, dice)


@pytest.mark.parametrize("name", NAMES)
def test_menus_are_all_ways_to_set_dice_aside(name: str) -> None:
    for dice in range(1, MOST_DICE + 1):
        for roll, _ in rolled(dice):
            found = choices(name, roll)
            best = {n: max(c for c, m in found if m == n) for _, n in found}
            assert {n: c for c, n in house_dice.menu(name, tuple(roll.count(f) for f in range(1, 7)))} == best, roll


@pytest.mark.parametrize(("name", "dice", "entry"), [(n, 3, 0) for n in NAMES] + [("plain", 4, 0), ("plain", 3, 9), ("everything", 4, 4)])
def test_turns_are_worth_what_the_definition_says(name: str, dice: int, entry: int) -> None:
    assert zermelo.solve(Turn(name, dice, entry), exact=True).value == turn(name, dice, entry)


def test_the_turn_of_the_paper() -> None:
    """Crocce and Mordecki 2014, Table 4: 5.5763262782 if dice are never taken back, 5.8720189185 otherwise; other states, same value."""
    never = zermelo.solve(Turn("paper", 5, 0, take_back=False))
    best = zermelo.solve(Turn("paper", 5))
    assert f"{never.value:.10f} {best.value:.10f}" == "5.5763262782 5.8720189185"
    assert best.low <= zermelo.solve(TenThousand()).high and zermelo.solve(TenThousand()).low <= best.high


@pytest.mark.slow
def test_five_dice_by_the_definition() -> None:
    solution = zermelo.solve(Turn("straights", 5))
    assert solution.low <= float(turn("straights", 5, 0)) <= solution.high + 1e-12


def test_the_figures_of_the_docs() -> None:
    """Six dice, and an entry of 500 points."""
    assert f"{zermelo.solve(Turn('plain', 6)).value:.8f} {zermelo.solve(Turn('plain', 6, 10)).value:.8f}" == "8.93142881 8.13598520"
