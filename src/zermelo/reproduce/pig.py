"""Published numbers about Pig, Piglet and solitaire Pig."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.games import Pig, Piglet, SolitairePig
from zermelo.games.pig import State
from zermelo.games.pig_views import hold_set, hold_totals, ranges
from zermelo.games.solitaire_pig import HOLD
from zermelo.games.solitaire_pig import State as TurnState
from zermelo.reproduce.claim import Bench, Claim, Tally, agree, tally
from zermelo.reproduce.printed_pig import PIG, PIG_HOLD, PIGLET

NELLER = "Neller and Presser 2004"
REFERENCE = "this project's pig.json"
PAPER = "Crocce and Mordecki 2014, sec. 5.2"
ALMOST = 1e-14


def first_player(bench: Bench) -> Any:
    solution = bench.solve(Pig())
    return solution.game.win_probability(solution.value)


def probabilities(bench: Bench) -> Tally:
    solution = bench.solve(Pig())
    pairs = []
    for (mine, theirs), text in PIG.items():
        ours = solution.game.win_probability(solution.probe(State(mine, theirs, 0)).value)
        pairs.append((f"{mine} against {theirs}", text, ours))
    return tally(pairs, lambda text, ours: abs(float(text) - ours) <= ALMOST)


def totals(bench: Bench) -> Tally:
    found = hold_totals(bench.solve(Pig()))
    return tally([(f"{m} against {t}", str(k), str(int(found[m, t]))) for (m, t), k in PIG_HOLD.items()])


def puzzle(bench: Bench) -> str:
    """Where to hold at 41 against 49; 57 and 58 would give 98 and 99, and 59 wins."""
    return ranges(hold_set(bench.solve(Pig()), 41, 49))


def to_20(bench: Bench) -> Any:
    solution = bench.solve(Pig(20), exact=True)
    return solution.game.win_probability(solution.value)


def piglet(bench: Bench) -> Tally:
    pairs = []
    for goal, text in PIGLET.items():
        solution = bench.solve(Piglet(goal), exact=True)
        pairs.append((f"goal {goal}", text, solution.game.win_probability(solution.value)))
    return tally(pairs, lambda text, ours: Fraction(text) == ours)


def turn(exact: bool) -> Any:
    return lambda bench: bench.solve(SolitairePig(), exact).value


def threshold(bench: Bench) -> int:
    """The least turn total at which holding is best."""
    solution = bench.solve(SolitairePig(), exact=True)
    found = [t for t in range(2, solution.game.enough() + 1) if solution.best_action(TurnState(t)) == HOLD]
    return min(found)


def root(bench: Bench) -> float:
    """The x > 1 with x^2 + ... + x^6 = 6, so that V(0) x^t solves the difference equation."""
    low, high = 1.0, 2.0
    for _ in range(100):
        x = (low + high) / 2
        low, high = (x, high) if sum(x**k for k in range(2, 7)) < 6 else (low, x)
    return low


CLAIMS = (
    Claim("pig.first", "pig", NELLER, "the first player wins, goal 100", "0.5306", first_player),
    Claim("pig.digits", "pig", REFERENCE, "the same, 15 digits", "0.530592725273747", first_player),
    Claim("pig.states", "pig", REFERENCE, "winning from 8 other scores, to 1e-14", "8 probabilities", probabilities),
    Claim("pig.hold", "pig", REFERENCE, "the least total at which to hold", "10 totals", totals),
    Claim("pig.puzzle", "pig", "Possibly Wrong 2014, Pig puzzle", "hold at 41 against 49", "22-26, 28-56", puzzle),
    Claim("pig.20", "pig", REFERENCE, "the first player wins, goal 20, exact", "15116544/24557443", to_20),
    Claim("piglet", "piglet", "this project's piglet.json", "the first player wins, exact", "7 fractions", piglet),
    Claim("solitaire-pig.hold", "solitaire-pig", PAPER, "hold from this total on", "20", threshold),
    Claim("solitaire-pig.value", "solitaire-pig", PAPER, "value of a turn", "8.14", turn(False)),
    Claim(
        "solitaire-pig.fraction",
        "solitaire-pig",
        "this project's solitaire_pig.json",
        "the same, exact",
        "492303203/60466176",
        turn(True),
    ),
    Claim(
        "solitaire-pig.root",
        "solitaire-pig",
        PAPER,
        "growth of the other solutions, a turn total more",
        "1.0646",
        root,
        "1.04610393498966",
        "the root of x^2 + ... + x^6 = 6; no mistake is known to give 1.0646 (docs/races.md has what was tried)",
    ),
)

__all__ = ["CLAIMS", "agree"]
