"""Games in which both choose at once (stochastic games, Shapley 1953): a matrix game in every state, solved in component order.

Components with a small cutset are solved by Newton's method (kernels/joint_newton.py), others in joint_block.py.

The certificate: with q kept fixed player 0, and with p kept fixed player 1, is left a game for one, whose value bounds that of the
game from above and from below (kernels/deviations.py). These bounds are found as for any other game (certificate.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.certificates.certify import certify
from zermelo.errors import OutOfReach
from zermelo.kernels.condense import Rows, condense
from zermelo.kernels.deviations import (
    count_deviations,
    double_components,
    pair_ways,
    write_chain,
    write_deviations,
)
from zermelo.kernels.joint_newton import Mixed, settle_components
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.solver import Problem, Progress, Solved
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

ROUNDING = 2.0**-53
MOST_STATES = 1 << 30  # each becomes two nodes with a number of 32 bits


@dataclass(frozen=True)
class Simultaneous:
    """A matrix game in every state: both players choose at once, with chance, and with cycles or without."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        return structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Solved:
        n, payoffs = problem.num_states, problem.num_payoffs
        if n >= MOST_STATES:
            raise OutOfReach(
                f"both choose at once in {n:,} states, and {MOST_STATES:,} are the most that can be certified"
            )
        value, error = np.zeros((n, payoffs)), np.zeros((n, payoffs))
        nodes = np.zeros((2 * n, 1)), np.zeros((2 * n, 1))  # values and errors of the nodes of kernels/deviations.py
        all_rows = np.full(2 * n, -1, np.int32)
        found: list[Mixed] = []
        for batch, components in problem.batches():
            mixed = _prepared(batch, problem.widths(batch.low, batch.high))  # type: ignore[attr-defined]
            _solve_batch(batch, mixed, components, value, discount)
            _certify(batch, mixed, components, value, error, nodes, all_rows, discount)
            found.append(mixed)
            progress("solving", batch.high, n)
        mixtures = Mixtures.joined([(m.p_start, m.q_start, m.p, m.q) for m in found])
        argument = (
            "a matrix game in every state, by components; each strategy was fixed and the best reply to it bounded by a separate "
            "pass, rounding included"
        )
        return Solved(value, mixtures.likeliest(), error, None, argument, mixtures)


def _prepared(batch: Transitions, width: np.ndarray) -> Mixed:
    """Room for the strategies of a batch's states."""
    rows = np.diff(batch.action_start)
    others = rows // np.maximum(width, 1)
    p_start, q_start = (np.concatenate([[0], np.cumsum(counts)]).astype(np.int64) for counts in (width, others))
    return Mixed(width, p_start, q_start, np.zeros(p_start[-1]), np.zeros(q_start[-1]))


# Solving --------------------------------------------------------------------------------------------------------------


def _solve_batch(batch: Transitions, mixed: Mixed, components: np.ndarray, value: np.ndarray, discount: float) -> None:
    """Fill `value` and `mixed` of the batch's states; states below `batch.low` are solved."""
    coef, reward, pays = condense(batch.outcome_start, batch.ways, batch.sign, batch.payoff, discount)
    rows = Rows(batch.low, batch.action_start, batch.outcome_start, batch.next, coef, reward, pays, batch.player)
    at, count = 0, components.size - 1
    while at < count:
        at = settle_components(rows, mixed, batch.final_payoff, components, at, discount < 1.0, value)
        if at < count:
            from zermelo.solvers.joint_block import solve_component  # loads scipy, which few games need

            solve_component(rows, mixed, int(components[at]), int(components[at + 1]), discount, value)
            at += 1


# The certificate ------------------------------------------------------------------------------------------------------


def _certify(
    batch: Transitions,
    mixed: Mixed,
    components: np.ndarray,
    value: np.ndarray,
    error: np.ndarray,
    nodes: tuple[np.ndarray, np.ndarray],
    all_rows: np.ndarray,
    discount: float,
) -> None:
    """Fill error[s, j] >= |value[s, j] - true value|; of payoffs other than the first, the true value under both strategies."""
    node_value, node_error = nodes
    low, high = batch.low, batch.high
    node_value[2 * low : 2 * high : 2, 0] = value[low:high, 0]
    node_value[2 * low + 1 : 2 * high : 2, 0] = -value[low:high, 0]
    total, exact, most = pair_ways(batch.outcome_start, batch.ways)
    blur = _blur(exact, most)
    left = _deviations(batch, mixed, total)
    certify(left, double_components(batch, components), node_value, all_rows, node_error, discount, blur=blur)
    error[low:high, 0] = node_error[2 * low : 2 * high, 0].reshape(-1, 2).max(axis=1)
    if value.shape[1] > 1:
        chosen = np.zeros(high, np.int32)
        spare = error[:, 0].copy()
        certify(_chain(batch, mixed, total), components, value, chosen, error, discount, blur=2.0 * blur)
        error[:, 0] = spare


def _deviations(batch: Transitions, mixed: Mixed, total: np.ndarray) -> Transitions:
    """The games for one that are left if one strategy is fixed, as nodes (kernels/deviations.py)."""
    states = batch.high - batch.low
    rows, outcomes = count_deviations(batch, mixed)
    action_start, outcome_start = np.empty(2 * states + 1, np.int64), np.empty(rows + 1, np.int64)
    ways, after, payoff = np.empty(outcomes), np.empty(outcomes, np.int32), np.empty((outcomes, 1))
    write_deviations(batch, mixed, total, action_start, outcome_start, ways, after, payoff)
    used = int(outcome_start[-1])
    final = np.empty((2 * states, 1))
    final[0::2, 0], final[1::2, 0] = batch.final_payoff[:, 0], -batch.final_payoff[:, 0]
    return Transitions(
        2 * batch.low, 2 * batch.high, action_start, outcome_start, ways[:used], after[:used], np.ones(used, np.int8), payoff[:used],
        final, np.zeros(2 * states, np.int8),
    )  # fmt: skip


def _blur(exact: bool, most: int) -> float:
    """Of ways that are a probability times ways over their sum (kernels/certify.py): twice their relative error."""
    return 2.0 * (3 + (0 if exact else most + 1)) * ROUNDING


def chain_blur(batch: Transitions) -> float:
    """The same for the ways of `mixed_chain`, a product of two probabilities with them."""
    _, exact, most = pair_ways(batch.outcome_start, batch.ways)
    return 2.0 * _blur(exact, most)


def mixed_chain(batch: Transitions, mixtures: Mixtures) -> Transitions:
    """What is played under the mixtures of the batch's states: one row a state that is not final."""
    mixed = Mixed(np.diff(mixtures.own_start).astype(np.int32), *mixtures)
    return _chain(batch, mixed, pair_ways(batch.outcome_start, batch.ways)[0])


def _chain(batch: Transitions, mixed: Mixed, total: np.ndarray) -> Transitions:
    """What is played: one row a state."""
    states = batch.high - batch.low
    nothing = np.empty(0, np.int64), np.empty(0), np.empty(0, np.int32), np.empty(0, np.int8)
    start, none, no_next, no_sign = nothing
    rows, outcomes = write_chain(batch, mixed, total, start, start, none, no_next, no_sign, np.empty((0, 1)))
    action_start, outcome_start = np.zeros(states + 1, np.int64), np.zeros(rows + 1, np.int64)
    ways, after, sign = np.empty(outcomes), np.empty(outcomes, np.int32), np.empty(outcomes, np.int8)
    payoff = np.empty((outcomes, batch.payoff.shape[1]))
    write_chain(batch, mixed, total, action_start, outcome_start, ways, after, sign, payoff)
    return Transitions(
        batch.low, batch.high, action_start, outcome_start, ways, after, sign, payoff, batch.final_payoff,
        np.zeros(states, np.int8),
    )  # fmt: skip


def left_to(seat: int, batch: Transitions, mixtures: Mixtures) -> Transitions:
    """The game for one that `seat` is left with if the other player keeps to his mixtures of the batch's states: a row for each of its
    actions, with the outcomes of all pairs that the other one's mixture makes of it. Both views stay that of player 0."""
    states, rows = batch.high - batch.low, np.diff(batch.action_start)
    starts = (mixtures.own_start, mixtures.other_start)
    counts = np.diff(starts[seat])
    state = np.repeat(np.arange(states), rows)
    local = np.arange(int(rows.sum())) - batch.action_start[:-1][state]
    own, other = np.divmod(local, np.diff(mixtures.other_start)[state])
    if seat == 1:
        own, other = other, own
    share = (mixtures.other, mixtures.own)[seat][starts[1 - seat][:-1][state] + other]
    action_start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    row = action_start[:-1][state] + own
    sizes = np.diff(batch.outcome_start)
    pair = np.repeat(np.arange(local.size), sizes)
    outcomes = np.flatnonzero((share[pair] > 0.0) & (batch.ways > 0.0))
    outcomes = outcomes[np.argsort(row[pair[outcomes]], kind="stable")]
    pair = pair[outcomes]
    total, _, _ = pair_ways(batch.outcome_start, batch.ways)
    per_row = np.bincount(row[pair], minlength=int(action_start[-1]))
    return Transitions(
        batch.low, batch.high, action_start, np.concatenate([[0], np.cumsum(per_row)]).astype(np.int64),
        share[pair] * (batch.ways[outcomes] / total[pair]), batch.next[outcomes], batch.sign[outcomes], batch.payoff[outcomes],
        batch.final_payoff, np.full(states, seat, np.int8),
    )  # fmt: skip


def left_blur(batch: Transitions) -> float:
    """The `blur` of the ways of `left_to` (kernels/certify.py)."""
    _, exact, most = pair_ways(batch.outcome_start, batch.ways)
    return _blur(exact, most)
