"""Drawing from shuffled urns many times, and stopping at the frontier."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from zermelo.basics.parameters import whole
from zermelo.basics.progress import Progress
from zermelo.kernels.urn_play import play_blocks
from zermelo.uses.simulate import Simulation, play_all

if TYPE_CHECKING:
    from zermelo.engines.urn.solution import UrnSolution

DRAWS = 1 << 22  # of a block, about


def simulate(solution: UrnSolution, plays: int, seed: int, progress: Progress) -> Simulation:
    """Play from the start many times. The same seed gives the same result, whatever the number of threads."""
    return play_all(_Urns(solution), whole("plays", plays, 1), whole("seed", seed, 0), solution.payoffs, progress)


class _Urns:
    """An urn, made ready to be played."""

    is_whole = True

    def __init__(self, solution: UrnSolution):
        self.names = solution.rules.payoffs
        self.plus, self.minus = solution.rules.game.urn(solution.rules.start)
        self.reach = solution.frontier.reach
        if solution.value == 0:  # one stops at once, at a place where the line need not be known
            self.reach = np.full(1, self.plus + self.minus)
        self.block = int(min(max(DRAWS // max(self.plus + self.minus, 1), 1), 1024))

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, 1], lengths int64[plays] (stopping is an action), that none circles bool[plays]."""
        totals, lengths = np.empty((plays, 1)), np.empty(plays, np.int64)
        play_blocks(first_block, self.block, seed, self.plus, self.minus, self.reach, totals[:, 0], lengths)
        return totals, lengths, np.zeros(plays, np.bool_)
