"""Tables and pictures of games of pure chance around a table (Left-Center-Right, Dreidel): how fair is each seat?"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.basics.numbers import digits
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def win_probabilities(solution: Solution) -> list[float]:
    """The probability that each seat wins."""
    return [float(v) for name, v in solution.payoffs.items() if name.endswith(" wins")]


def seat_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    game = solution.game
    length, *seats = solution.payoffs
    rows = tuple(
        (
            i + 1,
            digits(solution.payoffs[name], *solution.bounds[name])[:14],
            100 * float(solution.payoffs[name]) * game.players - 100,
            float(game.net_return(float(solution.payoffs[name]))),
        )
        for i, name in enumerate(seats)
    )
    expected = digits(solution.payoffs[length], *solution.bounds[length])
    unit = "coins" if hasattr(game, "coins") else "chips"
    return Table(
        f"{type(game).__name__}, {game.players} players: {expected[:20]} {length} on average",
        ("seat", "wins with probability", "% above a fair share", f"net {unit} won"),
        rows,
        ("seat 1 moves first",),
        decimals=6,
    )


def seat_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    from zermelo.views.plot import BLUE, INK, RED, canvas

    game, wins = solution.game, win_probabilities(solution)
    fair = 1 / game.players
    length = next(iter(solution.payoffs))
    title = f"{type(game).__name__}, {game.players} players: who wins?"
    about = f"{float(solution.payoffs[length]):.4f} {length} on average.  Dashed: a fair share, {fair:.4g}"
    figure, axes = canvas(title, max(6, 1.3 * game.players), 5, about=about)
    seats = [f"seat {i + 1}" for i in range(game.players)]
    bars = axes.bar(seats, wins, color=[BLUE if w >= fair else RED for w in wins], width=0.65)
    axes.bar_label(bars, [f"{w:.5f}" for w in wins], label_type="center", fontsize=10, color="white", fontweight="bold")
    axes.axhline(fair, color=INK, linewidth=1.2, linestyle="--")
    axes.set(ylabel="probability to win", ylim=(0, 1.08 * max(wins)))
    return figure


TABLES = {"seats": View("how often each seat wins, and what it gains", seat_table)}
FIGURES = {"seats": View("how often each seat wins", seat_figure)}
