"""All stages of a game, from the last one to the first, on two threads.

Stages are handed out in short runs, the last ones first. A thread that needs an entry state of a later stage that the other thread has not
solved yet waits for it. How a stage is solved depends neither on the thread nor on the time, so results are the same every time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.answers.report import Report
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.threads import crew, shared, spare, threads
from zermelo.basics.words import counted
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.entries.again import Again, StageSolver
from zermelo.engines.entries.patterns import patterns_of
from zermelo.engines.entries.table import Entries, LayoutTooNarrow, declared, entries_of
from zermelo.engines.entries.worker import Worker, runs_of
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.link import EnteredRules
from zermelo.states.layout import WORD_BITS, Layout, layout_described
from zermelo.storage.game import run_of
from zermelo.storage.kept_values import KeptValues, kept_in

SPARE = WORD_BITS - 1  # bits that a key may have beforehand
AGREEING = 8  # stages that are solved again without patterns, to compare

MOST_STATES = 2**31 - 1  # examined, none of them stored
ARGUMENT = (
    "stages solved one after the other, the last one first, by policy iteration on the few values that the others follow from; rounding "
    "and residuals of every state are bounded, and how long play can stay in a stage"
)


def solve_entries(request: Request) -> EnteredAnswers:
    """Solve a game that declares `stage` and `entries`. With a checkpoint, a folder, values are kept there, and the values of stages that
    another process has solved are read from there. Raises `RulesError`, `OutOfReach` beyond `max_states` states, `GivesUp` if this method
    fails, and `FileError` for the folder."""
    path = request.checkpoint
    with nullcontext() if path is None else kept_in(path, run_of(request.rules.game)) as kept:
        answers = solve_with(request, kept)
    if path is not None:
        note = f"values are read from {path}: keep it, or `save` the solution"
        answers.report = replace(answers.report, notes=(*answers.report.notes, note))
    return answers


class Elsewhere(NamedTuple):
    """Who solves the stages, if not threads of this process: how many runs of stages each is given at a time, and the workers."""

    runs: int
    workers: Callable[[Entries], list[Any]]


def solve_with(request: Request, kept: KeptValues | None, elsewhere: Elsewhere | None = None) -> EnteredAnswers:
    """The same, with values in `kept`."""
    rules, most = request.rules, request.max_states or MOST_STATES
    with Stopwatch() as reading:
        states = declared(rules)
        layout = Layout.of([*request.sample, *states]).roomier(SPARE)
        if kept is not None and kept.facts:
            layout = layout_described(rules.start, kept.facts["layout"])
        layout = _of_one_word(layout)
        native = EnteredRules(rules, layout)
    with Stopwatch() as solving:
        while True:
            entries = entries_of(rules, states, layout)
            try:
                schedule = Schedule(native, entries, most, request.progress, kept=kept, elsewhere=elsewhere)
                schedule.run()
                break
            except LayoutTooNarrow as narrow:
                layout = _of_one_word(narrow.layout)
            if kept is not None:
                kept.forget()
        if schedule.by_patterns:
            _check_patterns(native, entries)
    seconds = {
        "compiling": reading.compiling + solving.compiling, "numbering": reading.seconds, "solving": solving.seconds,
    }  # fmt: skip
    return EnteredAnswers(
        rules, entries.layout, entries.keys, entries.stages, entries.first, entries.value, entries.error, ARGUMENT,
        _report(schedule, seconds), StageSolver(),
    )  # fmt: skip


def _of_one_word(layout: Layout) -> Layout:
    """The layout itself. Raises `GivesUp` if keys need several words."""
    if layout.num_words > 1:
        raise GivesUp(f"a state needs {sum(layout.bits):,} bits, and where stages are entered {WORD_BITS} are the most")
    return layout


def _check_patterns(native: EnteredRules, entries: Entries) -> None:
    """Solve a few stages again as the rules give them, without patterns, and compare: by Python if the rules are not compiled and that
    is quick. (With a copy of the values: those that are kept in a folder are not to be touched.)"""
    by = native if native.is_interpreted else EnteredRules(entries.rules, entries.layout)
    free = list[Again]()  # with values of their own, as solving a stage again writes to them

    def compare(stage: int) -> None:
        again = spare(free, lambda: Again(by, replace(entries, value=np.array(entries.value), error=np.array(entries.error))))
        try:
            _, block = again.block(stage)
        except OutOfReach:  # too hard without them
            return
        own = slice(*entries.first[stage : stage + 2])
        many = own.stop - own.start
        apart = np.abs(block.value[:many] - entries.value[own])
        if not (apart <= (block.error[:many] + entries.error[own]) * (1 + 1e-6)).all():
            at = entries.rules.in_line(entries.layout.unpack(int(entries.keys[own][apart.argmax()])))
            what = "patterns give another value than the rules: a bug in Zermelo, please report it"
            raise AssertionError(f"{entries.rules.name}: at {at}: {what}")
        free.append(again)

    shared(compare, np.unique(np.random.default_rng(0).integers(0, len(entries.stages), AGREEING)).tolist())


def _report(schedule: Schedule, seconds: dict[str, float]) -> Report:
    facts = _facts(schedule)
    summary = (
        f"{counted(facts['states'], 'state')} in {counted(facts['stages'], 'stage')} (the largest {facts['largest_component']:,}), "
        f"entered in {counted(facts['entries'], 'state')}"
    )
    notes = *schedule.notes, *_fallbacks(schedule, facts["stages"])
    return Report("entries", "Entries", summary, facts, seconds, notes=notes)


def _fallbacks(schedule: Schedule, stages: int) -> tuple[str, ...]:
    """The note if patterns were not suitable for some stages."""
    alone = int(schedule.counts[status.NO_PATTERN])
    if not alone:
        return ()
    why = "the method for stages that share a pattern did not converge there, or its bound was refused"
    return (f"{alone:,} of {counted(stages, 'stage')} {'was' if alone == 1 else 'were'} solved one by one: {why}",)


def _facts(schedule: Schedule) -> dict[str, Any]:
    """The known facts about the game, named as in `problem.structure.Structure`."""
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
        "players": 0 if not c[status.CHOICES] else 2 if two else 1,
        "passes": bool(c[status.PASSES]),
        "win_draw_loss": len(entries.rules.payoffs) == 1 and not c[status.PAYS] and not c[status.MIXED_FINAL],
        "interpreted": schedule.native.is_interpreted,
    }


def together(counts: list[np.ndarray]) -> np.ndarray:
    """The sum of the counts of several threads, processes or runs."""
    found = np.sum(counts, axis=0)
    found[status.LARGEST_BLOCK] = max(c[status.LARGEST_BLOCK] for c in counts)
    return found


def _since(counts: np.ndarray, before: np.ndarray) -> np.ndarray:
    """The counts of a thread since then."""
    found = counts - before
    found[status.LARGEST_BLOCK] = counts[status.LARGEST_BLOCK]
    return found


class _OtherFailed(Exception):
    """The other thread has failed, so that this one need not continue."""


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
        kept: KeptValues | None = None,
        elsewhere: Elsewhere | None = None,
    ):
        """`kept`: the place where values are kept; stages that are solved there are not solved again."""
        self.native, self.entries, self.max_states, self.progress, self.kept = native, entries, max_states, progress, kept
        self.unsolved = len(entries.stages)  # the first ones; the others were solved by another process
        self.noted = np.zeros(status.ENTERED_COUNTERS, np.int64)  # the counts of all stages that are recorded as solved
        if kept is not None:
            self._go_on(kept)
        self.before = self.noted
        runs = [(low, min(high, self.unsolved)) for low, high in runs_of(len(entries.stages)) if low < self.unsolved]
        at_a_time = elsewhere.runs if elsewhere else 1
        given = (runs[k : k + at_a_time] for k in range(0, len(runs), at_a_time))
        self.runs = [(some[-1][0], some[0][1]) for some in given]
        self.is_done: list[np.ndarray | None] = [None] * len(self.runs)  # the counts of the finished runs
        self.working = 0  # the number of working threads
        self.next, self.front, self.states = 0, 0, 0  # the next run to hand out; all runs before `front` are done
        self.changed = threading.Condition()
        self.failure: BaseException | None = None
        patterns, self.seen, self.notes = patterns_of(native, entries)
        self.by_patterns = len(patterns.of_entry) > 0
        many = min(threads(), len(self.runs)) or 1
        own = (Worker(native, entries, best, patterns, unasked=unasked) for _ in range(many))
        self.workers = elsewhere.workers(entries) if elsewhere else [*own]

    @property
    def counts(self) -> np.ndarray:
        """int64[counters]: the counts of all threads together, by the numbers of kernels/status.py."""
        return together([self.seen, self.before, *(w.c for w in self.workers)])

    def _go_on(self, kept: KeptValues) -> None:
        """Use the place where values are kept, and take over the records of another process there."""
        entries = self.entries
        entries.kept_in(kept.begin(2 * entries.value.size, self.progress))
        if kept.facts:
            self.unsolved, self.noted = kept.facts["unsolved"], np.array(kept.facts["counts"])
            begun = int(entries.first[self.unsolved])
            entries.value[:begun], entries.error[:begun] = 0.0, 0.0

    def _note(self, low: int, high: int, counts: np.ndarray) -> None:
        """Record for another process that these stages are solved, and their counts."""
        if self.kept is not None:
            self.noted = together([self.noted, counts])
            facts = {"unsolved": low, "counts": self.noted.tolist(), "layout": self.entries.layout.described}
            self.kept.add(self.entries.spans(*self.entries.first[[low, high]].tolist()), facts)

    def run(self) -> None:
        """Fill in the values of all entry states. Raises `LayoutTooNarrow`."""
        try:
            self._run()
        finally:
            if self.kept is not None:
                self.kept.save()

    def _run(self) -> None:
        with crew(len(self.workers) - 1) as pool:
            try:
                for worker in self.workers[1:]:
                    pool.submit(self._work, worker, False)
                self._work(self.workers[0], True)
                with self.changed:
                    self.changed.wait_for(lambda: self.working == 0 or self.failure is not None)
            except BaseException as error:  # Ctrl-C
                self._fail(error)
        if self.failure is not None:
            raise self.failure

    def _work(self, worker: Worker, is_first: bool) -> None:
        """Solve runs of stages until none is left or a thread has failed."""
        try:
            with self.changed:
                self.working += 1
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
        """The number of the first entry state from which all are solved; with `wait`, once every run before `mine` is done."""
        with self.changed:
            while wait and self.front < mine and self.failure is None:
                self.changed.wait()
            if self.failure is not None:
                raise _OtherFailed
            return int(self.entries.first[self.runs[self.front - 1][0] if self.front else self.unsolved])

    def _solve(self, worker: Worker, mine: int) -> None:
        low, high = self.runs[mine]
        at, waits, before = high - 1, False, worker.c.copy()
        while True:
            why = worker.solve(low, high, at, self._ready(mine, waits))
            at, waits = int(worker.c[status.AT]), True
            if why == status.DONE:
                break
            if why == status.OUTSIDE:
                raise LayoutTooNarrow(self.entries, int(worker.c[status.BAD_KEY]))
        with self.changed:
            self.is_done[mine] = _since(worker.c, before)
            while self.front < len(self.runs) and (counts := self.is_done[self.front]) is not None:
                self._note(*self.runs[self.front], counts)
                self.front += 1
            self.states = int(self.before[status.ALL_NODES]) + sum(int(w.c[status.ALL_NODES]) for w in self.workers)
            if self.states > self.max_states:
                raise OutOfReach(
                    f"{self.entries.rules.name} has more than {self.max_states:,} states; give smaller parameters or raise max_states"
                )
            self.changed.notify_all()
