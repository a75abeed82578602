"""Dreidel with more and more coins: how long it lasts, and what each seat wins in the limit.

"Exact analysis of Dreidel game" (Possibly Wrong blog) saw that what a seat wins on average, in coins, hardly depends on how many coins
everybody has, and conjectured that it converges. It does, and the limit is that of a game with endless coins, where nobody is ever out:

Let h_j(q) be what seat j, counted from the one to spin, wins from now on and for good with q coins in the pot, its share of what lies there
included. Each side of the dreidel being equally likely,

    h_j(q) = 1/4 sum over sides of (coins that seat j takes or pays + h_{j-1}(q')),    sum over j of h_j(q) = q.

Along a game the coins of a seat plus its h form a martingale, until somebody is out. Since who is out first, and where the
others sit then, tends to be the same for all seats when there are many coins, what happens from there on favours nobody in the limit:
the coins that seat j wins on average tend to h_j(start) - 1, the ante having been paid. The rest falls as 1/coins. (The step from "tends
to be the same" is argued, not proven; values up to 100 coins extrapolated by themselves agree to 9 digits.)

The pot grows by one coin at a time, each with a chance of 1/4, and is halved or taken otherwise: pots above POTS are so rare that
leaving them out changes nothing in the 14th digit.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

import zermelo
from zermelo.basics.progress import Progress, silent
from zermelo.games.dreidel import Dreidel

POTS = 80
DEGREES = (2, 3, 4)  # of the polynomials in 1/coins that are fitted
FEWEST = 10  # values to extrapolate from


class Course(NamedTuple):
    """Dreidel with so many coins each."""

    coins: int
    spins: float  # mean
    deviation: float  # standard deviation of the spins
    returns: tuple[float, ...]  # coins that each seat wins on average, less those it brought
    error: float  # of each return, at most


def course(game: Dreidel, coins: Iterable[int], progress: Progress = silent) -> list[Course]:
    """The same game with other numbers of coins; those that leave nobody in the game are left out."""
    wanted = [n for n in coins if n > game.min_coins]
    found = []
    for done, n in enumerate(wanted):
        solution = zermelo.solve(game._replace(coins=n))
        bounds = [solution.bounds[name] for name in game.seats()]
        found.append(
            Course(
                n,
                float(solution.value),
                solution.length.standard_deviation,
                tuple(solution.game.net_return(float(solution.payoffs[name])) for name in game.seats()),
                max(float(high) - float(low) for low, high in bounds) / 2 * game.players * n,
            )
        )
        progress("solving with more coins", done + 1, len(wanted))
    return found


def limit(players: int, half_up: bool = True, pots: int = POTS) -> tuple[float, ...]:
    """What each seat wins on average if everybody has endlessly many coins: h_j(players) - 1."""
    n = players * pots
    matrix, right = np.eye(n), np.zeros(n)

    def number(seat: int, pot: int) -> int:
        return seat % players * pots + min(pot, pots) - 1

    for seat in range(players):
        spins = 1 if seat == 0 else 0
        for pot in range(1, pots + 1):
            half = (pot + half_up) // 2
            takes = [(players, -1 + spins * pot), (pot - half, spins * half)]
            if half == pot:
                takes[1] = (players, -1 + spins * half)
            for after, gain in ((pot, 0), *takes, (pot + 1, -spins)):
                matrix[number(seat, pot), number(seat - 1, after)] -= 0.25
                right[number(seat, pot)] += 0.25 * gain
    matrix[0], right[0] = 0.0, players  # one equation follows from the others: the shares of a pot add up to it
    matrix[0, [number(seat, players) for seat in range(players)]] = 1.0
    share = np.linalg.solve(matrix, right)
    return tuple(float(share[number(seat, players)]) - 1 for seat in range(players))


class Extrapolated(NamedTuple):
    """A limit seen in computed values."""

    value: float
    error: float  # how far the polynomials that were fitted lie apart, and rounding; an estimate


def extrapolated(coins: np.ndarray, returns: np.ndarray) -> Extrapolated | None:
    """Where returns tend to as 1/coins does to 0: polynomials in 1/coins through the larger half. None for too few values."""
    kept = coins >= coins.max() / 2
    x, y = 1.0 / coins[kept], returns[kept]
    if len(y) < FEWEST:
        return None
    found = [float(np.polynomial.Polynomial.fit(x, y, degree)(0.0)) for degree in DEGREES]
    return Extrapolated(found[1], max(abs(v - found[1]) for v in found))
