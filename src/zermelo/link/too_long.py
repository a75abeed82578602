"""Rules that take long to compile: the compiler needs a millisecond per byte of Python's code, and keeps all variables at every place
that yields, which takes time and memory proportional to the square of the number of these places."""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import lru_cache
from types import CodeType, FunctionType

from zermelo.language.rules import Rules
from zermelo.language.source import MOST_KNOWN, plain
from zermelo.link.constants import CannotCompile
from zermelo.link.rewrite import source_of
from zermelo.link.written_out import as_loops, yields

FEW = 20  # places; with at most this many, similar ones are not looked for
MOST_YIELDS = 1000  # 480 take minutes and 1.5 GB, 1,073 exhaust the memory; similar ones count once, since they become a loop


SQUARE = 5e-4  # seconds of compiling, at least, for the square of their number
FREE, EACH = 8_000, 5e-4  # bytes of Python's code of rules that are compiled quickly; seconds for each further byte, at least


def why_too_long(rules: Rules) -> str:
    """The reason why these rules are not compiled; "" if they may be."""
    member, count = _most_yields(rules)
    if count <= MOST_YIELDS:
        return ""
    return f"`{member}` yields in {count:,} places that differ, and the compiler copes with {MOST_YIELDS:,}"


def seconds_to_compile(rules: Rules) -> float:
    """The approximate least time to compile long rules, for which Python may run them; 0 for rules of usual length."""
    return SQUARE * _most_yields(rules)[1] ** 2 + EACH * max(0, _size(rules) - FREE)


def _size(rules: Rules) -> int:
    """Bytes of Python's code of the members of the game."""
    members = (plain(member) for member in vars(type(rules.game)).values())
    return sum(len(member.__code__.co_code) for member in members if isinstance(member, FunctionType))


def _most_yields(rules: Rules) -> tuple[str, int]:
    """(member, count) of the rules that yield in the most distinct places."""
    most = ("", 0)
    for member in ("actions", "outcomes"):
        function = plain(inspect.getattr_static(type(rules.game), member, None))
        if isinstance(function, FunctionType):
            with suppress(CannotCompile):  # reported where it is compiled
                most = max(most, (member, _yields(function, function.__code__)), key=lambda found: found[1])
    return most


@lru_cache(maxsize=MOST_KNOWN)
def _yields(function: FunctionType, code: CodeType) -> int:
    """Distinct places that yield; `code` : the function's current code, which may be replaced (as by %autoreload)."""
    tree = source_of(function)
    count = yields(tree)
    return yields(as_loops(tree)[0]) if count > FEW else count
