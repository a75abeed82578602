"""A stage solved again, for its states that are not kept. The values of its entry states do not change."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import replace

import numpy as np

from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.answers.stored import StoredAnswers
from zermelo.basics.pipeline import ahead
from zermelo.basics.progress import Progress
from zermelo.basics.threads import spare, threads
from zermelo.engines.base import GivesUp
from zermelo.engines.entries.table import Entries, entries_of_answers
from zermelo.engines.entries.worker import NO_KEYS, Worker, runs_of
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.kernels.block import Block
from zermelo.link import EnteredRules


class Again:
    """Solves one stage at a time again; with policies, like `Worker`."""

    def __init__(
        self, native: EnteredRules, entries: Entries, best: Entries | None = None, keeps_payoffs: bool = False
    ):
        self._worker = Worker(native, entries, best, keeps_payoffs=keeps_payoffs)
        self.entries = entries
        self._end = {stage: high for low, high in runs_of(len(entries.stages)) for stage in range(low, high)}

    def block(self, stage: int, more: np.ndarray = NO_KEYS) -> tuple[int, Block]:
        """The number of nodes of a stage (given by its place in `stages`), and the nodes: first its entries in order, then the states with
        the keys `more`, then all others. It begins with the same guesses as the first time, so that of equally good actions the same one is
        taken. The arrays are reused for the next stage. Raises `OutOfReach`."""
        worker, entries = self._worker, self.entries
        own = slice(*entries.first[stage : stage + 2])
        before = entries.value[own].copy(), entries.error[own].copy()
        try:
            why = worker.solve(stage, self._end[stage], stage, 0, more)
        except GivesUp as failure:
            raise OutOfReach(f"{entries.rules.name}: {failure.why}") from None
        finally:
            entries.value[own], entries.error[own] = before
        if why != status.DONE:
            state = entries.rules.in_line(worker.state(status.BAD_KEY))
            raise OutOfReach(f"{entries.rules.name}: from {state} play leads to states beyond those that were solved")
        return int(worker.c[status.NODES]), worker.block

    def states(self, stage: int, key: int) -> StageStates:
        """The states of a stage, including the one with this key unless it is -1."""
        n, block = self.block(stage, np.array([key], np.int64) if key >= 0 else NO_KEYS)
        row = {int(k): i for i, k in enumerate(block.keys[:n])}
        return StageStates(row, block.value[:n].copy(), block.error[:n].copy(), block.policy[:n].copy())


def blocks(
    answers: EnteredAnswers, stages: Iterable[int], keeps_payoffs: bool = False, is_wanted: Callable[[int], bool] = lambda stage: True
) -> Generator[tuple[int, int, Block]]:
    """Each of these stages that is wanted when its turn comes, and what `Again.block` returns for it: all threads solve the next ones
    meanwhile, with values of their own. Close it (`contextlib.closing`) if it is not read to its end. Raises `OutOfReach`."""
    native, free, number = EnteredRules(answers.rules, answers.layout), list[Again](), threads()

    def solved(stage: int) -> tuple[Again, int, tuple[int, Block] | OutOfReach]:
        again = spare(free, lambda: Again(native, entries_of_answers(answers), keeps_payoffs=keeps_payoffs))
        try:
            return again, stage, again.block(stage)
        except OutOfReach as failure:  # of a stage that may not be wanted
            return again, stage, failure

    # which stages are wanted is not known ahead, and one thread solves none in vain
    with closing(ahead(solved, filter(is_wanted, stages) if number == 1 else stages, number)) as found:
        for again, stage, block in found:
            if is_wanted(stage):
                if isinstance(block, OutOfReach):
                    raise block
                yield stage, *block
            free.append(again)


class StageSolver:
    """Finds the states of one stage at a time. The rules are compiled when the first stage is requested."""

    def __init__(self) -> None:
        self._again: Again | None = None

    def __call__(self, answers: EnteredAnswers, stage: int, key: int) -> StageStates:
        """The states of `answers.stages[stage]`, including the one with this key unless it is -1."""
        if self._again is None:
            self._again = Again(EnteredRules(answers.rules, answers.layout), entries_of_answers(answers))
        return self._again.states(stage, key)


def as_entered(answers: EnteredAnswers, stored: StoredAnswers, progress: Progress) -> StoredAnswers:
    """The same game with all states stored, with the policy of `answers`, and what that is paid of other payoffs than the first: where
    several actions are equally good, `stored` may have chosen others. No distances, since this policy does not win as soon as it can. As it
    is if a stage is too hard without patterns."""
    keys = stored.layout.moved(np.asarray(stored.keys), answers.layout)
    order = np.argsort(keys)
    keys = keys[order]
    value, error, policy = np.array(stored.value), np.array(stored.error), np.array(stored.policy)
    stages = len(answers.stages)
    try:
        with closing(blocks(answers, range(stages))) as found:
            for stage, nodes, block in found:
                own = np.flatnonzero(block.policy[:nodes] >= 0)
                at = np.minimum(np.searchsorted(keys, block.keys[own]), len(keys) - 1)
                is_stored = keys[at] == block.keys[own]
                own, number = own[is_stored], order[at[is_stored]]
                value[number, 1:], error[number, 1:], policy[number] = block.value[own, 1:], block.error[own, 1:], block.policy[own]
                progress("solving", stage + 1, stages)
    except OutOfReach:
        return stored
    told = answers.report.facts  # of all entries, also those that play does not come to
    players = {name: told[name] for name in ("players", "passes") if name in told}
    report = replace(stored.report, facts={**stored.report.facts, **players})
    return replace(stored, value=value, error=error, policy=policy, distance=None, report=report)
