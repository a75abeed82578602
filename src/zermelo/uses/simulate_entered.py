"""Many plays of games that are solved stage by stage, however large."""

from __future__ import annotations

from typing import cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress, silent
from zermelo.engines.entries.play import played
from zermelo.uses.chain import check_policy
from zermelo.uses.evaluate_entered import deciding_seat, faults_of_policies
from zermelo.uses.evaluation import Policy
from zermelo.uses.plays import Simulation, play_all
from zermelo.uses.probe import known_start, payoffs_of


def simulate_entered(
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
    """Play many times. Policies are compiled with the rules, so they must be written with `def`, as rules are."""
    seat = deciding_seat(answers, seat, opponent)
    for given in (policy, opponent):
        if given is not None:
            check_policy(given)
    policies = (policy, opponent) if seat == 0 else (opponent, policy)
    key = np.random.SeedSequence(seed).generate_state(2, np.uint64)
    with faults_of_policies(answers):
        totals, lengths = played(cast(EnteredAnswers, answers), policies, plays, key, max_length, progress)
    values = payoffs_of(answers, known_start(answers)) if policies == (None, None) else {}
    return play_all(FinishedPlays(answers.rules.payoffs, totals, lengths), plays, seed, values, silent)


class FinishedPlays:
    """Finished plays, to be added up."""

    def __init__(self, names: tuple[str, ...], totals: np.ndarray, lengths: np.ndarray):
        self.names, self.totals, self.lengths = names, totals, lengths
        self.is_whole = bool((totals == np.rint(totals)).all())
        self.block = len(lengths)

    def play(self, seed: np.ndarray, first_block: int, plays: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Totals float64[plays, payoffs], lengths int64[plays], that none cycles bool[plays]."""
        return self.totals, self.lengths, np.zeros(plays, np.bool_)
