"""Dreidel: a spinning top, a pot, and a long wait for the end.

The traditional Hanukkah game; Robinson and Vijay 2006 ("Dreidel lasts O(n^2) spins"), Feinerman 1976 on its
unfairness; the variants are those of "Exact analysis of Dreidel game" (Possibly Wrong blog).
"""

from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

from zermelo.basics.words import counted


class State(NamedTuple):
    coins: Annotated[tuple[int, ...], "of each seat; fewer than `min_coins`: out of the game"]
    pot: Annotated[int, "coins in the middle"]
    player: Annotated[int, "the seat that spins next, from 0"]


class Dreidel(NamedTuple):
    """Everybody antes a coin into the pot, then all spin in turn. Four sides, equally likely:

    Nun does nothing; Gimel takes the pot; Hei takes half of it, an odd coin included if `half_up`; Shin pays one
    coin into it. When the pot is empty, all who are still in the game ante again. A player who must pay and can't is out;
    with `min_coins` 1, so is a player who pays their last coin. The last player in the game wins all coins.
    """

    players: Annotated[int, "players at the table", range(2, 9)] = 4
    coins: Annotated[int, "coins of each player before the first ante", range(1, 101)] = 10
    half_up: Annotated[bool, "half of an odd pot is rounded up"] = True
    min_coins: Annotated[int, "coins that a player must have to stay in the game", (0, 1)] = 0

    def title(self) -> str:
        down = "" if self.half_up else ", half of an odd pot rounded down"
        least = f", at least {self.min_coins} to stay in" if self.min_coins else ""
        return f"Dreidel: {self.players} players, {counted(self.coins, 'coin')} each{down}{least}"

    def payoffs(self) -> tuple[str, ...]:
        return ("spins", *self.seats())

    def seats(self) -> tuple[str, ...]:
        return tuple(f"seat {i + 1} wins" for i in range(self.players))

    def start(self) -> State:
        if self.coins <= self.min_coins:
            raise ValueError("with min_coins=1 each player needs 2 coins or more: the first ante takes one")
        return State((self.coins - 1,) * self.players, self.players, 0)

    def outcomes(self, s: State) -> Iterator[tuple[int, tuple[int, ...], State]]:
        if self.players_in(s.coins) > 1:
            spin = (1,) + (0,) * self.players
            yield 1, spin, State(s.coins, s.pot, self.next_player(s.coins, s.player))  # Nun
            yield 1, spin, self.takes(s, s.pot)  # Gimel
            yield 1, spin, self.takes(s, (s.pot + (1 if self.half_up else 0)) // 2)  # Hei
            yield 1, spin, self.pays(s)  # Shin

    def stage(self, s: State) -> int:
        """Players who are out: they never come back."""
        return self.players - self.players_in(s.coins)

    def space(self, stage: int) -> tuple[Any, ...] | None:
        """All ways to share the coins among this many players and the pot, the seat to spin being the first."""
        from zermelo.spaces import words

        if stage >= self.players:
            return None
        coins, least = self.players * self.coins, self.min_coins

        def counted(so_far: tuple[int, int], held: int) -> tuple[int, int] | None:
            total, out = so_far[0] + max(held, 0), so_far[1] + (held < least)
            return (total, out) if total <= coins and out <= stage else None

        seats = (range(least, coins),) + (range(least - 1, coins),) * (self.players - 1)
        pot = range(1, coins + 1)
        return words((*seats, pot), (0, 0), counted, lambda so_far: so_far == (coins, stage)), range(1)

    def turned(self, s: State) -> tuple[State, int]:
        """The same table with the seat to spin as the first."""
        coins = tuple(s.coins[(s.player + i) % self.players] for i in range(self.players))
        return State(coins, s.pot, 0), s.player

    def takes(self, s: State, amount: int) -> State:
        """The player takes coins from the pot; if that empties it, everybody antes."""
        coins = tuple(s.coins[i] + (amount if i == s.player else 0) for i in range(self.players))
        pot = s.pot - amount
        if pot == 0:
            for i in range(self.players):
                pot += 1 if coins[i] > 0 else 0
            coins = tuple(self.after_paying(coins[i]) for i in range(self.players))
        return State(coins, pot, self.next_player(coins, s.player))

    def pays(self, s: State) -> State:
        """The player pays a coin into the pot, or is out."""
        held = s.coins[s.player]
        coins = s.coins[: s.player] + (self.after_paying(held),) + s.coins[s.player + 1 :]
        return State(coins, s.pot + (1 if held > 0 else 0), self.next_player(coins, s.player))

    def after_paying(self, held: int) -> int:
        """The coins of a seat after it pays one; `min_coins` - 1 means that it is out, and stays out."""
        return max(held - 1, self.min_coins - 1)

    def players_in(self, coins: tuple[int, ...]) -> int:
        n = 0
        for i in range(self.players):
            if coins[i] >= self.min_coins:
                n += 1
        return n

    def next_player(self, coins: tuple[int, ...], player: int) -> int:
        """The next seat in turn that is in the game."""
        player = (player + 1) % self.players
        while coins[player] < self.min_coins:
            player = (player + 1) % self.players
        return player

    def payoff(self, s: State) -> tuple[int, ...]:
        return (0,) + tuple((1 if s.coins[i] >= self.min_coins else 0) for i in range(self.players))

    def net_return(self, win_probability: float) -> float:
        """Coins that a seat wins on average, less those it brought."""
        return (win_probability * self.players - 1) * self.coins

    def picture(self, s: State) -> dict[str, Any]:
        seats = [{"coins": max(n, 0), "turn": i == s.player, "out": n < self.min_coins} for i, n in enumerate(s.coins)]
        return {"kind": "seats", "seats": seats, "middle": {"label": "pot", "coins": s.pot}}

    def show(self, s: State) -> str:
        held = ", ".join(f"seat {i + 1}: {'out' if n < self.min_coins else n}" for i, n in enumerate(s.coins))
        return f"{held}; pot: {s.pot}; seat {s.player + 1} to spin"


Dreidel.State = State  # type: ignore[attr-defined]
