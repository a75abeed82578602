"""Checks of the declarations as a whole, before any is called: how they are written, and which exclude one another."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from zermelo.language.checking.misspelt import misspelt
from zermelo.language.checking.source import Kind
from zermelo.language.inherited import field_faults
from zermelo.language.members import Member, clashes, in_force
from zermelo.language.rules import Rules

HINTS = {  # of the ways to write a member, by its name and the games that write it so
    ("outcomes", "is_chance"): " (a game without `actions` is pure chance)",
    ("outcomes", "is_simultaneous"): " (a game with `other_actions` lets both choose at once)",
    **{(n, "sees"): f" (or `def {n}(self, s, player=-1)`, as players do not see everything)" for n in ("show", "picture")},
    ("space", ""): " (or, in a game of pure chance with `stage(self, s)`, `def space(self, stage)`)",
}
MAY_BE_NONE = "win_probability"  # where a subclass pays otherwise, and values stand for no chances


class DeclaredFault(NamedTuple):
    """What is wrong with a declaration."""

    kind: Kind
    text: str
    broken: str = ""  # a member that can't be asked because of this


def declared_faults(rules: Rules) -> Iterator[DeclaredFault]:
    """All that is wrong with the declarations of a game, as far as it shows without a state."""
    for text in field_faults(type(rules.game)):
        yield DeclaredFault(("fields", text), text)
    for kind, text in misspelt(rules.game):
        yield DeclaredFault(kind, text)
    for member in in_force(rules).values():
        yield from _badly_written(rules.game, member)
    for clash in clashes(rules):
        at_once = clash.member == "other_actions"  # or the same fault would be told again at every state
        broken = "" if not at_once else clash.member if clash.other == "actions" else clash.other
        yield DeclaredFault(("clash", clash.member, clash.other), clash.text, broken)


def _badly_written(game: Any, member: Member) -> Iterator[DeclaredFault]:
    """The fault of a declaration that is no method, or takes something else than it will be called with."""
    name, value, wanted = member.name, getattr(game, member.name, None), f"`def {member.form}`"
    if member.takes is None or not hasattr(game, name):
        return
    if value is None:
        if name != MAY_BE_NONE:
            text = f"`{name}` is None, and stands for a method {wanted}: {_left_out(type(game), name)}"
            yield DeclaredFault(("member", name), text, name)
    elif isinstance(inspect.getattr_static(game, name, None), staticmethod) and member.compiled:
        text = f"`{name}` is a static method, and stands for a method of the game: write {wanted} without `@staticmethod`"
        yield DeclaredFault(("member", name), text, name)
    elif not callable(value):
        what = "a parameter" if name in game._fields else "a value"
        text = f"`{name}` is {what}, but the name stands for a method {wanted}: rename it"
        yield DeclaredFault(("member", name), text, name)
    elif not _takes(value, len(member.takes)):
        hint = HINTS.get((name, member.when), HINTS.get((name, "sees"), "") if hasattr(game, "sees") else "")
        text = f"`{name}` must be written {wanted}{hint}, not `def {name}{_signature(value)}`"
        yield DeclaredFault(("member", name), text, name)


def _left_out(game_class: type, name: str) -> str:
    """What to do instead of a None in place of a method."""
    home = next((c for c in game_class.__mro__ if callable(vars(c).get(name))), None)
    if home is None:
        return "leave it out"
    base = home.__name__
    return f"leave it out for that of {base}; for none, write a class of its own (`start = {base}.start` and the like for what stays)"


def _takes(member: Callable[..., Any], count: int) -> bool:
    try:
        inspect.signature(member).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:  # no signature is known, or a method lacks even `self`
        return not inspect.ismethod(member)
    return True


def _signature(member: Callable[..., Any]) -> str:
    function = getattr(member, "__func__", member)
    return str(inspect.signature(function)).partition(" ->")[0]
