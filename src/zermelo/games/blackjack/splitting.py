"""How a pair can be split and split again: the patterns of second cards, and how often each occurs.

Hands are played from left to right; the second card of each is either one more card of the pair's rank (P), which makes another
hand while there are fewer than the most allowed, or another card (N), with which the hand is played. The cards that the hands get are
exchangeable, so only the numbers of P and N matter (Farmer, "Analysis of blackjack pair splitting"; MGP's table of patterns):

    sum over patterns   ways  P(a cards P and b cards N)  (closed EV[N; a, b'] + open EV[X; a, b''])

EV[N; a, b] is the value of one hand whose second card is an N, EV[X; a, b] with any second card, while a further cards of the rank and b
further ones of others are known to be gone. Every hand that ended with an N counts the other N as gone, not its own.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

import numpy as np


class Pattern(NamedTuple):
    """Equivalent orders of second cards."""

    ways: int
    pairs: int  # cards P
    others: int  # cards N: hands that are closed by them
    open: int  # hands whose second card may be any, because no more hands are allowed


@cache
def patterns(most: int) -> tuple[Pattern, ...]:
    """All patterns where a pair makes at most this many hands (2 or more)."""
    found: Counter[tuple[int, int, int]] = Counter()
    rest = Counter({(0, 0): 1})
    while rest:
        after: Counter[tuple[int, int]] = Counter()
        for (pairs, others), ways in rest.items():
            hands = 2 + pairs
            if hands == most:
                found[pairs, others, hands - others] += ways
            elif others == hands:
                found[pairs, others, 0] += ways
            else:
                after[pairs + 1, others] += ways
                after[pairs, others + 1] += ways
        rest = after
    return tuple(Pattern(ways, *numbers) for numbers, ways in sorted(found.items()))


@cache
def pattern_table(most: int) -> np.ndarray:
    """The same as int64[patterns, 4]."""
    return np.array(patterns(most), np.int64)


def another(shoe: np.ndarray, rank: int, up: int, a: int, b: int) -> float:
    """The chance that the next card is of the pair's rank, when a of that rank and b others are gone, not counting pair and up card."""
    cards, of_rank = int(shoe.sum()) - 3 - a - b, int(shoe[rank]) - 2 - a - (up == rank)
    return of_rank / cards if of_rank > 0 and cards > 0 else 0.0


def further_pairs(most: int) -> int:
    """The number of further cards of the rank for which the values of a hand must be known: 0, 1, ..., 2 (most - 2)."""
    return 2 * (most - 2) + 1
