"""Every hand that the dealer can end with, and in how many orders it can come about. Standard library only.

    P(t | u) = N / s_u  sum over hands h of total t   m_u(h)  prod_i (s_i)_(h_i) / (N)_|h|

s is the shoe with the up card u still in it, N its number of cards, (x)_n = x (x - 1) ... (x - n + 1), and the
multiplier m_u(h) counts the orders of the cards of h that begin with u and in which the dealer would have gone on at
every card but the last. A blackjack is no such hand. (Possibly Wrong, "Blackjack CA optimization as a Steiner tree
problem", 2012.)
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import NamedTuple

from zermelo.games.blackjack.cards import ACE, BEST, EMPTY, RANKS, TEN, Counts, hard_total, total, with_card

TOTALS = (17, 18, 19, 20, 21)
BLACKJACK = with_card(with_card(EMPTY, ACE), TEN)


class DealerHands(NamedTuple):
    """All of the dealer's hands from 17 to 21, and what a plain recursion would do to find them in an endless shoe."""

    multipliers: dict[Counts, dict[int, int]]  # hand: {up card: m_u(hand)}
    unfinished: frozenset[Counts]  # multisets of cards with which the dealer goes on
    draws: int  # cards that a recursion over all sequences draws after the up card
    sequences: int  # sequences among them that end with 17 to 21
    busts: int  # and sequences that end above


def stands(points: int, soft: bool, hits_soft_17: bool) -> bool:
    """Whether the dealer draws no further card."""
    return points > 17 or (points == 17 and not (soft and hits_soft_17))


@cache
def dealer_hands(hits_soft_17: bool) -> DealerHands:
    """Enumerate them, one number of cards after the other, for all ten up cards."""
    multipliers: dict[Counts, dict[int, int]] = {}
    unfinished: set[Counts] = set()
    draws = sequences = busts = 0
    for up in range(RANKS):
        orders = Counter({with_card(EMPTY, up): 1})
        while orders:
            longer: Counter[Counts] = Counter()
            unfinished |= orders.keys()
            for hand, ways in orders.items():
                for rank in range(RANKS):
                    after = with_card(hand, rank)
                    draws += ways
                    if hard_total(after) > BEST:
                        busts += ways
                    elif not stands(*total(after), hits_soft_17):
                        longer[after] += ways
                    elif after != BLACKJACK:
                        sequences += ways
                        of_hand = multipliers.setdefault(after, {})
                        of_hand[up] = of_hand.get(up, 0) + ways
            orders = longer
    return DealerHands(multipliers, frozenset(unfinished), draws, sequences, busts)
