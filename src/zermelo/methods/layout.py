"""The rows of a component in another order of its states."""

from __future__ import annotations

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running, runs
from zermelo.kernels.condense import Rows
from zermelo.kernels.orders import order_states


def laid_out(rows: Rows) -> tuple[Rows, np.ndarray]:
    """An isolated component (kernels/components.py) with its states in depth-first post-order, that of sweeps, and the number that each
    state had. A sweep then reads memory in sequence: that takes 4 ms instead of 34 for two million outcomes on a graph at random."""
    n = rows.player.size
    state, slot = np.empty(n, number_type(n)), np.empty(n, number_type(n))
    order_states(rows, 0, n, state, slot, np.empty(n, np.int64), np.empty(n, np.int64))
    place = np.empty(n + 1, rows.next.dtype)
    place[state], place[n] = np.arange(n), n
    first_row, first_outcome, row, outs = picked(rows.first_row, rows.first_outcome, state)
    return (
        Rows(
            0, first_row, first_outcome, place[rows.next[outs]], rows.coef[outs], rows.reward[row], rows.pays[row],
            rows.player[state],
        ),
        state,
    )  # fmt: skip


def picked(
    first_row: np.ndarray, first_outcome: np.ndarray, states: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where the rows of these states begin, and where the outcomes of those, if they follow one another in this order; which rows and
    which outcomes these are."""
    counts = np.diff(first_row)[states]
    row = runs(first_row[states], counts)
    lengths = np.diff(first_outcome)[row]
    return running(counts), running(lengths), row, runs(first_outcome[row], lengths)
