"""A picture of a position (language/pictures.py) in characters, for `zermelo play`, shown beside the position's text.

Boards, bars and charts are drawn, and dice and cards that have a label, such as those on the table. Coins, seats, facts and hands are not,
since the text of a position has them. If a game has no `show`, its board is the text, and only the rest is drawn, such as the pieces in
hand. Nothing is coloured, so terminals, pipes and files get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from zermelo.basics.words import cells, padded
from zermelo.language.pictures import bar_text, cell_text, grid_text

LONGEST = 40  # characters of a bar
SHORTEST = 8  # a shorter bar or chart is left out
STEPS = "▁▂▃▄▅▆▇█"  # the heights of a chart
BLOCKS = "█▒·" + STEPS  # the characters that a stream must support for these to be drawn
LOOKS = {"out": ("", "-", ""), "dark": ("(", "", ")"), "marked": ("[", "", "]")}  # before a cell's text, in its place, and after it

Owner = Callable[[int], str]  # the name of an owner in the picture


class Room(NamedTuple):
    """The room for a picture."""

    width: int  # characters of a line
    is_plain: bool = False  # only characters of ASCII can be shown

    @property
    def bar(self) -> str:
        """The characters of a bar: the progress so far, the addition of the turn, and the rest."""
        return "#+." if self.is_plain else BLOCKS[:3]


def drawn(elements: Iterable[Mapping[str, Any]], room: Room, owner: Owner, text: str | None = None) -> list[str]:
    """The lines of a picture; an element wider than the room is left out. `text`: the output of the game's own `show`, which is itself
    a board if it has several lines; None if the picture is the text, except for elements that are not `in text`."""
    lines: list[str] = []
    if text and "\n" in text:
        return lines
    for element in elements:
        if text is not None or not element.get("in text", True):
            made = [line.rstrip() for line in _WAYS[element["kind"]](element, room, owner)]
            lines += made if all(len(line) <= room.width for line in made) else []
    return lines


def _named(element: Mapping[str, Any], owner: Owner) -> str:
    """The owner's name and the label."""
    return ", ".join(filter(None, (owner(element["owner"]) if "owner" in element else "", element.get("label"))))


def _after(name: str, text: str) -> str:
    return f"{name}: {text}" if name else text


def _grid(element: Mapping[str, Any], room: Room, owner: Owner) -> Iterator[str]:
    name, cells = _named(element, owner), element["cells"]
    if len(cells) == 1:
        yield _after(name, "  ".join(map(_cell, cells[0])))
        return
    if name:
        yield f"{name}:"
    has_walls = any("walls" in cell for row in cells for cell in row)
    looked = cells if has_walls else [[{"pieces": [{"text": _cell(cell)}]} for cell in row] for row in cells]
    yield from grid_text({**{k: v for k, v in element.items() if k != "label"}, "cells": looked}).split("\n")


def _cell(cell: Mapping[str, Any]) -> str:
    before, instead, after = LOOKS.get(cell.get("look", ""), ("", "", ""))
    count = f"{cell['count']} of " if "count" in cell else ""
    return instead or f"{before}{count}{cell_text(cell)}{after}"


def _bars(element: Mapping[str, Any], room: Room, owner: Owner) -> Iterator[str]:
    """Bars with characters in proportion to their progress; none before there is any."""
    bars = element["bars"]
    names = [bar.get("label") or (owner(bar["owner"]) if "owner" in bar else "") for bar in bars]
    texts = [bar_text(bar) for bar in bars]
    wide, most = max(map(cells, names)), max(map(cells, texts))
    long = min(LONGEST, room.width - wide - most - 4)
    for name, bar, text in zip(names, bars, texts, strict=True):
        if long >= SHORTEST:
            far, there = (min(max(int(long * v / (bar["of"] or 1)), 0), long) for v in (bar["value"], bar["value"] + bar.get("more", 0)))
            line = room.bar[0] * far + room.bar[1] * (there - far) + room.bar[2] * (long - there)
            yield f"{padded(name, wide)}  {line}  {text}"


def _dice(element: Mapping[str, Any], room: Room, owner: Owner) -> Iterator[str]:
    faces = [d["face"] or "?" for d in element["dice"]]
    if "label" in element and not set(faces) <= {"?"}:
        yield _after(_named(element, owner), " ".join(faces))


def _cards(element: Mapping[str, Any], room: Room, owner: Owner) -> Iterator[str]:
    cards = [(c["card"] or "?") + (f" x {c['count']}" if "count" in c else "") for c in element["cards"]]
    if "label" in element and not set(cards) <= {"?"}:
        yield _after(_named(element, owner), "  ".join(cards))


def _chart(element: Mapping[str, Any], room: Room, owner: Owner) -> Iterator[str]:
    """One character for each of several places along x, as high as the chart there."""
    points, name = element["points"], ", ".join(filter(None, (element.get("label"), element.get("y"))))
    if room.is_plain or len(points) < 2:
        return
    along, heights = zip(*points, strict=True)
    low, high = min(heights), max(heights)
    before = f"{name}, {low:.15g} to {high:.15g}: " if name else ""
    after = f"  {element.get('x', '')} {min(along):.15g} to {max(along):.15g}"
    long = min(LONGEST, len(points), room.width - len(before) - len(after))
    if long >= SHORTEST:
        picked = [points[k * (len(points) - 1) // (long - 1)][1] for k in range(long)]
        yield before + "".join(STEPS[int((y - low) / ((high - low) or 1) * (len(STEPS) - 1) + 0.5)] for y in picked) + after


def _nothing(element: Mapping[str, Any], room: Room, owner: Owner) -> Iterator[str]:
    """No lines: the text of the position has these."""
    return iter(())


_WAYS: Mapping[str, Callable[[Mapping[str, Any], Room, Owner], Iterator[str]]] = {
    "grid": _grid, "bars": _bars, "dice": _dice, "cards": _cards, "chart": _chart, "coins": _nothing, "seats": _nothing, "facts": _nothing,
}  # fmt: skip
