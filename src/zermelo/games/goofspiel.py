"""Goofspiel with hidden bids: bid a card for every prize, both at once, and learn only whose card was higher (Ross 1971).

Each player holds the cards 1 to n. The prizes n, n - 1, ..., 1 are bid for one after the other. Both bid a card; the higher one takes the
prize, and equal cards win it for nobody; the cards are gone, and neither player shows his bid.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted


class State(NamedTuple):
    bids: tuple[int, ...]  # of the first player, by prize; 0 before
    others: tuple[int, ...]
    round: int


class Goofspiel(NamedTuple):
    """The value is the first player's win minus the second's: 0, by symmetry, unless the second is ahead from the start."""

    cards: Annotated[int, "cards of each player", range(1, 7)] = 4
    shown: Annotated[bool, "bids are shown after every prize"] = False
    ahead: Annotated[int, "points by which the second player is ahead from the start", range(22)] = 0
    points: Annotated[bool, "points count; else who has more of them wins 1"] = True

    def title(self) -> str:
        shown = ", bids shown" if self.shown else ""
        ahead = f", the second player {self.ahead} ahead" if self.ahead else ""
        wins = "" if self.points else ", most points win"
        return f"Goofspiel: {counted(self.cards, 'card')} each{shown}{ahead}{wins}"

    def start(self) -> State:
        return State((0,) * self.cards, (0,) * self.cards, 0)

    def sees(self, s: State, player: int) -> Iterator[int]:
        yield s.round
        for at in range(self.cards):
            yield s.bids[at] if player == 0 else s.others[at]
            if self.shown:
                yield s.others[at] if player == 0 else s.bids[at]
            else:
                yield int(s.bids[at] > s.others[at]) - int(s.bids[at] < s.others[at])

    def actions(self, s: State) -> Iterator[int]:
        if s.round < self.cards:
            for card in range(1, self.cards + 1):
                if card not in s.bids:
                    yield card

    def other_actions(self, s: State) -> Iterator[int]:
        if s.round < self.cards:
            for card in range(1, self.cards + 1):
                if card not in s.others:
                    yield card

    def outcomes(self, s: State, bid: int, other: int) -> Iterator[tuple[int, int, State]]:
        bids = s.bids[: s.round] + (bid,) + s.bids[s.round + 1 :]
        others = s.others[: s.round] + (other,) + s.others[s.round + 1 :]
        yield 1, 0, State(bids, others, s.round + 1)

    def payoff(self, s: State) -> int:
        total = -self.ahead
        for at in range(self.cards):
            total += (self.cards - at) * (int(s.bids[at] > s.others[at]) - int(s.bids[at] < s.others[at]))
        return total if self.points else int(total > 0) - int(total < 0)

    def picture(self, s: State, player: int = -1) -> Iterator[dict[str, Any]]:
        """The prize, the cards that both still hold (the opponent's are not known unless they are shown), and the bids."""
        yield {"kind": "cards", "label": "the prize", "cards": [str(self.cards - s.round)] if s.round < self.cards else []}
        for owner, bids in enumerate((s.bids, s.others)):
            left = [str(card) for card in range(1, self.cards + 1) if card not in bids]
            is_known = self.shown or player in (-1, owner)
            found = [{"card": card, "place": card} if player == owner else card if is_known else None for card in left]
            yield {"kind": "cards", "owner": owner, "label": "left", "cards": found}
        pairs = list(zip(s.bids, s.others, strict=True))[: s.round]
        if player == 1:
            pairs = [(b, a) for a, b in pairs]
        is_told = self.shown or player < 0
        said = [f"{a} to {b}" if is_told else f"{a} ({('lost', 'tied', 'won')[(a > b) - (a < b) + 1]})" for a, b in pairs]
        yield {"kind": "facts", "facts": [(f"prize {self.cards - k}", text) for k, text in enumerate(said)]}

    def places(self, s: State, bid: int) -> Iterator[int]:
        yield bid

    def show(self, s: State, player: int = -1) -> str:
        pairs = ", ".join(f"{a} to {b}" for a, b in zip(s.bids[: s.round], s.others[: s.round], strict=True))
        if player >= 0 and not self.shown:
            own, other = (s.bids, s.others) if player == 0 else (s.others, s.bids)
            won = (("lost", "tied", "won")[(a > b) - (a < b) + 1] for a, b in zip(own, other, strict=True))
            pairs = ", ".join(f"{a} ({how})" for a, how in list(zip(own, won, strict=True))[: s.round])
        prize = f"the prize is {self.cards - s.round}" if s.round < self.cards else "no prize is left"
        return f"{prize}; bids so far: {pairs or 'none'}"


Goofspiel.State = State  # type: ignore[attr-defined]
