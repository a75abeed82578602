"""Runs the methods of a game for the checker; an exception, an endless loop or a change of mind becomes a fault."""

from __future__ import annotations

import ast
import contextlib
import inspect
import itertools
import linecache
import re
import traceback
from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

from zermelo.basics.interrupts import of_handler
from zermelo.errors import ParameterError, RulesError
from zermelo.language.checking.source import Kind
from zermelo.language.checking.values import short, show
from zermelo.language.checking.watchdog import LONGEST, Endless, Watchdog
from zermelo.language.names import did_you_mean, is_generated, is_known, place
from zermelo.language.rules import Joint, Rules
from zermelo.language.source import members, plain, reachable

MOST_YIELDED = 100_000  # actions of a state, outcomes of an action
TWICE = 8  # actions whose outcomes are asked for twice
FAILED = object()


class Yielded(NamedTuple):
    """An item that rules yielded, and on which line."""

    item: Any
    file: str
    line: int

    def __str__(self) -> str:
        """(rules.py line 23)"""
        return place(self.file, self.line)

    def written(self) -> str:
        """The first number of the item as a model has it, without `self.` and `s.`; "" if its line does not show it."""
        try:
            (line,) = ast.parse(linecache.getline(self.file, self.line).strip()).body
            first = line.value.value.elts[0]  # type: ignore[attr-defined]
        except (SyntaxError, ValueError, AttributeError, IndexError):
            return ""
        if any(isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) for part in ast.walk(first)):
            return ""
        return re.sub(r"\b(self|s)\.", "", ast.unparse(first))


class Faults:
    """Faults by kind: the first of a kind is kept, the others are counted."""

    def __init__(self) -> None:
        self.texts: dict[Kind, str] = {}
        self.more: dict[Kind, int] = {}

    def add(self, kind: Kind, text: str) -> None:
        if kind in self.texts:
            self.more[kind] = self.more.get(kind, 0) + 1
        else:
            self.texts[kind] = " ".join(text.split())

    def all(self) -> list[str]:
        return [t + (f" [and {self.more[k]} more like it]" if k in self.more else "") for k, t in self.texts.items()]


class Runner:
    """Calls the members of a game at a state and keeps the faults."""

    def __init__(self, rules: Rules):
        self.rules, self.game = rules, rules.game
        self.faults = Faults()
        self.is_endless = False  # a rule did not end
        self.watchdog = Watchdog(LONGEST)
        self._homes: dict[str, tuple[str, int]] = {}  # of members that were asked about

    @cached_property
    def files(self) -> set[str]:
        """The files that the rules are written in."""
        methods = members(type(self.game)).values()
        found = {f.__code__.co_filename for f in methods}
        with contextlib.suppress(RulesError):  # `source_faults` reports it
            found |= {p.file for p in reachable(methods, type(self.game)).values()}
        return found

    def call(self, member: str, state: Any, at: str, *arguments: Any) -> Any:
        """What the member returns, or FAILED once it is reported that it raises an exception or yields."""
        answer = self._answer(member, state, at, *arguments)
        if inspect.isgenerator(answer):
            context = f" at {show(state)}{at}" if state is not None else at
            text = f"`{member}` yields{context}: it must return its answer, so write `return` instead of `yield` {self.place_of(member)}"
            self.faults.add(("yields", member), text)
            return FAILED
        return answer

    def _answer(self, member: str, state: Any, at: str, *arguments: Any) -> Any:
        try:
            with self.watchdog.watching:
                return getattr(self.game, member)(*arguments)
        except (Exception, SystemExit, Endless) as error:
            self._raised(member, state, at, error)
            return FAILED

    def yielded(self, member: str, state: Any, at: str, *arguments: Any) -> list[Yielded] | None:
        """All that a generator yields, each with its line; None where an exception or an endless loop is reported."""
        answer = self._answer(member, state, at, *arguments)
        if answer is FAILED:
            return None
        if not isinstance(answer, Iterable):
            text = f"`{member}` returns {short(answer)} at {show(state)}{at}: it must yield {self.place_of(member)}"
            self.faults.add(("generator", member), text)
            return None
        found: list[Yielded] = []
        home = self.home_of(member)
        try:
            with self.watchdog.watching:
                for item in itertools.islice(answer, MOST_YIELDED):
                    frame = getattr(answer, "gi_frame", None)
                    found.append(Yielded(item, *((frame.f_code.co_filename, frame.f_lineno) if frame else home)))
        except (Exception, SystemExit, Endless) as error:
            self._raised(member, state, at, error)
            return None
        if len(found) == MOST_YIELDED:
            text = f"`{member}` yields {MOST_YIELDED:,} times or more at {show(state)}{at}: does a loop never end?"
            self.faults.add(("endless", member), f"{text} {found[-1]}")
            self.is_endless = True
            return None
        return found

    def arguments(self, state: Any, action: Any) -> tuple[Any, ...]:
        """With what `outcomes` is called."""
        return (state,) if self.rules.is_chance else (state, *action) if isinstance(action, Joint) else (state, action)

    def same_twice(self, state: Any, actions: list[Any]) -> None:
        calls = [("outcomes", self.arguments(state, a)) for a in actions[:TWICE]]
        calls += [] if self.rules.is_chance else [("actions", (state,))]
        calls += [("other_actions", (state,))] if self.rules.is_simultaneous else []
        calls += [("sees", (state, player)) for player in range(2)] if self.rules.is_hidden else []
        for member, arguments in calls:
            try:
                rule = getattr(self.game, member)
                one, two = (repr(list(itertools.islice(rule(*arguments), 1000))) for _ in range(2))
            except (Exception, SystemExit) as error:
                if raised := of_handler(error):
                    raise raised from None
                continue  # reported where it was run first
            if one != two:
                self.changes_its_mind(member, f" at {show(state)}")

    def changes_its_mind(self, member: str, at: str) -> None:
        """Report a member that gave two answers to one question."""
        text = f"`{member}` says one thing and then another{at}: rules must always give the same answer"
        self.faults.add(("twice", member), f"{text}; put chance into `outcomes`, as ways {self.place_of(member)}")

    def _raised(self, member: str, state: Any, at: str, error: BaseException) -> None:
        if not isinstance(error, Endless) and (raised := of_handler(error)):
            raise raised
        if member == "start" and isinstance(
            error, ValueError
        ):  # how a game says that its parameters don't fit together
            why = str(error) or "`start` raises ValueError without a sentence that says why"
            raise ParameterError(f"{self.rules.name}: {why}") from None
        context = f" at {show(state)}{at}" if state is not None else at
        where, line = self._where(error, member)
        if isinstance(error, Endless):
            how_long = f"{self.watchdog.seconds:g} seconds of the processor"
            text = f"`{member}` was still running after {how_long}{context}: does a loop never end? {where}"
            self.faults.add(("endless", member), text)
            self.is_endless = True
            return
        name = getattr(error, "name", None)
        if isinstance(error, AttributeError) and name and getattr(error, "obj", None) is not None:
            owner = error.obj if isinstance(error.obj, type) else type(error.obj)
            near = did_you_mean(name, dir(error.obj))
            said = getattr(error.obj, "__name__", owner.__name__)
            text = f"`{member}`: {said} has no `{name}`{near}{context} {where}"
            self.faults.add(("attribute", owner.__name__, name), text)
        elif isinstance(error, NameError) and name and not isinstance(error, UnboundLocalError):
            near = f"; did you mean `self.{name}`?" if hasattr(self.game, name) else did_you_mean(name, _names_near(error))
            self.faults.add(("name", name), f"`{member}`: the name `{name}` is not defined{near}{context} {where}")
        else:
            said = f"`{member}` raised {type(error).__name__}: {short(error, str)}"
            if is_generated(self.game) and isinstance(error, AssertionError | ArithmeticError):  # of a model, which has no such methods
                said = short(error, str)
            text = f"{said}{context} {where}"
            self.faults.add(("raised", member, type(error).__name__, str(line)), text)

    def _where(self, error: BaseException, member: str) -> tuple[str, int]:
        """The deepest line of the rules in the traceback; of generated rules the deepest whose origin is known."""
        lines = [(f.filename, f.lineno or 0) for f in traceback.extract_tb(error.__traceback__)]
        own = [(f, n) for f, n in lines if f in self.files]
        own = [at for at in own if is_known(*at)] or own
        return (place(*own[-1]), own[-1][1]) if own else (self.place_of(member), 0)

    def place_of(self, member: str) -> str:
        return place(*self.home_of(member))

    def home_of(self, member: str) -> tuple[str, int]:
        """File and line of the method's definition."""
        if member not in self._homes:
            function = plain(inspect.getattr_static(type(self.game), member, None))
            code = getattr(function, "__code__", None)
            self._homes[member] = (code.co_filename, code.co_firstlineno) if code else (type(self.game).__module__, 0)
        return self._homes[member]


def _names_near(error: NameError) -> set[str]:
    """Names that the failing line could have meant."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    return {*frame.tb_frame.f_locals, *frame.tb_frame.f_globals, *frame.tb_frame.f_builtins} if frame else set()
