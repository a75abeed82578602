"""Gymnasium's Blackjack by its rules, as a transition table: the environment has none, since the cards are drawn.

Cards come from an endless deck in which one card in 13 is an ace and four are worth 10. An observation (player's sum, dealer's card,
usable ace) has the number (sum * 11 + card) * 2 + ace, which is the order of its space. If a natural pays more than another 21, a natural
has a separate observation, with a number larger by `NATURAL`: the environment shows the same for both, but pays them
differently.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

CARDS = {card: Fraction(4 if card == 10 else 1, 13) for card in range(1, 11)}
NATURAL = 32 * 11 * 2  # the number of observations
STICK, HIT = 0, 1
STANDS = 17  # the dealer draws below this sum
MOST = 21

Hand = tuple[int, bool]  # the sum of the cards, an ace being 1, and whether there is an ace


class Blackjack(NamedTuple):
    """The table, the chances of the first observations, and the contents of each observation."""

    rows: list[dict[int, list[tuple[Fraction, int, Fraction, bool]]]]
    first: Mapping[int, Fraction]
    shown: list[str]


def is_blackjack(env: Any) -> bool:
    """Whether this is Gymnasium's own Blackjack, not a class that may change its rules."""
    return (type(env).__module__, type(env).__name__) == ("gymnasium.envs.toy_text.blackjack", "BlackjackEnv")


def blackjack(natural: bool, sab: bool) -> Blackjack:
    """The options are those of the environment. natural: a natural that wins pays 3/2; sab: it wins against everything except a natural."""
    differs = natural or sab
    rows: list[dict[int, list[tuple[Fraction, int, Fraction, bool]]]] = [{} for _ in range(NATURAL * 2)]
    first: dict[int, Fraction] = {}
    shown = [""] * len(rows)
    for card, chance in CARDS.items():
        for a, p in CARDS.items():
            for b, q in CARDS.items():
                hand = _with(_with((0, False), a), b)
                number = _number(hand, card) + (NATURAL if differs and _total(hand) == MOST else 0)
                first[number] = first.get(number, Fraction(0)) + chance * p * q
        waiting = {(_with(_with((0, False), a), b), differs and {a, b} == {1, 10}) for a in CARDS for b in CARDS}
        while waiting:
            hand, is_natural = waiting.pop()
            number = _number(hand, card) + (NATURAL if is_natural else 0)
            if rows[number]:
                continue
            ace = ", a usable ace" if _is_usable(hand) else ""
            shown[number] = f"player {_total(hand)}{ace}{', a natural' if is_natural else ''}; dealer {card}"
            stuck = [(p, number, paid, True) for paid, p in _against(card, _total(hand), is_natural, sab).items()]
            drawn = []
            for new, p in CARDS.items():
                after = _with(hand, new)
                is_bust = after[0] > MOST
                drawn.append((p, number if is_bust else _number(after, card), Fraction(-1 if is_bust else 0), is_bust))
                if not is_bust:
                    waiting.add((after, False))
            rows[number] = {STICK: stuck, HIT: drawn}
    return Blackjack(rows, first, shown)


def _against(card: int, total: int, is_natural: bool, sab: bool) -> dict[Fraction, Fraction]:
    """The payoffs of sticking, and their probabilities."""
    found: dict[Fraction, Fraction] = {}
    for (end, dealer_has_natural), p in _dealer((card, card == 1), 1).items():
        score = 0 if end > MOST else end
        paid = Fraction((total > score) - (total < score))
        if is_natural and sab and not dealer_has_natural:
            paid = Fraction(1)
        elif is_natural and not sab and paid == 1:
            paid = Fraction(3, 2)
        found[paid] = found.get(paid, Fraction(0)) + p
    return found


@cache
def _dealer(hand: Hand, cards: int) -> dict[tuple[int, bool], Fraction]:
    """The dealer's final sums from a hand of this many cards, and whether they are naturals."""
    if cards > 1 and _total(hand) >= STANDS:
        return {(_total(hand), cards == 2 and _total(hand) == MOST): Fraction(1)}
    found: dict[tuple[int, bool], Fraction] = {}
    for card, p in CARDS.items():
        for end, q in _dealer(_with(hand, card), min(cards + 1, 3)).items():
            found[end] = found.get(end, Fraction(0)) + p * q
    return found


def _with(hand: Hand, card: int) -> Hand:
    return hand[0] + card, hand[1] or card == 1


def _is_usable(hand: Hand) -> bool:
    return hand[1] and hand[0] + 10 <= MOST


def _total(hand: Hand) -> int:
    return hand[0] + 10 * _is_usable(hand)


def _number(hand: Hand, card: int) -> int:
    return (_total(hand) * 11 + card) * 2 + _is_usable(hand)
