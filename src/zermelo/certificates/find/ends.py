"""End components (de Alfaro 1997): sets of nodes in which their owner can stay for ever, and what staying there pays."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from zermelo.certificates.sides import Part, by_itself
from zermelo.certificates.verify import average_excesses
from zermelo.problem.transitions import Transitions

SWEEPS = 10_000  # of relative value iteration


def end_components(part: Part, tight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(label of the nodes' maximal end components or -1, the rows that stay in them) among the rows `tight`."""
    b, n, owner, node = part.batch, part.size, part.owner, part.node
    possible = b.ways > 0.0
    staying = tight & ~marked_rows(owner, tight.size, possible & (b.next >= n))
    while True:
        edges = possible & staying[owner]
        graph = csr_matrix((np.ones(edges.sum()), (node[owner[edges]], b.next[edges])), shape=(n, n))
        label = connected_components(graph, directed=True, connection="strong")[1]
        leaving = np.zeros(owner.size, bool)
        leaving[edges] = label[node[owner[edges]]] != label[b.next[edges]]
        left = staying & ~marked_rows(owner, tight.size, leaving)
        if (left == staying).all():
            break
        staying = left
    inside = np.zeros(n, bool)
    inside[node[staying]] = True
    return np.where(inside, label, -1), staying


def can_stay(batch: Transitions, start: int, end: int) -> bool:
    """Whether the players together could keep play among the states start..end-1 for ever."""
    nothing = np.zeros((int(max(batch.next.max(initial=0) + 1, end)), 1))
    part = by_itself(batch, start, end, nothing, nothing, 0)
    return bool((end_components(part, np.ones(part.batch.outcome_start.size - 1, bool))[0] >= 0).any())


def marked_rows(owner: np.ndarray, rows: int, outcomes: np.ndarray) -> np.ndarray:
    """bool[rows], whether any of a row's outcomes is marked."""
    return np.bincount(owner[outcomes], minlength=rows) > 0


def potentials(part: Part, members: np.ndarray, staying: np.ndarray) -> np.ndarray | None:
    """h with payoff = h(node) - h(next) exactly for all outcomes of the rows that stay among `members`; None if there is none."""
    b, owner, node = part.batch, part.owner, part.node
    within = np.zeros(part.size, bool)
    within[members] = True
    outs = np.flatnonzero((b.ways > 0.0) & staying[owner] & within[node[owner]])
    if not b.payoff[outs, 0].any():
        return np.zeros(members.size)
    steps: dict[int, list[tuple[int, Fraction]]] = {int(s): [] for s in members}
    for o in outs:
        steps[int(node[owner[o]])].append((int(b.next[o]), Fraction(float(b.payoff[o, 0]))))
    h = {int(members[0]): Fraction(0)}
    queue = [int(members[0])]
    while queue:
        s = queue.pop()
        for t, paid in steps[s]:
            if t not in h:
                h[t] = h[s] - paid
                queue.append(t)
            elif h[t] != h[s] - paid:
                return None
    found = np.array([float(h[int(s)]) for s in members])
    exact = all(Fraction(float(x)) == h[int(s)] for x, s in zip(found, members, strict=True))
    return found if exact else None


def swing(
    part: Part, members: np.ndarray, staying: np.ndarray, potential: np.ndarray, enough: float
) -> tuple[float, np.ndarray]:
    """k and drift : float64[members] with: however play cycles by the rows that stay, k + `potential` is not negative on average.

    The drift is the witness that certificates/verify.py asks for; k is the least that it proves, or `enough`. A good one is found by
    relative value iteration (White 1963), each step halved, lest it follow a cycle round; k then tends to the least (Puterman
    1994, section 8.5.5)."""
    if np.max(-potential) <= enough or not potential.any():
        return max(enough, float(np.max(-potential))), np.zeros(members.size)
    b, n = part.batch, part.size
    where = np.zeros(part.value.shape[0], np.int64)
    where[members] = np.arange(members.size)
    within = np.zeros(n, bool)
    within[members] = True
    rows = np.flatnonzero(staying & within[part.node])
    outs = np.flatnonzero((staying & within[part.node])[part.owner] & (b.ways > 0.0))
    owner = np.searchsorted(rows, part.owner[outs])
    chance = b.ways[outs] / np.bincount(owner, b.ways[outs])[owner]
    node, after = where[part.node[rows]], where[b.next[outs]]
    first = np.flatnonzero(np.diff(node, prepend=-1))
    drift, scale = np.zeros(members.size), np.max(np.abs(potential))
    for _ in range(SWEEPS):
        step = np.maximum.reduceat(np.bincount(owner, chance * drift[after]) - potential[node], first) - drift
        if step.max() <= enough or step.max() - step.min() <= 2.0**-52 * scale:
            break
        drift += step / 2.0
        drift -= drift[0]
    everywhere = np.zeros((2, n))
    everywhere[:, members] = potential, drift
    return max(enough, float(np.max(average_excesses(part, *everywhere)[rows]))), drift
