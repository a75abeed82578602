"""Properties of strongly connected components, and the steps of policy iteration on them.

A `Rows` is what `kernels.condense` makes of a batch. Local numbers (of `order`, `inside`, `rest` ...) are state -
start.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel

UNSETTLED = -1
PASSES = 8  # through the states, to and fro, before what spreads slowly is followed from state to state
ANY = 1 << 60  # passes: few suffice where the cutset is small


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


# Structure ------------------------------------------------------------------------------------------------------------


@inner
def row_stays(rows, row, start, end, inside):
    """Whether all outcomes of a row lead to states of the component that are marked `inside`."""
    for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
        t = rows.next[o]
        if rows.coef[o] != 0.0 and (t < start or t >= end or not inside[t - start]):
            return False
    return True


@kernel
def can_stay(rows, start, end, order, inside, passes):
    """Whether the players together could keep play inside the component without end, 1 or 0; `inside` marks where they could. UNSETTLED
    after so many passes: then `drop_out` goes on."""
    fill(inside, end - start, True)
    left, changed, forwards = end - start, True, False
    while changed and left > 0:
        if passes == 0:
            return UNSETTLED
        changed, forwards, passes = False, not forwards, passes - 1
        for i in range(end - start):
            s = order[i] if forwards else order[end - start - 1 - i]
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
    return int(left > 0)


@inner
def spread(rows, start, end, order, policy, reached, passes):
    """Mark, beyond the states already marked, those from which the policy may leave the component or reach a marked state.

    Returns how many are not marked then, or UNSETTLED after so many passes."""
    missing, changed, forwards = 1, True, False
    while changed:
        if passes == 0:
            return UNSETTLED
        changed, forwards, passes = False, not forwards, passes - 1
        missing = 0
        for i in range(end - start):
            s = order[i] if forwards else order[end - start - 1 - i]
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
    return missing


@kernel
def mark_rest(rows, start, end, order, policy, j, rest, reached, passes):
    """Mark with `rest` the states from which the policy cycles without end and without payoff j: they are worth 0.

    Returns 0 if there are states from which play neither leaves nor reaches such a cycle; `reached` is False for them. Otherwise 1, or
    UNSETTLED where so many passes do not suffice: then `mark_rest_backwards` does it.
    """
    n, base = end - start, start - rows.low
    # 1. Where the policy can't leave and does not pay ...
    fill(reached, n, False)
    missing = spread(rows, start, end, order, policy, reached, passes)
    for s in range(n):
        rest[s] = not reached[s] and not rows.pays[rows.first_row[base + s] + policy[start + s], j]
    if missing <= 0:
        return UNSETTLED if missing < 0 else 1
    # 2. ... and never comes to where it pays.
    changed, forwards = True, False
    while changed:
        if passes == 0:
            return UNSETTLED
        changed, forwards, passes = False, not forwards, passes - 1
        for i in range(n):
            s = order[i] if forwards else order[n - 1 - i]
            if rest[s] and not row_stays(rows, rows.first_row[base + s] + policy[start + s], start, end, rest):
                rest[s] = False
                changed = True
    # 3. All others must leave or reach such states.
    for s in range(n):
        reached[s] = reached[s] or rest[s]
    missing = spread(rows, start, end, order, policy, reached, passes)
    return UNSETTLED if missing < 0 else int(missing == 0)


# The same, in time proportional to the outcomes: what spreads is followed from state to state. Apart, since they take longer to compile.


@inner
def owners(rows, start, end):
    """The state of every row, a local number; rows are counted from the component's first."""
    base = start - rows.low
    first = rows.first_row[base]
    owner = np.empty(rows.first_row[base + end - start] - first, rows.next.dtype)
    for s in range(end - start):
        for row in range(rows.first_row[base + s], rows.first_row[base + s + 1]):
            owner[row - first] = s
    return owner


@inner
def leading_in(rows, start, end, owner, policy):
    """(into, rows_in): the rows with an outcome that leads to state t are rows_in[into[t] : into[t + 1]], some of them more than once; only
    those of the policy if it is not empty."""
    base, n = start - rows.low, end - start
    first = rows.first_row[base]
    into, rows_in = np.zeros(n + 2, np.int64), np.empty(0, np.int64)
    for turn in range(2):
        if turn == 1:
            for t in range(n):
                into[t + 2] += into[t + 1]
            rows_in = np.empty(into[n + 1], np.int64)
        for row in range(owner.size):
            s = owner[row]
            if policy.size > 0 and first + row != rows.first_row[base + s] + policy[start + s]:
                continue
            for o in range(rows.first_outcome[first + row], rows.first_outcome[first + row + 1]):
                t = rows.next[o] - start
                if rows.coef[o] != 0.0 and t >= 0 and t < n:
                    if turn == 0:
                        into[t + 2] += 1
                    else:
                        rows_in[into[t + 1]] = row
                        into[t + 1] += 1
    return into[:-1], rows_in


@kernel
def drop_out(rows, start, end, inside):
    """Take out of `inside` the states of which every row may lead elsewhere, until there is none; whether any are left, 1 or 0."""
    n, first = end - start, rows.first_row[start - rows.low]
    owner = owners(rows, start, end)
    into, rows_in = leading_in(rows, start, end, owner, np.empty(0, np.int32))
    stays, staying, queue = np.empty(owner.size, np.bool_), np.zeros(n, np.int64), np.empty(n, rows.next.dtype)
    for row in range(owner.size):
        stays[row] = row_stays(rows, first + row, start, end, inside)
        staying[owner[row]] += stays[row]
    left, waiting = 0, 0
    for s in range(n):
        if inside[s] and staying[s] == 0:
            inside[s] = False
            queue[waiting] = s
            waiting += 1
        left += inside[s]
    while waiting > 0:
        waiting -= 1
        t = queue[waiting]
        for k in range(into[t], into[t + 1]):
            if not stays[rows_in[k]]:
                continue
            stays[rows_in[k]] = False
            s = owner[rows_in[k]]
            staying[s] -= 1
            if inside[s] and staying[s] == 0:
                inside[s] = False
                queue[waiting] = s
                waiting += 1
                left -= 1
    return int(left > 0)


@inner
def spread_backwards(into, rows_in, owner, queue, reached):
    """Mark the states from which the policy may reach a marked state. Returns how many are not marked then."""
    last = 0
    for s in range(reached.size):
        if reached[s]:
            queue[last] = s
            last += 1
    at = 0
    while at < last:
        t = queue[at]
        at += 1
        for k in range(into[t], into[t + 1]):
            s = owner[rows_in[k]]
            if not reached[s]:
                reached[s] = True
                queue[last] = s
                last += 1
    return reached.size - last


@kernel
def mark_rest_backwards(rows, start, end, policy, j, rest, reached):
    """As `mark_rest`, in any number of steps. rest, reached : bool[n]."""
    n, base = end - start, start - rows.low
    owner = owners(rows, start, end)
    into, rows_in = leading_in(rows, start, end, owner, policy)
    queue = np.empty(n, rows.next.dtype)
    missing = 0
    for step in range(3):
        # 1. Where the policy may leave. 2. Where it may, or pays, or comes to such a state. 3. Where it may leave or reach the others.
        for s in range(n):
            row = rows.first_row[base + s] + policy[start + s]
            leaves = False
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                leaves |= rows.coef[o] != 0.0 and (rows.next[o] < start or rows.next[o] >= end)
            if step == 0:
                reached[s] = leaves
            elif step == 1:
                reached[s] = reached[s] or rows.pays[row, j]
            else:
                rest[s] = not reached[s]
                reached[s] = leaves or rest[s]
        missing = spread_backwards(into, rows_in, owner, queue, reached)
        if step == 0 and missing == 0:
            fill(rest, n, False)
            return 1
    return int(missing == 0)


def could_stay(rows, start, end, order):
    """`can_stay`, for components of any kind."""
    inside = np.empty(end - start, np.bool_)
    found = can_stay(rows, start, end, order, inside, PASSES)
    return bool(drop_out(rows, start, end, inside) if found == UNSETTLED else found)


def rest_marked(rows, start, end, order, policy, j, rest, reached):
    """`mark_rest`, for components of any kind."""
    found = mark_rest(rows, start, end, order, policy, j, rest, reached, PASSES)
    return bool(mark_rest_backwards(rows, start, end, policy, j, rest, reached) if found == UNSETTLED else found)


# Policy iteration -----------------------------------------------------------------------------------------------------


@kernel
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


@kernel
def isolate(rows, start, end, value):
    """The component as a `Rows` of its own, with local numbers 0..n-1.

    What outcomes outside are worth is added to `reward`; number n stands for outside and has the value 0.
    """
    n, base = end - start, start - rows.low
    row0, row1 = rows.first_row[base], rows.first_row[base + n]
    out0, out1 = rows.first_outcome[row0], rows.first_outcome[row1]
    next_state = np.empty(out1 - out0, rows.next.dtype)
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
    first_row, first_outcome = rows.first_row[base : base + n + 1] - row0, rows.first_outcome[row0 : row1 + 1] - out0
    return 0, first_row, first_outcome, next_state, coef, reward, pays, rows.player[base : base + n].copy()


@kernel
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
    indices, data = np.empty(indptr[n], rows.next.dtype), np.empty(indptr[n])
    for s in range(n):
        row, at = rows.first_row[s] + policy[s], indptr[s]
        if not rest[s]:
            for o in range(rows.first_outcome[row], rows.first_outcome[row + 1]):
                if rows.next[o] < n:
                    indices[at], data[at] = rows.next[o], rows.coef[o]
                    at += 1
    return indptr, indices, data
