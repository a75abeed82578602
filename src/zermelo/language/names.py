"""Phrases for messages about rules: the nearest known name, and the line. Standard library only."""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import get_close_matches


def nearest(name: str, candidates: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The candidate closest in spelling to the name, without private names; None if none is close."""
    close = get_close_matches(name, [c for c in candidates if not c.startswith("_")], 1, cutoff)
    return close[0] if close else None


def did_you_mean(name: str, candidates: Iterable[str]) -> str:
    """The nearest candidate as "; did you mean `x`?", or nothing."""
    found = nearest(name, candidates)
    return f"; did you mean `{found}`?" if found else ""


def one_edit(one: str, other: str, replaced: bool = True) -> bool:
    """Whether two words differ by one letter that is added or left out, by two neighbours that are exchanged, or by one that is
    `replaced`."""
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    exchanged = len(one) > 1 and one[1] + one[0] + one[2:] == other
    return one != other and (one[1:] == other or one == other[1:] or exchanged or (replaced and one[1:] == other[1:]))


def place(file: str, line: int) -> str:
    """(rules.py line 23)"""
    return f"({os.path.basename(file)} line {line})"
