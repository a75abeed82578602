"""Hands that are better played by their cards than by their total: where optimal play differs from a simple strategy."""

from __future__ import annotations

from math import comb, prod
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
    chance: float  # that it happens in a round, if the strategy is followed

    @property
    def cost_a_round(self) -> float:
        """The average cost per round of playing this hand by its total."""
        return self.chance * self.cost


def deviations(analysis: Analysis, strategy: Strategy) -> tuple[list[Deviation], list[Deviation]]:
    """All exceptions, those that cost most in a round first: with two cards, and with more that a player can reach."""
    twos: list[Deviation] = []
    more: list[Deviation] = []
    for up in UPS:
        if not analysis.rules.cards[up]:
            continue
        shoe = without(analysis.rules.cards, with_card((0,) * RANKS, up))
        chances: dict[Counts, float] = {}  # of hands that the strategy or optimal play reaches, if the strategy is followed
        for hand in hands_of(shoe):  # hands of fewer cards first
            if sum(hand) == 2:
                chances[hand] = analysis.rules.cards[up] / sum(analysis.rules.cards) * _dealt(shoe, hand)
            if hand not in chances:
                continue
            worth = analysis.source.worth(hand, up)
            plays, best = _plays(analysis, strategy, hand, up), best_of(worth)
            cost = float(worth[best] - worth[plays])
            if cost > NOTHING:
                (twos if sum(hand) == 2 else more).append(Deviation(hand, up, plays, best, cost, chances[hand]))
            if Option.HIT not in (plays, best):
                continue
            left = without(shoe, hand)
            drawn = chances[hand] / sum(left) if plays == Option.HIT else 0.0
            for r in range(RANKS):
                if hard_total(hand) + r + 1 <= BEST:
                    longer = with_card(hand, r)
                    chances[longer] = chances.get(longer, 0.0) + drawn * left[r]
    return sorted(twos, key=_order), sorted(more, key=_order)


def _order(found: Deviation) -> tuple[float, float]:
    return -found.cost_a_round, -found.cost


def _dealt(shoe: Counts, hand: Counts) -> float:
    """How likely the first two cards are these."""
    return prod(map(comb, shoe, hand)) / comb(sum(shoe), 2)


def _plays(analysis: Analysis, strategy: Strategy, hand: Counts, up: int) -> Option:
    if sum(hand) == 2:
        return strategy.first(analysis.rules, hand, up)
    return strategy.later(hand, up, analysis.rules.may_double(total(hand), sum(hand)))
