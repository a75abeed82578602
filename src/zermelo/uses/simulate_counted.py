"""Many optimal plays of games that end after a number of moves, however large."""

from __future__ import annotations

from typing import cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.counted import CountedAnswers
from zermelo.basics.progress import Progress, silent
from zermelo.engines.horizon.play import played
from zermelo.uses.evaluate_entered import deciding_seat
from zermelo.uses.evaluation import Policy
from zermelo.uses.plays import Simulation, play_all
from zermelo.uses.probe import known_start, payoffs_of
from zermelo.uses.simulate_entered import FinishedPlays


def simulate_counted(
    answers: Answers,
    plays: int,
    seed: int,
    policy: Policy | None,
    opponent: Policy | None,
    seat: int,
    max_length: int,
    progress: Progress,
    cluster: None = None,
) -> Simulation:
    """Play many times, optimally; no play is longer than the moves that the start has left."""
    deciding_seat(answers, seat, opponent)
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    totals, lengths = played(cast(CountedAnswers, answers), plays, key, progress)
    return play_all(FinishedPlays(answers.rules.payoffs, totals, lengths), plays, seed, payoffs_of(answers, known_start(answers)), silent)
