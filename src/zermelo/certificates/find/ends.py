"""End components (de Alfaro 1997): sets of nodes in which their owner can stay forever; and claims of bounds where nothing is paid, so that
staying is worth 0, for components that play leaves so late that the sweeps of kernels/propose_ends.py don't find the rise."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from zermelo.certificates.find.stay import stays
from zermelo.certificates.sides import Part, by_itself, every_row, graph_of, row_excesses
from zermelo.kernels import graph
from zermelo.kernels.certify import CLEAR_LOSS
from zermelo.kernels.propose_ends import claim_ends
from zermelo.kernels.verify_ends import DROPS, LEVEL, bound_from_above
from zermelo.problem.transitions import Transitions

WIDEST = 1e-3  # rise, relative to the values: a bound of which more is left is of no use


class EndsClaim(NamedTuple):
    """A claim about the nodes 0..n-1 of a `Part` in which nothing is paid (kernels/verify_ends.py)."""

    base: np.ndarray  # float64[n]
    rise: np.ndarray  # float64[n]
    rank: np.ndarray  # int64[n]
    kind: np.ndarray  # int8[rows]


def of_unpaid(part: Part) -> Iterator[EndsClaim]:
    """Claims of how far the true values of the nodes may exceed the given ones, the tightest first; none if something is paid."""
    n, rows = part.size, part.batch.outcome_start.size - 1
    if (part.batch.payoff[part.batch.ways != 0.0] != 0.0).any() or part.blur:
        return
    tried = np.full(2, -1, np.int64)
    for loss in CLEAR_LOSS:
        base, rise, rank, kind = np.empty(n), np.empty(n), np.empty(n, np.int64), np.empty(rows, np.int8)
        leader, claimed, excess = np.empty(n, part.batch.next.dtype), part.value.copy(), np.empty(rows)
        found, least, _ = claim_ends(
            *graph_of(part), part.value, part.error, loss, tried, base, rise, rank, kind, leader, claimed, excess
        )
        if not found:
            continue
        kind[kind == LEVEL] = DROPS  # ranks can keep a claim from having a rise at all
        gained = np.where(kind[:, None] == DROPS, row_excesses(part._replace(value=claimed), every_row(part), 1.0), -np.inf)
        known = np.append(rise, part.error[n:, 0])[:, None]
        for more in stays(part._replace(error=known), gained, least, leader, 1.0, WIDEST * float(np.abs(part.value).max())):
            yield EndsClaim(base, more, rank, kind)


def bound_unpaid(part: Part, error: np.ndarray) -> bool:
    """Fill `error` : float64[states] from the first claim that is proven; else False."""
    return any(_accept(part, claim, error) for claim in of_unpaid(part))


def _accept(part: Part, claim: EndsClaim, error: np.ndarray) -> bool:
    """Fill `error` from the claim if it is proven: the larger bound of both sides; else False, and it is as it was."""
    bound = np.empty(part.size)
    proven: bool = bound_from_above(*graph_of(part), part.value, part.error, *claim, bound)
    if proven:
        error[:] = bound.reshape(-1, error.size).max(axis=0)
    return proven


def end_components(part: Part, tight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(label of the nodes' maximal end components or -1, the rows that stay in them) among the rows `tight`."""
    first_row, first_outcome, ways, to = graph_of(part)
    label, staying = np.empty(part.size, to.dtype), tight.copy()
    graph.end_components(first_row, first_outcome, to, ways, staying, label)
    return label, staying


def can_stay(batch: Transitions, start: int, end: int) -> bool:
    """Whether the players together could keep play among the states start..end-1 forever."""
    nothing = np.zeros((int(max(batch.next.max(initial=0) + 1, end)), 1))
    part = by_itself(batch, start, end, nothing, nothing, 0)
    return bool((end_components(part, np.ones(part.batch.outcome_start.size - 1, bool))[0] >= 0).any())
