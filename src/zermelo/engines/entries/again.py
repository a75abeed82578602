"""A stage solved again, for its states that are not kept. The values of its entry states do not change."""

from __future__ import annotations

import numpy as np

from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.engines.entries.table import entries_of_answers
from zermelo.engines.entries.worker import Worker
from zermelo.kernels import status
from zermelo.link import EnteredRules


class StageSolver:
    """Finds the states of one stage at a time. The rules are compiled when the first stage is asked for."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def __call__(self, answers: EnteredAnswers, stage: int, key: int) -> StageStates:
        """The states of `answers.stages[stage]`, including the one with this key unless it is -1."""
        if self._worker is None:
            self._worker = Worker(EnteredRules(answers.rules, answers.layout), entries_of_answers(answers))
        worker, entries = self._worker, self._worker.entries
        own = slice(*entries.first[stage : stage + 2])
        before = entries.value[own].copy(), entries.error[own].copy()
        worker.solve(stage, stage + 1, stage, 0, np.array([key] if key >= 0 else [], dtype=np.int64))
        entries.value[own], entries.error[own] = before
        n, block = int(worker.c[status.NODES]), worker.block
        row = {int(k): i for i, k in enumerate(block.keys[:n])}
        return StageStates(row, block.value[:n].copy(), block.error[:n].copy(), block.policy[:n].copy())
