"""Values as text that is the same in every process: the constants in the text of a game's rules."""

from __future__ import annotations

import enum
import hashlib
import os
import re
import sys
from collections.abc import Sequence
from types import BuiltinFunctionType, CodeType, FunctionType, MethodWrapperType, ModuleType, NoneType
from typing import Any

from zermelo.basics.values import is_record
from zermelo.language.source import MISSING, own_members, plain

ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")  # in the text of an object without a text of its own
PLAIN = frozenset({bool, int, float, complex, str, bytes, NoneType})


def describe(value: Any) -> str:
    """A constant as text that is the same in every process; "" for objects that are described elsewhere or belong to Python."""
    if type(value) in PLAIN:
        return repr(value)
    if type(value) is tuple or type(value) is list:  # quickly, as large tables have many
        return _described_in_order(value)
    value = plain(value)
    if isinstance(value, BuiltinFunctionType | MethodWrapperType) and not isinstance(value.__self__, ModuleType | type | NoneType):
        return f"{value.__name__} of {describe(value.__self__)}"
    if value is MISSING or value is os.environ or value is sys.modules or isinstance(value, ModuleType | BuiltinFunctionType | property):
        return ""
    if isinstance(value, CodeType):
        return f"{hashlib.sha256(value.co_code).hexdigest()} {value.co_names} {describe(value.co_consts)}"
    if isinstance(value, enum.Enum):
        return f"{value} = {value.value!r}"
    if isinstance(value, type):
        return describe_class(value)
    if isinstance(value, FunctionType):
        return value.__qualname__.rsplit("<locals>.", 1)[-1]
    if isinstance(value, tuple | list):
        return _described_in_order(value)
    if isinstance(value, dict | set | frozenset):
        items = list(map(describe, value.items() if isinstance(value, dict) else value))
        in_order = sorted(items)
        order = f" in the order {[in_order.index(item) for item in items]}" if isinstance(value, dict) and in_order != items else ""
        return f"{type(value).__name__}({', '.join(in_order)}){order}"
    if is_array(value):
        exactly = describe(value.tolist()) if value.dtype.hasobject else hashlib.sha256(value.tobytes()).hexdigest()
        return f"{value.dtype}{value.shape} {exactly}"
    if isinstance(value, str | bytes):
        return repr(value)
    if isinstance(value, memoryview):
        return f"memoryview {value.tolist()}"
    if isinstance(value, re.Pattern):
        return f"pattern {value.pattern!r} {value.flags}"
    if isinstance(value, int | float):  # of a class of the user's
        return f"{type(value).__name__}({float.__repr__(value) if isinstance(value, float) else int.__repr__(value)})"
    return "" if type(value).__name__ == "_tuplegetter" else ADDRESS.sub("", repr(value))


def _described_in_order(values: Sequence[Any]) -> str:
    each = repr if PLAIN.issuperset(map(type, values)) else describe  # which says the same of these
    return f"{type(values).__name__}({', '.join(map(each, values))})"


def describe_class(value: Any) -> str:
    if issubclass(value, enum.Enum):
        return f"enum({', '.join(f'{m.name}={m.value!r}' for m in value)})"
    if is_record(value):
        own = {n: v for n, v in own_members(value).items() if isinstance(v, int | float | str | tuple | list)}
        constants = "".join(f" {name}={describe(v)}" for name, v in sorted(own.items()))
        return (
            f"{value.__name__}({', '.join(value._fields)}) {describe(tuple(value._field_defaults.items()))}{constants}"
        )
    return value.__name__


def is_array(value: Any) -> bool:
    return all(hasattr(value, name) for name in ("tobytes", "dtype", "size")) and not isinstance(value, type)
