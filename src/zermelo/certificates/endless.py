"""The proof that a game has no finite value: a player collects payoffs without limit. Imports no solver and no search.

Given are numbers v and a policy. Seen from a side (sides.py), all nodes maximise, every action of its player counts, and of the opponent's
actions only that of the policy. Let C be a set of nodes that no row leaves, and let v(s) > (mean of payoff + v(next)) for every row of C.
Then the amount paid so far plus v falls by c > 0 in the mean at every step, whatever the side's player does, and play never ends: that
player loses without limit.
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.different import different
from zermelo.basics.runs import running, runs
from zermelo.certificates.sides import Part, every_row, row_excesses, two_sides
from zermelo.problem.cycles import paying_cycle
from zermelo.problem.solver import Unbounded
from zermelo.problem.transitions import Transitions


def losing_states(
    batch: Transitions, start: int, end: int, value: np.ndarray, policy: np.ndarray, payoff: int = 0, blur: float = 0.0
) -> np.ndarray:
    """The numbers of the states among start..end-1 that are surely worth infinitely much to one of the players.

    value : float64[end - start], policy : int[end - start], of these states. Payoffs other than the first: under the policy alone.
    blur : kernels/verify.py."""
    local = by_policy(batch, start, end, policy, payoff) if payoff else batch
    chosen = np.zeros_like(policy) if payoff else policy
    states = max(end, int(batch.next.max(initial=0)) + 1)  # states outside have no value here, and none is used
    v, p = np.zeros((states, 1)), np.zeros(states, np.int32)
    v[start:end, 0], p[start:end] = value, chosen
    nodes = losing_nodes(two_sides(local, start, end, v, p, np.zeros((states, 1)), blur))
    return start + different(nodes % (end - start))


def losing_nodes(part: Part) -> np.ndarray:
    """The nodes of the largest set C above."""
    if not np.isfinite(part.value[: part.size]).all():
        return np.empty(0, np.int64)
    b, node, owner = part.batch, part.node, part.owner
    happens = (b.ways > 0.0) | (part.blur > 0.0)
    kept = np.diff(b.action_start) > 0
    kept[node[row_excesses(part, every_row(part), 1.0)[:, 0] >= 0.0]] = False
    while True:
        leaving = happens & ~np.append(kept, np.zeros(len(part.value) - part.size, bool))[b.next]
        out = kept & (np.bincount(node[owner[leaving]], minlength=part.size) > 0)
        if not out.any():
            return np.flatnonzero(kept)
        kept &= ~out


def by_policy(batch: Transitions, start: int, end: int, policy: np.ndarray, payoff: int) -> Transitions:
    """The states start..end-1 with the policy's rows alone, and one payoff."""
    first = batch.action_start[start - batch.low : end - batch.low]
    acts = np.diff(batch.action_start[start - batch.low : end - batch.low + 1]) > 0
    rows = (first + policy)[acts]
    lengths = np.diff(batch.outcome_start)[rows]
    outs = runs(batch.outcome_start[rows], lengths)
    return Transitions(
        start, end, running(acts), running(lengths), batch.ways[outs], batch.next[outs], batch.sign[outs],
        np.ascontiguousarray(batch.payoff[outs, payoff : payoff + 1]), np.zeros((end - start, 1)),
        batch.player[start - batch.low : end - batch.low],
    )  # fmt: skip


def proven(batch: Transitions, failure: Unbounded, blur: float) -> Unbounded:
    """The failure with a proof that there is no value and the states that have none, if its witness shows it; otherwise the failure
    unchanged."""
    if failure.witness is None:
        return failure
    start, end, _, policy = failure.witness
    states = losing_states(batch, *failure.witness, failure.payoff, blur)
    if not states.size:
        return failure
    cycle = paying_cycle(by_policy(batch, start, end, policy, failure.payoff), states)
    return Unbounded(states, failure.payoff, is_proven=True, cycle=cycle)
