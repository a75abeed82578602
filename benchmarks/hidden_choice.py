"""How long games of hidden choice take, in seconds of one processor: `python benchmarks/hidden_choice.py` prints Markdown tables.

Ours are exact and proven, but for stochastic games, which are certified. The peers, in the same run:

- binary search: what its source did, all search trees as columns of one linear program, here in floats (scipy, HiGHS), the columns
  written down beforehand; without a proof, and 208,012 columns for n = 12.
- matrices: pygambit's linear program in floats and in rationals, and nashpy's in floats (`pip install pygambit nashpy`; left out where they
  are missing). pygambit's rationals take a minute for 100 x 100: they are asked for that with `--slow` only.
- Hog with simultaneous turns: Shapley's value iteration in numpy with a linear program a state (scipy), until values move less than 1e-9;
  without a bound. It knows that both players' dice are independent, and takes no list of outcomes.

`--slow` also adds 256 numbers. `--only search`, `matrices`, `hog`.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
from machine import machine, versions
from scipy.optimize import linprog

import zermelo
from zermelo.games import BinarySearch, HogSimultaneous
from zermelo.games.hog_simultaneous import State
from zermelo.games.search_trees import every

NUMBERS, ENUMERATED, SIZES = (9, 11, 12, 13, 50, 100, 200), (9, 11, 12), (20, 50, 100, 200)
RATIONAL = 50  # strategies up to which pygambit's rationals are always asked
REPEATS = 5
GOALS, SHAPLEY, STILL = (5, 20, 100), (5, 20), 1e-9


def seconds(work: Callable[[], Any], repeats: int = REPEATS) -> tuple[float, Any]:
    """The median of the processor's time, which hardly depends on what else the machine does; and the last result."""
    times, result = [], None
    for _ in range(repeats):
        began = time.process_time()
        result = work()
        times.append(time.process_time() - began)
    return median(times), result


# --- binary search ----------------------------------------------------------------------------------------------------


def enumerated(payoff: np.ndarray) -> float:
    """The value from the linear program over all columns : float64[n, trees]."""
    rows, columns = payoff.shape
    cost = np.append(np.zeros(columns), 1.0)
    bounds = [(0, None)] * columns + [(None, None)]
    inequality = np.hstack([payoff, -np.ones((rows, 1))])
    total = np.append(np.ones(columns), 0.0)[None]
    return linprog(cost, inequality, np.zeros(rows), total, [1.0], bounds, method="highs").fun


def searches(numbers: tuple[int, ...]) -> None:
    zermelo.solve(BinarySearch(3))  # loads the compiled code
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


# --- matrices ---------------------------------------------------------------------------------------------------------


def matrices(slow: bool) -> None:
    print(
        "\n| random matrix of whole numbers to 100 | seconds, with proof | pygambit, floats | pygambit, rationals | nashpy, floats |\n"
        "|---|---|---|---|---|"
    )
    for peer in (gambit, nashpy):  # loads them
        if installed(peer):
            peer(np.array([[0, 1], [1, 0]]))
    for n in SIZES:
        games = [np.random.default_rng(s).integers(-100, 101, (n, n)) for s in range(REPEATS)]
        queue = iter([game.tolist() for game in games])
        ours, solution = seconds(lambda queue=queue: zermelo.matrix_game(next(queue)))
        cells = [f"{ours:.3f}"]
        for peer, fits in ((gambit, n <= 100), (gambit_in_rationals, n <= (100 if slow else RATIONAL)), (nashpy, True)):
            text = ""
            if fits and installed(peer):
                taken, value = seconds(lambda peer=peer, game=games[-1]: peer(game), 1)
                assert abs(value - float(solution.value)) < 1e-6, peer.__name__
                text = f"{taken:.3f}"
            cells.append(text)
        print(f"| {n} x {n} | {' | '.join(cells)} |", flush=True)


def installed(peer: Callable[..., float]) -> bool:
    return importlib.util.find_spec("nashpy" if peer is nashpy else "pygambit") is not None


def gambit(payoff: np.ndarray, rational: bool = False) -> float:
    import pygambit

    game = pygambit.Game.from_arrays(payoff, -payoff)
    found = pygambit.nash.lp_solve(game, rational=rational).equilibria[0]
    return float(found.payoff(next(iter(game.players))))


def gambit_in_rationals(payoff: np.ndarray) -> float:
    return gambit(payoff, rational=True)


def nashpy(payoff: np.ndarray) -> float:
    import nashpy as package

    row, column = package.Game(payoff).linear_program()
    return float(row @ payoff @ column)


# --- Hog --------------------------------------------------------------------------------------------------------------


def shapley(goal: int, dice: int) -> float:
    """The value of 0 to 0 for the first player, by value iteration with a linear program in every state."""
    law, laws = np.array([1.0]), []
    for _ in range(dice):
        law = np.convolve(law, [0, 0, 1, 1, 1, 1, 1]) / 6
        laws.append(np.append([1 - law.sum()], law[1:]))
    size = goal + 6 * dice
    v = np.sign(np.subtract.outer(np.arange(size), np.arange(size))).astype(float)
    for total in range(2 * goal - 2, -1, -1):
        for a in range(max(0, total - goal + 1), min(goal, total + 1)):
            b, moved = total - a, 1.0
            v[a, b] = 0.0
            while moved > STILL:
                table = np.array([[x @ v[a : a + x.size, b : b + y.size] @ y for y in laws] for x in laws])
                moved = abs(v[a, b] - (value := enumerated(table)))
                v[a, b] = value
    return v[0, 0]


def hog() -> None:
    print(
        "\n| Hog at once, up to 10 dice, goal | seconds, certified | width of the interval | value iteration, linear programs |"
    )
    print("|---|---|---|---|")
    zermelo.solve(HogSimultaneous(2, 2))
    for goal in GOALS:
        ours, solution = seconds(lambda goal=goal: zermelo.solve(HogSimultaneous(goal)), 3)
        theirs = ""
        if goal in SHAPLEY:
            taken, value = seconds(lambda goal=goal: shapley(goal, 10), 1)
            assert abs(value - solution.probe(State(0, 0, 0)).value) < 1e-6
            theirs = f"{taken:.1f}"
        print(f"| {goal} | {ours:.2f} | {float(solution.high - solution.low):.0e} | {theirs} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--slow", action="store_true", help="256 numbers, and pygambit's rationals for 100 x 100, too")
    parser.add_argument("--only", choices=("search", "matrices", "hog"))
    options = parser.parse_args()
    if options.only in (None, "search"):
        searches((*NUMBERS, 256) if options.slow else NUMBERS)
    if options.only in (None, "matrices"):
        matrices(options.slow)
    if options.only in (None, "hog"):
        hog()
    names = ("numpy", "scipy", "python-flint", "pygambit", "nashpy")
    facts = {**machine(), **{name: versions().get(name, "?") for name in names}}
    print("\n" + ", ".join(f"{name} {value}" for name, value in facts.items()))


if __name__ == "__main__":
    main()
