"""Cards, hands and shoes: ten ranks, with tens, jacks, queens and kings as a single rank. Standard library only.

Rank 0 is the ace, rank r the card of r + 1 points, rank 9 all cards of ten. A hand and a shoe are tuples of ten counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from zermelo.errors import ParameterError

RANKS = 10
ACE, TEN = 0, 9
NAMES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
DECK = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
BEST = 21
EMPTY = (0,) * RANKS

Counts = tuple[int, ...]  # how many of each rank

_WORDS = {name: rank for rank, name in enumerate(NAMES)} | {"1": ACE, "T": TEN, "J": TEN, "Q": TEN, "K": TEN}
_CARD = re.compile(r"10|[AJQKT1-9]", re.IGNORECASE)


class Total(NamedTuple):
    """The points of a hand: its best total, and whether an ace counts 11 in it."""

    points: int
    soft: bool


def hard_total(hand: Counts) -> int:
    """The total with every ace as 1."""
    a, b, c, d, e, f, g, h, i, j = hand
    return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h + 9 * i + 10 * j


def total(hand: Counts) -> Total:
    """The points of a hand, and whether it is soft: whether an ace counts 11."""
    points = hard_total(hand)
    soft = hand[ACE] > 0 and points + 10 <= BEST
    return Total(points + 10 * soft, soft)


def with_card(hand: Counts, rank: int, count: int = 1) -> Counts:
    """The hand with one more card of a rank, or `count` more."""
    return (*hand[:rank], hand[rank] + count, *hand[rank + 1 :])


def without(shoe: Counts, hand: Counts) -> Counts:
    """The shoe after the hand was dealt from it."""
    return tuple(a - b for a, b in zip(shoe, hand, strict=True))


def counted(ranks: Iterable[int]) -> Counts:
    """Cards given one by one, as counts."""
    counts = [0] * RANKS
    for rank in ranks:
        counts[rank] += 1
    return tuple(counts)


def listed(hand: Counts) -> list[int]:
    """The ranks of a hand one by one, from the ace up."""
    return [rank for rank, count in enumerate(hand) for _ in range(count)]


def shown(hand: Counts) -> str:
    """A hand as people write it: 10-6, with the largest card first and aces in front."""
    aces, others = [ACE] * hand[ACE], sorted((r for r in listed(hand) if r != ACE), reverse=True)
    return "-".join(NAMES[rank] for rank in aces + others)


def rank_of(card: str | int, name: str = "the card") -> int:
    """The rank of one card: "A", "2" to "10", "T", "J", "Q", "K", or its points as a number (1 is the ace)."""
    rank = _WORDS.get(str(card).strip().upper())
    if rank is None or isinstance(card, bool):
        raise ParameterError(f"{name} must be A, 2 to 10, J, Q or K, not {card!r}")
    return rank


def hand_of(text: str) -> Counts:
    """A hand as it is typed: "10 6", "A,7", "T6", "8-8". Raises `ParameterError` for anything else, and for "16", which is also a total."""
    if re.fullmatch(r"1[1-9]|2[01]", text.strip()):
        raise ParameterError(f'{text.strip()!r} may be the total of a hand or two cards: write the cards apart, such as "10 6" or "A 6"')
    rest = _CARD.sub("", text)
    if rest.strip(" ,-+") or not _CARD.search(text):
        raise ParameterError(f'a hand is a list of cards such as "10 6" or "A,7", not {text!r}')
    return counted(rank_of(word) for word in _CARD.findall(text))
