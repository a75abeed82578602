"""The components of a batch in order: bounds proposed (kernels/propose.py) and checked (kernels/verify.py), in one pass."""

from __future__ import annotations

import numpy as np
from numba import njit

from zermelo.kernels.components import order_states
from zermelo.kernels.inner import inner
from zermelo.kernels.newton import CUTSET, SLOPES
from zermelo.kernels.propose import propose
from zermelo.kernels.verify import accept, bound_singles, excesses

ATTEMPTS = 3  # with a larger drop each time


@inner
def copy_errors(error, proposal, start, end):
    """proposal[start:end] = error[start:end]: what was accepted is what later proposals start from."""
    for state in range(start, end):
        for j in range(error.shape[1]):
            proposal[state, j] = error[state, j]


@njit(cache=True)
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
        if cut > CUTSET or cut * (end - start) > SLOPES:
            return c
        for j in range(value.shape[1]):
            drop = 1e-6 * excesses(batch, discount, value, policy, start, end, j, excess, blur)
            proven = False
            for _ in range(ATTEMPTS):
                drop = max(drop, 1e-150)
                if not propose(
                    rows, excess, drop, start, end, order, slot, cut, j, 1.0 - discount, rest, policy, choice, proposal
                ):
                    break
                if accept(batch, discount, start, end, j, excess, proposal, error):
                    proven = True
                    break
                for state in range(start, end):
                    drop = max(drop, 1e-9 * proposal[state, j])
            if not proven:
                return c
        c += 1
    return components.size - 1
