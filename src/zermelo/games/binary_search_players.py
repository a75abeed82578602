"""Proposed ways to play the binary search game, alongside optimal ones: the exact value of each against each.

Hiding: every number equally likely; every number equally likely among those that take plain binary search the most guesses (Ballmer's
hint, "numbers specifically that are hard for you to get"); the closed form of binary_search_families.py. Searching: always the middle,
or Gukov's mixture.

Gukov 2024 ("Steve Ballmer was wrong") proved that $6 is too much for 100 numbers by solving the game for a Bob who may use only some
trees. These start with any first guess and then follow one of six rules: the middle, taking the left or the right one of two middles; the
complete tree that leans to the left, to the right, or away from the middle of all numbers; or number after number from the ends. For 100
numbers these are 586 different trees, and Bob keeps 14.657 cents of the $6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.basics.words import counted
from zermelo.games.binary_search_families import FIRST
from zermelo.games.search_trees import Depths, balanced, by_rule, guesses, optimal
from zermelo.solution import MatrixSolution, MixedSolution
from zermelo.views.slices import NO_FIX, Fix
from zermelo.views.table import Cell, Table

Hiding = Mapping[int, Fraction]  # probabilities of the numbers
Paid = list[Fraction]  # guesses for each number, on average

MOST = 256  # numbers, for Gukov's matrix to be solved in rationals in seconds; beyond, his Bob is left out


def uniform(n: int) -> Hiding:
    """Every number equally likely."""
    return {number: Fraction(1, n) for number in range(1, n + 1)}


def hardest(n: int) -> Hiding:
    """Every number equally likely among those for which plain binary search needs the most guesses."""
    depths = balanced(n)
    hard = [number for number, depth in enumerate(depths, 1) if depth == max(depths)]
    return {number: Fraction(1, len(hard)) for number in hard}


def closed_form(n: int) -> Hiding:
    """(2, 1, ..., 1, 2) / (n + 2)."""
    weights = FIRST.weights(n)
    return {number: Fraction(weight, sum(weights)) for number, weight in enumerate(weights, 1)}


def gukovs_trees(n: int) -> list[Depths]:
    """The search trees that Gukov's Bob may use, without repetition."""
    found = {guesses(by_rule(n, rule, first)): None for rule in _rules(n) for first in range(1, n + 1)}
    found |= {(*range(2, first + 1), 1, *range(n - first + 1, 1, -1)): None for first in range(1, n + 1)}
    return list(found)


def _rules(n: int) -> Iterator[Callable[[int, int], int]]:
    """The next guess if the number lies in least..most."""

    def complete(least: int, most: int) -> int:
        """The size of the left part of a tree that leans to the left, its root included: a power of 2, if there are that many."""
        return 2 ** ((most - least + 1).bit_length() - 1)

    def leaning_left(least: int, most: int) -> int:
        return min(least + complete(least, most) - 1, most)

    def leaning_right(least: int, most: int) -> int:
        return max(most - complete(least, most) + 1, least)

    yield lambda least, most: (least + most) // 2
    yield lambda least, most: (least + most + 1) // 2
    yield leaning_left
    yield leaning_right
    yield lambda least, most: (leaning_left if least + most > n + 2 else leaning_right)(least, most)


def gukovs_game(n: int) -> tuple[MatrixSolution, list[Depths]]:
    """The game in which Bob may use only Gukov's trees, solved, and the trees, its columns."""
    import zermelo

    trees = gukovs_trees(n)
    return zermelo.matrix_game([[tree[number] for tree in trees] for number in range(n)]), trees


def pays(n: int, trees: Mapping[Depths, Fraction]) -> Paid:
    """The average payment of a mixture of trees for each number."""
    return [sum((p * tree[number] for tree, p in trees.items()), Fraction(0)) for number in range(n)]


def against(hiding: Hiding, paid: Paid) -> Fraction:
    """The average payment of a search."""
    return sum((p * paid[number - 1] for number, p in hiding.items()), Fraction(0))


def least(n: int, hiding: Hiding) -> Fraction:
    """The payment of the best response to a way of hiding."""
    common = lcm(*(p.denominator for p in hiding.values()))
    return Fraction(int(optimal([int(hiding.get(number, 0) * common) for number in range(1, n + 1)])[0]), common)


def players(solution: MixedSolution, fix: Fix = NO_FIX) -> Table:
    """What Bob pays on average, for ways to hide (rows) and to search (columns)."""
    n = solution.game.n
    hidings: dict[str, Hiding] = {
        "any number alike": uniform(n),
        "those alike that are hardest for plain search": hardest(n),
        "(2, 1, ..., 1, 2)/(n + 2)": closed_form(n),
    }
    searches: dict[str, Paid] = {"always the middle": pays(n, {balanced(n): Fraction(1)})}
    data: dict[str, Any] = {}
    told = f"Gukov's trees are left out: for more than {MOST} numbers his game takes long"
    if n <= MOST:
        gukov, trees = gukovs_game(n)
        hidings["best against Gukov's trees"] = {row + 1: p for row, p in gukov.policy(0).items()}
        searches["Gukov's mixture"] = pays(n, {trees[column]: p for column, p in gukov.policy(1).items()})
        data = {"trees of Gukov": len(trees)}
        mixed = len(gukov.policy(1))
        told = f"Gukov 2024: {counted(len(trees), 'tree')}, of which Bob mixes {mixed}; optimal and Gukov's mixtures are not the only ones"
    hidings["optimal"] = solution.row
    searches["optimal"] = pays(n, {guesses(tree): p for tree, p in solution.column.items()})
    exact = {name: [*(against(hiding, paid) for paid in searches.values()), least(n, hiding)] for name, hiding in hidings.items()}
    most = [max(paid) for paid in searches.values()]
    rows: list[tuple[Cell, ...]] = [(name, *map(float, line)) for name, line in exact.items()]
    rows.append(("best response: the costliest number", *map(float, most), None))
    notes = (
        "dollars that Bob pays Alice on average; optimal play of both: " + in_full(solution.value),
        told,
    )
    data = {"exact": exact, "best reply to searches": most, **data}
    title = f"Binary search with {counted(n, 'number')}: what should I play?"
    return Table(title, ("Alice hides \\ Bob guesses", *searches, "best response"), tuple(rows), notes, decimals=6, data=data)


def first_guesses(solution: MixedSolution, fix: Fix = NO_FIX) -> Table:
    """How often Bob's optimal mixture begins with each number."""
    found: dict[int, Fraction] = {}
    for tree, probability in solution.column.items():
        found[tree[0]] = found.get(tree[0], Fraction(0)) + probability
    likeliest = max(found.values())
    rows = tuple((guess, float(p), "█" * round(40 * p / likeliest)) for guess, p in sorted(found.items()))
    notes = (f"{len(rows)} first guesses, {len(solution.column)} trees; other optimal mixtures may have others",)
    title = f"Binary search with {counted(solution.game.n, 'number')}: Bob's first guess"
    return Table(title, ("first guess", "probability", ""), rows, notes, decimals=9, data={"probabilities": found})
