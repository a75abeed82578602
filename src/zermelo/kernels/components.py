"""Strongly connected components with a small cutset, solved by Newton's method on the values of the cutset.

A component's states are put into depth-first post-order; the targets of its back edges form the cutset F, so that given the
values x of F all others follow in one sweep, best rows included: y = T(x) is the value that the sweep finds for F itself. The
equation x = T(x) is piecewise linear; a step of Newton's method solves (I - T'(x)) dx = T(x) - x, a dense system of the size of F.
With one player this is policy iteration (Howard 1960) on the reduced problem and converges monotonically; with two players it is
the method of Pollatschek and Avi-Itzhak (1969), which nearly always converges; the caller has another where it does not.

Where play can circle for ever (`can_stay`) the equation alone does not determine the values. Then a slightly stopped game is solved
first (each step inside the component is the last one with a small probability), which settles who wants to circle and who wants to
leave, and its policy is evaluated and improved without stopping. States that circle for ever without any payoff are worth 0.

A `Rows` is what `kernels.condense` makes of a batch. Local numbers (of `order`, `slot`, `rest` ...) are state - start.
"""

from __future__ import annotations

import numpy as np
from numba import njit

inner = njit(cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True)  # for kernels that only kernels call

CUTSET = 32  # largest cutset that is solved here
SLOPES = 1 << 24  # largest size of the table of derivatives, component size times cutset size
ROUNDS = 60  # of Newton's method or of policy iteration
EPSILON = 2.0**-52
STRICT = 1e-13  # a switch without stopping must gain this much, relative to the values of the component


@inner
def fill(array, count, item):
    """array[:count] = item; a loop, because numba takes seconds to compile the assignment of a slice."""
    for k in range(count):
        array[k] = item


@inner
def fill_column(value, start, end, j, item):
    """value[start:end, j] = item."""
    for state in range(start, end):
        value[state, j] = item


# The order of a component --------------------------------------------------------------------------------------------------


@njit(cache=True)
def order_states(rows, start, end, order, slot, edge, stack):
    """Post-order of the states and their cutset; returns the size of the cutset.

    order : int32[n], local numbers in post-order. slot : int32[n], place in the cutset or -1. edge, stack : int64[n], scratch.
    Self-loops do not count. The search starts at the state that most outcomes lead to, a good member of the cutset.
    """
    n, base = end - start, start - rows.low
    # 1. The root: most outcomes lead there.
    fill(slot, n, 0)
    for o in range(rows.first_outcome[rows.first_row[base]], rows.first_outcome[rows.first_row[base + n]]):
        t = rows.next[o] - start
        if t >= 0 and t < n and rows.coef[o] != 0.0:
            slot[t] += 1
    root = 0
    for s in range(n):
        if slot[s] > slot[root]:
            root = s
    # 2. Depth-first search; edge[s] is -1 for states not yet met, -2 for those left, else the next outcome to follow.
    fill(slot, n, -1)
    fill(edge, n, -1)
    placed, cut = 0, 0
    for k in range(n):
        top = (root + k) % n
        if edge[top] != -1:
            continue
        depth = 0
        stack[0] = top
        edge[top] = rows.first_outcome[rows.first_row[base + top]]
        while depth >= 0:
            s = stack[depth]
            o, last = edge[s], rows.first_outcome[rows.first_row[base + s + 1]]
            deeper = False
            while o < last and not deeper:
                t = rows.next[o] - start
                if t >= 0 and t < n and t != s and rows.coef[o] != 0.0:
                    if edge[t] == -1:
                        deeper = True
                        depth += 1
                        stack[depth] = t
                        edge[t] = rows.first_outcome[rows.first_row[base + t]]
                    elif edge[t] != -2 and slot[t] < 0:
                        slot[t] = cut
                        cut += 1
                o += 1
            edge[s] = o
            if not deeper:
                edge[s] = -2
                order[placed] = s
                placed += 1
                depth -= 1
    return cut


@inner
def row_stays(rows, row, start, end, inside):
    """Whether all outcomes of a row lead to states of the component that are marked `inside`."""
    for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
        t = rows.next[o]
        if rows.coef[o] != 0.0 and (t < start or t >= end or not inside[t - start]):
            return False
    return True


@njit(cache=True)
def can_stay(rows, start, end, order, inside):
    """Whether the players together could keep play inside the component for ever; `inside` marks where they could."""
    fill(inside, end - start, True)
    left, changed = end - start, True
    while changed and left > 0:
        changed = False
        for i in range(end - start):
            s = order[i]
            if not inside[s]:
                continue
            stays = False
            for row in range(rows.first_row[start - rows.low + s], rows.first_row[start - rows.low + s + 1]):
                if row_stays(rows, row, start, end, inside):
                    stays = True
                    break
            if not stays:
                inside[s] = False
                changed = True
                left -= 1
    return left > 0


@inner
def spread(rows, start, end, order, policy, reached):
    """Mark, beyond the states already marked, those from which the policy may leave the component or reach a marked state.

    Returns whether all states are marked then."""
    missing = 1
    changed = True
    while changed:
        changed = False
        missing = 0
        for i in range(end - start):
            s = order[i]
            if reached[s]:
                continue
            row = rows.first_row[start - rows.low + s] + policy[start + s]
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                t = rows.next[o]
                if rows.coef[o] != 0.0 and (t < start or t >= end or reached[t - start]):
                    reached[s] = True
                    changed = True
                    break
            missing += not reached[s]
    return missing == 0


@njit(cache=True)
def mark_rest(rows, start, end, order, policy, j, rest, reached):
    """Mark with `rest` the states that the policy keeps circling for ever without payoff j: they are worth 0.

    Returns False if there are states from which play neither leaves nor comes to rest; `reached` is False for them.
    """
    n, base = end - start, start - rows.low
    # 1. Where the policy can't leave and does not pay ...
    fill(reached, n, False)
    all_leave = spread(rows, start, end, order, policy, reached)
    for s in range(n):
        rest[s] = not reached[s] and not rows.pays[rows.first_row[base + s] + policy[start + s], j]
    if all_leave:
        return True
    # 2. ... and never comes to where it pays.
    changed = True
    while changed:
        changed = False
        for i in range(n):
            s = order[i]
            if rest[s] and not row_stays(rows, rows.first_row[base + s] + policy[start + s], start, end, rest):
                rest[s] = False
                changed = True
    # 3. All others must come to leave or to rest.
    for s in range(n):
        reached[s] = reached[s] or rest[s]
    return spread(rows, start, end, order, policy, reached)


# One sweep -----------------------------------------------------------------------------------------------------------------


@inner
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


@inner
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


@njit(cache=True)
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
def newton(rows, start, end, order, slot, cut, j, choose, loss, rest, value, policy):
    """Values of payoff j of a component, for its best rows (`choose`, j = 0) or for the policy; the method above.

    value holds a guess of the cutset's values. Returns False if the method fails (a singular step, no end after ROUNDS).
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
        gap = 0.0
        for k in range(cut):
            fresh[k] -= value[members[k], j]
            gap = max(gap, abs(fresh[k]))
        if cut == 0 or gap <= 2.0 * EPSILON * scale:
            return True
        if turn > 1 and gap >= 0.25 * last_gap and (gap <= 1e-12 * scale or not changed):
            return gap <= 1e-9 * scale  # rounding forbids a better solution
        last_gap = gap
        # 2. A step: (I - slopes of the cutset) step = gap.
        slopes(rows, start, end, order, slot, loss, rest, policy, slope)
        for k in range(cut):
            for c in range(cut):
                matrix[k, c] = (1.0 if k == c else 0.0) - slope[members[k] - start, c]
        if not eliminate(matrix, fresh):
            return False
        for k in range(cut):
            value[members[k], j] += fresh[k]
    return False


@njit(cache=True)
def improve(rows, start, end, value, policy, who, tolerance):
    """Switch to strictly better rows by the values at hand (Howard); returns the number of switches.

    who : 0 or 1, the player whose states are looked at; 2, both. A row counts as better if it is so by more than `tolerance`
    times the largest absolute value of the component or of the state's next states."""
    switches, largest = 0, 0.0
    for state in range(start, end):
        largest = max(largest, abs(value[state, 0]))
    for state in range(start, end):
        i = state - rows.low
        if who != 2 and rows.player[i] != who:
            continue
        sign = 1.0 - 2.0 * rows.player[i]
        best, best_worth = -1, sign * value[state, 0]
        scale = largest
        for row in range(rows.first_row[i], rows.first_row[i + 1]):
            total = rows.reward[row, 0]
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                later = rows.coef[o] * value[rows.next[o], 0]
                total += later
                scale = max(scale, abs(later))
            if sign * total > best_worth + tolerance * max(scale, abs(total)):
                best, best_worth = row, sign * total
        if best >= 0 and best - rows.first_row[i] != policy[state]:
            policy[state] = best - rows.first_row[i]
            switches += 1
    return switches


# Components ----------------------------------------------------------------------------------------------------------------


@inner
def settle_single(rows, state, loss, value, policy):
    """A component of one state with a row at least. False if some row never leaves it."""
    i = state - rows.low
    for row in range(rows.first_row[i], rows.first_row[i + 1]):
        leaves = loss > 0.0
        for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
            if rows.next[o] != state and rows.coef[o] != 0.0:
                leaves = True
                break
        if not leaves:
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
    for o in range(
        rows.first_outcome[rows.first_row[base]], rows.first_outcome[rows.first_row[base + end - start]]
    ):
        if rows.next[o] >= start and rows.next[o] < end:
            rows.coef[o] *= factor


@inner
def settle_circling(rows, start, end, order, slot, cut, rest, mark, value, policy):
    """A component that could be circled for ever: the stopped game first, then its policy without stopping."""
    first = rows.first_outcome[rows.first_row[start - rows.low]]
    saved = np.empty(rows.first_outcome[rows.first_row[end - rows.low]] - first)
    for k in range(saved.size):
        saved[k] = rows.coef[first + k]
    for bits in (20, 30, 40):
        # 1. Who wants to circle, who wants to leave?
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
            if not mark_rest(rows, start, end, order, policy, 0, rest, mark):
                break
            if not newton(rows, start, end, order, slot, cut, 0, False, 0.0, rest, value, policy):
                return False
            if improve(rows, start, end, value, policy, 2, STRICT) == 0:
                return follow(rows, start, end, order, slot, cut, True, 0.0, rest, mark, value, policy)
    return False


@inner
def follow(rows, start, end, order, slot, cut, circling, loss, rest, mark, value, policy):
    """The other payoffs of a component under its policy."""
    for j in range(1, value.shape[1]):
        if circling and not mark_rest(rows, start, end, order, policy, j, rest, mark):
            return False
        fill_column(value, start, end, j, 0.0)
        if not newton(rows, start, end, order, slot, cut, j, False, loss, rest, value, policy):
            return False
    return True


@inner
def settle_component(rows, start, end, loss, order, slot, edge, stack, rest, mark, value, policy):
    """Solve one component. False if this module's method does not do (cutset too large, two players cycling, no value)."""
    cut = order_states(rows, start, end, order, slot, edge, stack)
    if cut > CUTSET or cut * (end - start) > SLOPES:
        return False
    for state in range(start, end):
        policy[state] = 0
    if loss == 0.0 and can_stay(rows, start, end, order, mark):
        return settle_circling(rows, start, end, order, slot, cut, rest, mark, value, policy)
    fill(rest, end - start, False)
    fill_column(value, start, end, 0, 0.0)
    if not newton(rows, start, end, order, slot, cut, 0, True, loss, rest, value, policy):
        return False
    return follow(rows, start, end, order, slot, cut, False, loss, rest, mark, value, policy)


@njit(cache=True)
def settle_components(rows, final_payoff, components, at, loss, value, policy):
    """Solve the components at, at + 1, ... in order; returns the first that could not be solved here, or their number.

    components : int64[c+1], boundaries (state numbers). final_payoff : float64[states, payoffs]. loss : 1 - discount.
    """
    largest = 1
    for c in range(at, components.size - 1):
        largest = max(largest, components[c + 1] - components[c])
    order, slot = np.empty(largest, np.int32), np.empty(largest, np.int32)
    edge, stack = np.empty(largest, np.int64), np.empty(largest, np.int64)
    rest, mark = np.empty(largest, np.bool_), np.empty(largest, np.bool_)
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
        if not settle_component(rows, start, end, loss, order, slot, edge, stack, rest, mark, value, policy):
            return c
    return components.size - 1


# Components by themselves, for solvers that use sparse matrices ------------------------------------------------------------


@njit(cache=True)
def isolate(rows, start, end, value):
    """The component as arrays of its own: (first_row, first_outcome, next, coef, reward, pays) with local numbers 0..n-1.

    What outcomes outside are worth is added to `reward`; number n stands for outside and has the value 0.
    """
    n, base = end - start, start - rows.low
    row0, row1 = rows.first_row[base], rows.first_row[base + n]
    out0, out1 = rows.first_outcome[row0], rows.first_outcome[row1]
    next_state = np.empty(out1 - out0, np.int32)
    coef = rows.coef[out0:out1].copy()
    reward, pays = rows.reward[row0:row1].copy(), rows.pays[row0:row1].copy()
    for row in range(row0, row1):
        for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
            t = rows.next[o]
            inside = t >= start and t < end
            next_state[o - out0] = t - start if inside else n
            if not inside:
                for j in range(value.shape[1]):
                    reward[row - row0, j] += rows.coef[o] * value[t, j]
    return (
        rows.first_row[base : base + n + 1] - row0, rows.first_outcome[row0 : row1 + 1] - out0, next_state, coef, reward, pays
    )


@njit(cache=True)
def policy_matrix(rows, policy, rest):
    """(indptr, indices, data) of the coefficients inside an isolated component under a policy; rows of `rest` are empty."""
    n = policy.size
    indptr = np.zeros(n + 1, np.int64)
    for s in range(n):
        row = rows.first_row[s] + policy[s]
        indptr[s + 1] = indptr[s]
        if not rest[s]:
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                indptr[s + 1] += rows.next[o] < n
    indices, data = np.empty(indptr[n], np.int32), np.empty(indptr[n])
    for s in range(n):
        row, at = rows.first_row[s] + policy[s], indptr[s]
        if not rest[s]:
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                if rows.next[o] < n:
                    indices[at], data[at] = rows.next[o], rows.coef[o]
                    at += 1
    return indptr, indices, data
