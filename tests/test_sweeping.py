"""Large linear systems by sweeps (methods/sweeping.py), against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from zermelo.kernels.kernel import only
from zermelo.kernels.sweeps import System
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
@pytest.mark.parametrize("payoffs", [1, 3, 11])  # as below, so that the same is compiled
@pytest.mark.parametrize("lasting", [0.5, 0.999])  # sweeps alone, and as preconditioner
def test_sweeps_find_the_solution(payoffs: int, lasting: float, tier: str) -> None:
    for seed in range(2):
        n = 80 if tier == "interpreted" else 150
        of = system(seed, n, payoffs, lasting)
        x = np.zeros((n, payoffs))
        with only(tier):
            sweeps = settle(of, x, few=0)
        assert (0 < sweeps < 80) if lasting == 0.5 else sweeps > 20
        assert np.abs(x - solution(of)).max() <= 1e-11 * np.abs(x).max()


@pytest.mark.parametrize("payoffs", [3, 11])  # up to 8 are added at a time
def test_both_tiers_give_the_same_bits(payoffs: int) -> None:
    of = system(7, 30, payoffs, 0.99)
    found = []
    for tier in ("interpreted", "compiled"):
        x = np.zeros((30, payoffs))
        with only(tier):
            settle(of, x, few=0)
        found.append(x.tobytes())
    assert found[0] == found[1]
