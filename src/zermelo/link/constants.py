"""Constants that rules use, as source text of the native module."""

from __future__ import annotations

import ast
import enum
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.basics.syntax import parsed_expression
from zermelo.language.source import is_foreign

LONG = 20_000  # numbers of an array that is written as a text
LIMIT = 2**63  # whole numbers in compiled rules have 64 bits


class CannotCompile(Exception):
    """A construct that has no native counterpart; the text says which, what to write instead, and where it is."""

    where = ""  # "(rules.py line 23)", once it is known

    def __str__(self) -> str:
        return f"{super().__str__()} {self.where}".rstrip()


class OnlyInPython(CannotCompile):
    """A parameter of a type that only Python can take, as it does while the game is small."""


SHOWN = {*dir(object), "__getnewargs__", "__replace__", "__class_getitem__", "__set_name__"}
SHOWN -= {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"}
BUILT_IN = (int, float, str, tuple)


def as_built_in(cls: type, has_methods: bool = False) -> None:
    """Raise `CannotCompile` if values of this class, a kind of number, text or tuple, do not behave as these do, whose operations the
    compiled rules have. `has_methods` : these are the state's, which compiled rules have, too."""
    base = next((base for base in BUILT_IN if issubclass(cls, base)), None)
    for own in cls.__mro__ if base is not None and cls not in (base, bool) else ():
        for name, member in () if is_foreign(own) else vars(own).items():
            if getattr(member, "__module__", "") == "enum":  # put there by Python, into every IntFlag
                continue
            if callable(member) and name not in SHOWN and (name.startswith("__") or hasattr(base, name) and not has_methods):
                raise CannotCompile(f"`{cls.__name__}` has a `{name}` of its own, which can't compile: make it a helper of another name")


def flag_among(value: Any) -> str:
    """The name of the class of an IntFlag in this value, of which `~` is not that of whole numbers; "" without one."""
    if isinstance(value, tuple | list):
        return next(filter(None, map(flag_among, value)), "")
    return type(value).__name__ if isinstance(value, enum.Flag) else ""


def literal(value: Any, name: str, class_name: Callable[[type], str]) -> str:
    """A constant of the rules as source text. class_name : the name in the module of a NamedTuple class."""
    as_built_in(type(value))
    if isinstance(value, enum.Enum):
        value = value.value
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | str):
        return repr(value)
    if isinstance(value, int):
        if not -LIMIT <= value < LIMIT:
            raise CannotCompile(f"`{name}` is {value}: whole numbers in rules must lie between -2^63 and 2^63 - 1")
        return repr(value)
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else {"inf": "np.inf", "-inf": "-np.inf"}.get(str(value), "np.nan")
    if isinstance(value, tuple | list):
        is_record = hasattr(value, "_fields")
        items = [
            literal(int(v) if is_record and isinstance(v, bool) else v, f"{name}.{at}" if is_record else f"{name}[{at}]", class_name)
            for at, v in zip(getattr(value, "_fields", range(len(value))), value, strict=True)
        ]
        if is_record:
            return f"{class_name(type(value))}({', '.join(items)})"
        return "(" + "".join(item + ", " for item in items) + ")"
    if isinstance(value, np.ndarray):
        if value.dtype not in (np.int64, np.float64, np.bool_):
            raise CannotCompile(f"`{name}` is an array of {value.dtype}: make it one of int64 or float64, or a tuple")
        if value.size > LONG and value.ndim == 1 and value.dtype == np.int64:  # which Python reads faster than numbers one by one
            return f'np.fromstring("{" ".join(map(str, value.tolist()))}", dtype=np.int64, sep=" ")'
        return f"np.array({_nested(value.tolist())}, dtype=np.{value.dtype.name})"
    raise CannotCompile(
        f"`{name}` is a {type(value).__name__}, which can't compile: use numbers or tuples of numbers"
    )


def uniform(value: Any) -> Any:
    """A table whose numbers have one type wherever a variable may index: (0, 0.5) becomes (0.0, 0.5), rows column by column."""
    if not isinstance(value, tuple | list) or hasattr(value, "_fields"):
        return value.item() if isinstance(value, np.generic) else value
    rows = [v for v in value if isinstance(v, tuple | list) and not hasattr(v, "_fields")]
    if rows and len(rows) == len(value) and len({len(row) for row in rows}) == 1:
        columns = [_of_one_kind([uniform(item) for item in column]) for column in zip(*rows, strict=True)]
        return tuple(zip(*columns, strict=True))
    return _of_one_kind([uniform(v) for v in value])


def _of_one_kind(items: list[Any]) -> tuple[Any, ...]:
    has_floats = any(isinstance(v, float) for v in items)
    if not all(isinstance(v, float) or (isinstance(v, bool | int) and (abs(v) <= 2**53 or not has_floats)) for v in items):
        return tuple(items)
    kind = next((k for k in (float, bool) if any(isinstance(v, k) for v in items)), int)
    if kind is bool:
        kind = bool if all(isinstance(v, bool) for v in items) else int
    return tuple(map(kind, items))


def _nested(items: Any) -> str:
    if isinstance(items, list):
        return "[" + ", ".join(map(_nested, items)) + "]"
    return literal(items, "an item of an array", lambda c: c.__name__)


def expression(value: Any, name: str, class_name: Callable[[type], str]) -> ast.expr:
    """The same as a syntax tree."""
    return parsed_expression(literal(value, name, class_name))
