"""Bounds proposed for a component of pure chance: e is the solution of a linear system, for all payoffs at once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from zermelo.kernels.condense import Rows
from zermelo.methods import chance
from zermelo.methods.chance import Keys

ENOUGH = 1e-9  # relative accuracy of e: far below the drop c
ATTEMPTS = 3  # with a larger drop c than the solver's own inaccuracy; which the first attempt reveals


def proposals(
    rows: Rows, start: int, end: int, keys: Keys, excess: np.ndarray, largest: np.ndarray, proposal: np.ndarray
) -> Iterator[None]:
    """Fill `proposal` of the states start..end-1, again for each attempt.

    rows : of kernels/propose.py. excess : float64[rows, payoffs], h. largest : float64[payoffs], of the policy's rows."""
    part = slice(*(rows.first_row[s - rows.low] for s in (start, end)))
    drop = np.full(largest.size, 1e-150)
    for _ in range(ATTEMPTS):
        drop = np.maximum(drop, 1e-6 * largest)
        rows.reward[part] = excess[part] + drop
        if not chance.solve_component(rows, start, end, keys(start, end), proposal, ENOUGH):
            return
        yield
        drop = np.maximum(drop, 1e-6 * proposal[start:end].max(axis=0))
