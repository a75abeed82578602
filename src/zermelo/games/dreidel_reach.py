"""Which distributions of the coins can come about at Dreidel: an exercise of the post, "Exact analysis of Dreidel game".

The answer: all with at least one coin in the pot, whichever players are out. The proof: players can spin in any order, since those between
them can spin Nun. (1) All who are to stay pay until they hold nothing, and the others once more, so that they are out. (2) One player after
another takes half of the pot repeatedly until one coin is left in it or they hold enough, and pays back any excess. The pot is never empty,
so nobody antes. (3) If only one player is to stay, two follow these steps, and the one who is to go takes nothing, pays, and is out. With
`min_coins` 1 players stop at one coin instead of none, and one distribution is missing: a single player left with one coin in the pot,
since the last player to go out has paid into a pot that was not empty.

`reached` finds the same by following all spins.
"""

from __future__ import annotations

from zermelo.games.dreidel import Dreidel, State
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix
from zermelo.views.table import Table

MOST = 200_000  # states that are followed, one by one


def reached(game: Dreidel) -> set[State]:
    """All states that play can reach, as the seat to spin sees them."""
    start = game.turned(game.start())[0]
    found, ahead = {start}, [start]
    while ahead:
        for _, _, after in game.outcomes(ahead.pop()):
            seen, _ = game.turned(after)
            if seen not in found:
                found.add(seen)
                ahead.append(seen)
    return found


def possible(game: Dreidel) -> set[State]:
    """All ways to share the coins among those who are still in the game and the pot, which is not empty; the first seat spins."""
    found = set()
    for stage in range(game.players):
        shares, _ = game.space(stage)  # type: ignore[misc]
        for i in range(len(shares)):
            *coins, pot = shares.unrank(i)
            found.add(State(tuple(coins), pot, 0))
    return found


def is_small(solution: Solution) -> bool:
    return bool(solution.statistics["states"] <= MOST)


def reach_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """How many distributions there are, and how many can be reached, by the number of players who are out."""
    game: Dreidel = solution.game
    every, found = possible(game), reached(game)
    rows, missing = [], sorted(every - found)
    for out in range(game.players):
        there = [s for s in every if game.stage(s) == out]
        lacking = "; ".join(game.show(s) for s in missing if game.stage(s) == out)
        rows.append((out, len(there), sum(s in found for s in there), lacking))
    notes = ("as the seat to spin sees them, at least one coin in the pot", f"reached: {len(found):,}, possible: {len(every):,}")
    columns = ("players out", "ways to share the coins", "can be reached", "can't")
    return Table(f"{game}: which distributions of coins can come about", columns, tuple(rows), notes)
