"""Cyclic batches, one strongly connected component after another, by policy iteration.

Components with a small cutset are solved in `kernels.newton`, larger ones of pure chance in `chance`, those in which nothing is
paid in `unpaid`, and the remaining ones in `policy_iteration`.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.kernels.condense import Rows
from zermelo.kernels.newton import CUTSET, SLOPES, settle_circling, settle_components, settle_scratch
from zermelo.kernels.orders import Orders, Prepared, order_states, orders_of, prepared
from zermelo.methods import chance, unpaid
from zermelo.methods.chance import Keys, no_keys
from zermelo.methods.policy_iteration import solve_component
from zermelo.problem.solver import Fallback, Prove, unproven
from zermelo.problem.transitions import Transitions

NEWTON, DIRECTLY, SWEEPS, POLICY_ITERATION = "Newton's method", "a linear system", "Gauss-Seidel sweeps", "policy iteration"
RISING = "value iteration from 0, then policy iteration,"


def solve(
    batch: Transitions,
    components: np.ndarray,
    value: np.ndarray,
    policy: np.ndarray,
    discount: float = 1.0,
    keys: Keys = no_keys,
    begun: Prepared | None = None,
    prove: Prove = unproven,
) -> list[Fallback]:
    """Fill `value` and `policy` of the batch's states; states below `batch.low` are solved. Returns the places where a fast method was
    abandoned.

    components : int64[c+1], boundaries of the components as state numbers, from batch.low to batch.high.
    keys : returns numbers of the states low..high-1 by which these may be ordered. begun : of this batch, if there is one already.
    prove : proves of some failures that there is no value.
    value : float64[states of the game, payoffs], policy : int32[states of the game]. Payoff 0 decides; the others follow.
    Rows are compared as computed: of rows whose values differ by rounding alone any may be chosen.
    Raises `Unbounded` where play that never ends collects payoffs, `NotConverged` if policy iteration does not terminate.
    """
    rows, orders = begun or prepared(batch, components, discount)
    return settle(rows, batch.final_payoff, components, discount, value, policy, keys, orders, prove)


def settle(
    rows: Rows,
    final_payoff: np.ndarray,
    components: np.ndarray,
    discount: float,
    value: np.ndarray,
    policy: np.ndarray,
    keys: Keys = no_keys,
    orders: Orders | None = None,
    prove: Prove = unproven,
) -> list[Fallback]:
    """As `solve`, of some components of a batch, one after another."""
    at, count, loss, scratch = 0, components.size - 1, 1.0 - discount, settle_scratch(components)
    orders = orders or orders_of(components)
    fallbacks: list[Fallback] = []
    while at < count:
        at = settle_components(rows, final_payoff, components, at, orders, scratch, loss, value, policy)
        if at < 0:
            at = settle_circling(rows, final_payoff, components, ~at, orders, scratch, loss, value, policy)
        if at < count:
            start, end = int(components[at]), int(components[at + 1])
            fallbacks += _solve_large(rows, start, end, discount, value, policy, keys, prove)
            at += 1
    return fallbacks


def _solve_large(
    rows: Rows, start: int, end: int, discount: float, value: np.ndarray, policy: np.ndarray, keys: Keys, prove: Prove
) -> list[Fallback]:
    tried = [NEWTON] if _suits_newton(rows, start, end) else []

    def is_unpaid() -> bool:
        return discount == 1.0 and unpaid.suits(rows, start, end)

    if chance.suits(rows, start, end):
        is_direct = chance.is_direct(rows, start, end)
        if is_direct and is_unpaid() and unpaid.decides(rows, start, end, value, policy):
            return []
        if chance.solve_component(rows, start, end, keys(start, end), value):
            policy[start:end] = 0
            return [Fallback(fast, DIRECTLY if is_direct else SWEEPS, end - start) for fast in tried]
        if not is_direct:
            tried.append(SWEEPS)
    if is_unpaid():
        fallbacks: list[Fallback] = []

        def settle_rest(rest: Rows, finals: np.ndarray, parts: np.ndarray, values: np.ndarray, choices: np.ndarray) -> None:
            fallbacks.extend(settle(rest, finals, parts, 1.0, values, choices, no_keys))

        try:
            solved = unpaid.solve_component(rows, start, end, value, policy, settle_rest)
            if solved is not None:
                return [*(Fallback(fast, RISING, end - start) for fast in tried), *solved, *fallbacks]
        except RuntimeError:
            tried.append(RISING)

    slower = solve_component(rows, start, end, discount, value, policy, prove)
    return [*(Fallback(fast, POLICY_ITERATION, end - start) for fast in tried), *slower]


def _suits_newton(rows: Rows, start: int, end: int) -> bool:
    """Whether the cutset is so small that `settle_components` has tried Newton's method."""
    n, kind = end - start, number_type(end - start)
    cut = order_states(rows, start, end, np.empty(n, kind), np.empty(n, kind), np.empty(n, np.int64), np.empty(n, np.int64))
    return cut <= CUTSET and cut * n <= SLOPES
