"""How far a round strays from its mean: the standard deviation, with the hands of split pairs that meet the same dealer.

The mean of the square needs the squares of single hands (found like values, with other payoffs) and the mean products of two
hands of a split pair; those of three and four hands follow from the same laws as their values (splitting.py).
"""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import NamedTuple

import numpy as np

from zermelo.games.blackjack.cards import RANKS
from zermelo.games.blackjack.errors import deviation_error
from zermelo.games.blackjack.kernels import player
from zermelo.games.blackjack.kernels import spread as kernel
from zermelo.games.blackjack.kernels.lanes import LANES
from zermelo.games.blackjack.kernels.player import LEVELS
from zermelo.games.blackjack.kernels.spread import CLASSES, CONSTANT, OTHER, PAIR
from zermelo.games.blackjack.options import Option
from zermelo.games.blackjack.plans import (
    NATURAL,
    PAIR_RANKS,
    Plan,
    ask_for,
    first_cards,
    plan_by_up,
    played,
    ranks_split,
    split_of,
)  # fmt: skip
from zermelo.games.blackjack.rules import Rules
from zermelo.games.blackjack.solving import Stands, Tables, borrowed, fixed_hands, tables_of
from zermelo.games.blackjack.splitting import another, further_pairs, patterns
from zermelo.games.blackjack.threads import pool

BITS = 6  # of a count in a key; two hands have less than 64 cards of a rank
RAISED_TWICE = 4.0  # square of the bet after doubling


class Spread(NamedTuple):
    """Mean and standard deviation of the result of a round, in units of the first bet."""

    mean: float
    standard_deviation: float
    error: float  # how far the standard deviation can be from the truth, at most


def plan_spread(rules: Rules, plan: Plan) -> Spread:
    """Of a plan at a table, exact except for rounding."""
    t, shoe = tables_of(rules), np.array(rules.cards, np.int64)
    deal = first_cards(shoe)
    with borrowed(Stands) as kept:
        ask_for(t, rules, shoe, plan, kept.rows, pool())
        mean = plan_by_up(t, rules, shoe, deal, plan, kept.rows, pool())
        squares = Squares(t, rules, shoe, plan, kept.rows)
        worth = -played(t, rules, shoe, plan.later, squares.rows, RAISED_TWICE)
        ranks = ranks_split(plan, rules, shoe)
        leaves = {}
        for rank, (of_pair, count) in zip(ranks, pool().map(squares.of_split, ranks), strict=True):
            i, leaves[rank] = PAIR_RANKS.index(rank), count
            worth[i] = np.where(plan.first[i] == Option.SPLIT, of_pair, worth[i])
    worth = np.where(plan.first == Option.SURRENDER, 0.25 * deal.clear, worth)
    worth[NATURAL] = float(rules.payoff) ** 2 * deal.clear[NATURAL]
    lost = (1.0 - deal.clear) if rules.peek else np.zeros_like(worth)
    lost[NATURAL] = 0.0
    by_up = np.where(deal.chance > 0, deal.chance * (worth + lost), 0.0).sum(0)
    value, square = (float(v @ shoe / shoe.sum()) for v in (mean, by_up))
    return Spread(value, math.sqrt(max(square - value * value, 0.0)), deviation_error(rules, value, square, leaves))


class Squares:
    """Mean squares at a table, for one plan. The dealer's outcomes for single hands are known."""

    def __init__(self, t: Tables, rules: Rules, shoe: np.ndarray, plan: Plan, stands: np.ndarray):
        self.t, self.rules, self.shoe, self.plan, self.stands = t, rules, shoe, plan, stands
        ties = tie_probabilities(stands)
        self.rows = np.zeros_like(stands)  # minus the mean square, so that a bust hand counts -1 here too
        decided = stands[:, -1:] + ties[:, -1:] if rules.peek else np.ones_like(stands[:, :1])
        self.rows[:] = ties - decided
        self.rows[-1] = -1.0

    def of_split(self, rank: int) -> tuple[np.ndarray, int]:
        """Mean square of the total result of all hands of a split pair : float64[10], without blackjacks that a look finds.

        Also the number of leaves that add up to a hand.
        """
        single = -split_of(self.t, self.rules, self.shoe, self.plan, self.rows, rank, RAISED_TWICE)
        products, leaves = self._products(rank)
        return single + 2.0 * products, leaves

    def _products(self, rank: int) -> tuple[np.ndarray, int]:
        """Sum over two different hands of the mean of their product, and the number of leaves."""
        most = self.rules.most_hands(rank)
        kinds = further_pairs(most)
        leaves = Leaves(self.t, self.rules, self.plan, rank)
        every = [leaves.products(self.shoe, self.rules.peek, a) for a in range(kinds)]
        found = np.array([self._by_patterns(rank, u, most, [j[:, :, u] for j in every]) for u in range(RANKS)])
        return found, len(leaves.level)

    def _by_patterns(self, rank: int, up: int, most: int, joint: list[np.ndarray]) -> float:
        """From the products with a further cards of the rank gone, a = 0, 1, ... : the sum over all patterns of a split."""
        chance = partial(another, self.shoe, rank, up)
        kinds = len(joint)
        table: dict[tuple[int, int, int], float] = {}  # (hands with another second card, a, b): mean product
        for a in range(kinds):
            q = chance(a, 0)
            other = 1.0 - q
            both = other * (1.0 - chance(a, 1))
            j = joint[a]
            table[0, a, 0] = float(j.sum())
            table[1, a, 0] = float(j[OTHER].sum()) / other if other > 0 else 0.0
            table[2, a, 0] = float(j[OTHER, OTHER]) / both if both > 0 else 0.0
        for b in range(1, kinds):
            for closed, a in product(range(3), range(kinds - b)):
                q = chance(a, b - 1 + closed)
                more = table[closed, a, b - 1] - q * table[closed, a + 1, b - 1]
                table[closed, a, b] = more / (1.0 - q) if q < 1 else 0.0
        total = 0.0
        for ways, pairs, others, still_open in patterns(most):
            weight = float(ways)
            for j_ in range(pairs):
                weight *= chance(j_, 0)
            for j_ in range(others):
                weight *= 1.0 - chance(pairs, j_)
            if weight:
                two = others * (others - 1) / 2 * table[2, pairs, others - 2] if others > 1 else 0.0
                one = others * still_open * table[1, pairs, others - 1] if others and still_open else 0.0
                none = still_open * (still_open - 1) / 2 * table[0, pairs, others] if still_open > 1 else 0.0
                total += weight * (two + one + none)
        return total


def tie_probabilities(stands: np.ndarray) -> np.ndarray:
    """P(the dealer ends with the same total) : like `stands`, by level; 0 for level 0."""
    ties = np.zeros_like(stands)
    for level in range(1, LEVELS):
        ties[:, level] = stands[:, level] - stands[:, level - 1] - ties[:, level - 1]
    return ties


class Leaves:
    """The hands of a split pair of one rank as a sum of leaves (kernels/spread.py)."""

    def __init__(self, t: Tables, rules: Rules, plan: Plan, rank: int):
        self.t, self.rank = t, rank
        size, shape = len(t.hands.counts), (len(t.hands.counts), CLASSES, RANKS)
        ways, gains, bets = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        members = t.split.hands[rank]
        kernel.leaves(
            rank, members, t.hands.child, plan.after[rank], fixed_hands(t, rules, rank), size, ways, gains, bets
        )
        pair = int(t.hands.child[1 + rank, rank])
        bets[1 + rank, OTHER] -= 1.0  # every hand bets one; its second card is of the rank, or it is not
        bets[pair, OTHER] += 1.0
        bets[pair, PAIR] -= 1.0
        found = [(h, c, t.hands.level[h], gains[h, c]) for h in members for c in range(CLASSES) if gains[h, c].any()]
        found += [(h, c, CONSTANT, bets[h, c]) for h in members for c in range(CLASSES) if bets[h, c].any()]
        self.kind = np.array([c for _, c, _, _ in found])
        self.level = np.array([level for _, _, level, _ in found])
        self.coefficient = np.array([row for *_, row in found])
        counts = t.hands.counts[[h for h, *_ in found]].astype(np.int64)
        places = np.int64(1) << (BITS * np.arange(RANKS, dtype=np.int64))
        distinct, self.merged = kernel.pair_numbers(counts @ places)
        self.gone = ((distinct[:, None] >> (BITS * np.arange(RANKS))) & ((1 << BITS) - 1)).astype(np.int16)

    def products(self, shoe: np.ndarray, peek: bool, a: int) -> np.ndarray:
        """float64[CLASSES, CLASSES, 10]: mean products of two hands, with a further cards of the rank gone."""
        out = np.zeros((CLASSES, CLASSES, RANKS))
        gone = self.gone.copy()
        gone[:, self.rank] += a
        possible = np.all(gone <= shoe, axis=1)
        if shoe[self.rank] < 2 + a:
            return out
        wins, ties, whole = self._asked(shoe, gone, possible, peek)
        chance = np.where(possible[:, None], self._chances(shoe, a), 0.0)
        count = len(self.level)
        kernel.products(self.level, self.kind, self.coefficient, self.merged, count, chance, whole, wins, ties, out)
        return out

    def _asked(
        self, shoe: np.ndarray, gone: np.ndarray, possible: np.ndarray, peek: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
        """E (x + 1) and P(tie) by level, and the probability that the dealer's cards decide."""
        stands = np.zeros((len(gone) + 1, LEVELS, LANES))
        player.stand_values(self.t.tree, shoe, gone, np.flatnonzero(possible), peek, stands)
        stands = stands[:-1, :, :RANKS]
        ties = tie_probabilities(stands)
        whole = stands[:, -1] + ties[:, -1] if peek else np.ones((len(gone), RANKS))
        return stands + whole[:, None, :], ties, whole

    def _chances(self, shoe: np.ndarray, a: int) -> np.ndarray:
        """Of drawing the cards of both hands, except the two of the pair, in a given order : float64[multisets, 10]."""
        drawn = self.gone.astype(np.int64)
        drawn[:, self.rank] -= 2
        found = np.ones((len(drawn), RANKS))
        for up in range(RANKS):
            left = shoe.astype(float)
            left[self.rank] -= 2 + a
            left[up] -= 1
            if left.min() < 0:
                found[:, up] = 0.0
                continue
            for rank in range(RANKS):
                for k in range(int(drawn[:, rank].max())):
                    found[:, up] *= np.where(drawn[:, rank] > k, max(left[rank] - k, 0.0), 1.0)
            cards = drawn.sum(1)
            for k in range(int(cards.max())):
                found[:, up] /= np.where(cards > k, max(left.sum() - k, 1.0), 1.0)
        return found
