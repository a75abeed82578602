"""What may be a state, an action, a number of ways or a payoff, and how to say that something is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain
from numbers import Integral, Real
from typing import Any

from zermelo.language.source import redefined

BIG = 1 << 63
SMALLEST, LARGEST = 1e-100, 1e100  # of ways and payoffs; the engine counts on it (kernels/status.py)


def is_whole(value: Any) -> bool:
    return type(value) is int or isinstance(value, Integral)  # quickly where it is plain


def is_number(value: Any) -> bool:
    return isinstance(value, Real) and number_fault(value) is None


def number_fault(value: Any) -> str | None:
    """Why a value can't be a number of ways or a payoff; None if it can."""
    if type(value) is int and -BIG < value < BIG:
        return None  # most are
    if isinstance(value, Fraction):
        return "a Fraction can't compile: give a whole number or a float; `exact=True` makes Fractions of whole numbers"
    if not isinstance(value, Real):
        kind = "None" if value is None else f"a {type(value).__name__}"
        return f"it must be a number, not {kind}"
    if isinstance(value, Integral) and abs(int(value)) >= BIG:  # first: it may be larger than any float
        return "whole numbers must stay below 2^63: divide by a common factor, or use float(...)"
    if not math.isfinite(value):
        return "it must be finite"
    if not -LARGEST <= float(value) <= LARGEST:
        return f"it must lie between -{LARGEST:g} and {LARGEST:g}"
    return None


def state_fault(state: Any) -> str | None:
    """Why a value can't be a state, and what to write; None if it can."""
    if not (isinstance(state, tuple) and hasattr(state, "_fields")):
        return "a state must be a NamedTuple: write `class State(NamedTuple):` with whole numbers as fields"
    if name := _redefined(type(state)):
        own = f"{type(state).__name__} has a `{name}` of its own"
        return f"{own}, but states are told apart by their numbers: make it a method of another name"
    if not state:
        return f"{type(state).__name__} has no fields; a state needs at least one"
    return next((f for f in map(_field_fault, state._fields, state) if f), None)


@lru_cache(maxsize=100)
def _redefined(state_class: type) -> str:
    return redefined(state_class, "__hash__", "__len__", "__bool__")


def are_plain(states: Sequence[Any], like: Any) -> bool:
    """Whether all of them are seen at a glance to be states of the class and shape of `like`, a state."""
    if not {*map(type, states)} <= {type(like)} or not {*map(len, states)} <= {len(like)}:
        return False
    return all(map(are_alike, zip(*states, strict=True), like))


def are_alike(values: Sequence[Any], like: Any) -> bool:
    """Whether all of them are whole numbers of Python below 2^63, or tuples of as many, whichever `like` is."""
    if type(like) is tuple:
        if {*map(type, values)} != {tuple} or {*map(len, values)} != {len(like)}:
            return False
        values = [*chain.from_iterable(values)]
    return {*map(type, values)} == {int} and min(values) > -BIG and max(values) < BIG


def _field_fault(name: str, value: Any) -> str | None:
    if is_whole(value):
        return None if abs(int(value)) < BIG else f"`{name}` must stay below 2^63"
    if not isinstance(value, tuple):
        hint = {
            float: "; use // instead of / to stay whole",
            list: "; write it as a tuple",
            str: "; number the possibilities",
            dict: "; write it as a tuple",
            set: "; write it as bits of a number or a tuple of 0 and 1",
            type(None): "; use a number such as -1",
        }.get(type(value), "")
        return f"`{name}` is {short(value)}, but fields must be whole numbers or tuples of whole numbers{hint}"
    if type(value) is not tuple:
        return f"`{name}` is of class {type(value).__name__}; write it as a plain tuple or as fields of their own"
    if not value:
        return f"`{name}` is an empty tuple, and a tuple keeps its length: pad it, for instance with -1"
    odd = [v for v in value if not is_whole(v)]
    if odd:
        nested = "; a tuple in a tuple must be written out flat" if isinstance(odd[0], tuple | list) else ""
        return f"`{name}` holds {short(odd[0])}, but its items must be whole numbers{nested}"
    return f"`{name}` must hold numbers below 2^63" if any(abs(int(v)) >= BIG for v in value) else None


def is_box(value: Any, length: int) -> bool:
    parts = value if length else (value,)
    fits = isinstance(parts, tuple) and (not length or len(parts) == length)
    return fits and all(isinstance(p, range) and p for p in parts)  # `len` is for numbers of 64 bits


def shape_words(shape: tuple[type, int]) -> str:
    kind, length = shape
    return f"tuples of {length}" if kind is tuple else "whole numbers" if kind is int else f"{kind.__name__}s"


def show(state: Any) -> str:
    """The state as it is written in Python, shortened."""
    return short(state)


def short(value: Any, text_of: Callable[[Any], str] = repr) -> str:
    try:
        text = text_of(value)
    except (Exception, SystemExit):
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 200 else text[:197] + "..."
