"""The dealer: probabilities of every outcome for any shoe and up card."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import perm, prod
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.threads import threads
from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import ACE, EMPTY, NAMES, RANKS, TEN, Counts, hard_total, rank_of, total, with_card
from zermelo.games.blackjack.dealer_hands import TOTALS, dealer_hands
from zermelo.games.blackjack.draw_tree import draw_tree
from zermelo.games.blackjack.kernels import dealer as kernel
from zermelo.games.blackjack.kernels.lanes import AT_ONCE
from zermelo.games.blackjack.rules import MOST_OF_A_RANK, check_shoe
from zermelo.games.blackjack.threads import pool

Tree = tuple[np.ndarray, ...]


@cache
def tree_tables(hits_soft_17: bool) -> Tree:
    """The tree of draws and the multipliers as arrays, for kernels/dealer.py.

    parent, factor : of each hand except the root, which is row 0; hand v is row v + 1
    rows, multipliers : of all sums, of 17 for an ace, 17 for a 2, ..., 21 for a 10; begin : where each sum begins, and the end
    rank, before, position : of each factor
    """
    tree, multipliers = draw_tree(hits_soft_17), dealer_hands(hits_soft_17).multipliers
    hands = sorted(tree.hands, key=lambda hand: (sum(hand), hand))
    row = {hand: i for i, hand in enumerate([EMPTY, *hands])}
    factor_of = dict(zip(tree.hands, tree.factors, strict=True))
    factors = sorted(set(tree.factors))
    parent = [row[with_card(hand, factor_of[hand].rank, -1)] for hand in hands]
    terms: dict[tuple[int, int], list[tuple[int, int]]] = {(t, u): [] for t in TOTALS for u in range(RANKS)}
    for hand in hands:
        for up, m in multipliers.get(hand, {}).items():
            terms[total(hand).points, up].append((row[hand], m))
    begin = [0]
    for of_sum in terms.values():
        of_sum += [(0, 0)] * (-len(of_sum) % AT_ONCE)
        begin.append(begin[-1] + len(of_sum))
    every = [term for of_sum in terms.values() for term in of_sum]
    return (
        np.array(parent, np.uint16),
        np.array([factors.index(factor_of[hand]) for hand in hands], np.uint8),
        np.array([r for r, _ in every], np.uint16),
        np.array([m for _, m in every], np.float64),
        np.array(begin, np.int64),
        *(np.array(column, np.int64) for column in zip(*factors, strict=True)),
    )


# --- outcomes ---------------------------------------------------------------------------------------------------------

BUST, BLACKJACK = 5, 6  # columns of `dealer_outcomes`, after the totals
COLUMNS = 7


class Outcomes(NamedTuple):
    """How the dealer ends. Probabilities; with `conditional` given that there is no blackjack."""

    up: str
    totals: dict[int, float | Fraction]  # 17 to 21
    bust: float | Fraction
    blackjack: float | Fraction
    conditional: bool
    error: float = 0.0  # how far each of them can be from the truth, at most; 0 for fractions


UNIT = 2.0**-53  # the relative rounding error of an operation, at most


def dealer_error(hits_soft_17: bool) -> float:
    """A bound of the errors of the dealer's probabilities in floats, which are sums of products, none of them negative.

    Three operations a card, the terms of a sum in AT_ONCE parts, the scale; and what is added up for a bust.
    """
    terms = int(np.diff(tree_tables(hits_soft_17)[4]).max())
    return 1.001 * (3 * kernel.DEEPEST + terms / AT_ONCE + AT_ONCE + 12) * UNIT


def outcomes(
    shoe: Any, up: str | int, hits_soft_17: bool = False, conditional: bool = False, exact: bool = False
) -> Outcomes:
    """The dealer's outcomes for one shoe, the up card still in it, and one up card.

    shoe : ten counts, for A, 2, ..., 9 and 10. conditional : given no blackjack, as after a look; otherwise before it.
    """
    cards, rank = _finishing(check_shoe(shoe)), rank_of(up, "the up card")
    if not cards[rank]:
        raise ParameterError(f"the up card {NAMES[rank]} is not in the shoe")
    found = _exactly(cards, rank, hits_soft_17) if exact else dealer_outcomes([cards], hits_soft_17)[0, rank].tolist()
    clear = 1 - found[BLACKJACK]
    if conditional:
        if not clear:
            raise ParameterError(f"with {NAMES[rank]} up the dealer has a blackjack for certain")
        found = [p / clear for p in found[:BLACKJACK]] + [found[BLACKJACK] * 0]
    error = 0.0 if exact else (dealer_error(hits_soft_17) + 4 * UNIT) / (float(clear) if conditional else 1.0)
    return Outcomes(NAMES[rank], dict(zip(TOTALS, found, strict=False)), found[BUST], found[BLACKJACK], conditional, error)


def dealer_outcomes(shoes: Any, hits_soft_17: bool = False) -> np.ndarray:
    """The dealer's outcomes for many shoes and all up cards : float64[shoes, 10 up cards, 7].

    shoes : whole numbers [shoes, 10], the up card still in them. Columns: 17, 18, 19, 20, 21, bust, blackjack; before any look.
    Rows of up cards that a shoe does not have are nan. About half a microsecond a shoe and core.
    """
    array = array_of(shoes)
    if array.size and (array.min() < 0 or array.max() > MOST_OF_A_RANK):
        raise ParameterError(f"shoes: counts must be whole numbers from 0 to {MOST_OF_A_RANK}")
    short = np.flatnonzero(array @ np.arange(1, RANKS + 1) < LEAST)
    if len(short):
        _finishing(tuple(array[short[0]].tolist()), f"shoes[{short[0]}]")
    given = array.astype(np.int16)
    totals = np.empty((len(given), len(TOTALS), RANKS))
    tree = tree_tables(hits_soft_17)

    def part(numbers: np.ndarray) -> None:
        if len(numbers):
            begin, end = int(numbers[0]), int(numbers[-1]) + 1
            kernel.outcomes(tree, given, begin, end, totals[begin:end])

    pieces = threads() if len(given) >= 256 else 1
    list((pool().map if pieces > 1 else map)(part, np.array_split(np.arange(len(given)), pieces)))
    found = np.empty((len(given), RANKS, COLUMNS))
    found[:, :, : len(TOTALS)] = totals.transpose(0, 2, 1)
    found[:, :, BLACKJACK] = 0.0
    unseen = np.maximum(given.sum(1) - 1.0, 1.0)
    found[:, ACE, BLACKJACK], found[:, TEN, BLACKJACK] = given[:, TEN] / unseen, given[:, ACE] / unseen
    found[:, :, BUST] = np.maximum(1.0 - found[:, :, : len(TOTALS)].sum(2) - found[:, :, BLACKJACK], 0.0)
    found[given == 0] = np.nan
    return found


def array_of(shoes: Any) -> np.ndarray:
    """Many shoes as whole numbers [shoes, 10]. Raises `ParameterError` for anything else; the counts are not looked at."""
    try:
        array = np.asarray(shoes)
    except ValueError:  # rows of different lengths
        array = np.empty(0)
    if array.ndim != 2 or array.shape[1] != RANKS or array.dtype.kind not in "iu":
        raise ParameterError("shoes must be an array of whole numbers with ten columns, for A, 2, ..., 9 and 10")
    return array


LEAST = 17  # points (aces as 1) that a shoe needs so that the dealer always reaches a total


def _finishing(shoe: Counts, name: str = "shoe") -> Counts:
    if hard_total(shoe) < LEAST:
        raise ParameterError(
            f"{name}: with {hard_total(shoe)} points (aces as 1), less than {LEAST}, the dealer could run out of cards"
        )
    return shoe


def _exactly(shoe: Counts, up: int, hits_soft_17: bool) -> list[Fraction]:
    """The seven probabilities as fractions, by the sum over all of the dealer's hands."""
    cards = sum(shoe)
    orders = [[0] * (cards + 1) for _ in range(COLUMNS)]  # in which cards come, by what the dealer gets and how many there are
    for hand, of_hand in dealer_hands(hits_soft_17).multipliers.items():
        if up in of_hand and all(a <= b for a, b in zip(hand, shoe, strict=True)):
            orders[total(hand).points - 17][sum(hand)] += of_hand[up] * prod(map(perm, shoe, hand))
    found = [
        sum((Fraction(ways * cards, perm(cards, n) * shoe[up]) for n, ways in enumerate(of_total) if ways), Fraction(0))
        for of_total in orders
    ]
    other = {ACE: TEN, TEN: ACE}.get(up)
    found[BLACKJACK] = Fraction(shoe[other], cards - 1) if other is not None else Fraction(0)
    found[BUST] = 1 - sum(found[: len(TOTALS)], found[BLACKJACK])
    return found
