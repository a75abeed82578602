"""The oracle of blackjack: card by card from left to right, in whole numbers, and none of the solver's ways to look at it.

Values are conditional on the dealer's having no blackjack, and so is every card drawn (peek). Split hands are played one after the other,
all cards on the table are known to be gone when the dealer draws, and nothing is said about what cards can be exchanged for. What a hand
brings is added up over all orders of the cards that nobody has seen; a value is this sum, divided by their number.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from math import factorial

from zermelo.games.blackjack import Option, Rules

RANKS, ACE, TEN = range(10), 0, 9


def add(cards, rank, n=1):
    return cards[:rank] + (cards[rank] + n,) + cards[rank + 1 :]


@cache
def total(hand):
    hard = sum((r + 1) * n for r, n in enumerate(hand))
    soft = hand[ACE] > 0 and hard <= 11
    return hard + 10 * soft, soft


def missing(up):
    return {ACE: TEN, TEN: ACE}.get(up)


class Naive:
    """One table, one up card; values, or with power 2 mean squares of given play.

    Shoes are what nobody has seen: without the up card and all cards on the table.
    """

    def __init__(self, rules: Rules, up: int, power: int = 1):
        self.rules, self.up, self.power = rules, up, power
        self.dealer = lru_cache(maxsize=None)(self._dealer)
        self.best = lru_cache(maxsize=None)(self._best)
        self.after_split = lru_cache(maxsize=None)(self._after_split)
        self.remembering = lru_cache(maxsize=None)(self._remembering)

    def orders(self, shoe):
        """Of the unseen cards, the dealer's hidden one first; given no blackjack where he has looked."""
        n, x = sum(shoe), missing(self.up) if self.rules.peek else None
        return factorial(n) if x is None else (n - shoe[x]) * factorial(n - 1) if n else 0

    def cards(self, shoe):
        """(in how many ways, rank) for the next card, where such orders are left."""
        for r in RANKS:
            if shoe[r] and self.orders(add(shoe, r, -1)):
                yield shoe[r], r

    def _dealer(self, shoe, hand):
        """{17, ..., 21, 22 for bust, 0 for a blackjack: orders of the unseen cards}."""
        points, soft = total(hand)
        if sum(hand) == 2 and points == 21:
            return {0: factorial(sum(shoe))}
        if points > 17 or (points == 17 and not (soft and self.rules.hits_soft_17)):
            return {min(points, 22): factorial(sum(shoe))}
        looked = missing(self.up) if sum(hand) == 1 and self.rules.peek else None
        found: dict = {}
        for r in RANKS:
            if shoe[r] and r != looked:
                for end, orders in self.dealer(add(shoe, r, -1), add(hand, r)).items():
                    found[end] = found.get(end, 0) + shoe[r] * orders
        return found

    def paid(self, shoe, hand, stake=1):
        """What a finished hand gets, to the given power, added up over all orders."""
        points = total(hand)[0]
        if points > 21 and self.rules.peek:
            return (-stake) ** self.power * self.orders(shoe)
        value = 0
        for end, orders in self.dealer(shoe, add((0,) * 10, self.up)).items():
            lost = points > 21 or end == 0 or (end <= 21 and points < end)
            value += orders * (stake * (-1 if lost else 1 if end == 22 or points > end else 0)) ** self.power
        return value

    def _best(self, shoe, hand):
        """{option: value times orders} of a hand that is not split."""
        found = {Option.STAND: self.paid(shoe, hand), Option.HIT: 0}
        double = self.rules.may_double(_Total(*total(hand)), sum(hand))
        if double:
            found[Option.DOUBLE] = 0
        for ways, r in self.cards(shoe):
            left, after = add(shoe, r, -1), add(hand, r)
            is_bust = total(after)[0] > 21
            found[Option.HIT] += ways * (self.paid(left, after) if is_bust else max(self.best(left, after).values()))
            if double:
                found[Option.DOUBLE] += ways * self.paid(left, after, 2)
        return found

    def plan(self, shoe, hand):
        """CDZ-: what is done with this hand before a split, as far as it is allowed after one. shoe: without this hand alone."""
        values = self.best(shoe, hand)
        allowed = [o for o in values if o is not Option.DOUBLE or self.rules.double_after_split]
        return max(allowed, key=lambda o: (values[o], -o))

    def split_with_memory(self, rank):
        """Two cards of a rank split once, played best by somebody who remembers all cards: the value of both hands."""
        self.rank = rank
        shoe = add(add(self.rules.cards, self.up, -1), rank, -2)
        return Fraction(self.remembering(shoe, (), (add((0,) * 10, rank),) * 2), self.orders(shoe))

    def _remembering(self, shoe, done, hands):
        if not hands:
            return self._after_split(shoe, done, hands)
        hand, rest = hands[0], hands[1:]
        over = total(hand)[0] > 21
        closed = sum(hand) > 1 and self.rank == ACE and not self.rules.hit_split_aces

        def then(stake, left, after):
            return self.remembering(left, tuple(sorted((*done, (total(after)[0], stake)))), rest)

        found = [] if sum(hand) == 1 else [then(1, shoe, hand)]
        if over or closed:
            return found[0]
        drawn = [(ways, add(shoe, r, -1), add(hand, r)) for ways, r in self.cards(shoe)]
        found.append(sum(ways * self.remembering(left, done, (after, *rest)) for ways, left, after in drawn))
        if self.rules.may_double(_Total(*total(hand)), sum(hand)) and self.rules.double_after_split:
            found.append(sum(ways * then(2, left, after) for ways, left, after in drawn))
        return max(found)

    def split(self, rank, plan):
        """Two cards of a rank split and split again. plan(hand): what is done with it."""
        self.rank, self.planned = rank, plan
        shoe = add(add(self.rules.cards, self.up, -1), rank, -2)
        return Fraction(self.after_split(shoe, (), (add((0,) * 10, rank),) * 2), self.orders(shoe))

    def _after_split(self, shoe, done, hands):
        """What all hands bring together, to the given power, added up over all orders.

        done: finished hands as (points, stake); hands: those to be played, the first one now.
        """
        if not hands:
            value = 0
            for end, orders in self.dealer(shoe, add((0,) * 10, self.up)).items():
                brought = 0
                for points, stake in done:
                    lost = points > 21 or end == 0 or (end <= 21 and points < end)
                    brought += stake * (-1 if lost else 1 if end == 22 or points > end else 0)
                value += orders * brought**self.power
            return value
        hand, rest = hands[0], hands[1:]
        cards = sum(hand)
        if cards == 1:
            what = Option.HIT
        elif cards == 2 and hand[self.rank] == 2 and len(done) + len(hands) < self.rules.most_hands(self.rank):
            single = add(hand, self.rank, -1)
            return self.after_split(shoe, done, (single, single, *rest))
        elif total(hand)[0] > 21 or (self.rank == ACE and not self.rules.hit_split_aces):
            what = Option.STAND
        else:
            what = self.planned(hand)
        if what is Option.STAND:
            return self.after_split(shoe, tuple(sorted((*done, (total(hand)[0], 1)))), rest)
        value = 0
        for ways, r in self.cards(shoe):
            left, after = add(shoe, r, -1), add(hand, r)
            if what is Option.DOUBLE:
                value += ways * self.after_split(left, tuple(sorted((*done, (total(after)[0], 2)))), rest)
            else:
                value += ways * self.after_split(left, done, (after, *rest))
        return value


class _Total:
    def __init__(self, points, soft):
        self.points, self.soft = points, soft
