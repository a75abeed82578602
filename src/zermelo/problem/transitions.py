"""The one-step structure of a game on integer states: what solvers see.

States are numbered 0..n-1 in *component order*: every successor of a state lies in the same strongly connected component or in
an earlier one, and a component is a contiguous range. In an acyclic game each successor therefore has a smaller number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.once import once


class Transitions(NamedTuple):
    """Actions and outcomes of the states `low..high-1`, in compressed rows. Shared by kernels and solvers: plain arrays.

    State i (low <= i < high) has the action rows `action_start[i-low] : action_start[i-low+1]`, in the order in which the rules
    yield them; action row a has the outcomes `outcome_start[a] : outcome_start[a+1]`. A state without rows is final.
    """

    low: int
    high: int
    action_start: np.ndarray  # int64[high-low+1]
    outcome_start: np.ndarray  # int64[rows+1]
    ways: np.ndarray  # float64[outcomes], non-negative; integers are held exactly up to 2^53
    next: np.ndarray  # whole numbers [outcomes] (basics/numbering.py), number of the next state in the whole game
    sign: np.ndarray  # int8[outcomes], +1 (KEEP) or -1 (PASS: the value of the next state is negated)
    payoff: np.ndarray  # float64[outcomes, payoffs]
    final_payoff: np.ndarray  # float64[high-low, payoffs], zero unless the state is final
    player: np.ndarray  # int8[high-low], 0 maximises, 1 minimises


def from_both_sides(batch: Transitions, low: int, high: int) -> tuple[Transitions, np.ndarray]:
    """The states low..high-1 without PASS, and int64[k], the states outside that they lead to.

    Of n states, 0..n-1 are the original ones, and n..2n-1 are the same with payoffs negated, the other player moving; PASS leads
    from one kind to the other. The states outside have the numbers from 2n on, those with their sign negated from 2n + k on."""
    n, first, last = high - low, low - batch.low, high - batch.low
    rows = slice(batch.action_start[first], batch.action_start[last])
    outs = slice(batch.outcome_start[rows.start], batch.outcome_start[rows.stop])
    following, passes, payoff = batch.next[outs].astype(np.int64), batch.sign[outs] < 0, batch.payoff[outs]
    is_inside = (low <= following) & (following < high)
    outside = once(following[~is_inside])
    node = np.where(is_inside, following - low, 2 * n + np.searchsorted(outside, following))
    negated = node + np.where(is_inside, n, outside.size)
    action_start = batch.action_start[first : last + 1] - rows.start
    outcome_start = batch.outcome_start[rows.start : rows.stop + 1] - outs.start
    player = batch.player[first:last]
    both = Transitions(
        0,
        2 * n,
        np.concatenate([action_start, action_start[1:] + action_start[-1]]),
        np.concatenate([outcome_start, outcome_start[1:] + outcome_start[-1]]),
        np.tile(batch.ways[outs], 2),
        np.concatenate([np.where(passes, negated, node), np.where(passes, node, negated)]).astype(number_type(2 * (n + outside.size))),
        np.ones(2 * following.size, np.int8),
        np.concatenate([payoff, -payoff]),
        np.zeros((2 * n, payoff.shape[1])),
        np.concatenate([player, 1 - player]),
    )
    return both, outside
