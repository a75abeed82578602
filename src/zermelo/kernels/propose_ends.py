"""Bounds proposed for a component in which nothing is paid and play may cycle without end; kernels/verify_ends.py checks them.

1. End components (kernels/graph.py): sets of nodes in which their owner can stay without end by rows without a clear loss. The largest
   value in them, which must not be negative, is a bound as good as any; such rows are free, and an end component acts as a single node.
2. The largest values: nodes worth nearly as much as anything outside need no proof that play leaves, as no play is worth more. (It would be
   a long one, where floats can't tell such a value from the largest one, and no row is worse than another.)
3. Ranks: a node whose rows without a clear loss all lead to values that are not larger, and nearer to where play leaves, needs no drop.
   Values that rounding alone makes larger are taken as equal: the smaller one is raised.
4. The rise: what other rows can lose before play leaves, by value iteration from 0 in the order of strongly connected components. Half of
   the drop c is left for what the iteration has not found yet. If that has no end, it is done again without ranks: a node that is ranked
   rises with the highest node around it, so that between others it can keep them from falling towards where play leaves.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.graph import end_components, leading_in, owners, strong_components
from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.verify import row_terms
from zermelo.kernels.verify_ends import DROPS, FREE, LEVEL, MOST, ceilings

NEARLY = 0.01  # of the clear loss: so much less than the largest value outside is as good as that
WORSE = 1e-5  # what leaving pays less than staying, relative to the values, where the values are not the game's
ROUNDING = 1e-14  # relative to the values: what rounding may make of equal values
RAISES = 50  # sweeps that raise values to those that they lead to
SWEEPS = 500  # of value iteration
LOOK = 50  # sweeps after which half as much must be added
DROP = 0.25  # c, relative to the largest excess
UNRANKED = 1 << 40


@inner
def propose_ends(first_row, first_outcome, ways, to, value, error, loss, tried, base, rise, rank, kind):
    """Fill base, rise, rank and kind (kernels/verify_ends.py). False if no bound is found. loss, tried : of `claim_ends`."""
    n, rows = base.size, kind.size
    leader, claimed, excess = np.empty(n, to.dtype), value.copy(), np.empty(rows)
    found, least, noise = claim_ends(
        first_row, first_outcome, ways, to, value, error, loss, tried, base, rise, rank, kind, leader, claimed, excess
    )
    if not found:
        return False
    owner = owners(first_row, to)
    for _ in range(2):
        if climb(first_row, first_outcome, ways, to, value, claimed, error, leader, owner, excess, least, noise, rise, kind):
            return True
        ranked = False
        for row in range(rows):
            if kind[row] == LEVEL:
                kind[row], ranked = DROPS, True
        if not ranked:
            break
        for s in range(n):
            rise[s] = rise[s] if kind[first_row[s]] == MOST else 0.0
    return False


@kernel
def claim_ends(first_row, first_outcome, ways, to, value, error, loss, tried, base, rise, rank, kind, leader, claimed, excess):
    """All of a claim but the rise, which is 0 or, of the largest values, what may be lost outside. Returns whether there is one, the least
    excess of a row that is no clear loss, and the errors outside.

    loss : of a row, relative to the values, that is clear. tried : int64[2], how many rows had no clear loss, and how many were worth as
    much as anything, when that failed with a smaller loss: if these are the same rows it fails again; filled for the next one.
    leader : whole numbers [n], the first of the nodes that act as one; claimed : float64[nodes, 1], `value`, which becomes what is claimed;
    excess : float64[rows], of the given values."""
    n, rows = base.size, kind.size
    owner = owners(first_row, to)
    scale, best = 0.0, 0.0
    plus, unpaid = np.ones(to.size, np.int8), np.zeros((to.size, 1))
    noise = 0.0
    for k in range(value.shape[0]):
        scale = max(scale, abs(value[k, 0]))
        noise = max(noise, error[k, 0])
    for s in range(n):
        most = -np.inf
        for row in range(first_row[s], first_row[s + 1]):
            excess[row], _ = row_terms(
                first_outcome[row], first_outcome[row + 1], ways, to, plus, unpaid, 1.0, value, value, s, 0, 1, 0.0
            )
            most = max(most, excess[row])
        best = max(best, abs(most))
    if not (scale < np.inf and best < np.inf and noise < np.inf):
        return False, 0.0, 0.0
    least = -max(loss * scale, 4.0 * max(noise, best))
    # 1. End components
    staying, label = np.empty(rows, np.bool_), np.empty(n, to.dtype)
    near, best_rows = 0, 0
    for row in range(rows):
        staying[row] = excess[row] > least
        near += staying[row]
    ends = end_components(first_row, first_outcome, to, ways, staying, label)
    top = np.full(ends, -np.inf)
    leads = np.full(ends, -1, to.dtype)
    for s in range(n):
        base[s], rise[s], leader[s] = value[s, 0], 0.0, s
        if label[s] >= 0:
            if leads[label[s]] < 0:
                leads[label[s]] = s
            leader[s] = leads[label[s]]
            top[label[s]] = max(top[label[s]], value[s, 0])
    for k in range(ends):
        if top[k] < 0.0:
            if top[k] < -WORSE * scale:
                return False, 0.0, 0.0
            top[k] = 0.0
    for s in range(n):
        if label[s] >= 0:
            base[s] = top[label[s]]
            claimed[s, 0] = base[s]
    # 2. The largest values
    most = ceilings(first_row, first_outcome, ways, to, value, error)
    for row in range(rows):
        kind[row] = FREE if staying[row] else DROPS
    for s in range(n):
        half = 0 if s < n // 2 else 1
        if base[s] >= most[half, 0] - NEARLY * loss * scale:
            base[s], rise[s] = max(base[s], most[half, 0]), most[half, 1]
            claimed[s, 0] = base[s]
            for row in range(first_row[s], first_row[s + 1]):
                kind[row] = MOST
                best_rows += 1
    if near == tried[0] and best_rows == tried[1]:
        return False, 0.0, 0.0
    tried[0], tried[1] = near, best_rows
    # 3. Ranks
    raise_values(first_row, first_outcome, ways, to, excess, least, ROUNDING * scale, leader, kind, base, claimed)
    rank_nodes(first_row, first_outcome, ways, to, claimed, base, owner, leader, excess, least, rank, kind)
    return True, least, noise


@inner
def raise_values(first_row, first_outcome, ways, to, excess, least, little, leader, kind, base, claimed):
    """Raise what is claimed of a node, or of all nodes of an end component, to the values that its rows without a clear loss lead to, where
    those are larger than it was by no more than `little`."""
    n, before = base.size, base.copy()
    for _ in range(RAISES):
        raised = False
        for s in range(n):
            group = leader[s]
            for row in range(first_row[s], first_row[s + 1]):
                if kind[row] != DROPS or excess[row] <= least:
                    continue
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    worth = claimed[to[o], 0]
                    if to[o] < n and kind[first_row[to[o]]] != MOST:
                        worth = base[leader[to[o]]]
                    if ways[o] != 0.0 and base[group] < worth <= before[group] + little:
                        base[group] = worth
                        raised = True
        if not raised:
            break
    for s in range(n):
        if kind[first_row[s]] != MOST:
            base[s] = base[leader[s]]
            claimed[s, 0] = base[s]


@inner
def rank_nodes(first_row, first_outcome, ways, to, claimed, base, owner, leader, excess, least, rank, kind):
    """Fill `rank` and mark rows as LEVEL, backwards from where play leaves; UNRANKED and DROPS where that fails."""
    n = base.size
    into, rows_in = leading_in(first_row, first_outcome, to, ways)
    following, last_member = np.full(n, -1, to.dtype), np.empty(n, to.dtype)  # the members of each leader, as a list
    missing, queue, hit = np.zeros(n, np.int64), np.empty(n, to.dtype), np.zeros(owner.size, np.bool_)
    for s in range(n):
        rank[s] = UNRANKED
        last_member[s] = s
        if leader[s] != s:
            following[last_member[leader[s]]] = s
            last_member[leader[s]] = s
    for row in range(
        owner.size
    ):  # how many rows of each node must come nearer; too many if one may lead to a larger value
        if kind[row] == DROPS and excess[row] > least:
            s = owner[row]
            missing[leader[s]] += 1
            for o in range(first_outcome[row], first_outcome[row + 1]):
                if ways[o] != 0.0 and not claimed[to[o], 0] <= base[s]:
                    missing[leader[s]] += owner.size
                    break
    last, at = 0, 0
    for s in range(n):  # where play may stay, and can't do else but with a clear loss
        if leader[s] == s and missing[s] == 0 and kind[first_row[s]] != MOST:
            queue[last] = s
            rank[s] = 0
            last += 1
    for row in range(owner.size):
        if kind[row] == DROPS and excess[row] > least:
            s = leader[owner[row]]
            for o in range(first_outcome[row], first_outcome[row + 1]):
                leaves = to[o] >= n or kind[first_row[to[o]]] == MOST
                if ways[o] != 0.0 and leaves and not hit[row]:
                    hit[row] = True
                    missing[s] -= 1
                    if missing[s] == 0:
                        queue[last] = s
                        rank[s] = 0
                        last += 1
    while at < last:
        group = queue[at]
        at += 1
        t = group
        while t >= 0:
            rank[t] = rank[group]
            for k in range(into[t], into[t + 1]):
                row = rows_in[k]
                s = leader[owner[row]]
                if kind[row] == DROPS and excess[row] > least and not hit[row]:
                    hit[row] = True
                    missing[s] -= 1
                    if missing[s] == 0:
                        queue[last] = s
                        rank[s] = rank[group] + 1
                        last += 1
            t = following[t]
    for row in range(owner.size):
        if kind[row] == DROPS and excess[row] > least and rank[owner[row]] < UNRANKED:
            kind[row] = LEVEL


@inner
def climb(first_row, first_outcome, ways, to, value, claimed, error, leader, owner, excess, least, noise, rise, kind):
    """Value iteration for the least rise, until a sweep adds no more than a quarter of the drop c anywhere; False if that takes too long.

    c is proportional to the largest excess on the same side, since the values of one may be far more accurate than those of the other."""
    half, plus, unpaid = rise.size // 2, np.ones(to.size, np.int8), np.zeros((to.size, 1))
    drop = np.full(2, max(1e-4 * noise, 1e-150))
    for row in range(kind.size):
        if kind[row] == DROPS:
            excess[row], _ = row_terms(
                first_outcome[row], first_outcome[row + 1], ways, to, plus, unpaid, 1.0, claimed, value, owner[row], 0, 1, 0.0
            )
            side = 0 if owner[row] < half else 1
            drop[side] = max(drop[side], DROP * excess[row])
    n = rise.size
    tight = np.empty(kind.size, np.bool_)
    for row in range(kind.size):
        tight[row] = kind[row] != DROPS or excess[row] > least
    label, order = np.empty(n, to.dtype), np.empty(n, to.dtype)
    strong_components(first_row, first_outcome, to, ways, tight, label, order)
    before = np.inf
    for sweep in range(SWEEPS):
        added = 0.0  # relative to c
        for i in range(n):
            s = order[i] if sweep % 2 == 0 else order[n - 1 - i]
            c = drop[0] if s < half else drop[1]
            for row in range(first_row[s], first_row[s + 1]):
                least_rise = needed(first_outcome, ways, to, error, leader, excess, c, rise, kind, row, leader[s])
                if least_rise > rise[leader[s]]:
                    added = max(added, (least_rise - rise[leader[s]]) / c)
                    rise[leader[s]] = least_rise
        if not added < np.inf:
            return False
        if sweep % LOOK == LOOK - 1:  # at this pace, it would not come to an end
            if added > 0.5 * before:
                return False
            before = added
        if added <= 0.25:
            return level_out(first_row, first_outcome, ways, to, error, leader, excess, rise, kind, order)
    return False


@inner
def level_out(first_row, first_outcome, ways, to, error, leader, excess, rise, kind, order):
    """Level rows must hold exactly; what this adds is no more than what the last sweep added elsewhere."""
    n = rise.size
    for sweep in range(SWEEPS):
        changed = False
        for i in range(n):
            s = order[i] if sweep % 2 == 0 else order[n - 1 - i]
            for row in range(first_row[s], first_row[s + 1]):
                if kind[row] == LEVEL:
                    least_rise = needed(first_outcome, ways, to, error, leader, excess, 0.0, rise, kind, row, leader[s])
                    if least_rise > rise[leader[s]]:
                        changed = True
                        rise[leader[s]] = least_rise
        if not changed:
            for s in range(n):
                rise[s] = rise[leader[s]]
            return True
    return False


@inner
def needed(first_outcome, ways, to, error, leader, excess, drop, rise, kind, row, group):
    """The least rise of a node that satisfies what is asked of one of its rows, given those of the next nodes."""
    if kind[row] == FREE or kind[row] == MOST:
        return 0.0
    weight, away, worth, most = 0.0, 0.0, 0.0, 0.0
    for o in range(first_outcome[row], first_outcome[row + 1]):
        if ways[o] == 0.0:
            continue
        weight += ways[o]
        later = 0.0
        if to[o] >= rise.size:
            later = error[to[o], 0]
        elif leader[to[o]] == group:
            continue
        else:
            later = rise[leader[to[o]]]
        away += ways[o]
        worth += ways[o] * later
        most = max(most, later)
    if kind[row] == LEVEL:
        return most
    gain = (excess[row] + drop) * weight + worth
    if gain <= 0.0:
        return 0.0
    return gain / away if away > 0.0 else np.inf
