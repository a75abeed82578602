"""A token game of our own: coins go around a table until one player has them all.

    zermelo solve examples/passing_coins.py --players 5 --coins 4

In turn everybody rolls a die. 1 or 2: give a coin to your left neighbour; 3: take one from your right neighbour; 4: put one into
the box, where it stays; 5 or 6: nothing. Whoever has no coin has nothing to give, but rolls. The last one with coins wins.

The coins in the box only become more: that is the stage. All seats are alike: of all positions that differ by
turning the table only the one is kept where the first seat is to roll.
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.spaces import compositions


class State(NamedTuple):
    coins: tuple[int, ...]  # of each seat; the rest lies in the box
    player: int  # who rolls


class PassingCoins(NamedTuple):
    players: Annotated[int, "players at the table", range(2, 9)] = 4
    coins: Annotated[int, "coins of each player at the start", range(1, 21)] = 3

    def payoffs(self) -> tuple[str, ...]:
        return ("turns", *self.seats())

    def seats(self) -> tuple[str, ...]:
        return tuple(f"seat {i + 1} wins" for i in range(self.players))

    def start(self) -> State:
        return State((self.coins,) * self.players, 0)

    def outcomes(self, s: State) -> Iterator[tuple[int, tuple[int, ...], State]]:
        holders = 0
        for n in s.coins:
            holders += 1 if n > 0 else 0
        if holders > 1:
            turn = (1,) + (0,) * self.players
            me = s.player
            left = (me + 1) % self.players
            right = (me + self.players - 1) % self.players
            yield 2, turn, self.moved(s, me, left)
            yield 1, turn, self.moved(s, right, me)
            yield 1, turn, self.moved(s, me, self.players)
            yield 2, turn, State(s.coins, left)

    def moved(self, s: State, giver: int, taker: int) -> State:
        """One coin changes hands, if the giver has one; the taker may be the box."""
        given = min(s.coins[giver], 1)
        coins = tuple(
            s.coins[i] + (given if i == taker else 0) - (given if i == giver else 0) for i in range(self.players)
        )
        return State(coins, (s.player + 1) % self.players)

    def payoff(self, s: State) -> tuple[int, ...]:
        return (0,) + tuple((1 if s.coins[i] > 0 else 0) for i in range(self.players))

    def stage(self, s: State) -> int:
        """Coins in the box."""
        box = self.players * self.coins
        for n in s.coins:
            box -= n
        return box

    def space(self, stage: int) -> tuple[Any, ...] | None:
        """The states of a stage: all ways to share the other coins, the first seat to roll."""
        left = self.players * self.coins - stage
        return (compositions(left, self.players), range(1)) if left > 0 else None

    def turned(self, s: State) -> tuple[State, int]:
        """The table turned so that the seat to roll is the first, and by how many seats."""
        coins = tuple(s.coins[(s.player + i) % self.players] for i in range(self.players))
        return State(coins, 0), s.player
