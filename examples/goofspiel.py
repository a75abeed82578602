"""Goofspiel: bid a card for every prize, both at once (Ross 1971).

`zermelo solve examples/goofspiel.py:Goofspiel --cards 5 --exact`. Each player holds the cards 1 to n, and so does a third pile, from
which prizes are turned up one by one. Both bid a card, hidden from each other; the higher one takes the prize, equal ones nobody. All
three cards are gone then. The solution is a mixture in nearly every state.
"""

from typing import Annotated, NamedTuple


class State(NamedTuple):
    ours: int  # cards still held, as bits
    theirs: int
    prizes: int  # still in the pile
    prize: int  # turned up, to be bid for; 0 before it is turned up


class Goofspiel(NamedTuple):
    """The value is how many points the first player wins more than the second."""

    cards: Annotated[int, "cards of each player", range(1, 8)] = 4

    def start(self):
        every = (1 << self.cards) - 1
        return State(every, every, every, 0)

    def actions(self, s):
        if s.prizes > 0 and s.prize == 0:
            yield 0
        for card in range(1, self.cards + 1):
            if s.prize > 0 and s.ours & 1 << card - 1:
                yield card

    def other_actions(self, s):
        if s.prizes > 0 and s.prize == 0:
            yield 0
        for card in range(1, self.cards + 1):
            if s.prize > 0 and s.theirs & 1 << card - 1:
                yield card

    def outcomes(self, s, bid, other):
        if s.prize == 0:
            for prize in range(1, self.cards + 1):
                yield s.prizes >> prize - 1 & 1, 0, State(s.ours, s.theirs, s.prizes ^ 1 << prize - 1, prize)
        else:
            paid = s.prize * ((bid > other) - (bid < other))
            yield 1, paid, State(s.ours ^ 1 << bid - 1, s.theirs ^ 1 << other - 1, s.prizes, 0)

    def show(self, s):
        first, second, left = (
            " ".join(str(c) for c in range(1, self.cards + 1) if bits >> c - 1 & 1) for bits in s[:3]
        )
        prize = f"for the prize of {s.prize}" if s.prize else f"prizes to come {left}" if left else "no prize left"
        return f"first {first or '-'}, second {second or '-'}, {prize}"
