"""What compiled rules may call beyond Python: tuples with one item replaced, and `math.comb`."""

from __future__ import annotations

import math
from typing import Any

from numba import types
from numba.core.errors import TypingError
from numba.cpython.unsafe.tuple import tuple_setitem
from numba.extending import overload


def replace_field(state: Any, name: str, value: Any) -> Any:
    """The named tuple `state` with the field `name` replaced."""
    return state._replace(**{name: value})


@overload(replace_field, prefer_literal=True)
def _replace_field(state: Any, name: Any, value: Any) -> Any:  # here the arguments are types
    if not isinstance(state, types.BaseNamedTuple) or not isinstance(name, types.StringLiteral):
        raise TypingError("_replace works on named tuples")
    if name.literal_value not in state.fields:
        raise TypingError(f"{state.instance_class.__name__} has no field {name.literal_value}")
    items = ", ".join("value" if f == name.literal_value else f"state[{i}]" for i, f in enumerate(state.fields))
    scope: dict[str, Any] = {"cls": state.instance_class, "Any": Any}
    exec(f"def implementation(state: Any, name: Any, value: Any) -> Any:\n    return cls({items})", scope)
    return scope["implementation"]


def replace_item(items: Any, i: int, value: Any) -> Any:
    """The tuple `items` with item i replaced."""
    return items[:i] + (value,) + items[i + 1 :]


@overload(replace_item)
def _replace_item(items: Any, i: Any, value: Any) -> Any:
    def implementation(items: Any, i: Any, value: Any) -> Any:
        return tuple_setitem(items, i, value)

    return implementation


@overload(math.comb)
def _comb(n: Any, k: Any) -> Any:
    if not (isinstance(n, types.Integer) and isinstance(k, types.Integer)):
        return None

    def implementation(n: Any, k: Any) -> Any:
        if k < 0 or k > n:
            return 0
        result = 1
        for i in range(min(k, n - k)):
            result = result * (n - i) // (i + 1)
        return result

    return implementation
