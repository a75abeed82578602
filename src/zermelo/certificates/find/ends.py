"""End components (de Alfaro 1997): sets of nodes in which their owner can stay forever."""

from __future__ import annotations

import numpy as np

from zermelo.certificates.sides import Part, by_itself, graph_of
from zermelo.kernels import graph
from zermelo.problem.transitions import Transitions


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
