"""The check of bounds for one component of any kind; it imports no solver and no search for bounds.

Where play can go round for ever among actions that look equally good, no e satisfies the inequality of kernels/verify.py: it asks
for a drop by c > 0 at every step. What is checked here asks for it at most steps only. All nodes maximise (sides.py), v are the
given values, and claimed are numbers U(s) = base(s) + potential(s) + rise(s), rise >= 0, and a set of rows that are *free*:

1. A row that is not free satisfies the inequality, with U in place of v + e:
   U(s) >= c + (mean of payoff + discount * U(next)) for some c > 0, U outside being v + error.
2. A free row stays inside, and whichever of its outcomes comes about, U(s) >= payoff + U(next): not in the mean but for each. It is
   checked without rounding: potential(s) >= payoff + potential(next), and neither base nor rise is larger at the next node.
3. However play goes on by free rows alone, U is not negative on average. A witness proves it, any numbers `drift` with
   base(s) + potential(s) >= (mean of drift(next)) - drift(s) for the free rows: what drift gains and loses along a play is bounded.

Then U bounds the true values from above. What was paid so far, plus U of the present node, never rises at a free row and falls by c
or more in the mean at any other. A play that takes other rows again and again without leaving loses without end; one that leaves has
U(s) or less in the mean; and one that stays at last by free rows has been paid U(s) - U(present node) or less, which is U(s) or less
on average. (What swings for ever counts as what it is on average: Thuijsman and Vrieze 1998.) With a discount nothing is free.

So where nothing is paid a player may stay for ever by free rows if U is the same throughout and not negative; where payoffs are
differences of a potential, U must follow it and not be negative on average. To ask for U >= 0 everywhere would be to give each
player the most of the swing, and an interval as wide as that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.certificates.sides import Part, row_excesses
from zermelo.kernels.verify import holds

ROUGH = 2.0**-50  # eight times what the rounding of a sum of two can be, relatively


class Claim(NamedTuple):
    """What is said of the nodes 0..n-1 of a `Part`: that base + potential + rise bounds their values from above."""

    base: np.ndarray  # float64[n]
    potential: np.ndarray  # float64[n]
    drift: np.ndarray  # float64[n]
    rise: np.ndarray  # float64[n]
    free: np.ndarray  # bool[rows]


class PolicyClaim(NamedTuple):
    """What is said of a payoff of the policy: it is 0 where play is at rest, and off by `rise` at most elsewhere."""

    rest: np.ndarray  # bool[n]
    rise: np.ndarray  # float64[n]


# The value of the game ------------------------------------------------------------------------------------------------


def accept_value(part: Part, claim: Claim, discount: float, error: np.ndarray) -> bool:
    """Fill `error` : float64[states] from the claim if it is proven; else False, and `error` is infinite.

    A part with twice as many nodes has both sides of every state, and the larger bound counts."""
    bound = bound_from_above(part, claim, discount)
    error[:] = np.inf if bound is None else bound.reshape(-1, error.size).max(axis=0)
    return bound is not None


def bound_from_above(part: Part, claim: Claim, discount: float) -> np.ndarray | None:
    """float64[n], how much the true value of a node may be above the one given; None if the claim is not proven."""
    numbers = np.concatenate([claim.base, claim.potential, claim.drift, claim.rise])
    if not np.isfinite(numbers).all() or (part.batch.player != 0).any():
        return None
    if claim.free.any() and not (discount == 1.0 and never_rises(part, claim) and is_enough_on_average(part, claim)):
        return None
    if not _satisfied(part, excesses_of(part, claim, discount), claim.rise, discount):
        return None
    raised, rough = _raised(claim)
    gap = np.maximum(raised - part.value[: part.size, 0], 0.0)
    return (gap + rough + claim.rise) * (1.0 + ROUGH)


def excesses_of(part: Part, claim: Claim, discount: float) -> np.ndarray:
    """float64[rows, 1], h of every row (kernels/verify.py) for base + potential in place of the values; -inf for free rows."""
    raised, rough = _raised(claim)
    value = part.value.copy()
    value[: part.size, 0] = raised
    excess = row_excesses(part._replace(value=value), every_row(part), discount) + 2.0 * rough
    excess[claim.free] = -np.inf
    return excess


def _raised(claim: Claim) -> tuple[np.ndarray, float]:
    """base + potential, and how far rounding may have moved it: not at all where the potential is 0."""
    moved = claim.potential != 0.0
    size = np.abs(claim.base[moved]) + np.abs(claim.potential[moved])
    return claim.base + claim.potential, ROUGH * float(np.max(size, initial=0.0))


def never_rises(part: Part, claim: Claim) -> bool:
    """2 above, without rounding: a sum of two floats is their rounded sum and what `lost` says (Knuth 1969)."""
    b, owner = part.batch, part.owner
    # ways that are results of rounding may have vanished in it, though their outcomes can happen
    outs = np.flatnonzero(claim.free[owner] & ((b.ways > 0.0) | (part.blur > 0.0)))
    here, after = part.node[owner[outs]], b.next[outs]
    if (after >= part.size).any() or (b.sign[outs] < 0).any():
        return False
    paid, later = b.payoff[outs, 0], claim.potential[after]
    total = paid + later
    back = total - paid
    lost = (paid - (total - back)) + (later - back)
    potential = claim.potential[here]
    follows = (total < potential) | ((total == potential) & (lost <= 0.0))
    level = (claim.base[after] <= claim.base[here]) & (claim.rise[after] <= claim.rise[here])
    return bool((follows & level).all())


def is_enough_on_average(part: Part, claim: Claim) -> bool:
    """3 above, rounding included; without any where the drift is 0."""
    base, node = claim.base[part.node], part.node
    moves = np.append(claim.drift != 0.0, np.zeros(part.value.shape[0] - part.size, bool))
    drifts = moves[node]
    drifts[part.owner[moves[part.batch.next]]] = True
    still = ~drifts & (base >= -claim.potential[node])
    return bool((still | (average_excesses(part, claim.potential, claim.drift) <= base))[claim.free].all())


def average_excesses(part: Part, potential: np.ndarray, drift: np.ndarray) -> np.ndarray:
    """float64[rows], -potential + (mean of drift at the next node) - drift, rounded upwards."""
    value = np.zeros_like(part.value)
    value[: part.size, 0] = drift
    paid = -potential[part.node[part.owner]][:, None]
    averaged = part._replace(batch=part.batch._replace(payoff=paid), value=value)
    return row_excesses(averaged, every_row(part), 1.0)[:, 0]


def every_row(part: Part) -> np.ndarray:
    """The policy that says that every row counts."""
    return np.full(part.size, -1, np.int32)


# A payoff of the policy -----------------------------------------------------------------------------------------------


def accept_policy(part: Part, policy: np.ndarray, claim: PolicyClaim, discount: float, error: np.ndarray) -> bool:
    """Fill `error` : float64[n] if the claim is proven; else False, and `error` is infinite."""
    found = policy_errors(part, claim)
    good = never_pays(part, policy, claim.rest) and _satisfied(
        part, policy_excesses(part, policy, claim.rest, discount), found, discount
    )
    error[:] = found if good else np.inf
    return good


def policy_errors(part: Part, claim: PolicyClaim) -> np.ndarray:
    """float64[n], what the claim says the errors are."""
    return np.where(claim.rest, np.abs(part.value[: part.size, 0]), claim.rise)


def policy_excesses(part: Part, policy: np.ndarray, rest: np.ndarray, discount: float) -> np.ndarray:
    """float64[rows, 1], h of the policy's rows outside `rest`; -inf for the others."""
    counts = chosen_rows(part, policy) & ~rest[part.node]
    return np.where(counts[:, None], row_excesses(part, policy, discount), -np.inf)


def chosen_rows(part: Part, policy: np.ndarray) -> np.ndarray:
    """bool[rows], whether a row is the policy's."""
    chosen = np.zeros(part.batch.outcome_start.size - 1, bool)
    chosen[part.batch.action_start[:-1] + policy] = True
    return chosen


def never_pays(part: Part, policy: np.ndarray, rest: np.ndarray) -> bool:
    """Whether the policy never leaves the nodes of `rest` and is never paid there: then it is worth 0 there."""
    b, owner = part.batch, part.owner
    happens = ((b.ways > 0.0) | (part.blur > 0.0)) & (chosen_rows(part, policy) & rest[part.node])[owner]
    inside = np.append(rest, np.zeros(part.value.shape[0] - part.size, bool))
    return bool(((b.payoff[:, 0] == 0.0) & inside[b.next])[happens].all())


def _satisfied(part: Part, excess: np.ndarray, rise: np.ndarray, discount: float) -> bool:
    """The inequality of kernels/verify.py, with `rise` inside and the known errors outside."""
    error = part.error.copy()
    error[: part.size, 0] = rise
    return bool(holds(part.batch, discount, 0, part.size, 0, excess, error))
