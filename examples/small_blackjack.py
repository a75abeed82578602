"""Blackjack from a small shoe, without splitting, as ordinary rules.

    zermelo solve examples/small_blackjack.py

A referee for `zermelo blackjack`, which knows nothing of this file: both must find the same value. Cards are drawn one by one. Where
the dealer has looked and has no blackjack, the hole card can't be the one that would make it, and any card that the player draws is a
little more likely to be it: a card of rank r comes in s_r (n - 1 - s_x + [r = x]) ways, where x is the rank that would make the blackjack.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

STAND, HIT, DOUBLE = range(3)
DEAL, LOOK, PLAY, DEALER, OVER = range(5)
RANKS, TEN, NOBODY = 10, 9, 10


class Table(NamedTuple):
    left: tuple[int, ...]  # cards in the shoe, of rank A, 2, ..., 10
    phase: int
    up: int  # rank of the dealer's card; NOBODY before it is dealt
    points: int  # of the player, aces as 1
    ace: bool
    cards: int
    dealer: int  # points, aces as 1
    dealer_ace: bool
    hole: bool  # whether the dealer's second card is known
    stake: int


class SmallBlackjack(NamedTuple):
    """Blackjack without splitting, from a shoe of few cards."""

    shoe: Annotated[tuple[int, ...], "cards by rank: A, 2, ..., 10"] = (2, 1, 1, 1, 2, 1, 1, 1, 1, 5)
    hits_soft_17: Annotated[bool, "the dealer hits a soft 17"] = False
    peek: Annotated[bool, "the dealer looks for a blackjack first"] = True

    def start(self) -> Table:
        return Table(self.shoe, DEAL, NOBODY, 0, False, 0, 0, False, False, 1)

    def actions(self, s: Table) -> Iterator[int]:
        if s.phase == DEAL or s.phase == LOOK or s.phase == DEALER:
            yield STAND
        if s.phase == PLAY:
            yield STAND
            if s.points < 21:
                yield HIT
            if s.cards == 2:
                yield DOUBLE

    def outcomes(self, s: Table, action: int) -> Iterator[tuple[int, float, Table]]:
        if s.phase == DEAL:
            for r in range(RANKS):
                if s.left[r] > 0:
                    yield s.left[r], 0, self.dealt(s, r)
        elif s.phase == LOOK:
            n, x = 0, self.missing(s.up)
            for r in range(RANKS):
                n += s.left[r]
            there = s.left[x] if x != NOBODY else 0
            yield there, (0 if s.ace and s.points == 11 else -1), s._replace(phase=OVER)
            yield n - there, 0, s._replace(phase=PLAY)
        elif s.phase == PLAY and action == STAND:
            yield 1, 0, s._replace(phase=DEALER)
        elif s.phase == PLAY:
            for r in range(RANKS):
                if s.left[r] > 0:
                    yield self.ways(s, r), 0, self.drawn(s, r, action)
        else:
            for r in range(RANKS):
                if s.left[r] > 0 and not (self.peek and not s.hole and r == self.missing(s.up)):
                    yield s.left[r], self.gain(s, r), self.dealer_drew(s, r)

    def dealt(self, s: Table, r: int) -> Table:
        """First the dealer's card, then two for the player, then the look for a blackjack."""
        left = s.left[:r] + (s.left[r] - 1,) + s.left[r + 1 :]
        if s.up == NOBODY:
            return s._replace(left=left, up=r, dealer=r + 1, dealer_ace=r == 0)
        cards = s.cards + 1
        phase = DEAL if cards < 2 else LOOK if self.peek else PLAY
        return s._replace(left=left, phase=phase, points=s.points + r + 1, ace=s.ace or r == 0, cards=cards)

    def drawn(self, s: Table, r: int, action: int) -> Table:
        left = s.left[:r] + (s.left[r] - 1,) + s.left[r + 1 :]
        points = s.points + r + 1
        phase = DEALER if action == DOUBLE or points > 21 else PLAY
        stake = 2 if action == DOUBLE else s.stake
        return s._replace(left=left, phase=phase, points=points, ace=s.ace or r == 0, cards=3, stake=stake)

    def dealer_drew(self, s: Table, r: int) -> Table:
        left = s.left[:r] + (s.left[r] - 1,) + s.left[r + 1 :]
        dealer, ace = s.dealer + r + 1, s.dealer_ace or r == 0
        phase = OVER if self.stops(dealer, ace) or s.points > 21 else DEALER
        return s._replace(left=left, phase=phase, dealer=dealer, dealer_ace=ace, hole=True)

    def missing(self, up: int) -> int:
        """The rank that would make a blackjack of the up card."""
        return TEN if up == 0 else 0 if up == TEN else NOBODY

    def ways(self, s: Table, r: int) -> int:
        x = self.missing(s.up)
        if not self.peek or x == NOBODY:
            return s.left[r]
        n = 0
        for count in s.left:
            n += count
        return s.left[r] * (n - 1 - s.left[x] + (1 if r == x else 0))

    def stops(self, points: int, ace: bool) -> bool:
        soft = ace and points <= 11
        total = points + 10 if soft else points
        return total > 17 or (total == 17 and not (soft and self.hits_soft_17))

    def gain(self, s: Table, r: int) -> float:
        """What the player gets when this card ends the round; 0 while it goes on."""
        dealer, ace = s.dealer + r + 1, s.dealer_ace or r == 0
        natural = not s.hole and r == self.missing(s.up)  # only where nobody has looked
        total = s.points + 10 if s.ace and s.points <= 11 else s.points
        theirs = dealer + 10 if ace and dealer <= 11 else dealer
        won = 0.0
        if s.cards == 2 and s.stake == 1 and s.ace and s.points == 11:
            won = 0.0 if natural else 1.5 if not s.hole else 0.0
        elif natural or s.points > 21:
            won = -1.0 * s.stake
        elif self.stops(dealer, ace):
            won = 1.0 * s.stake if theirs > 21 or total > theirs else -1.0 * s.stake if total < theirs else 0.0
        return won
