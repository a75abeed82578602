"""Stages solved by the processes of a Ray cluster: each thread of the schedule lets one of them solve its runs.

A process has the rules, the entry states and the patterns of its own. With a run it is sent the values of the stages that were solved
since it was last asked, and it answers with those of the run. Values lie where the command was given, also in a folder there, so that a
process that is lost is replaced by another one, and the same command goes on after it was stopped. How a stage is solved depends on nothing
of this: the bits are the same.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.disk import cache_directory
from zermelo.basics.notices import notify
from zermelo.basics.sources import program
from zermelo.basics.threads import threads
from zermelo.cluster.connection import check_program, connected, first_line, machines, processors
from zermelo.cluster.sources import Shipped, received, shipped
from zermelo.engines.base import Request
from zermelo.engines.entries.patterns import patterns_of
from zermelo.engines.entries.solving import Elsewhere, solve_with, together
from zermelo.engines.entries.table import Entries, declared, entries_of
from zermelo.engines.entries.worker import Worker, runs_of
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.language.rules import Rules, read
from zermelo.language.rules_text import rules_hash
from zermelo.link import EnteredRules
from zermelo.states.layout import layout_described
from zermelo.storage.game import run_of
from zermelo.storage.kept_values import kept_in

FOLDER = "stages"  # in the cache directory
ATTEMPTS = 2  # further ones for a run whose process was lost
RUNS = 2  # of stages, that a process is given at a time
LATEST = [status.AT, status.BAD_KEY, status.BAD_NEXT, status.NODES]  # of the counters, those that are no counts


class Task(NamedTuple):
    """What a process needs to know before it can solve stages."""

    game: Shipped
    parameters: tuple[Any, ...]
    program: str


class Solver:
    """In a process of the cluster: the entry states, and the kernel that solves stages."""

    def __init__(self, task: Task):
        self._task = task

    @cached_property
    def _read(self) -> tuple[Rules, list[Any]]:
        """The rules and the entry states. Read when it begins: Ray passes on the errors of calls, but takes a process that can't be made
        for lost."""
        check_program(self._task.program)
        threads(1)
        rules = read(received(self._task.game, rules_hash)(*self._task.parameters))
        return rules, declared(rules)

    def begin(self, layout: dict[str, Any]) -> None:
        """Begin with the last stage, and states packed in this way."""
        rules, states = self._read
        packed = layout_described(rules.start, layout)
        native, self.entries = EnteredRules(rules, packed), entries_of(rules, states, packed)
        self.worker = Worker(native, self.entries, patterns=patterns_of(native, self.entries)[0])
        self.runs = runs_of(len(self.entries.stages))

    def solve(self, low: int, high: int, at: int, ready_from: int, begin: int, value: np.ndarray, error: np.ndarray) -> tuple[Any, ...]:
        """As `Worker.solve`, once these values of the entries from `begin` on have been taken over. Returns also the counters, the
        values and errors of what was solved, and whether Python runs the rules."""
        entries = self.entries
        entries.value[begin : begin + len(value)], entries.error[begin : begin + len(error)] = value, error
        first, all_later = entries.first, ready_from <= entries.first[high]
        for last, end in ((last, min(end, high)) for last, end in self.runs if low <= last <= at):  # as by threads, to the same bits
            why = self.worker.solve(last, end, min(at, end - 1), int(first[end]) if all_later else ready_from)
            if why != status.DONE:
                break
        lowest = low if why == status.DONE else int(self.worker.c[status.AT]) + 1
        own = slice(*entries.first[[lowest, at + 1]])
        return why, self.worker.c, entries.value[own], entries.error[own], self.worker.native.is_interpreted


class Remote:
    """A process of the cluster, in the place of a `Worker`."""

    def __init__(self, library: Any, task: Task):
        self._ray, self._task, self.lost, self.is_interpreted = library, task, 0, False
        self._start()

    def _start(self) -> None:
        kind = self._ray.remote(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")(Solver)
        self._solver = kind.remote(self._task)

    def begin(self, entries: Entries) -> Remote:
        """Begin with the last stage of these."""
        self.entries, self.c = entries, np.zeros(status.ENTERED_COUNTERS, np.int64)
        self._begin()
        return self

    def _begin(self) -> None:
        self._before, self._sent = self.c.copy(), len(self.entries.keys)  # it has the values of the entries from here on
        self._begun = self._solver.begin.remote(self.entries.layout.described)

    def solve(self, low: int, high: int, at: int, ready_from: int) -> int:
        """As `Worker.solve`. A process that is lost is replaced. Raises `OutOfReach` as well."""
        errors = self._ray.exceptions
        for attempt in range(ATTEMPTS + 1):
            try:
                return self._solve(low, high, at, ready_from)
            except errors.RayTaskError as error:
                raise (error.cause if isinstance(error.cause, Exception) else error) from None
            except errors.RayActorError as error:
                why = first_line(error)
                self.lost += 1
                if attempt == 0:
                    notify(f"a process of the cluster was lost ({why}); another one takes over")
                self._start()
                self._begin()
        raise OutOfReach(f"{self.entries.rules.name}: the processes that were to solve a stage were lost {ATTEMPTS + 1} times ({why})")

    def _solve(self, low: int, high: int, at: int, ready_from: int) -> int:
        entries = self.entries
        begin = int(entries.first[at + 1]) if self._sent == len(entries.keys) else min(ready_from, self._sent)
        fresh = slice(begin, self._sent)
        self._ray.get(self._begun)  # or the error that it raised
        why, c, value, error, self.is_interpreted = self._ray.get(
            self._solver.solve.remote(low, high, at, ready_from, begin, entries.value[fresh], entries.error[fresh])
        )
        self._sent = min(self._sent, ready_from)
        end = int(entries.first[at + 1])
        entries.value[end - len(value) : end], entries.error[end - len(error) : end] = value, error
        self.c = together([self._before, c])
        self.c[LATEST] = c[LATEST]
        return int(why)

    def state(self, counter: int) -> Any:
        return self.entries.layout.unpack(int(self.c[counter]))

    def end(self) -> None:
        self._ray.kill(self._solver)


def solve_on_cluster(request: Request) -> EnteredAnswers:
    """The game solved by the machines of `request.cluster`. Raises as `solve_entries`, and `OutOfReach` without a cluster."""
    game = request.rules.game
    sent = shipped(type(game), rules_hash)
    key = hashlib.sha256(json.dumps([run_of(game), program()]).encode()).hexdigest()[:32]
    folder = cache_directory().resolve() / FOLDER / key
    with connected(str(request.cluster)) as library, kept_in(folder, run_of(game)) as kept:
        number, task, remotes = processors(library), Task(sent, tuple(game), program()), list[Remote]()
        if kept.facts:
            notify(f"taken up from {folder}, where it was left")

        def workers(entries: Entries) -> list[Any]:
            remotes.extend(Remote(library, task) for _ in range(number - len(remotes)))
            return [remote.begin(entries) for remote in remotes]

        try:
            answers = solve_with(request, kept, Elsewhere(RUNS, workers))
        except KeyboardInterrupt:
            notify(f"interrupted: what is solved is on disk ({folder}); the same command goes on there")
            raise
        finally:
            for remote in remotes:
                remote.end()
            if not kept.facts:  # nothing was solved: the rules were refused
                shutil.rmtree(folder, ignore_errors=True)
        answers.value, answers.error = np.array(answers.value), np.array(answers.error)
        facts = {
            "interpreted": all(remote.is_interpreted for remote in remotes), "machines": machines(library), "parts": number,
            "parts lost": sum(remote.lost for remote in remotes),
        }  # fmt: skip
        answers.report = replace(answers.report, facts={**answers.report.facts, **facts})
    shutil.rmtree(folder, ignore_errors=True)
    return answers
