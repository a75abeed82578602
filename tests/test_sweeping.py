"""Large linear systems by sweeps (methods/sweeping.py), against dense matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zermelo.kernels.kernel import only
from zermelo.kernels.sweeps import System
from zermelo.methods import sweeping
from zermelo.methods.orders import _angles, _parts, around_the_table
from zermelo.methods.sweeping import settle

PLACES = 60  # of the table below


def table(seats: int, way: int, is_mixed: bool = True) -> tuple[System, np.ndarray]:
    """Who is ahead is mostly one seat nearer after a move, as its next holder sees the table, or one farther (`way`), while play goes once
    through some places, numbered one after another, or at random. Returns the seat that is ahead in each state, too."""
    n = seats * PLACES
    place, seat = np.divmod(np.random.default_rng(seats).permutation(n) if is_mixed else np.arange(n), seats)
    number = np.empty((seats, PLACES), np.int64)
    number[seat, place] = np.arange(n)
    chances = np.array([0.1, 0.7, 0.1])  # of being ahead by so many seats less
    to = np.stack([number[(seat + way * by) % seats, (place + 1) % PLACES] for by in range(3)], axis=1)
    columns = (np.arange(seats) + np.arange(seats)[:, None]) % seats
    right = np.where(np.arange(seats) == seat[:, None], 0.1, 0.01)
    turn, group = np.ones(to.size, np.int8), np.zeros(seats, np.int64)
    return System(np.arange(0, to.size + 1, 3), to.ravel().astype(np.int32), np.tile(chances, n), turn, columns, group, right), seat


def arranged(of: System, order: np.ndarray) -> System:
    """The same system with its states in this order."""
    places = np.concatenate([np.arange(of.first[i], of.first[i + 1]) for i in order])
    first = np.append(0, np.cumsum(np.diff(of.first)[order]))
    right, to = of.right[order], np.argsort(order).astype(np.int32)[of.to[places]]
    return of._replace(first=first, to=to, weight=of.weight[places], turn=of.turn[places], right=right)


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


@pytest.mark.parametrize("seats", [4, 11])  # as above, so that the same is compiled
@pytest.mark.parametrize("way", [-1, 1])
def test_states_are_swept_as_play_goes_around_the_table(seats: int, way: int) -> None:
    """Also where most have no payoff at first."""
    of, seat = table(seats, way)
    for right in (of.right, of.right * (np.arange(len(seat)) % 3 == 0)[:, None]):
        of = of._replace(right=right)
        x, y = np.empty_like(right), np.empty_like(right)
        with only("compiled"):
            order = around_the_table(of)
            assert order is not None
            fewer, plain = settle(arranged(of, order), x, few=0), settle(of, y, few=0)
        assert sorted(order) == [*range(len(order))] and fewer < 0.9 * plain
        assert np.abs(x - y[order]).max() <= 1e-14
        if right.all():  # so that it is seen at once who is ahead
            assert np.count_nonzero(np.diff(seat[order])) == seats - 1


def test_states_are_swept_as_they_are_where_that_is_as_good() -> None:
    """Numbers that follow play are; with one payoff, or a table that isn't turned, nobody is ahead."""
    mixed, _ = table(5, 1)
    alone = mixed._replace(columns=np.zeros((5, 1), np.int64), right=mixed.right[:, :1])
    for of in (table(5, 1, is_mixed=False)[0], mixed._replace(columns=mixed.columns[:1]), alone):
        with only("interpreted"):
            assert around_the_table(of) is None


def test_where_a_state_is_swept_does_not_depend_on_the_threads_of_blas() -> None:
    """Nobody is ahead in these states, so that rounding decides; BLAS rounds a row as the threads, and the rows of each, divide them."""
    x, angle = np.repeat(np.random.default_rng(0).random((60, 1)), 8, axis=1), _angles((np.arange(8) + 1) % 8)
    assert all((_parts(x, angle)[low:] == _parts(x[low:], angle)).all() for low in range(60))


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
