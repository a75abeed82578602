"""The answers of puzzles: tables for people, and the same as data."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple


class Sheet(NamedTuple):
    """A table to be printed. The first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int | float | Fraction | str | None, ...], ...]
    notes: tuple[str, ...] = ()


class Answer(NamedTuple):
    """The complete answer of a puzzle."""

    sheets: tuple[Sheet, ...]
    data: Mapping[str, Any]  # the same for machines
