"""Tables and pictures of games of pure chance around a table (Left-Center-Right, Dreidel): how fair is each seat?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.basics.numbers import digits
from zermelo.basics.words import game_in_words, name_in_words
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ALIKE = 1e-9  # chances that differ by less are called equal


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
        f"{name_in_words(game)}, {game.players} players: {expected[:20]} {length} on average",
        ("seat", "wins with probability", "% above a fair share", f"net {unit} won"),
        rows,
        ("seat 1 moves first",),
        decimals=6,
    )


def seat_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """How far every seat's chance is above or below a fair share, in percentage points."""
    from zermelo.views.plot import BLUE, GREY, INK, RED, canvas

    game, wins = solution.game, win_probabilities(solution)
    fair, best = 1 / game.players, int(np.argmax(wins))
    length = next(iter(solution.payoffs))
    title = f"Seat {best + 1} wins most often: {100 * wins[best]:.4g} %"
    if max(wins) - min(wins) < ALIKE:
        title = "All seats win equally often"
    about = f"{game_in_words(game)}. {float(solution.payoffs[length]):.4f} {length} on average; a fair share is {100 * fair:.4g} %"
    figure, axes = canvas(title, 9, max(2.8, 1.5 + 0.42 * game.players), about=about)
    above = [100 * (w - fair) for w in wins]
    for i, points in enumerate(above):
        colour = BLUE if points >= 0 else RED
        axes.plot([0, points], [i, i], color=GREY, linewidth=1.5, zorder=1)
        axes.plot(points, i, "o", color=colour, markersize=9, zorder=2)
        side = 1 if points >= 0 else -1
        axes.annotate(f"{100 * wins[i]:.3f} %", (points, i), (10 * side, 0), textcoords="offset points", va="center",
                      ha="left" if side > 0 else "right", fontsize=9)  # fmt: skip
    axes.axvline(0, color=INK, linewidth=1)
    most = max(map(abs, above)) or 1.0
    axes.set(xlabel="percentage points above a fair share", xlim=(-1.45 * most, 1.45 * most), ylim=(game.players - 0.4, -0.6))
    axes.set_yticks(range(game.players), [f"seat {i + 1}{', moves first' if i == 0 else ''}" for i in range(game.players)])
    return figure


TABLES = {"seats": View("how often each seat wins, and what it gains", seat_table)}
FIGURES = {"seats": View("how often each seat wins", seat_figure)}
