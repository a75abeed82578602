"""Full systems of a few hundred unknowns, by one thread.

From about a hundred unknowns on BLAS uses several, which spin while they wait for one another: on a busy machine 100 unknowns took 50 ms,
and 0.07 by one thread, which is as fast on an idle one. The number of its threads is that of the whole process, so one system at a time is
solved, and the number restored after it."""

from __future__ import annotations

import os
import threading
from functools import cache
from typing import Any

import numpy as np

FEW = 64  # unknowns that BLAS leaves to one thread

_turn = threading.RLock()


def solve(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    """x with matrix x = right, for one or more columns. Raises `RuntimeError` if the matrix is singular."""
    try:
        if len(matrix) <= FEW:
            return np.linalg.solve(matrix, right)
        with _turn, _libraries().limit(limits=1, user_api="blas"):
            return np.linalg.solve(matrix, right)
    except np.linalg.LinAlgError as error:
        raise RuntimeError(str(error)) from None


@cache
def _libraries() -> Any:
    from threadpoolctl import ThreadpoolController  # few games need it

    return ThreadpoolController().select(user_api="blas")


if hasattr(os, "register_at_fork"):  # another thread may have it: a child has none that would give it back
    os.register_at_fork(after_in_child=lambda: globals().update(_turn=threading.RLock()))
