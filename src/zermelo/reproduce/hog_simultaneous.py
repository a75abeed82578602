"""Numbers about Hog with simultaneous turns, computed by another program before this one was written."""

from __future__ import annotations

from typing import Any

from zermelo.games import HogSimultaneous
from zermelo.reproduce.claim import Bench, Claim, Tally, tally, unit

REFERENCE = "this project's hog_simultaneous.json"


CLOSE = 1e-14  # the width of our bounds

VALUES = (  # goal, dice, points of both: the first player wins
    (20, 10, 0, 10, "0.367549548992693"),
    (100, 10, 0, 50, "0.144051689816673"),
    (100, 20, 50, 75, "0.239053245019638"),
    (100, 10, 80, 95, "0.306144567952755"),
)


def values(bench: Bench, cases: tuple[tuple[int, int, int, int, str], ...] = VALUES) -> Tally:
    """Figures that lie between our bounds, to half a unit of their last digit."""
    pairs = []
    for goal, dice, first, second, printed in cases:
        solution = bench.solve(HogSimultaneous(goal, dice, first, second))
        low, high = (solution.game.win_probability(bound) for bound in (solution.low, solution.high))
        pairs.append((f"goal {goal}, {dice} dice, {first} to {second}", printed, (low, high)))
    return tally(pairs, lies_between)


def lies_between(printed: str, bounds: tuple[float, float]) -> bool:
    low, high = bounds
    half = float(unit(printed)) / 2
    return high - low < CLOSE and low - half <= float(printed) <= high + half


MIXTURE = {2: "0.175580455", 3: "0.052937507", 5: "0.771482038"}


def mixture(bench: Bench) -> Tally:
    """How often each number of dice is played at 99 to 99."""
    solution = bench.solve(HogSimultaneous(100, 10, 99, 99))
    played = solution.probe(solution.rules.start).mixture or {}
    return tally([(f"{n} dice", MIXTURE.get(n, "0"), p) for n, p in played.items()])


def claim(name: str, what: str, printed: str, compute: Any) -> Claim:
    return Claim(f"hog-simultaneous.{name}", "hog-simultaneous", REFERENCE, what, printed, compute)


CLAIMS = (
    claim("values", "goals of 20 and 100: the first player's chance to win", "4 probabilities", values),
    claim("mixture", "goal 100, at 99 to 99: 2, 3 or 5 dice", "3 probabilities", mixture),
)
