"""Claims of bounds for one strongly connected component of any kind; certificates/verify.py checks them.

1. *End components* (ends.py): sets in which the node's owner can stay for ever, by actions without a clear loss. If every payoff there
   is h(s) - h(next) for some h - above all if there are no payoffs, h = 0 - then k + h is as good a bound as any, k being large
   enough for it to be v or more and not negative on average. The actions that stay are free then.
2. The rise: what the other actions can lose (stay.py), the same throughout an end component, which acts as a single state.

What these bounds can't do: where actions that look equally good can be repeated for ever and their payoffs are no h(s) -
h(next) - fair bets, say, which a player may go on with until he is as far ahead as he likes - there is no bound. Nor is
there one where cycling is better on average than the values given, because then they aren't the game's. An action that
loses less than `CLEAR_LOSS` counts as equally good, so values that differ less than that are not told apart. And no bound
is closer than the rounding of one step times the number of steps that play can last among actions that look equally good:
a million steps at values of a million leave 1e-4.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.certificates.find.ends import end_components, potentials, swing
from zermelo.certificates.find.stay import stays
from zermelo.certificates.sides import Part, row_excesses
from zermelo.certificates.verify import (
    Claim,
    PolicyClaim,
    chosen_rows,
    every_row,
    excesses_of,
    policy_errors,
    policy_excesses,
)

CLEAR_LOSS = (1e-11, 1e-8, 1e-5)  # of an action, relative to the values: tried in turn
# What leaving pays less than cycling on average where the values are not the game's, relative to the values
WORSE = 1e-5


def of_value(part: Part, discount: float) -> Iterator[Claim]:
    """Claims of how much the true values of the nodes may be above the given ones, the closest first."""
    excess = row_excesses(part, every_row(part), discount)[:, 0]
    scale = max(np.max(np.abs(part.value)), np.max(np.abs(part.batch.payoff), initial=0.0))
    best = np.maximum.reduceat(excess, part.batch.action_start[:-1])  # zero but for rounding
    noise = 4.0 * max(np.max(part.error, initial=0.0), np.max(np.abs(best)))
    for loss in CLEAR_LOSS if discount == 1.0 else CLEAR_LOSS[:1]:
        yield from with_ends(part, excess, -max(loss * scale, noise), discount)


def with_ends(part: Part, excess: np.ndarray, least: float, discount: float) -> Iterator[Claim]:
    """Claims for the case that nobody stays for ever but by rows with an excess above `least`."""
    tight = excess > least
    label, staying = end_components(part, tight) if discount == 1.0 else (np.full(part.size, -1), np.zeros_like(tight))
    nothing = np.zeros(part.size)
    claim = Claim(part.value[: part.size, 0].copy(), nothing.copy(), nothing.copy(), nothing, staying)
    for end in np.unique(label[label >= 0]):
        members = np.flatnonzero(label == end)
        potential = potentials(part, members, staying)
        if potential is None:
            return
        least_constant = np.max(part.value[members, 0] - potential)
        constant, drift = swing(part, members, staying, potential, least_constant)
        if constant > least_constant + WORSE * max(np.max(np.abs(part.value)), np.max(np.abs(potential))):
            return
        claim.base[members], claim.potential[members], claim.drift[members] = constant, potential, drift
    group = np.where(label >= 0, label + part.size, np.arange(part.size))
    for rise in stays(part, excesses_of(part, claim, discount), least, group, discount):
        yield claim._replace(rise=rise)


def of_policy(part: Part, policy: np.ndarray, discount: float) -> Iterator[PolicyClaim]:
    """Claims of how far what the policy pays may be from the given values, the closest first."""
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
    happens = (b.ways > 0.0) & chosen_rows(part, policy)[owner]
    resting = np.append(np.ones(part.size, bool), False)
    while True:
        breaks = happens & ((b.payoff[:, 0] != 0.0) | ~resting[np.minimum(b.next, part.size)])
        broken = np.isin(np.arange(part.size), node[owner[breaks]])
        if not (broken & resting[:-1]).any():
            return resting[:-1]
        resting[:-1] &= ~broken
