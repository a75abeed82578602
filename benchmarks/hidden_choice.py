"""How long games of hidden choice take: `python benchmarks/hidden_choice.py` prints a Markdown table.

Ours are exact and proven. The peer is what the source of the binary search game did: all search trees as columns of one linear
program, here in floats (scipy, HiGHS), its columns written down beforehand; without a proof, and 208,012 columns for n = 12.
`--slow` adds 256 numbers.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from machine import machine, versions
from scipy.optimize import linprog

import zermelo
from zermelo.games import BinarySearch
from zermelo.games.search_trees import every

NUMBERS, ENUMERATED, SIZES = (9, 11, 12, 13, 50, 100, 200), (9, 11, 12), (20, 50, 100, 200)
REPEATS = 5


def seconds(work: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, Any]:
    """The median time, and the last result."""
    times, result = [], None
    for _ in range(repeats):
        began = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - began)
    return median(times), result


def enumerated(payoff: np.ndarray) -> float:
    """The value from the linear program over all columns : float64[n, trees]."""
    rows, columns = payoff.shape
    cost = np.append(np.zeros(columns), 1.0)
    bounds = [(0, None)] * columns + [(None, None)]
    inequality = np.hstack([payoff, -np.ones((rows, 1))])
    total = np.append(np.ones(columns), 0.0)[None]
    return linprog(cost, inequality, np.zeros(rows), total, [1.0], bounds, method="highs").fun


def searches(numbers: tuple[int, ...]) -> None:
    print(
        "| binary search, numbers | value | seconds, with proof | all trees in one program, floats |\n|---|---|---|---|"
    )
    for n in numbers:
        ours, solution = seconds(lambda n=n: zermelo.solve(BinarySearch(n)), REPEATS if n <= 200 else 1)
        theirs = ""
        if n in ENUMERATED:
            payoff = np.array(every(n), float).T
            taken, value = seconds(lambda payoff=payoff: enumerated(payoff), 1)
            assert abs(value - solution.value) < 1e-6
            theirs = f"{taken:.2f}"
        value = str(solution.value) if len(str(solution.value)) < 24 else f"{float(solution.value):.12f}"
        print(f"| {n} | {value} | {ours:.3f} | {theirs} |", flush=True)


def matrices() -> None:
    print("\n| random matrix of whole numbers to 100 | seconds, with proof |\n|---|---|")
    for n in SIZES:
        games = iter([np.random.default_rng(s).integers(-100, 101, (n, n)).tolist() for s in range(REPEATS)])
        ours, _ = seconds(lambda games=games: zermelo.matrix_game(next(games)))
        print(f"| {n} x {n} | {ours:.3f} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--slow", action="store_true", help="256 numbers, too")
    slow = parser.parse_args().slow
    zermelo.solve(BinarySearch(3))  # loads the compiled code
    searches((*NUMBERS, 256) if slow else NUMBERS)
    matrices()
    facts = {**machine(), **{name: versions().get(name, "?") for name in ("numpy", "scipy", "python-flint")}}
    print("\n" + ", ".join(f"{name} {value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
