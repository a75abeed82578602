"""What floats do for exact values: they look for a policy from which to start, and notice a wrong value. Neither is part of a proof."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial

import numpy as np

from zermelo.certificates.endless import proven
from zermelo.errors import OutOfReach
from zermelo.kernels.condense import Rows, condensed
from zermelo.methods import cyclic
from zermelo.methods.chance import keys_of
from zermelo.problem.solver import NotConverged, Problem, Unbounded
from zermelo.problem.transitions import Transitions
from zermelo.solvers.rational_alike import pieces
from zermelo.solvers.rational_values import ExactValues

ROUGHLY, TINY = 2.0**-50, 1e-280  # relative and absolute rounding errors of a few operations of floats; both on the high side


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
        return condensed(self.batch, self.discount)

    def find(self, low: int, high: int) -> None:
        """Fill the policy of the component low..high-1 if floats find one; all states before it are solved. Raises `Unbounded` with a
        proof that there is no value."""
        for j in range(self.value.shape[1]):
            self.value[self.known : low, j] = self.values.floats(np.arange(self.known, low), j)
        self.known = low
        before = self.policy[low:high].copy()
        try:
            cyclic.settle(
                self.rows, self.batch.final_payoff, np.array([low, high]), self.discount, self.value, self.policy, self.keys,
                prove=partial(proven, self.batch, blur=self.blur),
            )  # fmt: skip
        except NotConverged:
            self.policy[low:high] = before
        except Unbounded as failure:
            self.policy[low:high] = before
            if failure.is_proven:
                raise


def row_values(
    batch: Transitions, rows: np.ndarray, j: int, values_of: Callable[[np.ndarray], np.ndarray], discount: float
) -> tuple[np.ndarray, np.ndarray]:
    """(value, error), each float64[len(rows)]: payoff j when the rows are played, and a bound of the rounding errors.

    rows : int64, at least one. values_of : the values of states, correct to a relative error of 2^-51."""
    begin, end = batch.outcome_start[rows], batch.outcome_start[rows + 1]
    _, outs = pieces(begin, end)
    ways, paid, passes = batch.ways[outs], batch.payoff[outs, j], batch.sign[outs] < 0
    following = values_of(batch.next[outs])
    happens, starts = ways > 0, np.cumsum(end - begin) - (end - begin)
    with np.errstate(all="ignore"):
        later = discount * following
        worth = np.where(happens, ways * (paid + np.where(passes, -later, later)), 0.0)
        size = np.where(happens, ways * (np.abs(paid) + np.abs(later)), 0.0)
        weight = np.add.reduceat(ways, starts)
        value = np.add.reduceat(worth, starts) / weight
        error = (np.add.reduceat(size, starts) * ((20 + int((end - begin).max())) * ROUGHLY) + TINY) / weight + TINY
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
        known = value[:, j]
        found, error = row_values(batch, np.arange(len(state)), j, known.__getitem__, discount)
        with np.errstate(all="ignore"):
            gain = sense * (found - known[state])
            room = error + ROUGHLY * np.abs(known[state])
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
