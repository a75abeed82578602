"""Bounds proposed for a component of any kind that is not too large, in which play ends: e is the value of a problem for one maximiser
(kernels/propose.py), found by policy iteration with linear systems."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.kernels.components import isolate
from zermelo.kernels.condense import Rows
from zermelo.methods.policy_iteration import ENDED, TOLERANCES, Block

ROUNDS = 20  # of policy iteration, which takes fewer if play ends
LARGER = (0.0, 1e-12, 1e-9)  # times the largest e: the drop c of each attempt, larger than the inaccuracy of e


def proposals(
    rows: Rows, start: int, end: int, policy: np.ndarray, excess: np.ndarray, largest: np.ndarray, proposal: np.ndarray
) -> Iterator[None]:
    """Fill `proposal` of the states start..end-1, again for each attempt, with a larger drop c.

    rows : of kernels/propose.py. excess : float64[rows, payoffs], h. largest : float64[payoffs], of the policy's rows."""
    part = slice(*(rows.first_row[s - rows.low] for s in (start, end)))
    drop = np.full(largest.size, 1e-150)
    for times in LARGER:
        drop = np.maximum(drop, times * proposal[start:end].max(axis=0) if times else 1e-6 * largest)
        rows.reward[part] = excess[part] + drop
        block = Block(Rows(*isolate(rows, start, end, proposal)))
        block.policy[:] = policy[start:end]
        try:
            for j in range(1, largest.size):  # of the policy itself
                block.evaluate(False, j)
            if block.switch(False, TOLERANCES[0], (0,), ROUNDS) != ENDED:
                return
        except RuntimeError:  # play need not end
            return
        proposal[start:end] = block.value[:-1]
        yield
