"""Pictures of a solution. Functions return a matplotlib Figure; `save` writes it to a file whole or not at all.

`values` draws any game's values over one or two fields of its states; `distances` counts the positions of a board
game by result and number of moves. Games of the catalogue add figures of their own. Colours are Okabe and Ito's
(2008), which colour-blind people can tell apart; maps are `viridis`. matplotlib is imported when a figure is made.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.disk import replacing
from zermelo.basics.numbers import WIDE
from zermelo.basics.words import counted, discount_text, game_in_words, round_step
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.solution import Solution
from zermelo.uses.property import apart
from zermelo.uses.units import measure, winning
from zermelo.views.action_order import action_order
from zermelo.views.glyphs import tell_boxes
from zermelo.views.loading import load_matplotlib
from zermelo.views.look import of_results, telling_fields, with_chance
from zermelo.views.slices import (
    LENGTHS_TAIL,
    NO_FIX,
    Fix,
    Slice,
    View,
    action_at,
    best_at,
    choose_slice,
    has_lengths,
    has_telling_fields,
    narrowness,
    without_rounding,
)
from zermelo.views.words import census_words, finding, has_winner

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf")
BLUE, ORANGE, GREEN, RED, SKY, GREY, INK = "#0072B2", "#E69F00", "#009E73", "#D55E00", "#56B4E9", "#9A9A9A", "#333333"
PAIR = ("#DCE9F4", "#0072B2")  # of two actions: the usual one and the other
MAP = "viridis"
LOSS, EVEN, WIN = "#D55E00", "#F7F7F7", "#0072B2"  # of the diverging map of chances and of values of either sign
ACTIONS = (PAIR[0], BLUE, ORANGE, GREEN, RED, SKY, "#CC79A7", "#F0E442")  # of more than two actions, in the order of the rules
BARS = 120  # of a distribution
ROUNDING = 1e-9  # numbers that differ by less, as a part of themselves, differ by rounding
DOTS = 160  # dots per inch of a PNG
MOST_IN_KEY = 40  # letters of an action
MOST_NAMES = 12  # of actions beside a colour bar
MANY = 2000  # positions from which on bars have logarithmic heights
LOW_BAR = 0.4  # of a power of ten: the height of the bar of a single position
WIDTH_OF_LETTER = 0.62  # on average, relative to the size of the letters
SMALLEST = 7  # points: longer subtitles take more lines
STYLE: Any = {
    "font.size": 10,
    "axes.titlesize": 11,
    "axes.titlelocation": "left",
    "axes.edgecolor": "#888888",
    "axes.labelcolor": INK,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.fonttype": "none",
}


def canvas(
    title: str, width: float = 8, height: float = 5, rows: int = 1, columns: int = 1, about: str = "", math: bool = False, **layout: Any
) -> Any:
    """A figure with a title, a subtitle in small print, and its axes (one, or an array of them). math : whether `$` begins a formula."""
    load_matplotlib()
    import matplotlib

    from zermelo.views.picture import Picture

    letters = (width - 0.2) * 72 / WIDTH_OF_LETTER  # in a line, times their size
    lines = [about] if math else textwrap.wrap(about, int(letters / SMALLEST))
    head = 0.38 + 0.24 * bool(about) + 0.14 * max(len(lines) - 1, 0)  # inches
    with matplotlib.rc_context(STYLE):
        figure = Picture(figsize=(width, height), layout="constrained")
        engine: Any = figure.get_layout_engine()
        engine.set(rect=(0, 0, 1, 1 - head / height))
        axes = figure.subplots(rows, columns, **layout)
        for text, below, size, weight in ((minus(title), 0.1, 13, "bold"), (minus("\n".join(lines)), 0.38, 10, "normal")):
            fitting = letters / max(*map(len, text.split("\n")), 1)
            written = text if math else literal(text)
            figure.text(0.1 / width, 1 - below / height, written, va="top", fontsize=min(size, fitting), fontweight=weight)
    return figure, axes


def literal(text: str) -> str:
    """A text, such as the name of an action, in which `$` is a dollar and not the beginning of a formula."""
    return re.sub(r"(?<!\\)\$", r"\\$", text)


def minus(text: str) -> str:
    """The text with true minus signs, as on axes, before negative numbers; "-€7" too; hyphens stay: "22-26", "1e-5"."""
    return re.sub(r"(?<![\w)])-(?=[\d.\\]|[^\w\s-]\d)", "\N{MINUS SIGN}", text)


def two_actions(axes: Axes, where: np.ndarray, extent: tuple[float, float, float, float]) -> None:
    """Colour an area by action: 0 and 1 in the two colours of `PAIR`, 2 grey, NaN white. `where` is [y, x]."""
    from matplotlib.colors import BoundaryNorm, ListedColormap

    colours = ListedColormap([*PAIR, "#D0D0D0"])
    axes.imshow(
        where, origin="lower", aspect="auto", extent=extent, cmap=colours, norm=BoundaryNorm([-0.5, 0.5, 1.5, 2.5], 3),
        interpolation="nearest",
    )  # fmt: skip


def shades(count: int) -> list[Any]:
    """This many colours for an ordered quantity, from dark to light, all of them dark enough for lines on white."""
    from matplotlib import colormaps

    return [colormaps[MAP](0.85 * k / max(count - 1, 1)) for k in range(count)]


def diverging() -> Any:
    """A colour map from losses through white to wins."""
    from matplotlib.colors import LinearSegmentedColormap

    return LinearSegmentedColormap.from_list("results", [LOSS, EVEN, WIN])


def chances(figure: Figure, axes: Axes, win: np.ndarray) -> None:
    """The probability that the player to move wins, [own score, opponent's]: white at 1/2, a line at every tenth, a thick one at 1/2.
    NaN is left blank."""
    rows, columns = win.shape
    extent = (-0.5, columns - 0.5, -0.5, rows - 0.5)
    image: Any = axes.imshow(win, origin="lower", extent=extent, cmap=diverging(), interpolation="nearest", vmin=0, vmax=1)
    figure.colorbar(image, ax=axes, label="probability", shrink=0.9)
    occurring = [np.flatnonzero(~np.isnan(win).all(axis=1 - side)) for side in (0, 1)]
    if min(map(len, occurring)) > 2:
        levels = np.arange(1, 10) / 10
        inner = win[np.ix_(*occurring)]
        lines = axes.contour(
            occurring[1], occurring[0], inner, levels, colors=INK, linewidths=[2.0 if k == 4 else 0.5 for k in range(9)]
        )
        drawn = [[line for line in segments if len(line)] for segments in lines.allsegs]
        longest = [max(segments, key=_run) for segments in drawn if segments]
        axes.clabel(lines, fmt="%.1f", fontsize=8, manual=[tuple(line[len(line) // 2]) for line in longest])


def _run(line: np.ndarray) -> float:
    """The area that a line spans: small for a line that only follows an edge of the picture, where it can't be labelled."""
    return float(np.prod(np.ptp(line, axis=0)))


def whole_numbers(*every: Axes) -> None:
    """Ticks at whole numbers only, along both sides."""
    at_whole_numbers(*(axis for axes in every for axis in (axes.xaxis, axes.yaxis)))


def at_whole_numbers(*sides: Any) -> None:
    """Ticks at whole numbers only, along these axes; at a single one where there is no other."""
    for axis in sides:
        axis.get_major_locator().set_params(integer=True, min_n_ticks=1)


def are_level(numbers: np.ndarray, errors: Any = 0.0) -> bool:
    """Whether numbers are the same but for rounding, or all of them 0 as far as that is known."""
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return False
    size, worst = float(np.abs(known).max()), float(np.max(errors, initial=0.0))
    return size <= worst <= WIDE or (float(np.ptp(known)) <= ROUNDING * size and worst <= WIDE * size)


def level(axes: Axes, numbers: np.ndarray, errors: Any = 0.0) -> None:
    """Room above and below numbers that are level; otherwise rounding would fill the picture."""
    if are_level(numbers, errors):
        middle = float(np.nanmax(numbers))
        room = 1.0 if abs(middle) <= float(np.max(errors, initial=0.0)) or not middle else 0.1 * abs(middle)
        axes.set_ylim(middle - room, middle + room)


def key(axes: Axes, colours: dict[str, str], *lines: Any, **where: Any) -> None:
    """A legend of coloured areas, and of lines that have labels."""
    from matplotlib.patches import Patch

    patches = [Patch(facecolor=c, edgecolor="#888888", linewidth=0.5, label=label) for label, c in colours.items()]
    axes.legend(handles=[*patches, *lines], frameon=True, framealpha=0.9, edgecolor="none", fontsize=9, **where)


# --- figures of any game ----------------------------------------------------------------------------------------------


def values(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The value of states (or the chance of winning) over one or two of their fields, with the best action if there are two."""
    chosen = choose_slice(solution, fix, None, None)
    fixed = f"; states with {', '.join(f'{n}={v}' for n, v in chosen.fixed.items())}" if chosen.fixed else ""
    fixed = f"; {note}" if (note := narrowness(solution, fix, chosen)) else fixed
    title, about = finding(solution), game_in_words(solution.game) + discount_text(solution.discount) + fixed
    about += f"; values are of the translated game: {differs}" if (differs := apart(solution.game)) else ""
    return (_lines if chosen.columns is None else _maps)(solution, chosen, title, about)


def _lines(solution: Solution, chosen: Slice, title: str, about: str) -> Figure:
    figure, axes = canvas(title, about=about)
    x = solution.space.columns[chosen.rows][chosen.indices]
    worth, label = _worth(solution, chosen)
    axes.plot(x, worth[chosen.indices], color=BLUE, marker="o", markersize=3, linewidth=1)
    axes.set(xlabel=chosen.rows, ylabel=label)
    at_whole_numbers(axes.xaxis)
    level(axes, worth[chosen.indices])
    axes.grid(alpha=0.3)
    return figure


def _maps(solution: Solution, chosen: Slice, title: str, about: str) -> Figure:
    has_actions = len({action_at(solution, int(i)) for i in chosen.indices} - {""}) > 1
    figure, axes = canvas(title, 12 if has_actions else 7, 5.4, 1, 2 if has_actions else 1, about, squeeze=False)
    worth, label = _worth(solution, chosen)
    array, extent = _box(solution, chosen, worth)
    scale = _scale(array, label.endswith("%"))
    image = axes[0, 0].imshow(array, origin="lower", aspect="auto", extent=extent, interpolation="nearest", **scale)
    bar = figure.colorbar(image, ax=axes[0, 0], label=label)
    if "vmin" in scale and scale["vmin"] == scale["vmax"]:
        bar.set_ticks([scale["vmin"]], labels=[f"{scale['vmin']:g}"])
    axes[0, 0].set_title(label.partition(",")[0], loc="left")
    if has_actions:
        _action_map(solution, chosen, axes[0, 1])
    for axis in axes.flat:
        axis.set(xlabel=chosen.columns, ylabel=chosen.rows)
    whole_numbers(*axes.flat)
    return figure


def _scale(array: np.ndarray, are_chances: bool) -> dict[str, Any]:
    """Colour map and limits: diverging around 50 % for chances and around 0 for values of either sign; else viridis."""
    if are_chances:
        return {"cmap": diverging(), "vmin": 0, "vmax": 100}
    low, high = float(np.nanmin(array)), float(np.nanmax(array))
    if are_level(array):
        return {"cmap": MAP, "vmin": low, "vmax": low}
    most = max(-low, high)
    return {"cmap": diverging(), "vmin": -most, "vmax": most} if low < 0 < high else {"cmap": MAP}


def _worth(solution: Solution, chosen: Slice) -> tuple[np.ndarray, str]:
    """float64[states]: the worth of the chosen states, NaN for all others, and its label: chances of winning in per cent
    if the game defines them, otherwise values."""
    unit = winning(solution.answers)
    if unit is None:
        own = measure(solution.game)
        label = literal(own.label("value")) if own else _value_of(solution)
        values = without_rounding(solution.values.astype(float), solution.errors.astype(float))
        return values / (own.payoffs if own else 1), label
    worth = np.full(solution.space.size, np.nan)
    worth[chosen.indices] = 100 * unit.of_all(solution.values[chosen.indices])
    return worth, f"{unit.name}, %"


def _value_of(solution: Solution) -> str:
    """What a value is called: for a model perhaps "1 - P"."""
    return "1 - P" if apart(solution.game) == "1 - P" else "value"


def shortened_name(text: str, most: int = 24) -> str:
    """A name that fits beside a colour bar."""
    return text if len(text) <= most else text[: most - 3] + "..."


def _action_map(solution: Solution, chosen: Slice, axes: Axes) -> None:
    """Best actions by name: up to eight colours, assigned in the order of the actions; more actions share a numbered colour map."""
    from matplotlib.colors import ListedColormap

    best = [best_at(solution, int(i)) for i in chosen.indices]
    order = action_order(solution, chosen.indices, best)
    names = [*solution.rules.action_names(order).values()]
    place = {a: k for k, a in enumerate(order)}
    numbers = np.full(solution.space.size, np.nan)
    numbers[chosen.indices] = [np.nan if a is None else place[a] for a in best]
    array, extent = _where_known(*_box(solution, chosen, numbers))
    palette = [*ACTIONS]
    what = "likeliest action of the first player" if solution.rules.is_simultaneous else "best action"
    axes.set_title(what, loc="left")
    if len(names) <= len(palette):
        colours = ListedColormap(palette[: max(len(names), 1)])
        span = {"vmin": -0.5, "vmax": max(len(names), 1) - 0.5}
        axes.imshow(array, origin="lower", aspect="auto", extent=extent, cmap=colours, interpolation="nearest", **span)  # type: ignore[arg-type]
        short = [shortened_name(n, MOST_IN_KEY) for n in names]
        told = map(literal, short if len({*short}) == len(names) else names)
        beside = {"loc": "upper left", "bbox_to_anchor": (1, 1)}  # the map itself has no free corner
        key(axes, dict(zip(told, palette, strict=False)), **beside)
    else:
        span = {"vmin": -0.5, "vmax": len(names) - 0.5}
        image = axes.imshow(array, origin="lower", aspect="auto", extent=extent, cmap=MAP, interpolation="nearest", **span)  # type: ignore[arg-type]
        axes.set_title(f"{what} ({len(names)} different ones)", loc="left")
        step = round_step(len(names) / MOST_NAMES)
        bar = axes.figure.colorbar(image, ax=axes, ticks=range(0, len(names), step))
        bar.ax.set_yticklabels([literal(shortened_name(n)) for n in names[::step]])


Extent = tuple[float, float, float, float]  # of an image: left, right, bottom, top


def _where_known(array: np.ndarray, extent: Extent) -> tuple[np.ndarray, Extent]:
    """The image without its margins of NaN if these are most of it, as when many states are final."""
    rows, columns = (np.flatnonzero(~np.isnan(array).all(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return array, extent
    kept = array[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    if 2 * kept.size > array.size:
        return array, extent
    left, _, bottom, _ = extent
    return kept, (left + columns[0], left + columns[-1] + 1, bottom + rows[0], bottom + rows[-1] + 1)


def _box(solution: Solution, chosen: Slice, numbers: np.ndarray) -> tuple[np.ndarray, Extent]:
    """Numbers as an image [rows, columns] over the two fields, NaN where there is no state, and its extent."""
    assert chosen.columns is not None
    y, x = (solution.space.columns[n][chosen.indices] for n in (chosen.rows, chosen.columns))
    low_x, high_x, low_y, high_y = int(x.min()), int(x.max()), int(y.min()), int(y.max())
    cells = (high_x - low_x + 1) * (high_y - low_y + 1)
    if cells > 50_000_000:
        raise OutOfReach(f"{chosen.rows} and {chosen.columns} span {cells:,} combinations, too many for a picture")
    array = np.full((high_y - low_y + 1, high_x - low_x + 1), np.nan)
    array[y - low_y, x - low_x] = numbers[chosen.indices]
    return array, (low_x - 0.5, high_x + 0.5, low_y - 0.5, high_y + 0.5)


def distances(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The number of positions won (up), lost (down) or drawn, by the number of moves to the end under best play."""
    counts, words = solution.census(), census_words(solution)
    positions = counted(solution.report.states, "position")
    positions += ", those that are the same under symmetries counted once" if solution.rules.folded else ""
    figure, axes = canvas(finding(solution), 9, 5, about=f"{game_in_words(solution.game)}. {positions}")
    longest = max((d for name in ("won", "lost") for d, _ in counts[name]), default=0)
    drawn = sum(n for _, n in counts["drawn"])
    every = [n for name in ("won", "lost") for _, n in counts[name]] + [drawn]
    height, ticks = _heights(max(every), solution.report.states > MANY)
    for name, colour, sign in (("won", BLUE, 1), ("lost", RED, -1)):
        bars = [(d, sign * height(n)) for d, n in counts[name]]
        axes.bar([d for d, _ in bars], [h for _, h in bars], color=colour, width=0.8)
        axes.text(0.01, 0.98 if sign > 0 else 0.02, f"{words[name]} for the player to move", color=colour, transform=axes.transAxes,
                  ha="left", va="top" if sign > 0 else "bottom", fontweight="bold")  # fmt: skip
    if drawn:
        axes.bar([longest + 2], [height(drawn)], color=GREY, width=0.8)
        above = {"xytext": (0, 3), "textcoords": "offset points"}
        axes.annotate(f"{drawn:,}\n{words['drawn']}", (longest + 2, height(drawn)), ha="center", fontsize=9, **above)
    axes.axhline(0, color=INK, linewidth=0.8)
    step = round_step(longest / 15) if longest > 15 else 1
    moves = list(range(0, longest + 1, step))
    draw = "draw" if has_winner(solution) else words["drawn"]
    axes.set_xticks([*moves, *([longest + 2] if drawn else [])], [*map(str, moves), *([draw] if drawn else [])])
    marks = [(sign * height(n), f"{n:,}") for n in ticks for sign in ((1, -1) if n else (1,))]
    axes.set_yticks([y for y, _ in marks], [text for _, text in marks])
    top = max(map(height, every))
    axes.set(xlabel="moves to the end under best play", ylabel="positions", ylim=(-1.3 * top, 1.3 * top))
    return figure


def _heights(most: int, are_logarithmic: bool) -> tuple[Callable[[int], float], list[int]]:
    """The height of a bar for this many positions, and the numbers at the ticks."""
    if not are_logarithmic:
        step = max(1, round_step(most / 4))
        return float, list(range(0, most + 1, step))
    powers = [10**k for k in range(len(str(most)))]
    return (lambda n: math.log10(n) + LOW_BAR if n else 0.0), powers


def lengths(solution: Solution, fix: Fix = NO_FIX) -> Figure:
    """The number of moves of a play under optimal play, with the middle 90% of plays in a darker colour."""
    spread = solution.distribution(tail=LENGTHS_TAIL)
    said = spread.in_words()
    mean = f"{spread.mean:.4g}"
    title = "How many moves a play takes" if spread.endless else f"A play takes {mean} move{'s' if mean != '1' else ''} on average"
    name = game_in_words(solution.game) + discount_text(solution.discount)
    figure, axes = canvas(title, 9, 5, about=f"{name}. {said[:1].upper()}{said[1:]}")
    low, high = spread.quantile(0.05), spread.quantile(0.95)
    bins = spread.bins(BARS)
    width = bins[0][1] - bins[0][0] + 1 if bins else 1
    colours = [BLUE if low <= (a + b) / 2 <= high else SKY for a, b, _ in bins]
    axes.bar([(a + b) / 2 for a, b, _ in bins], [100 * p for *_, p in bins], width=0.9 * width, color=colours)
    if not spread.endless:
        line = axes.axvline(spread.mean, color=INK, linewidth=1.2, linestyle="--", label=f"mean: {mean}")
        key(axes, {f"9 in 10 plays: {low}" + (f" to {high}" if high > low else ""): BLUE}, line, loc="best")
    axes.set(xlabel="moves", ylabel="% of all plays" + (f", {width} lengths a bar" if width > 1 else ""))
    at_whole_numbers(axes.xaxis)
    return figure


def has_distances(solution: Solution) -> bool:
    return solution.counts_moves


VIEWS = {
    "distances": View("positions by result and moves to the end", distances, has_distances, likely=of_results),
    "values": View("values over one or two fields of the states", values, has_telling_fields, True, discounted=True, likely=telling_fields),
    "lengths": View("how many moves a play takes: the distribution", lengths, has_lengths, discounted=True, likely=with_chance),
}


# --- files ------------------------------------------------------------------------------------------------------------


def check_format(path: str | Path) -> Path:
    """The path, if its suffix names a format that can be written; `ParameterError` otherwise."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        known = ", ".join(FORMATS)
        raise ParameterError(f"{path}: a picture's name must end in one of {known}, not {path.suffix or 'nothing'!r}")
    return path


def save(figure: Figure, path: str | Path) -> None:
    """Write a figure as PNG, SVG or PDF, by the suffix of `path`; an existing file is replaced once everything is written."""
    path = check_format(path)
    try:
        with replacing(path) as temporary:
            figure.savefig(temporary, dpi=DOTS, format=path.suffix.lower()[1:], facecolor="white")
    except OSError as error:
        raise FileError(f"can't write {path}: {error.strerror or error}") from None
    tell_boxes(figure)
