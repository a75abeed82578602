"""Names in a game that nothing uses and that look like a declaration that the game does not have, or has from elsewhere."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator
from difflib import SequenceMatcher
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from zermelo.errors import RulesError
from zermelo.language.checking.source import SourceFaults
from zermelo.language.members import PEOPLE, Member, of_games
from zermelo.language.names import nearest, one_edit
from zermelo.language.source import GENERATED, members, plain, reachable

CLOSE = 0.81  # how alike the names are, from 0 to 1
LETTERS = 5  # of declarations; shorter ones look like too many words, unless only an s, a _ or capitals make the difference
OTHER_WORDS = dict.fromkeys(("opponent_actions", "their_actions", "second_actions"), "other_actions") | {
    "symmetry": "symmetries",
    "payout": "payoff",
    "payouts": "payoffs",
    **dict.fromkeys(("initial_state", "initial", "get_initial_state"), "start"),
    **dict.fromkeys(("legal_actions", "get_legal_actions", "get_actions", "legal_moves", "possible_actions"), "actions"),
    **dict.fromkeys(("transitions", "transition", "next_states"), "outcomes"),
}
PERHAPS = dict.fromkeys(("utility", "reward", "rewards", "final_payoff", "terminal_payoff", "winner", "score"), "payoff") | dict.fromkeys(
    ("current_player", "to_move", "to_play", "turn", "whose_turn"), "player"
)  # words that are also those of helpers
ENDS = ("isterminal", "terminal", "isover", "gameover", "isgameover", "isfinal", "isend", "isfinished", "isdone", "finished")
BESIDE = {"entries": "stage", "turned": "stage", "seats": "stage", "places": "picture"}  # what counts only beside another declaration
DISCOUNT = "discount"  # is an option of `solve`
NO_PART = "is no part of the language of rules"


class Meant(NamedTuple):
    """A name, the declaration that was probably meant, and whether that is certain enough for a fault."""

    name: str
    member: str
    is_certain: bool


def misspelt(game: Any) -> SourceFaults:
    """Faults: methods, and constants like `payofs`, whose names are close to a member that is absent; helpers of the rules are left out."""
    for found in _meant(game):
        if found.is_certain:
            yield ("misspelt", found.name), f"`{found.name}` {NO_PART}: did you mean `{found.member}`?"


def perhaps_misspelt(game: Any) -> Iterator[str]:
    """Remarks on names that nothing uses and that may have been meant for a declaration, or may not."""
    for found in _meant(game):
        if found.member == DISCOUNT:
            yield f"`discount` {NO_PART}, and nothing in the rules uses it: give it to `solve`"
        elif _bare(found.name) in ENDS:
            yield f"`{found.name}` {NO_PART}, and nothing in the rules uses it: play is over where `{found.member}` yields nothing"
        elif not found.is_certain:
            yield f"`{found.name}` {NO_PART}, and nothing in the rules uses it: did you mean `{found.member}`?"
    yield from _alone(game)


def _alone(game: Any) -> Iterator[str]:
    """Remarks on methods that count only beside another declaration, which the game does not have."""
    own, rows = type(game), _rows(game)
    found = [(m, inspect.getattr_static(own, m.name, None)) for m in rows if m.name in BESIDE and not _counts(game, m)]
    lone = [m.name for m, value in found if inspect.isfunction(plain(value)) and _takes_as_much(value, plain(value), m)]
    names = _used(own, rows)[1] if lone else {}
    for name in lone:
        if name not in names:
            yield f"`{name}` counts only beside `{BESIDE[name]}`, which the game does not declare"


def _meant(game: Any) -> Iterator[Meant]:
    if isinstance(game, type):
        return
    own, rows = _own(type(game)), _rows(game)
    absent = [m for m in rows if not hasattr(game, m.name) and _counts(game, m)]
    wanted = [found for name, value in own.items() if (found := _wanted(type(game), name, value, rows, absent))]
    used, names = _used(type(game), rows) if wanted else (set(), {})
    for found in wanted:
        function = plain(own[found.name])
        itself = {function} if isinstance(function, FunctionType) else set()
        if not itself & used and not names.get(found.name, set()) - itself:
            yield found


def _rows(game: Any) -> list[Member]:
    """The declarations that count in the game."""
    has_strategies = _has_strategies(game)
    also = [m for m in of_games(False) if m.group == PEOPLE and m.takes is None] if has_strategies else []
    return [*of_games(has_strategies), *also]


def _counts(game: Any, member: Member) -> bool:
    """Whether the game declares what the member counts beside."""
    return not member.when or hasattr(game, BESIDE.get(member.name, "stage"))


def _has_strategies(game: Any) -> bool:
    """Whether it looks like a matrix game given by best responses: it has strategies, and no member of games with states."""
    return any(hasattr(game, m) for m in ("rows", "columns")) and not any(hasattr(game, m) for m in ("start", "outcomes"))


def _own(game_class: type) -> dict[str, Any]:
    """The names that the class and its base classes define, without parameters (other than a discount, which nothing but rules would use),
    members of the language and what Python adds."""
    skipped = {*(m.name for m in _rows(game_class)), *GENERATED, *getattr(game_class, "_fields", ())} - {DISCOUNT}
    found = {n: v for c in reversed(game_class.__mro__) if c not in (object, tuple) for n, v in vars(c).items()}
    return {n: v for n, v in found.items() if n not in skipped and not n.startswith("_")}


def _wanted(game_class: type, name: str, value: Any, rows: list[Member], absent: list[Member]) -> Meant | None:
    """The member that was probably meant; None if it is none."""
    function = plain(value)
    if name == DISCOUNT:
        return Meant(name, name, False)
    if inspect.isfunction(function):
        possible = [m for m in absent if _is_plain(m) or _takes_as_much(value, function, m)]
        names = [m.name for m in possible]
        other = OTHER_WORDS.get(name.lower())
        long = [n for n in names if len(n) >= LETTERS]
        short = [m.name for m in possible if m.hashed and _takes_as_much(value, function, m) and _is_same(name, m.name)]
        if meant := other if other in names else nearest(name.lower(), long, CLOSE) or next(iter(short), None):
            return Meant(name, meant, True)
        if _bare(name) in ENDS:
            return Meant(name, "actions" if hasattr(game_class, "actions") else "outcomes", False)
        near = [m.name for m in [*absent, *_from_elsewhere(game_class, name, rows)] if _is_near(name, m.name)]
        near += [n for n in names if n == PERHAPS.get(name.lower())]
        return Meant(name, _closest(name, near), False) if near else None
    if isinstance(value, type) or callable(value) or hasattr(value, "__get__"):
        return None
    near = [m.name for m in absent if m.takes is None and _is_near(name, m.name)]
    if not near and isinstance(value, tuple | list) and value and all(isinstance(v, str) for v in value):
        near = list(filter(None, [nearest(name.lower(), [m.name for m in absent if m.takes is None], CLOSE)]))
    return Meant(name, _closest(name, near), not name.isupper()) if near else None


def _from_elsewhere(game_class: type, name: str, rows: list[Member]) -> list[Member]:
    """The members that the game has from a base of the class that defines the name, so that it may have been meant to replace them."""
    home = next(c for c in game_class.__mro__ if name in vars(c))
    return [m for m in rows if m.name not in vars(home) and any(m.name in vars(c) for c in home.__mro__)]


def _closest(name: str, near: list[str]) -> str:
    return max(near, key=lambda other: SequenceMatcher(None, name.lower(), other).ratio())


def _is_near(name: str, member: str) -> bool:
    """Whether the names differ by an s, a _ or capitals, or by one letter where the member's has enough of them."""
    return _is_same(name, member) or len(member) >= LETTERS and one_edit(_bare(name), _bare(member), replaced=len(member) > LETTERS)


def _is_same(name: str, member: str) -> bool:
    one, other = _bare(name), _bare(member)
    return one in (other, other + "s") or other == one + "s"


def _bare(name: str) -> str:
    return name.lower().replace("_", "")


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


def _used(game_class: type, rows: list[Member]) -> tuple[set[Any], dict[str, set[Any]]]:
    """The methods that declarations are made of; and for each name that these or other methods mention, the functions that do."""
    functions = members(game_class, dict.fromkeys(m.name for m in rows))
    found: set[Any] = set(functions.values())
    for function in functions.values():
        with contextlib.suppress(RulesError):  # a source that can't be read is reported elsewhere
            found |= {p.function for p in reachable([function], game_class).values()}
    own = map(plain, _own(game_class).values())
    names: dict[str, set[Any]] = {}
    for function in {*found, *(f for f in own if isinstance(f, FunctionType))}:
        for name in _mentioned(function.__code__):
            names.setdefault(name, set()).add(function)
    return found, names


def _mentioned(code: CodeType) -> Iterator[str]:
    """The names of attributes and globals in a function, and in those inside of it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _mentioned(constant)
