"""Data as JSON can hold them."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

from zermelo.basics.numbers import in_full


def plain(data: Any) -> Any:
    """The same data with what JSON has no word for as text or null: fractions as "p/q", numbers that are not finite as null."""
    kind = type(data)
    if kind is str or kind is int or kind is bool or data is None:  # most of what there is
        return data
    if isinstance(data, dict):
        return {k if isinstance(k, str) else str(k): plain(v) for k, v in data.items()}
    if isinstance(data, list | tuple):
        return [plain(v) for v in data]
    if isinstance(data, Fraction):
        return in_full(data)
    if isinstance(data, Path):
        return str(data)
    if hasattr(data, "tolist"):
        return plain(data.tolist())
    if isinstance(data, float) and (data != data or data in (float("inf"), float("-inf"))):
        return None
    return data
