"""Solve a game that declares `urn(s)` by the urn sweep, in a window as wide as the tolerance requires."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from zermelo.answers.stored import StoredAnswers
from zermelo.answers.swept import UrnAnswers, UrnSweep, urn_report
from zermelo.basics.parameters import check_tolerance
from zermelo.basics.stopwatch import Stopwatch
from zermelo.certificates.urn import deviations_for, expected_rounding, expected_value
from zermelo.engines.base import Request
from zermelo.engines.urn import kept
from zermelo.engines.urn.exact import check_exact, exact_value
from zermelo.engines.urn.sweep import Sweep, swept
from zermelo.errors import OutOfReach, ParameterError
from zermelo.storage.game import rules_header

TOLERANCE = 1e-9


def solve_urn(request: Request) -> UrnAnswers:
    """The value of the start, certified to the tolerance (relative; absolute below a value of 1), and the stopping rule.

    The default tolerance is 1e-9, or as much as rounding allows for the largest urns. `exact` also computes the value as a
    rational number. With `checkpoint` the sweep resumes from this file if it exists, and is saved there every minute,
    when interrupted, and at the end. Without one a finished sweep is kept in the cache directory, and read from there the next time.
    """
    rules, name = request.rules, request.rules.name
    if request.max_states is not None and rules.urn_states > request.max_states:
        raise OutOfReach(
            f"{name} has more than {request.max_states:,} states; give smaller parameters or raise max_states"
        )
    plus, minus = rules.game.urn(rules.start)
    if request.exact:
        check_exact(name, plus, minus)  # before the sweep, which may take minutes
    tolerance = None if request.exact else request.tolerance  # a fraction meets any tolerance
    window = window_for(name, plus, minus, tolerance)
    if request.checkpoint is None and (there := kept.find(plus, minus, window, exact=request.exact)) is not None:
        report = urn_report(there.swept, there.cells, {"compiling": 0.0, "solving": 0.0})
        return UrnAnswers(rules, there.swept, replace(report, notes=(kept.note(there),)), sweep_from, there.exact)
    about = rules_header(rules.game) if request.checkpoint is not None else None  # so that a finished checkpoint can be opened
    sweep = Sweep(plus, minus, window, about=about)
    found = swept(sweep, request.progress, request.checkpoint).swept()
    seconds = {"compiling": sweep.compiling, "solving": sweep.seconds}
    with Stopwatch() as watch:
        exact = exact_value(name, plus, minus, request.progress) if request.exact else None
    if request.checkpoint is None:
        kept.keep(found, sweep.seconds + watch.seconds, exact)
    return UrnAnswers(rules, found, urn_report(found, sweep.cells, seconds), sweep_from, exact)


def as_swept(answers: UrnAnswers, stored: StoredAnswers) -> StoredAnswers:
    """The same urn with all states stored, with the policy of the sweep: where drawing and stopping are equally good one stops, whichever
    of the two the rules yield first."""
    policy = np.array(stored.policy)
    for batch, _ in stored.explored.batches():
        own = np.flatnonzero(np.diff(batch.action_start) > 0)
        row = batch.action_start[own] + policy[batch.low + own]
        draws = batch.payoff[batch.outcome_start[row], 0] != 0.0
        for number in (batch.low + own[draws]).tolist():
            if stored.value[number, 0] <= stored.error[number, 0]:  # it may be 0, as for who stops
                best = answers.known(stored.explored.state_of(number)).best
                policy[number] = policy[number] if best is None else best
    return replace(stored, policy=policy)


def sweep_from(plus: int, minus: int, deviations: float) -> UrnSweep:
    """The result of an urn sweep from this urn, `deviations` being half the width of the window in standard deviations."""
    return swept(Sweep(plus, minus, deviations)).swept()


def window_for(name: str, plus: int, minus: int, tolerance: float | None) -> float:
    """Half the width of the window in standard deviations. Raises `ParameterError` if doubles cannot certify the tolerance."""
    check_tolerance(tolerance)
    scale = max(1.0, 0.7 * expected_value(plus, minus))
    rounding = expected_rounding(plus, minus) / scale
    if tolerance is None:
        tolerance = max(TOLERANCE, 2 * rounding)
    elif tolerance < rounding / 2:
        raise ParameterError(
            f"{name}: double precision can't certify {tolerance:g} over {plus + minus:,} stages, about {1.3 * rounding:.0e} is possible"
        )
    return deviations_for(plus, minus, max(tolerance - rounding, tolerance / 10) * scale / 4)
