"""The check of bounds for one component of any kind (compiled in kernels/verify_claims.py); it imports no solver and no search for bounds.

Where play can go round forever among actions that look equally good, no e satisfies the inequality of kernels/verify.py, as it requires
a drop of c > 0 at every step. The check here requires it at most steps only. All nodes maximise (sides.py), v are the
given values, and the claim consists of numbers U(s) = base(s) + potential(s) + rise(s), rise >= 0, and a set of rows that are *free*:

1. A row that is not free satisfies the inequality, with U in place of v + e:
   U(s) >= c + (mean of payoff + discount * U(next)) for some c > 0, U outside being v + error.
2. A free row stays inside, and for each of its outcomes, U(s) >= payoff + U(next): not only in the mean. It is
   checked without rounding: potential(s) >= payoff + potential(next), and neither base nor rise is larger at the next node.
3. Under any continuation of play by free rows alone, U is not negative on average. A witness proves it, any numbers `drift` with
   base(s) + potential(s) >= (mean of drift(next)) - drift(s) for the free rows: the gains and losses of drift along a play are bounded.

Then U bounds the true values from above. The amount paid so far plus U of the present node never rises at a free row and falls by c
or more in the mean at any other row. A play that takes other rows again and again without leaving loses without end; one that leaves has
U(s) or less in the mean; and one that finally stays by free rows has been paid U(s) - U(present node) or less, which is U(s) or less
on average. (An amount that swings forever counts as its average: Thuijsman and Vrieze 1998.) With a discount nothing is free.

So where nothing is paid a player may stay forever by free rows if U is the same throughout and not negative; where payoffs are
differences of a potential, U must follow it and not be negative on average. Requiring U >= 0 everywhere would give each
player the maximum of the swing, and an interval as wide as the swing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.certificates.sides import Part, graph_of, row_excesses
from zermelo.kernels.verify import holds
from zermelo.kernels.verify_claims import bound_claimed


class Claim(NamedTuple):
    """A claim about the nodes 0..n-1 of a `Part`: that base + potential + rise bounds their values from above."""

    base: np.ndarray  # float64[n]
    potential: np.ndarray  # float64[n]
    drift: np.ndarray  # float64[n]
    rise: np.ndarray  # float64[n]
    free: np.ndarray  # bool[rows]


class PolicyClaim(NamedTuple):
    """A claim about a payoff of the policy: it is 0 where play is at rest, and off by at most `rise` elsewhere."""

    rest: np.ndarray  # bool[n]
    rise: np.ndarray  # float64[n]


# The value of the game ------------------------------------------------------------------------------------------------


def accept_value(part: Part, claim: Claim, discount: float, error: np.ndarray) -> bool:
    """Fill `error` : float64[states] from the claim if it is proven; otherwise return False, and `error` is infinite.

    A part with twice as many nodes has both sides of every state, and the larger bound counts."""
    bound = bound_from_above(part, claim, discount)
    error[:] = np.inf if bound is None else bound.reshape(-1, error.size).max(axis=0)
    return bound is not None


def bound_from_above(part: Part, claim: Claim, discount: float) -> np.ndarray | None:
    """float64[n], how far the true value of a node may exceed the given one; None if the claim is not proven."""
    if (part.batch.player != 0).any():
        return None
    bound = np.empty(part.size)
    proven = bound_claimed(
        *graph_of(part), part.batch.payoff, part.value, part.error, discount, part.blur, claim.base, claim.potential, claim.drift,
        claim.rise, claim.free, bound,
    )  # fmt: skip
    return bound if proven else None


# A payoff of the policy -----------------------------------------------------------------------------------------------


def accept_policy(part: Part, policy: np.ndarray, claim: PolicyClaim, discount: float, error: np.ndarray) -> bool:
    """Fill `error` : float64[n] if the claim is proven; otherwise return False, and `error` is infinite."""
    found = policy_errors(part, claim)
    good = never_pays(part, policy, claim.rest) and _satisfied(
        part, policy_excesses(part, policy, claim.rest, discount), found, discount
    )
    error[:] = found if good else np.inf
    return good


def policy_errors(part: Part, claim: PolicyClaim) -> np.ndarray:
    """float64[n], the errors according to the claim."""
    return np.where(claim.rest, np.abs(part.value[: part.size, 0]), claim.rise)


def policy_excesses(part: Part, policy: np.ndarray, rest: np.ndarray, discount: float) -> np.ndarray:
    """float64[rows, 1], h of the policy's rows outside `rest`; -inf for the others."""
    counts = chosen_rows(part, policy) & ~rest[part.node]
    return np.where(counts[:, None], row_excesses(part, policy, discount), -np.inf)


def chosen_rows(part: Part, policy: np.ndarray) -> np.ndarray:
    """bool[rows], whether a row belongs to the policy."""
    chosen = np.zeros(part.batch.outcome_start.size - 1, bool)
    chosen[part.batch.action_start[:-1] + policy] = True
    return chosen


def never_pays(part: Part, policy: np.ndarray, rest: np.ndarray) -> bool:
    """Whether the policy never leaves the nodes of `rest` and is never paid there: then its value is 0 there."""
    b, owner = part.batch, part.owner
    happens = ((b.ways > 0.0) | (part.blur > 0.0)) & (chosen_rows(part, policy) & rest[part.node])[owner]
    inside = np.append(rest, np.zeros(part.value.shape[0] - part.size, bool))
    return bool(((b.payoff[:, 0] == 0.0) & inside[b.next])[happens].all())


def _satisfied(part: Part, excess: np.ndarray, rise: np.ndarray, discount: float) -> bool:
    """The inequality of kernels/verify.py, with `rise` inside and the known errors outside."""
    error = part.error.copy()
    error[: part.size, 0] = rise
    return bool(holds(part.batch, discount, 0, part.size, 0, excess, error))
