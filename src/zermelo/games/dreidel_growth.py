"""Dreidel with more and more coins: how long it lasts, and what each seat wins in the limit.

"Exact analysis of Dreidel game" (Possibly Wrong blog) observed that a seat's average win, in coins, hardly depends on how many coins
everybody has, and conjectured that it converges. It does, and the limit is that of a game with endless coins, where nobody is ever out.

Let h_j(q) be the total future win of seat j, counted from the seat to spin, with q coins in the pot, including its share of the
pot. Since the sides of the dreidel are equally likely,

    h_j(q) = 1/4 sum over sides of (coins that seat j takes or pays + h_{j-1}(q')),    sum over j of h_j(q) = q.

During a game the coins of a seat plus its h form a martingale, until somebody is out. With many coins, which player is out first, and
where the others sit then, tends to be the same for all seats, so play from there on favours nobody in the limit:
the coins that seat j wins on average tend to h_j(start) - 1, since the ante has been paid. The rest falls as 1/coins. (The step from "tends
to be the same" is argued, not proven; values up to 100 coins, extrapolated independently, agree to 9 digits.)

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
    """Dreidel with a given number of coins each."""

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
    """The average win of each seat if everybody has infinitely many coins: h_j(players) - 1."""
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
    """The limit of the returns as 1/coins goes to 0: polynomials in 1/coins through the larger half. None for too few values."""
    kept = coins >= coins.max() / 2
    x, y = 1.0 / coins[kept], returns[kept]
    if len(y) < FEWEST:
        return None
    found = [float(np.polynomial.Polynomial.fit(x, y, degree)(0.0)) for degree in DEGREES]
    return Extrapolated(found[1], max(abs(v - found[1]) for v in found))
