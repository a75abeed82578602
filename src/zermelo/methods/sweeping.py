"""Solve x = right + P x for all payoffs at once: sweeps in a good order, sped up by a Krylov method where they converge slowly.

A Gauss-Seidel sweep is more effective the more of a state's successors it has already done. Once in a while sweeps are extrapolated,
as if their changes shrank by a constant factor (reduced rank extrapolation; Sidi 2017, Vector Extrapolation Methods, section 1.6). Where
they would take long, they become the preconditioner of BiCGSTAB (van der Vorst 1992), restarted on the residual until rounding stops it.
Few equations are solved by elimination first, so that sweeps have only its rounding left to do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.kernels.kernel import Kernel
from zermelo.kernels.registers import each_of
from zermelo.kernels.sweeps import System, done_before, in_order, krylov_step, sweep

ROUNDING = 2.0**-52
ACCURACY = 4 * ROUNDING
EVERY = 12  # sweeps after which their speed is judged, and they are extrapolated
SPAN = 4  # sweeps over which changes are compared
SAMPLED = 16  # one of so many states tells how fast changes shrink
BLOCK = 2048  # states whose values fit into the cache
SOON = 0.1  # the least probability of leaving the system at once with which a state gets a first guess
MOST_SWEEPS = 80  # the most that may still be needed: beyond, the Krylov method takes less time
ROUNDED = 4  # times the accuracy, `ACCURACY` at most: changes below it that are not halved are those of rounding
STEPS = 200  # of the Krylov method per round
ROUNDS = 6
FEW = 200  # unknowns that are eliminated, as this many take less time as a dense matrix than by sweeps, compiled or not
ENOUGH = (
    1e3  # times the accuracy: accepted where rounding stops all progress; the certificate shows how good it is
)

SAMPLE = 2000  # states by which an order is judged

Matrix = tuple[np.ndarray, np.ndarray, np.ndarray]  # indptr, indices, data


def best_place(matrix: Matrix, keys: list[np.ndarray]) -> np.ndarray:
    """int64[n]: the row of each state, by the key and direction, up or down, for which the most weight leads to states that are swept
    earlier."""
    n = len(keys[0])
    rows = np.random.default_rng(0).integers(0, n, min(n, SAMPLE))
    scores = [done_before(*matrix, rows, key) for key in keys]
    _, which, down = max((score[down], -k, down) for k, score in enumerate(scores) for down in (0, 1))
    key = keys[-which]
    swept = np.argsort(-key if down else key, kind="stable")
    place = np.empty(n, np.int64)
    place[swept] = np.arange(n - 1, -1, -1)  # sweeps go from the last row to the first
    return place


def system_of(matrix: Matrix, right: np.ndarray, place: np.ndarray) -> System:
    """x = right + P x with its rows in this order; every payoff separately."""
    payoffs = right.shape[1]
    first, to, weight, constant = in_order(*matrix, right, place)
    columns = np.arange(payoffs).reshape(1, payoffs)
    return System(first, to, weight, np.zeros(to.size, np.int8), columns, np.arange(payoffs), constant)


def settle(
    system: System, x: np.ndarray, accuracy: float = ACCURACY, is_stopped: Callable[[], bool] = lambda: False,
    instead: Callable[[], np.ndarray | None] = lambda: None, few: int = FEW,
) -> int:  # fmt: skip
    """Fill `x`, which must be contiguous. Returns the number of sweeps, or -1 if their changes fall neither below `accuracy` nor as far as
    rounding lets them.

    `accuracy` is relative to the largest value of each group of payoffs. `is_stopped` is called after every sweep and returns whether
    to give up. `instead` is called where sweeps alone would take long, and returns the solution if there is another way. `few` : the most
    unknowns that are eliminated.
    """
    change, largest, before = np.zeros(x.shape[1]), np.zeros(x.shape[1]), np.full(x.shape[1], np.inf)
    each = each_of(x.shape[1])
    np.multiply(system.right, _moves(system)[:, None], out=x)
    if x.size <= few:
        _eliminate(system, x)
    rounded = ROUNDED * min(1.0, ACCURACY / accuracy)
    last, step = np.empty_like(x), max(min(len(x) // SAMPLED, SAMPLED), 1)
    for sweeps in range(1, MOST_SWEEPS + EVERY):
        if sweeps % EVERY == EVERY - 1:
            sample = x[::step].copy()
        elif sweeps % EVERY == 0:
            last[:] = x
        sweep(*system, each, x, change, largest)
        goal = accuracy * _by_group(largest, system.group)
        if (change <= goal).all():
            return sweeps
        if is_stopped():
            return -1
        if sweeps % SPAN == 0:
            if (change <= rounded * goal).all() and (change > np.maximum(before / 2, goal)).any():
                return sweeps
            if sweeps % EVERY == 0:
                if SPAN * _still_to_go(before, change, goal) > MOST_SWEEPS:
                    break
                _extrapolate(x, last, sample, step, system.group)
            before[:] = change
    if (found := instead()) is not None:
        x[:] = found
        return sweeps
    return _accelerated(system, x, accuracy, sweeps, is_stopped)


def calls(system: System) -> list[tuple[Kernel, tuple[Any, ...]]]:
    """The kernels that `settle` calls for such a system, and arguments of the same kinds."""
    x, payoffs = system.right, system.right.shape[1]
    each, one = each_of(payoffs), np.zeros(payoffs)
    return [(sweep, (*system, each, x, one, one)), (krylov_step, (*system[:-1], each, *[x] * 6, np.ones((3, 1)), one))]


def _moves(system: System) -> np.ndarray:
    """float64[n]: the mean number of moves in the system from each state, if all that can follow were left as soon as this one: then x is
    `right` times this. 0 where it is not left soon, of which this would say little."""
    staying, some = np.zeros(len(system.right)), np.diff(system.first) > 0
    if some.any():
        staying[some] = np.add.reduceat(system.weight, system.first[:-1][some])
    return np.where(staying <= 1.0 - SOON, 1.0 / np.maximum(1.0 - staying, SOON), 0.0)


def _extrapolate(x: np.ndarray, last: np.ndarray, sample: np.ndarray, step: int, group: np.ndarray) -> None:
    """Replace x by the limit of sweeps whose changes shrink by a constant factor for each group, the one that fits the last two best.
    last : x before the last sweep; sample : every `step`-th row of x before the sweep before that."""
    now, then = x[::step] - last[::step], last[::step] - sample
    slower = now - then
    fits, size = (np.einsum("ij,ij->j", slower, other) for other in (now, slower))
    for g in range(group.max() + 1):
        of = group == g
        fits[of] = fits[of].sum() / size[of].sum() if size[of].any() else 0.0
    factor = np.tile(fits, BLOCK)
    for low in range(0, len(x), BLOCK):
        here, before = (array[low : low + BLOCK].reshape(-1) for array in (x, last))
        here += factor[: len(here)] * (before - here)


def _eliminate(system: System, x: np.ndarray) -> None:
    """x by Gaussian elimination; unchanged if that finds nothing finite."""
    n, payoffs = x.shape
    matrix = np.eye(x.size)
    row = np.repeat(np.arange(n), np.diff(system.first)) * payoffs
    for j in range(payoffs):
        np.subtract.at(matrix, (row + j, system.to * payoffs + system.columns[system.turn, j]), system.weight)
    try:
        found = np.linalg.solve(matrix, np.ravel(system.right)).reshape(x.shape)
    except np.linalg.LinAlgError:
        return
    if np.isfinite(found).all():
        x[:] = found


def _by_group(largest: np.ndarray, group: np.ndarray) -> np.ndarray:
    """float64[payoffs]: the largest of each payoff's group."""
    return np.where(group == group[:, None], largest, 0.0).max(axis=1)


def _still_to_go(before: np.ndarray, change: np.ndarray, goal: np.ndarray) -> float:
    """How many times as many sweeps as there were between these changes are still needed if changes continue to fall like this."""
    if not np.isfinite(change).all() or not (change < before)[change > goal].all():
        return np.inf
    falling = change > goal
    return float((np.log(goal[falling] / change[falling]) / np.log(change[falling] / before[falling])).max())


def _accelerated(system: System, x: np.ndarray, accuracy: float, sweeps: int, is_stopped: Callable[[], bool]) -> int:
    """Continue with BiCGSTAB. Its residuals are those of the preconditioned system: what a sweep would change."""
    r, shadow, p, v, t, correction = (np.empty_like(x) for _ in range(6))
    change, largest = np.zeros(x.shape[1]), np.zeros(x.shape[1])
    before, each = np.full(x.shape[1], np.inf), each_of(x.shape[1])
    for _ in range(ROUNDS):
        r[:] = x
        sweep(*system, each, r, change, largest)
        sweeps += 1
        goal = accuracy * _by_group(largest, system.group)
        if (change <= goal).all():
            return sweeps
        if (change > 0.5 * before).all() or not np.isfinite(change).all():
            return sweeps if (change <= ENOUGH * goal).all() else -1
        before = change.copy()
        wanted = np.maximum(1e-9 * change, goal / 4)
        r -= x
        for array in (p, v, correction):
            array[:] = 0.0
        shadow[:] = r
        scalars, left = np.ones((3, system.group.max() + 1)), np.empty(x.shape[1])
        for _ in range(STEPS):
            krylov_step(*system[:-1], each, correction, r, shadow, p, v, t, scalars, left)
            sweeps += 2
            if is_stopped():
                return -1
            if not (left > wanted).any():
                break
        x += correction
    sweep(*system, each, x, change, largest)
    return sweeps + 1 if (change <= ENOUGH * accuracy * _by_group(largest, system.group)).all() else -1
