"""What rolls score by the rules of a house, as a table: to see whether the parameters say what was meant."""

from __future__ import annotations

from zermelo.games.ten_thousand_house import TenThousandHouse, so_many
from zermelo.solution import Solution
from zermelo.views.slices import NO_FIX, Fix, View
from zermelo.views.table import Table


def rolls_table(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """What may be set aside of a roll, and in how many ways each number of dice allows it."""
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
    notes = ("in how many of the 6, 36, ... rolls of so many dice", f"from {enough * step} points on one always stops")
    return Table("Ten Thousand by the rules of a house: what rolls score", columns, tuple(rows), notes)


TABLES = {"rolls": View("what may be set aside of a roll, and in how many ways it comes up", rolls_table)}
FIGURES: dict[str, View] = {}
