"""The scores of rolls by the rules of a house, as a table, to check that the parameters are as intended."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.games.ten_thousand_house import ROLL, STOP, State, TenThousandHouse, so_many
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rolls_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The dice that may be set aside from a roll, and in how many ways each number of dice allows it."""
    game: TenThousandHouse = solution.game
    found: dict[int, list[int | None]] = {}
    for dice in range(1, game.dice + 1):
        for k in range(game.rolls()[dice], game.rolls()[dice + 1]):
            found.setdefault(game.rolled()[k], [None] * game.dice)[dice - 1] = game.ways()[k]
    step, enough = game.step()
    rows = []
    for menu, ways in sorted(found.items()):
        options = range(game.first()[menu], game.first()[menu + 1])
        rows.append((", ".join(f"{so_many(game.taken()[k])} for {game.steps()[k] * step}" for k in options) or "nothing", *ways))
    columns = ("may be set aside", *(so_many(n) for n in range(1, game.dice + 1)))
    notes = ("how many of the 6, 36, ... rolls of this number of dice", f"from {enough * step} points on always stop")
    return Table("Ten Thousand by the rules of a house: what rolls score", columns, tuple(rows), notes)


def gains(solution: Solution) -> np.ndarray:
    """The gain of rolling over stopping, in points, [dice - 1, score in steps]; NaN where no play leads or nothing may be banked yet."""
    game: TenThousandHouse = solution.game
    step, enough = game.step()
    found = np.full((game.dice, enough), np.nan)
    for dice in range(1, game.dice + 1):
        for score in range(1, enough):
            state = State(score, dice, 0)
            if state in solution.space and STOP in (actions := solution.probe(state).actions):
                found[dice - 1, score] = float(actions[ROLL]) - score * step
    return found


def stop_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """For every number of dice to roll, the last score at which rolling is best, and the next score, at which stopping is best."""
    game, gain = solution.game, gains(solution)
    step, enough = game.step()
    rows = []
    for dice in range(game.dice, 0, -1):
        known = np.flatnonzero(~np.isnan(gain[dice - 1]))
        going = known[gain[dice - 1][known] > 0]
        stopping = known[known > going.max(initial=-1)]
        last = int(going[-1]) * step if len(going) else None
        rows.append((so_many(dice), last, (int(stopping[0]) if len(stopping) else enough) * step))
    notes = (
        "of the scores that come about in play and may be banked, where no choice of dice is left",
        "with all dice to roll all have been set aside",
    )
    title = f"When to stop: the turn is worth {float(solution.value):.6f} points"
    return Table(title, ("dice to roll", "roll up to points", "stop from points"), tuple(rows), notes)


def gain_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The gain of rolling over stopping, for each number of dice."""
    from zermelo.views.plot import BLUE, GREEN, GREY, INK, ORANGE, RED, SKY, canvas

    gain, step = gains(solution), solution.game.step()[0]
    about = f"The turn is worth {float(solution.value):.6f} points. A line ends where a score can't come about."
    colours = GREY, SKY, RED, GREEN, ORANGE, BLUE
    figure, axes = canvas("Ten Thousand by the rules of a house: roll or stop?", 10, 5.4, 1, 1, about)
    for dice in range(solution.game.dice, 0, -1):
        there = np.flatnonzero(~np.isnan(gain[dice - 1]))
        axes.plot(there * step, gain[dice - 1][there], color=colours[dice - 1], linewidth=1.8, label=so_many(dice))
    axes.axhline(0, color=INK, linewidth=0.8)
    most = float(np.nanmax(gain, initial=1.0))
    axes.set(xlabel="points of this turn", ylabel="rolling gains (points on average)", ylim=(-1.5 * most, 1.1 * most))
    axes.legend(title="dice to roll", frameon=False)
    return figure


TABLES = {
    "stop": View("when to stop, by the number of dice", stop_table),
    "rolls": View("what may be set aside of a roll, and in how many ways it comes up", rolls_table),
}
FIGURES = {"gain": View("what rolling gains over stopping, by points and dice", gain_figure)}
