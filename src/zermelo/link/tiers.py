"""The kernels that call the rules of one game, in two tiers: run by Python for a short time, then compiled.

An interpreted call that takes too long is started again, compiled. Both tiers give the same bits, so it does not matter when this
happens.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np

from zermelo.basics import ahead
from zermelo.kernels.entered import solve_stages
from zermelo.kernels.kernel import Allowance, OutOfTime, forced
from zermelo.language.rules import Rules
from zermelo.link.again import count_alone, count_in_python, seconds_in_all
from zermelo.link.alone import goes_on_alone, not_alone
from zermelo.link.cache import is_kept, machine_code
from zermelo.link.constants import CannotCompile
from zermelo.link.interpreted import Interpreted
from zermelo.link.interpreted_boards import InterpretedBoards
from zermelo.link.interpreted_stages import InterpretedEntries, InterpretedStages
from zermelo.link.module import (
    BOARD_TEMPLATES,
    SPREAD_TEMPLATES,
    Policies,
    Written,
    board_module_text,
    entered_module_text,
    module_text,
    spread_module_text,
    staged_module_text,
)
from zermelo.link.native import Native, NativeEntries, RulesRefused, apart, compiled_here, stages_kept
from zermelo.link.numbering import Shape
from zermelo.link.outgrown import is_outgrown, remember_outgrown
from zermelo.link.too_long import seconds_to_compile
from zermelo.states.layout import Layout

SHORT, LONG = 0.05, 0.3  # seconds that Python has before machine code is loaded from disk, and before rules are compiled
SURE = 2.0  # times as long as compiling takes: what Python seems to take longer for is compiled at once
STAGES, ONE_STAGE = 5.0, 2.5  # seconds to compile what solves many stages, or one, once a machine
FILLING, WRITING = 1.8, 2.0  # `fill_block` and `write_rows`, with the rules

Write = Callable[[Rules, Layout], Written]
Linked = TypeVar("Linked", bound=Native)


def patience(rules: Rules, layout: Layout, write: Write = module_text) -> float:
    """The number of seconds for which rules are interpreted before they are compiled: 0 if they are already compiled, and longer if the
    compiler has to start from nothing than if it finds its machine code on disk; for long rules, as long as compiling takes.
    `write` : the text of their module."""
    tier = forced()
    if tier is not None:
        return math.inf if tier == "interpreted" else 0.0
    long = most_patience(rules)
    if "numba" not in sys.modules and long == LONG:  # no longer than it takes to import it
        return LONG
    with suppress(CannotCompile):
        found = machine_code(write(rules, layout).text)
        return {"loaded": 0.0, "kept": SHORT, "missing": long}[found]
    return long


def allowance(rules: Rules, layout: Layout) -> Allowance:
    """The time for which Python explores a game: that of `patience`, which is asked after a moment only, because it writes the module of
    the rules, longer than a small game takes to explore. Where this process has compiled rules of the same class it is asked at once."""
    if _asks_later(rules):
        return Allowance(SHORT, lambda: patience(rules, layout) - SHORT)
    return Allowance(patience(rules, layout))


def _asks_later(rules: Rules) -> bool:
    """Whether it takes long to say how long rules are interpreted, and is probably needless."""
    return forced() is None and "numba" in sys.modules and type(rules.game) not in compiled_here


def most_patience(rules: Rules) -> float:
    """The most seconds for which rules are interpreted, unless everything is."""
    return max(LONG, seconds_to_compile(rules))


def seconds_for_the_rest(seconds: float, at: int, stages: int) -> float:
    """About how many seconds the stages `at`, at - 1, ..., 0 take if those after them have taken so many. The last stages, which come
    first, are often the smallest: each is taken to be larger than the one before by as much."""
    return seconds * ((stages / max(stages - at - 1, 1)) ** 2 - 1)


class Tiered(Generic[Linked]):
    """The kernels of one game, called by name."""

    linked: type[Linked]  # the compiled kernels' class
    kernels: str  # what they are called where games are remembered

    def __init__(self, rules: Rules, layout: Layout, write: Write, interpreted: Callable[[Rules, Layout], Interpreted]):
        self.rules, self.layout, self._write = rules, layout, write
        self._longer: float | None = None if _asks_later(rules) else 0.0  # what is granted when the first seconds are over; None: not asked
        self._left = 0.0  # seconds that Python may still take, all threads together
        if forced() is not None or not is_outgrown(rules, self.kernels):
            self._left = SHORT if self._longer is None else patience(rules, layout, write)
        self._python = interpreted(rules, layout)
        self._interpreted: Interpreted | None = self._python if self._left else None
        self._given_up: set[str] = set()  # kernels that Python does not run any more
        self._is_remembered = False  # as outgrown
        self._is_again = False  # Python gave up only because of what earlier solves took it
        self._spent = 0.0  # seconds of Python (`_while_it_pays`)
        self._needed = 0.0  # those that it would have needed when it gave up
        self._took, self._done = 0.0, 0  # of which it took so many to do that many pieces of work
        self._native: Linked | None = None
        self._refused: RulesRefused | None = None  # by the compiler: Python goes on alone
        self._alone = 0.0  # seconds for which it may
        self._compiling, self._asking = threading.Lock(), threading.Lock()

    def _more(self) -> float:
        """The seconds for which Python may go on after the first ones (`allowance`); threads that ask together get the same."""
        with self._asking:
            if self._longer is None:
                self._longer = patience(self.rules, self.layout, self._write) - SHORT
                self._left += self._longer
            return self._longer

    @property
    def is_interpreted(self) -> bool:
        """Whether Python has run all kernels so far."""
        return self._native is None

    def _in_time(self, kernel: str, *arguments: Any) -> Any:
        """Have Python run a kernel. Raises `OutOfTime` if there is no time for it."""
        interpreted = self._interpreted  # another thread may end this
        if interpreted is None:
            raise OutOfTime
        began = time.thread_time()
        try:
            return interpreted.call(kernel, Allowance(self._left, *([self._more] if self._longer is None else [])), *arguments)
        except OutOfTime:
            self._end_python()
            raise
        finally:
            self._left -= time.thread_time() - began

    def _while_it_pays(self, kernel: str, run: Callable[[], int], done: int, left: int, most: float) -> int:
        """The result of `run`, which has Python run a kernel, and does so many pieces of work; `left` : how many there are still, these
        included. Raises `OutOfTime` where Python seems to take more than `most` seconds for all of them, what it took earlier, in
        other processes, too, included, or there is machine code."""
        while True:
            more = self._took / max(self._done, 1) * left
            if self._interpreted and forced() is None and more > SURE * most and self._spent * more > SHORT * most:
                self._give_up(kernel)  # early: the longer it would take, the less it has to have done (SHORT, if as long as compiling)
                self._needed = self._spent + more
            began = time.thread_time()
            try:
                found = run()
            except OutOfTime:  # the results are written again
                took = self._count(began)
                more = (self._took + took) / (self._done + done) * left  # at least: as if this piece were done now
                if kernel not in self._given_up and forced() is None:
                    self._needed = self._spent + more
                    self._is_again = self._spent + more <= most < seconds_in_all(self.rules) + more
                if not self._goes_on(kernel, self._spent, more, lambda: most if self._is_missing() and not self._is_again else 0.0):
                    raise
            else:
                self._took, self._done = self._took + self._count(began), self._done + done
                return found

    def _count(self, began: float) -> float:
        """The seconds since then, which Python has run the rules."""
        took = time.thread_time() - began
        self._spent += took
        count_in_python(self.rules, took)
        return took

    def _tiered(self, kernel: str, run: Callable[[], int], compiled: Callable[[], int], done: int, left: int, most: float) -> int:
        """The result of `run` while it pays (`_while_it_pays`), and then of `compiled`, or of Python alone, if the compiler refuses the
        rules."""
        if self._refused is None:
            with suppress(OutOfTime):
                return self._while_it_pays(kernel, run, done, left, most)
        if self._refused is not None:
            return self._in_python_alone(run, done, left)
        is_again, is_first = self._is_again, self._native is None
        try:
            found = compiled()
        except RulesRefused as why:
            self._go_on_alone(why)
            return self._in_python_alone(run, done, left)
        if is_again and is_first and not is_kept(self.native.written.text):
            count_alone(self.rules)
        self._remember(self._needed)
        return found

    def _go_on_alone(self, why: RulesRefused) -> None:
        """Have Python run everything from now on. Raises `why` where a tier is asked for."""
        with self._asking:  # threads are refused one after another
            if self._refused is None:
                self._alone = self._left = goes_on_alone(self.rules, why, self.kernels)
                self._native, self._interpreted, self._longer, self._refused = None, self._python, 0.0, why

    def _in_python_alone(self, run: Callable[[], int], done: int, left: int) -> int:
        """The result of `run`. Raises `RulesError` once Python has no time left, or seems to need far more than there is."""
        assert self._refused is not None
        if self._took / max(self._done, 1) * left > SURE * self._left:
            raise not_alone(self._refused, self._alone)
        began = time.thread_time()
        try:
            found = run()
        except OutOfTime as end:
            raise not_alone(self._refused, self._alone, end) from None
        self._took, self._done = self._took + self._count(began), self._done + done
        return found

    def _remember(self, seconds: float) -> None:
        """The next process loads machine code at once where Python needs so long, unless that is less than loading takes."""
        if seconds >= LONG and not self._is_remembered:
            self._is_remembered = True
            remember_outgrown(self.rules, self.kernels)

    def _goes_on(self, kernel: str, spent: float, more: float, most: Callable[[], float]) -> bool:
        """Let Python, which has run a kernel for `spent` seconds, go on if it seems to need so many more, and at most `most()` in all."""
        if kernel in self._given_up or forced() is not None or spent + more > most():
            self._give_up(kernel)
            return False
        with self._asking:
            if self._refused is not None:  # as another thread was told
                return False
            self._interpreted, self._left, self._longer = self._python, max(2 * more, LONG), 0.0
        return True

    def _give_up(self, kernel: str) -> None:
        self._given_up.add(kernel)
        self._end_python()

    def _end_python(self) -> None:
        """Have Python run nothing, unless another thread has been told that the compiler can't."""
        with self._asking:
            if self._refused is None:
                self._interpreted = None

    def _is_missing(self) -> bool:
        """Whether the rules have no machine code yet, or can't have any."""
        with suppress(CannotCompile):
            return machine_code(self._write(self.rules, self.layout).text) == "missing"
        return True

    @property
    def native(self) -> Linked:
        """The compiled kernels. Raises `RulesError` if the rules can't be compiled."""
        with self._compiling:  # threads that run out of time together wait for one of them
            if self._native is None:
                self._native = self.linked(self.rules, self.layout, self._write)
            return self._native


class StagedRules(Tiered[Native]):
    """`write_rows` (link/templates/staged_rules.py)."""

    linked, kernels = Native, "stages"

    def __init__(self, rules: Rules, layout: Layout):
        super().__init__(rules, layout, staged_module_text, InterpretedStages)

    def write_rows(self, left: int, rows: int, *arguments: Any) -> int:
        """Write so many rows; `left`: those of the whole game that are not written, these included."""
        python, compiled = (lambda: self._in_time("write_rows", *arguments)), (lambda: self.native.call("write_rows", *arguments))
        return self._tiered("write_rows", python, compiled, rows, left, WRITING)


class EnteredRules(Tiered[NativeEntries]):
    """`fill_block` (link/templates/entered_rules.py), and `solve_stages` with it (kernels/entered.py)."""

    linked, kernels = NativeEntries, "entries"

    def __init__(self, rules: Rules, layout: Layout, policies: Policies = (None, None)):
        write = partial(entered_module_text, policies=policies)
        super().__init__(rules, layout, write, partial(InterpretedEntries, policies=policies))
        self.policies, self.has_policies = policies, any(policies)
        self._solving = 0.0  # seconds that Python has solved stages for

    def solve_stages(self, layout: Layout, *arguments: Any) -> int:
        (low, _, at, _, stages), counts = arguments[:5], arguments[-1]
        before = counts.copy()
        while True:
            began, refused = time.thread_time(), self._refused
            try:
                return self._in_time_with(layout, "solve_stages", self.has_policies, *arguments)
            except OutOfTime as end:  # values of entries are written again
                counts[:] = before
                if refused is not None:
                    raise not_alone(refused, self._alone, end) from None
            finally:
                seconds = time.thread_time() - began
                self._solving += seconds
                solve_stages.seconds += seconds
            more = seconds_for_the_rest(self._solving, at, len(stages)) if self._solving >= LONG else LONG
            is_open = "solve_stages" not in self._given_up
            kept = is_open and stages_kept(self.has_policies, *arguments)
            spent = self._solving if kept else solve_stages.seconds + solve_stages.seconds_before
            if not self._goes_on("solve_stages", spent, more, partial(self._to_compile, kept, low < at)):
                if is_open and not kept:
                    ahead.begin("alone" if low < at else "entries")
                try:
                    found = self.native.solve_stages(layout, self.has_policies, *arguments)
                except RulesRefused as why:
                    self._go_on_alone(why)
                    continue
                self._remember(self._solving)
                return found

    def _to_compile(self, kept: bool, several: bool) -> float:
        """Seconds that compiling what solves one stage or several takes now."""
        if kept:
            return FILLING if self._is_missing() else 0.0
        if several:
            return STAGES
        return 0.0 if ahead.is_shared() else ONE_STAGE  # the other process compiles it

    def fill_apart(self, left: int, layout: Layout, stage: int, key: int, entries: Any, block: Any, c: np.ndarray) -> int:
        """Write the states that follow from one entry, up to the next entries (kernels/patterns.py), to `block`. Returns a status.
        `left` : how many entries there are still, this one included."""
        arguments = *apart(stage, np.full(1, key), entries, block), c

        def compiled() -> int:
            if self._native is None:
                ahead.begin("entries")
            return self.native.fill_block(layout, *arguments)

        return self._tiered("fill_block", lambda: self._in_time_with(layout, "fill_block", *arguments), compiled, 1, left, FILLING)

    def _in_time_with(self, layout: Layout, kernel: str, *arguments: Any) -> Any:
        self.layout, interpreted = layout, self._interpreted  # another one if the first was too narrow
        if isinstance(interpreted, InterpretedEntries):
            self._interpreted = interpreted.with_layout(layout)
        return self._in_time(kernel, *arguments)


class BoardRules:
    """`expand`, `pull`, `push`, `compare` and others (link/templates/board_rules.py). They are compiled unless everything is interpreted,
    as such games are large."""

    templates: tuple[str, ...] = BOARD_TEMPLATES
    write = staticmethod(board_module_text)

    def __init__(self, rules: Rules, layout: Layout, shape: Shape = ()):
        """`shape` : that of the only tables they are called with."""
        self._call: Callable[..., Any]
        if forced() == "interpreted":
            kernels = InterpretedBoards(rules, layout, self.templates)
            self._call = lambda kernel, *arguments: kernels.call(kernel, Allowance(math.inf), *arguments)
        else:
            self._call = Native(rules, layout, partial(self.write, shape=shape) if shape else self.write).call

    def call(self, kernel: str, *arguments: Any) -> Any:
        """Call a kernel. Raises `RulesError` if it can't be compiled, `RuleRaised` if a rule raises an exception in it."""
        return self._call(kernel, *arguments)


class SpreadRules(BoardRules):
    """`follow`, `before` and `ends` (link/templates/board_spread.py), for tables spread over machines."""

    templates = SPREAD_TEMPLATES
    write = staticmethod(spread_module_text)
