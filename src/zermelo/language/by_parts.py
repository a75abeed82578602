"""Whether symmetries map each part of a state by itself: a proof for all states, found by running `symmetries` once.

The numbers of the state that it is given are stand-ins, which say only which part they belong to. What is computed from numbers of
one part is a stand-in of that part. Where numbers of several parts meet, or where the course of the rules could depend on a number (it is
asked whether it is true, compared in a condition, used as an index, hashed, shown), nothing is proven. If the rules come to their end, they
do the same in every state, and each number of an image is computed from the part in whose place it is. Rules could tell a stand-in from a
number by `is`, or by functions such as `type`: those that name anything but numbers, functions of their own and what is listed here are not
looked at. Standard library only.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from itertools import islice
from types import FunctionType, NoneType
from typing import Any

from zermelo.basics.syntax import all_nodes
from zermelo.errors import RulesError
from zermelo.language.rules import Rules, lengths
from zermelo.language.source import GENERATED, Part, Reference, called_by, own_members, plain, reachable, references

MOST_IMAGES = 10_000
OF_TWO = ("add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "and", "or", "xor", "lshift", "rshift")
OF_ONE = ("neg", "pos", "abs", "invert", "lt", "le", "gt", "ge", "eq", "ne")  # comparisons, too: Python turns them round itself
ASKED = (
    "bool", "index", "int", "float", "complex", "hash", "str", "repr", "format", "len", "iter", "contains", "getitem", "round", "trunc",
    "floor", "ceil", "divmod", "rdivmod",
)  # fmt: skip
PLAIN = (
    range, tuple, list, int, bool, enumerate, zip, reversed, map, len, sum, min, max, abs, any, all, sorted, pow, divmod, iter, next,
)  # fmt: skip
TELLING = (ast.Is, ast.IsNot, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)


class _Unclear(Exception):
    """The rules do what may depend on the value of a number, or on several parts."""


class _Trace:
    """What is seen while the rules run."""

    def __init__(self) -> None:
        self.is_clear = True  # stays so, also where the rules catch the exception

    def refuse(self) -> Any:
        self.is_clear = False
        raise _Unclear


class _Number:
    """Stands for a number that depends on nothing but a part of the state."""

    __slots__ = ("part", "trace")
    __array_ufunc__ = None  # numpy's numbers leave operations to this class

    def __init__(self, part: int, trace: _Trace):
        self.part, self.trace = part, trace

    @property  # type: ignore[misc]
    def __class__(self) -> Any:  # what `isinstance` asks for
        return self.trace.refuse()

    def __getattr__(self, _: str) -> Any:
        return self.trace.refuse()


def _computed(number: _Number, *others: Any) -> _Number:
    """Another stand-in: Python takes the same object for equal to itself, without asking."""
    if any(other.part != number.part if type(other) is _Number else not isinstance(other, int) for other in others):
        number.trace.refuse()
    return _Number(number.part, number.trace)


def _asked(number: _Number, *_: Any) -> Any:
    return number.trace.refuse()


for _name in (*OF_ONE, *OF_TWO, *(f"r{name}" for name in OF_TWO)):
    setattr(_Number, f"__{_name}__", _computed)
for _name in ASKED:
    setattr(_Number, f"__{_name}__", _asked)
for _name in ("bit_count", "bit_length"):
    setattr(_Number, _name, _computed)


def maps_by_parts(rules: Rules, places: Sequence[int]) -> bool:
    """Whether it is certain that `symmetries` yields equally many images of all states, and that each number of an image is the same
    function of its own part in all of them. `places` : how many numbers of a state, in order, each part has."""
    if not _is_plain(rules):
        return False
    trace, shape = _Trace(), lengths(rules.start)
    part_of = [part for part, count in enumerate(places) for _ in range(count)]
    numbers = iter([_Number(part, trace) for part in part_of])
    state = type(rules.start)(*(tuple(islice(numbers, n)) if n else next(numbers) for n in shape))
    found: list[list[Any]] = []
    try:
        for image in islice(rules.same_as(state), MOST_IMAGES + 1):
            found.append([x for value, n in zip(image, shape, strict=True) for x in (value if n else (value,))])
    except Exception:
        return False
    return trace.is_clear and len(found) <= MOST_IMAGES and all(
        len(image) == len(part_of)
        and all(x.part == part if type(x) is _Number else isinstance(x, int) for x, part in zip(image, part_of, strict=True))
        for image in found
    )


def _is_plain(rules: Rules) -> bool:
    """Whether `symmetries`, the functions that it calls, and methods of states name nothing but what this module knows."""
    game_class, state_class = type(rules.game), type(rules.start)
    own = [inspect.getattr_static(game_class, "symmetries")], list(own_members(state_class).values())
    if not all(map(_is_number, rules.game)) or any(_is_wrapped(value) for values in own for value in values):
        return False
    try:
        parts = [
            part
            for values, owner in zip(own, (game_class, state_class), strict=True)
            for part in reachable([f for f in map(plain, values) if isinstance(f, FunctionType)], owner).values()
        ]
    except RulesError:  # without source
        return False
    return all(map(_is_plain_part, parts))


def _is_plain_part(part: Part) -> bool:
    defaults = [*(part.function.__defaults__ or ()), *(part.function.__kwdefaults__ or {}).values()]
    tells = any(isinstance(node, TELLING) for node in all_nodes(part.tree))
    return not tells and all(map(_is_number, defaults)) and all(_is_known(reference, part.owner) for reference in references(part))


def _is_known(reference: Reference, owner: type | None) -> bool:
    """Whether a name stands for a number, a function of the rules, a field, a class of states, or something of Python's in PLAIN."""
    value, name, within = plain(reference.value), reference.name.split(".")[-1], reference.within
    if isinstance(within, type) and name in (*GENERATED, *(getattr(within, "_fields", ()) if within is owner else ())):
        return True
    if isinstance(value, FunctionType):
        return bool(called_by(reference, owner)) and not _is_wrapped(reference.value)
    if isinstance(value, type):
        return value in PLAIN or hasattr(value, "_fields")
    return value in PLAIN if callable(value) else _is_number(value)


def _is_wrapped(value: Any) -> bool:
    """Whether another function runs around this one, as with most decorators."""
    return hasattr(getattr(value, "__func__", value), "__wrapped__")


def _is_number(value: Any) -> bool:
    """Whether it is a number or made of these, or nothing that a stand-in can meet."""
    if type(value) in (tuple, list):
        return all(map(_is_number, value))
    return type(value) in (int, bool, float, str, NoneType)
