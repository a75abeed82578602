"""One large component in which nothing is paid: its value is decided by where play leaves it, and cycling forever is worth 0.

1. *Certain wins.* Where a player can make play leave for the largest value almost surely, or stay as long as desired if nothing
   outside is better, no number is computed: the graph decides (kernels/graph.py). The same for the other player and the smallest value.
2. *The rest* splits into strongly connected components. Each is solved separately, and the decided states count as
   outside.
3. Where nothing is decided, values rise from 0 by value iteration (kernels/from_below.py), whose policy is nearly always optimal or
   a few switches away from it: policy iteration does the rest (policy_iteration.py).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running
from zermelo.kernels.components import isolate
from zermelo.kernels.condense import Rows
from zermelo.kernels.from_below import rise
from zermelo.kernels.graph import safely, strong_components, surely
from zermelo.methods.layout import laid_out, picked
from zermelo.methods.policy_iteration import Block
from zermelo.problem.solver import Fallback

ENOUGH = 1e-12  # change of a value, relative to the largest, at which value iteration ends
SWEEPS = 200

Settle = Callable[[Rows, np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]


def suits(rows: Rows, start: int, end: int) -> bool:
    """Whether nothing is paid in the component and there is no PASS; with one payoff, since others depend on the policy."""
    first, last = rows.first_row[start - rows.low], rows.first_row[end - rows.low]
    outs = slice(rows.first_outcome[first], rows.first_outcome[last])
    return rows.reward.shape[1] == 1 and not rows.pays[first:last].any() and not (rows.coef[outs] < 0.0).any()


def decides(rows: Rows, start: int, end: int, value: np.ndarray, policy: np.ndarray) -> bool:
    """Fill `value` and `policy` of the states start..end-1 if the graph decides them all, without rounding."""
    worth, choice = value[start:end, 0].copy(), policy[start:end].copy()
    if not _Graph(rows, start, end, value).decide(worth, choice).all():
        return False
    value[start:end, 0], policy[start:end] = worth, choice
    return True


def solve_component(
    rows: Rows, start: int, end: int, value: np.ndarray, policy: np.ndarray, settle: Settle
) -> list[Fallback] | None:
    """Fill `value` and `policy` of the states start..end-1; returns the places where a fast method was given up. None if this method is not
    suitable because there are values of both signs outside. Raises RuntimeError if policy iteration does not end.

    settle : solves the remaining components, given as (rows, final payoffs, boundaries, value, policy)."""
    part = slice(start, end)
    graph = _Graph(rows, start, end, value)
    decided = graph.decide(value[part, 0], policy[part])
    if decided.all():
        return []
    if decided.any():
        _solve_rest(graph, decided, value[part], policy[part], settle)
        return []
    return None if graph.least < 0.0 < graph.most else _solve_by_iteration(rows, start, end, graph, value, policy)


class _Graph:
    """A component by itself: its nodes are start..end-1 minus `start`; the outside has the number n."""

    def __init__(self, rows: Rows, start: int, end: int, value: np.ndarray):
        first, last = start - rows.low, end - rows.low
        row = slice(rows.first_row[first], rows.first_row[last])
        out = slice(rows.first_outcome[row.start], rows.first_outcome[row.stop])
        self.n = end - start
        self.player = rows.player[first:last]
        self.first_row = rows.first_row[first : last + 1] - row.start
        self.first_outcome = rows.first_outcome[row.start : row.stop + 1] - out.start
        self.coef = rows.coef[out]
        self.next = rows.next[out]
        self.leaves = (self.next < start) | (self.next >= end)
        self.to = np.where(self.leaves, self.n, self.next - start).astype(number_type(max(self.n, self.first_row[-1])))
        self.worth = np.where(self.leaves, value[np.where(self.leaves, self.next, 0), 0], 0.0)
        found = self.worth[self.leaves & (self.coef != 0.0)]
        self.least, self.most = (float(found.min()), float(found.max())) if found.size else (0.0, 0.0)

    def decide(self, value: np.ndarray, policy: np.ndarray) -> np.ndarray:
        """bool[n], the nodes whose value the graph decides; fills `value` and `policy` of these."""
        decided = np.zeros(self.n, bool)
        for player, best in ((0, self.most), (1, self.least)):
            mine = self.player == player
            fine = self.worth == best
            good = best > 0.0 if player == 0 else best < 0.0  # there is more to gain outside than by staying
            if not good:
                best, fine = 0.0, self.worth >= 0.0 if player == 0 else self.worth <= 0.0
            won, choice = np.zeros(self.n, bool), np.zeros(self.n, np.int32)
            search = surely if good else safely
            search(self.first_row, self.first_outcome, self.to, self.coef, mine, fine, won, choice)
            new = won & ~decided
            value[new] = best
            policy[new] = np.where(mine[new], choice[new], 0)
            decided |= won
        return decided


def _solve_rest(graph: _Graph, decided: np.ndarray, value: np.ndarray, policy: np.ndarray, settle: Settle) -> None:
    """The components of the nodes that are not decided, renumbered after all that they lead to."""
    node = np.repeat(np.arange(graph.n), np.diff(graph.first_row))
    allowed = ~decided[node]
    label, order = np.empty(graph.n, graph.to.dtype), np.empty(graph.n, graph.to.dtype)
    to = np.where((graph.to < graph.n) & ~np.append(decided, True)[graph.to], graph.to, graph.n).astype(graph.to.dtype)
    strong_components(graph.first_row, graph.first_outcome, to, graph.coef, allowed, label, order)
    rest = np.flatnonzero(~decided)
    rest = rest[np.argsort(label[rest], kind="stable")]
    sizes = np.unique(label[rest], return_counts=True)[1]
    # numbers: the states outside, one for each of their values, then the rest
    worth = np.where(to < graph.n, 0.0, np.where(graph.leaves, graph.worth, np.append(value[:, 0], 0.0)[graph.to]))
    known, which = np.unique(worth, return_inverse=True)
    place = np.full(graph.n + 1, -1, np.int64)
    place[rest] = known.size + np.arange(rest.size)
    following = np.where(to < graph.n, place[to], which)
    first_row, first_outcome, new_row, outs = picked(graph.first_row, graph.first_outcome, rest)
    rows = Rows(
        known.size,
        first_row,
        first_outcome,
        following[outs].astype(number_type(known.size + rest.size)),
        graph.coef[outs].copy(),
        np.zeros((new_row.size, 1)),
        np.zeros((new_row.size, 1), bool),
        graph.player[rest],
    )
    values = np.concatenate([known, np.zeros(rest.size)])[:, None]
    policies = np.full(values.shape[0], -1, np.int32)
    settle(rows, np.zeros((rest.size, 1)), known.size + running(sizes), values, policies)
    value[rest], policy[rest] = values[known.size :], policies[known.size :]


def _solve_by_iteration(
    rows: Rows, start: int, end: int, graph: _Graph, value: np.ndarray, policy: np.ndarray
) -> list[Fallback]:
    """Value iteration from 0, then policy iteration. Raises RuntimeError if that does not end."""
    laid, state = laid_out(Rows(*isolate(rows, start, end, value)))
    block = Block(laid)
    sense, scale = (1.0, graph.most) if graph.most > 0.0 else (-1.0, -graph.least)
    rise(block.rows, block.order, sense, ENOUGH * scale, SWEEPS, block.value, block.policy)
    block.iterate_or_lead_out(True)
    value[start + state] = block.value[:-1]
    policy[start + state] = block.policy
    return [Fallback(*how, end - start) for how in sorted(block.given_up)]
