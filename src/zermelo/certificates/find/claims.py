"""Claims of bounds for one strongly connected component of any kind; certificates/verify.py checks them.

End components and the claims about them come from kernels/propose_claims.py; the rise, the possible loss by other actions, from stay.py.
(Components with few states have both compiled: kernels/certify.py.)
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.basics.different import different
from zermelo.certificates.find.stay import stays
from zermelo.certificates.sides import Part, graph_of
from zermelo.certificates.verify import Claim, PolicyClaim, chosen_rows, policy_errors, policy_excesses
from zermelo.kernels.certify import CLEAR_LOSS
from zermelo.kernels.propose_claims import propose_claim


def of_value(part: Part, discount: float) -> Iterator[Claim]:
    """Claims of how far the true values of the nodes may exceed the given ones, the tightest first."""
    rows = part.batch.outcome_start.size - 1
    for loss in CLEAR_LOSS if discount == 1.0 else CLEAR_LOSS[:1]:
        base, potential, drift, group = *np.empty((3, part.size)), np.empty(part.size, np.int64)
        free, excess = np.empty(rows, bool), np.empty((rows, 1))
        found, least = propose_claim(
            *graph_of(part), part.batch.payoff, part.value, part.error, discount, part.blur, loss, base, potential, drift, free, group,
            excess[:, 0],
        )  # fmt: skip
        if found:
            for rise in stays(part, excess, least, group, discount):
                yield Claim(base, potential, drift, rise, free)


def of_policy(part: Part, policy: np.ndarray, discount: float) -> Iterator[PolicyClaim]:
    """Claims of how far the payments of the policy may be from the given values, the tightest first."""
    resting = at_rest(part, policy) if discount == 1.0 else np.zeros(part.size, bool)
    error = part.error.copy()
    error[: part.size, 0] = policy_errors(part, PolicyClaim(resting, part.error[: part.size, 0]))
    known = part._replace(error=error)
    excess = policy_excesses(part, policy, resting, discount)
    for rise in stays(known, excess, 0.0, np.arange(part.size), discount):
        yield PolicyClaim(resting, rise)


def at_rest(part: Part, policy: np.ndarray) -> np.ndarray:
    """bool[n], the largest set of nodes that the policy never leaves and where it never pays."""
    b, owner, node = part.batch, part.owner, part.node
    happens = np.flatnonzero((b.ways > 0.0) & chosen_rows(part, policy)[owner])
    source, next_node = node[owner[happens]], b.next[happens]
    resting = np.ones(part.size, bool)
    is_inside = next_node < part.size
    new = different(source[(b.payoff[happens, 0] != 0.0) | ~is_inside])
    source, next_node = source[is_inside], next_node[is_inside]
    source = source[np.argsort(next_node, kind="stable")]  # those that lead to a node are together
    count = np.bincount(next_node, minlength=part.size)
    first = np.cumsum(count) - count
    while new.size:  # each node is new once, at most
        resting[new] = False
        ends = np.cumsum(count[new])
        to_new = source[np.arange(ends[-1]) + np.repeat(first[new] + count[new] - ends, count[new])]
        new = different(to_new[resting[to_new]])
    return resting
