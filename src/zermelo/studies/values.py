"""Multiple values of a parameter: `10..200:10` and `2,3,4` on the command line, a range or a list in Python."""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import product
from math import prod
from typing import Any

from zermelo.basics.values import expression
from zermelo.errors import ParameterError
from zermelo.games.named import Target, WrongParameter, converted
from zermelo.language.forms import is_one_value
from zermelo.language.parameters import REQUIRED, Field

MOST = 100_000  # the most combinations of a study
NUMBER = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
RANGE = re.compile(rf"\s*({NUMBER})\s*\.\.\s*({NUMBER})\s*(?::\s*({NUMBER})\s*)?")


class Several(tuple[Any, ...]):
    """Values of a parameter, even where they could be taken for one value."""

    __slots__ = ()


def combinations(target: Target, given: Mapping[str, Any]) -> tuple[dict[str, tuple[Any, ...]], list[dict[str, Any]]]:
    """The values of every parameter by its name, and all combinations of them; the last parameter changes fastest.

    `given` has one or more values for a parameter (`values_of`); other parameters have the game's defaults. Raises `ParameterError` for
    names that the game does not have, unsuitable values, and more than `MOST` combinations."""
    fields = {f.name: f for f in target.fields}
    for name in given:
        if name not in fields:
            target.game({name: None})  # raises the error
    several = {n: values_of(f, given[n]) if given.get(n) is not None else _default(f) for n, f in fields.items()}
    number = prod(map(len, several.values()))
    if number > MOST:
        raise ParameterError(f"these are {number:,} combinations, and a study has at most {MOST:,}: give fewer values")
    found = [dict(zip(several, chosen, strict=True)) for chosen in product(*several.values())]
    target.game({n: v for n, v in found[0].items() if v is not REQUIRED})  # raises an error that says what is missing
    return several, found


def _default(field: Field) -> tuple[Any, ...]:
    return (field.default,)


def values_of(field: Field, given: Any) -> tuple[Any, ...]:
    """The values given for a parameter, without repetition, in their order. Raises `WrongParameter`.

    Text is read as on the command line, except for parameters that are text themselves. For a parameter that is a tuple, a tuple or list
    of its items is one value; several values are a list of tuples."""
    if isinstance(given, str) and not isinstance(given, enum.Enum) and field.form.scalar is not str:
        return read(field, given)
    if isinstance(given, Several):
        return _distinct(field, list(given))
    is_one = isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable) or given is field.default
    if is_one or is_one_value(field.form, given):
        return (converted(field, given),)
    if isinstance(given, range) and len(given) > MOST:
        raise WrongParameter(lambda spelt: f"{spelt(field.name)} is given {len(given):,} values, and a study has at most {MOST:,}")
    return _distinct(field, list(given))


def read(field: Field, text: str) -> tuple[Any, ...]:
    """Values from text: `2,3,4`, `10..200:10` (both ends included) and mixtures of them; for parameters that are tuples `1,2;3,4`."""
    if field.form.is_collection:
        return _distinct(field, text.split(";"))
    kind = field.form.scalar
    found: list[Any] = []
    for piece in text.split(","):
        match = RANGE.fullmatch(piece) if kind in (int, float) else None
        if match:
            found += _between(field, piece.strip(), *match.groups())
        elif ".." in piece and kind in (int, float):
            raise _no_range(field, piece)
        else:
            found.append(piece.strip())
        if len(found) > MOST:
            raise WrongParameter(lambda spelt: f"{spelt(field.name)} is given more than {MOST:,} values, the most that a study has")
    return _distinct(field, found)


def _between(field: Field, piece: str, first: str, last: str, step: str | None) -> list[Any]:
    """The numbers of a range, both ends included; as decimals as they are written, so that 0..1:0.1 contains 0.3 and not
    0.30000000000000004."""
    start, end, kind = Decimal(first), Decimal(last), field.form.scalar
    if kind is float and step is None:
        raise WrongParameter(lambda spelt: f"{spelt(field.name)}: {piece} needs a step, as in {piece}:{_step(start, end)}")
    each = Decimal(step or 1)
    if kind is int and any(x != x.to_integral_value() for x in (start, end, each)):
        raise WrongParameter(lambda spelt: f"{spelt(field.name)} must be whole numbers, not {piece}")
    if each == 0 or (end < start if each > 0 else end > start):
        way = "down, and its step is positive" if each > 0 else "up, and its step is negative"
        why = "its step is 0" if each == 0 else f"it goes {way}"
        raise WrongParameter(lambda spelt: f"{spelt(field.name)}: the range {piece} is empty: {why}")
    try:
        count = int((end - start) / each) + 1
    except ArithmeticError:  # beyond all decimals
        count = 10**18
    if count > MOST:
        many = f"{count:,}" if count < 10**18 else "far too many"
        raise WrongParameter(lambda spelt: f"{spelt(field.name)}: {piece} has {many} values, and a study has at most {MOST:,}")
    return [kind(start + k * each) for k in range(count)]


def _no_range(field: Field, piece: str) -> WrongParameter:
    return WrongParameter(lambda spelt: f"{spelt(field.name)}: {piece!r} is no range; ranges are written as {_example(field)}")


def _step(start: Decimal, end: Decimal) -> str:
    return f"{float(end - start) / 10:g}" if start != end else "1"


def _example(field: Field) -> str:
    return "10..200:10" if field.form.scalar is int else "0..1:0.25"


def _distinct(field: Field, given: list[Any]) -> tuple[Any, ...]:
    if not given:
        raise WrongParameter(lambda spelt: f"{spelt(field.name)} is given no value")
    values = [converted(field, v) for v in given]
    return tuple({expression(v): v for v in values}.values())
