"""Large games of pure chance: sweeps in a good order and a Krylov method, against known values and against direct solvers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.sparse import csr_matrix, identity
from scipy.sparse.linalg import spsolve

import zermelo
from known import Known, known
from zermelo.engines.base import Request
from zermelo.engines.exploring.game import explored_game
from zermelo.games import Dreidel, LeftCenterRight
from zermelo.kernels.kernel import only
from zermelo.methods.chance import DIRECT, best_place, system_of
from zermelo.methods.sweeping import settle

QUICK = {
    "LeftCenterRight": {2: 9, 3: 4, 4: 3},
    "Dreidel": {2: 8, 3: 3, 4: 6, 5: 1},
}  # most chips or coins
COMPILED = 4  # players of the games whose rules, and sweeps of whose payoffs, are worth compiling: the others are small


def facts(is_quick: bool) -> list[Any]:
    found = []
    for fact in [*known("left_center_right"), *known("dreidel")]:
        size = fact.params.get("chips") or fact.params["coins"]
        quick = size <= QUICK[fact.game].get(fact.params["players"], 0)
        if quick == is_quick and isinstance(fact.value, dict):
            found.append(pytest.param(fact, id=fact.id))
    return found


@lru_cache(maxsize=2)
def solved(game: Any) -> Any:
    """Its solution, kept for the next test, which may ask about the same large game."""
    return zermelo.solve(game)


def check_fact(fact: Known) -> None:
    """Length and every seat's chance to win, to the digits given and to our own bounds."""
    game = {"LeftCenterRight": LeftCenterRight, "Dreidel": Dreidel}[fact.game](**fact.params)
    solution = solved(game)
    length, *seats = solution.payoffs.values()
    assert float(length) == pytest.approx(float(fact.value["E"]), rel=2e-11)
    for ours, theirs in zip(seats, fact.value["P"], strict=True):
        assert float(ours) == pytest.approx(float(theirs), abs=2e-11)
    for name, (low, high) in solution.bounds.items():
        assert high - low < 1e-12 * max(1.0, float(solution.payoffs[name])) * 100, name
    assert sum(map(float, seats)) == pytest.approx(1.0, abs=1e-11)


@pytest.mark.parametrize("fact", facts(True))
def test_known_values(fact: Known) -> None:
    with nullcontext() if fact.params["players"] == COMPILED else only("interpreted"):
        check_fact(fact)


@pytest.mark.slow
@pytest.mark.parametrize("fact", facts(False))
def test_known_values_of_large_games(fact: Known) -> None:
    check_fact(fact)


PAGE = (Path(__file__).parent.parent / "docs" / "chance.md").read_text()
TABLE = {int(row[1]): row[0].split("|")[2:-1] for row in re.finditer(r"^\| (\d) \| [\d.]+ \| [\d.]+ \|.*$", PAGE, re.M)}


def thrown(players: int, plays: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Lengths and winners of plays of Left-Center-Right with 3 chips, thrown by a program that shares nothing with the rules."""
    dice = np.random.default_rng(seed)
    chips = np.full((plays, players), 3)
    seat, turns, going = np.zeros(plays, int), np.zeros(plays, int), np.arange(plays)
    while len(going):
        here = seat[going]
        held = np.minimum(chips[going, here], 3)
        faces = dice.integers(0, 6, (len(going), 3)) + 10 * (np.arange(3) >= held[:, None])
        for face, side in ((0, 1), (1, -1), (2, None)):
            count = (faces == face).sum(axis=1)
            chips[going, here] -= count
            if side is not None:
                chips[going, (here + side) % players] += count
        turns[going] += held > 0
        seat[going] = (here + 1) % players
        going = going[(chips[going] > 0).sum(axis=1) > 1]
    return turns, (chips > 0).argmax(axis=1)


@pytest.mark.parametrize("players", [2, 5, *(pytest.param(n, marks=pytest.mark.slow) for n in (7, 8, 9))])
def test_the_table_of_the_docs(players: int) -> None:
    """What docs/chance.md prints is what is computed, and what plays come to that are thrown by another program."""
    solution = solved(LeftCenterRight(players))
    mean, deviation, *seats = (float(cell) for cell in TABLE[players] if cell.strip())
    assert float(solution.value) == pytest.approx(mean, rel=1e-11)
    assert solution.length.standard_deviation == pytest.approx(deviation, abs=1e-6)
    wins = [float(v) for name, v in solution.payoffs.items() if name != "turns"]
    assert wins == pytest.approx(seats, abs=1e-11) and sum(wins) == pytest.approx(1.0, abs=1e-11)
    plays = 40_000
    turns, winners = thrown(players, plays, seed=players)
    assert turns.mean() == pytest.approx(mean, abs=4.5 * deviation / plays**0.5)
    assert turns.std() == pytest.approx(deviation, rel=0.02)
    assert np.bincount(winners, minlength=players) / plays == pytest.approx(np.array(wins), abs=4.5 * 0.5 / plays**0.5)


def random_system(n: int, leak: float, payoffs: int, seed: int) -> tuple[csr_matrix, np.ndarray]:
    """Each state goes to some others nearby, and out with probability `leak` on average."""
    dice = np.random.default_rng(seed)
    near = (np.arange(n)[:, None] + dice.integers(-30, 31, (n, 4))) % n
    weight = dice.random((n, 4))
    weight *= (1 - leak * 2 * dice.random(n))[:, None] / weight.sum(axis=1)[:, None]
    matrix = csr_matrix((weight.ravel(), near.ravel(), np.arange(0, 4 * n + 1, 4)), shape=(n, n))
    matrix.sum_duplicates()
    return matrix, dice.normal(size=(n, payoffs))


@pytest.mark.parametrize("leak", [0.3, 1e-2, 1e-4])
@pytest.mark.parametrize("payoffs", [1, 5])
def test_sweeps_agree_with_a_direct_solver(leak: float, payoffs: int) -> None:
    n = 3000
    matrix, right = random_system(n, leak, payoffs, seed=payoffs)
    parts = (matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), matrix.data)
    place = best_place(parts, [np.arange(n), np.arange(n) % 7])
    assert sorted(place) == list(range(n))
    x = np.zeros((n, payoffs))
    assert settle(system_of(parts, right, place), x, 1e-15) > 0
    truth = spsolve((identity(n) - matrix).tocsc(), right).reshape(n, payoffs)
    assert np.abs(x[place] - truth).max() < 1e-12 / leak * np.abs(truth).max()


def test_the_order_of_the_table_is_found(in_python: None) -> None:
    """In Dreidel the seat to spin is the number by which states are best swept: the last seat first."""
    explored = explored_game(Request(Dreidel(4, 2)))
    starts = explored.component_start
    largest = int(np.argmax(np.diff(starts)))
    low, high = int(starts[largest]), int(starts[largest + 1])
    batch = explored.transitions(low, high)
    inside = (batch.next >= low) & (batch.next < high)
    indptr = np.concatenate([[0], np.cumsum(inside)])[batch.outcome_start].astype(np.int64)
    chances = (batch.ways / 4.0)[inside]
    keys = explored.sort_keys(low, high)
    place = best_place((indptr, (batch.next[inside] - low).astype(np.int32), chances), [np.arange(high - low), *keys])
    seat = keys[-1][np.argsort(-place)]
    assert (np.diff(seat) <= 0).all() and seat[0] == 3 and seat[-1] == 0


class Place(NamedTuple):
    here: int


class Walk(NamedTuple):
    """A walk on a line of `length` places, ended at either end, with a wage a step: a slow mixer, with values known by hand."""

    length: int = 1000
    wage: int = 1

    def start(self) -> Place:
        return Place(self.length // 2)

    payoffs = ("steps", "right")

    def outcomes(self, s: Place) -> Iterator[tuple[int, tuple[int, int], Place]]:
        if 0 < s.here < self.length:
            yield 1, (self.wage, 0), Place(s.here - 1)
            yield 1, (self.wage, 0), Place(s.here + 1)

    def payoff(self, s: Place) -> tuple[int, int]:
        return 0, int(s.here == self.length)


@pytest.mark.parametrize("length", [100, 300, 1000, DIRECT + 2])
def test_slow_mixing(length: int) -> None:
    solution = zermelo.solve(Walk(length))
    middle = length // 2
    assert solution.low <= middle * (length - middle) <= solution.high
    assert solution.bounds["right"][0] <= middle / length <= solution.bounds["right"][1]
    assert solution.high - solution.low < 1e-6 * solution.value


class WideWalk(NamedTuple):
    """The same on a ring of places beside one another, too wide for a small cutset."""

    length: int = 60
    width: int = 60

    def start(self) -> Any:
        return Cell(self.length // 2, 0)

    payoffs = ("steps", "right")

    def outcomes(self, s: Any) -> Iterator[Any]:
        if 0 < s.here < self.length:
            for step in range(2):
                yield 1, (1, 0), Cell(s.here + 2 * step - 1, s.lane)
                yield 1, (1, 0), Cell(s.here, (s.lane + 2 * step - 1 + self.width) % self.width)

    def payoff(self, s: Any) -> tuple[int, int]:
        return 0, int(s.here == self.length)


class Cell(NamedTuple):
    here: int
    lane: int


def test_a_large_component_that_mixes_slowly() -> None:
    solution = zermelo.solve(WideWalk())
    assert solution.statistics["largest_component"] > DIRECT
    assert solution.low <= 2 * 30 * 30 <= solution.high and solution.high - solution.low < 1e-8
    assert solution.bounds["right"][0] <= 0.5 <= solution.bounds["right"][1]
