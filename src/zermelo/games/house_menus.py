"""The scores of rolls of Ten Thousand, Zilch or Farkle by the rules of a house: menus, and in how many ways dice give each.

A menu gives, for each number of dice that can be set aside, the points that the best of them score. Points are counted in steps: the
largest number that divides every score.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import factorial, gcd, prod
from typing import Any, NamedTuple

from zermelo.basics.words import parameter_in_words

FACES = range(6)
DOUBLED, ADDED = "doubled", "added"
Counts = tuple[int, ...]  # of the faces 1 to 6
Menu = tuple[tuple[int, int], ...]  # (steps, dice) of what can be set aside, the most points first
Scoring = tuple[tuple[Counts, int], ...]  # dice that score together, and their points


class House(NamedTuple):
    """Rules of a house, read and checked."""

    dice: int
    scoring: Scoring
    back: frozenset[Counts] | None  # which of the scoring dice may be rolled again; None: any
    hot: bool  # dice that all score must all be set aside


class Menus(NamedTuple):
    """The tables that rules look up. Options of menu m are those from first[m] on; after the last menu their end follows."""

    step: int  # points
    steps: tuple[int, ...]  # of each option
    dice: tuple[int, ...]  # of each option
    first: tuple[int, ...]
    rolled: tuple[int, ...]  # menus that a roll gives; those of n dice from rolls[n] on
    ways: tuple[int, ...]
    rolls: tuple[int, ...]
    enough: int  # steps from which no roll gains anything on average, if what scores most is set aside


def in_words(game: Any) -> str:
    """The rules of a house by what differs from the usual ones."""
    changed = [parameter_in_words(n, v) for n, v in zip(game._fields, game, strict=True) if v != game._field_defaults[n]]
    return ", ".join(changed) or "usual scoring"


# --- reading the parameters -------------------------------------------------------------------------------------------


@cache
def house(dice: int, one: int, five: int, three: str, more: str, groups: tuple[int, ...], back: str, hot: bool) -> House:
    """Raises `ValueError` with a sentence where a text is not understood."""
    triples = numbers("three", three, "six numbers, for three 1s, three 2s, ..., three 6s", 6)
    kinds = (0, 0, 0) if more in ("none", DOUBLED, ADDED) else numbers("more", more, f"none, {DOUBLED}, {ADDED} or three numbers", 3)
    singles = [(only(0, 1), one), (only(4, 1), five)]
    alike = [(only(f, n), of_a_kind(triples[f], n, more, kinds)) for f in FACES for n in range(3, 7)]
    return House(dice, tuple((c, p) for c, p in (*singles, *alike, *together(*groups)) if p), taken_back(back), hot)


def numbers(name: str, text: str, what: str, count: int) -> tuple[int, ...]:
    parts = text.split(",")
    if len(parts) != count or not all(p.strip().isdecimal() and len(p.strip()) < 6 for p in parts):
        raise ValueError(f"{name} is {what} with commas between them, not {text!r}")
    return tuple(map(int, parts))


def of_a_kind(triple: int, n: int, more: str, kinds: tuple[int, ...]) -> int:
    """Points for n dice with the same number."""
    if n == 3 or more == ADDED:
        return triple * (n - 2)
    return triple * 2 ** (n - 3) if more == DOUBLED else kinds[n - 4]


def together(
    straight: int, small_straight: int, three_pairs: int, four_and_pair: int, two_triples: int, full_house: int
) -> Iterator[tuple[Counts, int]]:
    yield (1,) * 6, straight
    yield (1, 1, 1, 1, 1, 0), small_straight
    yield (0, 1, 1, 1, 1, 1), small_straight
    for a, b, c in combinations_with_replacement(FACES, 3):
        if a < b < c:
            yield tuple(2 * (f in (a, b, c)) for f in FACES), three_pairs
    for a, b in permutations(FACES, 2):
        yield tuple(4 * (f == a) + 2 * (f == b) for f in FACES), four_and_pair
        yield tuple(3 * (f == a) + 2 * (f == b) for f in FACES), full_house
        if a < b:
            yield tuple(3 * (f in (a, b)) for f in FACES), two_triples


def taken_back(text: str) -> frozenset[Counts] | None:
    if text in ("all", "none"):
        return None if text == "all" else frozenset()
    parts = text.split(",")
    if not all(part and set(part) <= set("123456") and len(part) <= 6 for part in parts):
        raise ValueError(f"back is all, none or dice such as 5,1,55,222 with commas between them, not {text!r}")
    return frozenset(tuple(part.count(str(face + 1)) for face in FACES) for part in parts)


def only(face: int, n: int) -> Counts:
    return tuple(n * (f == face) for f in FACES)


# --- menus ------------------------------------------------------------------------------------------------------------


def less(counts: Counts, used: Counts) -> Counts:
    return tuple(c - u for c, u in zip(counts, used, strict=True))


@cache
def set_aside(scoring: Scoring, counts: Counts) -> dict[Counts, int]:
    """The dice that can be set aside because all of them score, and the most points for them; nothing at all included."""
    found: dict[Counts, int] = {(0,) * 6: 0}
    for used, points in scoring:
        rest = less(counts, used)
        if min(rest) >= 0:
            for others, further in set_aside(scoring, rest).items():
                aside = tuple(u + o for u, o in zip(used, others, strict=True))
                found[aside] = max(found.get(aside, 0), points + further)
    return found


def menu(house: House, counts: Counts, step: int = 1) -> Menu:
    """For each number of dice that can be set aside, the most points, in steps; nothing where the roll does not score."""
    found = [(points // step, sum(aside), aside) for aside, points in set_aside(house.scoring, counts).items() if points]
    if not found:
        return ()
    whole = [(points, dice, aside) for points, dice, aside in found if aside == counts]
    most = max(found)  # what is set aside unless some of it is taken back
    if house.hot and whole:
        found = whole
    elif house.back is not None:
        found = [most, *(option for option in found if less(most[2], option[2]) in house.back)]
    best: dict[int, int] = {}
    for points, dice, _ in found:
        best[dice] = max(best.get(dice, 0), points)
    return tuple(sorted(((points, dice) for dice, points in best.items()), reverse=True))


@cache
def rolls(house: House, dice: int, step: int) -> dict[Menu, int]:
    """In how many ways this many dice give each menu."""
    found: dict[Menu, int] = {}
    for roll in combinations_with_replacement(FACES, dice):
        counts = tuple(roll.count(face) for face in FACES)
        options = menu(house, counts, step)
        found[options] = found.get(options, 0) + factorial(dice) // prod(map(factorial, counts))
    return dict(sorted(found.items()))


def enough(house: House, step: int) -> int:
    """The least score, in steps, at which no roll gains anything on average: a single 1 or 5 and the triples leave rolls that lose."""
    found = 1
    for n in range(1, house.dice + 1):
        gain = sum(ways * options[0][0] for options, ways in rolls(house, n, step).items() if options)
        found = max(found, -(-gain // rolls(house, n, step)[()]))
    return found


@cache
def menus(house: House) -> Menus:
    step = gcd(*(points for _, points in house.scoring)) or 1
    by_dice = [rolls(house, n, step) if n else {} for n in range(house.dice + 1)]
    every = sorted({m for ways in by_dice for m in ways})  # that of nothing comes first
    options = [option for m in every for option in m]
    first = tuple(sum(map(len, every[:k])) for k in range(len(every) + 1))
    number = {m: k for k, m in enumerate(every)}
    rolled = tuple(number[m] for ways in by_dice for m in ways)
    ways = tuple(n for found in by_dice for n in found.values())
    starts = tuple(sum(map(len, by_dice[:n])) for n in range(house.dice + 2))
    return Menus(step, tuple(p for p, _ in options), tuple(n for _, n in options), first, rolled, ways, starts, enough(house, step))
