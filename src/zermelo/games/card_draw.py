"""Red and black: when to stop drawing cards from a deck that can't refill.

Shepp 1969 ("Explicit solutions to some problems of optimal stopping") on urns;
Gwern 2022 ("Problem 14") on the deck.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

STOP, DRAW = range(2)


class State(NamedTuple):
    red: Annotated[int, "winning cards left in the deck"]
    black: Annotated[int, "losing cards left in the deck"]


class CardDraw(NamedTuple):
    """Draw cards from a shuffled deck without putting them back: red pays $1, black costs $1. Stop at any time.

    The value is what a perfect player expects to win *from here on*; dollars won so far don't change what is best.
    """

    red: Annotated[int, "winning cards in the deck", range(1_000_000_001)] = 26
    black: Annotated[int, "losing cards in the deck", range(1_000_000_001)] = 26

    def title(self) -> str:
        return f"Card draw: {self.red:,} red and {self.black:,} black cards"

    def payoff_unit(self) -> str:
        return "$"

    def start(self) -> State:
        return State(self.red, self.black)

    def actions(self, s: State) -> Iterator[int]:
        if s.red + s.black > 0:
            yield STOP
            yield DRAW

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        if action == STOP:
            yield 1, 0, State(0, 0)
        else:
            yield s.red, +1, State(s.red - 1, s.black)
            yield s.black, -1, State(s.red, s.black - 1)

    def urn(self, s: State) -> tuple[int, int]:
        """The deck is an urn: red cards pay 1, black ones cost 1, and play may stop at any time. Lets large decks be solved by stages."""
        return s.red, s.black

    def show(self, s: State) -> str:
        return f"{s.red} red and {s.black} black cards left" if s.red + s.black else "no more cards are drawn"

    def picture(self, s: State) -> Iterator[dict[str, Any]]:
        """The deck, face down, and the cards left in it."""
        left = [{"card": suit, "count": n} for suit, n in (("♥", s.red), ("♠", s.black))]
        yield {"kind": "cards", "label": "draw", "place": "draw", "cards": [None] * min(s.red + s.black, 1)}
        yield {"kind": "cards", "label": "left in the deck", "cards": left}

    def places(self, s: State, action: int) -> Iterator[str]:
        if action == DRAW:
            yield "draw"

    def action_name(self, action: int) -> str:
        return "stop" if action == STOP else "draw"


CardDraw.State = State  # type: ignore[attr-defined]
