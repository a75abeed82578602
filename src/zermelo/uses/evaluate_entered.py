"""Policies in games that are solved stage by stage, however large: compiled with the rules (so they must be written with `def`, as rules
are), and followed through the stages once more. Mistakes are not listed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.entered import EnteredAnswers
from zermelo.basics.bounds import interval
from zermelo.basics.progress import Progress, silent
from zermelo.engines.entries.policies import Answer, worth_of
from zermelo.engines.entries.policies import Worth as Found
from zermelo.errors import OutOfReach, ParameterError, RulesError
from zermelo.kernels.status import ANSWER, ANY_BEST, FIRST_BEST
from zermelo.uses.chain import check_alone, check_policy
from zermelo.uses.evaluation import LEAST_FAVOURABLE, STORED, Evaluation, Policy, Response, Worth, opponents
from zermelo.uses.legal import check_seat
from zermelo.uses.probe import known_start

Policies = tuple[Policy | None, Policy | None]


def evaluate_entered(
    answers: Answers, policy: Policy, opponent: Policy | None, seat: int, progress: Progress = silent
) -> Evaluation:
    """The worth of `policy` in `seat` against `opponent`, or against the least favourable opponent that plays best."""
    seat = deciding_seat(answers, seat, opponent)
    policies = (policy, opponent) if seat == 0 else (opponent, policy)
    found, worth, best = _against_best(answers, policies, progress)
    value, (low, high) = worth.value
    optimal = float(known_start(answers).values[0])
    loss: Any = optimal - value if seat == 0 else value - optimal
    loss = max(loss, 0.0) if opponent is None else loss
    against = opponents(answers.report, opponent, best)
    return Evaluation(value, low, high, loss, worth.payoffs, worth.bounds, seat, found.states, (), against)


def best_response_entered(answers: Answers, opponent: Policy, seat: int, progress: Progress) -> Response:
    """The best that `seat` can do against `opponent`. Its `policy` solves the stage of a state again on demand."""
    seat = deciding_seat(answers, seat, opponent)
    policies = (None, opponent) if seat == 0 else (opponent, None)
    found, worth = _worth(answers, policies, ANSWER, progress)
    value, (low, high) = worth.value
    optimal = float(known_start(answers).values[0])
    gain: Any = value - optimal if seat == 0 else optimal - value
    policy = Answer(cast(EnteredAnswers, answers), found.stages, seat)
    return Response(value, low, high, max(gain, 0.0), worth.payoffs, seat, found.states, policy)


def deciding_seat(answers: Answers, seat: int, opponent: Policy | None) -> int:
    """The seat to play: the one requested in a game for two, the only player's in a game for one (who moves at the start, too)."""
    check_seat(seat)
    if answers.report.is_for_two:
        return seat
    only = answers.rules.player(answers.rules.start)
    check_alone(answers.rules, seat, only, opponent)
    return only


@contextmanager
def faults_of_policies(answers: Answers) -> Iterator[None]:
    """Report faults as faults of the policy, not of the rules, which were solved without one. Raises `ParameterError`."""
    try:
        yield
    except RulesError as error:
        why = error.faults[0].replace("define the game in", "define it with `def` in").replace("these rules run", "it runs").rstrip(".")
        advice = "" if "`def`" in why else "; write it with `def` as a function of the state"
        advice += "; where no policy is given, play is optimal" if "`Solution.best_action`" in why else ""
        raise ParameterError(
            f"{answers.rules.name}: in a game too large to be stored a policy is compiled with the rules, and this one can't be: "
            f"{why}{advice}"
        ) from None


def _against_best(answers: Answers, policies: Policies, progress: Progress) -> tuple[Found, Worth, str]:
    """The value of the start where the opponent is the least favourable one that plays best, and the name of the opponent:
    another one that plays best if the least favourable one can't be found, since equally good actions may cycle within a stage."""
    try:
        return *_worth(answers, policies, ANY_BEST, progress), LEAST_FAVOURABLE
    except OutOfReach:
        if None not in policies:
            raise
        return *_worth(answers, policies, FIRST_BEST, progress), STORED


def _worth(answers: Answers, policies: Policies, unasked: int, progress: Progress) -> tuple[Found, Worth]:
    """The value of the start under these policies: as the engine finds it, and by the names of the payoffs."""
    for policy in policies:
        if policy is not None:
            check_policy(policy)
    with faults_of_policies(answers):
        found = worth_of(cast(EnteredAnswers, answers), policies, unasked, progress)
    names, values, errors = answers.rules.payoffs, found.value.tolist(), found.error.tolist()
    bounds = {name: interval(v, e) for name, v, e in zip(names, values, errors, strict=True)}
    return found, Worth(dict(zip(names, values, strict=True)), bounds, np.empty(0, np.int32))
