"""How far values in floats can be from the truth: bounds of the rounding in kernels/, for any shoe.

Every operation rounds by at most UNIT of its result. The bounds follow the computation (docs/blackjack.md has the argument):

- The dealer's probabilities are sums of products, none of them negative: their relative errors are as many UNITs as operations one after
  the other.
- Standing is what two sums of these leave; a hit or a doubled bet is a mean over the next card, which enlarges no error and rounds anew;
  the better of two options is as far off as the worse known one, and by TIE where options so near count as equal.
- Hands after a split are played by a given strategy. Their values at further cards gone are differences, (x - q y) / (1 - q), which enlarge
  errors by (1 + q) / (1 - q), for the q of the shoe.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from zermelo.games.blackjack.cards import RANKS
from zermelo.games.blackjack.dealer import UNIT, dealer_error
from zermelo.games.blackjack.hands import hands
from zermelo.games.blackjack.kernels.player import TIE
from zermelo.games.blackjack.plans import PAIR_RANKS, first_cards
from zermelo.games.blackjack.rules import Rules
from zermelo.games.blackjack.solving import FIRST_PAIR, PAIRS, RAISED
from zermelo.games.blackjack.splitting import further_pairs, patterns

MORE = 1.001  # for products of errors, and the rounding of the bounds themselves
STANDING = 11  # operations after the dealer's probabilities, of results up to 1
MOST = 2.0  # what a hand can win or lose
SUMMED = 64  # UNITs that a mean over the next card rounds by, of values up to MOST, from a shoe of three cards and more
DOUBLED = 42  # the same of values up to 1
DIVIDED = 8  # operations of (x - q y) / (1 - q)
DEALT = 250  # UNITs of the mean over first cards: some sixty operations, of values up to MOST times the hands of a pair
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
    longest = int(known.cards[(known.counts <= shoe).all(1)].max())
    hand = MORE * (double + TIE + longest * (SUMMED * UNIT + TIE))
    after = MORE * (double + (longest + 1) * SUMMED * UNIT)
    split = np.array([[_split(rules, shoe, rank, up, after) for up in range(RANKS)] for rank in range(RANKS)])
    chance = first_cards(shoe).chance
    of_pairs = [np.maximum(hand, split[rank]) if rank >= 0 else np.full(RANKS, hand) for rank in PAIR_RANKS]
    assert chance.shape == (PAIRS, RANKS) and len(known.counts) > FIRST_PAIR
    by_up = MORE * (np.where(chance > 0, chance * np.array(of_pairs), 0.0).sum(0) + DEALT * UNIT)
    return Errors(dealer, hand, split, by_up, float(MORE * (by_up @ shoe / shoe.sum() + DEALT * UNIT)))


def _split(rules: Rules, shoe: np.ndarray, rank: int, up: int, after: float) -> float:
    """Of splitting a pair, as kernels/splits.py does; 0 where it can't be split."""
    most = rules.most_hands(rank)
    if most < 2 or shoe[rank] < 2 + (rank == up) or not shoe[up]:
        return 0.0

    def chance(a: int, b: int) -> float:
        cards, of_rank = shoe.sum() - 3 - a - b, shoe[rank] - 2 - a - (up == rank)
        return float(of_rank / cards) if of_rank > 0 and cards > 0 else 0.0

    def less(whole: float, part: float, q: float) -> float:
        if q >= 1.0:
            return 0.0
        return (whole + q * part) / (1.0 - q) + MOST * (DIVIDED * UNIT / (1.0 - q) + 4.0 * UNIT / (1.0 - q) ** 2)

    kinds = further_pairs(most)
    x = {(a, 0): after for a in range(kinds)}
    n = {(a, 0): less(after, after, chance(a, 0)) for a in range(kinds)}
    for b in range(1, kinds):
        for a in range(kinds - b):
            x[a, b] = less(x[a, b - 1], x[a + 1, b - 1], chance(a, b - 1))
            n[a, b] = less(n[a, b - 1], n[a + 1, b - 1], chance(a, b))
    found = 0.0
    for ways, pairs, others, still_open in patterns(most):
        probability, steep = float(ways), 1.0
        for j in range(pairs):
            probability *= chance(j, 0)
        for j in range(others):
            probability *= 1.0 - chance(pairs, j)
            steep = max(steep, 1.0 / max(1.0 - chance(pairs, j), UNIT))
        if probability > 0.0:
            known = (others * n[pairs, others - 1] if others else 0.0) + (still_open * x[pairs, others] if still_open else 0.0)
            found += probability * (known + MOST * (others + still_open) * 20.0 * UNIT * steep)
    return MORE * found
