"""Games in which both players choose at once (stochastic games, Shapley 1953): a matrix game in every state, solved in component order.

Components with a small cutset are solved by Newton's method (kernels/joint_newton.py), others in methods/joint_block.py.

The certificate: with one strategy fixed a game for one is left, whose value bounds that of the game (certificates/fixed_strategies.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.basics.runs import running
from zermelo.certificates.certify_strategies import StrategiesCertifier
from zermelo.kernels.condense import Rows, condense
from zermelo.kernels.deviations import Mixed
from zermelo.kernels.joint_newton import settle_components
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.solver import Fallback, Problem, Progress, Result, SolverFailure, Unbounded, told
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

CLOSE = 1e-3  # relative to the largest value: where an error is larger, other strategies are looked for
FAIR = 1e-6  # and the least that the largest value is taken for, relative to the largest payoff: it is 0 in fair games
TINY = 1e-300


@dataclass(frozen=True)
class Simultaneous:
    """A matrix game in every state: both players choose at once, with chance, and with cycles or without."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""
        return structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises a `SolverFailure`."""
        n, payoffs = problem.num_states, problem.num_payoffs
        value = np.zeros((n, payoffs))
        bounds = StrategiesCertifier(value, discount)
        found: list[Mixed] = []
        fallbacks: list[Fallback] = []
        for batch, components in problem.batches():
            mixed = _prepared(batch, problem.widths(batch.low, batch.high))  # type: ignore[attr-defined]
            fallbacks += _settle_batch(batch, mixed, components, value, discount, bounds)
            found.append(mixed)
            progress("solving", batch.high, n)
        mixtures = Mixtures.joined([(m.p_start, m.q_start, m.p, m.q) for m in found])
        argument = (
            "a matrix game in every state, by components; each strategy was fixed and the best response to it bounded by a separate "
            "pass, rounding included"
        )
        return Result(value, mixtures.likeliest(), bounds.error, None, argument, mixtures, told(fallbacks))


def _prepared(batch: Transitions, width: np.ndarray) -> Mixed:
    """Arrays for the strategies of a batch's states."""
    rows = np.diff(batch.action_start)
    others = rows // np.maximum(width, 1)
    p_start, q_start = (running(counts) for counts in (width, others))
    return Mixed(width, p_start, q_start, np.zeros(p_start[-1]), np.zeros(q_start[-1]))


# Solving --------------------------------------------------------------------------------------------------------------


def _settle_batch(
    batch: Transitions, mixed: Mixed, components: np.ndarray, value: np.ndarray, discount: float, bounds: StrategiesCertifier
) -> list[Fallback]:
    """Fill `value`, `mixed` and the errors of the batch's states; those below `batch.low` are solved. Returns the places where a faster
    method was given up. Where play could cycle forever and the strategies found have no bound, or a bad one, others are tried."""

    def settle(attempt: int) -> tuple[list[Fallback], bool, float, SolverFailure | None]:
        fallbacks, circles = _solve_batch(batch, mixed, components, value, discount, attempt)
        try:
            bounds.certify(batch, components, mixed)
        except SolverFailure as failure:
            return fallbacks, circles, np.inf, failure
        scale = max(float(np.abs(value[: batch.high, 0]).max()), FAIR * float(np.abs(batch.payoff[:, 0]).max(initial=0.0)))
        return fallbacks, circles, float(bounds.error[batch.low : batch.high, 0].max()) / max(scale, TINY), None

    fallbacks, circles, error, failure = settle(0)
    if circles and error > CLOSE and not (isinstance(failure, Unbounded) and failure.is_proven):
        from zermelo.methods.joint_block import ATTEMPTS

        least, best = error, 0
        for attempt in range(1, len(ATTEMPTS)):
            try:
                fallbacks, _, error, _ = settle(attempt)
            except SolverFailure:
                continue
            if error <= CLOSE:
                return fallbacks
            if error < least:
                least, best = error, attempt
        if failure is None or least < 1.0:
            fallbacks, _, _, failure = settle(best)
    if failure is not None:
        raise failure
    return fallbacks


def _solve_batch(
    batch: Transitions, mixed: Mixed, components: np.ndarray, value: np.ndarray, discount: float, attempt: int
) -> tuple[list[Fallback], bool]:
    """Fill `value` and `mixed`. Returns the places where a faster method was given up, and whether the next attempt can differ."""
    fallbacks: list[Fallback] = []
    differs = False
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, discount)
    rows = Rows(batch.low, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)
    at, count = 0, components.size - 1
    while at < count:
        at = settle_components(rows, mixed, batch.final_payoff, components, at, discount < 1.0, value)
        if at < count:
            from zermelo.methods.joint_block import solve_component, suits_newton  # loads scipy, which few games need

            start, end = int(components[at]), int(components[at + 1])
            if suits_newton(rows, start, end, discount < 1.0):
                fallbacks.append(Fallback("Newton's method", "switching strategies", end - start))
            slower, other = solve_component(rows, mixed, start, end, discount, value, attempt)
            fallbacks, differs = fallbacks + slower, differs or other
            at += 1
    return fallbacks, differs
