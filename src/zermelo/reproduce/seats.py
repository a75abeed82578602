"""Published numbers about Left-Center-Right and Dreidel."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from zermelo.games import Dreidel, LeftCenterRight
from zermelo.games.dreidel_reach import possible, reached
from zermelo.games.seat_views import win_probabilities
from zermelo.reproduce.claim import Bench, Claim, Tally, agrees_in_last_digit, tally
from zermelo.reproduce.printed_seats import DREIDEL_REFERENCE, LCR, LCR_REFERENCE, LCR_SEVEN

LCR_POST = "Possibly Wrong, Analysis of Left-Center-Right"
DREIDEL_POST = "Possibly Wrong, Exact analysis of Dreidel"


def expected(game: Any) -> Callable[[Bench], Any]:
    """Expected turns or spins."""
    return lambda bench: next(iter(bench.solve(game).payoffs.values()))


def wins(players: int) -> Callable[[Bench], Tally]:
    def compute(bench: Bench) -> Tally:
        found = win_probabilities(bench.solve(LeftCenterRight(players)))
        seats = range(1, players + 1)
        return tally([(f"seat {i}", text, p) for i, text, p in zip(seats, LCR[players][1:], found, strict=True)])

    return compute


def seat(players: int, i: int) -> Callable[[Bench], Any]:
    return lambda bench: win_probabilities(bench.solve(LeftCenterRight(players)))[i]


def all_of(games: Iterable[tuple[Any, str]]) -> Callable[[Bench], Tally]:
    """Expected length and winning probabilities of many games, cut off after their last digit."""

    def compute(bench: Bench) -> Tally:
        pairs = []
        for game, text in games:
            payoffs = bench.solve(game).payoffs.values()
            pairs += [(str(game), t, float(v)) for t, v in zip(text.split(), payoffs, strict=True)]
        return tally(pairs, agrees_in_last_digit, "expected length and every seat's chance")

    return compute


def net(coins: int, seat: int) -> Callable[[Bench], Any]:
    """Coins that a seat of a game of four wins on average."""

    def compute(bench: Bench) -> Any:
        solution = bench.solve(Dreidel(4, coins))
        return solution.game.net_return(win_probabilities(solution)[seat])

    return compute


def lcr(name: str, source: str, what: str, printed: str, compute: Any, right: str = "", why: str = "", mistake: Any = None) -> Claim:
    return Claim(f"left-center-right.{name}", "left-center-right", source, what, printed, compute, right, why, mistake)


def dreidel(name: str, source: str, what: str, printed: str, compute: Any) -> Claim:
    return Claim(f"dreidel.{name}", "dreidel", source, what, printed, compute)


LCR_GAMES = [(LeftCenterRight(players, chips), text) for (players, chips), text in LCR_REFERENCE.items()]
DREIDEL_GAMES = [(Dreidel(*parameters), text) for parameters, text in DREIDEL_REFERENCE.items()]

LCR_DIFFERS = (
    "the printed column sums to 1.000018; the author's public program stops at a residual of 1e-7 of the right side, and its numbers are "
    "those printed here, except for a unit of the last digit (docs/chance.md has what was tried)"
)

CLAIMS = (
    lcr("2", LCR_POST, "2 players: expected turns", LCR[2][0], expected(LeftCenterRight(2))),
    lcr("3", LCR_POST, "3 players: expected turns", LCR[3][0], expected(LeftCenterRight(3))),
    lcr("4", LCR_POST, "4 players: expected turns", LCR[4][0], expected(LeftCenterRight(4)), "28.94543",
        "28.9454256822984... was cut off, not rounded", lambda bench: math.floor(expected(LeftCenterRight(4))(bench) * 10**5) / 10**5),
    *(lcr(str(n), LCR_POST, f"{n} players: expected turns", LCR[n][0], expected(LeftCenterRight(n))) for n in (5, 6, 7)),
    *(lcr(f"{n}-wins", LCR_POST, f"{n} players: chance of each seat", f"{n} figures", wins(n)) for n in range(2, 7)),
    *(
        lcr(f"7-wins-{i + 1}", LCR_POST, f"7 players: chance of seat {i + 1}", printed, seat(7, i),
            *(() if printed == right else (right, LCR_DIFFERS)))
        for i, (printed, right) in enumerate(zip(LCR[7][1:], LCR_SEVEN, strict=True))
    ),
    lcr("reference", "this project's lcr.json", "2 to 7 players, 1 to 3 chips, 12 decimals",
        f"{len(LCR_GAMES)} games", all_of(LCR_GAMES)),
    *(
        dreidel(f"{seat}-{coins}", DREIDEL_POST, f"4 players, {coins} coins: net coins won by the {who} player, about",
                printed, net(coins, seat))
        for coins in (2, 5) for seat, who, printed in ((0, "first", "0.5"), (3, "last", "-0.5"))
    ),
    dreidel("reachable", DREIDEL_POST, "4 players, 5 coins: ways to share the coins (the pot not empty) that can't come about", "0",
            lambda bench: len(possible(Dreidel(4, 5)) - reached(Dreidel(4, 5)))),
    dreidel("reference", "this project's dreidel.json", "2 to 4 players, all variants, 12 digits",
            f"{len(DREIDEL_GAMES)} games", all_of(DREIDEL_GAMES)),
)  # fmt: skip
