"""One component of a game of pure chance: directly if it is small, or long and thin (linear.py); otherwise its states in a good order, then
sweeps (sweeping.py).

A sweep converges faster the more of a state's successors it has already done. So the states are swept in the order of the number of a
state (for example the seat to move) for which this is most often the case.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from zermelo.kernels.components import isolate, policy_matrix
from zermelo.kernels.condense import Rows
from zermelo.methods import linear
from zermelo.methods.sweeping import ACCURACY, best_place, settle, system_of
from zermelo.problem.solver import Problem

DIRECT, WORK = 3000, 30_000_000  # states, and states times outcomes, up to which a component is solved directly: a tenth of a second
SELDOM = 3  # outcomes a state

Keys = Callable[[int, int], list[np.ndarray]]


def no_keys(low: int, high: int) -> list[np.ndarray]:
    """Numbers by which the states low..high-1 may be ordered: none."""
    return []


def keys_of(problem: Problem) -> Keys:
    """Numbers by which the problem's states can be ordered, if it has any."""
    return getattr(problem, "sort_keys", no_keys)


def suits(rows: Rows, start: int, end: int) -> bool:
    """Whether every state of the component has one row."""
    first = rows.first_row[start - rows.low : end - rows.low + 1]
    return int(first[-1] - first[0]) == end - start


def is_direct(rows: Rows, start: int, end: int) -> bool:
    """Whether it is solved directly."""
    return end - start <= DIRECT and (end - start) * _outcomes(rows, start, end) <= WORK


def branches_seldom(rows: Rows, start: int, end: int) -> bool:
    """Whether there are many states, each with one row and few outcomes: the component may be long and thin, which is looked at first."""
    return end - start > DIRECT and _outcomes(rows, start, end) <= SELDOM * (end - start) and suits(rows, start, end)


def _outcomes(rows: Rows, start: int, end: int) -> int:
    """The number of outcomes of these states."""
    first, last = (int(rows.first_outcome[rows.first_row[s - rows.low]]) for s in (start, end))
    return last - first


def solve_component(
    rows: Rows, start: int, end: int, keys: Iterable[np.ndarray], value: np.ndarray, accuracy: float = ACCURACY
) -> bool:
    """Fill `value` of the states start..end-1. False if play never leaves them, or sweeps do not converge; `value` is then as it was.

    keys : arrays of numbers of these states by which they may be ordered. `accuracy` is relative to the largest value.
    """
    local = Rows(*isolate(rows, start, end, value))
    n = end - start
    if not local.coef[local.next == n].any():
        return False  # play never leaves it, so no linear system determines its values
    matrix = policy_matrix(local, np.zeros(n, np.int32), np.zeros(n, np.bool_))
    if is_direct(rows, start, end):
        try:
            value[start:end] = linear.solve(matrix, local.reward, np.zeros_like(local.reward))
        except RuntimeError:
            return False
        return True
    seldom = branches_seldom(rows, start, end)
    if seldom and (found := linear.solve_thin(matrix, local.reward)) is not None:
        value[start:end] = found
        return True
    place = best_place(matrix, [np.arange(n), *keys])
    system = system_of(matrix, local.reward, place)
    x = np.empty_like(system.right)

    def if_thin() -> np.ndarray | None:
        found = None if seldom else linear.solve_thin(matrix, local.reward)
        return None if found is None else found[np.argsort(place)]

    if system.first[-1] < 0 or settle(system, x, accuracy, instead=if_thin) < 0:
        return False
    value[start:end] = x[place]
    return True
