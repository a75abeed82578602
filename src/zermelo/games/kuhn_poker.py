"""Kuhn poker: one card each, one bet (Kuhn 1950).

Both put in 1, and each gets a card that only he sees. The first player checks or bets 1; after a bet the second folds or calls; after a
check the second checks or bets, and a bet leaves the first player to fold or call. The higher card wins the pot.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.games.hand_pictures import hands, stakes

NOT_YET = -1
CHECK, BET = 0, 1  # after a bet: to fold, to call


class State(NamedTuple):
    first: int  # the first player's card; -1 before the deal
    second: int
    moves: tuple[int, int, int]  # in turn; -1 where nobody has moved yet


class KuhnPoker(NamedTuple):
    """The value is what the first player wins on average: with three cards he loses 1/18."""

    cards: Annotated[int, "cards in the deck, 0 the lowest", range(2, 1001)] = 3

    def title(self) -> str:
        return f"Kuhn poker: {self.cards} cards"

    def payoff_unit(self) -> str:
        return "chips"

    def start(self) -> State:
        return State(NOT_YET, NOT_YET, (NOT_YET, NOT_YET, NOT_YET))

    def player(self, s: State) -> int:
        return 1 if s.moves[0] != NOT_YET and s.moves[1] == NOT_YET else 0

    def sees(self, s: State, player: int) -> Iterator[int]:
        yield s.first if player == 0 else s.second
        for move in s.moves:  # noqa: UP028
            yield move

    def actions(self, s: State) -> Iterator[int]:
        answered = s.moves[0] == CHECK and s.moves[1] == BET and s.moves[2] == NOT_YET
        if s.moves[1] == NOT_YET or answered:
            yield CHECK
            if s.first != NOT_YET:
                yield BET

    def outcomes(self, s: State, move: int) -> Iterator[tuple[int, int, State]]:
        if s.first == NOT_YET:  # the deal
            for first in range(self.cards):
                for second in range(self.cards):
                    yield int(first != second), 0, State(first, second, s.moves)
        elif s.moves[0] == NOT_YET:
            yield 1, 0, State(s.first, s.second, (move, NOT_YET, NOT_YET))
        elif s.moves[1] == NOT_YET:
            yield 1, 0, State(s.first, s.second, (s.moves[0], move, NOT_YET))
        else:
            yield 1, 0, State(s.first, s.second, (s.moves[0], s.moves[1], move))

    def payoff(self, s: State) -> int:
        if s.moves == (BET, CHECK, NOT_YET):
            return 1
        if s.moves == (CHECK, BET, CHECK):
            return -1
        stake = 2 if s.moves[1] == BET else 1
        return stake if s.first > s.second else -stake

    def show(self, s: State, player: int = -1) -> str:
        if s.first == NOT_YET:
            return "before the deal"
        cards = f"first has {s.first}, second has {s.second}" if player < 0 else f"you have {(s.first, s.second)[player]}"
        return f"{cards}: {self.said(s)}"

    def said(self, s: State) -> str:
        words, said = [], ""
        for k, move in enumerate(s.moves):
            if move != NOT_YET:
                words.append(("folds" if said == "bets" else "checks", "calls" if said == "bets" else "bets")[move])
                said = words[-1] if k < 2 else ""
        return ", ".join(words) or "nothing said yet"

    def picture(self, s: State, player: int = -1) -> Iterator[dict[str, Any]]:
        yield from hands(([str(card)] if card != NOT_YET else [] for card in (s.first, s.second)), player)
        yield from stakes((1 + s.moves[::2].count(BET), 1 + s.moves[1::2].count(BET)))
        yield {"kind": "facts", "facts": [("so far", self.said(s))]}

    def action_name(self, move: int) -> str:
        return ("check or fold", "bet or call")[move]


KuhnPoker.State = State  # type: ignore[attr-defined]


def OneCardPoker() -> KuhnPoker:
    """Kuhn poker with the thirteen ranks of a suit."""
    return KuhnPoker(13)
