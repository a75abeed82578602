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
    ("space", ""): " (or, in a game of pure chance with `stage(self, s)`, `def space(self, stage)`)",
}


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
    if value is None or member.takes is None:
        return
    if not callable(value):
        what = "a parameter" if name in game._fields else "a value"
        text = f"`{name}` is {what}, but the name stands for a method {wanted}: rename it"
        yield DeclaredFault(("member", name), text, name)
    elif not _takes(value, len(member.takes)):
        hint = HINTS.get((name, member.when), "")
        text = f"`{name}` must be written {wanted}{hint}, not `def {name}{_signature(value)}`"
        yield DeclaredFault(("member", name), text, name)


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
