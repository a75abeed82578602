"""Tables and pictures of any game whose players do not see everything: what is done in every information set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.numbers import in_full
from zermelo.basics.words import game_text
from zermelo.solution import HiddenSolution
from zermelo.uses.hidden import shown as shown_as
from zermelo.views.slices import NO_FIX, Fix, View, any_solution
from zermelo.views.table import Table

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LONGEST = 24  # characters of a fraction that a table shows
LETTERS = 40  # of what is seen, in a picture
MOST_SETS = 60  # of a player, that a picture shows


def sets(solution: HiddenSolution, fix: Fix = NO_FIX) -> Table:
    """Every action of every information set: its probability, its value, and how probable it is that play gets there."""
    frame = solution.to_dataframe()
    rows: list[tuple[Any, ...]] = []
    policies = [solution.policy(seat) for seat in range(2)]
    for player, seen, action, name, probability, value, reach in frame.itertuples(index=False):
        exact = in_full(policies[player][seen][action]) if solution.is_exact else ""
        shown = " ".join(map(str, seen)) or "nothing"
        told = value if value == value else ""
        rows.append((f"player {player}", shown, name, probability, exact if len(exact) <= LONGEST else "(long)", told, reach))
    columns = ("player", "sees", "action", "probability", "exactly", "value", "reach")
    value_text = in_full(solution.value) if solution.is_exact else float(solution.value)  # type: ignore[arg-type]
    notes = (f"value {value_text} to player 0", "values are what player 0 is paid from there on; none where the other one never leads")
    data = {"information sets": frame.assign(seen=frame["seen"].map(list)).to_dict("records")}
    return Table(f"{game_text(solution.game)}: information sets", columns, tuple(rows), notes, data=data)


def grid(solution: HiddenSolution, fix: Fix = NO_FIX) -> Figure:
    """The probabilities of all actions, a row an information set, those first that play reaches most often."""
    from zermelo.views.plot import canvas

    frame = solution.to_dataframe()
    parts = [frame[frame["player"] == player] for player in range(2)]
    shown = [list(dict.fromkeys(part.sort_values("reach", ascending=False, kind="stable")["seen"])) for part in parts]
    lines = max(min(len(seen), MOST_SETS) for seen in shown)
    figure, axes = canvas(f"{game_text(solution.game)}: probabilities of actions", 14, max(3.2, 1.4 + 0.2 * lines), 1, 2)
    for player, (part, seen) in enumerate(zip(parts, shown, strict=True)):
        names = list(dict.fromkeys(part["name"]))
        table = np.full((min(len(seen), MOST_SETS), max(len(names), 1)), np.nan)
        at = {numbers: row for row, numbers in enumerate(seen[:MOST_SETS])}
        for numbers, name, probability in zip(part["seen"], part["name"], part["probability"], strict=True):
            if numbers in at:
                table[at[numbers], names.index(name)] = probability
        axes[player].imshow(table, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        axes[player].set_xticks(range(len(names)), names, fontsize=8, rotation=30)
        words = shown_as(solution.answers, player)
        labels = [words[numbers] for numbers in at]
        labels = [text if len(text) <= LETTERS else f"{text[: LETTERS - 3]}..." for text in labels]
        axes[player].set_yticks(range(len(at)), labels, fontsize=7)
        rest = len(seen) - len(at)
        axes[player].set_title(f"player {player}{f', without {rest:,} rarer sets' if rest else ''}", loc="left")
    return figure


TABLES = {"sets": View("what is done in every information set", sets, any_solution)}
FIGURES = {"sets": View("what is done in every information set", grid, any_solution)}
