"""One strongly connected component by itself, seen from one side or from both.

From both: a state counts twice. As s+ its value is bounded from above, the minimiser keeping to the given policy; as s- the negated
value is, the maximiser keeping to it. PASS leads from one side to the other. So all nodes maximise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running, runs
from zermelo.kernels.verify import excesses
from zermelo.problem.transitions import Transitions


class Part(NamedTuple):
    """A component (or its two sides) by itself, one payoff. Nodes 0..n-1 are inside; every outcome that leads outside has a node
    of its own beyond."""

    batch: Transitions  # of the nodes 0..n-1, all of player 0
    value: np.ndarray  # float64[nodes, 1]
    error: np.ndarray  # float64[nodes, 1], known outside
    blur: float = 0.0  # of the ways (kernels/verify.py)

    @property
    def size(self) -> int:
        return self.batch.high

    @property
    def owner(self) -> np.ndarray:
        """int64[outcomes], the row of every outcome."""
        return np.repeat(np.arange(self.batch.outcome_start.size - 1), np.diff(self.batch.outcome_start))

    @property
    def node(self) -> np.ndarray:
        """int64[rows], the node of every row."""
        return np.repeat(np.arange(self.size), np.diff(self.batch.action_start))


def graph_of(part: Part) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """(first_row, first_outcome, ways, to), as kernels take them."""
    b = part.batch
    return b.action_start, b.outcome_start, b.ways, b.next


def by_itself(
    batch: Transitions, start: int, end: int, value: np.ndarray, error: np.ndarray, j: int, blur: float = 0.0
) -> Part:
    """The component seen from one side."""
    n, first, last = end - start, start - batch.low, end - batch.low
    rows = slice(batch.action_start[first], batch.action_start[last])
    outs = slice(batch.outcome_start[rows.start], batch.outcome_start[rows.stop])
    following = batch.next[outs].astype(np.int64)
    outside = np.flatnonzero((following < start) | (following >= end))
    nodes = following - start
    nodes[outside] = n + np.arange(outside.size)
    local = Transitions(
        0,
        n,
        batch.action_start[first : last + 1] - rows.start,
        batch.outcome_start[rows.start : rows.stop + 1] - outs.start,
        batch.ways[outs],
        nodes.astype(number_type(max(n + outside.size, rows.stop - rows.start))),
        batch.sign[outs],
        np.ascontiguousarray(batch.payoff[outs, j : j + 1]),
        np.zeros((n, 1)),
        batch.player[first:last],
    )
    beyond = following[outside]
    known = np.where(local.ways[outside] == 0.0, 0.0, error[beyond, j])  # errors of impossible outcomes need not be known
    return Part(
        local,
        np.concatenate([value[start:end, j], value[beyond, j]])[:, None],
        np.concatenate([np.zeros(n), known])[:, None],
        blur,
    )


def two_sides(
    batch: Transitions,
    start: int,
    end: int,
    value: np.ndarray,
    policy: np.ndarray,
    error: np.ndarray,
    blur: float = 0.0,
) -> Part:
    """Nodes s (side +) and n + s (side -), payoff 0. Every row of the node's owner, the policy's row for the others."""
    one = by_itself(batch, start, end, value, error, 0, blur)
    b, n, far = one.batch, one.size, one.value.shape[0]
    chosen = np.zeros(b.outcome_start.size - 1, bool)
    chosen[b.action_start[:-1] + policy[start:end]] = True
    kept = [chosen | (b.player[one.node] == side) for side in (0, 1)]
    rows = np.concatenate([np.flatnonzero(k) for k in kept])
    row_counts = np.concatenate([np.bincount(one.node[k], minlength=n) for k in kept])
    side = np.repeat([0, 1], [k.sum() for k in kept])
    lengths = np.diff(b.outcome_start)[rows]
    outs = runs(b.outcome_start[rows], lengths)
    out_side = np.repeat(side, lengths)
    after = out_side ^ (b.sign[outs] < 0)
    nodes = b.next[outs].astype(np.int64)
    inside = nodes < n
    both = Transitions(
        0,
        2 * n,
        running(row_counts),
        running(lengths),
        b.ways[outs],
        np.where(inside, nodes + n * after, nodes + n + (far - n) * after).astype(number_type(max(2 * far, rows.size))),
        np.ones(outs.size, np.int8),
        b.payoff[outs] * np.where(out_side, -1.0, 1.0)[:, None],
        np.zeros((2 * n, 1)),
        np.zeros(2 * n, np.int8),
    )
    u, e = one.value, one.error
    return Part(
        both, np.concatenate([u[:n], -u[:n], u[n:], -u[n:]]), np.concatenate([e[:n], e[:n], e[n:], e[n:]]), blur
    )


def row_excesses(part: Part, policy: np.ndarray, discount: float) -> np.ndarray:
    """h of every row (kernels/verify.py): float64[rows, 1]; a policy of -1 means that every row counts from one side."""
    b, excess = part.batch, np.empty((part.batch.outcome_start.size - 1, 1))
    excesses(b, discount, part.value, policy, 0, part.size, 0, excess, part.blur)
    return excess


def every_row(part: Part) -> np.ndarray:
    """The policy which states that every row counts."""
    return np.full(part.size, -1, np.int32)
