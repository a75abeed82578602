"""What all checks of a game share: its rules, the runner, the faults found so far, and what a state of it looks like."""

from __future__ import annotations

import time
from functools import cached_property
from typing import Any

from zermelo.language.checking.runner import Runner, Yielded
from zermelo.language.checking.seen import Signs
from zermelo.language.checking.values import are_plain, short, show, state_fault
from zermelo.language.names import declared_as
from zermelo.language.parameters import describe, fields
from zermelo.language.rules import Rules, lengths

LONGEST = 1.0  # seconds after which the sample ends whatever was seen, of this thread: another program doesn't change what is seen
WAITING = 2.0  # the same by the clock, as rules may wait


class Examination:
    """One game under examination."""

    def __init__(self, rules: Rules):
        self.rules, self.game = rules, rules.game
        self.began, self.began_at = time.thread_time(), time.perf_counter()
        self.runner = Runner(rules)
        self.faults = self.runner.faults
        self.broken: set[str] = set()  # members that can't be called as they should
        self.start: Any = None  # once it was seen to be without fault
        self.state_class: Any = None
        self.lengths: tuple[int, ...] = ()
        self.next_states: dict[Any, list[Any]] = {}  # per examined state, in order
        self.signs = Signs()
        self.misdrawn = ""  # what is wrong with the picture of a state
        self.called_alike = ""  # actions of a state that have the same name, or none

    @cached_property
    def declared(self) -> list[tuple[int, str, range]]:
        """The fields of a state whose range its class declares, as in `x: Annotated[int, range(10)]`: place, name, range."""
        found = ((at, field.name, field.allowed) for at, field in enumerate(fields(self.state_class)))
        return [(at, name, r) for at, name, r in found if isinstance(r, range) and r.step == 1 and len(r) > 0]

    def in_ranges(self, state: Any, what: str, where: object = "") -> None:
        """Report a number of a state outside of its declared range."""
        for at, name, allowed in self.declared:
            value = state[at]
            numbers = enumerate(value) if isinstance(value, tuple) else ((-1, value),)
            for i, number in numbers:
                if number not in allowed:
                    slot = name if i < 0 else f"{name}[{i}]"
                    told = f"{slot} is {number}, {declared_as(self.game, describe(allowed))}"
                    self.faults.add(("range", name), f"{what} is {show(state)}: {told} {where}")

    def has(self, member: str) -> bool:
        """Whether the game declares this, in a way that it can be asked."""
        return hasattr(self.game, member) and member not in self.broken

    def seconds(self) -> float:
        """Of this thread, since the examination began."""
        return time.thread_time() - self.began

    def is_late(self) -> bool:
        return self.seconds() > LONGEST or time.perf_counter() - self.began_at > WAITING


class Checks:
    """Checks of one group of declarations."""

    def __init__(self, examination: Examination):
        self.examination = examination
        self.rules, self.game = examination.rules, examination.game
        self.runner, self.faults = examination.runner, examination.faults

    def has(self, member: str) -> bool:
        return self.examination.has(member)

    def are_states_of_game(self, found: list[Yielded], what: str, context: str) -> bool:
        """Report states among these whose class or shape is not that of the start."""
        if are_plain([y.item for y in found], self.examination.start):  # they may be many
            return True
        good = [self.is_state_of_game(y.item, what, context, y) for y in found]
        return all(good)

    def is_state_of_game(self, state: Any, what: str, context: str, where: Yielded | str) -> bool:
        """Report a state whose class or shape is not that of the start."""
        usual = self.examination.state_class
        fault = state_fault(state)
        if usual is not None and type(state) is not usual:
            fault = f"write {usual.__name__}(...), as `start` does"
        elif not fault and lengths(state) != self.examination.lengths:
            names = (n for n, a, b in zip(state._fields, lengths(state), self.examination.lengths, strict=True) if a != b)
            fault = f"the length of `{next(names)}` must be the same in every state; pad it, for instance with -1"
        if fault:
            kind = "state", what, fault.partition(" is ")[0], fault.rpartition(", but ")[2]  # without the value, of which there may be many
            self.faults.add(kind, f"{what} is {short(state)} {context}: {fault} {where}")
        return not fault
