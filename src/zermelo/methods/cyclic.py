"""Cyclic batches, one strongly connected component after the other, by policy iteration.

Components with a small cutset are solved in `kernels.newton`, larger ones of pure chance in `chance`, those that are left in
`policy_iteration`.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.condense import Rows, condense
from zermelo.kernels.newton import settle_components
from zermelo.methods import chance
from zermelo.methods.chance import Keys, no_keys
from zermelo.problem.transitions import Transitions


def solve(
    batch: Transitions,
    components: np.ndarray,
    value: np.ndarray,
    policy: np.ndarray,
    discount: float = 1.0,
    keys: Keys = no_keys,
) -> None:
    """Fill `value` and `policy` of the batch's states; states below `batch.low` are solved.

    components : int64[c+1], boundaries of the components as state numbers, from batch.low to batch.high.
    keys : gives numbers of the states low..high-1 by which these may be ordered.
    value : float64[states of the game, payoffs], policy : int32[states of the game]. Payoff 0 decides; the others follow.
    Rows are compared as computed: of rows whose values differ by rounding alone any may be chosen.
    Raises `Unbounded` where play that never ends gathers payoffs, `NotConverged` if policy iteration finds no end.
    """
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, discount)
    rows = Rows(batch.low, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)
    at, count = 0, components.size - 1
    while at < count:
        at = settle_components(rows, batch.final_payoff, components, at, 1.0 - discount, value, policy)
        if at < count:
            _solve_large(rows, int(components[at]), int(components[at + 1]), discount, value, policy, keys)
            at += 1


def _solve_large(
    rows: Rows, start: int, end: int, discount: float, value: np.ndarray, policy: np.ndarray, keys: Keys
) -> None:
    if chance.suits(rows, start, end) and chance.solve_component(rows, start, end, keys(start, end), value):
        policy[start:end] = 0
        return
    from zermelo.methods.policy_iteration import solve_component  # loads scipy, which few games need

    solve_component(rows, start, end, discount, value, policy)
