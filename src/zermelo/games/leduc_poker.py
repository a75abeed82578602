"""Leduc poker: a card each, a round of betting, a card for both, another round (Southey and others 2005).

Both put in 1 and get a card that only they see. In a round the first player begins; each checks, bets, calls, raises or folds, with at
most two raises a round, of 2 in the first and of 4 in the second. Between the rounds a card is laid on the table. A player with a card of
its rank wins; otherwise the higher card wins; equal ranks share the pot.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted
from zermelo.games.hand_pictures import hands, stakes

NONE = -1
FOLD, CALL, RAISE = range(3)  # to call nothing is to check; the first raise is a bet
DEAL, FIRST_ROUND, TURN, SECOND_ROUND, SHOWDOWN, FOLDED = range(6)
PHASES = ("before the deal", "first round", "the table's card comes", "second round", "showdown", "one has folded")


class State(NamedTuple):
    first: int  # ranks; -1 before the card is dealt
    second: int
    table: int
    phase: int
    checked: tuple[int, int]  # by round: whether the first player began with a check
    raises: tuple[int, int]  # by round


class LeducPoker(NamedTuple):
    """The value is what the first player wins on average."""

    ranks: Annotated[int, "ranks in the deck, 0 the lowest", range(2, 101)] = 3
    suits: Annotated[int, "cards of each rank", range(2, 11)] = 2
    raises: Annotated[int, "most raises in a round, the bet included", range(8)] = 2

    def title(self) -> str:
        return f"Leduc poker: {self.ranks} ranks, {self.suits} suits, at most {counted(self.raises, 'raise')} a round"

    def payoff_unit(self) -> str:
        return "chips"

    def start(self) -> State:
        return State(NONE, NONE, NONE, DEAL, (0, 0), (0, 0))

    def player(self, s: State) -> int:
        at = 1 if s.phase == SECOND_ROUND else 0
        return (s.checked[at] + s.raises[at]) % 2

    def sees(self, s: State, player: int) -> Iterator[int]:
        yield s.first if player == 0 else s.second
        yield s.table
        yield s.phase
        for at in range(2):
            yield s.checked[at]
            yield s.raises[at]

    def actions(self, s: State) -> Iterator[int]:
        at = 1 if s.phase == SECOND_ROUND else 0
        if s.phase == DEAL or s.phase == TURN:
            yield CALL
        elif s.phase < SHOWDOWN:
            if s.raises[at] > 0:
                yield FOLD
            yield CALL
            if s.raises[at] < self.raises:
                yield RAISE

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, int, State]]:
        at = 1 if s.phase == SECOND_ROUND else 0
        if s.phase == DEAL:
            for first in range(self.ranks):
                for second in range(self.ranks):
                    ways = self.suits * (self.suits - int(first == second))
                    yield ways, 0, State(first, second, NONE, FIRST_ROUND, s.checked, s.raises)
        elif s.phase == TURN:
            for table in range(self.ranks):
                ways = self.suits - int(s.first == table) - int(s.second == table)
                yield ways, 0, State(s.first, s.second, table, SECOND_ROUND, s.checked, s.raises)
        elif action == FOLD:
            yield 1, 0, State(s.first, s.second, s.table, FOLDED, s.checked, s.raises)
        elif action == RAISE:
            raises = (s.raises[0] + 1 - at, s.raises[1] + at)
            yield 1, 0, State(s.first, s.second, s.table, s.phase, s.checked, raises)
        elif s.raises[at] == 0 and s.checked[at] == 0:
            checked = (s.checked[0] + 1 - at, s.checked[1] + at)
            yield 1, 0, State(s.first, s.second, s.table, s.phase, checked, s.raises)
        else:
            yield 1, 0, State(s.first, s.second, s.table, s.phase + 1, s.checked, s.raises)

    def payoff(self, s: State) -> int:
        stake = 1 + 2 * s.raises[0] + 4 * s.raises[1]  # what each has put in, if both have put in the same
        if s.phase == FOLDED:
            at = 1 if s.table != NONE else 0
            stake -= 4 if at else 2
            return stake if (s.checked[at] + s.raises[at]) % 2 == 1 else -stake
        if s.first == s.second:
            return 0
        if s.second == s.table or (s.first != s.table and s.second > s.first):
            return -stake
        return stake

    def show(self, s: State, player: int = -1) -> str:
        if s.phase == DEAL:
            return "before the deal"
        table = f", {s.table} on the table" if s.table != NONE else ""
        cards = f"first has {s.first}, second has {s.second}" if player < 0 else f"you have {(s.first, s.second)[player]}"
        return f"{cards}{table}: {PHASES[s.phase]} ({'; '.join(self.said(s))})"

    def said(self, s: State) -> list[str]:
        """The actions of each round."""
        return [f"{'check, ' if c else ''}{r} raise{'' if r == 1 else 's'}" for c, r in zip(s.checked, s.raises, strict=True)]

    def picture(self, s: State, player: int = -1) -> Iterator[dict[str, Any]]:
        yield {"kind": "cards", "label": "on the table", "cards": [str(s.table)] if s.table != NONE else []}
        yield from hands(([str(card)] if card != NONE else [] for card in (s.first, s.second)), player)
        at = 0 if s.table == NONE else 1
        stake, mover = 1 + 2 * s.raises[0] + 4 * s.raises[1], (s.checked[at] + s.raises[at]) % 2
        owing = (2 + 2 * at) * int(s.raises[at] > 0 and s.phase in (FIRST_ROUND, SECOND_ROUND, FOLDED))
        yield from stakes((stake - owing * int(mover == 0), stake - owing * int(mover == 1)))
        yield {"kind": "facts", "facts": [(PHASES[s.phase], "; ".join(self.said(s)[: at + 1]))]}

    def action_name(self, action: int) -> str:
        return ("fold", "check or call", "bet or raise")[action]


LeducPoker.State = State  # type: ignore[attr-defined]
