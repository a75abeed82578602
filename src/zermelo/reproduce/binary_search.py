"""Published numbers about the binary search game."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb
from typing import Any

import zermelo
from zermelo.games import BinarySearch, GuessNumber
from zermelo.games.binary_search_families import FIRST
from zermelo.games.binary_search_players import against, gukovs_game, gukovs_trees, hardest, pays
from zermelo.games.search_trees import guesses
from zermelo.reproduce.claim import Bench, Claim, Tally, tally
from zermelo.solution import MixedSolution

POST = "Possibly Wrong, Analysis of adversarial binary search game"
REFERENCE = "this project's binary_search_game.json"
GUKOV = "Gukov, Steve Ballmer was wrong (README of ballmer_puzzle, 2024-09-06)"
BALLMER = 6  # dollars that Alice pays to play with n = 100
PUBLISHED = 13  # the n up to which all trees were enumerated

MIXTURE = (  # Bob's for n = 13, as printed: probability, tree in pre-order
    ("0.381579", "7 3 1 2 5 4 6 11 9 8 10 13 12"),
    ("0.131579", "8 4 2 1 3 6 5 7 12 10 9 11 13"),
    ("0.131579", "6 2 1 4 3 5 10 8 7 9 12 11 13"),
    ("0.0625", "9 4 1 2 3 6 5 8 7 12 10 11 13"),
    ("0.060855", "5 2 1 4 3 10 8 6 7 9 13 12 11"),
    ("0.055921", "9 4 2 1 3 6 5 8 7 12 10 11 13"),
    ("0.055921", "8 3 1 2 5 4 6 7 12 10 9 11 13"),
    ("0.055921", "5 2 1 4 3 10 8 6 7 9 12 11 13"),
    ("0.055099", "6 2 1 4 3 5 11 9 8 7 10 13 12"),
    ("0.003289", "9 5 2 1 4 3 7 6 8 12 10 11 13"),
    ("0.003289", "5 2 1 4 3 9 7 6 8 12 10 11 13"),
    ("0.001645", "5 2 1 4 3 10 7 6 9 8 13 12 11"),
    ("0.000822", "7 2 1 4 3 5 6 11 9 8 10 13 12"),
)
VALUES = {13: "485/152", 25: "251175/63263", 52: "265/54", 58: "254940390977/50627775548", 79: "456/83"}


@cache
def solved(n: int) -> MixedSolution:
    return zermelo.solve(BinarySearch(n))


def trees(n: int) -> int:
    """The number of search trees (Catalan)."""
    return comb(2 * n, n) // (n + 1)


def printed_mixture(bench: Bench) -> Tally:
    """Bob's payment for each number with the printed mixture: the value of the game for n = 13, up to its rounding."""
    pairs = []
    for number in range(1, PUBLISHED + 1):
        paid = sum(Fraction(p) * guesses(tuple(map(int, tree.split())))[number - 1] for p, tree in MIXTURE)
        off = abs(paid - solved(PUBLISHED).value)
        pairs.append((f"number {number}", "485/152", "485/152" if off < Fraction(1, 10**5) else str(float(paid))))
    return tally(pairs)


def fits(bench: Bench) -> str:
    """The n for which (2, 1, ..., 1, 2)/(n + 2) is optimal for Alice."""
    optimal = [n for n in range(1, PUBLISHED + 1) if FIRST.guarantees(n) == solved(n).value]
    return ", ".join(map(str, optimal))


def exact_values(bench: Bench) -> Tally:
    return tally([(f"n = {n}", text, str(solved(n).value)) for n, text in VALUES.items()])


def same_payoff(bench: Bench) -> Tally:
    """The mean payment of an optimal Bob against the numbers that are hardest for plain binary search: the value, for every n."""
    pairs = []
    for n in range(1, PUBLISHED + 1):
        paid = pays(n, {guesses(tree): p for tree, p in solved(n).column.items()})
        pairs.append((f"n = {n}", str(solved(n).value), str(against(hardest(n), paid))))
    return tally(pairs)


def claim(name: str, source: str, what: str, printed: str, compute: Any, right: str = "", why: str = "") -> Claim:
    return Claim(f"binary-search.{name}", "binary-search", source, what, printed, compute, right, why)


CLAIMS = (
    claim("trees", POST, "13 numbers: Bob's pure strategies", "742900", lambda bench: trees(13)),
    claim("digits", POST, "100 numbers: the power of ten nearest to their count", "57", lambda bench: len(str(trees(100)))),
    claim("mixture", POST, "13 numbers: what the printed mixture pays for each", "13 numbers", printed_mixture),
    claim("fits", POST, "n up to 13 that (2, 1, ..., 1, 2)/(n + 2) is optimal for", "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13",
          fits, "1, 2, 3, 4, 7, 8, 9, 10",
          "for the others Alice can do a little better: for n = 13 this mixture guarantees 47/15, the value is 485/152"),
    claim("values", REFERENCE, "the value for five n", "5 fractions", exact_values),
    claim("same-payoff", POST, "what an optimal Bob pays if a number that is hardest for plain search is hidden: the value",
          "13 values", same_payoff, why="but the best response to it pays less: 7/3 instead of 485/152 for n = 13"),
    claim("gukov-trees", f"{POST} (edit of 2024-09-09)", "100 numbers: trees of Gukov's Bob", "586", lambda bench: len(gukovs_trees(100))),
    claim("gukov", GUKOV, "what that Bob keeps of $6 (printed with 17 digits, of floats)", "0.1465703301",
          lambda bench: BALLMER - gukovs_game(100)[0].value),
    claim("ballmer", REFERENCE, "100 numbers, a stake of $6: Alice's return", "-10/51", lambda bench: solved(100).value - BALLMER),
    Claim("guess-number.100", "guess-number", REFERENCE, "100 numbers, a stake of $6: Alice's return by (2, 1, ..., 1, 2)", "-10/51",
          lambda bench: bench.solve(GuessNumber(100), exact=True).value - BALLMER),
)  # fmt: skip
