"""One block of a game that is solved stage by stage: Newton's method on the few values that the others follow from, and a bound.

The nodes of a block are the states of a stage that can be reached from where it is entered, and what lies beyond: states in
which later stages are entered, and ends of play. Node i has the rows (actions) first_row[i]..first_row[i + 1] - 1, none if it lies
beyond; row r has the outcomes first_outcome[r]..; outcome o leads to node to[o] in |ways[o]| ways, which are negative where the next
value counts negated. With W = total[r] = sum of |ways| and reward[r] = sum of |ways| * payoff,

    v(s) = max (player 0) or min (player 1) over the rows r of s of  (reward[r] + sum of ways * v(to)) / W.

**Values.** In depth-first post-order only the targets of back edges, the *cutset*, are needed before they are known. Given
their values x, one sweep finds all others, and their derivatives by x; x is improved by Newton's method, which is policy iteration
(Howard 1960) on the reduced problem (Pollatschek and Avi-Itzhak 1969 with two players). kernels/newton.py does the same for components.

**Bound.** An e that satisfies the inequality of kernels/verify_block.py, found for the rows that ask for most and checked there.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import eliminate
from zermelo.kernels.verify_block import TINY, U, excesses, holds

MOST_CUT = 16  # of the entries of a stage of a game itself; with policies, there are twice as many
ROUNDS = 60
PATIENCE = 15  # rounds; later a row is changed only if the gain exceeds rounding
CLOSE = 1e-13  # relatively


class Block(NamedTuple):
    """Arrays for the nodes, rows and outcomes of a block; larger than needed, and used again for the next one."""

    keys: np.ndarray  # int64[nodes]
    table: np.ndarray  # int32, key -> node (kernels/tables.py)
    first_row: np.ndarray  # int32[nodes + 1]
    player: np.ndarray  # int8[nodes]
    value: np.ndarray  # float64[nodes, payoffs]
    error: np.ndarray  # float64[nodes, payoffs]
    policy: np.ndarray  # int32[nodes], the best row counted from the node's first; -1 beyond
    first_outcome: np.ndarray  # int32[rows + 1]
    total: np.ndarray  # float64[rows]
    reward: np.ndarray  # float64[rows, payoffs]
    rough: np.ndarray  # float64[rows, payoffs], what rounding may have done to `reward`
    loose: np.ndarray  # float64[rows], the same for `total`, relatively
    excess: np.ndarray  # float64[rows], h
    to: np.ndarray  # int32[outcomes]
    ways: np.ndarray  # float64[outcomes]
    order: np.ndarray  # int32[nodes]
    slot: np.ndarray  # int32[nodes], place in the cutset or -1
    edge: np.ndarray  # int32[nodes]
    stack: np.ndarray  # int32[nodes]
    slope: np.ndarray  # float64[nodes, largest cutset]
    chosen: np.ndarray  # int32[nodes]
    paid: np.ndarray  # float64[outcomes, payoffs], what each outcome pays; float64[0, payoffs] where it is not asked for


def room(nodes: int, rows: int, outcomes: int, payoffs: int, keeps_payoffs: bool = False, lifted: bool = False) -> Block:
    """Arrays for a block of at most so many nodes, rows and outcomes; what every outcome pays is kept if that is asked for.

    lifted : whether its keys are, with policies: its cutset may be twice as large then."""
    size = 1
    while size < 2 * nodes:
        size *= 2

    def of_nodes() -> np.ndarray:
        return np.empty(nodes + 1, np.int32)

    return Block(
        np.empty(nodes, np.int64), np.full(size, -1, np.int32), of_nodes(), np.empty(nodes, np.int8), np.empty((nodes, payoffs)),
        np.empty((nodes, payoffs)), of_nodes(), np.empty(rows + 1, np.int32), np.empty(rows), np.empty((rows, payoffs)),
        np.empty((rows, payoffs)), np.empty(rows), np.empty(rows), np.empty(outcomes, np.int32), np.empty(outcomes), of_nodes(), of_nodes(),
        of_nodes(), of_nodes(), np.empty((nodes, MOST_CUT * (1 + lifted))), of_nodes(),
        np.empty((outcomes if keeps_payoffs else 0, payoffs)),
    )  # fmt: skip


@inner
def in_order(nodes, first_row, first_outcome, to, order, slot, edge, stack):
    """Depth-first post-order of the nodes with rows from node 0 on, to `order`; the cutset to `slot`. (nodes in order, cutset)"""
    for s in range(nodes):
        slot[s] = -1
        edge[s] = -1 if first_row[s + 1] > first_row[s] else -2
    placed, cut = 0, 0
    for top in range(nodes):
        if edge[top] != -1:
            continue
        depth = 0
        stack[0] = top
        edge[top] = first_outcome[first_row[top]]
        while depth >= 0:
            s = stack[depth]
            o, last = edge[s], first_outcome[first_row[s + 1]]
            while o < last:
                t = to[o]
                o += 1
                if edge[t] == -2:
                    continue
                if edge[t] == -1:
                    edge[s] = o
                    depth += 1
                    stack[depth] = t
                    edge[t] = first_outcome[first_row[t]]
                    break
                if slot[t] < 0:
                    slot[t] = cut
                    cut += 1
            else:
                edge[s] = -2
                order[placed] = s
                placed += 1
                depth -= 1
    return placed, cut


@inner
def sweep(
    n,
    cut,
    first_row,
    first_outcome,
    to,
    ways,
    total,
    reward,
    player,
    order,
    slot,
    j,
    choose,
    careful,
    value,
    slope,
    policy,
    fresh,
    matrix,
):
    """Values and slopes of all nodes outside the cutset; for the cutset itself to `fresh` and `matrix`. Whether the policy changed.

    careful : it changes only if the gain exceeds rounding; otherwise rows that are equally good could be exchanged without end."""
    changed = False
    for i in range(n):
        s = order[i]
        best, worth = first_row[s] + policy[s], 0.0
        if choose:
            first = first_row[s]
            sign = 1.0 - 2.0 * player[s]
            for row in range(first, first_row[s + 1]):
                here = reward[row, j]
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    here += ways[o] * value[to[o], j]
                here *= sign / total[row]
                if row == first or here > worth:
                    best, worth = row, here
            if careful and best != first + policy[s]:
                row = first + policy[s]
                here = reward[row, j]
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    here += ways[o] * value[to[o], j]
                here *= sign / total[row]
                if worth - here <= CLOSE * (abs(worth) + abs(here)):
                    best, worth = row, here
            worth *= sign
            if policy[s] != best - first:
                policy[s] = best - first
                changed = True
        else:
            worth = reward[best, j]
            for o in range(first_outcome[best], first_outcome[best + 1]):
                worth += ways[o] * value[to[o], j]
            worth /= total[best]
        k = slot[s]
        if cut == 1:
            lean = 0.0
            for o in range(first_outcome[best], first_outcome[best + 1]):
                lean += ways[o] * slope[to[o], 0]
            lean /= total[best]
            if k < 0:
                slope[s, 0] = lean
            else:
                matrix[k, 0] = lean
        else:
            for c in range(cut):
                lean = 0.0
                for o in range(first_outcome[best], first_outcome[best + 1]):
                    lean += ways[o] * slope[to[o], c]
                lean /= total[best]
                if k < 0:
                    slope[s, c] = lean
                else:
                    matrix[k, c] = lean
        if k < 0:
            value[s, j] = worth
        else:
            fresh[k] = worth
    return changed


@inner
def clear_slopes(nodes, cut, slot, slope):
    for s in range(nodes):
        for c in range(cut):
            slope[s, c] = 1.0 if slot[s] == c else 0.0


@inner
def settle(nodes, n, cut, block, j, choose, fresh, matrix, members):
    """Solve payoff j; `value` of the cutset holds a guess. False if the method fails."""
    (
        _,
        _,
        first_row,
        player,
        value,
        _,
        policy,
        first_outcome,
        total,
        reward,
        _,
        _,
        _,
        to,
        ways,
        order,
        slot,
        _,
        _,
        slope,
        _,
        _,
    ) = block
    clear_slopes(nodes, cut, slot, slope)
    for turn in range(ROUNDS):
        changed = sweep(n, cut, first_row, first_outcome, to, ways, total, reward, player, order, slot, j, choose, turn >= PATIENCE,
                        value, slope, policy, fresh, matrix)  # fmt: skip
        if cut == 0:
            return True
        for k in range(cut):
            fresh[k] -= value[members[k], j]
            for c in range(cut):
                matrix[k, c] = (1.0 if k == c else 0.0) - matrix[k, c]
        if not eliminate(matrix, fresh):
            return False
        for k in range(cut):
            if not abs(fresh[k]) < np.inf:
                return False
        if turn > 0 and not changed:  # the rows are best at these values: the rest of the equation is linear
            for s in range(nodes):
                for k in range(cut):
                    value[s, j] += slope[s, k] * fresh[k]
            return True
        for k in range(cut):
            value[members[k], j] += fresh[k]
    return False


@inner
def demanding_row(s, first_row, first_outcome, to, ways, total, excess, j, clear, chosen, error):
    """The row of node s that asks for the largest error at the errors of what follows, of those whose h is not below `clear`."""
    best, most = first_row[s] + chosen[s], -np.inf
    for row in range(first_row[s], first_row[s + 1]):
        if excess[row] < clear:
            continue
        asked = 0.0
        for o in range(first_outcome[row], first_outcome[row + 1]):
            asked += abs(ways[o]) * error[to[o], j]
        asked = asked / total[row] + excess[row]
        if asked > most:
            best, most = row, asked
    return best


@inner
def stay(n, nodes, cut, first_row, first_outcome, to, ways, total, excess, order, slot, j, drop, choose, chosen, error, slope, fresh,
         matrix, members):  # fmt: skip
    """error[s] = drop + h + sum of |ways| * error(to) / W for the rows `chosen`; False if there is no such error.

    choose : first choose the rows that ask for the most, given the errors of the cutset, as values are found: node after node,
    since rows that were all chosen at the errors before follow each other along a long stage, one node a round."""
    most = 0.0
    if choose:
        for s in range(nodes):
            most = max(most, error[s, j])
    else:
        for k in range(cut):
            error[members[k], j] = 0.0
    for s in range(nodes):
        for c in range(cut):
            slope[s, c] = 1.0 if slot[s] == c else 0.0
    for i in range(n):
        s = order[i]
        if choose:
            row = demanding_row(s, first_row, first_outcome, to, ways, total, excess, j, -1.01 * most, chosen, error)
            chosen[s] = row - first_row[s]
        row = first_row[s] + chosen[s]
        worth = 0.0
        for o in range(first_outcome[row], first_outcome[row + 1]):
            worth += abs(ways[o]) * error[to[o], j]
        worth = worth / total[row] + drop + excess[row]
        k = slot[s]
        for c in range(cut):
            lean = 0.0
            for o in range(first_outcome[row], first_outcome[row + 1]):
                lean += abs(ways[o]) * slope[to[o], c]
            lean /= total[row]
            if k < 0:
                slope[s, c] = lean
            else:
                matrix[k, c] = (1.0 if k == c else 0.0) - lean
        if k < 0:
            error[s, j] = worth
        else:
            fresh[k] = worth - error[s, j]
    if cut and not eliminate(matrix, fresh):
        return False
    for s in range(nodes):
        for k in range(cut):
            error[s, j] += slope[s, k] * fresh[k]
    return True


@inner
def bound(nodes, n, cut, block, j, fresh, matrix, members):
    """Fill `error` of payoff j for the nodes with rows. False if no bound is found."""
    (_, _, first_row, player, value, error, policy, first_outcome, total, reward, rough, loose, excess, to, ways, order, slot, _, _, slope,
     chosen, _) = block  # fmt: skip
    largest = excesses(
        n, first_row, first_outcome, to, ways, total, reward, rough, loose, player, order, policy, j, value, excess
    )
    if not largest < np.inf:
        return False
    for s in range(nodes):
        chosen[s] = policy[s]
    drop = max(1e-6 * largest, 1e-150)
    for turn in range(12):
        if not stay(n, nodes, cut, first_row, first_outcome, to, ways, total, excess, order, slot, j, drop, turn > 0, chosen, error, slope,
                    fresh, matrix, members):  # fmt: skip
            return False
        fine = holds(nodes, n, first_row, first_outcome, to, ways, total, excess, order, j, error, chosen)
        if fine == 1:
            return True
        if fine < 0:
            return False
        drop *= 4.0
        for i in range(n):
            drop = max(drop, 1e-13 * error[order[i], j])
    return False


@kernel
def solve_block(nodes, block, guesses):
    """Values, policy and errors of a block, those beyond being known; guesses : float64[k, payoffs] for the nodes 0..k-1.

    Returns False if this method fails.
    """
    first_row, policy, value, slot = block.first_row, block.policy, block.value, block.slot
    n, cut = in_order(nodes, first_row, block.first_outcome, block.to, block.order, slot, block.edge, block.stack)
    if cut > block.slope.shape[1]:
        return False
    fresh, matrix, members = np.empty(cut), np.empty((cut, cut)), np.empty(cut, np.int64)
    for i in range(n):
        s = block.order[i]
        policy[s] = 0
        if slot[s] >= 0:
            members[slot[s]] = s
    for j in range(value.shape[1]):
        for k in range(cut):
            s = members[k]
            value[s, j] = guesses[s, j] if s < guesses.shape[0] else 0.0
        if not settle(nodes, n, cut, block, j, j == 0, fresh, matrix, members):
            return False
        if not bound(nodes, n, cut, block, j, fresh, matrix, members):
            return False
    return True


@kernel
def best_rows(nodes, block, may):
    """may[row]: whether no other row of its node is certain to be better by payoff 0. The block is solved."""
    (_, _, first_row, player, value, error, _, first_outcome, total, reward, rough, loose, _, to, ways, _, _, _, _, _, _, _) = block
    for s in range(nodes):
        sure, sign = -np.inf, 1.0 - 2.0 * player[s]
        for turn in range(2):
            for row in range(first_row[s], first_row[s + 1]):
                worth, size, off, count = reward[row, 0], abs(reward[row, 0]), 0.0, first_outcome[row + 1] - first_outcome[row] + 4
                for o in range(first_outcome[row], first_outcome[row + 1]):
                    term = ways[o] * value[to[o], 0]
                    worth += term
                    size += abs(term)
                    off += abs(ways[o]) * error[to[o], 0]
                slack = (off + (2.0 * count * U + loose[row]) * size + rough[row, 0]) / total[row] * (1.0 + 1e-6) + TINY
                worth *= sign / total[row]
                if turn == 0:
                    sure = max(sure, worth - slack)
                else:
                    may[row] = worth + slack >= sure
