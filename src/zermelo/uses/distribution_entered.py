"""Distributions in games that are solved stage by stage and too large to be stored: of the length of a play, and of a payoff at its end."""

from __future__ import annotations

import math
from typing import cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress, silent
from zermelo.basics.words import counted
from zermelo.engines.entries.flow import Flow, flow
from zermelo.engines.entries.moments import moments
from zermelo.errors import OutOfReach
from zermelo.uses.probabilities import MAX_STEPS, Distribution, subject

DEVIATIONS = 12  # lengths up to this many standard deviations above the mean are tried first


def distribution_entered(answers: Answers, payoff: str | None, tail: float, max_steps: int | None, progress: Progress) -> Distribution:
    """As `distribution`; a payoff must be paid at the end of play only."""
    entered, most = cast(EnteredAnswers, answers), MAX_STEPS if max_steps is None else max_steps
    lengths = 1 if payoff is not None else min(_usual(entered), most) + 1
    while True:
        found = flow(entered, None if payoff is None else answers.rules.payoffs.index(payoff), lengths, tail, most, progress)
        if found.left <= tail:
            return _told(found, subject(answers.rules, payoff), payoff is None)
        if payoff is not None or lengths > most:
            raise OutOfReach(
                f"{answers.rules.name}: after {counted(most, 'move')}{' in one stage' if payoff else ''} plays are still going on with a "
                f"probability of at least {found.left:.3g}, which is more than the tail of {tail:g}; raise tail or max_steps"
            )
        lengths = min(2 * lengths, most + 1)


def _usual(answers: EnteredAnswers) -> int:
    """A length that few plays exceed."""
    known = moments(answers, silent)
    return math.ceil(known.mean + DEVIATIONS * math.sqrt(max(known.square - known.mean**2, 1.0)))


def _told(found: Flow, of: str, is_length: bool) -> Distribution:
    support = sorted(found.ended)
    worst = max((found.errors[k] / found.ended[k] for k in support), default=0.0)
    return Distribution(
        of=of,
        support=np.array(support, np.int64),
        probabilities=np.array([found.ended[k] for k in support]),
        tail=found.left,
        tail_from=math.inf if not found.left else -math.inf,
        endless=0.0,
        rounding=worst * (1 + 1e-9),
        steps=found.steps,
    )
