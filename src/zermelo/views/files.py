"""Tables as files: every row and column, as CSV or as an array of numpy, written whole or not at all."""

from __future__ import annotations

import csv
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.basics.disk import replacing
from zermelo.basics.numbers import in_full
from zermelo.errors import FileError, ParameterError
from zermelo.uses.units import Chance
from zermelo.views.table import Cell, Table

FORMATS = (".csv", ".npy")


def check_format(path: Path) -> Path:
    """The path, if its suffix is one of `FORMATS`."""
    if path.suffix.lower() not in FORMATS:
        raise ParameterError(f"{path}: tables are written to {' or '.join(FORMATS)}; --json prints them with their notes")
    return path


def write(table: Table, path: Path) -> Table:
    """Write a whole table to a file, without leaving out rows; return the table that was written.

    `.csv`: one line per row, floats with all their digits, fractions as p/q, missing cells empty.
    `.npy`: an array of records with the names of the columns, `numpy.load(path)["value"]`; whole numbers as int64, others as
    float64, fractions rounded, missing cells NaN. Raises `ParameterError` where a column has words.
    """
    every = table if table.whole is None else table.whole()
    content = _records(every, path) if check_format(path).suffix.lower() == ".npy" else None
    try:
        with replacing(path) as temporary:
            if content is not None:
                with temporary.open("wb") as file:
                    np.save(file, content, allow_pickle=False)
            else:
                with temporary.open("w", newline="", encoding="utf-8") as file:
                    writer = csv.writer(file, lineterminator="\n")
                    writer.writerow(every.columns)
                    writer.writerows([_text(cell) for cell in row] for row in every.rows)
    except OSError as error:
        raise FileError(f"can't write {path}: {error.strerror or error}") from None
    return every


def _text(cell: Cell) -> Any:
    if isinstance(cell, Fraction):
        return in_full(cell)
    if isinstance(cell, Chance):
        return repr(float(cell.value))
    return repr(float(cell)) if isinstance(cell, float) else "" if cell is None else cell


def _records(table: Table, path: Path) -> np.ndarray:
    columns = [[_number(row[j], name, path) for row in table.rows] for j, name in enumerate(table.columns)]
    kinds = [np.int64 if all(isinstance(cell, int) for cell in column) else np.float64 for column in columns]
    records = np.empty(len(table.rows), dtype=list(zip(table.columns, kinds, strict=True)))
    for name, column in zip(table.columns, columns, strict=True):
        records[name] = column
    return records


def _number(cell: Cell, name: str, path: Path) -> int | float:
    if isinstance(cell, str):
        raise ParameterError(f"{path}: arrays hold numbers, and the column {name!r} of this table has words; take a name in .csv")
    if cell is None:
        return float("nan")
    if isinstance(cell, Chance):
        return float(cell.value)
    return float(cell) if isinstance(cell, Fraction) else cell
