"""Pig in the fewest turns: by Zermelo, and by one equation a score that is solved by itself, in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

import zermelo
from zermelo.games import FewestTurns
from zermelo.games.fewest_turns import HOLD, ROLL


def turns(goal: int, sides: int) -> Fraction:
    """T(banked) = min over ways to play a turn of 1 + E[T(banked + gain)], from the goal down; each T solved for by improving the way."""
    known: dict[int, Fraction] = {}

    def after(banked: int, total: int) -> Fraction:
        return Fraction(0) if banked + total >= goal else known[banked + total]

    for banked in range(goal - 1, -1, -1):
        holds: set[int] = set(range(1, goal - banked))
        while True:
            a, b = {}, {}  # what is to come at a turn total of t is a[t] + b[t] T(banked)
            for t in range(goal - banked - 1, -1, -1):
                if t in holds:
                    a[t], b[t] = after(banked, t), Fraction(0)
                else:
                    nexts = [t + face for face in range(2, sides + 1)]
                    a[t] = sum((a[n] if banked + n < goal else Fraction(0) for n in nexts), Fraction(0)) / sides
                    b[t] = (1 + sum(b[n] if banked + n < goal else 0 for n in nexts)) / Fraction(sides)
            here = (1 + a[0]) / (1 - b[0])
            worth = {t: a[t] + b[t] * here for t in a} | {t: Fraction(0) for t in range(goal - banked, goal - banked + sides + 1)}
            rolled = {t: (here + sum(worth[t + face] for face in range(2, sides + 1))) / sides for t in a if t}
            better = {t for t in rolled if after(banked, t) <= rolled[t]}
            if better == holds:
                break
            holds = better
        known[banked] = here
    return known[0]


@pytest.mark.parametrize(("goal", "sides"), [(1, 6), (2, 2), (12, 3), (25, 6), (30, 4), (33, 6)])
def test_fewest_turns_two_ways(goal: int, sides: int) -> None:
    assert -zermelo.solve(FewestTurns(goal, sides), exact=True).value == turns(goal, sides)


def test_to_a_hundred() -> None:
    solution = zermelo.solve(FewestTurns())
    best = float(turns(100, 6))
    assert -float(solution.value) == pytest.approx(best, abs=1e-12) and solution.low <= -best <= solution.high
    at_20 = solution.evaluate(lambda s: HOLD if s.turn >= 20 else ROLL)
    assert -float(at_20.value) == pytest.approx(12.634906, abs=0.01)  # simulated, a million games: Neller (Nifty assignments 2010)
    at_25 = solution.evaluate(lambda s: HOLD if s.turn >= 25 else ROLL)
    assert best < -float(at_20.value) and best < -float(at_25.value)
    assert f"{best:.9f}" == "12.545232352" and f"{-at_20.value:.6f} {-at_25.value:.6f}" == "12.636769 12.685158"
