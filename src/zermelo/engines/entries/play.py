"""Many plays of a game that is solved stage by stage: stages are solved again, the first one first, and all plays that have reached a stage
continue until they leave it. So the game is solved again at most once, for any number of plays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress
from zermelo.basics.words import counted
from zermelo.engines.entries.again import Again
from zermelo.engines.entries.policies import check_bits
from zermelo.engines.entries.table import Entries, entries_of_answers
from zermelo.engines.faults import TOO_LONG_TO_PLAY
from zermelo.errors import OutOfReach
from zermelo.kernels.simulate import FINISHED
from zermelo.kernels.stage_play import play_stage
from zermelo.link import EnteredRules
from zermelo.link.module import Policies


class Played(NamedTuple):
    """The results of the plays."""

    totals: np.ndarray  # float64[plays, payoffs], paid to player 0 (with PASS: to the player who moves first)
    lengths: np.ndarray  # int64[plays]


def played(
    answers: EnteredAnswers, policies: Policies, plays: int, seed: np.ndarray, max_length: int, progress: Progress
) -> Played:
    """Play this many times. Players 0 and 1 follow their policies, which are compiled with the rules; a player without one plays optimally
    in the game itself. Raises `OutOfReach` for plays longer than `max_length` moves."""
    rules, layout = answers.rules, answers.layout
    again, lifted = _stages(answers, policies)
    entries = again.entries
    stages = len(entries.stages)
    stage_of = np.repeat(np.arange(stages, dtype=np.int32), np.diff(entries.first))
    start = entries.find(layout.pack(rules.start) << lifted)
    waiting, after = np.full(stages, -1, np.int64), np.arange(1, plays + 1)
    after[-1] = -1
    waiting[stage_of[start]] = 0
    at, view = np.full(plays, start, np.int32), np.ones(plays, np.int8)
    found = Played(np.zeros((plays, len(rules.payoffs))), np.zeros(plays, np.int64))
    ended = 0
    for stage in range(stages):
        if waiting[stage] < 0:
            continue
        _, block = again.block(stage)
        how, key, over = play_stage(
            seed, stage, int(entries.first[stage]), stage_of, entries.keys, entries.table, block, waiting, after, at, view, *found,
            max_length,
        )  # fmt: skip
        if how != FINISHED:
            state = rules.in_line(layout.unpack(int(key) >> lifted))
            raise OutOfReach(
                f"{rules.name}: a play was still going on after {counted(max_length, 'move')}, at {state}; {TOO_LONG_TO_PLAY}"
            )
        ended += over
        progress("playing", ended, plays)
    return found


def _stages(answers: EnteredAnswers, policies: Policies) -> tuple[Again, int]:
    """The stages to play, and whether their keys are lifted."""
    solved: Entries = entries_of_answers(answers)
    if policies == (None, None):
        return Again(EnteredRules(answers.rules, answers.layout), solved, keeps_payoffs=True), 0
    check_bits(answers)
    native = EnteredRules(answers.rules, answers.layout, policies)
    return Again(native, solved.lifted(answers.report.passes), solved if None in policies else None, keeps_payoffs=True), 1
