"""The number of moves of a play under optimal play: all stages again, the last one first, with their two linear systems."""

from __future__ import annotations

from contextlib import closing
from typing import NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress
from zermelo.engines.entries.again import blocks
from zermelo.engines.entries.table import entries_of_answers
from zermelo.errors import OutOfReach
from zermelo.kernels.block import Block
from zermelo.kernels.stage_length import MOST_ERROR, MOST_MEAN, count_moves


class Moments(NamedTuple):
    """E T and E T^2 from the start, T being the number of moves."""

    mean: float
    mean_error: float  # its error bound
    square: float
    square_error: float  # likewise, if the means that it was computed with are right
    most_mean: float  # over all states
    most_error: float


def moments(answers: EnteredAnswers, progress: Progress) -> Moments:
    """The moments of the start. Raises `OutOfReach` if the linear systems of a stage cannot be solved and bounded."""
    entries = entries_of_answers(answers)
    known, missed, most = np.zeros((len(entries.keys), 2)), np.zeros((len(entries.keys), 2)), np.zeros(2)
    counting = _Counting()
    with closing(blocks(answers, range(len(entries.stages))[::-1])) as found:
        for stage, nodes, block in found:
            own, after = int(entries.first[stage]), int(entries.first[stage + 1])
            if not count_moves(nodes, counting.of(block), own, after, entries.keys, entries.table, known, missed, most):
                where = f"in stage {int(entries.stages[stage])}"
                raise OutOfReach(
                    f"{answers.rules.name}: the length of a play can't be bounded {where}: little leads on, or much leads back"
                )
            progress("counting moves", len(entries.keys) - own, len(entries.keys))
    start = entries.find(answers.layout.pack(answers.rules.start))
    return Moments(
        float(known[start, 0]), float(missed[start, 0]), float(known[start, 1]), float(missed[start, 1]), float(most[MOST_MEAN]),
        float(most[MOST_ERROR]),
    )  # fmt: skip


class _Counting:
    """Arrays for moves in place of payoffs."""

    def __init__(self) -> None:
        self.of_nodes, self.of_rows = np.zeros((2, 0, 3)), np.zeros((2, 0, 3))

    def of(self, block: Block) -> Block:
        """The same block, all ways positive, with room for moves."""
        if len(self.of_nodes[0]) < len(block.keys) or len(self.of_rows[0]) < len(block.total):
            self.of_nodes, self.of_rows = np.zeros((2, len(block.keys), 3)), np.zeros((2, len(block.total), 3))
        value, error = self.of_nodes
        reward, rough = self.of_rows
        return block._replace(ways=np.abs(block.ways), value=value, error=error, reward=reward, rough=rough)
