"""The plot of a study: the value against a parameter."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.numbers import Number
from zermelo.basics.words import discount_text, parameter_in_words
from zermelo.studies.row import Row
from zermelo.studies.slope import lines
from zermelo.uses.units import Measure
from zermelo.views.plot import (
    BLUE,
    GREEN,
    GREY,
    ORANGE,
    RED,
    SKY,
    at_whole_numbers,
    canvas,
    level,
    literal,
    shades,
    shortened_name,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLOURS = (BLUE, ORANGE, GREEN, RED, SKY, "#CC79A7", "#8C6D1F", "#333333")
MOST_NAMED = 8  # lines with a name and a colour of their own
LETTERS, SIZE, ROOM = 40, 9, 11.5  # of a line's name: characters, points, points to the next one
HEIGHT = 270  # points of the axes, about
FEW = 60  # lines with at most this many points have them marked


def figure(
    name: str, rows: Sequence[Row], varied: Sequence[str], against: str, unit: Measure | None = None, discount: float = 1.0,
    property: str | None = None,
) -> Figure:
    """A line for each combination of the other parameters, named at its end. Rows without a value leave a gap and are counted.
    name : what the game is called.
    property : that of a model, whose answers are drawn."""
    solved = [row for row in rows if not row.error]
    fixed = {n: v for n, v in rows[0].parameters.items() if n not in varied}
    about = [", ".join(parameter_in_words(n, v) for n, v in fixed.items())] if fixed else []
    about += [discount_text(discount).removeprefix(", ")] if discount != 1 else []
    about += [f"{len(rows) - len(solved)} of {len(rows)} combinations have no value"] if len(solved) < len(rows) else []
    others = [n for n in varied if n != against]
    every = list(lines(rows, against))
    what = f"{name[:1].upper()}{name[1:]}: the value" if property is None else property
    title = f"{what} {_course([line for _, line in every])} {against.replace('_', ' ')}"
    drawn, axes = canvas(title, about="; ".join(about))
    are_ordered = len(others) == 1 and all(type(p[others[0]]) in (int, float) for p, _ in every)
    colours = shades(len(every)) if are_ordered and len(every) > 1 else [*COLOURS] if len(every) <= MOST_NAMED else [GREY] * len(every)
    heights: list[float] = []
    labels: list[Any] = []
    errors: list[float] = []
    for (parameters, line), colour in zip(every, colours, strict=False):
        x, y = [_place(row.parameters[against]) for row in line], [_drawn(row.value, unit) for row in line]
        axes.plot(x, y, color=colour, marker="o" if len(x) <= FEW else "", markersize=3, linewidth=1.2)
        ends = [[_drawn(number, unit) for number in numbers] for numbers in ([row.low for row in line], [row.high for row in line])]
        heights += y
        errors += [(high - low) / 2 for low, high in zip(*ends, strict=True) if low == low]
        axes.fill_between(x, *ends, color=colour, alpha=0.25, linewidth=0)
        if 1 < len(every) <= MOST_NAMED and (ends_at := [k for k, number in enumerate(y) if number == number]):
            named = literal(shortened_name(", ".join(parameter_in_words(n, parameters[n]) for n in others), LETTERS))
            there = x[ends_at[-1]], y[ends_at[-1]]
            labels.append(axes.annotate(named, there, (3, 0), textcoords="offset points", color=colour, fontsize=SIZE, va="center",
                                        annotation_clip=False))  # fmt: skip
    axes.set(xlabel=against.replace("_", " "), ylabel=literal(unit.label("value") if unit else property or "value"))
    if all(isinstance(row.parameters[against], int) for row in rows):
        at_whole_numbers(axes.xaxis)
    level(axes, np.array(heights), np.array(errors))
    axes.grid(alpha=0.3)
    _apart(axes, labels)
    if len(every) > MOST_NAMED:
        what = " and ".join(n.replace("_", " ") for n in others)
        ends = [parameters[others[0]] for parameters, _ in every]
        which = f", from {min(ends)} (dark) to {max(ends)} (light)" if are_ordered else ""
        kind = "" if len(others) == 1 else "combination of "
        axes.set_title(f"a line for each {kind}{what}{which}", fontsize=9)
    return drawn


def _apart(axes: Any, labels: list[Any]) -> None:
    """Move the labels of lines that end at nearly the same height apart."""
    low, high = axes.get_ylim()
    groups: list[tuple[float, list[Any]]] = []  # of labels: the height of the middle, in points
    for label in sorted(labels, key=lambda label: label.xy[1]):
        height, group = (label.xy[1] - low) / (high - low) * HEIGHT, [label]
        while groups and height - groups[-1][0] < ROOM * (len(group) + len(groups[-1][1])) / 2:
            middle, before = groups.pop()
            height = (middle * len(before) + height * len(group)) / (len(before) + len(group))
            group = before + group
        groups.append((height, group))
    for middle, group in groups:
        for k, label in enumerate(group):
            height = middle + (k - (len(group) - 1) / 2) * ROOM
            label.xyann = label.xyann[0], height - (label.xy[1] - low) / (high - low) * HEIGHT


def _place(number: Any) -> int | float:
    """A value of the parameter as the axis takes it: fractions and decimals as floats."""
    return number if isinstance(number, int) else float(number)


def _drawn(number: Number | None, unit: Measure | None) -> float:
    return float("nan") if number is None else float(unit.of(number) if unit else number)


def _course(every: Sequence[Sequence[Row]]) -> str:
    """How values change along the lines: "rises with" or "falls with" if the bounds of all rows show it at every step; otherwise "by"."""
    steps = [step for line in every for step in pairwise(line)]
    if steps and all(_is_less(here, there) for here, there in steps):
        return "rises with"
    return "falls with" if steps and all(_is_less(there, here) for here, there in steps) else "by"


def _is_less(row: Row, other: Row) -> bool:
    """Whether the true value of a row is certainly less than that of another one."""
    return row.high is not None and other.sign(row.high) == 1
