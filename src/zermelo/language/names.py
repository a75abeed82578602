"""Phrases for messages about rules: the nearest known name, and the line. Standard library only."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from zermelo.errors import cell


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


GENERATED: dict[str, Callable[[int], str]] = {}  # by file: what a line of generated rules was made from, as text


def place(file: str, line: int) -> str:
    """(rules.py line 23), (In[4] line 2) of a notebook; for generated rules what the line was made from: (dice.prism: [roll], line 7)"""
    return f"({GENERATED[file](line)})" if file in GENERATED else f"({cell(file) or os.path.basename(file)} line {line})"


def is_known(file: str, line: int) -> bool:
    """Whether `place` can name more than the file."""
    return file not in GENERATED or ": " in GENERATED[file](line)


def declared_as(game: object, allowed: str) -> str:
    """What a number outside of its range contradicts, and what to do: "but the state class declares it from 0 to 3: ..."."""
    if is_generated(game):
        return f"and the model declares it {allowed}"
    return f"but the state class declares it {allowed}: widen the range or correct the rule"


def is_generated(game: object) -> bool:
    """Whether the rules of a game were made from something else, such as a model: nobody has written their lines."""
    return getattr(sys.modules.get(type(game).__module__), "__file__", None) in GENERATED
