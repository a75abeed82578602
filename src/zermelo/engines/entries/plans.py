"""The values of given policies: all stages once more, where one or both players keep to a policy that is compiled with the rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress
from zermelo.engines.entries.solving import Schedule
from zermelo.engines.entries.table import entries_of_answers
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.link import EnteredRules
from zermelo.link.module import Plans
from zermelo.states.layout import KEY_BITS


class Worth(NamedTuple):
    """The value of the start: to the player to move with PASS, to player 0 without."""

    value: np.ndarray  # float64[payoffs]
    error: np.ndarray  # float64[payoffs]
    states: int  # that were looked at


def worth_of(answers: EnteredAnswers, plans: Plans, is_answer: bool, progress: Progress) -> Worth:
    """The value of the start when player 0 (with PASS: whoever moves first) and player 1 keep to their policies in `plans`. A player
    without a policy (None) plays an optimal policy of the game itself or, if `is_answer`, a best response to the other one's policy.
    Raises `OutOfReach`, `ParameterError`, `GivesUp`."""
    rules, layout = answers.rules, answers.layout
    if sum(layout.bits) >= KEY_BITS:
        raise OutOfReach(f"{rules.name}: a state has too many bits for a policy to be evaluated")
    solved = entries_of_answers(answers)
    entries = solved.lifted()
    best = None if is_answer or None not in plans else solved
    schedule = Schedule(EnteredRules(rules, layout, plans), entries, 2 * answers.report.states, progress, best)
    schedule.run()
    start = entries.find(2 * layout.pack(rules.start))
    return Worth(entries.value[start], entries.error[start], int(schedule.counts[status.ALL_NODES]))
