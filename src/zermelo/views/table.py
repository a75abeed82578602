"""Values and policy of a solution as tables: data first, then printed with rich or as JSON.

`states` tabulates the states of any game: fields that vary make the rows and columns, all others are fixed at the
start (or by `fix`). `actions` shows the worth of every action at one state. Games of the catalogue add tables of
their own.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import ROUND_UP, Context, Decimal
from fractions import Fraction
from functools import wraps
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics import html
from zermelo.basics.bounds import interval
from zermelo.basics.different import different
from zermelo.basics.numbers import (
    UNKNOWN,
    WIDE,
    Number,
    between,
    digits,
    in_full,
    is_wide,
    leading,
    rounded,
    shortened,
    without_sign_of_zero,
)
from zermelo.basics.words import cells, game_in_words
from zermelo.errors import UnreachableState
from zermelo.solution import Solution
from zermelo.uses.lookahead import Interval, places
from zermelo.uses.property import remark
from zermelo.uses.units import Chance, Measure, Winning, measure, percent, winning
from zermelo.views.look import telling_fields, with_chance
from zermelo.views.slices import (
    LENGTHS_TAIL,
    NO_FIX,
    Fix,
    Slice,
    View,
    action_at,
    choose_slice,
    has_lengths,
    has_rules,
    has_telling_fields,
    narrowness,
    sampled,
    state_with,
)

if TYPE_CHECKING:
    from rich.console import Console

    from zermelo.solution import Probe
    from zermelo.uses.probabilities import Distribution

Cell = int | float | Fraction | Chance | str | None
ROUNDING = 1e-12  # a loss below this is rounding, where both choose at once
LEAST, SMALL = 1e-30, 1e-4  # numbers between these are printed with more decimals, if none is larger
LARGE = 1e15  # printed with an exponent
NO_LOSS = Chance(0.0, 0.0, 0.0)
MOST_DIGITS = 15  # of a chance in a note
EVERY = sys.maxsize  # rows and columns
LIMIT = 27  # rows or columns shown unless more are requested
OFF_PLAY = "no play from the start comes here: worked out from the states that it leads to"
GAP = 2  # spaces between columns
LINES, BAR = 26, 40  # of a distribution, and characters of its longest bar


class Table(NamedTuple):
    """A table as data. The first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()
    marked: frozenset[tuple[int, int]] = frozenset()  # (row, column) of the cells that `mark` is true of
    mark: str = ""
    decimals: int = 4  # of floats; with an exponent, negated
    data: Mapping[str, Any] = MappingProxyType({})  # additional entries of the JSON
    printed: Table | None = None  # the table shown to people, if its unit is not that of the data
    whole: Callable[[], Table] | None = None  # the same with every row and column, for a file; None if nothing was left out

    def as_json(self) -> dict[str, Any]:
        return {
            **self.data,
            "title": self.title,
            "columns": list(self.columns),
            "rows": [[plain(cell) for cell in row] for row in self.rows],
            "mark": self.mark or None,
            "marked": sorted(list(at) for at in self.marked),
            "notes": list(self.notes),
        }

    def _repr_html_(self) -> str:
        """The table as notebooks show it."""
        shown = self.printed or self
        rows = [[shown.text(cell) for cell in row] for row in shown.rows]
        marks = [f"marked: {shown.mark}"] if shown.mark and shown.marked else []
        return html.card(shown.title, html.table(shown.columns, rows, shown.marked), *map(html.note, (*marks, *shown.notes)))

    def text(self, cell: Cell) -> str:
        """A cell as it is printed."""
        if cell is None:
            return ""
        if isinstance(cell, Chance):
            return percent(cell)
        if isinstance(cell, float):
            if self.decimals < 0:  # with an exponent
                return f"{cell:.{-self.decimals}e}" if cell else "0"
            return without_sign_of_zero(f"{cell:.{self.decimals}f}")
        return shortened(cell) if isinstance(cell, Fraction) else str(cell)


def rarities(probabilities: Iterable[float], decimals: int) -> tuple[str, ...]:
    """A note where probabilities that are printed with so many decimals look like 0 and are not, or like 1."""
    rounded_away = any(p not in (0, 1) and round(p, decimals) in (0, 1) for p in probabilities)
    return (f"{0:.{decimals}f} and {1:.{decimals}f} are rounded: a probability may be a little more than 0 or less than 1",) * rounded_away


def thinned(make: Callable[[int], Table], limit: int) -> Table:
    """The table that `make` gives for at most about `limit` rows and columns; a file gets all of them."""
    return make(limit)._replace(whole=lambda: make(EVERY))


def plain(cell: Any) -> Any:
    """A value as JSON has it: fractions as text, numpy numbers as Python's."""
    if isinstance(cell, Fraction):
        return in_full(cell)
    if isinstance(cell, np.generic):
        return cell.item()
    return cell


# --- tables of any game -----------------------------------------------------------------------------------------------


def states(
    solution: Solution, fix: Fix = NO_FIX, rows: str | None = None, columns: str | None = None, limit: int = LIMIT
) -> Table:
    """The value of states, by one or two of their fields; others are fixed, at the start state unless `fix` sets them.

    People are shown chances of winning if the game defines them; JSON has both.
    Raises `ParameterError` for a field that does not exist, or if no state is left.
    """
    chosen = choose_slice(solution, fix, rows, columns)
    table, note = _of_slice(solution, chosen, limit), narrowness(solution, fix, chosen)
    return _with_note(table, note) if note else table


def _of_slice(solution: Solution, chosen: Slice, limit: int) -> Table:
    make, unit = _list if chosen.columns is None else _grid, _unit(solution)
    table = thinned(lambda most: make(solution, chosen, most, None), limit)
    note = _middles(solution, chosen, unit)
    if note:
        own = _middles(solution, chosen, None)
        table = _with_note(table, own)._replace(whole=lambda: _with_note(make(solution, chosen, EVERY, None), own))
    if unit is None:
        return table
    printed = make(solution, chosen, limit, unit)
    printed = _with_note(printed, note) if note else printed
    if isinstance(unit, Measure):
        return table._replace(printed=printed)
    chances = [[cell.value if isinstance(cell, Chance) else cell for cell in row] for row in printed.rows]
    return table._replace(data={"unit": unit.name, "win probabilities": chances}, printed=printed)


def _middles(solution: Solution, chosen: Slice, unit: Winning | Measure | None) -> str:
    """A note where values are only the middles of wide intervals; else nothing."""
    errors, are_wide = _errors(solution, chosen.indices)
    if not are_wide.any():
        return ""
    if isinstance(unit, Winning):
        worst = f"{rounded(100 * float(unit.loss(float(errors.max()), 0.0)), 2, ROUND_UP):g} %"
        return f"chances are the middles of intervals: a true one may be up to {worst} away"
    worst = (unit or Measure("")).amount(rounded(float(errors.max()), 2, ROUND_UP))
    return f"values are the middles of intervals: a true one may be up to {worst} away"


def _errors(solution: Solution, indices: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The errors of the states with these indices whose values are known, and whether these are only the middles of wide intervals."""
    known = indices[~np.isnan(solution.values[indices])]
    values, errors = solution.values[known].astype(float), solution.errors[known].astype(float)
    return errors, 2 * errors > WIDE * np.maximum(1.0, np.abs(values + errors))  # as `is_wide`


def _error(solution: Solution, indices: np.ndarray, unit: Winning | Measure | None) -> float:
    """The largest error of the values that a table shows with their certain decimals, in the unit of payoffs."""
    errors, are_wide = _errors(solution, indices)
    return float(errors[~are_wide].max(initial=0.0)) / (unit.payoffs if isinstance(unit, Measure) else 1)


def _title(solution: Solution, fixed: Mapping[str, int]) -> str:
    said = ", ".join(f"{n}={v}" for n, v in fixed.items())
    return f"{game_in_words(solution.game)}{', states with ' + said if said else ''}"


def _unit(solution: Solution) -> Winning | Measure | None:
    """The unit in which people are shown values: chances of winning, or that of the game's payoffs."""
    return winning(solution.answers) or measure(solution.game)


def _worth(solution: Solution, index: int, unit: Winning | Measure | None) -> float | Chance | str:
    """The value of the state with this index, in the given unit."""
    value, error = float(solution.values[index]), float(solution.errors[index])
    if math.isnan(value):
        return UNKNOWN
    if isinstance(unit, Winning):
        chance = unit.of(value, *interval(value, error))
        return Chance(chance.value, chance.value, chance.value) if is_wide(chance.low, chance.high) else chance  # as a note says
    return value if unit is None else float(unit.of(value))


def _decimals(rows: Iterable[Sequence[Cell]], most: int, error: float = 0.0) -> int:
    """The number of decimals to print: none if the printed numbers are whole; otherwise as many as allowed, more where all are small, fewer
    where they are not certain. Negative if all are so small, or one so large or uncertain, that numbers are printed with exponents."""
    numbers = [abs(cell) for row in rows for cell in row if isinstance(cell, float) and math.isfinite(cell)]
    largest = max(numbers, default=0.0)
    if 0 < largest < LEAST or largest >= LARGE:
        return -most
    if largest and largest < SMALL:
        most += math.floor(-math.log10(largest))
    if 1 < 2 * error < math.inf:
        return -max(1, leading(largest) - math.ceil(math.log10(2 * error)))
    most = max(0, min(most, MOST_DIGITS - 1 - leading(largest)))
    if 0 < error < math.inf:
        most = max(0, min(most, math.floor(-math.log10(2 * error))))
    return most if any(round(number, most) % 1 for number in numbers) else 0


def _list(solution: Solution, chosen: Slice, limit: int, unit: Winning | Measure | None) -> Table:
    kept, note = sampled(chosen.indices, limit)
    column = solution.space.columns[chosen.rows]
    has_actions = not solution.rules.is_chance
    rows = []
    for index in kept:
        action = action_at(solution, int(index))
        rows.append((int(column[index]), _worth(solution, int(index), unit), *((action,) if has_actions else ())))
    chosen_action = "likeliest action" if solution.rules.is_simultaneous else "best action"
    worth = "value" if unit is None else "wins, %" if isinstance(unit, Winning) else unit.label("value")
    header = (chosen.rows, worth, *((chosen_action,) if has_actions else ()))
    notes = [f"wins: {unit.name}"] if isinstance(unit, Winning) else []
    notes += [f"{note} of {chosen.rows}"] if note else []
    decimals = _decimals(rows, 6, _error(solution, kept, unit))
    return Table(_title(solution, chosen.fixed), header, tuple(rows), tuple(notes), decimals=decimals)


def _grid(solution: Solution, chosen: Slice, limit: int, unit: Winning | Measure | None) -> Table:
    assert chosen.columns is not None
    row_of, column_of = (solution.space.columns[n][chosen.indices] for n in (chosen.rows, chosen.columns))
    row_values, row_note = sampled(different(row_of), limit)
    column_values, column_note = sampled(different(column_of), limit)
    index_at = {(int(r), int(c)): int(i) for r, c, i in zip(row_of, column_of, chosen.indices, strict=True)}
    cells, actions = [], {}
    for i, r in enumerate(row_values):
        line: list[Cell] = [int(r)]
        for j, c in enumerate(column_values):
            index = index_at.get((int(r), int(c)))
            line.append(None if index is None else _worth(solution, index, unit))
            if index is not None and not solution.rules.is_chance:
                actions[i, j + 1] = action_at(solution, index)
        cells.append(tuple(line))
    mark, marked = _rarer(actions)
    worth = "value" if unit is None else f"{unit.name}, in %" if isinstance(unit, Winning) else unit.label("value")
    notes = [f"rows: {chosen.rows}, columns: {chosen.columns}, cells: {worth}"]
    notes += [f"{note} of {name}" for note, name in ((row_note, chosen.rows), (column_note, chosen.columns)) if note]
    header = (f"{chosen.rows} \\ {chosen.columns}", *(str(c) for c in column_values))
    decimals = _decimals(cells, 4, _error(solution, chosen.indices, unit))
    return Table(_title(solution, chosen.fixed), header, tuple(cells), tuple(notes), marked, mark, decimals)


def _rarer(actions: dict[tuple[int, int], str]) -> tuple[str, frozenset[tuple[int, int]]]:
    """Of exactly two actions, the one that is best less often, and where; nothing for more or fewer actions."""
    where: dict[str, list[tuple[int, int]]] = {}
    for at, name in actions.items():
        if name:
            where.setdefault(name, []).append(at)
    if len(where) != 2:
        return "", frozenset()
    name = min(where, key=lambda n: len(where[n]))
    return name, frozenset(where[name])


def actions(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The worth of every action at one state, with its certain digits: the start, with the fields of `fix` replaced. The state may be one
    that no play reaches, if play leads from it to solved states; a note then says so.

    People are shown chances of winning if the game defines them; JSON has both.
    """
    state = state_with(solution, fix)
    try:
        return _at_one_state(solution, solution.probe(state))
    except UnreachableState:
        return _with_note(_at_one_state(solution, solution.probe(state, off_play=True)), OFF_PLAY)


def _with_note(table: Table, note: str) -> Table:
    printed = None if table.printed is None else _with_note(table.printed, note)
    return table._replace(notes=(*table.notes, note), printed=printed)


def _at_one_state(solution: Solution, probe: Probe) -> Table:
    unit, own = winning(solution.answers), measure(solution.game)
    if probe.mixture is not None:
        return _mixtures(solution, probe, None)._replace(
            printed=_mixtures(solution, probe, unit or own or Measure("")), data={} if unit is None else _chances(solution, probe, unit)
        )
    table, names = _actions(solution, probe, None), solution.rules.action_names(probe.action_bounds)
    sure = {
        "certain": probe.is_action_certain,
        "bounds": {name: [plain(end) for end in probe.action_bounds[a]] for a, name in names.items()},
    }
    if unit is None:
        is_shown_otherwise = own is not None or any(is_wide(*ends) for ends in probe.action_bounds.values())
        return table._replace(data=sure, printed=_actions(solution, probe, own or Measure("")) if is_shown_otherwise else None)
    return table._replace(printed=_actions(solution, probe, unit), data={**sure, **_chances(solution, probe, unit)})


def _chances(solution: Solution, probe: Probe, unit: Winning) -> dict[str, Any]:
    """The JSON entries about chances of winning at one state."""
    names = solution.rules.action_names(probe.win_probabilities)
    found = {names[a]: c._asdict() for a, c in probe.win_probabilities.items()}
    own = None if probe.win_probability is None else probe.win_probability._asdict()
    return {
        "unit": unit.name,
        "win probability": {n: plain(v) for n, v in (own or {}).items()},
        "win probabilities": {name: {n: plain(v) for n, v in chance.items()} for name, chance in found.items()},
    }


def _actions(solution: Solution, probe: Probe, unit: Winning | Measure | None) -> Table:
    """The actions of a state, the best first, with the loss of each."""
    sign = 1 if probe.player == 0 else -1
    place = places(probe.actions, probe.action_bounds, sign)
    known = {a: (probe.actions[a], probe.action_bounds[a]) for a in sorted(probe.actions, key=place.__getitem__)}
    best = max(probe.actions, key=lambda a: sign * probe.actions[a], default=None)
    name = solution.rules.action_names(probe.actions)
    rows: tuple[tuple[Cell, ...], ...]
    if not isinstance(unit, Winning):
        rows = tuple((name[a], *_paid(unit, v, ends, sign * (known[best][0] - v), known[best][1], sign)) for a, (v, ends) in known.items())
        columns = ("action", "value", "loss against the best")
        columns = ("action", unit.label("value"), unit.label("loss against the best")) if unit and unit.name else columns
    else:
        lost = {a: NO_LOSS if a == best else _lost(unit, known[best], of, sign) for a, of in known.items()}
        rows = tuple((name[a], probe.win_probabilities[a], lost[a]) for a in known)
        columns = ("action", "wins, %", "loss against the best, %")
    marked = frozenset((i, 0) for i, a in enumerate(known) if a is not None and a == probe.action)
    title = f"{game_in_words(solution.game)} at: {solution.rules.show(probe.state)}".replace("\n", " / ")
    notes = [*_known(probe, unit)]
    if len(known) > 1:
        notes.append(_how_certain(name[probe.action], probe))
    return Table(title, columns, rows, tuple(notes), marked, "a best action", decimals=_decimals(rows, 9, _widest(unit, probe)))


def _widest(unit: Winning | Measure | None, probe: Probe) -> float:
    """The largest error of the values of actions that are shown with their certain decimals, in the unit of payoffs."""
    widths = [float(high - low) / 2 for low, high in probe.action_bounds.values() if not is_wide(low, high)]
    return max(widths, default=0.0) / (unit.payoffs if isinstance(unit, Measure) else 1)


def _paid(unit: Measure | None, value: Number, ends: Interval, loss: Number, best: Interval, sign: int) -> tuple[Cell, Cell]:
    """The value of an action and its loss against a best one, given what is known of both values; in a unit for people, who are shown the
    interval where hardly any digit is certain."""
    if unit is None:
        return value, float(loss)
    between_both = (best[0] - ends[1], best[1] - ends[0]) if sign > 0 else (ends[0] - best[1], ends[1] - best[0])
    least, most = (max(0.0, float(end)) for end in between_both)
    shown = between(*unit.shown(value, *ends)[1:]) if is_wide(*ends) else unit.of(value)
    return shown, between(*unit.shown(loss, least, most)[1:]) if loss and is_wide(least, most) else float(unit.of(loss))


def _known(probe: Probe, unit: Winning | Measure | None) -> Iterator[str]:
    """Notes on the worth of the state."""
    if isinstance(unit, Winning) and probe.win_probability is not None:
        yield f"{unit.name}: {percent(probe.win_probability, most=MOST_DIGITS)} %"
    if isinstance(unit, Measure) and unit.name:
        yield f"value {unit.written(digits(*unit.shown(probe.value, probe.low, probe.high)))}"
    else:
        yield f"value {digits(probe.value, probe.low, probe.high)}"


def _how_certain(name: str, probe: Probe) -> str:
    if probe.is_action_certain:
        return f"{name} is certain to be a best action: the bounds of no other action exceed its own"
    return f"whether {name} is the best action is not certain: the bounds of others overlap with its own"


def _lost(unit: Winning, best: tuple[Number, Interval], action: tuple[Number, Interval], sign: int) -> Cell:
    """The certain loss in the chance of winning if an action is chosen instead of the best one, given both values and their bounds."""
    (better, (low, high)), (worse, (least, most)) = (best, action) if sign > 0 else (action, best)
    lost = unit.loss(better, worse)
    fewest, largest = min(lost, unit.loss(low, most)), max(lost, unit.loss(high, least))
    if fewest <= 0:
        percent_lost = Context(prec=2, rounding=ROUND_UP).create_decimal(Decimal(100 * float(largest)))
        return NO_LOSS if largest <= 0 else f"at most {float(percent_lost):g}"
    return Chance(lost, fewest, largest)


def _mixtures(solution: Solution, probe: Probe, unit: Winning | Measure | None) -> Table:
    """Where both choose at once: how often each action is played, and its worth against the other's mixture."""
    sides = (
        ("first", probe.mixture, probe.actions, probe.action_bounds, 1),
        ("second", probe.other_mixture, probe.other_actions, probe.other_action_bounds, -1),
    )
    rows: list[tuple[Cell, ...]] = []
    marked = set()
    for player, mixture, worth, bounds, sign in sides:
        values, name = worth or {}, solution.rules.action_names(mixture or ())
        top = max(values, key=lambda a, v=values, s=sign: s * v[a], default=None)  # type: ignore[misc]
        for action, chance in (mixture or {}).items():
            if chance:
                marked.add((len(rows), 2))
            value, loss = values[action], float(sign * (values[top] - values[action]))
            shown: tuple[Cell, ...]
            if not isinstance(unit, Winning):
                shown = _paid(unit, value, bounds[action], loss, bounds[top], sign)
            else:
                is_loss = abs(float(unit.loss(values[top], value))) > ROUNDING
                lost = _lost(unit, (values[top], bounds[top]), (value, bounds[action]), sign) if is_loss else NO_LOSS
                shown = (unit.of(value, *bounds[action]), lost)
            rows.append((player, name[action], float(chance), *shown))
    title = f"{game_in_words(solution.game)} at: {solution.rules.show(probe.state)}".replace("\n", " / ")
    notes = [*_known(probe, unit)]
    notes[-1] += "; actions are worth this against the other player's mixture"
    worth_of = ("value", "loss against the best")
    if isinstance(unit, Winning):
        worth_of = (f"{unit.who} wins, %", "loss against the best, %")
    elif unit and unit.name:
        worth_of = (unit.label("value"), unit.label("loss against the best"))
    columns = ("player", "action", "probability", *worth_of)
    return Table(title, columns, tuple(rows), tuple(notes), frozenset(marked), "is played", _decimals(rows, 9, _widest(unit, probe)))


def lengths(solution: Solution, fix: Fix = NO_FIX) -> Table:
    """The number of moves of a play under optimal play, in at most about `LINES` lines; JSON has every length."""
    spread = solution.distribution(tail=LENGTHS_TAIL)
    lines = list(_length_lines(spread))
    most = max(p for _, p, _ in lines)
    rows = tuple((name, 100 * p, so_far and 100 * so_far, "█" * round(BAR * p / most)) for name, p, so_far in lines)
    title = f"{game_in_words(solution.game)}: how many moves a play takes"
    solved = solution.length  # of all plays; those of the distribution that are left out are the longest ones
    data = {
        "mean": solved.mean,
        "mean low": solved.mean_low,
        "mean high": solved.mean_high,
        "standard deviation": solved.standard_deviation,
        "lengths": spread.support,
        "probabilities": spread.probabilities,
        "errors": spread.errors,
        "tail": spread.tail,
        "endless": spread.endless,
    }
    return Table(
        title, ("moves", "%", "so far", ""), rows, (spread.in_words(),), decimals=3, data=data, whole=lambda: _every_length(title, spread)
    )


def _every_length(title: str, spread: Distribution) -> Table:
    rows = zip(spread.support.tolist(), spread.probabilities.tolist(), spread.errors.tolist(), strict=True)
    return Table(title, ("actions", "probability", "error"), tuple(rows))


def _length_lines(spread: Distribution) -> Iterator[tuple[str, float, float | None]]:
    """Lengths, their probability, and the probability of these and all smaller ones."""
    bins = spread.bins(LINES)
    if bins and spread.at_most(bins[0][0] - 1) > 0:
        yield f"less than {bins[0][0]}", spread.at_most(bins[0][0] - 1), spread.at_most(bins[0][0] - 1)
    for low, high, probability in bins:
        yield str(low) if low == high else f"{low} to {high}", probability, spread.at_most(high)
    longer = spread.at_least(bins[-1][1] + 1) - spread.endless if bins else 0.0
    if longer > 0:
        yield f"more than {bins[-1][1]}", longer, 1 - spread.endless
    if spread.endless > 0:
        yield "without end", spread.endless, None


def _of_model(make: Callable[..., Table]) -> Callable[..., Table]:
    """A table of values that says, for a model, what property they are about, and how they differ from its answer."""

    @wraps(make)
    def told(solution: Solution, *arguments: Any, **options: Any) -> Table:
        table = make(solution, *arguments, **options)
        note = remark(solution.game, is_in_unit=False)
        if not note:
            return table
        printed, whole = table.printed, table.whole
        return table._replace(
            notes=(*table.notes, note),
            printed=None if printed is None else printed._replace(notes=(*printed.notes, remark(solution.game))),
            whole=None if whole is None else lambda: _with_note(whole(), note),
        )

    return told


states, actions = _of_model(states), _of_model(actions)

VIEWS = {
    "states": View("the value of states, by their fields", states, has_telling_fields, True, discounted=True, likely=telling_fields),
    "actions": View("what every action is worth at one state", actions, has_rules, takes_fix=True, discounted=True),
    "lengths": View("how many moves a play takes: the distribution", lengths, has_lengths, discounted=True, likely=with_chance),
}


# --- printing ---------------------------------------------------------------------------------------------------------


def print_table(table: Table, console: Console) -> None:
    """Print with rich: as many columns as the terminal has room for, with a note on the rest; all if there is no terminal."""
    from rich.table import Table as RichTable
    from rich.text import Text

    coloured = console.is_terminal and not console.no_color
    table = table.printed or table
    shown = _columns_that_fit(table, console.width if console.is_terminal else None)
    grid = RichTable(box=None, padding=(0, GAP, 0, 0))
    for j in shown:
        left = j == 0 or _is_words(table, j)
        grid.add_column(
            Text(table.columns[j]), justify="left" if left else "right", no_wrap=True, header_style="bold cyan",
            style="cyan" if j == 0 else "",
        )  # fmt: skip
    for i, row in enumerate(table.rows):
        grid.add_row(*(_cell(table, i, j, row[j], coloured) for j in shown))
    natural = max(_width(table, range(len(table.columns))), cells(table.title), *map(cells, table.notes), 0)
    width = console.width
    if not console.is_terminal:
        console.width = max(natural, width)
    console.print(Text(table.title, style="bold"))
    if table.columns:
        console.print(grid, crop=False)
    for note in _notes(table, len(shown)):
        console.print(Text(note, style="dim"))
    console.width = width


def _cell(table: Table, i: int, j: int, cell: Cell, coloured: bool) -> Any:
    from rich.text import Text

    marked = (i, j) in table.marked
    suffix = ("*" if marked else " ") if any(column == j for _, column in table.marked) else ""
    return Text(table.text(cell) + suffix, style="bold yellow" if marked and coloured else "")


def _notes(table: Table, shown: int) -> list[str]:
    notes = [f"*: {table.mark}"] if table.marked else []
    notes += table.notes
    if shown < len(table.columns):
        notes.append(
            f"{shown - 1} of {len(table.columns) - 1} columns fit this terminal; all of them: --json, or `| less -S`"
        )
    return notes


def _is_words(table: Table, column: int) -> bool:
    return any(isinstance(row[column], str) for row in table.rows)


def _width(table: Table, columns: Sequence[int]) -> int:
    return sum(_column_width(table, j) + GAP for j in columns) + GAP


def _column_width(table: Table, column: int) -> int:
    return max(cells(table.columns[column]), *(_longest_line(table.text(row[column])) + 1 for row in table.rows), 0)


def _longest_line(text: str) -> int:
    """Columns of a terminal that the longest line of a cell takes; boards have several lines."""
    return max(map(cells, text.split("\n")))


def _columns_that_fit(table: Table, width: int | None) -> list[int]:
    """The columns that are printed. A grid (headed by numbers) is thinned out evenly; otherwise the last columns are left out."""
    every = list(range(len(table.columns)))
    if width is None or _width(table, every) <= width:
        return every
    is_grid = all(re.fullmatch(r"-?\d+", name) for name in table.columns[1:])
    for count in range(len(every) - 1, 1, -1):
        kept = [0, *_spread(count, len(every) - 1)] if is_grid else every[:count]
        if _width(table, kept) <= width:
            return kept
    return every[:2]


def _spread(count: int, last: int) -> list[int]:
    """At most count - 1 of the columns 1 ... last, at even steps from the first one, and the last one."""
    step = -(-(last - 1) // max(count - 2, 1))
    return [*range(1, last, step), last]
