"""Tables and picture of coin patterns: how many sequences each pattern wins, and how the edge shrinks with the flips."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from zermelo.basics.numbers import in_full
from zermelo.basics.words import counted
from zermelo.games.coin_patterns import CoinPatterns
from zermelo.games.coin_patterns_counts import Counts, course, exact_counts, limit
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View, sampled
from zermelo.views.table import LIMIT, Table, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MARKED = 30  # flips up to which every number has its own mark


def title(game: CoinPatterns) -> str:
    coin = "a fair coin" if game.heads == game.tails else f"a coin biased {game.heads} : {game.tails}"
    return f"{game.first} against {game.second}, {counted(game.flips, 'flip')} of {coin}"


def counts_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    game = solution.game
    found = exact_counts(game)
    names = (f"first player, {game.first}", f"second player, {game.second}", "tie")
    rows = tuple(
        (name, float(p), in_full(Fraction(ways)))
        for name, p, ways in zip(names, found.probabilities, found, strict=True)
    )
    unit = "sequences" if game.heads == game.tails == 1 else "ways"
    total = f"{unit}, of {game.heads + game.tails}^{game.flips}"
    return Table(title(game), ("who wins", "probability", total), rows, decimals=15)


def flips_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    found = [*course(solution.game)]
    return thinned(lambda most: _flips_table(solution.game, found, most), LIMIT)


def _flips_table(game: CoinPatterns, found: list[Counts], most: int) -> Table:
    kept, note = sampled(np.arange(game.flips + 1), most)
    rows = tuple((int(n), *map(float, found[n].probabilities), found[n].edge * math.sqrt(n)) for n in kept)
    far = limit(game)
    notes = (
        "edge: P(first wins) - P(second wins)",
        *((f"edge * sqrt(flips) tends to {far:.9f}",) if far is not None else ()),
    )
    header = ("flips", f"{game.first} wins", f"{game.second} wins", "tie", "edge * sqrt(flips)")
    return Table(title(game), header, rows, notes + ((f"{note} of flips",) if note else ()), decimals=9)


def flips_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Who wins after 1, 2, 3, ... flips; and, where it has a limit, the edge times the root of the flips."""
    from zermelo.views.plot import BLUE, GREY, INK, ORANGE, RED, at_whole_numbers, canvas, minus

    game = solution.game
    found, far = [*course(game)], limit(game)
    n = np.arange(1, game.flips + 1)
    chances = np.array([[float(p) for p in counts.probabilities] for counts in found])
    first, second, tie = chances[-1]
    about = f"{title(game)}: {game.first} wins with probability {first:.6f}, {game.second} with {second:.6f}, a tie with {tie:.6f}"
    who, other = (game.first, game.second) if first > second else (game.second, game.first)
    headline = f"{who} wins more often than {other}" if first != second else f"{who} and {other} win equally often"
    figure, axes = canvas(headline, 8 if far is None else 12, 5, 1, 1 if far is None else 2, about, squeeze=False)
    lines = ((f"{game.first} wins", BLUE, 0), (f"{game.second} wins", ORANGE, 0.4), ("tie", GREY, 0.8))
    every = min(game.flips, MARKED)
    for chance, (name, colour, shift) in zip(chances[1:].T, lines, strict=True):  # at integers only, and side by side where two are equal
        axes[0, 0].plot(n[:every] * (1 + 0.04 * (shift - 0.4)), chance[:every], "o", color=colour, markersize=4, label=name)
        axes[0, 0].plot(n[every - 1 :], chance[every - 1 :], color=colour, linewidth=1.8)
    axes[0, 0].set(ylabel="probability", ylim=(0, 1))
    if far is not None:
        edges = np.array([counts.edge for counts in found[1:]])
        axes[0, 1].axhline(0, color=INK, linewidth=0.6)
        axes[0, 1].plot(n[:every], (edges * np.sqrt(n))[:every], "o", color=BLUE, markersize=4, label="computed")
        axes[0, 1].plot(n[every - 1 :], (edges * np.sqrt(n))[every - 1 :], color=BLUE, linewidth=1.8)
        axes[0, 1].axhline(far, color=RED, linewidth=1.2, linestyle="--", label=minus(f"limit {far:.6f}"))
        axes[0, 1].set(ylabel=f"(P({game.first} wins) $-$ P({game.second} wins)) $\\cdot\\ \\sqrt{{n}}$")
    for axis in axes.flat:
        axis.set(xlabel="flips n", xlim=(0.9, max(game.flips + 0.1, 2)))
        if game.flips > MARKED:
            axis.set(xscale="log", xlim=(0.9, game.flips))
            axis.xaxis.set_major_formatter("{x:g}")
        else:
            at_whole_numbers(axis.xaxis)
        axis.grid(alpha=0.25)
        axis.legend(frameon=False)
    return figure


TABLES = {
    "counts": View("how many sequences of flips each pattern wins, to the last digit", counts_table),
    "flips": View("who wins after fewer flips, and how the edge shrinks", flips_table),
}
FIGURES = {"flips": View("who wins after each number of flips, and how the edge shrinks", flips_figure)}
