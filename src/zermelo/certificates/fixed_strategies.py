"""Bounds for games in which both players choose at once, from the game left to one player if the strategy of the other is fixed.

With q fixed, player 0 is left with a one-player game, and with p fixed, player 1 is. Their values bound that of the game from above and
from below (kernels/deviations.py). Each is bounded as any other game is (certify_strategies.py). Its ways are products with
probabilities, so that their rounding enters the bound (`blur`).
"""

from __future__ import annotations

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running
from zermelo.kernels.deviations import (
    Mixed,
    count_deviations,
    pair_ways,
    write_chain,
    write_deviations,
)
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.transitions import Transitions

ROUNDING = 2.0**-53


def deviations(batch: Transitions, mixed: Mixed, total: np.ndarray) -> Transitions:
    """The one-player games that are left if one strategy is fixed, as nodes (kernels/deviations.py)."""
    states = batch.high - batch.low
    rows, outcomes = count_deviations(batch, mixed)
    action_start, outcome_start = np.empty(2 * states + 1, np.int64), np.empty(rows + 1, np.int64)
    ways, after, payoff = np.empty(outcomes), np.empty(outcomes, number_type(2 * batch.high)), np.empty((outcomes, 1))
    write_deviations(batch, mixed, total, action_start, outcome_start, ways, after, payoff)
    used = int(outcome_start[-1])
    final = np.empty((2 * states, 1))
    final[0::2, 0], final[1::2, 0] = batch.final_payoff[:, 0], -batch.final_payoff[:, 0]
    return Transitions(
        2 * batch.low, 2 * batch.high, action_start, outcome_start, ways[:used], after[:used], np.ones(used, np.int8), payoff[:used],
        final, np.zeros(2 * states, np.int8),
    )  # fmt: skip


def blur_of(exact: bool, most: int) -> float:
    """Of ways that are a probability times ways over their sum (kernels/verify.py): twice their relative error."""
    return 2.0 * (3 + (0 if exact else most + 1)) * ROUNDING


def chain_blur(batch: Transitions) -> float:
    """The same for the ways of `mixed_chain`, a product of two probabilities with them."""
    _, exact, most = pair_ways(batch.outcome_start, batch.ways)
    return 2.0 * blur_of(exact, most)


def mixed_chain(batch: Transitions, mixtures: Mixtures) -> Transitions:
    """Play under the mixtures of the batch's states: one row per state that is not final."""
    mixed = Mixed(np.diff(mixtures.own_start).astype(np.int32), *mixtures)
    return chain(batch, mixed, pair_ways(batch.outcome_start, batch.ways)[0])


def chain(batch: Transitions, mixed: Mixed, total: np.ndarray) -> Transitions:
    """Play: one row per state that is not final."""
    states = batch.high - batch.low
    nothing = np.empty(0, np.int64), np.empty(0), np.empty(0, batch.next.dtype), np.empty(0, np.int8)
    start, none, no_next, no_sign = nothing
    rows, outcomes = write_chain(batch, mixed, total, start, start, none, no_next, no_sign, np.empty((0, 1)))
    action_start, outcome_start = np.zeros(states + 1, np.int64), np.zeros(rows + 1, np.int64)
    ways, after, sign = np.empty(outcomes), np.empty(outcomes, batch.next.dtype), np.empty(outcomes, np.int8)
    payoff = np.empty((outcomes, batch.payoff.shape[1]))
    write_chain(batch, mixed, total, action_start, outcome_start, ways, after, sign, payoff)
    return Transitions(
        batch.low, batch.high, action_start, outcome_start, ways, after, sign, payoff, batch.final_payoff,
        np.zeros(states, np.int8),
    )  # fmt: skip


def left_to(seat: int, batch: Transitions, mixtures: Mixtures) -> Transitions:
    """The one-player game that `seat` is left with if the other player keeps to the given mixtures of the batch's states: a row for each of
    its actions, with the outcomes of all pairs that the other player's mixture makes of it. Both views stay that of player 0."""
    states, rows = batch.high - batch.low, np.diff(batch.action_start)
    starts = (mixtures.own_start, mixtures.other_start)
    counts = np.diff(starts[seat])
    state = np.repeat(np.arange(states), rows)
    local = np.arange(int(rows.sum())) - batch.action_start[:-1][state]
    own, other = np.divmod(local, np.diff(mixtures.other_start)[state])
    if seat == 1:
        own, other = other, own
    share = (mixtures.other, mixtures.own)[seat][starts[1 - seat][:-1][state] + other]
    action_start = running(counts)
    row = action_start[:-1][state] + own
    sizes = np.diff(batch.outcome_start)
    pair = np.repeat(np.arange(local.size), sizes)
    outcomes = np.flatnonzero((share[pair] > 0.0) & (batch.ways > 0.0))
    outcomes = outcomes[np.argsort(row[pair[outcomes]], kind="stable")]
    pair = pair[outcomes]
    total, _, _ = pair_ways(batch.outcome_start, batch.ways)
    per_row = np.bincount(row[pair], minlength=int(action_start[-1]))
    return Transitions(
        batch.low, batch.high, action_start, running(per_row),
        share[pair] * (batch.ways[outcomes] / total[pair]), batch.next[outcomes], batch.sign[outcomes], batch.payoff[outcomes],
        batch.final_payoff, np.full(states, seat, np.int8),
    )  # fmt: skip


def left_blur(batch: Transitions) -> float:
    """The `blur` of the ways of `left_to` (kernels/verify.py)."""
    _, exact, most = pair_ways(batch.outcome_start, batch.ways)
    return blur_of(exact, most)
