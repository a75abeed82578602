"""Pictures of positions as plain data: the results of a game's `picture(self, s)`, and the same as text. Standard library only.

If players do not see everything, `picture(self, s, player=-1)` draws what a player sees; -1 means everything.

A picture is an element, or several (a list, or what is yielded), which are shown one below the other. An element is a dict with a `kind`:

    grid    cells: rows of cells; rows, columns: names at the sides; other side: how the other player sees the same board
    dice    dice: faces, such as 3, or None before the roll
    cards   cards: "10♥", or None face down
    coins   coins: their number
    bars    bars: dicts of value, of, more, label, owner: how far each player is
    seats   seats: dicts of label, coins, turn, out; middle: a dict of label and coins
    facts   facts: pairs of a name and a text
    chart   points: pairs of numbers; x, y: their names; mark: a place on the x axis

and, where it makes sense, `label`, `owner`, `place` and `in text` (False: left out of texts). See docs/how-to/draw-a-board.md.
Owners are 0 and 1, as the rules speak: with PASS the player to move is 0. Places are names that `places(self, s, action)` yields; the
program that draws the picture makes them clickable.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

MOST_YIELDED = 1000
MOST_ELEMENTS = 32
MOST_SIDE = 40  # rows or columns of a grid
MOST_PIECES = 12  # of a cell
MOST_THINGS = 64  # dice, cards, bars, seats, facts
MOST_POINTS = 500  # of a chart
MOST_LETTERS = 80  # of a text
MOST_PLACES = 8  # clicked for one action

SHAPES = ("disc", "mark", "arrow", "square", "star")
LOOKS = ("plain", "dark", "out", "marked")
HEADINGS = ("right", "up", "left", "down")
SIDES = ("half turn", "diagonal")

Reader = Callable[[Any, str], Any]  # from a value and its place to the value as it is kept


class Misdrawn(Exception):
    """Raised if the result of a game's `picture` or `places` can't be used; the text says what was expected."""


def picture_of(game: Any, state: Any, player: int | None = None) -> list[dict[str, Any]] | None:
    """The elements of a position's picture, each with all its keys; None for a game without `picture`. Raises `Misdrawn`.

    With a player: what the player sees of it; None if `picture` does not take a `player`, since it may show what is hidden.
    """
    if not hasattr(game, "picture"):
        return None
    if player is None:
        found = _answer(game, "picture", state)
    elif "player" in inspect.signature(game.picture).parameters:
        found = _answer(game, "picture", state, player)
    else:
        return None
    elements = [found] if isinstance(found, Mapping) else found
    if not isinstance(elements, list | tuple) or len(elements) > MOST_ELEMENTS:
        raise Misdrawn(f"`picture` must return a dict, or return or yield at most {MOST_ELEMENTS} dicts, not {_short(found)}")
    return [_element(e, f"element {k + 1} of `picture`") for k, e in enumerate(elements)]


def places_of(game: Any, state: Any, action: Any) -> list[str]:
    """The sequence of places to click for an action; none if it is chosen from the list. Raises `Misdrawn`."""
    if not hasattr(game, "places"):
        return []
    found = _answer(game, "places", state, action)
    if not isinstance(found, list | tuple) or len(found) > MOST_PLACES:
        raise Misdrawn(f"`places` must yield at most {MOST_PLACES} places, which are texts or whole numbers, not {_short(found)}")
    return [_place(p, "what `places` yields") for p in found]


def _answer(game: Any, member: str, *arguments: Any) -> Any:
    """The return value of a member, or everything that it yields."""
    try:
        found = getattr(game, member)(*arguments)
        return list(islice(found, MOST_YIELDED)) if inspect.isgenerator(found) else found
    except Exception as error:
        text = " ".join(str(error).split())
        raise Misdrawn(f"`{member}` raises {type(error).__name__}{f': {text}' if text else ''}") from error


# --- the elements ---------------------------------------------------------------------------------------------------


def _wrong(where: str, wanted: str, value: Any) -> Misdrawn:
    return Misdrawn(f"{where} must be {wanted}, not {_short(value)}")


def _short(value: Any) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= MOST_LETTERS else text[:MOST_LETTERS] + "..."


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _text(value: Any, where: str) -> str:
    if not (isinstance(value, str) or _is_whole(value)) or len(str(value)) > MOST_LETTERS:
        raise _wrong(where, f"a text of at most {MOST_LETTERS} letters", value)
    return str(value)


def _place(value: Any, where: str) -> str:
    if not (isinstance(value, str) or _is_whole(value)) or not str(value) or len(str(value)) > MOST_LETTERS:
        raise _wrong(where, "a place, a short text or a whole number", value)
    return str(value)


def _number(value: Any, where: str) -> int | float:
    try:
        kept = int(value) if _is_whole(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        raise _wrong(where, "a number", value) from None
    if isinstance(value, bool | str) or not -1e15 < kept < 1e15:  # also anything that is not a number
        raise _wrong(where, "a number", value)
    return kept


def _count(value: Any, where: str) -> int:
    if not _is_whole(value) or not 0 <= value < 10**15:
        raise _wrong(where, "a whole number from 0", value)
    return int(value)


def _owner(value: Any, where: str) -> int:
    if not _is_whole(value) or value not in (0, 1):
        raise _wrong(where, "0 or 1", value)
    return int(value)


def _truth(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong(where, "True or False", value)
    return value


def _one_of(*words: str) -> Reader:
    def read(value: Any, where: str) -> str:
        if value not in words:
            raise _wrong(where, f"one of {', '.join(words)}", value)
        return str(value)

    return read


def _list(item: Reader, most: int, what: str) -> Reader:
    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list | tuple) or len(value) > most:
            raise _wrong(where, f"a list of at most {most} {what}", value)
        return [item(v, f"item {k + 1} of {where}") for k, v in enumerate(value)]

    return read


def _pair(first: Reader, second: Reader) -> Reader:
    def read(value: Any, where: str) -> list[Any]:
        if not isinstance(value, list | tuple) or len(value) != 2:
            raise _wrong(where, "a pair", value)
        return [first(value[0], where), second(value[1], where)]

    return read


def _dict(needed: Mapping[str, Reader], others: Mapping[str, Reader]) -> Reader:
    def read(value: Any, where: str) -> dict[str, Any]:
        known = {**needed, **others}
        if not isinstance(value, Mapping):
            raise _wrong(where, f"a dict with {', '.join(known)}", value)
        for name in value:
            if name not in known:
                raise Misdrawn(f"{where} has {_short(name)}; it can have {', '.join(known)}")
        for name in needed:
            if name not in value:
                raise Misdrawn(f"{where} has no {name!r}")
        return {n: known[n](v, f"{n!r} of {where}") for n, v in value.items() if v is not None or n in needed}

    return read


_PIECE = _dict({}, {"text": _text, "shape": _one_of(*SHAPES), "owner": _owner, "size": _count, "heads": _one_of(*HEADINGS)})


def _piece(value: Any, where: str) -> dict[str, Any]:
    found: dict[str, Any] = {"text": value} if isinstance(value, str) else _PIECE(value, where)
    _text(found.get("text", ""), where)
    if found.get("size", 1) not in range(1, 10):
        raise _wrong(f"'size' of {where}", "a whole number from 1 to 9", value["size"])
    return found


_PIECES = _list(_piece, MOST_PIECES, "pieces, the lowest first")
_WALLS = _list(_one_of(*HEADINGS), len(HEADINGS), "sides")
_CELL = _dict({}, {"pieces": _PIECES, "place": _place, "text": _text, "look": _one_of(*LOOKS), "count": _count, "walls": _WALLS})


def _cell(value: Any, where: str) -> dict[str, Any]:
    """None is empty; a text or a dict with a shape is a piece; a list is a stack; a dict with other keys is the whole cell."""
    if isinstance(value, list | tuple):
        value = {"pieces": value}
    elif isinstance(value, str) or (isinstance(value, Mapping) and {"shape", "owner", "size", "heads"} & set(value)):
        value = {"pieces": [value] if value else []}
    return {"pieces": [], **(_CELL(value, where) if value is not None else {})}


def _rows(value: Any, where: str) -> list[Any]:
    rows = _list(_list(_cell, MOST_SIDE, "cells"), MOST_SIDE, "rows")(value, where)
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise _wrong(where, "rows of cells, all as long as the first", [len(row) for row in rows])
    for k, row in enumerate(rows):
        for j, cell in enumerate(row):
            cell.setdefault("place", str(k * len(row) + j))
    return rows


def _face(value: Any, where: str) -> dict[str, Any]:
    found: dict[str, Any] = _DIE(value, where) if isinstance(value, Mapping) else {"face": value}
    if found["face"] is not None:
        found["face"] = _text(found["face"], f"a die of {where}")
    return found


def _card(value: Any, where: str) -> dict[str, Any]:
    found: dict[str, Any] = _CARD(value, where) if isinstance(value, Mapping) else {"card": value}
    if found["card"] is not None:
        found["card"] = _text(found["card"], f"a card of {where}")
    return found


def _anything(value: Any, where: str) -> Any:
    return value


_DIE = _dict({"face": _anything}, {"place": _place, "look": _one_of(*LOOKS)})
_CARD = _dict({"card": _anything}, {"place": _place, "look": _one_of(*LOOKS), "count": _count})
_BAR = _dict({"value": _number, "of": _number}, {"more": _number, "label": _text, "owner": _owner})
_SEAT = _dict({"coins": _count}, {"label": _text, "turn": _truth, "out": _truth})
_MIDDLE = _dict({"coins": _count}, {"label": _text})
_COMMON: dict[str, Reader] = {"kind": _text, "label": _text, "owner": _owner, "place": _place, "in text": _truth}
_LABELS = _list(_text, MOST_SIDE, "texts")

KINDS: Mapping[str, Reader] = {
    "grid": _dict({"cells": _rows}, {**_COMMON, "rows": _LABELS, "columns": _LABELS, "other side": _one_of(*SIDES)}),
    "dice": _dict({"dice": _list(_face, MOST_THINGS, "dice")}, _COMMON),
    "cards": _dict({"cards": _list(_card, MOST_THINGS, "cards")}, _COMMON),
    "coins": _dict({"coins": _count}, _COMMON),
    "bars": _dict({"bars": _list(_BAR, MOST_THINGS, "bars")}, _COMMON),
    "seats": _dict({"seats": _list(_SEAT, MOST_THINGS, "seats")}, {**_COMMON, "middle": _MIDDLE}),
    "facts": _dict({"facts": _list(_pair(_text, _text), MOST_THINGS, "pairs of texts")}, _COMMON),
    "chart": _dict(
        {"points": _list(_pair(_number, _number), MOST_POINTS, "pairs of numbers")}, {**_COMMON, "x": _text, "y": _text, "mark": _number}
    ),
}


def _element(value: Any, where: str) -> dict[str, Any]:
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if not isinstance(kind, str) or kind not in KINDS:
        raise _wrong(where, f"a dict whose 'kind' is one of {', '.join(KINDS)}", value)
    found: dict[str, Any] = KINDS[kind](value, where)
    if kind == "grid":
        _sides_fit(found, where)
    return found


def _sides_fit(grid: Mapping[str, Any], where: str) -> None:
    cells = grid["cells"]
    for name, count in (("rows", len(cells)), ("columns", len(cells[0]))):
        if name in grid and len(grid[name]) != count:
            raise Misdrawn(f"{name!r} of {where} must have a text for each of its {count} {name}, not {len(grid[name])}")
    if grid.get("other side") == "diagonal" and len(cells) != len(cells[0]):
        raise Misdrawn(f"'other side' of {where} can be 'diagonal' only where there are as many rows as columns")


# --- as text ------------------------------------------------------------------------------------------------------------------


def as_text(elements: Iterable[Mapping[str, Any]], covered: bool = False) -> str:
    """The picture in characters. `covered`: with the pieces below the topmost ones, to the right of them."""
    return "\n".join(filter(None, (_WORDS[e["kind"]](e, covered) for e in elements if e.get("in text", True))))


def _labelled(element: Mapping[str, Any], text: str) -> str:
    return f"{element['label']}: {text}" if "label" in element else text


def grid_text(grid: Mapping[str, Any], covered: bool = False) -> str:
    """A board: a line for each row, names at the sides, and walls where cells have them."""
    if any("walls" in cell for row in grid["cells"] for cell in row):
        return _walled_text(grid, covered)
    texts = [[cell_text(cell, covered) for cell in row] for row in grid["cells"]]
    side, foot = grid.get("rows"), grid.get("columns")
    width = max(len(t) for row in (*texts, *([foot] if foot else [])) for t in row)
    gap = " " if width == 1 else "  "
    before = max(map(len, side)) + 2 if side else 0
    names = side or [""] * len(texts)
    lines = [n.ljust(before) + gap.join(t.ljust(width) for t in row) for n, row in zip(names, texts, strict=True)]
    if foot:
        lines.append(" " * before + gap.join(t.ljust(width) for t in foot))
    head = [f"{grid['label']}:"] if "label" in grid else []
    return _labelled(grid, lines[0].rstrip()) if len(lines) == 1 else "\n".join([*head, *(line.rstrip() for line in lines)])


def _walled_text(grid: Mapping[str, Any], covered: bool) -> str:
    """Cells with lines where there are walls, on whichever side of a line they are declared; an empty cell is blank."""
    cells = grid["cells"]
    texts = [[cell_text(cell, covered) if cell["pieces"] or cell.get("text") else "" for cell in row] for row in cells]
    up, across, wide = len(cells), len(cells[0]), max(2, *(len(t) for row in texts for t in row))

    def has(row: int, column: int, side: str) -> bool:
        return 0 <= row < up and 0 <= column < across and side in cells[row][column].get("walls", ())

    lines = [f"{grid['label']}:"] if "label" in grid else []
    for r in range(up + 1):
        lying = (("-" if has(r, c, "up") or has(r - 1, c, "down") else " ") * wide for c in range(across))
        lines.append(f"+{'+'.join(lying)}+")
        if r < up:
            standing = ["|" if has(r, c, "left") or has(r, c - 1, "right") else " " for c in range(across + 1)]
            lines.append("".join(s + t.center(wide) for s, t in zip(standing, [*texts[r], ""], strict=True)).rstrip())
    return "\n".join(lines)


def cell_text(cell: Mapping[str, Any], covered: bool = False) -> str:
    """Its topmost piece, with `covered` also those below; otherwise its text."""
    texts = [_piece_text(p) for p in reversed(cell["pieces"])]
    return " ".join(texts if covered else texts[:1]) or cell.get("text", ".")


def _piece_text(piece: Mapping[str, Any]) -> str:
    """Its text; otherwise x and o by owner, with its size, or its heading."""
    if piece.get("text"):
        return str(piece["text"])
    if "heads" in piece:
        return ">^<v"[HEADINGS.index(piece["heads"])]
    return f"{'xo*'[piece.get('owner', 2)]}{piece.get('size', '')}"


def _bars_text(element: Mapping[str, Any], covered: bool) -> str:
    lines = []
    for bar in element["bars"]:
        whose = bar.get("label") or ("player to move", "opponent")[bar["owner"]] if "label" in bar or "owner" in bar else ""
        lines.append(f"{whose + ': ' if whose else ''}{bar_text(bar)}")
    return _labelled(element, lines[0]) if len(lines) == 1 else "\n".join(lines)


def bar_text(bar: Mapping[str, Any]) -> str:
    """The progress of a bar: 5 + 3 of 20."""
    more = f" + {bar['more']:.15g}" if bar.get("more") else ""
    return f"{bar['value']:.15g}{more} of {bar['of']:.15g}"


def standing(elements: Iterable[Mapping[str, Any]], first: int) -> str:
    """Both players' progress by the bars of a picture, in a line for the player with the number `first` there; '' without bars."""
    bars = {bar["owner"]: bar for e in elements if e["kind"] == "bars" for bar in e["bars"] if "owner" in bar}
    return f"you {bar_text(bars[first])}, opponent {bar_text(bars[1 - first])}" if {0, 1} <= bars.keys() else ""


def _seats_text(element: Mapping[str, Any], covered: bool) -> str:
    names = [seat.get("label", f"seat {k + 1}") for k, seat in enumerate(element["seats"])]
    parts = [f"{n}: {'out' if seat.get('out') else seat['coins']}" for n, seat in zip(names, element["seats"], strict=True)]
    middle = element.get("middle")
    parts = [", ".join(parts), *([f"{middle.get('label', 'middle')}: {middle['coins']}"] if middle else [])]
    turns = [n for n, seat in zip(names, element["seats"], strict=True) if seat.get("turn")]
    return "; ".join([*parts, *(f"{n} to move" for n in turns)])


def _in_a_row(texts: Sequence[str]) -> str:
    return " ".join(texts) or "none"


def _cards_text(element: Mapping[str, Any], covered: bool) -> str:
    cards = [(c["card"] or "?") + (f" x {c['count']}" if "count" in c else "") for c in element["cards"]]
    return _labelled(element, (", " if any("count" in c for c in element["cards"]) else " ").join(cards) or "none")


_WORDS: Mapping[str, Callable[[Mapping[str, Any], bool], str]] = {
    "grid": grid_text,
    "dice": lambda e, _: _labelled(e, _in_a_row([d["face"] or "?" for d in e["dice"]])),
    "cards": _cards_text,
    "coins": lambda e, _: _labelled(e, f"{e['coins']} coin{'' if e['coins'] == 1 else 's'}"),
    "bars": _bars_text,
    "seats": _seats_text,
    "facts": lambda e, _: ", ".join(f"{name}: {text}" for name, text in e["facts"]),
    "chart": lambda e, _: "",  # its contents do not fit in one line
}
