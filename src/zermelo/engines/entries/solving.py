"""All stages of a game, from the last one to the first, on two threads.

Stages are handed out in short runs, the last ones first. A thread that needs an entry state of a later stage that the other thread has not
solved yet waits for it. How a stage is solved depends neither on the thread nor on the time, so results are the same every time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.answers.report import Report
from zermelo.basics.interrupts import ended
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.threads import threads
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.entries.again import StageSolver
from zermelo.engines.entries.patterns import patterns_of
from zermelo.engines.entries.table import Entries, declared, entries_of
from zermelo.engines.entries.worker import Worker
from zermelo.engines.faults import holding_successors
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.language.rules import Rules
from zermelo.link import EnteredRules
from zermelo.states.layout import WORD_BITS, Layout

RUN = 16  # stages that a thread takes at a time


MOST_STATES = 2**31 - 1  # looked at, none of them stored
ARGUMENT = (
    "stages solved one after the other, the last one first, by policy iteration on the few values that the others follow from; rounding "
    "and residuals of every state are bounded, and how long play can stay in a stage"
)


def solve_entries(request: Request) -> EnteredAnswers:
    """Solve a game that declares `stage` and `entries`. Raises `RulesError`, `OutOfReach` beyond `max_states` states, and
    `GivesUp` where this method fails."""
    rules = request.rules
    with Stopwatch() as reading:
        states = declared(rules)
        layout = _of_one_word(rules, Layout.of([*request.sample, *states]))
        native = EnteredRules(rules, layout)
    with Stopwatch() as solving:
        while True:
            entries = entries_of(rules, states, layout)
            schedule = Schedule(native, entries, request.max_states or MOST_STATES, request.progress)
            wider = schedule.run()
            if wider is None:
                break
            layout = _of_one_word(rules, wider)
    seconds = {
        "compiling": reading.compiling + solving.compiling, "numbering": reading.seconds, "solving": solving.seconds,
    }  # fmt: skip
    return EnteredAnswers(
        rules, entries.layout, entries.keys, entries.stages, entries.first, entries.value, entries.error, ARGUMENT,
        _report(schedule, seconds), StageSolver(),
    )  # fmt: skip


def _of_one_word(rules: Rules, layout: Layout) -> Layout:
    """The layout itself. Raises `GivesUp` where keys need several words."""
    if layout.num_words > 1:
        raise GivesUp(f"a state needs {sum(layout.bits):,} bits, and where stages are entered {WORD_BITS} are the most")
    return layout


def _report(schedule: Schedule, seconds: dict[str, float]) -> Report:
    facts = _facts(schedule)
    summary = (
        f"{facts['states']:,} states in {facts['stages']:,} stages (the largest {facts['largest_component']:,}), entered in "
        f"{facts['entries']:,} states"
    )
    return Report("entries", "Entries", summary, facts, seconds, notes=(*schedule.notes, *_fallbacks(schedule, facts["stages"])))


def _fallbacks(schedule: Schedule, stages: int) -> tuple[str, ...]:
    """What is told if patterns did not do for some stages."""
    alone = int(schedule.counts[status.NO_PATTERN])
    if not alone:
        return ()
    why = "the method for stages that share a pattern did not converge there, or its bound was refused"
    return (f"{alone:,} of {stages:,} stages were solved one by one: {why}",)


def _facts(schedule: Schedule) -> dict[str, Any]:
    """Facts about the game, named as in `problem.structure.Structure`, as far as they are known."""
    c, entries = schedule.counts, schedule.entries
    two = c[status.PASSES] or (c[status.PLAYER_0] and c[status.PLAYER_1])
    return {
        "states": int(c[status.ALL_NODES]),
        "actions": int(c[status.ALL_ROWS]),
        "outcomes": int(c[status.ALL_OUTCOMES]),
        "entries": len(entries.keys),
        "stages": len(entries.stages),
        "largest_component": int(c[status.LARGEST_BLOCK]),
        "deterministic": not c[status.BRANCHES],
        "players": 2 if two else 1,
        "passes": bool(c[status.PASSES]),
        "win_draw_loss": len(entries.rules.payoffs) == 1 and not c[status.PAYS] and not c[status.MIXED_FINAL],
        "interpreted": schedule.native.is_interpreted,
    }


class _OtherFailed(Exception):
    """The other thread has failed, so that this one need not go on."""


class _LayoutTooNarrow(Exception):
    """A state does not fit into the layout: everything starts again with `layout`, a wider one."""

    def __init__(self, layout: Layout):
        super().__init__(layout)
        self.layout = layout


class Schedule:
    """Hands out the stages to the threads, in runs, and keeps track of which are solved."""

    def __init__(
        self,
        native: EnteredRules,
        entries: Entries,
        max_states: int,
        progress: Progress,
        best: Entries | None = None,
        unasked: int = status.FIRST_BEST,
    ):
        self.native, self.entries, self.max_states, self.progress = native, entries, max_states, progress
        stages = len(entries.stages)
        self.runs = [(max(0, high - RUN), high) for high in range(stages, 0, -RUN)]
        self.is_done = [False] * len(self.runs)
        self.working = 0  # threads
        self.next, self.front, self.states = 0, 0, 0  # the run to hand out; all before `front` are done
        self.changed = threading.Condition()
        self.failure: BaseException | None = None
        patterns, self.seen, self.notes = patterns_of(native, entries)
        self.workers = [Worker(native, entries, best, patterns, unasked=unasked) for _ in range(min(threads(), len(self.runs)) or 1)]

    @property
    def counts(self) -> np.ndarray:
        """int64[counters]: the counts of all threads together, by the numbers of kernels/status.py."""
        found = np.sum([self.seen, *(w.c for w in self.workers)], axis=0)
        found[status.LARGEST_BLOCK] = max(w.c[status.LARGEST_BLOCK] for w in self.workers)
        return found

    def run(self) -> Layout | None:
        """Fill in the values of all entry states. Returns None, or the wider layout that is needed for it."""
        others = [threading.Thread(target=self._work, args=(w, False)) for w in self.workers[1:]]
        self.working = len(self.workers)
        for thread in others:
            thread.start()
        self._work(self.workers[0], True)
        try:
            self._wait(lambda: self.working == 0 or self.failure is not None)
        except BaseException as error:  # Ctrl-C
            self._fail(error)
        with ended([t.ident for t in others if t.ident] if self.failure else []):
            self._wait(lambda: self.working == 0)
        if isinstance(self.failure, _LayoutTooNarrow):
            return self.failure.layout
        if self.failure is not None:
            raise self.failure
        return None

    def _work(self, worker: Worker, is_first: bool) -> None:
        """Solve runs of stages until none is left or a thread has failed."""
        try:
            while (mine := self._taken()) is not None:
                self._solve(worker, mine)
                if is_first:
                    solved = len(self.entries.keys) - int(self.entries.first[self.runs[mine][0]])
                    self.progress("solving", solved, len(self.entries.keys))
        except BaseException as error:
            self._fail(error)
        finally:
            with self.changed:
                self.working -= 1
                self.changed.notify_all()

    def _wait(self, over: Callable[[], bool]) -> None:
        with self.changed:
            self.changed.wait_for(over)

    def _fail(self, error: BaseException) -> None:
        with self.changed:
            if self.failure is None or isinstance(error, KeyboardInterrupt):
                self.failure = error
            self.changed.notify_all()

    def _taken(self) -> int | None:
        with self.changed:
            if self.failure is not None or self.next == len(self.runs):
                return None
            self.next += 1
            return self.next - 1

    def _ready(self, mine: int, wait: bool) -> int:
        """The number of the first entry state from which on all are solved; with `wait`, once every run before `mine` is done."""
        with self.changed:
            while wait and self.front < mine and self.failure is None:
                self.changed.wait()
            if self.failure is not None:
                raise _OtherFailed
            return int(self.entries.first[self.runs[self.front - 1][0]]) if self.front else len(self.entries.keys)

    def _solve(self, worker: Worker, mine: int) -> None:
        low, high = self.runs[mine]
        at, waits = high - 1, False
        while True:
            why = worker.solve(low, high, at, self._ready(mine, waits))
            at, waits = int(worker.c[status.AT]), True
            if why == status.DONE:
                break
            if why == status.OUTSIDE:
                state = worker.state(status.BAD_KEY)
                raise _LayoutTooNarrow(holding_successors(self.entries.rules, self.entries.layout, state))
        with self.changed:
            self.is_done[mine] = True
            while self.front < len(self.runs) and self.is_done[self.front]:
                self.front += 1
            self.states = sum(int(w.c[status.ALL_NODES]) for w in self.workers)
            if self.states > self.max_states:
                raise OutOfReach(
                    f"{self.entries.rules.name} has more than {self.max_states:,} states; give smaller parameters or raise max_states"
                )
            self.changed.notify_all()
