"""Tables and pictures of Hog with simultaneous turns: how many dice, and how they are mixed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.words import no_such
from zermelo.errors import ParameterError
from zermelo.games.dice_sums import so_many_dice
from zermelo.games.hog_simultaneous import State
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View, sampled
from zermelo.views.table import Table, thinned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WRITTEN = 0.12  # share of a bar from which on its number of dice is written into it
LIGHT = 0.75  # of the colour map: lighter colours are written on in dark
SAMPLED = 12  # rows and columns of a table of scores
LEAST = 5e-4  # probability of a number of dice that is shown
PERCENT = 5e-3  # where probabilities are shown in whole percent


def choosing(solution: Solution) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The states in which both choose: the scores of both, and the state's index in the solution's space."""
    columns = solution.space.columns
    goal = solution.game.goal
    chooses = (columns["waiting"] == 0) & (columns["first"] < goal) & (columns["second"] < goal)
    index = np.flatnonzero(chooses)
    return columns["first"][index], columns["second"][index], index


def mean_dice(solution: Solution) -> np.ndarray:
    """The mean number of dice of the first player, [first, second]; NaN for scores that do not occur."""
    goal = solution.game.goal
    found = np.full((goal, goal), np.nan)
    for first, second, index in zip(*choosing(solution), strict=True):
        own = solution.mixtures_at(int(index))[0]
        found[first, second] = sum(n * float(p) for n, p in enumerate(own, 1))
    return found


def used(solution: Solution, first: int, second: int) -> dict[int, float]:
    """How often the first player rolls how many dice, those that are used at all."""
    mixture = solution.probe(State(first, second, 0)).mixture or {}
    return {n: float(p) for n, p in mixture.items() if p >= LEAST}


def dice_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The number of dice that the first player rolls, by both scores."""
    return thinned(lambda limit: _dice_table(solution, limit), SAMPLED)


def _dice_table(solution: Solution, limit: int) -> Table:
    first, second, index = choosing(solution)
    kept = [sampled(np.unique(scores), limit) for scores in (first, second)]
    at = {(int(a), int(b)): int(i) for a, b, i in zip(first, second, index, strict=True)}
    rows = tuple(
        (int(a), *(_shares(solution, at[int(a), int(b)]) if (int(a), int(b)) in at else None for b in kept[1][0]))
        for a in kept[0][0]
    )
    notes = [
        "rows: score of the first player, columns: of the second; dice of the first player, the likeliest first, in percent"
    ]
    notes += [
        f"{note} of the {which} score" for which, (_, note) in zip(("first", "second"), kept, strict=True) if note
    ]
    return Table(
        f"{_name(solution)}: how many dice", ("first \\ second", *(str(b) for b in kept[1][0])), rows, tuple(notes)
    )


def _shares(solution: Solution, index: int) -> str:
    own = solution.mixtures_at(index)[0]
    shares = sorted(((float(p), n) for n, p in enumerate(own, 1) if p >= PERCENT), reverse=True)
    return str(shares[0][1]) if len(shares) == 1 else " ".join(f"{n}:{100 * p:.0f}" for p, n in shares)


def end_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The mixture of the first player along one score of the second."""
    scores, second = _line(solution, fix)
    mixtures = [used(solution, a, second) for a in scores]
    dice = sorted({n for m in mixtures for n in m})
    rows = tuple(
        (
            a,
            *(100 * m[n] if n in m else None for n in dice),
            float(solution.game.win_probability(_value(solution, a, second))),
        )
        for a, m in zip(scores, mixtures, strict=True)
    )
    title = f"{_name(solution)}: dice of the first player against {second}, in percent"
    notes = ("another score of the second player: --fix second=N",)
    return Table(title, ("first", *(so_many_dice(n) for n in dice), "wins"), rows, notes, decimals=4)


def _value(solution: Solution, first: int, second: int) -> float:
    return float(solution.probe(State(first, second, 0)).value)


def _line(solution: Solution, fix: Fix) -> tuple[list[int], int]:
    """Scores of the first player against one score of the second: the highest that occurs, unless it is fixed."""
    for name in fix:
        if name != "second":
            raise ParameterError(no_such("field", name, ("second",), "this view"))
    first, second, _ = choosing(solution)
    against = fix.get("second", int(second.max()))
    scores = np.unique(first[second == against])
    if not scores.size:
        raise ParameterError(f"no play of {_name(solution)} leads to a choice at {against} points of the second player")
    return [int(a) for a in sampled(scores, 40)[0]], against


def _name(solution: Solution) -> str:
    return f"Simultaneous Hog to {solution.game.goal}"


TABLES = {
    "dice": View("how many dice, by both scores", dice_table, discounted=True),
    "end": View("the mixture of the first player against one score of the second", end_table, takes_fix=("second",)),
}


# --- pictures ---------------------------------------------------------------------------------------------------------


def mixture_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """Left the mean number of dice by both scores; right the mixture at equal scores."""
    from zermelo.views.plot import MAP, at_whole_numbers, canvas, whole_numbers

    goal, mean = solution.game.goal, mean_dice(solution)
    about = "white: scores that do not occur" if np.isnan(mean).any() else ""
    equal = [a for a in range(goal) if not np.isnan(mean[a, a])][-40:]
    mixtures = [used(solution, a, a) for a in equal]
    is_mixed = any(len(m) > 1 for m in mixtures)
    what = "near the end the number of dice is mixed" if is_mixed else "how many dice the first player rolls"
    figure, (left, right) = canvas(f"{_name(solution)}: {what}", 13, 6, 1, 2, about)
    extent = (-0.5, goal - 0.5, -0.5, goal - 0.5)
    most = max(2, solution.game.most_dice)
    image = left.imshow(mean, origin="lower", extent=extent, cmap=MAP, interpolation="nearest", vmin=1, vmax=most)
    figure.colorbar(image, ax=left, label="dice, on average", shrink=0.85)
    left.set(xlabel="points of the second player", ylabel="points of the first player")
    whole_numbers(left)
    left.set_title("on average, by both scores", loc="left")
    _stacked(right, equal, mixtures, solution.game.most_dice)
    right.set(xlabel="points of both", ylabel="probability", ylim=(0, 1))
    at_whole_numbers(right.xaxis)
    right.set_title("at equal scores near the end: the mixture", loc="left")
    return figure


def _stacked(axes: Any, scores: Sequence[int], mixtures: Sequence[dict[int, float]], most: int) -> None:
    """A bar for each score, divided by number of dice, in the colours of the map next to it."""
    from matplotlib import colormaps

    from zermelo.views.plot import INK, MAP

    base = np.zeros(len(scores))
    played = [n for n in range(1, most + 1) if any(m.get(n) for m in mixtures)]
    for n in played:
        light = (n - 1) / max(1, most - 1)
        colour = colormaps[MAP](light)
        share = np.array([m.get(n, 0.0) for m in mixtures])
        axes.bar(scores, share, 0.92, base, color=colour, edgecolor="white", linewidth=0.6, label=so_many_dice(n))
        for x, part, below in zip(scores, share, base, strict=True):
            if part > WRITTEN:
                axes.text(x, below + part / 2, str(n), ha="center", va="center", fontsize=7, fontweight="bold",
                          color="white" if light < LIGHT else INK)  # fmt: skip
        base += share
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, reverse=True)


FIGURES = {"mixtures": View("how many dice: by both scores, and the mixture at equal scores", mixture_figure)}
