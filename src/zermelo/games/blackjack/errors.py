"""How far values in floats can be from the truth: bounds of the rounding in kernels/, for any shoe.

Every operation rounds by at most UNIT of its result. The bounds follow the computation (docs/blackjack.md has the argument):

- The dealer's probabilities are sums of products, none of them negative. Their relative errors are at most one UNIT for each successive
  operation.
- Standing is the difference of two sums of these. A hit or a doubled bet is a mean over the next card, which enlarges no error and adds its
  own rounding. The better of two options has the larger error of the two, plus TIE where options that close count as equal.
- Hands after a split are played by a given strategy. Their values at further cards gone are differences, (x - q y) / (1 - q), which enlarge
  errors by (1 + q) / (1 - q), for the q of the shoe.
- Squares follow the same computation with other payoffs. The mean product of two hands of a split pair is a sum over pairs of leaves
  (kernels/spread.py), whose weights are at most WEIGHTS in all: for each hand 2 for its win when it stands, 3 for its bet and the change
  by its second card, 1 for doubling.
- Where all cards are remembered, a hand's value and that of the hand to come after it are added up; nothing else is new.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np

from zermelo.games.blackjack.cards import RANKS
from zermelo.games.blackjack.dealer import UNIT, dealer_error
from zermelo.games.blackjack.hands import hands
from zermelo.games.blackjack.kernels.player import LEVELS, TIE
from zermelo.games.blackjack.plans import PAIR_RANKS, first_cards
from zermelo.games.blackjack.rules import Rules
from zermelo.games.blackjack.solving import FIRST_PAIR, PAIRS, RAISED
from zermelo.games.blackjack.splitting import another, further_pairs, patterns

MORE = 1.001  # for products of errors, and the rounding of the bounds themselves
STANDING = 11  # operations after the dealer's probabilities, of results up to 1
MOST = 2.0  # the most that a hand can win or lose
SUMMED = 64  # UNITs that a mean over the next card rounds by, of values up to MOST, from a shoe of three cards and more
DOUBLED = 42  # the same of values up to 1
DIVIDED = 8  # operations of (x - q y) / (1 - q)
DEALT = 250  # UNITs of the mean over first cards: some sixty operations, of values up to MOST times the hands of a pair
SQUARE = MOST * MOST  # the most that the square of a hand and the product of two can be
WEIGHTS = 36.0  # of all pairs of leaves, their signs left out
PAIRED = 16  # operations of a product, in addition to the probability of its cards
DIVISION = 100 * UNIT  # a hand's value given that the dealer has no blackjack, or before a look: two operations, of values up to 8


class Errors(NamedTuple):
    """Bounds of the errors of values that are not conditional on the dealer's having no blackjack."""

    dealer: float  # of a probability of the dealer
    hand: float  # of an option of a hand that is not split
    split: np.ndarray  # float64[10, 10] of splitting a pair of each rank, by up card
    by_up: np.ndarray  # float64[10] of the round given the up card
    round: float


@lru_cache(maxsize=256)
def errors(rules: Rules) -> Errors:
    """The bounds for checked rules, whether hands are played optimally or by a plan."""
    shoe, known = np.array(rules.cards, np.int64), hands()
    dealer = dealer_error(rules.hits_soft_17)
    stand = 2.0 * dealer + STANDING * UNIT
    double = RAISED * (stand + DOUBLED * UNIT)
    longest = longest_hand(shoe)
    hand = MORE * (double + TIE + longest * (SUMMED * UNIT + TIE))
    after = MORE * (double + (longest + 1) * SUMMED * UNIT)
    split = np.zeros((RANKS, RANKS))
    for rank, ups in _alike(rules, shoe):
        split[rank, ups] = _split(rules, shoe, rank, ups[0], after)
    chance = first_cards(shoe).chance
    of_pairs = [np.maximum(hand, split[rank]) if rank >= 0 else np.full(RANKS, hand) for rank in PAIR_RANKS]
    assert chance.shape == (PAIRS, RANKS) and len(known.counts) > FIRST_PAIR
    by_up = MORE * (np.where(chance > 0, chance * np.array(of_pairs), 0.0).sum(0) + DEALT * UNIT)
    return Errors(dealer, hand, split, by_up, float(MORE * (by_up @ shoe / shoe.sum() + DEALT * UNIT)))


def longest_hand(shoe: np.ndarray) -> int:
    """Cards of the longest hand that the shoe holds."""
    return int(hands().cards[(hands().counts <= shoe).all(1)].max())


def may_split(rules: Rules, shoe: np.ndarray, rank: int, up: int) -> bool:
    return bool(rules.most_hands(rank) > 1 and shoe[rank] >= 2 + (rank == up) and shoe[up])


def _alike(rules: Rules, shoe: np.ndarray) -> Iterator[tuple[int, list[int]]]:
    """Pairs that can be split, with the up cards that leave as many more of the pair's rank."""
    for rank in range(RANKS):
        for same in (False, True):
            ups = [up for up in range(RANKS) if (up == rank) == same and may_split(rules, shoe, rank, up)]
            if ups:
                yield rank, ups


def less(whole: float, part: float, q: float, size: float) -> float:
    """Of (x - q y) / (1 - q), from the errors of x and y; all three are at most `size`."""
    if q >= 1.0:
        return 0.0
    return (whole + q * part) / (1.0 - q) + size * (DIVIDED * UNIT / (1.0 - q) + 4.0 * UNIT / (1.0 - q) ** 2)


def _happening(most: int, chance: Callable[[int, int], float]) -> Iterator[tuple[int, int, int, float, float]]:
    """The patterns of a split pair that can happen, each with its probability and how steeply the latter's rounding counts. chance(a, b) :
    that the next card is of the pair's rank (splitting.py, `another`)."""
    for ways, pairs, others, still_open in patterns(most):
        probability, steep = float(ways), 1.0
        for j in range(pairs):
            probability *= chance(j, 0)
        for j in range(others):
            probability *= 1.0 - chance(pairs, j)
            steep = max(steep, 1.0 / max(1.0 - chance(pairs, j), UNIT))
        if probability > 0.0:
            yield pairs, others, still_open, probability, steep


def _split(rules: Rules, shoe: np.ndarray, rank: int, up: int, after: float, size: float = MOST) -> float:
    """Of splitting a pair, as kernels/splits.py does; 0 where it can't be split. size : the largest value of a hand."""
    if not may_split(rules, shoe, rank, up):
        return 0.0
    chance, most = partial(another, shoe, rank, up), rules.most_hands(rank)
    kinds = further_pairs(most)
    x = {(a, 0): after for a in range(kinds)}
    n = {(a, 0): less(after, after, chance(a, 0), size) for a in range(kinds)}
    for b in range(1, kinds):
        for a in range(kinds - b):
            x[a, b] = less(x[a, b - 1], x[a + 1, b - 1], chance(a, b - 1), size)
            n[a, b] = less(n[a, b - 1], n[a + 1, b - 1], chance(a, b), size)
    found = 0.0
    for pairs, others, still_open, probability, steep in _happening(most, chance):
        known = (others * n[pairs, others - 1] if others else 0.0) + (still_open * x[pairs, others] if still_open else 0.0)
        found += probability * (known + size * (others + still_open) * 20.0 * UNIT * steep)
    return MORE * found


# --- squares and products of hands, and perfect memory ------------------------------------------------------------------------


def deviation_error(rules: Rules, mean: float, square: float, leaves: Mapping[int, int]) -> float:
    """Of the standard deviation of a round, as spread.py finds it. leaves : of how many the hands of each split pair are a sum."""
    shoe = np.array(rules.cards, np.int64)
    stand, longest = 2.0 * dealer_error(rules.hits_soft_17) + STANDING * UNIT, longest_hand(shoe)
    tie = (LEVELS - 1) * (2.0 * stand + 4.0 * UNIT)  # each level from the one below
    decided = stand + tie + 2.0 * UNIT
    double = RAISED * RAISED * (tie + decided + (2 + DOUBLED) * UNIT)
    hand = MORE * (double + longest * SUMMED * UNIT * SQUARE / MOST)
    after = MORE * (hand + SUMMED * UNIT * SQUARE / MOST)
    by_up = np.zeros(RANKS)
    chance = first_cards(shoe).chance
    for pair, rank in enumerate(PAIR_RANKS):
        for up in range(RANKS):
            of_pair = hand
            if rank in leaves and may_split(rules, shoe, rank, up):
                rounding = SQUARE * (2 * 4 * longest + 2 * leaves[rank] + PAIRED) * UNIT
                product = WEIGHTS * (2.0 * (stand + decided + 2.0 * UNIT) + tie + rounding)
                single = _split(rules, shoe, rank, up, after, SQUARE)
                of_pair = max(hand, single + 2.0 * _products(rules, shoe, rank, up, MORE * product) + DEALT * UNIT)
            by_up[up] += chance[pair, up] * of_pair
    dealt = DEALT * UNIT * 8 * SQUARE / MOST  # four hands a pair instead of one, squared
    of_square = MORE * (float(by_up @ shoe / shoe.sum()) + 2.0 * dealt)
    of_mean = errors(rules).round
    variance, wide = square - mean * mean, of_square + (2.0 * abs(mean) + of_mean) * of_mean + 8.0 * UNIT * (square + mean * mean)
    middle, low = math.sqrt(max(variance, 0.0)), math.sqrt(max(variance - wide, 0.0))
    return MORE * max(math.sqrt(max(variance, 0.0) + wide) - middle, middle - low) + 4.0 * UNIT * middle


def _products(rules: Rules, shoe: np.ndarray, rank: int, up: int, product: float) -> float:
    """Of the sum over two different hands of a split pair of the mean of their product, from the error of one sum over leaves."""
    chance, most = partial(another, shoe, rank, up), rules.most_hands(rank)
    kinds = further_pairs(most)
    table: dict[tuple[int, int, int], float] = {}
    for a in range(kinds):
        other = 1.0 - chance(a, 0)
        both = other * (1.0 - chance(a, 1))
        table[0, a, 0] = 4.0 * product + 16.0 * SQUARE * UNIT
        table[1, a, 0] = (2.0 * product + 16.0 * SQUARE * UNIT) / other if other > 0 else 0.0
        table[2, a, 0] = (product + 16.0 * SQUARE * UNIT) / both if both > 0 else 0.0
    for b in range(1, kinds):
        for a in range(kinds - b):
            for closed in range(3):
                table[closed, a, b] = less(table[closed, a, b - 1], table[closed, a + 1, b - 1], chance(a, b - 1 + closed), SQUARE)
    found = 0.0
    for pairs, others, still_open, probability, steep in _happening(most, chance):
        two = others * (others - 1) / 2 * table[2, pairs, others - 2] if others > 1 else 0.0
        one = others * still_open * table[1, pairs, others - 1] if others and still_open else 0.0
        none = still_open * (still_open - 1) / 2 * table[0, pairs, others] if still_open > 1 else 0.0
        hands_in_all = others + still_open
        found += probability * (two + one + none + SQUARE * hands_in_all**2 * 20.0 * UNIT * steep)
    return MORE * found


def memory_error(rules: Rules) -> float:
    """Of a pair split once and played with full memory (memory.py), not conditional."""
    stand = 2.0 * dealer_error(rules.hits_soft_17) + STANDING * UNIT
    steps = 2 * (longest_hand(np.array(rules.cards, np.int64)) + 1)  # of both hands, one after the other
    return MORE * (2.0 * RAISED * stand + steps * 2.0 * SUMMED * UNIT)  # their sum is up to twice MOST
