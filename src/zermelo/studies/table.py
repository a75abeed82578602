"""The rows of a study as a table: all numbers for files and programs, and a selection for people."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import decimals, digits, in_full
from zermelo.basics.values import expression, written
from zermelo.basics.words import discount_text
from zermelo.studies.row import Row
from zermelo.uses.units import Measure
from zermelo.views.table import Cell, Table

SHORT = 24  # characters the longest fraction that is shown as one
MOST_NOTES = 6
RESULTS = ("value", "low", "high", "certificate", "states", "mean length", "seconds", "seconds compiling", "from disk", "error")


def of_rows(
    game: str, rows: Sequence[Row], varied: Sequence[str], lengths: bool, unit: Measure | None = None, discount: float = 1.0
) -> Table:
    """Every parameter and number; people see the parameters that vary, and values in the unit."""
    names = list(rows[0].parameters) if rows else []
    payoffs = list(dict.fromkeys(name for row in rows for name in row.payoffs))[1:]
    results = [name for name in RESULTS if lengths or name != "mean length"]
    columns = (
        *(column_of(name, payoffs) for name in names), *results[:3],
        *(text for name in payoffs for text in (name, f"{name} low", f"{name} high")), *results[3:],
    )  # fmt: skip
    data = tuple(_data(row, payoffs, lengths) for row in rows)
    fixed = {n: rows[0].parameters[n] for n in names if n not in varied} if rows else {}
    title = game + (f", {', '.join(f'{n}={expression(v)}' for n, v in fixed.items())}" if fixed else "") + discount_text(discount)
    notes = _notes(rows)
    columns_shown = _shown_columns(rows, varied, payoffs, lengths, unit)
    shown = Table(title, columns_shown, tuple(_shown(r, varied, payoffs, lengths, unit) for r in rows), notes)
    return Table(title, columns, data, notes, printed=shown)


def column_of(name: str, payoffs: Sequence[str] = ()) -> str:
    """The column of a parameter: its name, unless a result has a column of that name."""
    return f"game {name}" if name in (*RESULTS, *payoffs) else name


def _data(row: Row, payoffs: Sequence[str], lengths: bool) -> tuple[Cell, ...]:
    totals = [x for name in payoffs for x in row.payoffs.get(name, (None, None, None))]
    length = [row.length] if lengths else []
    return (
        *(_cell(v) for v in row.parameters.values()), row.value, row.low, row.high, *totals, row.certificate, row.states, *length,
        row.seconds, row.compiling, "yes" if row.from_disk else "no", row.error,
    )  # fmt: skip


def _cell(value: Any) -> Cell:
    """A parameter as a number, or as the text that the command line accepts: 1,2,3 for a tuple, yes or no for truth values."""
    return value if type(value) in (int, float, str) or value is None else written(value)


def _shown_columns(
    rows: Sequence[Row], varied: Sequence[str], payoffs: Sequence[str], lengths: bool, unit: Measure | None
) -> tuple[str, ...]:
    names = [column_of(name, payoffs) for name in varied]
    value = unit.label("value") if unit else "value"
    return (*(names or ["game"]), value, *payoffs, "certificate", "states", *(["mean length"] if lengths else []), "time", *_error(rows))


def _error(rows: Sequence[Row]) -> list[str]:
    return ["why not"] if any(row.error for row in rows) else []


def _shown(row: Row, varied: Sequence[str], payoffs: Sequence[str], lengths: bool, unit: Measure | None) -> tuple[Cell, ...]:
    totals = [number_text(*row.payoffs[n]) if n in row.payoffs else "" for n in payoffs]
    length = [] if not lengths else ["" if row.length is None else f"{row.length:.6g}"]
    time = "from disk" if row.from_disk else f"{row.seconds:.3f} s" if row.seconds < 10 else f"{row.seconds:.0f} s"
    own = [str(_cell(row.parameters[n])) for n in varied] or ["-"]
    value = "" if row.value is None or row.low is None or row.high is None else number_text(row.value, row.low, row.high, unit)
    states = "" if row.states is None else f"{row.states:,}"
    return (*own, value, *totals, row.certificate, states, *length, time, row.error)


def number_text(value: Any, low: Any, high: Any, unit: Measure | None = None) -> str:
    """A value in the unit with its certain digits; a fraction as it is, if it is short."""
    value, low, high = unit.shown(value, low, high) if unit else (value, low, high)
    if isinstance(value, Fraction):
        text = in_full(value)
        return text if len(text) <= SHORT else decimals(value)
    return digits(value, low, high)


def _notes(rows: Sequence[Row]) -> tuple[str, ...]:
    """The notes of the reports, each once, with the number of combinations that it applies to."""
    counts: dict[str, int] = {}
    for row in rows:
        for note in dict.fromkeys(row.notes):
            counts[note] = counts.get(note, 0) + 1
    found = [f"note on {n} of {len(rows)} combinations: {note}" if n < len(rows) else f"note: {note}" for note, n in counts.items()]
    more = [f"and {len(found) - MOST_NOTES} more notes: --json has all"] if len(found) > MOST_NOTES else []
    return tuple(found[:MOST_NOTES] + more)
