"""Runs of numbers that follow one another in one array, such as the rows of each state and the outcomes of each row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def running(lengths: np.ndarray | Sequence[int]) -> np.ndarray:
    """int64[n + 1]: 0 and the running sums: where each run begins, and the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def runs(first: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """The numbers first[i], first[i] + 1, ..., lengths[i] of them, one run after another."""
    at = running(lengths)
    return np.repeat(first - at[:-1], lengths) + np.arange(at[-1])
