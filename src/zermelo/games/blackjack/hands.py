"""The player's hands, numbered: every multiset of cards that is not bust, and the hand that each further card makes of it.

There are 3072 of two cards and more. After a split of rank p, k more cards of that rank are known to be gone, in the other hands; the
dealer then plays from the shoe without the hand and these. Such multisets are numbered too, after the hands.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from zermelo.games.blackjack.cards import BEST, EMPTY, RANKS, Counts, hard_total, total, with_card

MOST_HANDS = 4
MOST_GONE = 2 * MOST_HANDS - 3  # cards of a pair's rank that are known to be gone, in addition to the one in the hand
WIDTH = 12  # children of a hand, filled up to a multiple of lanes.AT_ONCE


class Hands(NamedTuple):
    """All hands by number of cards; hand 0 is empty, hand 1 + r the single card of rank r. `size` hands, and a row for bust."""

    counts: np.ndarray  # int16[size, 10]
    child: np.ndarray  # uint16[size, WIDTH] the hand with a card of each rank; `size` if that is bust, and to fill up
    points: np.ndarray  # int64[size] best total
    soft: np.ndarray  # bool[size]
    cards: np.ndarray  # int64[size] how many
    level: np.ndarray  # int64[size] 0 for totals up to 16, then 1 to 5: what the hand wins against
    safe: np.ndarray  # int64[size] cards of this rank and above bust it


class SplitHands(NamedTuple):
    """The cards known to be gone from the shoe, for every rank of a pair."""

    gone: np.ndarray  # int16[all, 10] multisets: first the hands, then those that are no hands, rank by rank
    hands: tuple[np.ndarray, ...]  # of each rank int64[n], all hands that contain it, by number of cards
    place: tuple[
        np.ndarray, ...
    ]  # of each rank int64[MOST_GONE, size], row of `gone` for a hand and k + 1 cards of the rank
    first: np.ndarray  # int64[11] where the multisets of a rank begin in `gone`


@cache
def numbered() -> dict[Counts, int]:
    """The number of every hand."""
    found = {EMPTY: 0}
    longest = [EMPTY]
    while longest:
        after = {with_card(h, r) for h in longest for r in range(RANKS) if hard_total(h) + r + 1 <= BEST}
        longest = sorted(after, reverse=True)
        for hand in longest:
            found[hand] = len(found)
    return found


@cache
def hands() -> Hands:
    number = numbered()
    size = len(number)
    child = np.full((size, WIDTH), size, np.uint16)
    for hand, i in number.items():
        for rank in range(RANKS):
            child[i, rank] = number.get(with_card(hand, rank), size)
    totals = [total(hand) for hand in number]
    return Hands(
        np.array(list(number), np.int16),
        child,
        np.array([t.points for t in totals]),
        np.array([t.soft for t in totals]),
        np.array([sum(hand) for hand in number]),
        np.array([max(t.points - 16, 0) for t in totals]),
        np.array([min(BEST - hard_total(hand), RANKS) for hand in number]),
    )


@cache
def split_hands() -> SplitHands:
    number = numbered()
    of_rank, places, first = [], [], [len(number)]
    for rank in range(RANKS):
        containing = [hand for hand in number if hand[rank]]
        place = np.zeros((MOST_GONE, len(number)), np.int64)
        own: dict[Counts, int] = {}
        for hand in containing:
            for k in range(MOST_GONE):
                cards = with_card(hand, rank, k + 1)
                where = number[cards] if cards in number else own.setdefault(cards, first[-1] + len(own))
                place[k, number[hand]] = where
        of_rank.append(np.array([number[hand] for hand in containing]))
        places.append(place)
        first.append(first[-1] + len(own))
    rows = np.zeros((first[-1], RANKS), np.int16)
    rows[: len(number)] = list(number)
    for rank, (members, place) in enumerate(zip(of_rank, places, strict=True)):
        for k in range(MOST_GONE):
            rows[place[k, members]] = rows[members]
            rows[place[k, members], rank] += k + 1
    return SplitHands(rows, tuple(of_rank), tuple(places), np.array(first))
