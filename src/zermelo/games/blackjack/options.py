"""A player's options with a hand, and the value of each. Standard library only."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from fractions import Fraction
from numbers import Integral
from types import MappingProxyType
from typing import Any, NamedTuple

from zermelo.errors import ParameterError
from zermelo.games.blackjack.cards import (
    ACE,
    BEST,
    NAMES,
    RANKS,
    TEN,
    Counts,
    hand_of,
    hard_total,
    rank_of,
    shown,
    total,
    without,
)

Number = float | Fraction


class Option(IntEnum):
    """In the order in which ties are decided: an option is best if it is better than all before it."""

    STAND = 0
    HIT = 1
    DOUBLE = 2
    SPLIT = 3
    SURRENDER = 4

    def __str__(self) -> str:
        return self.name.lower()


class HandValues(NamedTuple):
    """A hand against an up card: the value of every option that the rules allow, in units of the first bet."""

    hand: str
    up: str
    values: dict[Option, Number]
    best: Option
    insurance: Number | None  # mean of one unit of insurance; None unless the up card is an ace
    blackjack: Number  # probability that the dealer has a blackjack, given hand and up card
    conditional: bool  # whether the values are given that the dealer has none
    is_blackjack: bool
    errors: Mapping[Option, Number] = MappingProxyType({})  # how far each value can be from the truth, at most; 0 for fractions

    @property
    def bounds(self) -> dict[Option, tuple[Number, Number]]:
        """Intervals that contain the true values, rounding included."""
        return {option: (value - self.errors[option], value + self.errors[option]) for option, value in self.values.items()}

    @property
    def value(self) -> Number:
        """The value of the best option."""
        return self.values[self.best]

    @property
    def costs(self) -> dict[Option, Number]:
        """The cost of every option compared with the best one."""
        return {option: self.value - value for option, value in self.values.items()}


def best_of(values: dict[Option, Number]) -> Option:
    """The best option; of equal ones the first."""
    return max(values, key=lambda option: (values[option], -option))


def insurance(shoe: Counts, hand: Counts) -> Number:
    """The mean of one unit of insurance against an ace, which pays 2:1 : 3 P(ten) - 1, given the hand."""
    left = without(shoe, hand)
    return 3 * Fraction(left[TEN], sum(left) - 1) - 1


def read_hand(shoe: Counts, cards: str | Counts, up: str | int) -> tuple[Counts, int]:
    """A hand and an up card that can occur, as counts and rank. Raises `ParameterError` in the user's words otherwise."""
    hand = hand_of(cards) if isinstance(cards, str) else _counts(cards)
    rank = rank_of(up, "the up card")
    if sum(hand) < 2:
        raise ParameterError(f"a hand has at least two cards, not only {shown(hand) or 'none'}")
    if hard_total(hand) > BEST:
        raise ParameterError(f"the hand {shown(hand)} is bust: it counts {hard_total(hand)}")
    for r, count in enumerate(without(shoe, hand)):
        if count < (r == rank):
            what = f"the hand {shown(hand)} against {NAMES[rank]}"
            raise ParameterError(f"{what} can't occur: the shoe has {shoe[r]} cards of rank {NAMES[r]}")
    return hand, rank


def _counts(cards: Any) -> Counts:
    if (
        not isinstance(cards, tuple | list)
        or len(cards) != RANKS
        or not all(isinstance(n, Integral) and int(n) >= 0 for n in cards)
    ):
        raise ParameterError(f'a hand is a text such as "10 6", or ten counts for A, 2, ..., 9 and 10, not {cards!r}')
    return tuple(cards)


def is_blackjack(hand: Counts) -> bool:
    return sum(hand) == 2 and hand[ACE] == 1 and hand[TEN] == 1


def is_pair(found: HandValues) -> bool:
    """Whether the hand is two cards of the same rank."""
    cards = found.hand.split("-")
    return len(cards) == 2 and cards[0] == cards[1]


def described(hand: Counts) -> str:
    """A hand as players call it: hard 16, soft 18, a pair of 8s."""
    points, soft = total(hand)
    if is_blackjack(hand):
        return "blackjack"
    if sum(hand) == 2 and max(hand) == 2:
        rank = hand.index(2)
        return f"a pair of {'aces' if rank == ACE else NAMES[rank] + 's'}"
    return f"{'soft' if soft else 'hard'} {points}"
