"""`evaluate` where both choose at once: against the least favourable of all opponents that mix optimally. The oracles try every corner of
the polytope of optimal mixtures: in fractions where play never returns to a state, by iteration where it does."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import pytest

import zermelo
from naive_matrix import equalising, value
from zermelo.uses.evaluation import LEAST_FAVOURABLE_MIXTURE


class At(NamedTuple):
    place: int
    twin: int


class Clash(NamedTuple):
    """A random game in which both choose at once among three actions, with payoffs -1, 0 and 1 and so with many ties. `back` in 4 ways of
    a move lead back to any place of the same third; every place has a twin where play is the same."""

    seed: int = 0
    size: int = 9
    back: int = 0

    def start(self) -> At:
        return At(self.size, 0)

    def drawn(self, place: int, a: int, b: int, k: int) -> int:
        x = (self.seed * 7919 + place * 104729 + a * 1299709 + b * 15485863 + k * 31337 + 12345) % 2147483647
        for _ in range(3):
            x = x * 48271 % 2147483647
        return x // 16

    def actions(self, s: At) -> Iterator[int]:
        if s.place > 0:
            yield 0
            yield 1
            yield 2

    def other_actions(self, s: At) -> Iterator[int]:
        if s.place > 0:
            yield 0
            yield 1
            yield 2

    def outcomes(self, s: At, action: int, other: int) -> Iterator[tuple[int, int, At]]:
        a, b = (action, other) if self.back == 0 else (action // 2, other // 2)  # then the first two actions are as good
        pays = self.drawn(s.place, a, b, 0) % 3 - 1
        yield 4, pays, At(s.place - 1 - self.drawn(s.place, a, b, 1) % min(2, s.place), (action + other) % 2)
        if self.back:
            low = (s.place - 1) // 3 * 3 + 1
            yield self.back, pays, At(low + self.drawn(s.place, a, b, 2) % 3, other % 2)

    def payoff(self, s: At) -> int:
        return 0


def corners(matrix: list[list[Any]], worth: Any, near: Any) -> list[list[Any]]:
    """The corners of the polytope of the row player's optimal mixtures (Shapley and Snow 1950), `near` being what counts as equal."""
    size, columns = len(matrix), len(matrix[0])
    found = []
    for k in range(1, min(size, columns) + 1):
        for rows in combinations(range(size), k):
            for used in combinations(range(columns), k):
                solution = equalising([[matrix[i][j] for i in rows] for j in used])
                if solution is None or abs(solution[-1] - worth) > near or min(solution[:-1]) < -near:
                    continue
                p = [Fraction(0)] * size
                for i, x in zip(rows, solution, strict=False):
                    p[i] = x
                if min(sum(x * matrix[i][j] for i, x in enumerate(p)) for j in range(columns)) >= worth - near:
                    found.append(p)
    assert found
    return found


def seen_by(seat: int, matrix: list[list[Any]]) -> list[list[Any]]:
    """A matrix as the player in a seat sees it, who takes rows and maximises."""
    return matrix if seat == 0 else [[-x for x in column] for column in zip(*matrix, strict=True)]


def policy(s: At) -> int:
    return (s.place * 5 + s.twin * 2) % 3


def means(game: Clash, s: At, worth: Any) -> list[list[Any]]:
    """What every pair of actions is worth."""

    def mean(cell: list[Any]) -> Any:
        return sum((w * (paid + worth(t)) for w, paid, t in cell), 0 * worth(cell[0][2])) / sum(w for w, _, _ in cell)

    return [[mean(list(game.outcomes(s, a, b))) for b in range(3)] for a in range(3)]


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_against_all_optimal_mixtures_in_fractions(seat: int, exact: bool) -> None:
    differing = 0
    for seed in range(3):
        game = Clash(seed)

        @lru_cache(None)
        def best(s: At, game: Clash = game) -> Fraction:
            return value(means(game, s, best)) if s.place else Fraction(0)  # noqa: B023

        @lru_cache(None)
        def worth(s: At, pick: Any, game: Clash = game) -> Fraction:
            if not s.place:
                return Fraction(0)
            sign = 1 - 2 * seat
            mixtures = corners(seen_by(1 - seat, means(game, s, best)), -sign * best(s), 0)  # noqa: B023
            looks = seen_by(1 - seat, means(game, s, lambda t: worth(t, pick)))  # noqa: B023
            return -sign * pick(sum(p * looks[b][policy(s)] for b, p in enumerate(mixture)) for mixture in mixtures)

        expected, kindest = worth(game.start(), max), worth(game.start(), min)
        differing += expected != kindest
        solution = zermelo.solve(game, exact=exact)
        found = solution.evaluate(policy, seat=seat)
        assert found.against == LEAST_FAVOURABLE_MIXTURE
        if exact:
            assert found.value == expected and found.loss == abs(best(game.start()) - expected)
        else:
            assert found.value == pytest.approx(float(expected), abs=1e-9) and found.high - found.low < 1e-9
    assert differing > 0


@pytest.mark.parametrize("seat", [0, 1])
def test_where_play_returns(seat: int) -> None:
    """The same by iteration, from the values that were solved."""
    differing, sign = 0, 1 - 2 * seat
    for seed in range(3):
        game = Clash(seed, 6, 2)
        solution = zermelo.solve(game)
        solved = {s: float(solution.probe(s).value) for s in solution.space}
        mixtures = {}
        for s in (s for s in solved if s.place):
            matrix = [[Fraction(x) for x in row] for row in means(game, s, solved.__getitem__)]
            found_corners = corners(seen_by(1 - seat, matrix), Fraction(-sign * solved[s]), Fraction(1, 10**9))
            mixtures[s] = [list(map(float, p)) for p in found_corners]
        ends = []
        for pick in (max, min):
            worth = dict.fromkeys(solved, 0.0)
            for _ in range(150):
                looks = {s: seen_by(1 - seat, means(game, s, worth.__getitem__)) for s in mixtures}
                worth.update({
                    s: -sign * pick(sum(p * looks[s][b][policy(s)] for b, p in enumerate(mixture)) for mixture in mixtures[s])
                    for s in mixtures
                })  # fmt: skip
            ends.append(worth[game.start()])
        differing += abs(ends[0] - ends[1]) > 1e-6
        found = solution.evaluate(policy, seat=seat)
        assert found.against == LEAST_FAVOURABLE_MIXTURE
        assert found.value == pytest.approx(ends[0], abs=1e-7)
    assert differing > 0


class Stay(NamedTuple):
    """Player 1 may let play go round forever, which is worth 0, where both of its actions are as good: with 1 or in the end."""

    def start(self) -> At:
        return At(1, 0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place == 1:
            yield 0
            yield 1

    def other_actions(self, s: At) -> Iterator[int]:
        if s.place == 1:
            yield 0
            yield 1

    def outcomes(self, s: At, action: int, other: int) -> Iterator[tuple[int, int, At]]:
        if action == 1 and other == 1:
            yield 1, 0, At(1, 0)
        else:
            yield 1, -1 if action == 0 else 0, At(0, 0)

    def payoff(self, s: At) -> int:
        return 0


def test_an_opponent_may_go_on_for_ever() -> None:
    found = zermelo.solve(Stay()).evaluate(lambda s: 1)
    assert (found.value, found.loss, found.against) == (0, 0, LEAST_FAVOURABLE_MIXTURE)


class Aside(Stay):
    """Player 0 may step aside first, to where both can go on for ever, and player 1 is paid each time."""

    def start(self) -> At:
        return At(2, 0)

    def actions(self, s: At) -> Iterator[int]:
        if s.place > 0:
            yield 0
            yield 1

    def other_actions(self, s: At) -> Iterator[int]:
        if s.place > 0:
            yield 0
        if s.place == 1:
            yield 1

    def outcomes(self, s: At, action: int, other: int) -> Iterator[tuple[int, int, At]]:
        stays = s.place == 1 and action * other == 1
        yield 1, -1 if stays else 0, At(1 if stays or (s.place == 2 and action == 1) else 0, 0)


def test_what_play_does_not_come_to_needs_no_value() -> None:
    solution = zermelo.solve(Aside())

    def never_aside(s: At) -> int:
        return 2 - s.place

    found = solution.evaluate(never_aside)
    assert (found.value, found.against) == (0, LEAST_FAVOURABLE_MIXTURE)
    response = solution.best_response(never_aside, seat=1)
    assert solution.evaluate(never_aside, lambda s: 1).value == response.value == solution.evaluate(never_aside, response.policy).value == 0
    with pytest.raises(zermelo.NoValue):
        solution.evaluate(lambda s: 1, lambda s: 1)
