"""Many states as data: maps over two fields, distributions, tables of all states, and the views that a game has."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.bounds import interval
from zermelo.basics.numbers import UNKNOWN, WIDE
from zermelo.basics.plain import plain
from zermelo.basics.progress import Progress
from zermelo.basics.words import no_such
from zermelo.errors import OutOfReach, ParameterError, UnreachableState
from zermelo.games.all_views import FIGURES, TABLES, fitting
from zermelo.language.rules import State
from zermelo.serve.positions import WORKS_OUT, in_words_of_the_page, says
from zermelo.serve.whole import LARGEST, whole
from zermelo.solution import Chance, DataSolution, HiddenSolution, MixedSolution, Solution
from zermelo.uses.frames import column
from zermelo.uses.probabilities import spread_in_words
from zermelo.uses.units import measure, winning
from zermelo.views.action_order import action_order
from zermelo.views.glyphs import tell_boxes
from zermelo.views.information_sets import in_words
from zermelo.views.loading import load_matplotlib
from zermelo.views.slices import LENGTHS_TAIL, View, choose_slice, state_with, without_rounding
from zermelo.views.table import Table

if TYPE_CHECKING:
    import pandas

MOST_SIDE = 512  # rows or columns of a map
MOST_TOLD = 4096  # states of a map that are described in words
MOST_BARS = 240  # of a distribution
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
MOST_ROWS = 500_000  # of the table of all states
A_PAGE = 100  # rows that are sent at once, unless fewer are requested
MOST_A_PAGE = 1000


def check_states(solution: Any, what: str) -> None:
    """Raise `OutOfReach` if there are no arrays of states, which `what` needs. `what` is the subject of the message."""
    if isinstance(solution, HiddenSolution):
        raise OutOfReach(f"{what} shows states, which the players of this game do not see: its information sets are listed instead")
    if isinstance(solution, MixedSolution):
        raise OutOfReach(f"{what} shows states, and in this game there are none, as both choose once: its strategies are listed instead")
    if isinstance(solution, DataSolution):
        raise OutOfReach(solution.need)
    solution.require_states(what)


# --- maps -----------------------------------------------------------------------------------------------------------------


def heat_map(solution: Solution, rows: Any, columns: Any, fix: Any, progress: Progress) -> dict[str, Any]:
    """Value and best action over one or two fields of the states, the others fixed. Raises `ParameterError`, `OutOfReach`."""
    check_states(solution, "a map")
    progress("looking up the states", 0, None)
    chosen = choose_slice(solution, _fixed(fix), _name(rows), _name(columns))
    slots, unit, own = solution.space.columns, winning(solution.answers), measure(solution.game)
    sides = [chosen.rows] + ([chosen.columns] if chosen.columns else [])
    steps = {name: _step(slots[name][chosen.indices]) for name in sides}
    kept = np.logical_and.reduce(
        [(slots[n][chosen.indices] - slots[n][chosen.indices].min()) % k == 0 for n, k in steps.items()]
    )
    indices = chosen.indices[kept]
    values = without_rounding(solution.values[indices].astype(float), solution.errors[indices].astype(float))
    shown = values if unit is None else unit.of_all(values)
    names, best = _best(solution, indices, progress)
    return {
        "rows": chosen.rows,
        "columns": chosen.columns,
        "fixed": chosen.fixed,
        "fields": {n: [int(c.min()), int(c.max())] for n, c in slots.items() if c.min() != c.max()},
        "at": {n: slots[n][indices].tolist() for n in (*sides, *chosen.implied)},
        "values": _without_nan(values),
        "shown": _without_nan(shown),
        "said": _said(solution, indices, values),
        "unit": None if unit is None else unit.name,
        "payoff unit": None if own is None else own._asdict(),
        "best": best,
        "actions": names,
        "texts": _texts(solution, indices),
        "thinned": {n: k for n, k in steps.items() if k > 1},
    }


def _without_nan(values: np.ndarray) -> list[float | None]:
    """Numbers of JSON: None where nothing is known (`must_end`)."""
    return [None if math.isnan(v) else v for v in values.tolist()]


def _said(solution: Solution, indices: np.ndarray, values: np.ndarray) -> dict[int, str]:
    """What is said of states of which an interval alone is known, or nothing, by their places among `indices`."""
    errors = solution.errors[indices].astype(float)
    unsure = np.flatnonzero(np.isnan(values) | ~(2 * errors <= WIDE * np.maximum(1.0, np.abs(values + errors))))  # as `is_wide`
    unit, found = winning(solution.answers), {}
    for at, value, error in zip(unsure.tolist(), values[unsure].tolist(), errors[unsure].tolist(), strict=True):
        found[at] = UNKNOWN if math.isnan(value) else says(solution, unit, value, *interval(value, error), None)
    return found


def _step(values: np.ndarray) -> int:
    """The step between the whole numbers of a side that are shown, so that there are at most `MOST_SIDE`."""
    return -(-(int(values.max()) - int(values.min()) + 1) // MOST_SIDE)


def _best(solution: Solution, indices: np.ndarray, progress: Progress) -> tuple[list[str], list[int] | None]:
    """The names of best actions, in the order of their colours, and for each state the index of its own; -1 if there is none."""
    rules = solution.rules
    if rules.is_chance:
        return [], None
    states = _states(solution, indices)
    positions = solution.action_numbers[indices].tolist()
    found: list[Any] = []
    for at, (state, place) in enumerate(zip(states, positions, strict=True)):
        if at % 4096 == 0:
            progress("looking up best actions", at, len(states))
        found.append(None if place < 0 else rules.own_actions(state)[place])
    order = action_order(solution, indices, found)
    place_of = {a: k for k, a in enumerate(order)}
    return [rules.action_name(a) for a in order], [-1 if a is None else place_of[a] for a in found]


def _texts(solution: Solution, indices: np.ndarray) -> list[str] | None:
    """The output of the game's own `show` for these states; None if it has none, or if there are many states."""
    if not solution.rules.is_told or len(indices) > MOST_TOLD:
        return None
    return [solution.rules.in_line(state) for state in _states(solution, indices)]


def _states(solution: Solution, indices: np.ndarray) -> list[State]:
    """The states with these indices. Their keys are those of the space: where the game was solved again for it, fields have other bits."""
    space = solution.space
    found: list[State] = space.layout.unpack_many(space.keys[indices])
    return found


def _fixed(fix: Any) -> dict[str, int]:
    if fix is None:
        return {}
    if not isinstance(fix, dict):
        raise ParameterError("fields are fixed by an object of names and whole numbers")
    fixed = {n: whole(v) for n, v in fix.items()}
    for name, value in fixed.items():
        if not isinstance(value, int) or isinstance(value, bool):
            raise ParameterError(f"{name} must be a whole number, not {value!r}")
    return fixed


def _name(name: Any) -> str | None:
    if name is not None and not isinstance(name, str):
        raise ParameterError(f"a field is named by a text, not {name!r}")
    return name or None


# --- distributions ----------------------------------------------------------------------------------------------------------


def distribution(solution: Any, payoff: Any, progress: Progress) -> dict[str, Any]:
    """The distribution of the length of a play (None), or of a payoff's total. Raises `ParameterError`, `OutOfReach`, `NoValue`."""
    if isinstance(solution, MixedSolution):
        return _of_matrix(solution, payoff)
    spread = solution.distribution(_name(payoff), tail=LENGTHS_TAIL, progress=progress)
    bins = spread.bins(MOST_BARS)
    own = measure(solution.game) if payoff and payoff == solution.rules.payoffs[0] else None
    return {
        "of": payoff,
        "bars": [[int(low), int(high), float(p)] for low, high, p in bins],
        "below": float(spread.at_most(bins[0][0] - 1)) if bins else 0.0,
        "above": float(spread.at_least(bins[-1][1] + 1) - spread.endless) if bins else 0.0,
        "endless": spread.endless,
        "tail": spread.tail,
        "mean": spread.mean,
        "standard deviation": spread.standard_deviation,
        "quantiles": {str(q): spread.quantile(q) for q in QUANTILES},
        "says": spread.in_words(own),
    }


def _of_matrix(solution: MixedSolution, payoff: Any) -> dict[str, Any]:
    """The distribution of the payoff of a matrix game, for every play is one move long. Payoffs may be fractions."""
    spread = solution.distribution(_name(payoff))
    pairs = list(zip(spread.support, spread.probabilities, strict=True))
    width = -(-len(pairs) // MOST_BARS)  # values of a bar
    bars = [pairs[k : k + width] for k in range(0, len(pairs), width)]
    return {
        "of": "payoff",
        "bars": [[_plain(bar[0][0]), _plain(bar[-1][0]), float(sum(p for _, p in bar))] for bar in bars],
        "below": 0.0,
        "above": 0.0,
        "endless": 0.0,
        "tail": 0.0,
        "mean": float(spread.mean),
        "standard deviation": spread.standard_deviation,
        "quantiles": {str(q): _plain(spread.quantile(q)) for q in QUANTILES},
        "says": spread_in_words(spread, measure(solution.game)),
    }


def _plain(value: Fraction) -> int | float:
    """A payoff as a number of JSON."""
    return value.numerator if value.denominator == 1 else float(value)


# --- tables ----------------------------------------------------------------------------------------------------------------


def views(solution: Any) -> dict[str, list[dict[str, Any]]]:
    """The tables and pictures that this solution has, by name."""
    return {
        kind.lower(): [
            {"name": name, "about": view.doc, "takes": _takes(view)} for name, view in fitting(solution, kind).items()
        ]
        for kind in (TABLES, FIGURES)
    }


def _takes(view: View) -> Any:
    """The fields that can be fixed: all of a state (true), these, or none (false)."""
    return view.takes_fix if isinstance(view.takes_fix, bool) else list(view.takes_fix)


def table(solution: Any, name: Any, fix: Any, progress: Progress) -> dict[str, Any]:
    """A table of this solution. Raises `ParameterError` and the errors of the table itself."""
    made: Table = _made(solution, TABLES, name, fix, progress)
    shown = made.printed or made
    return {
        "title": shown.title,
        "columns": list(shown.columns),
        "rows": [[shown.text(cell) for cell in row] for row in shown.rows],
        "sorted by": [[_sortable(cell) for cell in row] for row in shown.rows],
        "marked": sorted(list(at) for at in shown.marked),
        "mark": shown.mark,
        "notes": [for_page(note) for note in shown.notes],
        "data": made.as_json(),
    }


def for_page(note: str) -> str:
    """A note of a table, with the controls of the page instead of the options of the terminal."""
    options = re.findall(r"--fix (\w+)=N", note)
    if not options:
        return note
    return re.sub(r"--fix \w+=N(?: --fix \w+=N)*", f"type {' and '.join(options)} above", note)


def figure(solution: Any, name: Any, fix: Any, progress: Progress) -> dict[str, Any]:
    """A picture of this solution as SVG, and its marks. Raises `ParameterError` and the errors of the picture itself."""
    load_matplotlib()  # only here, since this takes long
    from matplotlib import rc_context

    from zermelo.serve.marks import marks

    made = _made(solution, FIGURES, name, fix, progress)
    file = io.StringIO()
    with rc_context({"svg.hashsalt": "zermelo"}):  # so that the same picture gives the same text
        made.savefig(file, format="svg", facecolor="white", metadata={"Date": None})
    tell_boxes(made)
    return {"svg": file.getvalue(), "size": list(map(float, made.get_size_inches())), "axes": marks(made)}


def _made(solution: Any, kind: str, name: Any, fix: Any, progress: Progress) -> Any:
    found, fixed = fitting(solution, kind), _fixed(fix)
    if not isinstance(name, str) or name not in found:
        raise ParameterError(no_such("view", str(name), list(found)))
    view = found[name]
    if fixed and not view.takes_fix:
        raise ParameterError(f"the view {name} has no fields to be fixed")
    progress("drawing the picture" if kind is FIGURES else "making the table", 0, None)
    try:
        return view.make(solution, fixed, progress) if view.is_long else view.make(solution, fixed)
    except UnreachableState:
        if name == WORKS_OUT or view.takes_fix is not True:
            raise
        with in_words_of_the_page(solution, state_with(solution, fixed)):
            raise


def _sortable(cell: Any) -> Any:
    """The sort key of a cell: a number, or its text."""
    if isinstance(cell, Chance):
        return float(cell.value)
    return cell if cell is None or isinstance(cell, str) else float(cell)


# --- all states --------------------------------------------------------------------------------------------------------------


def frame(solution: Any, progress: Progress) -> pandas.DataFrame:
    """All states (for matrix games, all strategies that are played; for hidden information, all information sets) as a data frame."""
    if isinstance(solution, Solution):
        check_states(solution, "the table of all states")
        if solution.report.states > MOST_ROWS:
            raise OutOfReach(
                f"{solution.rules.name} has {solution.report.states:,} states, and the page lists {MOST_ROWS:,} at most: "
                "solution.to_dataframe() in Python has all"
            )
    progress("listing them", 0, None)
    made: pandas.DataFrame = solution.to_dataframe()
    if isinstance(solution, HiddenSolution):
        made["seen"] = in_words(solution, made["player"], made["seen"])
    if isinstance(solution, MixedSolution):
        made["strategy"] = _strategies_in_words(solution, made)
    for name in made.columns:
        if made[name].dtype == object:
            made[name] = made[name].map(_text)
    if isinstance(solution, Solution) and (away := column(solution.answers, "distance")) in made:
        made[away] = made[away].astype("Int32").mask(made[away] < 0)  # missing if play has no end to count to, as in draws
    return made


def _strategies_in_words(solution: MixedSolution, made: pandas.DataFrame) -> list[Any]:
    """Strategies in the game's words, otherwise unchanged."""
    have_words = [getattr(solution.game, method, None) is not None for method in ("show_row", "show_column")]
    chosen = zip(map(solution.players.index, made["player"]), made["strategy"], strict=True)
    return [solution.shown(side, strategy) if have_words[side] else strategy for side, strategy in chosen]


def _text(cell: Any) -> str:
    if isinstance(cell, tuple):
        return " ".join(map(str, cell))
    return "" if cell is None else str(cell)


def selected(made: pandas.DataFrame, sort: Any, descending: Any, where: Any) -> pandas.DataFrame:
    """The rows that agree with `where` (a condition in text for each column: 7, 3..9, >=0.5, or a part of a text), sorted by a column."""
    for name, condition in _conditions(where).items():
        made = made[_agrees(made, _column(made, name), condition)]
    if sort is not None:
        made = made.sort_values(_column(made, sort), ascending=not descending, kind="stable")
    return made


def heads(solution: Any, columns: Sequence[str]) -> dict[str, str]:
    """The columns that count payoffs, with the unit shown to people; cells are in payoffs of the rules, as in Python and in files."""
    own = measure(solution.game)
    if own is None:
        return {}
    if isinstance(solution, Solution):
        first = solution.rules.payoffs[0] if len(solution.rules.payoffs) > 1 else "value"
        paid = {column(solution.answers, name) for name in (first, "error")}
    else:
        paid = {"value", "payoff", "exact payoff"}
    unit = own.name if own.payoffs == 1 else f"1/{own.payoffs} {own.name}"
    return {name: f"{name}, {unit}" for name in columns if name in paid}


def page(made: pandas.DataFrame, first: Any, count: Any) -> dict[str, Any]:
    """Some rows of a data frame."""
    for number in (first, count):
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise ParameterError(f"rows are counted by whole numbers from 0, not {number!r}")
    shown = made.iloc[first : first + min(count, MOST_A_PAGE)]
    rows = list(map(list, zip(*(_cells(shown[name]) for name in shown), strict=True)))
    return {
        "columns": list(map(str, made.columns)),
        "numeric": [_is_number(made, n) for n in made.columns],
        "rows": rows,
        "of": len(made),
    }


def _cells(column: pandas.Series) -> list[Any]:
    """The values of a column as written in JSON; None for missing ones."""
    return [v.item() if isinstance(v, np.generic) else v for v in column.astype(object).where(column.notna(), None)]


def _is_number(made: pandas.DataFrame, name: str) -> bool:
    return made[name].dtype.kind in "iuf"


def _conditions(where: Any) -> dict[str, str]:
    if where is None:
        return {}
    if not isinstance(where, Mapping) or not all(isinstance(text, str) for text in where.values()):
        raise ParameterError("conditions are an object of columns and texts")
    return {name: text.strip() for name, text in where.items() if text.strip()}


def _column(made: pandas.DataFrame, name: Any) -> str:
    if name not in list(made.columns):
        raise ParameterError(no_such("column", str(name), list(map(str, made.columns))))
    return str(name)


def _number(text: str) -> int | float:
    """A number of a condition: whole numbers unchanged, since floats can't hold all beyond 2^53; those too large for a column as floats."""
    is_whole = re.fullmatch(r"-?\d{1,18}", text)
    return int(text) if is_whole else float(text)


def as_json(made: pandas.DataFrame) -> bytes:
    """All rows in JSON, one object for each."""
    columns = [plain(_cells(made[name]), LARGEST) for name in made.columns]
    names = list(map(str, made.columns))
    return json.dumps([dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)], allow_nan=False).encode()


def _agrees(made: pandas.DataFrame, name: str, condition: str) -> Any:
    if not _is_number(made, name):
        return made[name].astype(str).str.contains(condition, case=False, regex=False)
    number = r"(-?\d+(?:\.\d+)?(?:e-?\d+)?)"
    column = made[name]
    if found := re.fullmatch(rf"{number}\s*\.\.\s*{number}", condition):
        return (column >= _number(found[1])) & (column <= _number(found[2]))
    if found := re.fullmatch(rf"(<=|>=|<|>|=)?\s*{number}", condition):
        compare = {"<": column.lt, "<=": column.le, ">": column.gt, ">=": column.ge}.get(found[1] or "", column.eq)
        return compare(_number(found[2]))
    raise ParameterError(f"{name} is a number: write a condition as 7, 3..9 or >=0.5, not {condition!r}")
