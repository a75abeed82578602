"""Hundreds of commands that differ only in numbers, as rows of tables: written out individually they take a compiler minutes and gigabytes.

A command is a row if its guard fixes the values of some variables (x=3 & !b), and its branches set variables to constants with constant
probabilities. The rows are looked up by the variables that nearly all of them test, the *key*; where there are
none, all rows are gone through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from zermelo.foreign.model import Apply, Command, Expr, Name, Number, Truth
from zermelo.foreign.python import safe
from zermelo.foreign.scope import Scope
from zermelo.foreign.steps import Part, Step, Weights, probabilities
from zermelo.foreign.tables import constant, starts, whole
from zermelo.foreign.text import WIDTH, Text, plain

FEWEST = 64  # commands that become rows; fewer are written out
EACH = 4  # commands for each of their variables, if there is no key: the text that reads all rows has two lines for each variable
SHARE = 0.98  # of the commands test the key
SPREAD = 8  # places of a key per command, at most

Wanted = dict[str, int]  # the values that a guard requires of variables


@dataclass(frozen=True)
class Row:
    """A command as numbers: the values that it requires, and its branches."""

    command: Command
    weights: Weights
    wanted: Wanted


@dataclass(frozen=True)
class Group:
    """Rows of one module and label, in the order of their key, which may be empty."""

    step: Step
    rows: tuple[Row, ...]
    key: tuple[str, ...]


def split(scope: Scope, steps: Sequence[Step]) -> tuple[list[Step], list[Group]]:
    """The steps that are written out, and commands that are rows."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for step in steps:
        if len(step.parts) == 1:
            (part,) = step.parts
            found = [_row(scope, c, w) for c, w in zip(part.commands, part.weights, strict=True)]
            groups.setdefault((part.module, step.label), []).extend(r for r in found if r)
    tabled = []
    for (module, label), rows in groups.items():
        for chosen, key in _by_key(scope, rows):
            part = Part(module, tuple(r.command for r in chosen), tuple(r.weights for r in chosen))
            tabled.append(Group(Step(label, (part,), "" if label else module), tuple(chosen), tuple(key)))
    taken = {id(r.command) for group in tabled for r in group.rows}
    left = [s for s in (_without(step, taken) for step in steps) if s.parts[0].commands]
    return left, tabled


def _by_key(scope: Scope, rows: list[Row]) -> list[tuple[list[Row], list[str]]]:
    """Rows with their key: those that test the variables of one key, and those that do not; each only if they are many."""
    key = _key(scope, rows)
    tests = [bool(key) and all(v in r.wanted for v in key) for r in rows]
    found = sorted((r for r, is_found in zip(rows, tests, strict=True) if is_found), key=lambda r: [r.wanted[v] for v in key])
    others = [r for r, is_found in zip(rows, tests, strict=True) if not is_found or len(found) < FEWEST]
    variables = {v for r in others for v in (*r.wanted, *(a.name for b in r.command.branches for a in b.assignments))}
    fewest = max(FEWEST, EACH * len(variables))
    return [(chosen, by) for chosen, by, least in ((found, key, FEWEST), (others, [], fewest)) if len(chosen) >= least]


def _without(step: Step, taken: set[int]) -> Step:
    if len(step.parts) > 1 or not taken:
        return step
    (part,) = step.parts
    kept = [(c, w) for c, w in zip(part.commands, part.weights, strict=True) if id(c) not in taken]
    return Step(step.label, (Part(part.module, tuple(c for c, _ in kept), tuple(w for _, w in kept)),), step.module)


def _row(scope: Scope, command: Command, weights: Weights) -> Row | None:
    wanted: Wanted = {}
    if weights.others or not weights.is_sure or not _equalities(scope, command.guard, wanted):
        return None
    for branch in command.branches:
        if branch.paid or any(_constant(scope, a.name, a.value) is None for a in branch.assignments):
            return None
    return Row(command, weights, wanted) if all(isinstance(w, Number) for w in weights.ways) else None


def _constant(scope: Scope, name: str, value: Expr) -> int | None:
    """A constant value of a variable of known range, counted from its least value; None if it is not constant."""
    bounds = _range(scope, name)
    if bounds is None or not isinstance(value, (Number, Truth)):
        return None
    number = int(value.value)
    return number - bounds[0] if bounds[0] <= number <= bounds[1] else None


def _range(scope: Scope, name: str) -> tuple[int, int] | None:
    v = scope.model.variables.get(name)
    if v is None:
        return None
    if v.low is None or v.high is None:
        return 0, 1
    low, high = scope.value(v.low), scope.value(v.high)
    return (int(low), int(high)) if isinstance(low, Fraction) and isinstance(high, Fraction) else None


def _equalities(scope: Scope, guard: Expr, wanted: Wanted) -> bool:
    """Whether a guard only fixes the values of some variables; enters these."""
    name, value = "", None
    match guard:
        case Truth(True):
            return True
        case Apply("&", (left, right)):
            return _equalities(scope, left, wanted) and _equalities(scope, right, wanted)
        case Name(named) if named in scope.model.formulas:
            return _equalities(scope, scope.body(named, guard.line), wanted)
        case Name(name) if name in scope.model.variables:
            value = _constant(scope, name, Truth(True))
        case Apply("!", (Name(name),)) if name in scope.model.variables:
            value = _constant(scope, name, Truth(False))
        case Apply("=", (Name(name), other)) | Apply("=", (other, Name(name))) if name in scope.model.variables:
            value = _constant(scope, name, other)
    if value is None or wanted.get(name, value) != value:
        return False
    wanted[name] = value
    return True


def _key(scope: Scope, rows: list[Row]) -> list[str]:
    """The variables by which rows are found: as many as most of the rows test, while their table stays small."""
    asked: dict[str, int] = {}
    for row in rows:
        for name in row.wanted:
            asked[name] = asked.get(name, 0) + 1
    key: list[str] = []
    places = 1
    for name in sorted(asked, key=lambda n: -asked[n]):
        bounds = _range(scope, name)
        assert bounds is not None
        size = bounds[1] - bounds[0] + 1
        has_all = sum(all(v in r.wanted for v in (*key, name)) for r in rows)
        if has_all >= SHARE * len(rows) and places * size <= SPREAD * len(rows):
            key.append(name)
            places *= size
    return sorted(key, key=list(scope.model.variables).index)


class Rows:
    """The rows of one module and label as text: constants, and the methods that read them."""

    def __init__(self, scope: Scope, text: Text, group: Group):
        self.scope, self.text = scope, text
        self.step, self.rows, self.key = group.step, group.rows, group.key
        self.name = safe(f"{self.step.parts[0].module}_{self.step.label}".rstrip("_"), text.own)
        self.others = [v for v in scope.model.variables if v not in self.key and any(v in r.wanted for r in self.rows)]

    @property
    def shown(self) -> str:
        return plain(f"[{self.step.label}]" if self.step.label else self.step.module)

    def _table(self, what: str) -> str:
        return f"{self.name}_{what}"

    def constants(self) -> list[str]:
        """The tables."""
        ranges = [self._bounds(v) for v in self.key]
        counts = [0] * self._places(ranges)
        for row in self.rows:
            counts[self._place([row.wanted[v] for v in self.key], ranges)] += 1
        begin = self._table("FIRST")
        lines = constant(begin, starts(counts), f"{self.shown}: where the rows of each place begin") if self.key else []
        for v in self.others:
            column = [row.wanted.get(v, -1) for row in self.rows]
            lines += constant(self._table(f"IF_{self.text.fields[v]}"), column, f"what {v} must be{self._counted(v)}; -1: anything")
        lengths = starts(len(r.command.branches) for r in self.rows)
        lines += constant(self._table("OUTCOME"), lengths, "where the outcomes of each row begin")
        lines += constant(self._table("WAYS"), [w for r in self.rows for w in whole(probabilities(r.weights))])
        for v in self._assigned():
            column = self._column(v)
            if len(set(column)) > 1:
                said = "; -1: as it is" if -1 in column else ""
                lines += constant(self._table(f"TO_{self.text.fields[v]}"), column, f"what {v} becomes{self._counted(v)}{said}")
        return lines

    def methods(self) -> None:
        """Where the rows of a state begin, whether a given row can happen, and whether any can."""
        text, name = self.text, self.name
        place = ""
        for v in self.key:
            low, high = self._bounds(v)
            own = f"s.{text.fields[v]}" if low == 0 else f"(s.{text.fields[v]} - {low})" if low > 0 else f"(s.{text.fields[v]} + {-low})"
            place = f"({place}) * {high - low + 1} + {own}" if " " in place else f"{place} * {high - low + 1} + {own}" if place else own
        if place:
            text.method(f"{name}_place(self, s)", [f"return {place}"], f"{self.shown}: the place of a state.")
        tests = [line for v in self.others for line in (f"if {self._fails(v)}:", "    return False")]
        text.method(f"{name}_can(self, s, row)", [*tests, "return True"], f"Whether a row of {self.shown} can happen.")
        text.method(f"{name}_some(self, s)", [*self.loop([f"if self.{name}_can(s, row):", "    return True"]), "return False"],
                    f"Whether one of the rows of {self.shown} can happen.")  # fmt: skip

    def loop(self, inner: list[str]) -> list[str]:
        """A loop over the rows of a state's place; over all rows if there is no key."""
        if not self.key:
            return [f"for row in range({len(self.rows)}):", *(f"    {line}" for line in inner)]
        first = self._table("FIRST")
        place = f"self.{self.name}_place(s)"
        return [f"place = {place}", f"for row in range({first}[place], {first}[place + 1]):", *(f"    {line}" for line in inner)]

    def actions(self, first: int, tick: list[str]) -> list[str]:
        """A yield for every row that can happen."""
        number = f"{first} + row" if first else "row"
        return self.loop([f"if self.{self.name}_can(s, row):", *(f"    {line}" for line in (*tick, f"yield {number}"))])

    def outcomes(self, first: int, payoff: str, counted: list[tuple[str, str]], weighs: bool = True) -> list[str]:
        """The outcomes of the row of an action. `counted`: other fields that change; `weighs`: with its ways, rather than 1 for each."""
        outcome = self._table("OUTCOME")
        row = f"action - {first}" if first else "action"
        changes = [f"{self.text.fields[v]}={self._becomes(v)}" for v in self._assigned()] + [f"{n}={v}" for n, v in counted]
        ways = f"{self._table('WAYS')}[k]" if weighs else "1"
        begin = f"    yield {ways}, {payoff}, s"
        line = f"{begin}._replace({', '.join(changes)})" if changes else begin
        lines = [line] if len(line) < WIDTH - 16 else [f"{begin}._replace(", *(f"        {c}," for c in changes), "    )"]
        return [f"row = {row}", f"for k in range({outcome}[row], {outcome}[row + 1]):", *lines]

    def some(self) -> str:
        return f"self.{self.name}_some(s)"

    # --- columns ------------------------------------------------------------------------------------------------------

    def _assigned(self) -> list[str]:
        names = {a.name for r in self.rows for b in r.command.branches for a in b.assignments}
        return [v for v in self.scope.model.variables if v in names]

    def _column(self, name: str) -> list[int]:
        found = []
        for branch in (b for r in self.rows for b in r.command.branches):
            values = [_constant(self.scope, a.name, a.value) for a in branch.assignments if a.name == name]
            found.append(-1 if not values or values[0] is None else values[0])
        return found

    def _becomes(self, name: str) -> str:
        column, (low, _) = self._column(name), self._bounds(name)
        is_bool = self.scope.model.variables[name].is_bool
        if len(set(column)) == 1:
            return str(bool(column[0])) if is_bool else str(column[0] + low)
        cell = f"{self._table(f'TO_{self.text.fields[name]}')}[k]"
        value = f"{cell} == 1" if is_bool else f"{cell} + {low}" if low > 0 else f"{cell} - {-low}" if low < 0 else cell
        return f"{value} if {cell} >= 0 else s.{self.text.fields[name]}" if -1 in column else value

    def _fails(self, name: str) -> str:
        low, _ = self._bounds(name)
        cell, own = f"{self._table(f'IF_{self.text.fields[name]}')}[row]", f"s.{self.text.fields[name]}"
        other = f"{own} - {low}" if low > 0 else f"{own} + {-low}" if low < 0 else own
        return f"{cell} >= 0 and {cell} != {other}" if any(name not in r.wanted for r in self.rows) else f"{cell} != {other}"

    def _counted(self, name: str) -> str:
        low, _ = self._bounds(name)
        return f", counted from {low}" if low else ""

    def _bounds(self, name: str) -> tuple[int, int]:
        bounds = _range(self.scope, name)
        assert bounds is not None
        return bounds

    def _places(self, ranges: list[tuple[int, int]]) -> int:
        return self._place([high - low for low, high in ranges], ranges) + 1

    def _place(self, values: list[int], ranges: list[tuple[int, int]]) -> int:
        place = 0
        for value, (low, high) in zip(values, ranges, strict=True):
            place = place * (high - low + 1) + value
        return place
