"""The values of given policies: all stages again, where one or both players follow a policy that is compiled with the rules."""

from __future__ import annotations

import threading
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.progress import Progress
from zermelo.engines.base import GivesUp
from zermelo.engines.entries.again import Again
from zermelo.engines.entries.solving import Schedule
from zermelo.engines.entries.table import entries_of_answers
from zermelo.errors import OutOfReach, ParameterError
from zermelo.kernels import status
from zermelo.language.rules import Action, State
from zermelo.link import EnteredRules
from zermelo.link.module import Policies
from zermelo.states.layout import WORD_BITS
from zermelo.states.space import check_state, unreachable


class Worth(NamedTuple):
    """The value of the start: for the player to move with PASS, otherwise for player 0."""

    value: np.ndarray  # float64[payoffs]
    error: np.ndarray  # float64[payoffs]
    states: int  # states that were examined
    stages: Again  # all other states, on lifted keys


def check_bits(answers: EnteredAnswers) -> None:
    """Raise `OutOfReach` if a key has no room for the bit that records who has passed."""
    if sum(answers.layout.bits) >= WORD_BITS:
        raise OutOfReach(f"{answers.rules.name}: a state has too many bits for a policy to be evaluated")


def worth_of(answers: EnteredAnswers, policies: Policies, unasked: int, progress: Progress) -> Worth:
    """The value of the start when player 0 (with PASS: the player who moves first) and player 1 follow their policies in `policies`. A
    player without a policy (None) plays according to `unasked`: ANSWER, a best response to the other player's policy; FIRST_BEST, the
    optimal policy that the game was solved with; ANY_BEST, among all actions that are best in the game itself, those that are best for the
    player here. Raises `ParameterError`, and `OutOfReach` if that cannot be solved stage by stage."""
    rules, layout = answers.rules, answers.layout
    check_bits(answers)
    solved = entries_of_answers(answers)
    entries = solved.lifted(answers.report.passes)
    best = None if unasked == status.ANSWER or None not in policies else solved
    native = EnteredRules(rules, layout, policies)
    schedule = Schedule(native, entries, 2 * answers.report.states, progress, best, unasked)
    try:
        schedule.run()
    except GivesUp as failure:
        raise OutOfReach(f"{rules.name}: {failure.why}") from None
    start = entries.find(2 * layout.pack(rules.start))
    states = int(schedule.counts[status.ALL_NODES])
    return Worth(entries.value[start], entries.error[start], states, Again(native, entries, best))


class Answer:
    """The policy of the seat that responds to a policy, as a function of the state: the stage of a state is solved again when needed,
    and remembered until another stage is needed."""

    _solving: ClassVar[Any] = threading.RLock()  # as in `EnteredAnswers`

    def __init__(self, answers: EnteredAnswers, stages: Again, seat: int):
        self._answers, self._stages, self._seat = answers, stages, seat
        self._at, self._best = -1, dict[int, int]()  # the stage that is remembered: positions of actions by lifted key

    def __reduce__(self) -> tuple[object, ...]:
        why = "a response that solves stages again can't be pickled: hand on the solution, and ask best_response there"
        raise ParameterError(f"{self._answers.rules.name}: {why}")

    def __call__(self, state: State) -> Action:
        answers = self._answers
        rules = answers.rules
        check_state(rules, answers.layout, state)
        actions, key, stage = rules.actions(state), answers.layout.pack(state), answers.stage_of(state)
        passed = rules.player(state) ^ self._seat if actions else 0
        if not actions or key < 0 or stage < 0 or (passed and not answers.report.passes):
            raise unreachable(rules, state)
        lifted = 2 * key + passed
        with self._solving:
            if stage != self._at or lifted not in self._best:
                found = self._stages.states(stage, lifted)
                self._at, self._best = stage, {k: int(found.policy[row]) for k, row in found.row.items()}
            return actions[self._best[lifted]]
