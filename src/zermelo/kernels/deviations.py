"""What mixed strategies leave to the other player: the rows by which their guarantees are checked.

If player 1 keeps to q, player 0 faces a game for one: the row of action i has the outcomes of all pairs (i, j), with ways
q_j * ways / (sum of the pair's ways). If player 0 keeps to p, player 1 does. State s becomes two nodes: 2 s, where player 0 deviates
and payoffs count as they are, and 2 s + 1, where player 1 deviates and payoffs count negated. PASS leads from one kind to the
other. So all nodes maximise, and a bound of what they can get bounds the value of s from above, and the negated value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.kernel import kernel

WHOLE = 2.0**53


class Mixed(NamedTuple):
    """A mixed strategy of each player in every state of a batch."""

    width: np.ndarray  # int32[states]
    p_start: np.ndarray  # int64[states+1]
    q_start: np.ndarray  # int64[states+1]
    p: np.ndarray  # float64[all actions of player 0]
    q: np.ndarray  # float64[all actions of player 1]


@kernel
def pair_ways(outcome_start, ways):
    """(sum of the ways of every row : float64[rows], whether all sums are exact, most outcomes of a row)."""
    total = np.zeros(outcome_start.size - 1)
    exact, most = True, 0
    for row in range(total.size):
        for o in range(outcome_start[row], outcome_start[row + 1]):
            total[row] += ways[o]
            exact = exact and ways[o] == np.floor(ways[o])
        exact = exact and total[row] < WHOLE
        most = max(most, outcome_start[row + 1] - outcome_start[row])
    return total, exact, most


@kernel
def count_deviations(batch, mixed):
    """(rows, outcomes) of the nodes."""
    rows, outcomes = 0, 0
    for i in range(batch.high - batch.low):
        m, n = mixed.width[i], mixed.q_start[i + 1] - mixed.q_start[i]
        rows += m + n
        for a in range(m):
            for b in range(n):
                pair = batch.action_start[i] + a * n + b
                count = batch.outcome_start[pair + 1] - batch.outcome_start[pair]
                outcomes += count * int(mixed.q[mixed.q_start[i] + b] > 0.0) + count * int(mixed.p[mixed.p_start[i] + a] > 0.0)
    return rows, outcomes


@kernel
def write_deviations(batch, mixed, total, action_start, outcome_start, ways, next_node, payoff):
    """Fill the rows of the nodes 2 low .. 2 high - 1. payoff : float64[outcomes, 1]."""
    rows, at = 0, 0
    action_start[0], outcome_start[0] = 0, 0
    for i in range(batch.high - batch.low):
        m, n = mixed.width[i], mixed.q_start[i + 1] - mixed.q_start[i]
        for side in range(2):
            for own in range(m if side == 0 else n):
                for other in range(n if side == 0 else m):
                    a, b = (own, other) if side == 0 else (other, own)
                    share = mixed.q[mixed.q_start[i] + b] if side == 0 else mixed.p[mixed.p_start[i] + a]
                    if share == 0.0:
                        continue
                    pair = batch.action_start[i] + a * n + b
                    for o in range(batch.outcome_start[pair], batch.outcome_start[pair + 1]):
                        if batch.ways[o] == 0.0:
                            continue
                        ways[at] = share * (batch.ways[o] / total[pair])
                        next_node[at] = 2 * np.int64(batch.next[o]) + (side ^ (batch.sign[o] < 0))
                        payoff[at, 0] = batch.payoff[o, 0] if side == 0 else -batch.payoff[o, 0]
                        at += 1
                rows += 1
                outcome_start[rows] = at
            action_start[2 * i + side + 1] = rows


@kernel
def write_chain(batch, mixed, total, action_start, outcome_start, ways, next_state, sign, payoff):
    """Fill one row a state, as it is played: the outcomes of all pairs that both strategies use. Returns (rows, outcomes).

    With `ways` of length 0 they are only counted."""
    rows, at = 0, 0
    counted = ways.size == 0
    for i in range(batch.high - batch.low):
        m, n = mixed.width[i], mixed.q_start[i + 1] - mixed.q_start[i]
        for a in range(m):
            for b in range(n):
                share = mixed.p[mixed.p_start[i] + a] * mixed.q[mixed.q_start[i] + b]
                if share == 0.0:
                    continue
                pair = batch.action_start[i] + a * n + b
                for o in range(batch.outcome_start[pair], batch.outcome_start[pair + 1]):
                    if not counted:
                        ways[at] = share * (batch.ways[o] / total[pair])
                        next_state[at] = batch.next[o]
                        sign[at] = batch.sign[o]
                        payoff[at] = batch.payoff[o]
                    at += 1
        rows += m > 0
        if not counted:
            action_start[i + 1] = rows
            if m > 0:
                outcome_start[rows] = at
    return rows, at


@kernel
def double_components(batch, components):
    """Boundaries of the nodes' components: two single nodes for a single state, unless PASS leads from it to itself."""
    found = np.empty(2 * components.size, np.int64)
    found[0] = 2 * components[0]
    count = 1
    for c in range(components.size - 1):
        start, end = components[c], components[c + 1]
        joined = end - start > 1
        i = start - batch.low
        if not joined:
            for o in range(batch.outcome_start[batch.action_start[i]], batch.outcome_start[batch.action_start[i + 1]]):
                joined |= batch.next[o] == start and batch.sign[o] < 0
        if not joined:
            found[count] = 2 * start + 1
            count += 1
        found[count] = 2 * end
        count += 1
    return found[:count]
