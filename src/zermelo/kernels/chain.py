"""Array code for play under fixed policies: chosen rows, the part that is reached, its components. Arrays in, arrays
out.

A *node* is a state seen by one side: 2 * state + side, where side 1 means that PASS has been played an odd number of
times, so that what the rules pay counts negated for whoever sat in seat 0 at the start. The seat that decides at a
node is player ^ side.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel

ASK, OPEN, BEST = -2, -3, -4  # in `choice`: not known yet; every action is to be kept; all that are marked as best
ENDS, CYCLES, CYCLES_PAYING = 0, 1, 2  # what happens to play that reaches a node: see `endless`


@kernel
def copy_rows(
    policy: np.ndarray, action_start: np.ndarray, outcome_start: np.ndarray, ways: np.ndarray, next_state: np.ndarray,
    sign: np.ndarray, payoff: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """The rows that `policy` int[states] chooses: number of outcomes int64[non-final states], and their ways, next,
    sign, payoff.

    The first array is empty, and the others too, if the policy names an action that a state does not have.
    """
    rows, total = 0, 0
    for i in range(len(policy)):
        if action_start[i + 1] == action_start[i]:
            continue
        row = action_start[i] + policy[i]
        if policy[i] < 0 or row >= action_start[i + 1]:
            return np.empty(0, np.int64), ways[:0].copy(), next_state[:0].copy(), sign[:0].copy(), payoff[:0].copy()
        rows += 1
        total += outcome_start[row + 1] - outcome_start[row]
    counts = np.empty(rows, np.int64)
    ways_out = np.empty(total, ways.dtype)
    next_out = np.empty(total, next_state.dtype)
    sign_out = np.empty(total, sign.dtype)
    payoff_out = np.empty((total, payoff.shape[1]), payoff.dtype)
    rows, at = 0, 0
    for i in range(len(policy)):
        if action_start[i + 1] == action_start[i]:
            continue
        row = action_start[i] + policy[i]
        first, last = outcome_start[row], outcome_start[row + 1]
        counts[rows] = last - first
        rows += 1
        for k in range(first, last):
            ways_out[at] = ways[k]
            next_out[at] = next_state[k]
            sign_out[at] = sign[k]
            for j in range(payoff.shape[1]):
                payoff_out[at, j] = payoff[k, j]
            at += 1
    return counts, ways_out, next_out, sign_out, payoff_out


@kernel
def rows_of(node: int, action_start: np.ndarray, player: np.ndarray, choice: np.ndarray) -> tuple[int, int]:
    """The rows that may be played at a node: first and last+1; (ASK, ASK) where that is not known."""
    state, side = node >> 1, node & 1
    first, last = action_start[state], action_start[state + 1]
    if last - first <= 1:
        return first, last
    chosen = choice[player[state] ^ side, state]
    if chosen == ASK:
        return ASK, ASK
    if chosen <= OPEN:
        return first, last
    return first + chosen, first + chosen + 1


@inner
def keeps_best(node: int, player: np.ndarray, choice: np.ndarray) -> bool:
    """Whether of the rows that `rows_of` names only those marked as best are kept at a node."""
    return choice[player[node >> 1] ^ (node & 1), node >> 1] == BEST


@kernel
def walk(
    action_start: np.ndarray, outcome_start: np.ndarray, next_state: np.ndarray, sign: np.ndarray, player: np.ndarray,
    choice: np.ndarray, best: np.ndarray, found: np.ndarray, nodes: np.ndarray, count: int, todo: np.ndarray, asked: np.ndarray,
) -> tuple[int, int]:  # fmt: skip
    """Find the nodes that can be reached from those in `todo`, as far as choices are known.

    `choice` : int32[2, n], by the deciding seat and state; `best` : bool[rows], looked at where that is BEST;
    `found` : whole numbers [2n], number of a node in order of discovery, or -1; `nodes` : int64[2n], the nodes in that order,
    `count` of them so far; `asked` : int64[2n], filled with the nodes whose choice is unknown. Returns (count, how
    many were asked).
    """
    stack = np.empty(max(len(todo), 16), np.int64)
    for i in range(len(todo)):
        stack[i] = todo[i]
    height, questions = len(todo), 0
    while height > 0:
        height -= 1
        node = stack[height]
        first, last = rows_of(node, action_start, player, choice)
        if first == ASK:
            asked[questions] = node
            questions += 1
            continue
        if first == last:
            continue
        only_best = keeps_best(node, player, choice)
        for r in range(first, last):
            if only_best and not best[r]:
                continue
            for k in range(outcome_start[r], outcome_start[r + 1]):
                side = (node & 1) ^ (sign[k] < 0)
                successor = 2 * np.int64(next_state[k]) + side
                if found[successor] >= 0:
                    continue
                found[successor] = count
                nodes[count] = successor
                count += 1
                if height == len(stack):
                    larger = np.empty(2 * height, np.int64)
                    for i in range(height):
                        larger[i] = stack[i]
                    stack = larger
                stack[height] = successor
                height += 1
    return count, questions


@kernel
def lift(
    action_start: np.ndarray, outcome_start: np.ndarray, ways: np.ndarray, next_state: np.ndarray, sign: np.ndarray,
    payoff: np.ndarray, final_payoff: np.ndarray, player: np.ndarray, choice: np.ndarray, best: np.ndarray, found: np.ndarray,
    nodes: np.ndarray,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:  # fmt: skip
    """The game on `nodes` int64[m] with payoffs to seat 0, and with the rows that `choice` (and `best`, as in `walk`) leaves.

    Returns action_start, outcome_start, ways, next (as found[node]), payoff, final_payoff, player: as in `Transitions`.
    """
    m, payoffs = len(nodes), payoff.shape[1]
    starts = np.zeros(m + 1, np.int64)
    total = 0
    for i in range(m):
        first, last = rows_of(nodes[i], action_start, player, choice)
        starts[i + 1] = starts[i]
        only_best = keeps_best(nodes[i], player, choice)
        for r in range(first, last):
            if not only_best or best[r]:
                starts[i + 1] += 1
                total += outcome_start[r + 1] - outcome_start[r]
    outcome_out = np.zeros(starts[m] + 1, np.int64)
    ways_out = np.empty(total, np.float64)
    next_out = np.empty(total, found.dtype)
    payoff_out = np.empty((total, payoffs), np.float64)
    final_out = np.zeros((m, payoffs), np.float64)
    player_out = np.empty(m, np.int8)
    row, at = 0, 0
    for i in range(m):
        state, side = nodes[i] >> 1, nodes[i] & 1
        view = 1.0 - 2.0 * side
        player_out[i] = player[state] ^ side
        first, last = rows_of(nodes[i], action_start, player, choice)
        if first == last:
            for j in range(payoffs):
                final_out[i, j] = view * final_payoff[state, j] + 0.0
        only_best = keeps_best(nodes[i], player, choice)
        for r in range(first, last):
            if only_best and not best[r]:
                continue
            for k in range(outcome_start[r], outcome_start[r + 1]):
                ways_out[at] = ways[k]
                next_out[at] = found[2 * np.int64(next_state[k]) + (side ^ (sign[k] < 0))]
                for j in range(payoffs):
                    payoff_out[at, j] = view * payoff[k, j] + 0.0  # no -0.0
                at += 1
            row += 1
            outcome_out[row] = at
    return starts, outcome_out, ways_out, next_out, payoff_out, final_out, player_out


@kernel
def components(edge_start: np.ndarray, target: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Strongly connected components (Tarjan 1972): the nodes in order, those with successors first; boundaries
    int64[components+1].

    The edges of node i lead to target[edge_start[i] : edge_start[i+1]].
    """
    n = len(edge_start) - 1
    index = np.full(n, -1, target.dtype)  # order of discovery
    lowest = np.empty(n, target.dtype)
    done = np.zeros(n, np.bool_)
    edge = np.empty(n, np.int64)
    path, waiting, order = np.empty(n, target.dtype), np.empty(n, target.dtype), np.empty(n, target.dtype)
    starts = np.empty(n + 1, np.int64)
    clock, open_nodes, numbered, found = 0, 0, 0, 0
    for root in range(n):
        if index[root] >= 0:
            continue
        depth = 1
        path[0] = root
        edge[root] = edge_start[root]
        index[root] = lowest[root] = clock
        clock += 1
        waiting[open_nodes] = root
        open_nodes += 1
        while depth > 0:
            i = path[depth - 1]
            if edge[i] < edge_start[i + 1]:
                j = target[edge[i]]
                edge[i] += 1
                if index[j] < 0:
                    path[depth] = j
                    depth += 1
                    edge[j] = edge_start[j]
                    index[j] = lowest[j] = clock
                    clock += 1
                    waiting[open_nodes] = j
                    open_nodes += 1
                elif not done[j]:
                    lowest[i] = min(lowest[i], index[j])
                continue
            depth -= 1
            if depth > 0:
                lowest[path[depth - 1]] = min(lowest[path[depth - 1]], lowest[i])
            if lowest[i] == index[i]:
                starts[found] = numbered
                found += 1
                member = -1
                while member != i:
                    open_nodes -= 1
                    member = waiting[open_nodes]
                    done[member] = True
                    order[numbered] = member
                    numbered += 1
    starts[found] = n
    return order, starts[: found + 1].copy()


@kernel
def endless(
    order: np.ndarray, starts: np.ndarray, edge_start: np.ndarray, target: np.ndarray, payoff: np.ndarray
) -> np.ndarray:
    """int8[n], for a chain: CYCLES for nodes of a component that play can't leave, CYCLES_PAYING if it pays; ENDS
    for others.

    `order`, `starts` : from `components`; `payoff` : float64[edges, payoffs].
    """
    n = len(edge_start) - 1
    kind = np.zeros(n, np.int8)
    component = np.empty(n, target.dtype)
    for c in range(len(starts) - 1):
        for at in range(starts[c], starts[c + 1]):
            component[order[at]] = c
    for c in range(len(starts) - 1):
        closed, pays = True, False
        for at in range(starts[c], starts[c + 1]):
            i = order[at]
            closed &= edge_start[i] < edge_start[i + 1]
            for k in range(edge_start[i], edge_start[i + 1]):
                closed &= component[target[k]] == c
                for j in range(payoff.shape[1]):
                    pays |= payoff[k, j] != 0.0
        if closed:
            for at in range(starts[c], starts[c + 1]):
                kind[order[at]] = CYCLES_PAYING if pays else CYCLES
    return kind


@kernel
def has_cycle(starts: np.ndarray, edge_start: np.ndarray, target: np.ndarray) -> bool:
    """Whether play can return to a node; nodes are numbered in component order, `starts` are the boundaries."""
    n = len(edge_start) - 1
    if len(starts) - 1 < n:
        return True
    for i in range(n):
        for k in range(edge_start[i], edge_start[i + 1]):
            if target[k] == i:
                return True
    return False


@inner
def row_value(
    row: int, outcome_start: np.ndarray, ways: np.ndarray, next_state: np.ndarray, sign: np.ndarray, payoff: np.ndarray,
    value: np.ndarray, discount: float,
) -> float:  # fmt: skip
    """What a row is worth if `value` float64[n] is what states are worth."""
    total, gain = 0.0, 0.0
    for k in range(outcome_start[row], outcome_start[row + 1]):
        total += ways[k]
        gain += ways[k] * (payoff[k, 0] + sign[k] * discount * value[next_state[k]])
    return gain / total


@kernel
def costs(
    states: np.ndarray, chosen: np.ndarray, best: np.ndarray, action_start: np.ndarray, outcome_start: np.ndarray,
    ways: np.ndarray, next_state: np.ndarray, sign: np.ndarray, payoff: np.ndarray, player: np.ndarray, value:
    np.ndarray, discount: float,
) -> np.ndarray:  # fmt: skip
    """float64[len(states)]: how much worse the chosen action is than the best, for the player to move."""
    result = np.empty(len(states), np.float64)
    for i in range(len(states)):
        first = action_start[states[i]]
        good = row_value(first + best[i], outcome_start, ways, next_state, sign, payoff, value, discount)
        got = row_value(first + chosen[i], outcome_start, ways, next_state, sign, payoff, value, discount)
        result[i] = got - good if player[states[i]] else good - got
    return result
