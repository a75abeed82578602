"""The picture of a study: the value against a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.basics.numbers import Number
from zermelo.studies.row import Row
from zermelo.studies.slope import lines
from zermelo.views.plot import BLUE, GREEN, GREY, ORANGE, RED, SKY, canvas

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, GREEN, RED, SKY, "#CC79A7", "#8C6D1F", "#333333")
MOST_NAMED = 8  # lines with a name and a colour of their own
FEW = 60  # points of a line that are marked


def figure(game: str, rows: Sequence[Row], varied: Sequence[str], against: str) -> Figure:
    """A line for each combination of the other parameters. Rows without a value leave a gap, which is told."""
    solved = [row for row in rows if not row.error]
    fixed = {n: v for n, v in rows[0].parameters.items() if n not in varied}
    about = [f"{', '.join(f'{n}={v}' for n, v in fixed.items())}"] if fixed else []
    about += [f"{len(rows) - len(solved)} of {len(rows)} combinations have no value"] if len(solved) < len(rows) else []
    drawn, axes = canvas(f"{game}: the value by {against}", about="; ".join(about))
    others = [n for n in varied if n != against]
    every = list(lines(rows, against))
    for k, (parameters, line) in enumerate(every):
        colour = COLOURS[k] if len(every) <= MOST_NAMED else GREY
        name = ", ".join(f"{n}={parameters[n]}" for n in others)
        x, y = [row.parameters[against] for row in line], [_drawn(row.value) for row in line]
        axes.plot(x, y, color=colour, marker="o" if len(x) <= FEW else "", markersize=3, linewidth=1.2, label=name)
        axes.fill_between(x, [_drawn(row.low) for row in line], [_drawn(row.high) for row in line], color=colour, alpha=0.25, linewidth=0)
    axes.set(xlabel=against, ylabel="value")
    if all(isinstance(row.parameters[against], int) for row in rows):
        axes.xaxis.get_major_locator().set_params(integer=True)
    axes.grid(alpha=0.3)
    if 1 < len(every) <= MOST_NAMED:
        axes.legend(frameon=False)
    elif len(every) > MOST_NAMED:
        axes.set_title(f"a line for each combination of {', '.join(others)}", fontsize=9)
    return drawn


def _drawn(number: Number | None) -> float:
    return float("nan") if number is None else float(number)
