"""The components of a batch in order: bounds proposed (kernels/propose.py) and checked (kernels/verify.py), in one pass; and a component of
another kind."""

from __future__ import annotations

import numpy as np

from zermelo.basics.numbering import LARGEST_SHORT_NUMBER
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import CUTSET, SLOPES
from zermelo.kernels.orders import order_component
from zermelo.kernels.propose import propose
from zermelo.kernels.propose_claims import longest_stay, propose_claim
from zermelo.kernels.propose_ends import propose_ends
from zermelo.kernels.sides import both_sides, is_unpaid
from zermelo.kernels.verify import accept, bound_singles, excesses
from zermelo.kernels.verify_claims import bound_claimed
from zermelo.kernels.verify_ends import bound_from_above

ATTEMPTS = 3  # with a larger drop each time, after the first proposal
CLEAR_LOSS = (1e-11, 1e-8, 1e-5, 1e-14)  # of a row, relative to the values: tried in turn
DROPS = (1e-6, 1e-3, 1.0)  # c of a claim, relative to the largest residual or 1e-6 of the errors outside: tried in turn
FEW = 20  # states of a component whose claims are found with dense matrices


@inner
def copy_errors(error, proposal, start, end):
    """proposal[start:end] = error[start:end]: what was accepted is what later proposals start from."""
    for state in range(start, end):
        for j in range(error.shape[1]):
            proposal[state, j] = error[state, j]


@kernel
def certify_components(batch, rows, excess, orders, rest, discount, components, at, first, value, policy, choice, proposal, error, blur):
    """Fill `error` for the components at, at + 1, ... in order; returns the first for which no proposal is accepted, or their
    number. (`certify_with_ends` and `certify_with_claims` may have one for it.)

    first : payoffs of the component `at` that are certified already. rows, choice : kernels/propose.py. excess : float64[rows, payoffs],
    scratch. orders : `orders_of` these components; rest : bool[states of the largest one], all False. proposal : float64[states,
    payoffs], equal to `error` for the states that the batch leads to and for the components before `at`."""
    c = at
    while c < components.size - 1:
        if first == 0:
            done = bound_singles(batch, components, c, discount, value, policy, error, blur)
            copy_errors(error, proposal, components[c], components[done])
            if done == components.size - 1:
                break
            c = done
        start, end = components[c], components[c + 1]
        if not certify_payoffs(
            batch, rows, excess, orders, rest, discount, components, c, first, value, policy, choice, proposal, error, blur
        ):
            return c
        if first > 0:
            copy_errors(error, proposal, start, end)
        c, first = c + 1, 0
    return components.size - 1


@inner
def certify_payoffs(batch, rows, excess, orders, rest, discount, components, c, first, value, policy, choice, proposal, error, blur):
    """Fill `error` of the payoffs first, first + 1, ... for component c with a small cutset, in which play by the policy comes to an end;
    False if the cutset is larger or no proposal is accepted."""
    if first == value.shape[1]:
        return True
    start, end = components[c], components[c + 1]
    order, slot, cut = order_component(rows, components, c, orders)
    if cut > CUTSET or cut * (end - start) > SLOPES:
        return False
    for j in range(first, value.shape[1]):
        if not certify_cutset(
            batch, rows, excess, discount, start, end, j, order, slot, cut, rest, value, policy, choice, proposal, error, blur
        ):
            return False
    return True


@inner
def certify_cutset(
    batch, rows, excess, discount, start, end, j, order, slot, cut, rest, value, policy, choice, proposal, error, blur
):
    """Fill `error` of payoff j for a component with a small cutset (kernels/propose.py); False if no proposal is accepted."""
    drop = 1e-6 * excesses(batch, discount, value, policy, start, end, j, excess, blur)
    for attempt in range(1 + ATTEMPTS):
        drop = max(drop, 1e-150)
        if not propose(
            rows, excess, drop, start, end, order, slot, cut, j, 1.0 - discount, rest, policy, choice, proposal, attempt == 0
        ):
            return False
        if accept(batch, discount, start, end, j, excess, proposal, error):
            return True
        if attempt == 0:
            continue
        for state in range(start, end):
            drop = max(drop, 1e-9 * proposal[state, j])
    return False


@inner
def sides_fit(batch, start, end):
    """Whether numbers of the type that the batch has suffice for the nodes and rows of `both_sides`."""
    low, high, action_start, outcome_start, ways, next_state, sign, payoff, final_payoff, player = batch
    outcomes = outcome_start[action_start[end - low]] - outcome_start[action_start[start - low]]
    return next_state.itemsize > 4 or 2 * (end - start) + 2 * outcomes <= LARGEST_SHORT_NUMBER


@kernel
def suits_ends(batch, start, end, discount, blur):
    """Whether `certify_ends` is made for a component, and tried first."""
    return discount == 1.0 and blur == 0.0 and is_unpaid(batch, start, end)


@kernel
def certify_ends(batch, start, end, value, policy, error):
    """Fill `error` for a component in which nothing is paid (kernels/propose_ends.py); False if no proposal is accepted."""
    if not (is_unpaid(batch, start, end) and sides_fit(batch, start, end)):
        return False
    first_row, first_outcome, ways, to, paid, worth, unsure = both_sides(batch, start, end, value, policy, error)
    n = end - start
    base, rise, bound = np.empty(2 * n), np.empty(2 * n), np.empty(2 * n)
    rank, kind = np.empty(2 * n, np.int64), np.empty(first_outcome.size - 1, np.int8)
    tried = np.full(2, -1, np.int64)
    for loss in CLEAR_LOSS:
        if propose_ends(
            first_row, first_outcome, ways, to, worth, unsure, loss, tried, base, rise, rank, kind
        ) and bound_from_above(first_row, first_outcome, ways, to, worth, unsure, base, rise, rank, kind, bound):
            for s in range(n):
                error[start + s, 0] = max(bound[s], bound[n + s])
            return True
    return False


@inner
def certify_claims(batch, start, end, discount, value, policy, error, blur, claims):
    """Fill `error` of the first payoff for a component of few states of any kind (kernels/propose_claims.py); False if no proposal is
    accepted.

    claims : float64[states, 2, 3], what is accepted: base + potential, rise and drift of both sides; float64[0, 2, 3] if not asked for."""
    n = end - start
    if n > FEW or not sides_fit(batch, start, end):
        return False
    first_row, first_outcome, ways, to, paid, worth, unsure = both_sides(batch, start, end, value, policy, error)
    base, potential, drift, rise, bound = np.empty(2 * n), np.empty(2 * n), np.empty(2 * n), np.empty(2 * n), np.empty(2 * n)
    rows = first_outcome.size - 1
    free, group, excess = np.empty(rows, np.bool_), np.empty(2 * n, np.int64), np.empty(rows)
    for loss in CLEAR_LOSS:
        found, least = propose_claim(
            first_row, first_outcome, ways, to, paid, worth, unsure, discount, blur, loss, base, potential, drift, free, group, excess
        )
        for share in DROPS:
            if not found or not longest_stay(
                first_row, first_outcome, ways, to, unsure, discount, excess, least, group, share, rise
            ):
                continue
            if bound_claimed(
                first_row, first_outcome, ways, to, paid, worth, unsure, discount, blur, base, potential, drift, rise, free, bound
            ):
                for s in range(n):
                    error[start + s, 0] = max(bound[s], bound[n + s])
                for k in range(2 * n if claims.shape[0] > 0 else 0):
                    at, side = start + k % n, k // n
                    claims[at, side, 0], claims[at, side, 1], claims[at, side, 2] = base[k] + potential[k], rise[k], drift[k]
                return True
    return False


@kernel
def certify_with_ends(batch, rows, excess, orders, rest, discount, components, at, value, policy, choice, proposal, error, blur):
    """As `certify_components`; for components in which nothing is paid `certify_ends` is tried, too. (A kernel of its own, like the next
    one, since few games need it and it takes long to compile.)"""
    c, first = at, 0
    while True:
        before = c
        c = certify_components(
            batch, rows, excess, orders, rest, discount, components, c, first, value, policy, choice, proposal, error, blur
        )
        if c == components.size - 1 or (first == 1 and c == before):
            return c
        if not certify_ends(batch, components[c], components[c + 1], value, policy, error):
            return c
        first = 1


@kernel
def certify_with_claims(batch, rows, excess, orders, rest, discount, components, at, value, policy, choice, proposal, error, blur, claims):
    """As `certify_components`; for small components `certify_claims` is tried, too: for the first one, and for others in which something is
    paid."""
    c, first = at, 0
    while True:
        before = c
        c = certify_components(
            batch, rows, excess, orders, rest, discount, components, c, first, value, policy, choice, proposal, error, blur
        )
        if c == components.size - 1 or (first == 1 and c == before):
            return c
        start, end = components[c], components[c + 1]
        if c > at and suits_ends(batch, start, end, discount, blur):
            return c
        if not certify_claims(batch, start, end, discount, value, policy, error, blur, claims):
            return c
        first = 1
