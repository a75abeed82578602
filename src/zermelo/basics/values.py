"""Values of parameters, written: as text, for people and the command line, as Python, as JSON, and in headers of files, with their types.

The counterpart, which reads text as the type that a game expects, is `language/forms.py`; both together are the only code that knows which
types parameters have. Standard library only.
"""

from __future__ import annotations

import enum
import math
import operator
import re
from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

COLLECTIONS = (tuple, list, frozenset, set)
NUMBERS = (int, float, Fraction, Decimal)  # truth values, which are whole numbers to Python, are asked about apart
WORD = re.compile(r"[^\s,;()\[\]{}'\"=]+(?: [^\s,;()\[\]{}'\"=]+)*")  # a text that needs no quotes within a collection
TAKEN = ("yes", "no", "true", "false", "none")  # words that stand for something else there
LARGEST = 2**63  # whole numbers below are numbers in JSON; others are text
LOADS = "numbers, texts, members of an Enum, None, and tuples, lists, dictionaries, frozensets and NamedTuples of these"


class Unstorable(ValueError):
    """A value that no file can hold; the text says what it is: "a complex"."""


def is_record(value: Any) -> bool:
    """Whether this is a NamedTuple, or the class of one."""
    kind = value if isinstance(value, type) else type(value)
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _is_of_numpy(value: Any) -> bool:
    """Whether this is a number of numpy."""
    return hasattr(value, "item") and not hasattr(value, "__len__")


def in_python(value: Any) -> Any:
    """The same parameter, or the game with the same parameters, in numbers of Python: those of numpy overflow, also within collections."""
    if _is_of_numpy(value):
        return value.item()
    if isinstance(value, type):
        return value
    kind = type(value)
    if kind is dict:
        pairs = list(value.items())
        return value if (new := in_python(pairs)) is pairs else dict(new)
    if not (kind in COLLECTIONS or is_record(value)):
        return value
    old = list(tuple.__iter__(value) if isinstance(value, tuple) else value)
    items = [in_python(item) for item in old]
    if all(map(operator.is_, items, old)):
        return value
    return tuple.__new__(kind, items) if isinstance(value, tuple) else kind(items)


def is_hashable(value: Any) -> bool:
    """Whether it can be a key of a dictionary."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


def in_order(items: Iterable[Any]) -> list[Any]:
    """The items of a set in an order that is the same in every process."""
    found = list(items)
    try:
        return sorted(found)
    except TypeError:
        return sorted(found, key=expression)


# --- as text ----------------------------------------------------------------------------------------------------------


def written(value: Any, is_item: bool = False) -> str:
    """A value as the command line takes it: yes, LOW, 0.5, 1,2,3, (1,2),(3,4). Values that it can't take are written as in Python."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, enum.Enum):
        return value.name if value.name in type(value).__members__ else written(value.value, is_item)
    if isinstance(value, str):
        return value if not is_item or _is_word(value) else repr(value)
    if isinstance(value, int | float | Fraction | Decimal):
        return str(value)
    if not isinstance(value, COLLECTIONS):
        return repr(value)
    items = in_order(value) if isinstance(value, frozenset | set) else value
    text = ",".join(written(item, is_item=True) for item in items)
    if len(value) == 1 and isinstance(next(iter(value)), COLLECTIONS):
        text += ","  # ((1,2),) is not (1,2)
    return f"({text})" if is_item or not text else text


def _is_word(text: str) -> bool:
    if WORD.fullmatch(text) is None or text.lower() in TAKEN:
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def expression(value: Any) -> str:
    """A value as Python, the same in every process: Mode.LOW, frozenset({1, 2}), Point(x=1, y=2)."""
    if isinstance(value, enum.Enum):
        kind = type(value)
        return f"{kind.__name__}.{value.name}" if value.name in kind.__members__ else f"{kind.__name__}({value.value!r})"
    if is_record(value):
        return f"{type(value).__name__}({', '.join(f'{n}={expression(v)}' for n, v in zip(value._fields, value, strict=True))})"
    if type(value) is tuple:
        return f"({', '.join(map(expression, value))}{',' if len(value) == 1 else ''})"
    if type(value) is list:
        return f"[{', '.join(map(expression, value))}]"
    if isinstance(value, frozenset | set) and value:
        items = f"{{{', '.join(expression(v) for v in in_order(value))}}}"
        return items if type(value) is set else f"{type(value).__name__}({items})"
    if type(value) is dict:
        return f"{{{', '.join(f'{expression(k)}: {expression(v)}' for k, v in value.items())}}}"
    return repr(value)


def call(name: str, parameters: Mapping[str, Any]) -> str:
    """A game, or anything else that is made with named values, as Python: Stairs(n=3, mode=Mode.LOW)."""
    return f"{name}({', '.join(f'{n}={expression(v)}' for n, v in parameters.items())})"


def as_json(value: Any) -> Any:
    """A value for other programs: the name of a member of an Enum, an object for a NamedTuple, a list for other collections; else as it
    is, or as text."""
    if isinstance(value, enum.Enum):
        return written(value)
    if is_record(value):
        return {name: as_json(item) for name, item in zip(value._fields, value, strict=True)}
    if isinstance(value, frozenset | set):
        return [as_json(item) for item in in_order(value)]
    if isinstance(value, tuple | list):
        return [as_json(item) for item in value]
    if isinstance(value, dict):
        return {k if isinstance(k, str) else written(k): as_json(v) for k, v in value.items()}
    is_plain = value is None or isinstance(value, bool | int | float | str | Fraction) or hasattr(value, "tolist")
    return value if is_plain else str(value)


# --- in files ---------------------------------------------------------------------------------------------------------


def stored(value: Any) -> Any:
    """A value in JSON, with its type: tuples are lists, and what JSON does not know is an object with one entry, or three for a member of
    an Enum. Raises `Unstorable`."""
    if isinstance(value, enum.Enum):
        return {"enum": type(value).__name__, "name": value.name, "value": stored(value.value)}
    if is_record(value):
        return {"record": type(value).__name__, "fields": {n: stored(v) for n, v in zip(value._fields, value, strict=True)}}
    kind = type(value)
    if value is None or kind in (bool, str):
        return value
    if isinstance(value, float):  # numpy's, too
        return float(value) if math.isfinite(value) else {"float": str(float(value))}
    if kind is int:
        return value if -LARGEST <= value < LARGEST else {"int": hex(value)}
    if kind in (Fraction, Decimal):
        return {kind.__name__.lower(): str(value)}
    if kind is tuple:
        return [stored(item) for item in value]
    if kind is list:
        return {"list": [stored(item) for item in value]}
    if kind in (frozenset, set):
        return {kind.__name__: [stored(item) for item in in_order(value)]}
    if kind is dict:
        return {"dict": [[stored(k), stored(v)] for k, v in value.items()]}
    if _is_of_numpy(value):
        return stored(value.item())
    raise Unstorable(f"{'an' if kind.__name__[0] in 'aeiou' else 'a'} {kind.__name__}")


def restored(data: Any, classes: Mapping[str, type] | None = None) -> Any:
    """The value that was stored. `classes` : by name, the NamedTuples and Enums that it may be made of; None: the rules are not known, and
    stand-ins show what was stored. Raises `ValueError`, `TypeError`, `KeyError` or `ArithmeticError` for what `stored` never writes."""
    if isinstance(data, list):
        return tuple(restored(item, classes) for item in data)
    if not isinstance(data, dict):
        return data
    if set(data) == {"enum", "name", "value"}:
        return _member(data["enum"], data["name"], restored(data["value"], classes), classes)
    if set(data) == {"record", "fields"}:
        return _record(data["record"], {n: restored(v, classes) for n, v in data["fields"].items()}, classes)
    if len(data) == 1:
        ((kind, content),) = data.items()
        if kind in SCALARS and isinstance(content, str):
            return SCALARS[kind](content)
        if kind in MADE and isinstance(content, list):
            return MADE[kind](restored(content, classes))
    return {name: restored(item, classes) for name, item in data.items()}  # as older versions stored dictionaries


SCALARS: dict[str, Callable[[str], Any]] = {
    "float": float, "int": lambda text: int(text, 16), "fraction": lambda text: Fraction(*map(int, text.split("/"))), "decimal": Decimal,
}  # fmt: skip
MADE: dict[str, Callable[[Any], Any]] = {"list": list, "frozenset": frozenset, "set": set, "dict": dict}


class Named(str):
    """A member of an Enum whose class is not known: as Python writes it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _member(kind: str, name: str, value: Any, classes: Mapping[str, type] | None) -> Any:
    if classes is None:
        return Named(f"{kind}.{name}" if name else f"{kind}({value!r})")
    found: Any = classes.get(kind)
    if not isinstance(found, enum.EnumMeta):
        raise ValueError(f"its rules have no Enum {kind}")
    if name not in found.__members__ and not issubclass(found, enum.Flag):
        raise ValueError(f"its rules have no {kind}.{name}")
    member: Any = found[name] if name in found.__members__ else found(value)
    if member.value != value:
        raise ValueError(f"{kind}.{name} was {value!r} and is {member.value!r}")
    return member


def _record(kind: str, parts: Mapping[str, Any], classes: Mapping[str, type] | None) -> Any:
    found: Any = namedtuple(kind, list(parts)) if classes is None else classes.get(kind)  # noqa: PYI024  # a stand-in
    if found is None or not is_record(found) or set(found._fields) != set(parts):
        raise ValueError(f"its rules have no NamedTuple {kind} with the fields {', '.join(parts)}")
    return found(**parts)
