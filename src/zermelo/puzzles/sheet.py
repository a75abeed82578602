"""What a puzzle answers: tables for people, the same as data, and one clear error where a parameter does not fit."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.errors import ParameterError


class Sheet(NamedTuple):
    """A table to be printed. The first column names the row."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int | float | Fraction | str | None, ...], ...]
    notes: tuple[str, ...] = ()


class Answer(NamedTuple):
    """All that a puzzle has to say."""

    sheets: tuple[Sheet, ...]
    data: Mapping[str, Any]  # the same for machines


def whole(name: str, value: object, least: int, most: int) -> int:
    """A parameter that must be a whole number from `least` to `most`."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ParameterError(f"{name} must be a whole number from {least} to {most}, not {value!r}")
    return value
