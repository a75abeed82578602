"""Graphs of games: strongly connected components, end components, and where a player can force an outcome.

Node s of 0..n-1 has the rows first_row[s] : first_row[s + 1], row r the outcomes first_outcome[r] : first_outcome[r + 1]; outcome o leads
to node to[o], which lies outside if it is n or more, and can't happen if chance[o] is 0.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@kernel
def strong_components(first_row, first_outcome, to, chance, allowed, label, order):
    """Fill label : whole numbers [n] with the numbers of strongly connected components by `allowed` rows, successors first, and
    order : whole numbers [n] with the nodes in depth-first post-order; returns how many components there are (Tarjan 1972)."""
    n = first_row.size - 1
    index, low = np.full(n, -1, to.dtype), np.empty(n, to.dtype)
    at_row, at = np.empty(n, np.int64), np.empty(n, np.int64)
    path, waiting = np.empty(n, to.dtype), np.empty(n, to.dtype)
    met, count, open_nodes, placed = 0, 0, 0, 0
    for top in range(n):
        if index[top] >= 0:
            continue
        depth, path[0] = 0, top
        while depth >= 0:
            s = path[depth]
            if index[s] < 0:
                index[s], low[s] = met, met
                label[s] = -1
                waiting[open_nodes] = s
                met += 1
                open_nodes += 1
                at_row[s] = first_row[s]
                at[s] = first_outcome[first_row[s]]
            deeper = False
            while at_row[s] < first_row[s + 1] and not deeper:
                row = at_row[s]
                if not allowed[row] or at[s] == first_outcome[row + 1]:
                    at_row[s] += 1
                    at[s] = first_outcome[row + 1]
                    continue
                t = to[at[s]]
                if t >= n or chance[at[s]] == 0.0:
                    at[s] += 1
                elif index[t] < 0:
                    deeper = True
                    depth += 1
                    path[depth] = t
                else:
                    if label[t] < 0:
                        low[s] = min(low[s], low[t])
                    at[s] += 1
            if deeper:
                continue
            depth -= 1
            order[placed] = s
            placed += 1
            if low[s] == index[s]:
                member = -1
                while member != s:
                    open_nodes -= 1
                    member = waiting[open_nodes]
                    label[member] = count
                count += 1
    return count


@inner
def owners(first_row, to):
    """The node of every row."""
    owner = np.empty(first_row[first_row.size - 1], to.dtype)
    for s in range(first_row.size - 1):
        for row in range(first_row[s], first_row[s + 1]):
            owner[row] = s
    return owner


@inner
def leading_in(first_row, first_outcome, to, chance):
    """(start, row): the rows that may lead to node t are row[start[t] : start[t + 1]], some of them more than once."""
    n = first_row.size - 1
    start = np.zeros(n + 2, np.int64)
    for o in range(first_outcome[first_row[n]]):
        if to[o] < n and chance[o] != 0.0:
            start[to[o] + 2] += 1
    for t in range(n):
        start[t + 2] += start[t + 1]
    rows = np.empty(start[n + 1], to.dtype)
    for row in range(first_row[n]):
        for o in range(first_outcome[row], first_outcome[row + 1]):
            if to[o] < n and chance[o] != 0.0:
                rows[start[to[o] + 1]] = row
                start[to[o] + 1] += 1
    return start[:-1], rows


@kernel
def end_components(first_row, first_outcome, to, chance, staying, label):
    """The maximal end components (de Alfaro 1997) by the rows `staying` : bool[rows], which are cut down to those that stay in one.

    label : whole numbers [n] that becomes the number of each node's end component, or -1; returns their number."""
    n = first_row.size - 1
    owner = owners(first_row, to)
    into, rows_in = leading_in(first_row, first_outcome, to, chance)
    left, away, queue = np.zeros(n, np.int64), np.zeros(n, np.int64), np.empty(n, to.dtype)  # rows that stay; those to other nodes
    inside, alone = np.ones(n, np.bool_), np.zeros(n, np.bool_)
    for row in range(staying.size):
        moves = False
        for o in range(first_outcome[row], first_outcome[row + 1]):
            if chance[o] != 0.0:
                staying[row] = staying[row] and to[o] < n
                moves = moves or to[o] != owner[row]
        left[owner[row]] += staying[row]
        away[owner[row]] += staying[row] and moves
    changed = True
    while changed:
        # 1. Nodes from which no row stays are out, others from which none leads to other nodes are alone; rows that may lead there are out.
        waiting = 0
        for s in range(n):
            if away[s] == 0 and not alone[s]:
                inside[s], alone[s] = left[s] > 0, True
                queue[waiting] = s
                waiting += 1
        while waiting > 0:
            waiting -= 1
            t = queue[waiting]
            for k in range(into[t], into[t + 1]):
                row = rows_in[k]
                s = owner[row]
                if staying[row] and s != t:
                    staying[row] = False
                    left[s] -= 1
                    away[s] -= 1
                    if away[s] == 0 and not alone[s]:
                        inside[s], alone[s] = left[s] > 0, True
                        queue[waiting] = s
                        waiting += 1
        # 2. Rows that may lead to another component are out.
        count = strong_components(first_row, first_outcome, to, chance, staying, label, queue)
        changed = False
        for row in range(staying.size):
            if not staying[row]:
                continue
            for o in range(first_outcome[row], first_outcome[row + 1]):
                if chance[o] != 0.0 and label[to[o]] != label[owner[row]]:
                    staying[row] = False
                    left[owner[row]] -= 1
                    away[owner[row]] -= 1
                    changed = True
                    break
    names, found = np.full(count, -1, to.dtype), 0
    for s in range(n):
        if not inside[s]:
            label[s] = -1
            continue
        if names[label[s]] < 0:
            names[label[s]] = found
            found += 1
        label[s] = names[label[s]]
    return found


@kernel
def moves_to_leave(first_row, first_outcome, to, chance, moves):
    """Fill moves : whole numbers [n] with the least number of moves in which play may leave, if all want that; n + 1 if never."""
    n = first_row.size - 1
    owner = owners(first_row, to)
    into, rows_in = leading_in(first_row, first_outcome, to, chance)
    queue, at, last = np.empty(n, to.dtype), 0, 0
    for s in range(n):
        moves[s] = n + 1
    for row in range(owner.size):
        for o in range(first_outcome[row], first_outcome[row + 1]):
            if to[o] >= n and chance[o] != 0.0 and moves[owner[row]] > n:
                moves[owner[row]] = 1
                queue[last] = owner[row]
                last += 1
    while at < last:
        t = queue[at]
        at += 1
        for k in range(into[t], into[t + 1]):
            s = owner[rows_in[k]]
            if moves[s] > n:
                moves[s] = moves[t] + 1
                queue[last] = s
                last += 1


# What a player can force ----------------------------------------------------------------------------------------------


@inner
def drop_out(owner, into, rows_in, mine, kept, good, left, queue, at, last):
    """Take out of `kept` the nodes queue[at:last], which are out already, and all from which the player can't keep play inside; these are
    put into the queue, too, whose length is returned. `good` rows lead inside only.

    left : int64[n], the good rows of each node."""
    while at < last:
        t = queue[at]
        at += 1
        for k in range(into[t], into[t + 1]):
            row = rows_in[k]
            if not good[row]:
                continue
            good[row] = False
            s = owner[row]
            left[s] -= 1
            if kept[s] and (left[s] == 0 or not mine[s]):
                kept[s] = False
                queue[last] = s
                last += 1
    return last


@inner
def keep(first_row, first_outcome, to, chance, mine, fine, owner, into, rows_in, kept, good, left, queue):
    """Fill `kept` with the nodes from which the player whose nodes are `mine` can keep play inside without end, or let it leave by outcomes
    that are `fine` only; `good` with the rows that do so."""
    n = first_row.size - 1
    waiting = 0
    for s in range(n):
        kept[s], left[s] = True, 0
        for row in range(first_row[s], first_row[s + 1]):
            good[row] = True
            for o in range(first_outcome[row], first_outcome[row + 1]):
                if chance[o] != 0.0 and to[o] >= n and not fine[o]:
                    good[row] = False
            left[s] += good[row]
        if left[s] == 0 or (not mine[s] and left[s] < first_row[s + 1] - first_row[s]):
            kept[s] = False
            queue[waiting] = s
            waiting += 1
    drop_out(owner, into, rows_in, mine, kept, good, left, queue, 0, waiting)


@kernel
def safely(first_row, first_outcome, to, chance, mine, fine, kept, choice):
    """Fill `kept` : bool[n] as `keep` does, and choice : int32[n] with a row that does it, counted from the node's first one."""
    n = first_row.size - 1
    owner = owners(first_row, to)
    into, rows_in = leading_in(first_row, first_outcome, to, chance)
    good, left, queue = np.empty(owner.size, np.bool_), np.empty(n, np.int64), np.empty(n, to.dtype)
    keep(first_row, first_outcome, to, chance, mine, fine, owner, into, rows_in, kept, good, left, queue)
    for row in range(owner.size - 1, -1, -1):
        if good[row] and kept[owner[row]]:
            choice[owner[row]] = row - first_row[owner[row]]


@inner
def come_nearer(row, first_row, owner, mine, won, missing, choice, queue, last):
    """Count a row that leads to a node that is won, or out. Its node is won if the player chooses there, or if no other row is missing:
    then it stands in the queue, whose length is returned."""
    s = owner[row]
    missing[s] -= 1
    if not won[s] and (mine[s] or missing[s] == 0):
        won[s] = True
        choice[s] = row - first_row[s]
        queue[last] = s
        last += 1
    return last


@inner
def win_backwards(first_row, owner, into, rows_in, mine, kept, good, hit, by, won, missing, choice, queue, last):
    """Win the nodes that lead to the nodes queue[:last], which are won, and so on. by[row] becomes the node by which a row is `hit`."""
    at = 0
    while at < last:
        t = queue[at]
        at += 1
        for k in range(into[t], into[t + 1]):
            row = rows_in[k]
            if not hit[row] and good[row] and kept[owner[row]]:
                hit[row], by[row] = True, t
                last = come_nearer(row, first_row, owner, mine, won, missing, choice, queue, last)


@inner
def lose_backwards(t, first_row, owner, into, rows_in, mine, kept, good, hit, by, won, missing, choice, shaken, last):
    """Rows that were hit by node t, or are not good any more, are not hit. Nodes that were won by them are no longer won: they stand in
    `shaken`, whose length is returned."""
    for k in range(into[t], into[t + 1]):
        row = rows_in[k]
        s = owner[row]
        if hit[row] and (by[row] == t or not good[row]):
            hit[row] = False
            missing[s] += 1
            if kept[s] and won[s] and (not mine[s] or choice[s] == row - first_row[s]):
                won[s] = False
                shaken[last] = s
                last += 1
    return last


@kernel
def surely(first_row, first_outcome, to, chance, mine, fine, won, choice):
    """Fill `won` : bool[n] with the nodes from which the player whose nodes are `mine` makes play leave with probability 1, by outcomes
    that are `fine` : bool[outcomes] only; choice : int32[n] with rows that do it (de Alfaro, Henzinger and Kupferman 2007).

    Nodes that can't come nearer are out, and others with them. Of those that are left, only nodes that were won by way of what is out are
    looked at again, so that a chain of nodes that go out one after another takes time in proportion to its length."""
    n = first_row.size - 1
    owner = owners(first_row, to)
    into, rows_in = leading_in(first_row, first_outcome, to, chance)
    good, hit, by = np.empty(owner.size, np.bool_), np.zeros(owner.size, np.bool_), np.full(owner.size, n, to.dtype)
    left, missing, kept = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.bool_)
    queue, out, shaken = np.empty(n, to.dtype), np.empty(n, to.dtype), np.empty(n, to.dtype)
    keep(first_row, first_outcome, to, chance, mine, fine, owner, into, rows_in, kept, good, left, queue)
    # Backwards from outcomes that leave: nodes whose player can, or whose opponent must, come nearer with a positive probability.
    last = 0
    for s in range(n):
        won[s] = False
        missing[s] = first_row[s + 1] - first_row[s]
    for row in range(owner.size):
        if not good[row] or not kept[owner[row]]:
            continue
        for o in range(first_outcome[row], first_outcome[row + 1]):
            if to[o] >= n and chance[o] != 0.0:
                hit[row] = True
                break
        if hit[row]:
            last = come_nearer(row, first_row, owner, mine, won, missing, choice, queue, last)
    at, end, shaky = 0, 0, 0
    for s in range(n):
        shaken[s] = s
    count = n  # of the nodes that may be out next
    while True:
        win_backwards(first_row, owner, into, rows_in, mine, kept, good, hit, by, won, missing, choice, queue, last)
        for k in range(count):
            s = shaken[k]
            if kept[s] and not won[s]:
                kept[s] = False
                out[end] = s
                end += 1
        if at == end:
            return
        end = drop_out(owner, into, rows_in, mine, kept, good, left, out, at, end)
        count, shaky = 0, 0
        while at < end or shaky < count:
            if at < end:
                t = out[at]
                at += 1
                won[t] = False
            else:
                t = shaken[shaky]
                shaky += 1
            count = lose_backwards(
                t, first_row, owner, into, rows_in, mine, kept, good, hit, by, won, missing, choice, shaken, count
            )
        last = 0
        for k in range(count):
            s = shaken[k]
            for row in range(first_row[s], first_row[s + 1]):
                if not won[s] and mine[s] and hit[row]:
                    won[s], choice[s] = True, row - first_row[s]
                    queue[last] = s
                    last += 1
                if not good[row] or hit[row]:
                    continue
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    if to[o] < n and chance[o] != 0.0 and won[to[o]]:
                        hit[row], by[row] = True, to[o]
                        break
                if hit[row]:
                    last = come_nearer(row, first_row, owner, mine, won, missing, choice, queue, last)
