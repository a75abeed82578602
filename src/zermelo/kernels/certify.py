"""The components of a batch in order: bounds proposed (kernels/propose.py) and checked (kernels/verify.py), in one pass."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.components import order_states
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import CUTSET, SLOPES
from zermelo.kernels.propose import propose
from zermelo.kernels.propose_ends import propose_ends
from zermelo.kernels.sides import both_sides, is_unpaid
from zermelo.kernels.verify import accept, bound_singles, excesses
from zermelo.kernels.verify_ends import bound_from_above

ATTEMPTS = 3  # with a larger drop each time
CLEAR_LOSS = (1e-11, 1e-8, 1e-5)  # of a row, relative to the values: tried in turn


@inner
def copy_errors(error, proposal, start, end):
    """proposal[start:end] = error[start:end]: what was accepted is what later proposals start from."""
    for state in range(start, end):
        for j in range(error.shape[1]):
            proposal[state, j] = error[state, j]


@kernel
def certify_components(batch, rows, excess, discount, components, at, value, policy, choice, proposal, error, blur):
    """Fill `error` for the components at, at + 1, ... in order; returns the first for which no proposal is accepted, or their number.

    rows, choice : kernels/propose.py. excess : float64[rows, payoffs], scratch. proposal : float64[states, payoffs], equal to
    `error` for the states that the batch leads to and for the components before `at`."""
    largest = 1
    for c in range(at, components.size - 1):
        largest = max(largest, components[c + 1] - components[c])
    order, slot = np.empty(largest, np.int32), np.empty(largest, np.int32)
    edge, stack = np.empty(largest, np.int64), np.empty(largest, np.int64)
    rest = np.zeros(largest, np.bool_)
    c = at
    while c < components.size - 1:
        done = bound_singles(batch, components, c, discount, value, policy, error, blur)
        copy_errors(error, proposal, components[c], components[done])
        if done == components.size - 1:
            break
        c = done
        start, end = components[c], components[c + 1]
        cut = order_states(rows, start, end, order, slot, edge, stack)
        proven = cut <= CUTSET and cut * (end - start) <= SLOPES
        for j in range(value.shape[1]):
            proven = proven and certify_cutset(
                batch,
                rows,
                excess,
                discount,
                start,
                end,
                j,
                order,
                slot,
                cut,
                rest,
                value,
                policy,
                choice,
                proposal,
                error,
                blur,
            )
        if not proven and discount == 1.0 and blur == 0.0 and value.shape[1] == 1 and policy[start] >= 0:
            proven = certify_ends(batch, start, end, value, policy, error)
            if proven:
                copy_errors(error, proposal, start, end)
        if not proven:
            return c
        c += 1
    return components.size - 1


@inner
def certify_cutset(
    batch, rows, excess, discount, start, end, j, order, slot, cut, rest, value, policy, choice, proposal, error, blur
):
    """Fill `error` of payoff j for a component with a small cutset (kernels/propose.py); False if no proposal is accepted."""
    drop = 1e-6 * excesses(batch, discount, value, policy, start, end, j, excess, blur)
    for _ in range(ATTEMPTS):
        drop = max(drop, 1e-150)
        if not propose(
            rows, excess, drop, start, end, order, slot, cut, j, 1.0 - discount, rest, policy, choice, proposal
        ):
            return False
        if accept(batch, discount, start, end, j, excess, proposal, error):
            return True
        for state in range(start, end):
            drop = max(drop, 1e-9 * proposal[state, j])
    return False


@kernel
def certify_ends(batch, start, end, value, policy, error):
    """Fill `error` for a component in which nothing is paid (kernels/propose_ends.py); False if no proposal is accepted."""
    if not is_unpaid(batch, start, end):
        return False
    first_row, first_outcome, ways, to, worth, unsure = both_sides(batch, start, end, value, policy, error)
    n = end - start
    base, rise, bound = np.empty(2 * n), np.empty(2 * n), np.empty(2 * n)
    rank, kind = np.empty(2 * n, np.int64), np.empty(first_outcome.size - 1, np.int8)
    for loss in CLEAR_LOSS:
        if propose_ends(
            first_row, first_outcome, ways, to, worth, unsure, loss, base, rise, rank, kind
        ) and bound_from_above(first_row, first_outcome, ways, to, worth, unsure, base, rise, rank, kind, bound):
            for s in range(n):
                error[start + s, 0] = max(bound[s], bound[n + s])
            return True
    return False
