"""Drawing from shuffled urns many times, and stopping at the frontier."""

from __future__ import annotations

from typing import cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.swept import SweptAnswers
from zermelo.kernels.urn_play import play_blocks
from zermelo.uses.probe import known_start

DRAWS = 1 << 22  # of a block, about


class UrnPlays:
    """A swept urn, made ready to be played."""

    is_whole = True

    def __init__(self, answers: Answers):
        urn = cast(SweptAnswers, answers)
        self.names = urn.rules.payoffs
        self.plus, self.minus = urn.swept.plus, urn.swept.minus
        self.reach = urn.frontier.reach
        if known_start(urn).values[0] == 0:  # one stops at once, at a place where the line need not be known
            self.reach = np.full(1, self.plus + self.minus)
        self.block = int(min(max(DRAWS // max(self.plus + self.minus, 1), 1), 1024))

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays] (stopping is an action), that none circles bool[plays]."""
        totals, lengths = np.empty((plays, 1)), np.empty(plays, np.int64)
        play_blocks(first_block, self.block, seed, self.plus, self.minus, self.reach, totals[:, 0], lengths)
        return totals, lengths, np.zeros(plays, np.bool_)
