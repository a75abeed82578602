"""Any way to play, decided beforehand: its value at a table, for any shoe.

A plan gives the play for every hand and up card, before a split and after one. Optimal play of a full shoe is a plan; so is a simple
strategy. Its value is linear in the cards that may come, so burning a random card unseen changes nothing on average.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from functools import partial
from typing import NamedTuple

import numpy as np

from zermelo.games.blackjack.cards import ACE, RANKS, TEN, counted
from zermelo.games.blackjack.hands import hands, numbered
from zermelo.games.blackjack.kernels import player, splits
from zermelo.games.blackjack.options import Option
from zermelo.games.blackjack.rules import AfterSplit, Rules
from zermelo.games.blackjack.solving import (
    FIRST_PAIR,
    PAIRS,
    RAISED,
    Scratch,
    Stands,
    Tables,
    Values,
    ask_dealer,
    borrowed,
    choose_after_split,
    hand_arrays,
    tables_of,
    value_split,
)  # fmt: skip
from zermelo.games.blackjack.splitting import further_pairs


class Plan(NamedTuple):
    """The play of every hand against every up card; hands are numbered as in hands.py."""

    first: np.ndarray  # int8[55, 10] an Option for the first two cards
    later: np.ndarray  # int8[size, 10] to stand, hit or double any hand that is not split
    after: tuple[np.ndarray, ...]  # of each rank int8[size, 10], the same for the hands of a split pair


class Deal(NamedTuple):
    """The first cards from a shoe."""

    chance: np.ndarray  # float64[55, 10] of the player's two cards, given the up card; 0 where that can't be
    clear: np.ndarray  # float64[55, 10] no blackjack of the dealer, given all three


PAIR_RANKS = tuple(int(c.argmax()) if c.max() == 2 else -1 for c in hands().counts[FIRST_PAIR : FIRST_PAIR + PAIRS])
NATURAL = numbered()[counted((ACE, TEN))] - FIRST_PAIR


def first_cards(shoe: np.ndarray) -> Deal:
    """Two cards for the player, given each up card. shoe : int64[10]."""
    counts = hands().counts[FIRST_PAIR : FIRST_PAIR + PAIRS].astype(np.int64)
    before = shoe[None, :] - np.eye(RANKS, dtype=np.int64)  # [up card, rank]
    cards = shoe.sum() - 1
    ways = np.full((PAIRS, RANKS), 2.0 / (cards * (cards - 1)))
    for i, hand in enumerate(counts):
        if hand.max() == 2:
            rank = hand.argmax()
            ways[i] *= before[:, rank] * (before[:, rank] - 1) / 2
        else:
            a, b = np.flatnonzero(hand)
            ways[i] *= before[:, a] * before[:, b]
    ways = np.where((shoe > 0) & (before >= 0).all(1), np.maximum(ways, 0.0), 0.0)
    clear = np.ones((PAIRS, RANKS))
    clear[:, ACE] -= (shoe[TEN] - counts[:, TEN]) / (cards - 2)
    clear[:, TEN] -= (shoe[ACE] - counts[:, ACE]) / (cards - 2)
    return Deal(ways, clear)


def optimal_plan(rules: Rules, after_split: AfterSplit, values: Values) -> Plan:
    """The plan of optimal play at the table that was solved."""
    worth = np.where(np.isnan(values.worth), -np.inf, values.worth)
    worth[NATURAL, 1:] = -np.inf
    first = worth.argmax(1).astype(np.int8)
    t, shoe = tables_of(rules), np.array(rules.cards, np.int64)
    with borrowed(Stands) as kept, borrowed(Scratch) as own:
        own.parts[:, :, :RANKS] = values.parts
        parts = own.parts.copy()
        after = []
        for rank in range(RANKS):
            choose_after_split(t, rules, after_split, shoe, kept.rows, parts, rank, own)
            after.append(own.action.copy())
        own.parts[:] = 0.0
    return Plan(first, values.action, tuple(after))


def ask_for(
    t: Tables, rules: Rules, shoe: np.ndarray, plan: Plan, stands: np.ndarray, pool: Executor | None = None
) -> None:  # fmt: skip
    """Ask the dealer about everything that the value of a plan needs."""
    wanted = [np.arange(FIRST_PAIR, len(hands().counts))]
    with borrowed(Scratch) as own:
        for rank in ranks_split(plan, rules, shoe):
            wanted.append(
                splits.needed(
                    rank, t.split.hands[rank], t.hands.counts, t.hands.child, plan.after[rank], t.split.place[rank],
                    further_pairs(rules.most_hands(rank)), len(t.hands.counts), own.mark, own.reached,
                )
            )  # fmt: skip
    ask = partial(ask_dealer, t, shoe, rules.peek, stands)
    list((pool.map if pool else map)(ask, wanted))


def ranks_split(plan: Plan, rules: Rules, shoe: np.ndarray) -> list[int]:
    """Ranks of the pairs that the plan splits."""
    splits_any = (plan.first == Option.SPLIT).any(1)
    return [r for r in range(RANKS) if splits_any[PAIR_RANKS.index(r)] and rules.most_hands(r) > 1 and shoe[r] > 1]


def plan_by_up(
    t: Tables, rules: Rules, shoe: np.ndarray, deal: Deal, plan: Plan, stands: np.ndarray, pool: Executor | None = None
) -> np.ndarray:  # fmt: skip
    """Value of the round given the up card, blackjacks included : float64[10]. The dealer has been asked before."""
    every = pool.map if pool else map
    ranks = ranks_split(plan, rules, shoe)
    worth = played(t, rules, shoe, plan.later, stands)
    for rank, of_pair in zip(ranks, every(partial(split_of, t, rules, shoe, plan, stands), ranks), strict=True):
        i = PAIR_RANKS.index(rank)
        worth[i] = np.where(plan.first[i] == Option.SPLIT, of_pair, worth[i])
    worth = np.where(plan.first == Option.SURRENDER, -0.5 * deal.clear, worth)
    worth[NATURAL] = float(rules.payoff) * deal.clear[NATURAL]
    lost = (1.0 - deal.clear) if rules.peek else np.zeros_like(worth)
    lost[NATURAL] = 0.0
    return np.where(deal.chance > 0, deal.chance * (worth - lost), 0.0).sum(0)


def played(
    t: Tables, rules: Rules, shoe: np.ndarray, later: np.ndarray, stands: np.ndarray, raised: float = RAISED
) -> np.ndarray:
    """Values of the first two cards, if they are neither split nor surrendered."""
    size = len(t.hands.counts)
    with borrowed(Scratch) as own:
        own.action[:] = later
        player.play(
            np.arange(FIRST_PAIR, size), shoe.astype(float), *hand_arrays(t), np.arange(size), stands, t.double, raised, rules.peek, t.free,
            False, own.action, own.values, own.parts,
        )  # fmt: skip
        return own.values[FIRST_PAIR : FIRST_PAIR + PAIRS, :RANKS].copy()


def split_of(
    t: Tables, rules: Rules, shoe: np.ndarray, plan: Plan, stands: np.ndarray, rank: int, raised: float = RAISED
) -> np.ndarray:  # fmt: skip
    """Values of splitting a pair of this rank."""
    out = np.zeros(RANKS)
    with borrowed(Scratch) as own:
        own.action[:] = plan.after[rank]
        value_split(t, rules, shoe, stands, rank, own, out, raised)
    return out


def plan_value(rules: Rules, shoe: Iterable[int], plan: Plan, pool: Executor | None = None) -> float:
    """The value of a plan when the cards come from this shoe."""
    t, cards = tables_of(rules), np.array(list(shoe), np.int64)
    with borrowed(Stands) as kept:
        ask_for(t, rules, cards, plan, kept.rows, pool)
        by_up = plan_by_up(t, rules, cards, first_cards(cards), plan, kept.rows, pool)
    return float(by_up @ cards / cards.sum())
