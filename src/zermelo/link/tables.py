"""Constant tables of many numbers, as arrays: numba takes seconds to compile a tuple of thousands."""

from __future__ import annotations

import enum
import math
from typing import Any, NamedTuple

import numpy as np

from zermelo.link.constants import as_built_in, uniform

MANY = 200  # numbers; smaller tables, and selections from large ones, are tuples


class Table(NamedTuple):
    """The numbers of a table: in one array, or in an array for each column if these are of several kinds."""

    arrays: tuple[np.ndarray, ...]
    row_class: type | None  # the class of the rows, if there is an array for each column; None if a single array holds the whole table

    @property
    def depth(self) -> int:
        """The number of indexes that lead to a number, or to a row with columns."""
        return 1 if self.row_class else self.arrays[0].ndim

    def size_below(self, depth: int) -> int:
        """The number of numbers that remain when `depth` indexes are given."""
        return sum(math.prod(a.shape[depth:]) for a in self.arrays)


def large_table(value: Any) -> Table | None:
    """The arrays that hold a table of many numbers; None for anything else."""
    if not isinstance(value, tuple | list) or hasattr(value, "_fields") or not value:
        return None
    whole = as_array(value)
    if whole is not None:
        return Table((whole,), None) if whole.size > MANY else None
    rows = {(type(row), len(row)) if isinstance(row, tuple | list) else None for row in value}
    if len(rows) != 1 or None in rows:
        return None
    arrays = [as_array(column) for column in zip(*value, strict=True)]
    found = Table(tuple(a for a in arrays if a is not None), type(value[0]))
    return found if len(found.arrays) == len(arrays) and found.size_below(0) > MANY else None


def are_keys(value: Any) -> bool:
    """Whether these are whole numbers of 64 bits, members of an `IntEnum` among them, or tuples of as many of them."""
    if all(type(key) is tuple for key in value) and len({len(key) for key in value}) == 1:
        return all(map(are_keys, value)) and all(map(len, value))
    for kind in {*map(type, value)} - {int}:
        if not issubclass(kind, enum.IntEnum):
            return False
        as_built_in(kind)
    return all(-(1 << 63) <= key < 1 << 63 for key in value)


def as_array(value: Any) -> np.ndarray | None:
    """A regular nested sequence of plain tuples and lists, with numbers of one type, as an array; None for anything else."""
    if isinstance(value, tuple | list) and not hasattr(value, "_fields") and set(map(type, value)) in ({int}, {float}):
        try:
            return np.array(value, dtype=type(value[0]))  # a row of numbers of one kind, as below in a tenth of the time
        except OverflowError:  # as below
            return None
    if not _shape(value):
        return None
    numbers = np.array(uniform(value), dtype=object)
    kinds = {type(n) for n in numbers.flat}
    if len(kinds) != 1 or not kinds <= {bool, int, float}:
        return None
    try:
        return numbers.astype(kinds.pop())
    except OverflowError:  # reported where the same table is written as a tuple
        return None


def _shape(value: Any) -> tuple[int, ...] | None:
    """The shape of a regular nested sequence of plain tuples and lists, () for a number; None for anything else."""
    if not isinstance(value, tuple | list):
        return ()
    inner = {_shape(v) for v in value}
    below = inner.pop() if len(inner) == 1 else None
    return None if below is None or hasattr(value, "_fields") else (len(value), *below)


def item_text(array: str, indexes: list[str], rest: tuple[int, ...]) -> str:
    """The selection of the indexes from the array, as source text: a number, or the tuple of everything below."""
    if not rest:
        return f"{array}[{', '.join(indexes)}]"
    return "(" + "".join(item_text(array, [*indexes, str(k)], rest[1:]) + ", " for k in range(rest[0])) + ")"
