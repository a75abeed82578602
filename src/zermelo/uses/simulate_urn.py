"""Drawing from shuffled urns many times, and stopping at the frontier."""

from __future__ import annotations

from typing import cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.swept import UrnAnswers
from zermelo.basics.progress import Progress
from zermelo.basics.threads import ranges, shared
from zermelo.kernels.urn_play import play_blocks
from zermelo.uses.chain import check_only_seat
from zermelo.uses.plays import Simulation, play_all
from zermelo.uses.probe import known_start, payoffs_of

DRAWS = 1 << 22  # of a block, about


def simulate_urn(
    answers: Answers, plays: int, seed: int, policy: None, opponent: None, seat: int, max_length: int, progress: Progress,
    cluster: str | None = None,
) -> Simulation:
    """Play many times. No play is longer than the urn has balls, whatever `max_length`."""
    check_only_seat(answers, seat, opponent)
    return play_all(UrnPlays(answers), plays, seed, payoffs_of(answers, known_start(answers)), progress, cluster)


class UrnPlays:
    """A swept urn, made ready to be played."""

    is_whole = True

    def __init__(self, answers: Answers):
        urn = cast(UrnAnswers, answers)
        self.names = urn.rules.payoffs
        self.plus, self.minus = urn.swept.plus, urn.swept.minus
        self.reach = urn.frontier.reach
        if known_start(urn).values[0] == 0:  # one stops at once, at a place where the line need not be known
            self.reach = np.full(1, self.plus + self.minus)
        self.block = int(min(max(DRAWS // max(self.plus + self.minus, 1), 1), 1024))

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays] (stopping is an action), that none cycles bool[plays]."""
        totals, lengths = np.empty((plays, 1)), np.empty(plays, np.int64)

        def some(part: tuple[int, int]) -> None:
            own = slice(part[0] * self.block, part[1] * self.block)  # a thread is given nothing that others write to
            urn = self.plus, self.minus, self.reach
            play_blocks(first_block + part[0], self.block, seed, *urn, totals[own, 0], lengths[own])

        shared(some, ranges(-(-plays // self.block), 1))
        return totals, lengths, np.zeros(plays, np.bool_)
