"""Whether symmetries map each part of a state by itself: a proof for all states, found by running `symmetries` once.

The numbers of the state that it is given are stand-ins, which say only which part they belong to. What is computed from numbers of
one part is a stand-in of that part. Where numbers of several parts meet, or where the course of the rules could depend on a number (it is
asked whether it is true, compared in a condition, used as an index, hashed, shown), nothing is proven. If the rules come to their end, they
do the same in every state, and each number of an image is computed from the part in whose place it is. Standard library only.
"""

from __future__ import annotations

import dis
import sys
import threading
from collections.abc import Sequence
from itertools import islice
from types import CodeType
from typing import Any

from zermelo.language.rules import Rules, lengths

MOST_IMAGES = 10_000
OF_TWO = ("add", "sub", "mul", "floordiv", "mod", "truediv", "pow", "and", "or", "xor", "lshift", "rshift")
OF_ONE = ("neg", "pos", "abs", "invert", "lt", "le", "gt", "ge", "eq", "ne")  # comparisons, too: Python turns them round itself
ASKED = (
    "bool", "index", "int", "float", "complex", "hash", "str", "repr", "format", "len", "iter", "contains", "getitem", "round", "trunc",
    "floor", "ceil", "divmod", "rdivmod",
)  # fmt: skip
TELLING = {"type": type, "id": id}  # a stand-in could be told from a number by these, and by `is`


class _Unclear(Exception):
    """The rules do what may depend on the value of a number, or on several parts."""


class _Trace:
    """What is seen while the rules run."""

    def __init__(self) -> None:
        self.is_clear = True  # stays so, also where the rules catch the exception
        self.codes: set[CodeType] = set()  # of all functions that ran, but for those of this module

    def refuse(self) -> Any:
        self.is_clear = False
        raise _Unclear

    def note(self, frame: Any, event: str, _: Any) -> None:
        """What `sys.setprofile` calls."""
        code, around = frame.f_code, frame.f_globals
        if event == "call" and code not in self.codes and around is not globals():
            self.codes.add(code)
            self.is_clear &= not any(name in TELLING or around.get(name) is value for name in code.co_names for value in TELLING.values())
            self.is_clear &= not any("IS_OP" in i.opname for i in dis.get_instructions(code))


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
    trace, shape = _Trace(), lengths(rules.start)
    part_of = [part for part, count in enumerate(places) for _ in range(count)]
    numbers = iter([_Number(part, trace) for part in part_of])
    state = type(rules.start)(*(tuple(islice(numbers, n)) if n else next(numbers) for n in shape))
    found: list[list[Any]] = []

    def run() -> None:
        sys.setprofile(trace.note)
        try:
            for image in islice(rules.same_as(state), MOST_IMAGES + 1):
                found.append([x for value, n in zip(image, shape, strict=True) for x in (value if n else (value,))])
        except Exception:
            trace.is_clear = False
        finally:
            sys.setprofile(None)

    thread = threading.Thread(target=run)  # one of its own: a profiler of this one goes on
    thread.start()
    thread.join()
    return trace.is_clear and len(found) <= MOST_IMAGES and all(
        len(image) == len(part_of)
        and all(x.part == part if type(x) is _Number else isinstance(x, int) for x, part in zip(image, part_of, strict=True))
        for image in found
    )
