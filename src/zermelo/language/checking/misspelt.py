"""Names in a game that nothing uses and that look like a declaration that the game does not have."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

from zermelo.errors import RulesError
from zermelo.language.checking.source import SourceFaults
from zermelo.language.members import Member, of_games
from zermelo.language.names import nearest
from zermelo.language.source import GENERATED, members, plain, reachable

CLOSE = 0.81  # how alike the names are, from 0 to 1
LETTERS = 5  # of declarations; shorter ones look like too many words
OTHER_WORDS = dict.fromkeys(("opponent_actions", "their_actions", "second_actions"), "other_actions") | {
    "symmetry": "symmetries",
    "payout": "payoff",
    "payouts": "payoffs",
}


def misspelt(game: Any) -> SourceFaults:
    """Faults: methods, and constants like `payofs`, whose names are close to a member that is absent; helpers of the rules are left out."""
    if isinstance(game, type):
        return
    own, rows = _own(type(game)), of_games(_has_strategies(game))
    absent = [m for m in rows if not hasattr(game, m.name) and (not m.when or hasattr(game, "stage"))]
    wanted = {name: _wanted(name, value, absent) for name, value in own.items()}
    used = _used(type(game), rows) if any(wanted.values()) else set()
    for name, member in wanted.items():
        function = plain(own[name])
        if member and not (inspect.isfunction(function) and function in used):
            yield ("misspelt", name), f"`{name}` is no part of the language of rules: did you mean `{member}`?"


def _has_strategies(game: Any) -> bool:
    """Whether it looks like a matrix game given by best responses: it has strategies, and no member of games with states."""
    return any(hasattr(game, m) for m in ("rows", "columns")) and not any(hasattr(game, m) for m in ("start", "outcomes"))


def _own(game_class: type) -> dict[str, Any]:
    """The names that the class and its base classes define, without parameters, members of the language and what Python adds."""
    known = {m.name for m in of_games(_has_strategies(game_class))}
    skipped = {*known, *GENERATED, *getattr(game_class, "_fields", ())}
    found = {n: v for c in reversed(game_class.__mro__) if c not in (object, tuple) for n, v in vars(c).items()}
    return {n: v for n, v in found.items() if n not in skipped and not n.startswith("_")}


def _wanted(name: str, value: Any, absent: list[Member]) -> str | None:
    """The member that was probably meant; None if it is none of the absent ones."""
    function = plain(value)
    if inspect.isfunction(function):
        possible = [m for m in absent if _is_plain(m) or _takes_as_much(value, function, m)]
    elif isinstance(value, tuple | list) and value and all(isinstance(v, str) for v in value):
        possible = [m for m in absent if m.takes is None]
    else:
        return None
    names = [m.name for m in possible]
    other = OTHER_WORDS.get(name.lower())
    return other if other in names else nearest(name.lower(), [n for n in names if len(n) >= LETTERS], CLOSE)


def _is_plain(member: Member) -> bool:
    """Whether a close name alone is enough: where answers depend on it and it does not count only beside other declarations."""
    return member.hashed and not member.when


def _takes_as_much(value: Any, function: Any, member: Member) -> bool:
    """Whether the method takes what the declaration is called with."""
    count = len(member.takes or ()) + (not isinstance(value, staticmethod))
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def _used(game_class: type, rows: list[Member]) -> set[Any]:
    """The methods that declarations are made of."""
    functions = members(game_class, dict.fromkeys(m.name for m in rows))
    found: set[Any] = set(functions.values())
    for function in functions.values():
        with contextlib.suppress(RulesError):  # a source that can't be read is reported elsewhere
            found |= {p.function for p in reachable([function], game_class).values()}
    return found
