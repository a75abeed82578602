"""Hands that are better played by their cards than by their total: where optimal play differs from a simple strategy."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games.blackjack.analysis import Analysis
from zermelo.games.blackjack.cards import BEST, RANKS, Counts, hard_total, total, with_card, without
from zermelo.games.blackjack.options import Option, best_of
from zermelo.games.blackjack.rational import hands_of
from zermelo.games.blackjack.strategy import UPS, Strategy

NOTHING = 1e-12  # a cost below this is rounding


class Deviation(NamedTuple):
    """A hand for which the strategy's option is not the best."""

    hand: Counts
    up: int
    plays: Option  # the strategy
    best: Option
    cost: float  # when it happens, not conditional on no blackjack of the dealer


def deviations(analysis: Analysis, strategy: Strategy) -> tuple[list[Deviation], list[Deviation]]:
    """All exceptions, the costliest first: with two cards, and with more that a player can come to."""
    twos: list[Deviation] = []
    more: list[Deviation] = []
    for up in UPS:
        if not analysis.rules.cards[up]:
            continue
        shoe = without(analysis.rules.cards, with_card((0,) * RANKS, up))
        reached: set[Counts] = set()
        for hand in hands_of(shoe):
            if sum(hand) > 2 and hand not in reached:
                continue
            found = _compared(analysis, strategy, hand, up)
            (twos if sum(hand) == 2 else more).extend([found] if found else [])
            if _hits(analysis, strategy, hand, up):
                reached |= {with_card(hand, r) for r in range(RANKS) if hard_total(hand) + r + 1 <= BEST}
    return sorted(twos, key=lambda d: -d.cost), sorted(more, key=lambda d: -d.cost)


def _plays(analysis: Analysis, strategy: Strategy, hand: Counts, up: int) -> Option:
    if sum(hand) == 2:
        return strategy.first(analysis.rules, hand, up)
    return strategy.later(hand, up, analysis.rules.may_double(total(hand), sum(hand)))


def _compared(analysis: Analysis, strategy: Strategy, hand: Counts, up: int) -> Deviation | None:
    worth = analysis.source.worth(hand, up)
    best, plays = best_of(worth), _plays(analysis, strategy, hand, up)
    cost = float(worth[best] - worth[plays])
    return Deviation(hand, up, plays, best, cost) if cost > NOTHING else None


def _hits(analysis: Analysis, strategy: Strategy, hand: Counts, up: int) -> bool:
    """Whether the strategy or optimal play draws a card to this hand."""
    return Option.HIT in (_plays(analysis, strategy, hand, up), best_of(analysis.source.worth(hand, up)))
