"""Many optimal plays of a game that ends after a number of moves. All plays make their first move, then their second, and so on, so that
the values for every number of moves left are computed once more at most."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.answers.counted import CountedAnswers
from zermelo.basics.progress import Progress
from zermelo.engines.horizon.solving import core_behind
from zermelo.engines.horizon.sweeping import Sweep
from zermelo.kernels.counting_down import play_on
from zermelo.kernels.kernel import at_once


class Played(NamedTuple):
    """The results of the plays."""

    totals: np.ndarray  # float64[plays, payoffs], paid to player 0 (with PASS: to the player who moves first)
    lengths: np.ndarray  # int64[plays]


def played(answers: CountedAnswers, plays: int, seed: np.ndarray, progress: Progress) -> Played:
    """Play this many times."""
    core = core_behind(answers)
    steps = core.steps
    sweep = Sweep(core, steps, answers.discount)
    state, weight = np.zeros(plays, np.int64), np.ones(plays)  # -1: over
    totals, lengths = np.zeros((plays, core.num_payoffs)), np.zeros(plays, np.int64)
    dice = np.random.Generator(np.random.Philox(seed))
    for left in range(core.horizon, 0, -1):
        going = at_once(play_on)(
            state, weight, totals, lengths, dice.random(plays), steps.action_start, steps.outcome_start, steps.ways, steps.next, steps.sign,
            steps.payoff, steps.final_payoff, steps.player, sweep.coef, sweep.reward, answers.layer(left - 1).value, answers.discount,
        )  # fmt: skip
        progress("playing, moves left", left - 1, core.horizon)
        if not going:
            break
    last = answers.layer(0).value
    rest = state >= 0
    totals[rest] += weight[rest, None] * last[state[rest]]
    return Played(totals, lengths)
