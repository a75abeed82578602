"""A sequence form whose payoffs are held as panels: small matrices by the sequences of both that lead to an end of play, each matrix once
even if it occurs with different factors (kernels/public.py). This takes a fraction of the memory, and needs no sorting by rows."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.machine import require
from zermelo.problem.sequences import SequenceForm, Side, Visits

BYTES = 60  # for each pair of sequences, while panels are written out


class Matrices(NamedTuple):
    """Matrices of payoffs, or of probabilities."""

    high: np.ndarray  # int32[matrices]: rows
    wide: np.ndarray  # int32[matrices]: columns
    cap: np.ndarray  # float64[matrices]: a bound of the sum of the absolute values of the terms of an element
    at: np.ndarray  # int64[matrices]: the beginning of each in `pool`, row by row
    pool: np.ndarray  # float64


class Panels(NamedTuple):
    """Panel p is scale[p] times its matrix, in the rows sequence[rows_at[p]], sequence[rows_at[p] + 1], ... and columns likewise."""

    matrices: Matrices
    matrix: np.ndarray  # int32[panels], sorted
    scale: np.ndarray  # float64[panels]
    rows_at: np.ndarray  # int64[panels]
    columns_at: np.ndarray  # int64[panels]
    sequence: np.ndarray  # int32
    row: np.ndarray  # int32: the entries that are in no panel
    column: np.ndarray  # int32
    near: np.ndarray  # float64

    @property
    def size(self) -> int:
        """The number of entries when written out."""
        m = self.matrices
        return int((m.high.astype(np.int64) * m.wide)[self.matrix].sum()) + len(self.near)

    def written_out(self, what: str) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Row, column, value and a bound of the sum of the absolute values of its terms, for all nonzero numbers, by row and column.
        Raises `NoMemory`."""
        require(BYTES * self.size, f"{what}, written out as {self.size:,} pairs of sequences,")
        rows, columns, near, size = [self.row], [self.column], [self.near], [np.abs(self.near)]
        m = self.matrices
        for p, k in enumerate(self.matrix.tolist()):
            high, wide, at = int(m.high[k]), int(m.wide[k]), int(m.at[k])
            own, other = (self.sequence[a : a + n] for a, n in ((self.rows_at[p], high), (self.columns_at[p], wide)))
            values = m.pool[at : at + high * wide]
            used = np.flatnonzero(values)
            rows.append(own[used // wide])
            columns.append(other[used % wide])
            near.append(values[used] * self.scale[p])
            size.append(np.full(len(used), m.cap[k] * abs(self.scale[p])))
        row, column, value, cap = (np.concatenate(part) for part in (rows, columns, near, size))
        order = np.lexsort((column, row))
        row, column, value, cap = row[order], column[order], value[order], cap[order]
        if not len(row):
            return row, column, value, cap
        begin = np.flatnonzero((np.diff(row, prepend=-1) != 0) | (np.diff(column, prepend=-1) != 0))
        return row[begin], column[begin], np.add.reduceat(value, begin), np.add.reduceat(cap, begin)


class PanelForm(SequenceForm):
    """Payoffs by panels; the entries that a `SequenceForm` has by pairs of sequences are written out on demand."""

    def __init__(self, sides: tuple[Side, Side], payments: Panels, ways_in: tuple[Panels, Panels], blur: float, largest: float):
        self.sides, self.payments, self.ways_in = sides, payments, ways_in
        self.blur, self.largest = blur, largest
        self.whole = None

    @cached_property
    def _written_out(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        return self.payments.written_out("the payoffs")

    @property
    def row(self) -> np.ndarray:  # type: ignore[override]
        return self._written_out[0]

    @property
    def column(self) -> np.ndarray:  # type: ignore[override]
        return self._written_out[1]

    @property
    def near(self) -> np.ndarray:  # type: ignore[override]
        return self._written_out[2]

    @property
    def size(self) -> np.ndarray:  # type: ignore[override]
        return self._written_out[3]

    @property
    def entries(self) -> int:
        return self.payments.size

    @cached_property
    def visits(self) -> tuple[Visits, Visits]:  # type: ignore[override]
        found: list[Any] = [Visits(*self.ways_in[q].written_out("the ways into information sets")[:3], None, None) for q in range(2)]
        return found[0], found[1]
