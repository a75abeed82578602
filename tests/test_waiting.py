"""A walk in which one may wait for nothing: play can stay anywhere forever, and is worth what a long way to the end makes of it."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from test_models_benchmarks import benchmark
from zermelo.methods import linear
from zermelo.methods.policy_iteration import Block


class At(NamedTuple):
    x: int


class Walk(NamedTuple):
    """Up by 1 with probability 2/3, down otherwise, for `cost` a step; the end at `n` pays `reward`, that at 0 nothing. Waiting is free."""

    n: int = 20
    cost: int = 1
    reward: int = 1000
    backwards: bool = False  # one may also walk down with probability 2/3; this is the first action then
    turned: bool = False  # the player pays, and wants to pay little

    def start(self):
        return At(self.n // 2)

    def player(self, s):
        return 1 if self.turned else 0

    def actions(self, s):
        if 0 < s.x < self.n:
            if self.backwards:
                yield 2
            yield 0
            yield 1

    def outcomes(self, s, action):
        paid = self.cost if self.turned else -self.cost
        if action == 0:
            yield 1, paid, At(s.x - 1)
            yield 2, paid, At(s.x + 1)
        elif action == 1:
            yield 1, 0, s
        else:
            yield 2, paid, At(s.x - 1)
            yield 1, paid, At(s.x + 1)

    def payoff(self, s):
        if s.x < self.n:
            return 0
        return -self.reward if self.turned else self.reward


def worth(game: Walk, x: int) -> Fraction:
    """The best of walking until one is at n or at b, where one waits, for every b: gambler's ruin."""
    most, of = 0, 1  # in whole numbers: to cancel fractions of as many digits takes seconds
    for b in range(x):
        ways, all_ways = 2 ** (game.n - b) - 2 ** (game.n - x), 2 ** (game.n - b) - 1  # to come to n before b
        here = game.reward * ways - game.cost * 3 * ((game.n - b) * ways - (x - b) * all_ways)
        if here * of > most * all_ways:
            most, of = here, all_ways
    return Fraction(-most if game.turned else most, of)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("cost, reward", [(0, 100_000), (1, 100_000), (1, 150)])
@pytest.mark.parametrize("n", [2, 3, 60, 100, 300])
def test_the_value_is_that_of_walking_to_an_end_or_where_one_waits(n: int, cost: int, reward: int, backwards: bool, turned: bool) -> None:
    game = Walk(n, cost, reward, backwards, turned)
    solution = zermelo.solve(game)
    for x in {1, n // 3, n // 2, n - 1} - {0}:
        there = solution.probe(At(x))
        assert there.low <= worth(game, x) <= there.high and there.high - there.low <= 1e-9 * reward


@pytest.mark.parametrize("backwards", [False, True])
@pytest.mark.parametrize("reward", [3_750, 15_000])
def test_a_long_walk_takes_few_policies(reward: int, backwards: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Values spread along a policy that leads to an end, not a few steps a policy; and play is so long that a game which stops with a
    probability of 2^-20 a step has another best policy. It took 500 policies for 5,000 states."""
    evaluated = []
    evaluate = Block.evaluate
    monkeypatch.setattr(Block, "evaluate", lambda *arguments: (evaluated.append(1), evaluate(*arguments))[1])
    game = Walk(5_000, 1, reward, backwards)
    solution = zermelo.solve(game)
    low, high = solution.bounds["payoff"]
    found = worth(game, 2_500) if reward == 3_750 else Fraction(reward - 3 * 2_500)
    assert low <= found <= high and high - low < 1e-4
    assert len(evaluated) < 50


@pytest.mark.parametrize("backwards", [False, True])
def test_a_long_walk_for_nothing_is_bounded(backwards: bool) -> None:
    """Values that floats can't tell from the largest one for thousands of steps: there was no bound for 10,000 states."""
    solution = zermelo.solve(Walk(5000, 0, 100_000, backwards))
    low, high = solution.bounds["payoff"]
    assert low <= 100_000 * (1 - Fraction(1, 2**2500)) <= high and high - low < 1e-5


def test_a_way_over_a_plane_takes_few_policies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also for its bounds: those of 500 x 500 states took 100, as changes spread by a step a policy. The oracle iterates values."""
    evaluated, evaluate = [], linear.solve
    monkeypatch.setattr(linear, "solve", lambda *arguments: (evaluated.append(1), evaluate(*arguments))[1])
    solution = zermelo.solve(benchmark("circular_games").Plane(60))
    value = np.zeros((60, 60))
    for _ in range(2_000):
        ahead, back = np.vstack([value[1:], value[-1:]]), np.vstack([value[:1], value[:-1]])
        right, left = np.hstack([value[:, 1:], value[:, -1:]]), np.hstack([value[:, :1], value[:, :-1]])
        value = np.maximum(0.7 * ahead + 0.3 * back, 0.7 * right + 0.3 * left) - 1.0
        value[-1, -1] = 0.0
    low, high = solution.bounds["payoff"]
    assert low - 1e-9 <= value[0, 0] <= high + 1e-9 and high - low < 1e-9
    assert len(evaluated) < 15
