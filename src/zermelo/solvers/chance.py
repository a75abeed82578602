"""One large component of a game of pure chance: sweeps in a good order, sped up by a Krylov method, for all payoffs at once.

A Gauss-Seidel sweep is the better the more of a state's successors it has done before. So the states are swept in the
order of that number of a state (the seat to move, say) for which this holds most. Where sweeps alone converge slowly, they
become the preconditioner of BiCGSTAB, restarted on the residual until rounding stops it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from zermelo.kernels.components import isolate, policy_matrix
from zermelo.kernels.condense import Rows
from zermelo.kernels.sweeps import done_before, in_order, krylov_step, sweep

LARGE = 500  # states of a component
SAMPLE = 2000  # states by which an order is judged
SWEEPS = 30  # tried alone
STEPS = 200  # of the Krylov method in a round
ROUNDS = 6
ROUNDING = 2.0**-52

Keys = Callable[[int, int], list[np.ndarray]]


def no_keys(low: int, high: int) -> list[np.ndarray]:
    """Gives no numbers of the states low..high-1 by which they may be ordered."""
    return []


def suits(rows: Rows, start: int, end: int) -> bool:
    """Whether the component is large, and every state of it has one row. (Direct methods are better for small ones.)"""
    if end - start < LARGE:
        return False
    first = rows.first_row[start - rows.low : end - rows.low + 1]
    return int(first[-1] - first[0]) == end - start


def solve_component(
    rows: Rows, start: int, end: int, keys: Iterable[np.ndarray], value: np.ndarray, accuracy: float = 4 * ROUNDING
) -> bool:
    """Fill `value` of the states start..end-1. False if sweeps do not settle it; `value` is then as it was.

    keys : arrays of numbers of these states by which they may be ordered. `accuracy` is relative to the largest value.
    """
    local = Rows(*isolate(rows, start, end, value))
    n = end - start
    if not local.coef[local.next == n].any():
        return False  # it is never left: not a matter of a linear system
    matrix = policy_matrix(local, np.zeros(n, np.int32), np.zeros(n, np.bool_))
    order = best_order(matrix, [np.arange(n), *keys])
    system = in_order(*matrix, local.reward, order)
    x = np.zeros_like(system[3])
    if system[0][-1] < 0 or not settled(system, x, accuracy):
        return False
    value[start + order] = x
    return True


def best_order(matrix: tuple[np.ndarray, np.ndarray, np.ndarray], keys: list[np.ndarray]) -> np.ndarray:
    """The states in the order of that key, up or down, in which most weight leads to states that are done before."""
    n = len(keys[0])
    rows = np.random.default_rng(0).integers(0, n, min(n, SAMPLE))
    scores = [done_before(*matrix, rows, key) for key in keys]
    _, which, down = max((score[down], -k, down) for k, score in enumerate(scores) for down in (0, 1))
    key = keys[-which]
    return np.argsort(-key if down else key, kind="stable")


def settled(system: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray], x: np.ndarray, accuracy: float) -> bool:
    """Solve x = right + P x in place; False if sweeps don't come to change less than `accuracy`."""
    *matrix, right = system

    def goal() -> np.ndarray:
        return accuracy * np.abs(x).max(axis=0)

    change = np.zeros(x.shape[1])
    for _ in range(SWEEPS):
        sweep(*matrix, right, x, change)
        if (change <= goal()).all():
            return True
    r, shadow, p, v, t, correction = (np.empty_like(x) for _ in range(6))
    before = np.full(x.shape[1], np.inf)
    for _ in range(ROUNDS):
        r[:] = x
        sweep(*matrix, right, r, change)
        if (change <= goal()).all():
            return True
        if (change > 0.5 * before).all() or not np.isfinite(change).all():
            return bool((change <= 1e3 * goal()).all())  # the certificate says what it is worth
        before = change.copy()
        wanted = np.maximum(1e-9 * change, goal() / 4)
        r -= x
        for array in (p, v, correction):
            array[:] = 0.0
        shadow[:] = r
        scalars, left = np.ones((3, x.shape[1])), np.empty(x.shape[1])
        for _ in range(STEPS):
            krylov_step(*matrix, correction, r, shadow, p, v, t, scalars, left)
            if not (left > wanted).any():
                break
        x += correction
    return False
