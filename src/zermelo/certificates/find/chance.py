"""Bounds proposed for a component of pure chance: e is the solution of a linear system, for all payoffs at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.kernels.condense import Rows
from zermelo.methods import chance
from zermelo.methods.chance import Keys

ENOUGH = 1e-9  # relative accuracy of e: far below the drop c
LARGER = (0.0, 1e-12, 1e-6)  # times the largest e: the drop c of each attempt, larger than the inaccuracy of e, direct or by sweeps


def proposals(
    rows: Rows, start: int, end: int, keys: Keys, excess: np.ndarray, largest: np.ndarray, proposal: np.ndarray
) -> Iterator[None]:
    """Fill `proposal` of the states start..end-1, again for each attempt.

    rows : of kernels/propose.py. excess : float64[rows, payoffs], h. largest : float64[payoffs], of the policy's rows."""
    part = slice(*(rows.first_row[s - rows.low] for s in (start, end)))
    drop = np.full(largest.size, 1e-150)
    for times in LARGER:
        drop = np.maximum(drop, times * proposal[start:end].max(axis=0) if times else 1e-6 * largest)
        rows.reward[part] = excess[part] + drop
        if not chance.solve_component(rows, start, end, keys(start, end), proposal, ENOUGH):
            return
        yield
