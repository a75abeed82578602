"""Table and picture of solitaire Pig: the value of a turn total, held and rolled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.games.solitaire_pig import HOLD, ROLL, State
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def worth(solution: Solution) -> list[tuple[int, float, float | None]]:
    """For every turn total, the values of holding and of rolling (None: from here on no roll can gain)."""
    found = []
    for total in range(solution.game.enough() + 1):
        state = State(total)
        if state in solution.space:
            values = solution.probe(state).actions
            found.append((total, float(values[HOLD]), float(values[ROLL]) if ROLL in values else None))
    return found


def total_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    rows = tuple(
        (total, hold, roll, "hold" if roll is None or hold >= roll else "roll") for total, hold, roll in worth(solution)
    )
    note = f"from {solution.game.enough()} on a roll gains nothing on average, so holding is best"
    return Table(
        f"Solitaire Pig with a die of {solution.game.sides} sides",
        ("turn total", "holding", "rolling", "best"),
        rows,
        (note,),
    )


def total_figure(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    from zermelo.views.plot import BLUE, GREY, ORANGE, canvas

    rows = worth(solution)
    about = "Solitaire Pig: what a turn total is worth, held and rolled on"
    figure, axes = canvas(f"Hold at {solution.game.enough()} points", 8, 5.4, about=about)
    rolled = [(t, r) for t, _, r in rows if r is not None]
    axes.plot([t for t, _, _ in rows], [h for _, h, _ in rows], color=ORANGE, linewidth=2)
    axes.plot(*zip(*rolled, strict=True), color=BLUE, linewidth=2, marker="o", markersize=4)
    low, high = rows[len(rows) // 3], rolled[2 * len(rolled) // 3]
    axes.annotate("hold", (low[0], low[1]), (6, -12), textcoords="offset points", color=ORANGE, fontweight="bold")
    axes.annotate("roll again", high, (-8, 8), textcoords="offset points", ha="right", color=BLUE, fontweight="bold")
    enough = solution.game.enough()
    axes.axvline(enough, color=GREY, linewidth=1, linestyle="--")
    axes.text(enough - 0.01 * enough, 1, f"hold from {enough} on", ha="right", color=GREY, fontsize=9)
    axes.annotate(
        f"the turn is worth {float(solution.value):.6f}", (0, float(solution.value)), (enough * 0.08, enough * 0.62),
        arrowprops={"arrowstyle": "->", "color": GREY}, fontsize=10,
    )  # fmt: skip
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set(xlabel="turn total", ylabel="expected points of the turn", xlim=(-0.5, enough * 1.06), ylim=(0, None))
    return figure


TABLES = {"totals": View("what holding and rolling are worth, by turn total", total_table)}
FIGURES = {"totals": View("what holding and rolling are worth, by turn total", total_figure)}
