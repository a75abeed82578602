"""Tables and pictures of Dreidel: those of any table of seats, and how length and fairness change with the coins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.games import seat_views
from zermelo.games.dreidel import Dreidel
from zermelo.games.dreidel_growth import Course, course, extrapolated, limit
from zermelo.games.dreidel_reach import is_small, reach_table
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SECONDS_A_SPIN = 8  # Robinson and Vijay 2006
MOST_STATES = 3_000_000  # of the largest game that is solved for a view: about ten seconds


def has_growth(solution: Solution) -> bool:
    """Whether there is more than one number of coins to look at, and the games can be solved while one waits."""
    return solution.game.coins > solution.game.min_coins + 1 and solution.statistics["states"] <= MOST_STATES


def coins_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    game: Dreidel = solution.game
    found, far = course(game, range(1, game.coins + 1)), limit(game.players, game.half_up)
    rows = [(c.coins, c.spins, c.deviation, c.spins * SECONDS_A_SPIN / 3600, *c.returns) for c in found]
    notes = [f"hours: {SECONDS_A_SPIN} seconds a spin", f"endless coins: seats win {listed(far)} on average"]
    seen = [extrapolated(*_returns(found, seat)) for seat in (0, game.players - 1)]
    if None not in seen:
        first, last = (f"{e.value:+.10f} +- {e.error:.0e}" for e in seen if e)
        notes.append(f"extrapolated from this table: first seat {first}, last seat {last}")
    seats = (f"seat {i + 1}" for i in range(game.players))
    header = ("coins", "spins", "deviation", "hours", *seats)
    return Table(f"{variant(game)}: coins won on average", header, tuple(rows), tuple(notes), decimals=8)


def listed(returns: tuple[float, ...]) -> str:
    return ", ".join(f"{r:+.10f}" for r in returns)


def variant(game: Dreidel) -> str:
    half = "" if game.half_up else ", halves rounded down"
    least = ", out with the last coin" if game.min_coins else ""
    return f"Dreidel, {game.players} players{half}{least}"


def _returns(found: list[Course], seat: int) -> tuple[np.ndarray, np.ndarray]:
    return np.array([float(c.coins) for c in found]), np.array([c.returns[seat] for c in found])


def coins_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Spins (and hours), and the net return of the first and the last seat, by coins, for 2, 3, ... players."""
    from zermelo.views.plot import BLUE, INK, RED, canvas

    game: Dreidel = solution.game
    tables = range(2, game.players + 1)
    found = {n: course(game._replace(players=n), range(1, game.coins + 1)) for n in tables}
    name = variant(game).replace(
        f"{game.players} players", f"2 to {game.players} players" if game.players > 2 else "2 players"
    )
    last = found[game.players][-1]
    who = "The first seat gains" if last.returns[0] > last.returns[-1] else "The last seat gains"
    many = f"{game.coins} coins each" if game.coins > 1 else "a coin each"
    title = f"{who}; {game.players} players with {many} spin {last.spins:,.0f} times"
    about = f"{name}. {last.spins:,.0f} spins take {last.spins * SECONDS_A_SPIN / 3600:.1f} hours, at {SECONDS_A_SPIN} seconds each"
    figure, (left, right) = canvas(title, 12, 5.2, 1, 2, about)
    most = max(last.spins, 1.0)
    for n in tables:
        coins = [c.coins for c in found[n]]
        left.plot(coins, [c.spins for c in found[n]], color=INK, marker="o", markersize=3.5, linewidth=1.2)
        if found[n][-1].spins > 0.03 * most:
            left.annotate(f" {n} players", (coins[-1], found[n][-1].spins), va="center", fontsize=9)
        far = limit(n, game.half_up)
        for seat, colour in ((0, BLUE), (n - 1, RED)):
            right.plot(*_returns(found[n], seat), color=colour, marker="o", markersize=3.5, linewidth=1.2)
            right.plot([0, game.coins], [far[seat]] * 2, color=colour, linewidth=0.8, linestyle="--", alpha=0.6)
            right.annotate(f" {n} players", (coins[-1], found[n][-1].returns[seat]), va="center", fontsize=9)
    left.set_title("spins until one player has everything", loc="left")
    right.set_title("who gains by the seat", loc="left")
    ends = [right.plot([], [], color=colour, linestyle=style, marker=mark, label=label)[0] for colour, style, mark, label in (
        (BLUE, "-", "o", "the first seat"), (RED, "-", "o", "the last seat"), (INK, "--", "", "limit for many coins"))]  # fmt: skip
    right.legend(handles=ends, frameon=False, fontsize=9, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.06))
    left.set(xlabel="coins of each player at the start", ylabel="spins on average", ylim=(0, None))
    right.axhline(0, color=INK, linewidth=0.6)
    right.set(xlabel="coins of each player at the start", ylabel="coins won on average")
    for axis in (left, right):
        axis.set_xlim(0, game.coins * 1.22)
        axis.xaxis.get_major_locator().set_params(integer=True)
        axis.grid(alpha=0.25)
    return figure


TABLES = {
    **seat_views.TABLES,
    "coins": View("how long it lasts and what each seat wins, by coins, and in the limit", coins_table, has_growth),
    "reach": View("which distributions of the coins can come about", reach_table, is_small),
}
FIGURES = {
    **seat_views.FIGURES,
    "coins": View("length and net return by coins, for 2, 3, ... players", coins_figure, has_growth),
}
