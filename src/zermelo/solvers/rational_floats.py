"""What floats do for exact values: they look for a policy from which to start, and notice a wrong value. Neither is part of a proof."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from scipy.sparse import csr_matrix

from zermelo.certificates.endless import proven
from zermelo.errors import OutOfReach
from zermelo.kernels.condense import Rows
from zermelo.methods import cyclic
from zermelo.methods.chance import keys_of
from zermelo.problem.solver import NotConverged, Problem, Unbounded
from zermelo.problem.transitions import Transitions
from zermelo.solvers.rational_values import ExactValues

ROUGHLY, TINY = 2.0**-50, 1e-280  # relative and absolute rounding errors of a few operations of floats; both on the high side
SWEEPS = 100  # of value iteration between two exact evaluations of a policy
CLEARLY = 2.0**-40  # the least relative gain of a switch in these sweeps: more than their rounding errors


class FirstPolicy:
    """Policies of the components of a batch, from the float values of all states before them. No bounds are computed."""

    def __init__(
        self, problem: Problem, batch: Transitions, values: ExactValues, value: np.ndarray, policy: np.ndarray, discount: float
    ):
        """value : float64[n, payoffs], that of the states below batch.low is known. policy : int32[n], to be filled."""
        self.batch, self.values, self.value, self.policy, self.discount = batch, values, value, policy, discount
        self.keys, self.blur = keys_of(problem), getattr(problem, "blur", 0.0)
        self.known = batch.low  # states below it have float values

    @cached_property
    def rows(self) -> Rows:
        """The batch as the methods in floats take it."""
        return cyclic.condensed(self.batch, self.discount)

    def find(self, low: int, high: int) -> None:
        """Fill the policy of the component low..high-1 if floats find one; all states before it are solved. Raises `Unbounded` with a
        proof that there is no value."""
        for j in range(self.value.shape[1]):
            self.value[self.known : low, j] = self.values.floats(np.arange(self.known, low), j)
        self.known = low
        before = self.policy[low:high].copy()
        try:
            cyclic.settle(
                self.rows, self.batch.final_payoff, np.array([low, high]), self.discount, self.value, self.policy, self.keys
            )
        except NotConverged:
            self.policy[low:high] = before
        except Unbounded as failure:
            self.policy[low:high] = before
            failure = proven(self.batch, failure, self.blur)
            if failure.is_proven:
                raise failure from None


def look_ahead(batch: Transitions, low: int, high: int, values: ExactValues, policy: np.ndarray, discount: float) -> None:
    """Switch to rows that value iteration in floats, begun from the exact values of a policy, finds better: further than one step ahead,
    which saves rounds of policy iteration. Nothing happens where both players choose in the component low..high-1, or with PASS.

    A component whose values are tiny beside those outside is where floats alone find no good policy. From the exact values, sums of
    numbers that are not negative keep their relative accuracy."""
    at = batch.action_start[low - batch.low : high - batch.low + 1]
    begin, end = int(at[0]), int(at[-1])
    first = batch.outcome_start[begin : end + 1]
    outs = slice(int(first[0]), int(first[-1]))
    minimises = np.unique(batch.player[low - batch.low : high - batch.low][np.diff(at) > 1])
    if minimises.size != 1 or (batch.sign[outs] < 0).any():
        return
    ways, following = batch.ways[outs], batch.next[outs].astype(np.int64)
    is_inside = (following >= low) & (following < high)
    outside, place = np.unique(following[~is_inside], return_inverse=True)
    paid = batch.payoff[outs, 0].copy()
    paid[~is_inside] += discount * values.floats(outside)[place]
    weight = np.add.reduceat(ways, first[:-1] - first[0])
    fixed = np.add.reduceat(ways * paid, first[:-1] - first[0]) / weight
    row = np.repeat(np.arange(end - begin), np.diff(first))[is_inside]
    chance = csr_matrix((discount * ways[is_inside] / weight[row], (row, following[is_inside] - low)), shape=(end - begin, high - low))
    sense = -1.0 if minimises[0] else 1.0
    value = sense * values.floats(np.arange(low, high))
    if not (np.isfinite(value).all() and np.isfinite(fixed).all()):
        return
    state = np.repeat(np.arange(high - low), np.diff(at))
    for _ in range(SWEEPS):
        worth = sense * fixed + chance @ value
        best = np.maximum.reduceat(worth, at[:-1] - begin)
        rises = best - value > CLEARLY * np.abs(value)
        if not rises.any():
            return
        found = np.flatnonzero((worth == best[state]) & rises[state])
        of, which = np.unique(state[found], return_index=True)
        policy[low + of] = found[which] - (at[of] - begin)
        value[rises] = best[rises]


def row_values(
    batch: Transitions, begin: int, end: int, j: int, following: np.ndarray, discount: float
) -> tuple[np.ndarray, np.ndarray]:
    """(value, error), each float64[end - begin]: payoff j when the rows begin..end-1 are played, and a bound of the rounding errors.

    following : float64[outcomes of these rows], the values of the next states, correct to a relative error of 2^-51."""
    first = batch.outcome_start[begin : end + 1]
    outs = slice(int(first[0]), int(first[-1]))
    ways, paid, passes = batch.ways[outs], batch.payoff[outs, j], batch.sign[outs] < 0
    happens, starts = ways > 0, first[:-1] - first[0]
    with np.errstate(all="ignore"):
        later = discount * following
        worth = np.where(happens, ways * (paid + np.where(passes, -later, later)), 0.0)
        size = np.where(happens, ways * (np.abs(paid) + np.abs(later)), 0.0)
        weight = np.add.reduceat(ways, starts)
        value = np.add.reduceat(worth, starts) / weight
        error = (np.add.reduceat(size, starts) * ((20 + int(np.diff(first).max())) * ROUGHLY) + TINY) / weight + TINY
    return value, error


def require_fit(batch: Transitions, value: np.ndarray, policy: np.ndarray, discount: float) -> None:
    """Raise `OutOfReach` if the exact values of a batch, as floats, are not those of the policy's rows up to rounding, or if another row
    is better: a safety net, as they were proven in rationals. value : float64[n, payoffs]."""
    rows = np.diff(batch.action_start)
    if not rows.sum():
        return
    state = batch.low + np.repeat(np.arange(rows.size), rows)
    acts = rows > 0
    chosen = (batch.action_start[:-1] + policy[batch.low : batch.high])[acts]
    sense = np.where(batch.player[state - batch.low] == 1, -1.0, 1.0)
    for j in range(value.shape[1]):
        found, error = row_values(batch, 0, len(state), j, value[batch.next, j], discount)
        with np.errstate(all="ignore"):
            gain = sense * (found - value[state, j])
            room = error + ROUGHLY * np.abs(value[state, j])
            wrong = np.zeros(len(state), bool)
            wrong[chosen] = np.abs(gain[chosen]) > room[chosen]
            if j == 0:
                wrong |= gain > room
        if wrong.any():
            row = int(np.argmax(wrong))
            raise OutOfReach(
                f"the exact value of state number {state[row]} (payoff {j}), {float(value[state[row], j])!r}, isn't that of what follows, "
                f"{float(found[row])!r}, so one of them is wrong; please report this game"
            )
