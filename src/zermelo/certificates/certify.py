"""Certificates: how far given values can be from the truth, proven from the rules' transitions, rounding included.

The proof is in `kernels.certify`: any e that satisfies an inequality there for every action is a bound. Here such an e
is looked for. Mostly `bound_components` finds it, or for large components of pure chance a linear system;
`component_bounds` is for components with large cutsets and for those in which play can circle for ever among actions
that look equally good.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.certify import bound_components, bound_singles, excesses, holds
from zermelo.kernels.condense import Rows, condense
from zermelo.problem.transitions import Transitions
from zermelo.solvers import chance
from zermelo.solvers.chance import Keys, no_keys

ENOUGH = 1e-9  # relative accuracy of e: far below the drop c


def certify(
    batch: Transitions,
    components: np.ndarray,
    value: np.ndarray,
    policy: np.ndarray,
    error: np.ndarray,
    discount: float = 1.0,
    keys: Keys = no_keys,
    blur: float = 0.0,
) -> None:
    """Fill error[s, j] >= |value[s, j] - true value| for the batch's states; `error` of the states below is known.

    Payoff 0: the true value of the game. Other payoffs: what the policy truly pays. Nothing is assumed of `value` and
    `policy`: where they are wrong the bounds are large, or `Uncertified` (solvers/base.py) is raised. A policy of -1: the true
    value of a game in which every action may be chosen, from above only (kernels/deviations.py). `blur` : kernels/certify.py.
    """
    count = components.size - 1
    at = bound_singles(batch, components, 0, discount, value, policy, error, blur)
    if at == count:
        return
    plain = np.ones(batch.sign.size, np.int8)
    coef, excess, pays = condense(batch.outcome_start, batch.ways, plain, batch.payoff, discount)
    one_player = np.zeros_like(batch.player)
    rows = Rows(batch.low, batch.action_start, batch.outcome_start, batch.next, coef, excess, pays, one_player)
    choice = policy[: batch.high].copy()
    while at < count:
        at = bound_components(batch, rows, discount, components, at, value, policy, choice, error, blur)
        if at < count:
            start, end = int(components[at]), int(components[at + 1])
            if not _bound_chance(batch, rows, start, end, value, policy, error, discount, keys, blur):
                from zermelo.certificates.component_bounds import bound_component  # loads scipy, which few games need

                bound_component(batch, start, end, value, policy, error, discount, blur)
            at += 1


def _bound_chance(
    batch: Transitions,
    rows: Rows,
    start: int,
    end: int,
    value: np.ndarray,
    policy: np.ndarray,
    error: np.ndarray,
    discount: float,
    keys: Keys,
    blur: float,
) -> bool:
    """Fill `error` for a large component of pure chance: e is the solution of a linear system, for all payoffs at once."""
    if not chance.suits(rows, start, end):
        return False
    payoffs = range(value.shape[1])
    first, last = (batch.action_start[s - batch.low] for s in (start, end))
    drop = np.full(value.shape[1], 1e-150)
    for _ in range(3):  # a larger drop c than the solver's own inaccuracy; how large that is, the first attempt shows
        largest = [excesses(batch, discount, value, policy, start, end, j, rows.reward, blur) for j in payoffs]
        drop = np.maximum(drop, 1e-6 * np.array(largest))
        rows.reward[first:last] += drop
        if not chance.solve_component(rows, start, end, keys(start, end), error, ENOUGH):
            return False
        rows.reward[first:last] -= drop / 2
        if all(holds(batch, discount, start, end, j, rows.reward, error) for j in payoffs):
            return True
        drop = np.maximum(drop, 1e-6 * error[start:end].max(axis=0))
    return False
