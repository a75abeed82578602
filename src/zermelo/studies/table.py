"""The rows of a study as a table: all numbers for files and programs, and a selection for people."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import digits, in_decimals, in_few, in_full
from zermelo.basics.values import expression, written
from zermelo.basics.words import discount_text
from zermelo.studies.row import Row
from zermelo.uses.property import is_number, kind_of
from zermelo.uses.units import Measure
from zermelo.views.table import Cell, Table

SHORT = 24  # characters the longest fraction that is shown as one
MOST_NOTES = 6
RESULTS = ("value", "low", "high", "certificate", "states", "mean length", "seconds", "seconds compiling", "from disk", "error")


def of_rows(
    game: str, rows: Sequence[Row], varied: Sequence[str], lengths: bool, unit: Measure | None = None, discount: float = 1.0,
    question: Any = None,
) -> Table:
    """Every parameter and number; people see the parameters that vary, and values in the unit. question : the meaning of the property of a
    model, whose answer is then in the rows."""
    names = list(rows[0].parameters) if rows else []
    payoffs = [] if question is not None else list(dict.fromkeys(name for row in rows for name in row.payoffs))[1:]
    answers = _columns_of(question)
    results = [name for name in RESULTS if lengths or name != "mean length"]
    columns = (
        *(column_of(name, (*payoffs, *answers)) for name in names), *answers,
        *(text for name in payoffs for text in (name, f"{name} low", f"{name} high")), *results[3:],
    )  # fmt: skip
    data = tuple(_data(row, payoffs, lengths, question) for row in rows)
    fixed = {n: rows[0].parameters[n] for n in names if n not in varied} if rows else {}
    title = game + (f", {', '.join(f'{n}={expression(v)}' for n, v in fixed.items())}" if fixed else "") + discount_text(discount)
    notes = _notes(rows)
    columns_shown = _shown_columns(rows, varied, payoffs, lengths, unit, question)
    shown = Table(title, columns_shown, tuple(_shown(r, varied, payoffs, lengths, unit, question) for r in rows), notes)
    return Table(title, columns, data, notes, printed=shown)


def _columns_of(question: Any) -> tuple[str, ...]:
    """The columns of what is answered: the value and its bounds; or the answer to the property of a model, named after it."""
    if question is None:
        return RESULTS[:3]
    text, kind = f"property {question.text}" if question.text in RESULTS else question.text, kind_of(question)
    if kind == "range":
        return tuple(f"{text}{end}{bound}" for end in (": least", ": most") for bound in ("", " low", " high"))
    if kind == "number":
        return text, "low", "high"
    return (text, *RESULTS[:3]) if is_number(question) else (text,)


def _told(question: Any) -> tuple[int, ...]:
    """Those of these columns that people are shown: they see numbers with the digits that are certain instead of bounds."""
    if question is None or kind_of(question) in ("number", "states"):
        return (0,)
    if kind_of(question) == "range":
        return 0, 3
    return (0, 1) if is_number(question) else (0,)


def _answers(row: Row, question: Any) -> tuple[Cell, ...]:
    """The cells of these columns."""
    numbers = (row.value, row.low, row.high)
    if question is None or kind_of(question) == "number":
        return numbers
    if kind_of(question) == "range":
        return *(row.least or (None,) * 3), *(row.most or (None,) * 3)
    if row.error:
        return ("", *numbers) if is_number(question) else ("",)
    if kind_of(question) == "states":
        return (row.said,)
    return (_TRUTHS[row.holds], *numbers) if is_number(question) else (_TRUTHS[row.holds],)


_TRUTHS = {True: "true", False: "false", None: "not decided"}


def column_of(name: str, payoffs: Sequence[str] = ()) -> str:
    """The column of a parameter: its name, unless a result has a column of that name."""
    return f"game {name}" if name in (*RESULTS, *payoffs) else name


def _data(row: Row, payoffs: Sequence[str], lengths: bool, question: Any) -> tuple[Cell, ...]:
    totals = [x for name in payoffs for x in row.payoffs.get(name, (None, None, None))]
    length = [row.length] if lengths else []
    return (
        *(_cell(v) for v in row.parameters.values()), *_answers(row, question), *totals, row.certificate, row.states, *length,
        row.seconds, row.compiling, "yes" if row.from_disk else "no", row.error,
    )  # fmt: skip


def _cell(value: Any) -> Cell:
    """A parameter as a number, or as the text that the command line accepts: 1,2,3 for a tuple, yes or no for truth values."""
    return value if type(value) in (int, float, str) or value is None else written(value)


def _shown_columns(
    rows: Sequence[Row], varied: Sequence[str], payoffs: Sequence[str], lengths: bool, unit: Measure | None, question: Any
) -> tuple[str, ...]:
    names = [column_of(name, (*payoffs, *_columns_of(question))) for name in varied]
    values = [unit.label("value") if unit else "value"]
    if question is not None:
        values = [_columns_of(question)[k] for k in _told(question)]
    return (*(names or ["game"]), *values, *payoffs, "certificate", "states", *(["mean length"] if lengths else []), "time", *_error(rows))


def _error(rows: Sequence[Row]) -> list[str]:
    return ["why not"] if any(row.error for row in rows) else []


def _shown(
    row: Row, varied: Sequence[str], payoffs: Sequence[str], lengths: bool, unit: Measure | None, question: Any
) -> tuple[Cell, ...]:
    totals = [number_text(*row.payoffs[n]) if n in row.payoffs else "" for n in payoffs]
    length = [] if not lengths else ["" if row.length is None else in_few(row.length)]
    time = "from disk" if row.from_disk else f"{row.seconds:.3f} s" if row.seconds < 10 else f"{row.seconds:.0f} s"
    own = [str(_cell(row.parameters[n])) for n in varied] or ["-"]
    cells = _answers(row, question)
    values = [c if isinstance(c := cells[k], str) else "" if c is None else number_text(c, cells[k + 1], cells[k + 2], unit)
              for k in _told(question)]  # fmt: skip
    states = "" if row.states is None else f"{row.states:,}"
    return (*own, *values, *totals, row.certificate, states, *length, time, row.error)


def number_text(value: Any, low: Any, high: Any, unit: Measure | None = None) -> str:
    """A value in the unit with its certain digits; a fraction as it is, if it is short."""
    value, low, high = unit.shown(value, low, high) if unit else (value, low, high)
    if isinstance(value, Fraction):
        text = in_full(value)
        return text if len(text) <= SHORT else in_decimals(value)
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
