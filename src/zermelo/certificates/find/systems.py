"""Bounds proposed for a component in which play ends, by linear systems: e is the value of a problem for one maximiser
(kernels/propose.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from zermelo.kernels.components import isolate
from zermelo.kernels.condense import Rows
from zermelo.methods import chance
from zermelo.methods.chance import Keys
from zermelo.methods.policy_iteration import ENDED, TOLERANCES, Block

ENOUGH = 1e-9  # relative accuracy of e by sweeps: far below the last drop
LARGER = (0.0, 1e-12, 1e-6)  # times the largest e: the drop c of each attempt, larger than the inaccuracy of e, direct or by sweeps
ROUNDS = 20  # of policy iteration, which takes fewer if play ends


def proposals(
    rows: Rows, start: int, end: int, excess: np.ndarray, largest: np.ndarray, proposal: np.ndarray, solve: Callable[[], bool]
) -> Iterator[None]:
    """Fill `proposal` of the states start..end-1, again for each attempt, as long as `solve` finds the value of the problem.

    rows : of kernels/propose.py. excess : float64[rows, payoffs], h. largest : float64[payoffs], of the policy's rows."""
    part = slice(*(rows.first_row[s - rows.low] for s in (start, end)))
    drop = np.full(largest.size, 1e-150)
    for times in LARGER:
        drop = np.maximum(drop, times * proposal[start:end].max(axis=0) if times else 1e-6 * largest)
        rows.reward[part] = excess[part] + drop
        if not solve():
            return
        yield


def by_policies(rows: Rows, start: int, end: int, policy: np.ndarray, proposal: np.ndarray) -> bool:
    """Solve the problem by policy iteration, for components of any kind that are not too large."""
    block = Block(Rows(*isolate(rows, start, end, proposal)))
    block.policy[:] = policy[start:end]
    try:
        for j in range(1, proposal.shape[1]):  # of the policy itself
            block.evaluate(False, j)
        if block.switch(False, TOLERANCES[0], (0,), ROUNDS) != ENDED:
            return False
    except RuntimeError:  # play need not end
        return False
    proposal[start:end] = block.value[:-1]
    return True


def of_chance(rows: Rows, start: int, end: int, keys: Keys, proposal: np.ndarray) -> bool:
    """Solve the problem where every state has one row, for all payoffs at once."""
    return chance.solve_component(rows, start, end, keys(start, end), proposal, ENOUGH)
