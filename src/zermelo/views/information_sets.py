"""Tables and pictures of any game whose players do not see everything: the strategies in every information set."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.basics.numbers import digits, in_full
from zermelo.basics.words import counted, game_in_words
from zermelo.errors import OutOfReach
from zermelo.solution import HiddenSolution
from zermelo.uses.hidden import shown as shown_as
from zermelo.uses.mixed import whose
from zermelo.uses.units import Measure, measure
from zermelo.views.slices import NO_FIX, Fix, View, any_solution
from zermelo.views.table import Table, rarities
from zermelo.views.words import finding

if TYPE_CHECKING:
    import pandas
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST = 24  # characters of a fraction that a table shows
WRITTEN, ONE_SHARE = 0.08, 0.9999  # shares of a bar that are written into it lie between these
DARK = 1.7  # red, green and blue together, below which a colour is written on in white
LETTERS = 40  # of a view, in a picture
MOST_SETS = 40  # of a player, in a picture


def sets(solution: HiddenSolution, fix: Fix = NO_FIX) -> Table:
    """Every action of every information set: its probability, its value, and the probability that play gets there."""
    unit, frame = measure(solution.game), solution.to_dataframe()
    table = _sets(solution, frame, None)
    data = {"information sets": frame.assign(seen=frame["seen"].map(list)).to_dict("records")}
    return table._replace(data=data, printed=None if unit is None else _sets(solution, frame, unit))


def _sets(solution: HiddenSolution, frame: pandas.DataFrame, unit: Measure | None) -> Table:
    """The table of these rows, with values in this unit."""
    own = unit or Measure("")
    rows: list[tuple[Any, ...]] = []
    policies = [solution.policy(seat) for seat in range(2)]
    words = in_words(solution, frame["player"], frame["seen"])
    for shown, (player, seen, action, name, probability, value, reach) in zip(words, frame.itertuples(index=False), strict=True):
        exact = in_full(policies[player][seen][action]) if solution.is_exact else ""
        told = own.of(value) if value == value else ""
        rows.append((f"player {player}", shown, name, probability, exact if len(exact) <= LONGEST else "(long)", told, reach))
    columns = ("player", "sees", "action", "probability", "exactly", "value" if unit is None else unit.label("value"), "reach")
    value = digits(*own.shown(solution.value, solution.low, solution.high))
    paid = "values are what player 0 is paid from there on; there is none where the other player's strategy never leads"
    notes = (f"value {value if unit is None else unit.written(value)}{whose(solution.game)}", paid)
    table = Table(f"{game_in_words(solution.game)}: information sets", columns, tuple(rows), notes)
    return table._replace(notes=(*notes, *rarities((row[3] for row in rows), table.decimals)))


def in_words(solution: HiddenSolution, players: Iterable[int], seen: Iterable[tuple[int, ...]]) -> list[str]:
    """What players see, in the game's words, otherwise as numbers."""
    words = [shown_as(solution.answers, player) for player in range(2)]
    return [words[player][numbers] for player, numbers in zip(players, seen, strict=True)]


def grid(solution: HiddenSolution, fix: Fix = NO_FIX) -> Figure:
    """Each player's strategy in the information sets that play reaches: one bar per set, divided by action; sets with the same
    history are grouped. Raises `OutOfReach` if nobody has a choice."""
    if not any(map(len, solution.answers.sets)):
        raise OutOfReach(f"a picture of what is done: nobody has a choice in {solution.rules.name}")
    from zermelo.views.plot import canvas, key, literal

    frame = solution.to_dataframe()
    frame["name"] = frame["name"].map(literal)
    names = list(dict.fromkeys(frame.sort_values("action", kind="stable")["name"])) if len(frame) else []
    colours = dict(zip(names, _colours(len(names)), strict=True))
    parts = [_lines(solution, frame, player) for player in range(2)]
    most = max(map(len, parts), default=1)
    about = f"{game_in_words(solution.game)}. Sets that play comes to, by what was done before, and how often each action is taken"
    figure, axes = canvas(finding(solution), 13, max(3.2, 2.0 + 0.23 * most), 1, 2, about)
    for player, lines in enumerate(parts):
        _bars(axes[player], lines, colours)
        left_out = len({*frame[frame["player"] == player]["seen"]}) - sum(1 for line in lines if line.shares)
        rest = f" (not shown: {counted(left_out, 'set')}, rarer or never reached)" if left_out else ""
        axes[player].set_title(f"player {player}{rest}", loc="left")
        axes[player].set_ylim(most - 0.4, -0.6)
    key(axes[0], colours, loc="upper left", bbox_to_anchor=(0, -0.04), ncols=min(len(names), 6) or 1)
    return figure


class Line(NamedTuple):
    """A line of the picture: the history, as a heading; or an information set and the probability of each action."""

    text: str
    shares: dict[str, float]


def _lines(solution: HiddenSolution, frame: Any, player: int) -> list[Line]:
    """The sets of a player under headings, those that play reaches most often first."""
    own, words = frame[frame["player"] == player], shown_as(solution.answers, player)
    reach = {seen: part["reach"].max() for seen, part in own.groupby("seen", sort=False)}
    kept = sorted((s for s in reach if reach[s] > 0), key=lambda s: -reach[s])[:MOST_SETS]
    tail = _common_end([words[s] for s in kept])
    by_past: dict[str, list[tuple[str, Any]]] = {}
    for seen in kept:
        text = words[seen].removesuffix(tail)
        held, _, past = text.partition(": ")
        by_past.setdefault(past, []).append((held, seen))
    lines: list[Line] = []
    for past, sets_there in by_past.items():
        lines += [Line(past, {})] if past else []
        for held, seen in sorted(sets_there, key=lambda pair: _in_order(pair[0])):
            there = own[own["seen"] == seen]
            lines.append(Line(held, dict(zip(there["name"], there["probability"], strict=True))))
    return lines


def _in_order(text: str) -> list[tuple[int, str]]:
    """The key by which texts are sorted: numbers in them by size, 2 before 10."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", text)]


def _common_end(texts: list[str]) -> str:
    """The common end of all texts after a semicolon, such as the board, which need not be repeated on every line."""
    ends = {text[text.rfind(";") :] if ";" in text else "" for text in texts}
    return ends.pop() if len(ends) == 1 else ""


def _colours(count: int) -> list[Any]:
    from zermelo.views.plot import ACTIONS, shades

    return list(ACTIONS[:count]) if count <= len(ACTIONS) else shades(count)


def _bars(axes: Axes, lines: list[Line], colours: dict[str, Any]) -> None:
    for y, line in enumerate(lines):
        if not line.shares:
            axes.text(0, y + 0.3, _cut(line.text), fontsize=9, fontweight="bold", va="bottom")
        start = 0.0
        for name, share in line.shares.items():
            if share > 0:
                axes.barh(y, share, 0.8, start, color=colours[name], edgecolor="#888888", linewidth=0.4)
                if ONE_SHARE > share > WRITTEN:
                    dark = sum(_rgb(colours[name])) < DARK
                    axes.text(start + share / 2, y, f"{100 * share:.3g} %", ha="center", va="center", fontsize=7,
                              color="white" if dark else "black")  # fmt: skip
            start += share
    sets_at = [(y, line) for y, line in enumerate(lines) if line.shares]
    axes.set_yticks([y for y, _ in sets_at], [_cut(line.text) for _, line in sets_at], fontsize=8)
    axes.set(xlim=(0, 1), xticks=[])
    axes.spines["bottom"].set_visible(False)
    axes.spines["left"].set_visible(False)
    axes.tick_params(length=0)


def _rgb(colour: Any) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def _cut(text: str) -> str:
    from zermelo.views.plot import literal, shortened_name

    return literal(shortened_name(text, LETTERS))


TABLES = {"sets": View("what is done in every information set", sets, any_solution)}
FIGURES = {"sets": View("what is done in every information set", grid, any_solution)}
