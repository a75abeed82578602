"""How the hands of a split pair vary together: the mean of the product of two of them.

With x = 1, 0, -1 for a hand that wins, ties or loses and w its bet, the result of a hand is w (x + 1) - w. The first part is 0 for hands
that bust, so only hands that stand need be listed. Every hand is a sum of leaves, each a multiset of cards with the number of
orders in which it occurs. Against the same dealer,

    E (x + 1)(y + 1) = 2 E (x + 1) - [same total] P(tie),        x the hand with the smaller total.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.machine_code import njit
from zermelo.games.blackjack.kernels.dealer import RANKS
from zermelo.games.blackjack.kernels.player import DOUBLE, STAND

CONSTANT = -1  # level of a leaf that stands for the bet
CLASSES = 2  # by the second card: of the pair's rank, or another
PAIR, OTHER = 0, 1


@njit(cache=True, nogil=True, error_model="numpy")
def leaves(rank, members, child, action, fixed, size, ways, gains, bets):
    """Orders of the cards of every hand after a split, second cards apart.

    ways, gains, bets : float64[size, CLASSES, 10], zero before. gains : orders that end in the hand, times the bet; bets : orders in
    which the bet is doubled with this hand, negative.
    """
    for r in range(RANKS):
        if child[1 + rank, r] < size:
            ways[child[1 + rank, r], PAIR if r == rank else OTHER, :] = 1.0
    for h in members:
        for c in range(CLASSES):
            for u in range(RANKS):
                orders = ways[h, c, u]
                if orders == 0.0:
                    continue
                what = STAND if fixed[h] else action[h, u]
                if what == STAND:
                    gains[h, c, u] += orders
                    continue
                if what == DOUBLE:
                    bets[h, c, u] -= orders
                for r in range(RANKS):
                    after = child[h, r]
                    if after < size:
                        if what == DOUBLE:
                            gains[after, c, u] += 2.0 * orders
                        else:
                            ways[after, c, u] += orders


@njit(cache=True, nogil=True, error_model="numpy")
def products(level, kind, coefficient, merged, count, chance, whole, wins, ties, out):
    """out[c, d, u] += mean of the product of two hands, second cards of classes c and d, where these have them.

    Of each leaf: level (CONSTANT, or 0 to 5), kind (class), coefficient : float64[leaves, 10].
    merged : int32[pairs of leaves, in order], the number of both together; count : of leaves
    Of each such multiset and up card: chance of its cards, in one order; whole : probability that the hands are decided by the
    dealer's cards; wins : E (x + 1) by level, ties : P(tie) by level.
    """
    at = 0
    row = np.empty((CLASSES, RANKS))  # summed by rows, since errors grow with the length of a sum
    for i in range(count):
        row[:] = 0.0
        for j in range(i, count):
            m = merged[at]
            at += 1
            low = min(level[i], level[j])
            high = max(level[i], level[j])
            twice = 1.0 if i == j else 2.0
            for u in range(RANKS):
                weight = coefficient[i, u] * coefficient[j, u] * chance[m, u]
                if weight == 0.0:
                    continue
                if high == CONSTANT:
                    value = whole[m, u]
                elif low == CONSTANT:
                    value = wins[m, high, u]
                else:
                    value = 2.0 * wins[m, low, u] - (ties[m, low, u] if low == high else 0.0)
                row[kind[j], u] += weight * twice * value
        same, other = kind[i], PAIR if kind[i] == OTHER else OTHER
        for u in range(RANKS):
            out[same, same, u] += row[same, u]
            out[PAIR, OTHER, u] += 0.5 * row[other, u]
            out[OTHER, PAIR, u] += 0.5 * row[other, u]


def pair_numbers(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Multisets given by additive keys, two at a time in the order of `products`: the distinct sums, and the number of each sum."""
    i, j = np.triu_indices(len(keys))
    distinct, number = np.unique(keys[i] + keys[j], return_inverse=True)
    return distinct, number.astype(np.int32)
