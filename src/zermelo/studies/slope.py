"""The rate at which the value changes with a parameter: difference quotients, with bounds that hold for the true values."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, down, meant, up
from zermelo.basics.values import expression
from zermelo.studies.row import Row


@described(
    parameters="The other parameters, by name.",
    name="The parameter that changes.",
    start="From this value of the parameter",
    end="to this one.",
    slope="(value at the end - value at the start) / (end - start).",
    low="The quotient of the true values is at least this.",
    high="It is at most this.",
)
class Slope(NamedTuple):
    """The change of the value per unit of a parameter, on average between two values of the parameter."""

    parameters: dict[str, Any]
    name: str
    start: Any
    end: Any
    slope: Number
    low: Number
    high: Number


def slopes(rows: Sequence[Row], name: str) -> list[Slope]:
    """The slopes between any two adjacent rows. (1 and 1.0 are two values of a parameter, and the same number.)"""
    pairs = [(parameters, a, b) for parameters, line in lines(rows, name) for a, b in pairwise(line)]
    return [_between(parameters, name, a, b) for parameters, a, b in pairs if a.parameters[name] != b.parameters[name]]


def lines(rows: Sequence[Row], name: str) -> Iterator[tuple[dict[str, Any], list[Row]]]:
    """For every combination of the other parameters, its rows in the order of the parameter `name`."""
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(expression(v) for n, v in row.parameters.items() if n != name), []).append(row)
    for line in groups.values():
        others = {n: v for n, v in line[0].parameters.items() if n != name}
        yield others, sorted(line, key=lambda row: row.parameters[name])


def _between(parameters: dict[str, Any], name: str, a: Row, b: Row) -> Slope:
    start, end = a.parameters[name], b.parameters[name]
    assert a.low is not None and a.high is not None and b.low is not None and b.high is not None
    assert a.value is not None and b.value is not None
    rise, least, most = _minus(b.value, a.value), _minus(b.low, a.high), _minus(b.high, a.low)
    is_exact = all(isinstance(x, Fraction) for row in (a, b) for x in (row.value, row.low, row.high))
    run = meant(end) - meant(start) if is_exact else Fraction(end) - Fraction(start)  # rules in fractions take 0.1 for 1/10
    low, high = (x / run if math.isfinite(x) else x for x in (least, most))
    if is_exact:
        return Slope(parameters, name, start, end, rise / run, low, high)
    near = up(rise / run) if rise < 0 else down(rise / run)  # a finite one also where the quotient is beyond all floats
    near = float(rise / run) if abs(near) < sys.float_info.max else near
    return Slope(parameters, name, start, end, near, down(low), up(high))


def _minus(a: Number, b: Number) -> Any:
    """The exact difference; infinite if a bound is."""
    return Fraction(a) - Fraction(b) if math.isfinite(a) and math.isfinite(b) else float(a) - float(b)
