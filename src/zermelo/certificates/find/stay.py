"""The longest stay: how much a player can lose in a component before leaving it; this is the e in the bounds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running, runs
from zermelo.certificates.sides import Part
from zermelo.kernels.certify import DROPS
from zermelo.kernels.components import improve
from zermelo.kernels.condense import Rows
from zermelo.methods.policy_iteration import Block

ROUNDS = 100  # of policy iteration for e
SWEPT, SWEEPS = 1_000, 60  # nodes from which on there are sweeps between two rounds, and how many


def stays(
    part: Part, excess: np.ndarray, least: float, group: np.ndarray, discount: float, most: float = np.inf
) -> Iterator[np.ndarray]:
    """float64[n], numbers e >= h + c + later losses, for all rows but those whose excess is -inf; equal within groups. Larger ones than
    `most` are of no use.

    group : int64[n], any numbers. Groups without a row whose excess is above `least` keep the error that `part` has for them."""
    for drop in DROPS:
        stay = longest_stay(part, excess, least, group, drop, discount, most)
        if stay is not None:
            yield np.where(np.isnan(stay), part.error[: part.size, 0], stay)


def longest_stay(
    part: Part, excess: np.ndarray, least: float, group: np.ndarray, drop: float, discount: float, most: float = np.inf
) -> np.ndarray | None:
    """float64[n], the largest sum of (excess + drop) along any play, groups acting as single states; NaN for groups left out.

    None if policy iteration fails, or comes to more than `most`. `drop` is as in DROPS."""
    b, n = part.batch, part.size
    live = np.isin(group[part.node], group[part.node[excess[:, 0] > least]]) & (excess[:, 0] > -np.inf)
    rows = np.flatnonzero(live)
    rows = rows[np.argsort(group[part.node[rows]], kind="stable")]
    names, first = np.unique(group[part.node[rows]], return_index=True)
    if not names.size:
        return np.full(n, np.nan)
    place = np.searchsorted(names, group)
    place = np.where(np.isin(group, names), place, names.size)
    lengths = np.diff(b.outcome_start)[rows]
    outs = runs(b.outcome_start[rows], lengths)
    owner = np.repeat(np.arange(rows.size), lengths)
    chance = b.ways[outs] / np.bincount(owner, b.ways[outs], rows.size)[owner] * discount
    following = np.append(place, np.full(part.value.shape[0] - n, names.size))[b.next[outs]]
    known = np.where(following == names.size, part.error[b.next[outs], 0], 0.0)
    gain = np.where(excess[rows, 0] > least, np.maximum(excess[rows, 0], 0.0), excess[rows, 0])
    later = np.bincount(owner, chance * known, rows.size)
    reward = gain + max(drop * max(np.max(gain), 1e-6 * np.max(later)), 1e-150) + later
    problem = Rows(
        0,
        np.append(first, rows.size).astype(np.int64),
        running(lengths),
        following.astype(number_type(names.size)),
        chance,
        reward[:, None],
        np.ones((rows.size, 1), bool),
        np.zeros(names.size, np.int8),
    )
    found = iterate(problem, most)
    return None if found is None else np.append(found, np.nan)[place]


def iterate(rows: Rows, most: float) -> np.ndarray | None:
    """Policy iteration of one maximiser, from the rows with the largest reward; large problems with sweeps of value iteration between two
    policies, without which rows change step by step backwards from where play leaves."""
    n = rows.player.size
    node = np.repeat(np.arange(n), np.diff(rows.first_row))
    order = np.lexsort((-rows.reward[:, 0], node))
    block = Block(rows)
    block.policy[:] = order[rows.first_row[:-1]] - rows.first_row[:-1]
    for _ in range(ROUNDS):
        try:
            block.evaluate(False, 0)
        except RuntimeError:
            return None
        value = block.value[:-1, 0]
        if not np.isfinite(value).all() or value.min() < 0.0 or value.max() > most:
            return None
        if not improve(rows, 0, n, block.value, block.policy, 2, 1e-12):
            return value
        if n > SWEPT:
            block.sweep(True, SWEEPS)
    return None
