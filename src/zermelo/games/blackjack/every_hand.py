"""The whole composition-dependent strategy: every hand against every up card, as a table for people and as rows for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.basics.progress import Progress, silent
from zermelo.games.blackjack.analysis import Analysis
from zermelo.games.blackjack.cards import NAMES, Counts, hand_of, shown, total
from zermelo.games.blackjack.options import HandValues, Option, is_blackjack
from zermelo.games.blackjack.rational import hands_of
from zermelo.games.blackjack.strategy import UPS
from zermelo.games.blackjack.views import given
from zermelo.views.table import Cell, Table

LETTERS = {Option.STAND: "S", Option.HIT: "H", Option.DOUBLE: "D", Option.SPLIT: "P", Option.SURRENDER: "R"}
COLUMNS = ("hand", "cards", "points", "soft", "up", "best", *map(str, Option), "error")


def found(analysis: Analysis, longest: int = 0, progress: Progress = silent) -> Iterator[HandValues]:
    """Every hand that can occur, of two cards and more (at most `longest`, if that is given), against every up card, by number of cards."""
    shoe = analysis.rules.cards
    every = [h for h in hands_of(shoe) if sum(h) <= (longest or sum(h))]
    for i, hand in enumerate(every):
        if i % 64 == 0:
            progress("every hand", i, len(every))
        for up in UPS:
            if shoe[up] > hand[up] and _may_be_asked(analysis, hand, up):
                yield analysis.hand(hand, NAMES[up])


def _may_be_asked(analysis: Analysis, hand: Counts, up: int) -> bool:
    """Whether the player has anything to decide on: not where the dealer is certain to have a blackjack."""
    return not analysis.rules.peek or analysis.source.clear(hand, up) > 0


def rows_of(analysis: Analysis, progress: Progress = silent) -> Table:
    """A row for each hand and up card: the best option, the value of each (empty: not allowed), and bounds on their errors."""
    rows: list[tuple[Cell, ...]] = []
    for hand in found(analysis, 0, progress):
        points, soft = total(hand_of(hand.hand))
        values = (hand.values.get(option) for option in Option)
        error = max(map(float, hand.errors.values()))
        rows.append((hand.hand, hand.hand.count("-") + 1, points, int(soft), hand.up, str(hand.best), *values, error))
    return Table(f"Blackjack, every hand: {analysis.rules.text()}", COLUMNS, tuple(rows), _notes(analysis), decimals=12)


def _notes(analysis: Analysis) -> tuple[str, ...]:
    return given(analysis.rules.peek, analysis.rules), f"{analysis.after_split.value} after a split; off the top of the shoe"


def two_cards(analysis: Analysis) -> Table:
    """The best option for the first two cards, by these; `whole` has every hand and value."""
    best = {(hand.hand, hand.up): LETTERS[hand.best] for hand in found(analysis, 2)}
    ups = [NAMES[up] for up in UPS if analysis.rules.cards[up]]
    hands = sorted((h for h in hands_of(analysis.rules.cards) if sum(h) == 2 and not is_blackjack(h)), key=_order)
    rows = tuple((shown(hand), total(hand).points, *(best.get((shown(hand), up)) for up in ups)) for hand in hands)
    notes = ("S stand, H hit, D double, P split, R surrender", *_notes(analysis), "hands of more cards, and values: -o FILE.csv or --json")
    title = f"Blackjack by two cards: {analysis.rules.text()}"
    return Table(title, ("hand", "points", *ups), rows, notes, whole=lambda: rows_of(analysis))


def _order(hand: Counts) -> tuple[Any, ...]:
    """Hard hands by points, soft ones, pairs."""
    points, soft = total(hand)
    return max(hand) == 2, soft, points, hand


def hands_data(analysis: Analysis, progress: Progress = silent) -> list[dict[str, Any]]:
    """The same as `rows_of` for JSON."""
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows_of(analysis, progress).rows]
