"""The parameters of a game: the fields of its NamedTuple, as the command line and the docs show them. Standard library only."""

from __future__ import annotations

import inspect
import types
import typing
from typing import Any, NamedTuple

from zermelo.errors import ParameterError

REQUIRED = inspect.Parameter.empty  # the default of a parameter that must be given


KINDS = (int, bool, float, str)  # types of parameters that are written directly; others are tuples of integers


class Field(NamedTuple):
    """A parameter of a game, as the command line and the docs show it."""

    name: str
    type: type
    default: Any  # `REQUIRED` if the game gives none
    doc: str
    allowed: range | tuple[Any, ...] | None  # from `Annotated[int, "doc", range(...)]`

    @property
    def kind(self) -> Any:
        """The type that text is read as: the parameter's type; if it is none of these (`Any`, `int | None`), that of the default, or
        one that it names; otherwise a tuple. A value that may also be a float is read as one if it is not whole."""
        return next((k for k in (self.type, type(self.default), *_named_by(self.type)) if k in KINDS), tuple)

    @property
    def may_be_float(self) -> bool:
        return self.type in (float, Any) or float in _named_by(self.type)


def _named_by(hint: Any) -> tuple[Any, ...]:
    """The types that annotations such as `int | None` allow."""
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else ()


def made(game_class: type) -> str:
    """How a game of this class is made, as Python: Pig(), or Walk(length=...) if a parameter has no default."""
    return f"{game_class.__name__}({', '.join(f'{f.name}=...' for f in fields(game_class) if f.default is REQUIRED)})"


def fields(game_class: type) -> tuple[Field, ...]:
    """The parameters of a game class in order, with documentation and allowed values from `Annotated`."""
    try:
        hints = typing.get_type_hints(game_class, include_extras=True)
    except Exception:  # an annotation that names something unknown here; rules run anyway
        hints = {}
    defaults = getattr(game_class, "_field_defaults", {})
    found = []
    for name in getattr(game_class, "_fields", ()):
        hint = hints.get(name, int)
        metadata = getattr(hint, "__metadata__", ())
        plain = typing.get_args(hint)[0] if metadata else hint
        doc = next((m for m in metadata if isinstance(m, str)), "")
        allowed = next((m for m in metadata if isinstance(m, range | tuple)), None)
        found.append(Field(name, plain, defaults.get(name, REQUIRED), doc, allowed))
    return tuple(found)


def validate_parameters(game: Any) -> None:
    """Raise `ParameterError` if a parameter has the wrong type or lies outside its declared range."""
    for field in fields(type(game)):
        fault = misfit(field, getattr(game, field.name))
        if fault:
            raise ParameterError(f"{type(game).__name__}: {field.name} {fault}")


def misfit(field: Field, value: Any) -> str:
    """The fault of a value for this parameter, such as "must be from 1 to 1000, not 5000"; "" if there is none."""
    if field.type is int and (isinstance(value, bool) or not isinstance(value, int)):
        return f"must be a whole number, not {value!r}"
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        return f"must lie between -2^63 and 2^63 - 1, not {value}"
    if field.type is bool and not isinstance(value, bool):
        return f"must be True or False, not {value!r}"
    wanted = items(field.type)
    if wanted and value != field.default and not (isinstance(value, tuple) and len(value) == wanted):
        return f"must be a tuple of {wanted}, not {value!r}"
    if field.allowed is not None and value not in field.allowed:
        return f"must be {describe(field.allowed)}, not {value!r}"
    return ""


def items(hint: Any) -> int:
    """The length of the tuples of a type such as `tuple[int, int]`; 0 for any other."""
    parts = typing.get_args(hint) if typing.get_origin(hint) is tuple else ()
    return 0 if Ellipsis in parts else len(parts)


def describe(allowed: range | tuple[Any, ...]) -> str:
    """Allowed values in words: "from 0 to 100" or "one of 2, 3, 5"."""
    if isinstance(allowed, range) and abs(allowed.step) == 1:
        least, most = ends(allowed)
        return f"from {least} to {most}"
    return "one of " + ", ".join(map(str, allowed))


def ends(allowed: range) -> tuple[int, int]:
    """The smallest and the largest number of a range."""
    return min(allowed[0], allowed[-1]), max(allowed[0], allowed[-1])
