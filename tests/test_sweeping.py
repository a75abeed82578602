"""Large linear systems by sweeps (methods/sweeping.py), against dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zermelo.kernels.kernel import only
from zermelo.kernels.sweeps import System
from zermelo.methods import sweeping
from zermelo.methods.sweeping import settle


def system(seed: int, n: int, payoffs: int, lasting: float) -> System:
    """Random equations; with several payoffs, tables turn: payoff j is that of another seat after a move. In each row `lasting` of the
    weight stays in the system."""
    dice = np.random.default_rng(seed)
    counts = dice.integers(0, 6, n)
    first = np.append(0, np.cumsum(counts))
    weight = dice.random(first[-1])
    sums = np.add.reduceat(np.append(weight, 0.0), first[:-1]) * (counts > 0) + (counts == 0)
    weight *= np.repeat(lasting / sums, counts)
    columns = (np.arange(payoffs) - np.arange(payoffs)[:, None]) % payoffs
    turn = dice.integers(0, payoffs, first[-1]).astype(np.int8)
    to = dice.integers(0, n, first[-1]).astype(np.int32)
    return System(first.astype(np.int64), to, weight, turn, columns, np.zeros(payoffs, np.int64), dice.random((n, payoffs)))


def solution(of: System) -> np.ndarray:
    n, payoffs = of.right.shape
    matrix = np.eye(n * payoffs)
    for i in range(n):
        for e in range(of.first[i], of.first[i + 1]):
            for j in range(payoffs):
                matrix[i * payoffs + j, of.to[e] * payoffs + of.columns[of.turn[e], j]] -= of.weight[e]
    return np.linalg.solve(matrix, of.right.ravel()).reshape(n, payoffs)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
@pytest.mark.parametrize("payoffs", [1, 4, 11])  # as in games of four players, and below, so that the same is compiled
@pytest.mark.parametrize("lasting", [0.5, 0.999])  # sweeps alone, and as preconditioner
def test_sweeps_find_the_solution(payoffs: int, lasting: float, tier: str) -> None:
    for seed in range(2):
        n = 80 if tier == "interpreted" else 150
        of = system(seed, n, payoffs, lasting)
        x = np.full((n, payoffs), np.nan)  # what is there does not matter
        with only(tier):
            sweeps = settle(of, x, few=0)
        assert (0 < sweeps < 80) if lasting == 0.5 else sweeps > 20
        assert np.abs(x - solution(of)).max() <= 1e-11 * np.abs(x).max()


@pytest.mark.parametrize("payoffs", [4, 11])  # up to 8 are added at a time
def test_both_tiers_give_the_same_bits(payoffs: int) -> None:
    of = system(7, 30, payoffs, 0.99)
    found = []
    for tier in ("interpreted", "compiled"):
        x = np.zeros((30, payoffs))
        with only(tier):
            settle(of, x, few=0)
        found.append(x.tobytes())
    assert found[0] == found[1]


def test_changes_that_shrink_by_a_constant_factor_are_extrapolated_to_their_limit() -> None:
    """Also where there are more states than a block has, and only a sample of them tells the factor: one for each group of payoffs."""
    dice = np.random.default_rng(0)
    limit, away = dice.random((2, 5000, 3))
    factor = np.array([0.9, 0.5, 0.5])
    older, last, x = (limit + away * factor**k for k in (1, 2, 3))
    sweeping._extrapolate(x, last, older[::16].copy(), 16, np.array([0, 1, 1]))
    assert np.abs(x - limit).max() < 1e-13


def test_where_all_states_are_alike_the_first_guess_is_the_solution() -> None:
    of = system(1, 400, 3, 0.5)._replace(right=np.full((400, 3), 2.0))
    left_at_once = np.diff(of.first) == 0
    of.right[left_at_once] = 4.0
    x = np.empty((400, 3))
    with only("interpreted"):
        assert settle(of, x) == 1
    assert np.abs(x - 4.0).max() < 1e-14


def test_sweeps_end_where_rounding_stops_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes of a few units in the last place that become no smaller: as of `left-center-right` with 6 players. Where less accuracy was
    asked for, changes just above it are none of rounding."""
    for accuracy, sweeps in ((sweeping.ACCURACY, 2 * sweeping.SPAN), (1e-9, sweeping.EVERY)):

        def sweep(*arguments: Any, moved: float = 3 * accuracy) -> None:
            x, change, largest = arguments[-3:]
            change[:], largest[:] = moved, 1.0

        monkeypatch.setattr(sweeping, "sweep", sweep)
        x = np.empty((60, 3))
        assert settle(system(5, 60, 3, 0.5), x, accuracy, instead=lambda: np.ones((60, 3)), few=0) == sweeps
