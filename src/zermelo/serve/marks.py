"""The marks that can be pointed at in a picture of the catalogue: points of lines, bars, and cells of maps, with their places and texts.

Places are shares of the picture's width and height, from its upper left corner, so that they fit the picture at any size.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.container import BarContainer
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.legend import Legend
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

MOST_POINTS = 1000  # of a line; longer lines are thinned evenly
MOST_CELLS = 40_000  # of a map; larger maps are thinned in the same way
FIGURES = 8  # of a number
CORNERS = np.array([[0.0, 1.0], [1.0, 0.0]])  # of axes: the upper left one, the lower right one


def marks(figure: Figure) -> list[dict[str, Any]]:
    """For each of the axes: the measured quantities, and everything drawn there that has a number. The figure must have been drawn."""
    found = []
    for axes in figure.axes:
        if hasattr(axes, "_colorbar"):
            continue
        series = [*_lines(axes), *_dots(axes), *_bars(axes)] if axes.axison else []  # a drawing without axes measures nothing
        maps = [m for image in axes.get_images() if (m := _cells(axes, image))]
        maps = [m for m in maps if m["label"]] or maps  # a map without a name is a background
        if series or maps:
            box = _places(axes, CORNERS, axes.transAxes)
            found.append(
                {
                    "box": [*box[0], *box[1]],
                    "title": _text(axes.get_title() or axes.get_title(loc="left")),
                    "x": _text(axes.get_xlabel() or figure.get_supxlabel()),
                    "y": _text(axes.get_ylabel() or figure.get_supylabel()),
                    "series": series,
                    "maps": maps,
                }
            )
    return found


def _lines(axes: Axes) -> list[dict[str, Any]]:
    """Lines in data coordinates; those that mark a place across the whole axes are left out."""
    found = []
    for line in axes.get_lines():
        if line.get_visible() and line.get_transform() == axes.transData and _is_seen(line):
            x, y = (np.asarray(values, dtype=float) for values in line.get_data(orig=False))
            found.append(_series(axes, _label(line), x, y))
    return [s for s in found if s["at"]]


def _is_seen(line: Line2D) -> bool:
    return line.get_linestyle() not in ("None", "", " ") or line.get_marker() not in ("None", "", " ", None)


def _dots(axes: Axes) -> list[dict[str, Any]]:
    clouds = [c for c in axes.collections if isinstance(c, PathCollection) and c.get_visible()]
    offsets = [np.asarray(c.get_offsets(), dtype=float) for c in clouds]
    return [s for c, o in zip(clouds, offsets, strict=True) if (s := _series(axes, _label(c), o[:, 0], o[:, 1]))["at"]]


def _bars(axes: Axes) -> list[dict[str, Any]]:
    """Vertical or horizontal bars: a box for each, and the end that has the number."""
    found = []
    for bars in axes.containers:
        if not isinstance(bars, BarContainer):
            continue
        is_lying = bars.orientation == "horizontal"
        boxes = [b.get_bbox() for b in bars]
        ends = np.array([[b.x1, (b.y0 + b.y1) / 2] if is_lying else [(b.x0 + b.x1) / 2, b.y1] for b in boxes])
        if not len(ends):
            continue  # a kind of bar that this picture has none of
        made = _series(axes, _label(bars), ends[:, 0], ends[:, 1], thin=False)
        along, across = ("y", "x") if is_lying else ("x", "y")
        made[along] = _said(getattr(axes, f"{along}axis"), _numbered(ends[:, int(is_lying)]))
        made[across] = [_rounded(b.x1 - b.x0 if is_lying else b.y1 - b.y0) for b in boxes]  # of stacked bars, each one's own size
        (left, top), (right, bottom) = _places(axes, CORNERS, axes.transAxes)
        corners = [np.array(_places(axes, np.array([[b.x0, b.y1], [b.x1, b.y0]]))) for b in boxes]
        made["boxes"] = [np.clip(c, [left, top], [right, bottom]).ravel().tolist() for c in corners]
        found.append(made)
    return [s for s in found if s["at"]]


def _numbered(centers: Any) -> Any:
    """Where bars stand side by side at whole numbers: these numbers."""
    whole = np.round(centers)
    return whole if len(set(whole)) == len(whole) and np.abs(centers - whole).max(initial=0) < 0.5 else centers


def _series(axes: Axes, label: str, x: Any, y: Any, thin: bool = True) -> dict[str, Any]:
    points = np.column_stack([x, y])
    points = points[np.isfinite(points).all(axis=1)]
    if thin and len(points) > MOST_POINTS:
        points = points[np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(int))]
    at = _places(axes, points)
    return {
        "label": label,
        "at": at,
        "x": _said(axes.xaxis, points[:, 0]),
        "y": _said(axes.yaxis, points[:, 1]),
    }


def _cells(axes: Axes, image: AxesImage) -> dict[str, Any] | None:
    """A map of numbers: the edges of its rows and columns, and the content of each cell."""
    values: Any = np.ma.asarray(image.get_array(), dtype=float)
    if values.ndim != 2 or not image.get_visible():  # colours show no number
        return None
    left, right, bottom, top = image.get_extent()
    up, across = values.shape
    steps = [1, 1]
    while -(-up // steps[0]) * -(-across // steps[1]) > MOST_CELLS:
        steps[int(across // steps[1] > up // steps[0])] += 1
    xs, ys = np.linspace(left, right, across + 1), np.linspace(bottom, top, up + 1)
    if image.origin == "upper":
        ys = ys[::-1]
    edges = [_places(axes, np.column_stack([xs, np.full(across + 1, bottom)])), _places(axes, np.column_stack([np.full(up + 1, left), ys]))]
    colorbar = image.colorbar
    shown = np.where(np.ma.getmaskarray(values), np.nan, np.ma.getdata(values))[:: steps[0], :: steps[1]]
    return {
        "label": "" if colorbar is None else _text(colorbar.ax.get_ylabel() or colorbar.ax.get_xlabel()),
        "columns": [edges[0][0][0], edges[0][-1][0]],
        "rows": [edges[1][0][1], edges[1][-1][1]],
        "x": _said(axes.xaxis, ((xs[1:] + xs[:-1]) / 2)[:: steps[1]]),
        "y": _said(axes.yaxis, ((ys[1:] + ys[:-1]) / 2)[:: steps[0]]),
        "measured": bool(axes.axison),
        "values": _words(axes, image, shown) or [[_rounded(v) for v in row] for row in shown],
    }


def _words(axes: Axes, image: AxesImage, values: Any) -> list[list[str | None]] | None:
    """The meanings of the cells if a legend, or a scale of words, explains their colours; None if not all are explained."""
    colorbar, legend = image.colorbar, axes.get_legend() or next(iter(axes.figure.legends), None)
    if colorbar is not None:
        told = [_said(colorbar.ax.yaxis, np.nan_to_num(row)) for row in values]
    elif legend is not None:
        told = [[_word(legend, cell) for cell in row] for row in image.to_rgba(np.ma.masked_invalid(values))]
    else:
        return None
    cells = [[word if np.isfinite(v) else "" for word, v in zip(*pair, strict=True)] for pair in zip(told, values, strict=True)]
    if not all(isinstance(word, str) for row in cells for word in row):
        return None
    return [[word or None for word in row] for row in cells]


def _word(legend: Legend, colour: Any) -> str | None:
    """The legend's text for a colour."""
    for handle, text in zip(legend.legend_handles, legend.get_texts(), strict=True):
        if isinstance(handle, Patch) and np.allclose(handle.get_facecolor(), colour, atol=1e-3):
            return _text(text.get_text())
    return None


def _places(axes: Axes, points: Any, transform: Any = None) -> list[list[float]]:
    """Points as shares of the picture's width and height, from its upper left corner."""
    if not len(points):
        return []
    box = axes.figure.bbox
    pixels = np.asarray((axes.transData if transform is None else transform).transform(points), dtype=float)
    shares = np.column_stack([pixels[:, 0] / box.width, 1 - pixels[:, 1] / box.height])
    return [[round(float(a), 5), round(float(b), 5)] for a, b in np.nan_to_num(shares, nan=-1, posinf=2, neginf=-1)]


def _said(axis: Any, numbers: Any) -> list[Any]:
    """Numbers along an axis, or the axis labels in their place if these are not numbers."""
    ticks = zip(axis.get_majorticklocs(), (t.get_text() for t in axis.get_majorticklabels()), strict=False)
    words = {round(float(at), 9): _text(word) for at, word in ticks if _is_word(word)}
    return [words.get(round(float(x), 9)) or _rounded(x) for x in numbers]


def _is_word(tick: str) -> bool:
    """Whether a text at an axis is neither a number nor a power in a formula."""
    return bool(tick) and not tick.startswith("$") and not re.fullmatch(r"[-−+]?[\d.,]+(e[-−+]?\d+)?[ %]*", tick)


def _rounded(x: Any) -> float | None:
    return float(f"{float(x):.{FIGURES}g}") if np.isfinite(x) else None


def _label(artist: Any) -> str:
    label = str(artist.get_label() or "")
    return "" if label.startswith("_") else _text(label)


def _text(text: str) -> str:
    """A text of a picture in one line, without the marks of formulas."""
    for mark, plain in (("\\sqrt", "√"), ("\\,", " "), ("$", ""), ("{", ""), ("}", ""), ("\\", "")):
        text = str(text).replace(mark, plain)
    return " ".join(text.split())
