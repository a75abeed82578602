"""Left-Center-Right: a dice game of pure chance about who keeps the last chips.

Koplow Games 1992 (commercially "LCR"); the expected lengths are those of "Analysis of Left-Center-Right dice game"
(Possibly Wrong blog).
"""

from collections.abc import Iterator
from math import comb
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted


class State(NamedTuple):
    chips: Annotated[tuple[int, ...], "of each seat; the rest lies in the center"]
    player: Annotated[int, "the seat that rolls next, from 0; it has a chip"]


class LeftCenterRight(NamedTuple):
    """Roll a die for each chip you have: a 1 passes one to the left, a 2 to the center, a 3 to the right.

    The other faces keep it. At most `dice` dice are rolled. A player without chips is skipped, but may get chips
    again. The last player with chips wins all, those in the center too. A turn is a roll; skipped players don't
    count.
    """

    players: Annotated[int, "players at the table", range(2, 11)] = 3
    chips: Annotated[int, "chips of each player at the start", range(1, 11)] = 3
    dice: Annotated[int, "dice rolled in a turn at most", range(1, 11)] = 3

    def title(self) -> str:
        return f"Left-Center-Right: {self.players} players, {counted(self.chips, 'chip')} each, {counted(self.dice, 'die', 'dice')}"

    def payoffs(self) -> tuple[str, ...]:
        return ("turns", *self.seats())

    def seats(self) -> tuple[str, ...]:
        return tuple(f"seat {i + 1} wins" for i in range(self.players))

    def start(self) -> State:
        return State((self.chips,) * self.players, 0)

    def outcomes(self, s: State) -> Iterator[tuple[int, tuple[int, ...], State]]:
        if players_with_chips(s.chips) > 1:
            turn = (1,) + (0,) * self.players
            n = min(s.chips[s.player], self.dice)
            for left in range(n + 1):
                for right in range(n + 1 - left):
                    rest = n - left - right
                    ways = comb(n, left) * comb(n - left, right)
                    for center in range(rest + 1):
                        chips = self.passed(s, left, right, center)
                        where = next_with_chips(chips, s.player)
                        yield ways * comb(rest, center) * 3 ** (rest - center), turn, State(chips, where)

    def stage(self, s: State) -> int:
        """Chips in the center: they never come back."""
        center = self.players * self.chips
        for n in s.chips:
            center -= n
        return center

    def space(self, stage: int) -> tuple[Any, ...] | None:
        """All ways to hold the other chips, the seat to roll being the first."""
        from zermelo.spaces import compositions

        held = self.players * self.chips - stage
        return (compositions(held, self.players, (1,) + (0,) * (self.players - 1)), range(1)) if held else None

    def turned(self, s: State) -> tuple[State, int]:
        """The same table with the seat to roll as the first."""
        chips = tuple(s.chips[(s.player + i) % self.players] for i in range(self.players))
        return State(chips, 0), s.player

    def passed(self, s: State, left: int, right: int, center: int) -> tuple[int, ...]:
        """Everybody's chips after the player has passed these numbers to each side."""
        to_left = (s.player + 1) % self.players
        to_right = (s.player + self.players - 1) % self.players
        lost = left + right + center
        return tuple(
            s.chips[i]
            + (left if i == to_left else 0)
            + (right if i == to_right else 0)
            - (lost if i == s.player else 0)
            for i in range(self.players)
        )

    def payoff(self, s: State) -> tuple[int, ...]:
        return (0,) + tuple((1 if s.chips[i] > 0 else 0) for i in range(self.players))

    def net_return(self, win_probability: float) -> float:
        """Chips that a seat wins on average, less those it brought."""
        return (win_probability * self.players - 1) * self.chips

    def picture(self, s: State) -> dict[str, Any]:
        seats = [{"coins": n, "turn": i == s.player} for i, n in enumerate(s.chips)]
        return {"kind": "seats", "seats": seats, "middle": {"label": "center", "coins": self.players * self.chips - sum(s.chips)}}

    def show(self, s: State) -> str:
        held = ", ".join(f"seat {i + 1}: {n}" for i, n in enumerate(s.chips))
        return f"{held}; center: {self.players * self.chips - sum(s.chips)}; seat {s.player + 1} to roll"


LeftCenterRight.State = State  # type: ignore[attr-defined]


def players_with_chips(chips: tuple[int, ...]) -> int:
    n = 0
    for i in range(len(chips)):
        if chips[i] > 0:
            n += 1
    return n


def next_with_chips(chips: tuple[int, ...], player: int) -> int:
    """The next seat in turn that has a chip."""
    player = (player + 1) % len(chips)
    while chips[player] == 0:
        player = (player + 1) % len(chips)
    return player
