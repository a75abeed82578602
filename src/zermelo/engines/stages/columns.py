"""Arrays with a row for each state too large to be copied: stored by groups of columns, or as a product."""

from __future__ import annotations

from typing import Any

import numpy as np


class Columns:
    """float64[rows, columns], with each group of columns in a separate block, so that groups can be solved separately.

    The number in row i and column j is flat[place[j] + i * stride[j]].
    """

    def __init__(self, rows: int, group: np.ndarray, flat: np.ndarray | None = None):
        """All zero, or `flat` : float64[rows * columns]."""
        self.rows, self.group = rows, group
        self.flat = np.zeros(rows * len(group)) if flat is None else flat
        self.stride = np.bincount(group)[group].astype(np.int64)
        self.place = np.empty(len(group), np.int64)
        begin = 0
        for g in range(group.max() + 1):
            members = np.flatnonzero(group == g)
            self.place[members] = begin + np.arange(len(members))
            begin += rows * len(members)

    def block(self, g: int, low: int = 0, high: int | None = None) -> np.ndarray:
        """The rows low..high-1 of a group, in place."""
        first = int(np.flatnonzero(self.group == g)[0])
        begin, width = int(self.place[first]), int(self.stride[first])
        return self.flat[begin : begin + self.rows * width].reshape(self.rows, width)[low:high]

    def spans(self, low: int, high: int) -> list[tuple[int, int]]:
        """The beginnings and ends of the rows low..high-1 in `flat`, a pair for each group."""
        begins = [int(self.place[self.group == g][0]) for g in range(self.group.max() + 1)]
        widths = np.bincount(self.group).tolist()
        return [(begin + low * width, begin + high * width) for begin, width in zip(begins, widths, strict=True)]

    def column(self, j: int, low: int = 0, high: int | None = None) -> np.ndarray:
        """The rows low..high-1 of a column, in place."""
        g = int(self.group[j])
        return self.block(g, low, high)[:, int(np.flatnonzero(self.group == g).searchsorted(j))]

    def first(self, columns: int) -> FirstColumns:
        return FirstColumns(self, columns)


class FirstColumns:
    """The first columns, indexed like an array float64[rows, columns]."""

    def __init__(self, columns: Columns, count: int):
        self.columns, self.count = columns, count

    def __getitem__(self, key: Any) -> Any:
        rows, wanted = key if isinstance(key, tuple) else (key, slice(None))
        if not isinstance(wanted, slice):
            return self.columns.column(int(wanted))[rows]
        return np.stack([self.columns.column(j)[rows] for j in range(self.count)[wanted]], axis=-1)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[:], dtype)


class Multiples:
    """column[:, None] * factors, indexed like an array float64[rows, factors]; only the two factors are in memory."""

    def __init__(self, column: np.ndarray, factors: np.ndarray):
        self.column, self.factors = column, factors

    def __getitem__(self, key: Any) -> Any:
        rows, wanted = key if isinstance(key, tuple) else (key, slice(None))
        return np.multiply.outer(self.column[rows], self.factors[wanted])

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[:], dtype)
