"""Strongly connected components with a small cutset, solved by Newton's method on the values of the cutset.

A component's states are put into depth-first post-order; the targets of its back edges form the cutset F, so that given
the values x of F all others follow in one sweep, best rows included: y = T(x) is the value that the sweep finds for F
itself. The equation x = T(x) is piecewise linear; a step of Newton's method solves (I - T'(x)) dx = T(x) - x, a dense
system of the size of F. With one player this is policy iteration (Howard 1960) on the reduced problem and converges
monotonically; with two players it is the method of Pollatschek and Avi-Itzhak (1969), which nearly always converges;
where it does not the caller has another one.

Where play can cycle without end (`can_stay`) the equation alone does not determine the values. Then a game that stops at
every step with a small probability is solved first, which decides who wants to cycle and who wants to leave, and its
policy is evaluated and improved without stopping. States from which play cycles without end and without any payoff are
worth 0.

A `Rows` is what `kernels.condense` makes of a batch. Local numbers (of `order`, `slot`, `rest` ...) are state - start.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.components import ANY, can_stay, fill, fill_column, improve, mark_rest
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.orders import order_component

CUTSET = 32  # largest cutset that is solved here
SLOPES = 1 << 24  # largest size of the table of derivatives, component size times cutset size
ROUNDS = 60  # of Newton's method or of policy iteration
EPSILON = 2.0**-52
SETTLED, STAYS, FAILED = range(3)
STRICT = 1e-13  # a switch without stopping must gain this much, relative to the values of the component


# One sweep ------------------------------------------------------------------------------------------------------------


@kernel(inline="always")
def stay_divisor(first_outcome, next_state, coef, row, state, own, loss):
    """1 - own, where `own` is the coefficient of a self-loop: summed from the other outcomes, which avoids cancellation."""
    if loss < 0.0:
        return 1.0 - own
    away = loss
    for o in range(first_outcome[row], first_outcome[row + 1]):
        if next_state[o] != state:
            away += abs(coef[o])
        elif coef[o] < 0.0:
            away -= 2.0 * coef[o]
    return away


@kernel(inline="always")
def best_row(first_outcome, next_state, coef, reward, first, last, state, j, loss, sign, value):
    """(row, worth) of the first row in first..last-1 that is best for payoff j: largest if sign is 1, smallest if it is -1.

    A self-loop is resolved: the row is played until it leads elsewhere; if it only loops it is worth 0 if it pays nothing,
    else infinite. Rows are compared as computed, without tolerance. loss : 1 - discount; negative if coefficients were changed.
    """
    best, best_worth = -1, -np.inf
    for row in range(first, last):
        worth, own = reward[row, j], 0.0
        for o in range(first_outcome[row], first_outcome[row + 1]):
            if next_state[o] == state:
                own += coef[o]
            else:
                worth += coef[o] * value[next_state[o], j]
        if own != 0.0:
            divisor = stay_divisor(first_outcome, next_state, coef, row, state, own, loss)
            if divisor > 0.0:
                worth /= divisor
            elif worth != 0.0:
                worth *= np.inf
        worth *= sign
        if best < 0 or worth > best_worth:
            best, best_worth = row, worth
    return best, sign * best_worth


@kernel
def sweep(rows, start, end, order, slot, j, choose, loss, rest, value, policy, fresh):
    """Values of all states outside the cutset from those of the cutset, whose own new values go to `fresh` : float64[cutset].

    With `choose` the best rows for payoff 0 are taken and noted in `policy`, else those of the policy. Returns (whether the
    policy changed, the largest absolute value)."""
    first_outcome, next_state, coef, reward = rows.first_outcome, rows.next, rows.coef, rows.reward
    first_row, player, low = rows.first_row, rows.player, rows.low
    changed, scale = False, 0.0
    for i in range(end - start):
        s = order[i]
        state = start + s
        worth = 0.0
        if not rest[s]:
            first, last, sign = first_row[state - low], first_row[state - low + 1], 1.0 - 2.0 * player[state - low]
            if not choose:
                first, last, sign = first + policy[state], first + policy[state] + 1, 1.0
            row, worth = best_row(first_outcome, next_state, coef, reward, first, last, state, j, loss, sign, value)
            offset = row - first_row[state - low]
            if offset != policy[state]:
                changed = True
                policy[state] = offset
        scale = max(scale, abs(worth))
        if slot[s] < 0:
            value[state, j] = worth
        else:
            fresh[slot[s]] = worth
    return changed, scale


@inner
def slopes(rows, start, end, order, slot, loss, rest, policy, slope):
    """slope[s, k] : float64[n, cutset], the derivative of the policy's value of s by the value of cutset member k."""
    first_outcome, next_state, coef, first_row = rows.first_outcome, rows.next, rows.coef, rows.first_row
    n, cut = slope.shape
    low = rows.low
    for i in range(n):
        s = order[i]
        for k in range(cut):
            slope[s, k] = 0.0
        if rest[s]:
            continue
        row = first_row[start - low + s] + policy[start + s]
        own = 0.0
        for o in range(first_outcome[row], first_outcome[row + 1]):
            t = next_state[o] - start
            if t < 0 or t >= n:
                continue
            if t == s:
                own += coef[o]
            elif slot[t] >= 0:
                slope[s, slot[t]] += coef[o]
            else:
                for k in range(cut):
                    slope[s, k] += coef[o] * slope[t, k]
        if own != 0.0:
            divisor = stay_divisor(first_outcome, next_state, coef, row, start + s, own, loss)
            for k in range(cut):
                slope[s, k] /= divisor


@inner
def eliminate(matrix, right):
    """Solve matrix x = right in place by Gaussian elimination with partial pivoting; False if the matrix is singular."""
    n = right.size
    for c in range(n):
        p = c
        for r in range(c + 1, n):
            if abs(matrix[r, c]) > abs(matrix[p, c]):
                p = r
        if not abs(matrix[p, c]) > 1e-14:
            return False
        if p != c:
            for k in range(n):
                matrix[p, k], matrix[c, k] = matrix[c, k], matrix[p, k]
            right[p], right[c] = right[c], right[p]
        for r in range(c + 1, n):
            factor = matrix[r, c] / matrix[c, c]
            if factor != 0.0:
                for k in range(c, n):
                    matrix[r, k] -= factor * matrix[c, k]
                right[r] -= factor * right[c]
    for c in range(n - 1, -1, -1):
        for k in range(c + 1, n):
            right[c] -= matrix[c, k] * right[k]
        right[c] /= matrix[c, c]
    return True


@inner
def cutset_gap(members, j, value, fresh):
    """Turn the new values of the cutset, `fresh`, into how far they are from the old ones; the largest distance."""
    gap = 0.0
    for k in range(members.size):
        fresh[k] -= value[members[k], j]
        gap = max(gap, abs(fresh[k]))
    return gap


@inner
def cutset_step(members, start, j, slope, value, fresh, matrix):
    """Move the cutset's values by the solution of (I - slopes of the cutset) step = `fresh`; False if there is none."""
    for k in range(members.size):
        for c in range(members.size):
            matrix[k, c] = (1.0 if k == c else 0.0) - slope[members[k] - start, c]
    if not eliminate(matrix, fresh):
        return False
    for k in range(members.size):
        value[members[k], j] += fresh[k]
    return True


@inner
def newton(rows, start, end, order, slot, cut, j, choose, loss, rest, value, policy, is_one_step=False):
    """Values of payoff j of a component, for its best rows (`choose`, j = 0) or for the policy; the method above.

    value holds a guess of the cutset's values. Returns False if the method fails (a singular step, no end after ROUNDS).
    is_one_step : only the first step is made, which all other states follow by their slopes: enough, but for rounding, if the rows that are
    best for the guess are best for the solution.
    """
    fresh = np.empty(cut)
    members = np.empty(cut, np.int64)
    for s in range(end - start):
        if slot[s] >= 0:
            members[slot[s]] = start + s
    slope = np.empty((end - start if cut else 0, cut))
    matrix = np.empty((cut, cut))
    last_gap = np.inf
    for turn in range(ROUNDS):
        # 1. A sweep; how far is it from a solution?
        changed, scale = sweep(rows, start, end, order, slot, j, choose, loss, rest, value, policy, fresh)
        if not scale < np.inf:
            return False
        gap = cutset_gap(members, j, value, fresh)
        if cut == 0 or gap <= 2.0 * EPSILON * scale:
            return True
        if turn > 1 and gap >= 0.25 * last_gap and (gap <= 1e-12 * scale or not changed):
            return gap <= 1e-9 * scale  # rounding forbids a better solution
        last_gap = gap
        # 2. A step.
        slopes(rows, start, end, order, slot, loss, rest, policy, slope)
        if not cutset_step(members, start, j, slope, value, fresh, matrix):
            return False
        if is_one_step:
            for s in range(end - start):
                if slot[s] < 0:
                    for k in range(cut):
                        value[start + s, j] += slope[s, k] * fresh[k]
            return True
    return False


# Components -----------------------------------------------------------------------------------------------------------


@inner
def settle_single(rows, state, loss, value, policy):
    """A component of one state with a row at least. False if some row never leaves it and pays; one that does not pay is worth 0."""
    i = state - rows.low
    for row in range(rows.first_row[i], rows.first_row[i + 1]):
        leaves = loss > 0.0
        for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
            if rows.next[o] != state and rows.coef[o] != 0.0:
                leaves = True
                break
        for j in range(value.shape[1]):
            if not leaves and rows.pays[row, j]:
                return False
    first, last, sign = rows.first_row[i], rows.first_row[i + 1], 1.0 - 2.0 * rows.player[i]
    for j in range(value.shape[1]):
        best, worth = best_row(
            rows.first_outcome, rows.next, rows.coef, rows.reward, first, last, state, j, loss, sign, value
        )
        policy[state] = best - rows.first_row[i]
        value[state, j] = worth
        first, last = best, best + 1
    return True


@inner
def scale_inside(rows, start, end, factor):
    """Multiply the coefficients of all outcomes that stay in the component, in place."""
    base = start - rows.low
    for o in range(rows.first_outcome[rows.first_row[base]], rows.first_outcome[rows.first_row[base + end - start]]):
        if rows.next[o] >= start and rows.next[o] < end:
            rows.coef[o] *= factor


@inner
def settle_staying(rows, start, end, order, slot, cut, rest, mark, value, policy):
    """A component with a small cutset that could be cycled forever: the stopped game first, then its policy without stopping. False if
    the method fails: two players cycling, or no value."""
    first = rows.first_outcome[rows.first_row[start - rows.low]]
    saved = np.empty(rows.first_outcome[rows.first_row[end - rows.low]] - first)
    for k in range(saved.size):
        saved[k] = rows.coef[first + k]
    for bits in (20, 30, 40):
        # 1. Who wants to cycle, who wants to leave?
        fill(rest, end - start, False)
        fill_column(value, start, end, 0, 0.0)
        scale_inside(rows, start, end, 1.0 - 2.0**-bits)
        found = newton(rows, start, end, order, slot, cut, 0, True, -1.0, rest, value, policy)
        for k in range(saved.size):
            rows.coef[first + k] = saved[k]
        if not found:
            return False
        # 2. Policy iteration from there.
        for _ in range(ROUNDS):
            if not mark_rest(rows, start, end, order, policy, 0, rest, mark, ANY):
                break
            if not newton(rows, start, end, order, slot, cut, 0, False, 0.0, rest, value, policy):
                return False
            if improve(rows, start, end, value, policy, 2, STRICT) == 0:
                return follow(rows, start, end, order, slot, cut, rest, mark, value, policy)
    return False


@inner
def follow(rows, start, end, order, slot, cut, rest, mark, value, policy):
    """The other payoffs of a component under its policy, with which play may stay without end."""
    for j in range(1, value.shape[1]):
        if not mark_rest(rows, start, end, order, policy, j, rest, mark, ANY):
            return False
        fill_column(value, start, end, j, 0.0)
        if not newton(rows, start, end, order, slot, cut, j, False, 0.0, rest, value, policy):
            return False
    return True


@inner
def settle_component(rows, components, c, loss, orders, rest, mark, value, policy):
    """Solve component c: SETTLED; STAYS if play can stay there without end; FAILED if the cutset is too large, or there is no value."""
    start, end = components[c], components[c + 1]
    order, slot, cut = order_component(rows, components, c, orders)
    if cut > CUTSET or cut * (end - start) > SLOPES:
        return FAILED
    for state in range(start, end):
        policy[state] = 0
    if loss == 0.0 and can_stay(rows, start, end, order, mark, ANY):
        return STAYS
    fill(rest, end - start, False)
    for j in range(value.shape[1]):  # the first payoff decides
        fill_column(value, start, end, j, 0.0)
        if not newton(rows, start, end, order, slot, cut, j, j == 0, loss, rest, value, policy):
            return FAILED
    return SETTLED


def settle_scratch(components):
    """Scratch arrays of `settle_components`, as large as the largest of these components."""
    n = int(np.diff(components).max(initial=1))
    return np.empty(n, np.bool_), np.empty(n, np.bool_)


@kernel
def settle_components(rows, final_payoff, components, at, orders, scratch, loss, value, policy):
    """Solve the components at, at + 1, ... in order; returns the first that could not be solved here, or their number; ~c if in component c
    play can stay without end, for `settle_circling`.

    components : int64[c+1], boundaries (state numbers). final_payoff : float64[states, payoffs]. orders, scratch : `orders_of` and
    `settle_scratch` these components. loss : 1 - discount.
    """
    rest, mark = scratch
    for c in range(at, components.size - 1):
        start, end = components[c], components[c + 1]
        i = start - rows.low
        if end - start == 1 and rows.first_row[i] == rows.first_row[i + 1]:
            policy[start] = -1
            for j in range(value.shape[1]):
                value[start, j] = final_payoff[i, j]
            continue
        if end - start == 1 and settle_single(rows, start, loss, value, policy):
            continue
        status = settle_component(rows, components, c, loss, orders, rest, mark, value, policy)
        if status != SETTLED:
            return ~c if status == STAYS else c
    return components.size - 1


@kernel
def settle_circling(rows, final_payoff, components, at, orders, scratch, loss, value, policy):
    """As `settle_components`, but also solves components in which play can stay without end: returns the first that could not be solved
    here, or their number. (A kernel of its own, since few games need it and it takes long to compile.)"""
    rest, mark = scratch
    c = at
    while c < components.size - 1:
        c = settle_components(rows, final_payoff, components, c, orders, scratch, loss, value, policy)
        if c >= 0:
            break
        c = ~c
        order, slot, cut = order_component(rows, components, c, orders)
        if not settle_staying(rows, components[c], components[c + 1], order, slot, cut, rest, mark, value, policy):
            break
        c += 1
    return c
