"""Certificates: how far given values can be from the truth, proven from the rules' transitions, rounding included.

The proof is in `kernels.certify`: any e that satisfies an inequality there for every action is a bound. Here such an e
is looked for. Mostly `bound_components` finds it; `component_bounds` is for components with large cutsets and for those
in which play can circle for ever among actions that look equally good.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.certify import bound_components, bound_singles
from zermelo.kernels.condense import Rows, condense
from zermelo.transitions import Transitions


def certify(
    batch: Transitions,
    components: np.ndarray,
    value: np.ndarray,
    policy: np.ndarray,
    error: np.ndarray,
    discount: float = 1.0,
) -> None:
    """Fill error[s, j] >= |value[s, j] - true value| for the batch's states; `error` of the states below is known.

    Payoff 0: the true value of the game. Other payoffs: what the policy truly pays. Nothing is assumed of `value` and
    `policy`: where they are wrong the bounds are large, or `Uncertified` (solvers/base.py) is raised.
    """
    count = components.size - 1
    at = bound_singles(batch, components, 0, discount, value, policy, error)
    if at == count:
        return
    plain = np.ones(batch.sign.size, np.int8)
    coef, excess, pays = condense(batch.outcome_start, batch.ways, plain, batch.payoff, discount)
    one_player = np.zeros_like(batch.player)
    rows = Rows(batch.low, batch.action_start, batch.outcome_start, batch.next, coef, excess, pays, one_player)
    choice = policy[: batch.high].copy()
    while at < count:
        at = bound_components(batch, rows, discount, components, at, value, policy, choice, error)
        if at < count:
            from zermelo.component_bounds import bound_component  # loads scipy, which few games need

            bound_component(batch, int(components[at]), int(components[at + 1]), value, policy, error, discount)
            at += 1
