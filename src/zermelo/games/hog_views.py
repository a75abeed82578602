"""Tables and pictures of Hog: how many dice to roll, and the cost of always rolling the same number."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.games.hog import Hog
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View, box_of, sampled
from zermelo.views.table import Table, thinned
from zermelo.views.words import finding

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_EVALUATED = 1_500_000  # states, each once a policy
SAMPLED = 20  # rows and columns of a table of scores


@lru_cache(maxsize=4)
def best_dice(solution: Solution) -> np.ndarray:
    """int[mine, theirs]: the number of dice to roll; 0 where no play comes."""
    goal = solution.game.goal
    return box_of(solution, solution.action_numbers, -1)[:goal, :goal] + 1


@lru_cache(maxsize=4)
def win_probabilities(solution: Solution) -> np.ndarray:
    """float64[mine, theirs]: that of the player to move; NaN where no play comes."""
    goal = solution.game.goal
    return (1 + box_of(solution, solution.values, np.nan)[:goal, :goal]) / 2


def mean_points(dice: int) -> Fraction:
    """Points of a turn on average: each of n dice shows 4 on average if none shows a 1."""
    return 4 * dice * Fraction(5, 6) ** dice


def dice_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The best number of dice, by both scores."""
    dice = best_dice(solution)
    cells = {at: int(n) or None for at, n in np.ndenumerate(dice)}
    title = f"{_name(solution)}: how many dice to roll"
    return _scores(solution, title, cells, decimals=0)


def win_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    cells = {at: None if np.isnan(p) else float(p) for at, p in np.ndenumerate(win_probabilities(solution))}
    return _scores(solution, f"{_name(solution)}: probability that the player to move wins", cells, decimals=4)


def _scores(solution: Solution, title: str, cells: dict[Any, Any], decimals: int) -> Table:
    return thinned(lambda limit: _some_scores(solution, title, cells, decimals, limit), SAMPLED)


def _some_scores(solution: Solution, title: str, cells: dict[Any, Any], decimals: int, limit: int) -> Table:
    scores, note = sampled(np.arange(solution.game.goal), limit)
    rows = tuple((int(m), *(cells[int(m), int(t)] for t in scores)) for m in scores)
    notes = ["rows: score of the player to move, columns: the opponent's"] + ([f"{note} of each score"] if note else [])
    return Table(title, ("mine \\ theirs", *(str(t) for t in scores)), rows, tuple(notes), decimals=decimals)


def always(dice: int) -> Callable[[Any], int]:
    """The policy that rolls this many dice in every turn."""
    return lambda s: dice


def is_small(solution: Solution) -> bool:
    """Whether every policy of always_table can be evaluated in a minute or so, all together."""
    game = solution.game
    return solution.has_states and game.most_dice * game.goal**2 <= MOST_EVALUATED


def always_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The cost of always rolling the same number of dice, compared with optimal play."""
    game, optimal = solution.game, float(solution.game.win_probability(solution.value))
    rows = []
    for dice in range(1, game.most_dice + 1):
        wins = float(game.win_probability(solution.evaluate(always(dice)).value))
        nothing = 1 - float(Fraction(5, 6) ** dice)
        rows.append((dice, float(mean_points(dice)), 100 * nothing, 100 * wins, 100 * (optimal - wins)))
    best = max(range(len(rows)), key=lambda i: rows[i][3])
    columns = ("dice", "points a turn", "% of turns score nothing", "% wins, moving first", "loss")
    notes = (f"against optimal play, which wins {100 * optimal:.6f} % moving first",)
    title = f"{_name(solution)}: always the same number of dice"
    return Table(title, columns, tuple(rows), notes, frozenset({(best, 3)}), "the most", decimals=6)


def _name(solution: Solution) -> str:
    game: Hog = solution.game
    return f"Hog to {game.goal}, with at most {game.most_dice} dice"


TABLES = {
    "dice": View("how many dice to roll, by both scores", dice_table, discounted=True),
    "always": View("what it costs always to roll the same number of dice", always_table, is_small),
    "win": View("the probability that the player to move wins, by both scores", win_table),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def dice_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Left how many dice to roll, right the probability to win, by both scores."""
    from zermelo.views.plot import canvas, chances, whole_numbers

    goal = solution.game.goal
    about = "white: scores that do not occur" if np.isnan(win_probabilities(solution)).any() else ""
    figure, (left, right) = canvas(finding(solution), 13, 5.8, 1, 2, "; ".join(filter(None, (_name(solution), about))))
    from matplotlib import colormaps  # after `canvas`, which loads matplotlib
    from matplotlib.colors import BoundaryNorm

    extent = (-0.5, goal - 0.5, -0.5, goal - 0.5)
    dice = np.where(best_dice(solution) > 0, best_dice(solution), np.nan)
    most = int(np.nanmax(dice))
    colours = colormaps["viridis"].resampled(most)
    edges = BoundaryNorm(np.arange(0.5, most + 1), most)
    image = left.imshow(dice, origin="lower", extent=extent, cmap=colours, norm=edges, interpolation="nearest")
    step = -(-most // 15)
    figure.colorbar(image, ax=left, label="dice", ticks=range(1, most + 1, step), shrink=0.9).minorticks_off()
    left.set_title("how many dice to roll", loc="left")
    chances(figure, right, win_probabilities(solution))
    right.set_title("the player to move wins", loc="left")
    for axes in (left, right):
        axes.set(xlabel="opponent's score", ylabel="score of the player to move")
    whole_numbers(left, right)
    return figure


FIGURES = {"dice": View("how many dice to roll, and who wins, by both scores", dice_figure)}
