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


def place(file: str, line: int) -> str:
    """(rules.py line 23)"""
    return f"({os.path.basename(file)} line {line})"
