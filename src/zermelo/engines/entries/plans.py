"""What plans are worth: the stages once more, one or both of the players keeping to a policy that is compiled with the rules."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress
from zermelo.engines.entries.solving import Sweep
from zermelo.engines.entries.table import entries_of_answers
from zermelo.errors import OutOfReach
from zermelo.kernels import status
from zermelo.link import EnteredRules
from zermelo.link.module import Plans
from zermelo.states.layout import KEY_BITS


class Worth(NamedTuple):
    """What the start is worth to the player to move."""

    value: np.ndarray  # float64[payoffs]
    error: np.ndarray  # float64[payoffs]
    states: int


def worth_of(answers: EnteredAnswers, plans: Plans, is_answer: bool, progress: Progress) -> Worth:
    """Player 0 (who moves first, with PASS) and player 1 keep to their plans. Who has none plays as is best in the game itself, or, if
    `is_answer`, as is best against the other one's plan."""
    rules, layout = answers.rules, answers.layout
    if sum(layout.bits) >= KEY_BITS:
        raise OutOfReach(f"{rules.name}: a state has too many bits for a policy to be evaluated")
    solved = entries_of_answers(answers)
    entries = solved.lifted()
    best = None if is_answer or None not in plans else solved
    sweep = Sweep(EnteredRules(rules, layout, plans), entries, 2 * answers.report.states, progress, best)
    sweep.run()
    start = entries.find(2 * layout.pack(rules.start))
    return Worth(entries.value[start], entries.error[start], int(sweep.counts[status.ALL_NODES]))
