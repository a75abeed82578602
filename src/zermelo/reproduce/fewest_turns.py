"""Numbers about a target that a single player reaches in the fewest turns: ours, checked by recursions in tests/test_fewest_turns.py."""

from __future__ import annotations

from fractions import Fraction

from zermelo.games import FewestTurns, TenThousandTurns
from zermelo.reproduce.claim import Bench, Claim

PIG, TEN_THOUSAND = "this project's recursion for Pig", "this project's recursion for Ten Thousand"


def at_pig(bench: Bench) -> float:
    return -float(bench.solve(FewestTurns()).value)


def one_chip(bench: Bench) -> Fraction | float:
    game = TenThousandTurns(50, 5, hot=True)  # type: ignore[call-arg]  # mypy loses the defaults of this class
    return -bench.solve(game, exact=True).value


CLAIMS = (
    Claim("fewest-turns.value", "fewest-turns", PIG, "turns to 100 points, the fewest", "12.545232352", at_pig),
    Claim("ten-thousand-turns.one", "ten-thousand-turns", TEN_THOUSAND, "turns until the first chip", "324/299", one_chip),
)
