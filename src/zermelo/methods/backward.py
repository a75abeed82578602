"""Backward induction for acyclic batches."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.backward import backward
from zermelo.problem.transitions import Transitions


def solve(
    batch: Transitions, components: np.ndarray, value: np.ndarray, policy: np.ndarray, discount: float = 1.0
) -> None:
    """Fill `value` and `policy` of the batch's states in one pass. Every component must be one state that cannot recur.

    value : float64[states of the game, payoffs], policy : int32[states of the game]; states below `batch.low` are solved.
    Of equally good actions, those whose values are equal in floats, the earliest is chosen.
    """
    stuck = backward(*batch[:1], *batch[2:], discount, value, policy)
    if stuck >= 0:
        raise ValueError(f"state {stuck} can be followed by itself or a later state: the batch is not acyclic")
