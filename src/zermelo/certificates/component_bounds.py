"""Bounds of the values of one strongly connected component of any kind (see certificate.py).

Where play can circle for ever among actions that look equally good, the inequality of `kernels.certify` must be
sharpened:

1. *One side at a time.* A state counts twice: as s+ its value is bounded from above, the minimiser keeping to the given
   policy; as s- the negated value is, the maximiser keeping to it. PASS leads from one side to the other. So all nodes
   maximise.
2. *End components* (de Alfaro 1997): sets in which the node's owner can stay for ever, by actions without a clear loss.
   If every payoff there is h(s) - h(next) for some h - above all if there are no payoffs, h = 0 - then u(s) = k + h(s)
   is a bound as good as any, k being large enough for u >= v and for staying for ever (3). The actions that stay are
   then satisfied with equality and drop out; e is the same throughout the set, which acts as a single state.
3. *Circling.* A play that stays from s on has been paid u(s) - u(present state) so far. Without payoffs that is 0 and
   u >= 0 bounds it. With payoffs it swings for ever: -1, 0, -1, 0 ... It counts as what it is on average (Thuijsman and
   Vrieze 1998; the limit of games that are stopped ever more rarely). So it suffices that u is not negative on average,
   however play circles, which `end_components.swing` proves; to ask for u >= 0 everywhere would be to give each player
   the most of the swing, and an interval as wide as that.

What these bounds can't do: where actions that look equally good can be repeated for ever and their payoffs are no h(s) -
h(next) - fair bets, say, which a player may go on with until he is as far ahead as he likes - there is no bound. Nor is
there one where circling is better on average than the values given, because then they aren't the game's. An action that
loses less than `CLEAR_LOSS` counts as equally good, so values that differ less than that are not told apart. And no bound
is closer than the rounding of one step times the number of steps that play can last among actions that look equally good:
a million steps at values of a million leave 1e-4.

Payoffs other than the first follow the policy; a set of states that it never leaves and where it never pays is worth 0
exactly.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_matrix

from zermelo.certificates.component_sides import Part, by_itself, row_excesses, running, two_sides
from zermelo.certificates.end_components import end_components, potentials, swing
from zermelo.kernels.certify import holds
from zermelo.kernels.components import improve, policy_matrix
from zermelo.kernels.condense import Rows
from zermelo.problem.solver import Uncertified
from zermelo.problem.transitions import Transitions
from zermelo.solvers import linear

CLEAR_LOSS = (1e-11, 1e-8, 1e-5)  # of an action, relative to the values: tried in turn
DROPS = (1e-6, 1e-3, 1.0)  # c, relative to the largest residual or 1e-6 of the errors outside: tried in turn
ROUNDS = 100  # of policy iteration for e
WORSE = (
    1e-5  # relative to the values: what leaving pays less than circling on average where the values are not the game's
)


def bound_component(
    batch: Transitions,
    start: int,
    end: int,
    value: np.ndarray,
    policy: np.ndarray,
    error: np.ndarray,
    discount: float,
    blur: float = 0.0,
) -> None:
    """The general method for one component."""
    if policy[start] < 0:  # nodes that are seen from one side already
        bound = bound_nodes(by_itself(batch, start, end, value, error, 0, blur), discount)
    else:
        bound = bound_value(two_sides(batch, start, end, value, policy, error), discount)
    if bound is None:
        raise Uncertified(np.arange(start, end), "play may circle here for ever and the values can't be bounded")
    error[start:end, 0] = bound
    for j in range(1, value.shape[1]):
        alone = by_itself(batch, start, end, value, error, j, blur)
        bound = bound_policy(alone, policy[start:end], discount)
        if bound is None:
            raise Uncertified(np.arange(start, end), f"payoff {j} of the policy can't be bounded")
        error[start:end, j] = bound


# Payoff 0 -------------------------------------------------------------------------------------------------------------


def bound_value(sides: Part, discount: float) -> np.ndarray | None:
    """float64[n], bounds of the n states of which `sides` has both sides; None if there is no proof."""
    bound = bound_nodes(sides, discount)
    return None if bound is None else np.maximum(bound[: sides.size // 2], bound[sides.size // 2 :])


def bound_nodes(sides: Part, discount: float) -> np.ndarray | None:
    """float64[nodes], bounds from above; None if there is no proof."""
    excess = row_excesses(sides, np.full(sides.size, -1, np.int32), discount)
    scale = max(np.max(np.abs(sides.value)), np.max(np.abs(sides.batch.payoff), initial=0.0))
    noise = 4.0 * max(np.max(sides.error, initial=0.0), np.max(np.abs(best_excess(sides, excess[:, 0]))))
    for loss in CLEAR_LOSS if discount == 1.0 else CLEAR_LOSS[:1]:
        bound = bound_with_ends(sides, excess[:, 0], -max(loss * scale, noise), discount)
        if bound is not None:
            return bound
    return None


def best_excess(part: Part, excess: np.ndarray) -> np.ndarray:
    """float64[n], the largest excess of a node's rows: zero but for rounding."""
    return np.maximum.reduceat(excess, part.batch.action_start[:-1])


def bound_with_ends(sides: Part, excess: np.ndarray, least: float, discount: float) -> np.ndarray | None:
    """Bounds of all nodes if nobody stays for ever but by rows with an excess above `least`: 2 above."""
    tight = excess > least
    label, staying = (
        end_components(sides, tight) if discount == 1.0 else (np.full(sides.size, -1), np.zeros_like(tight))
    )
    raised = sides.value.copy()
    blur = 0.0
    for end in np.unique(label[label >= 0]):
        members = np.flatnonzero(label == end)
        potential = potentials(sides, members, staying)
        if potential is None:
            return None
        least_constant = np.max(sides.value[members, 0] - potential)
        constant = swing(sides, members, staying, potential, least_constant)
        if constant > least_constant + WORSE * max(np.max(np.abs(sides.value)), np.max(np.abs(potential))):
            return None
        raised[members, 0] = constant + potential
        if potential.any():
            blur = max(blur, 2.0**-50 * (abs(constant) + np.max(np.abs(potential))))
    sharper = row_excesses(sides._replace(value=raised), np.full(sides.size, -1, np.int32), discount) + 2.0 * blur
    sharper[staying] = -np.inf
    found = solve_excess(
        sides, sharper, least, np.where(label >= 0, label + sides.size, np.arange(sides.size)), discount
    )
    if found is None:
        return None
    gap = np.maximum(raised[: sides.size, 0] - sides.value[: sides.size, 0], 0.0)
    return (gap + blur + found) * (1.0 + 2.0**-50)


# The other payoffs ----------------------------------------------------------------------------------------------------


def bound_policy(alone: Part, policy: np.ndarray, discount: float) -> np.ndarray | None:
    """Bounds of what the policy pays."""
    b = alone.batch
    chosen = np.zeros(b.outcome_start.size - 1, bool)
    chosen[b.action_start[:-1] + policy] = True
    excess = np.where(chosen[:, None], row_excesses(alone, policy, discount), -np.inf)
    resting = at_rest(alone, chosen) if discount == 1.0 else np.zeros(alone.size, bool)
    excess[chosen] = np.where(resting[:, None], -np.inf, excess[chosen])
    alone.error[: alone.size][resting] = np.abs(alone.value[: alone.size][resting])
    return solve_excess(alone, excess, 0.0, np.arange(alone.size), discount)


def at_rest(alone: Part, chosen: np.ndarray) -> np.ndarray:
    """bool[n], the largest set of nodes that the policy never leaves and where it never pays."""
    b, owner, node = alone.batch, alone.owner, alone.node
    happens = (b.ways > 0.0) & chosen[owner]
    resting = np.append(np.ones(alone.size, bool), False)
    while True:
        breaks = happens & ((b.payoff[:, 0] != 0.0) | ~resting[np.minimum(b.next, alone.size)])
        broken = np.isin(np.arange(alone.size), node[owner[breaks]])
        if not (broken & resting[:-1]).any():
            return resting[:-1]
        resting[:-1] &= ~broken


# Solving for e --------------------------------------------------------------------------------------------------------


def solve_excess(part: Part, excess: np.ndarray, least: float, group: np.ndarray, discount: float) -> np.ndarray | None:
    """float64[n], e >= h + what comes later, for all rows but those whose excess is -inf; equal within groups; None if not found.

    group : int64[n], any numbers. Groups without a row whose excess is above `least` keep the error that `part` has for them.
    What is returned has passed `holds`."""
    b, error = part.batch, part.error.copy()
    for drop in DROPS:
        stay = longest_stay(part, excess, least, group, drop, discount)
        if stay is None:
            continue
        free = np.isnan(stay)
        error[: part.size, 0] = np.where(free, part.error[: part.size, 0], stay)
        if holds(b, discount, 0, part.size, 0, excess, error):
            return error[: part.size, 0]
    return None


def longest_stay(
    part: Part, excess: np.ndarray, least: float, group: np.ndarray, drop: float, discount: float
) -> np.ndarray | None:
    """float64[n], the largest sum of (excess + drop) along any play, groups acting as single states; NaN for groups left out.

    None if policy iteration fails. `drop` is as in DROPS."""
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
    outs = np.repeat(b.outcome_start[rows] - running(lengths)[:-1], lengths) + np.arange(lengths.sum())
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
        following.astype(np.int32),
        chance,
        reward[:, None],
        np.ones((rows.size, 1), bool),
        np.zeros(names.size, np.int8),
    )
    found = iterate(problem)
    return None if found is None else np.append(found, np.nan)[place]


def iterate(rows: Rows) -> np.ndarray | None:
    """Policy iteration of one maximiser, from the rows with the largest reward."""
    n = rows.player.size
    node = np.repeat(np.arange(n), np.diff(rows.first_row))
    order = np.lexsort((-rows.reward[:, 0], node))
    policy = (order[rows.first_row[:-1]] - rows.first_row[:-1]).astype(np.int32)
    value, nowhere = np.zeros((n + 1, 1)), np.zeros(n, np.bool_)
    for _ in range(ROUNDS):
        indptr, indices, data = policy_matrix(rows, policy, nowhere)
        right = rows.reward[rows.first_row[:-1] + policy]
        try:
            value[:-1] = linear.solve(csr_matrix((data, indices, indptr), shape=(n, n)), right, value[:-1])
        except RuntimeError:
            return None
        if not np.isfinite(value).all() or value.min() < 0.0:
            return None
        if not improve(rows, 0, n, value, policy, 2, 1e-12):
            return value[:-1, 0]
    return None
