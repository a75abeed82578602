"""Where the value of a game crosses a number, as a parameter changes, as in "for which goal is the game fair?"."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from numbers import Real
from typing import Any, NamedTuple

from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, digits, short_decimal
from zermelo.basics.values import in_python
from zermelo.basics.words import value_in_words
from zermelo.errors import ParameterError
from zermelo.studies.asking import Asker
from zermelo.studies.row import Row
from zermelo.studies.slope import lines
from zermelo.uses.units import Measure

WIDTH = 1e-6  # of an interval, relative to the parameter


@described(
    parameters="The other parameters, by name.",
    name="The parameter that changes.",
    value="The number that the value of the game crosses.",
    start="At this value of the parameter the value of the game is certainly on one side,",
    end="and at this one certainly on the other. The two are equal where the value is proven to be the number itself.",
    rows="The rows at these two values.",
    why="Why the two are not closer together, in words; \"\" if they are as close as asked.",
)
class Crossing(NamedTuple):
    """Two values of a parameter between which the value of the game crosses a number. Whether it equals the number somewhere
    between them depends on the rules: it does if the value changes continuously with the parameter."""

    parameters: dict[str, Any]
    name: str
    value: Number
    start: Any
    end: Any
    rows: tuple[Row, Row]
    why: str

    def __str__(self) -> str:
        return self.in_words()

    def in_words(self, unit: Measure | None = None) -> str:
        """The position of the crossing, and the values on both sides in the unit."""
        others = ", ".join(f"{n}={value_in_words(v)}" for n, v in self.parameters.items())
        head = f"{others}: " if others else ""
        a, b = self.rows
        if self.start == self.end:
            return f"{head}{self.name}={self.start}, where the value is exactly {_text(a, unit)}"
        text = f"{head}between {self.name}={self.start} (value {_text(a, unit)}) and {self.name}={self.end} (value {_text(b, unit)})"
        return f"{text}; no closer: {self.why}" if self.why else text


def _text(row: Row, unit: Measure | None) -> str:
    assert row.value is not None and row.low is not None and row.high is not None
    return unit.written(digits(*unit.shown(row.value, row.low, row.high))) if unit else digits(row.value, row.low, row.high)


@dataclass
class _Bracket:
    """Two rows on opposite sides."""

    parameters: dict[str, Any]
    start: Row
    end: Row
    unsure: tuple[Row, ...] = ()  # the rows between them whose side is not certain, ordered by the parameter
    why: str = ""
    is_done: bool = False


def crossings(asker: Asker, rows: Sequence[Row], name: str, value: Number, width: float | None) -> list[Crossing]:
    """All crossings that the signs at the rows show, each to the requested width. Raises `KeyboardInterrupt`."""
    if isinstance(value, bool) or not isinstance(value, Real) or not abs(value) < math.inf:
        raise ParameterError(f"value must be a finite number, not {value!r}")
    if width is not None and (isinstance(width, bool) or not isinstance(width, int | float) or not 0 < width < math.inf):
        raise ParameterError(f"width must be a positive number, not {width!r}")
    value = in_python(value)
    found: list[_Bracket] = []
    for parameters, line in lines(rows, name):
        found += _brackets(parameters, line, value)
    written: Any = float if any(f.name == name and f.type is float for f in asker.target.fields) else lambda x: x  # 0 is 0.0 there
    with asker.staying() as asking:
        while inner := [(b, x) for b in found if not b.is_done for x in _between(b, name, written, width, asking, found)]:
            new, is_whole = asking.rows([_with(asker, b.parameters, name, x) for b, x in inner])
            if not is_whole:
                raise KeyboardInterrupt
            for bracket in {id(b): b for b, _ in inner}.values():
                _narrow(bracket, name, [row for (b, _), row in zip(inner, new, strict=True) if b is bracket], value)
    return [Crossing(b.parameters, name, value, b.start.parameters[name], b.end.parameters[name], (b.start, b.end), b.why) for b in found]


def _with(asker: Asker, parameters: dict[str, Any], name: str, x: Any) -> dict[str, Any]:
    given = {**parameters, name: x}
    return {f.name: given[f.name] for f in asker.target.fields}


def _brackets(parameters: dict[str, Any], line: list[Row], value: Number) -> Iterator[_Bracket]:
    """The pairs of consecutive rows whose signs differ; rows without a certain sign are skipped."""
    certain = [(row, sign) for row in line if (sign := row.sign(value)) is not None]
    for row, sign in certain:
        if sign == 0:
            yield _Bracket(parameters, row, row, is_done=True)
    for (a, sign_a), (b, sign_b) in pairwise(certain):
        if sign_a * sign_b < 0:
            yield _Bracket(parameters, a, b)


def _between(
    bracket: _Bracket, name: str, written: Callable[[Any], Any], width: float | None, asking: Asker, found: list[_Bracket]
) -> list[Any]:
    """Values of the parameter inside a bracket, one for each available process; none if the bracket cannot be narrowed further.
    written : a value as the parameter's type has it."""
    ends = [written(row.parameters[name]) for row in (bracket.start, *bracket.unsure, bracket.end)]
    gaps = [(ends[0], ends[1]), (ends[-2], ends[-1])] if bracket.unsure else [(ends[0], ends[-1])]
    number = max(asking.number // (len(gaps) * sum(not other.is_done for other in found)), 1)
    largest = max(1.0, *(float(abs(end)) for end in (ends[0], ends[-1])))
    wanted = 1.0 if isinstance(ends[0], int) else width if width is not None else WIDTH * largest
    is_close = ends[-1] - ends[0] <= wanted
    least = wanted / 2 if bracket.unsure and not isinstance(ends[0], int) else wanted
    inner = [] if is_close else [x for a, b in gaps if b - a > least for x in _points(a, b, number, asking.options.exact)]
    if not inner:
        bracket.is_done = True
        bracket.why = bracket.why or ("" if is_close else _why(bracket, name, ends))
    return inner


def _points(a: Any, b: Any, number: int, in_decimals: bool) -> list[Any]:
    """Evenly spaced numbers between two numbers; at least the midpoint, unless there is no number between them. in_decimals : floats are
    short decimals, since rules in fractions read no others. Fractions have small denominators, and decimals few places."""
    if isinstance(a, int):
        return sorted({a + (b - a) * k // (number + 1) for k in range(1, number + 1)} - {a}) or [a + 1]
    if isinstance(a, Fraction | Decimal):
        gap = (Fraction(b) - Fraction(a)) / (number + 1)
        even = [Fraction(a) + gap * k for k in range(1, number + 1)]
        if isinstance(a, Fraction):
            near: list[Any] = [x.limit_denominator(int(4 / gap) + 1) for x in even]
        else:
            near = [Decimal(str(_short(float(x), float(gap)))) for x in even]
        return sorted({x for x in near if a < x < b})
    found = sorted({x for k in range(1, number + 1) if a < (x := a + (b - a) * k / (number + 1)) < b})
    if not in_decimals or not found:
        return found
    return sorted({short for x in found if a < (short := _short(x, (b - a) / (number + 1))) < b})


def _short(x: float, step: float) -> float:
    """A short decimal within a quarter of a step: one of few bits, with which floats calculate exactly, or else of few decimals."""
    grid = 2.0 ** max(math.floor(math.log2(step)) - 1, -1074)
    near = round(x / grid) * grid
    return near if short_decimal(near) is not None else round(x, 1 - math.floor(math.log10(step)))


def _why(bracket: _Bracket, name: str, ends: list[Any]) -> str:
    if bracket.unsure:
        which = f"{name}={ends[1]}" if len(ends) == 3 else f"{name}={ends[1]} to {ends[-2]}"
        return f"at {which} the certificate leaves open on which side the value is"
    return "there is no number between them"


def _narrow(bracket: _Bracket, name: str, new: list[Row], value: Number) -> None:
    """The first change of sign among the rows of a bracket and new ones inside it."""
    failed = [row for row in new if row.error]
    if failed:
        bracket.is_done = True
        bracket.why = f"{name}={failed[0].parameters[name]}: {failed[0].error}"
        return
    rows = sorted((bracket.start, *bracket.unsure, *new, bracket.end), key=lambda row: row.parameters[name])
    certain = [(place, sign) for place, row in enumerate(rows) if (sign := row.sign(value)) is not None]
    for (i, sign_i), (j, sign_j) in pairwise(certain):
        if sign_j == 0:
            bracket.start = bracket.end = rows[j]
            bracket.is_done = True
            return
        if sign_i * sign_j < 0:
            bracket.start, bracket.unsure, bracket.end = rows[i], tuple(rows[i + 1 : j]), rows[j]
            return
