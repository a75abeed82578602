"""Data in a form that JSON can represent."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import isfinite
from pathlib import Path
from typing import Any

from zermelo.basics.numbers import in_full


def plain(data: Any, largest: int | None = None) -> Any:
    """The same data, with values that JSON cannot express as text or null: fractions as "p/q", decimals as "0.1", numbers that are not
    finite as null.

    With `largest`, whole numbers beyond it, of either sign, also become text.
    """
    kind = type(data)
    if kind is int:
        return data if largest is None or -largest <= data <= largest else str(data)
    if kind is str or kind is bool or data is None:  # the most common cases
        return data
    if kind is float:
        return data if isfinite(data) else None
    if isinstance(data, dict):
        return {k if isinstance(k, str) else str(k): plain(v, largest) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [plain(v, largest) for v in data]
    if isinstance(data, Fraction):
        return in_full(data)
    if isinstance(data, Path | Decimal):
        return str(data)
    if hasattr(data, "tolist"):
        return plain(data.tolist(), largest)
    return plain(float(data), largest) if isinstance(data, float) else data
