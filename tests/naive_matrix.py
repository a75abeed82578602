"""The oracles for games of hidden choice, in plain Python and Fractions: every kernel tried, every search tree tried.

A matrix game has optimal strategies that a square kernel A[I, J] determines: q with A[I, J] q = v on I and sum q = 1, and
p likewise (Shapley and Snow 1950). So trying all kernels finds the value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any

from naive import rational

Matrix = Sequence[Sequence[Any]]


def value(payoff: Matrix) -> Fraction:
    """The value of a matrix game, for small matrices. FLINT's rationals take a fraction of the time."""
    payoff = [[rational(x) for x in row] for row in payoff]
    rows, columns = range(len(payoff)), range(len(payoff[0]))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for inside in combinations(rows, size):
            for used in combinations(columns, size):
                kernel = [[payoff[i][j] for j in used] for i in inside]
                q, p = equalising(kernel), equalising([list(column) for column in zip(*kernel, strict=True)])
                if q is None or p is None or min(*q[:-1], *p[:-1]) < 0 or q[-1] != p[-1]:
                    continue
                most = max(sum(payoff[i][j] * w for j, w in zip(used, q, strict=False)) for i in rows)
                least = min(sum(payoff[i][j] * w for i, w in zip(inside, p, strict=False)) for j in columns)
                if most == least:
                    return Fraction(int(most.p), int(most.q))
    raise AssertionError("every matrix game has a value")


def equalising(kernel: list[list[Any]]) -> list[Any] | None:
    """q and v with kernel q = v in every row and sum q = 1, by elimination; None if there is not just one. In the rationals of `kernel`."""
    size, kind = len(kernel), type(kernel[0][0])
    one = Fraction(1) if kind is int else kind(1)
    system = [[*row, -one, 0 * one] for row in kernel] + [[one] * size + [0 * one, one]]
    for c in range(size + 1):
        pivot = next((r for r in range(c, size + 1) if system[r][c]), None)
        if pivot is None:
            return None
        system[c], system[pivot] = system[pivot], system[c]
        system[c] = [x / system[c][c] for x in system[c]]
        for r in range(size + 1):
            if r != c and system[r][c]:
                system[r] = [x - system[r][c] * y for x, y in zip(system[r], system[c], strict=True)]
    return [row[-1] for row in system]


def guarantees(payoff: Matrix, p: Sequence[Fraction], q: Sequence[Fraction]) -> tuple[Fraction, Fraction]:
    """What the row player gets at least with p, and what the column player pays at most with q."""
    low = min(sum(a * w for a, w in zip(column, p, strict=True)) for column in zip(*payoff, strict=True))
    return low, max(sum(a * w for a, w in zip(row, q, strict=True)) for row in payoff)


def cheapest_tree(weights: Sequence[Any]) -> Any:
    """The least sum of weight * depth over all search trees: every root of every range tried."""

    @lru_cache(None)
    def cost(i: int, j: int) -> Any:
        return sum(weights[i:j]) + min(cost(i, r) + cost(r + 1, j) for r in range(i, j)) if i < j else 0

    return cost(0, len(weights))


def shapley(states: Sequence[Any], discount: Fraction, rounds: int) -> list[Fraction]:
    """The values of a stochastic game (Shapley 1953) by iteration from 0, rounded to multiples of 2^-120 in each round.

    A state is a number, its payoff if it is final, or a matrix of lists of outcomes (chance, payoff, next state, sign)."""
    values = [Fraction(s) if not isinstance(s, list) else Fraction(0) for s in states]
    for _ in range(rounds):
        worth = [
            s
            if not isinstance(s, list)
            else value(
                [[sum(c * (p + sign * discount * values[t]) for c, p, t, sign in cell) for cell in row] for row in s]
            )
            for s in states
        ]
        values = [Fraction(round(w * 2**120), 2**120) for w in worth]
    return values
