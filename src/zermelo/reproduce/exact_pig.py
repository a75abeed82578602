"""Published numbers about Pig to exactly 75."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.games import ExactPig
from zermelo.games.exact_pig import HOLD, ROLL, State
from zermelo.games.pig_views import advantage
from zermelo.reproduce.claim import Bench, Claim, Tally, tally
from zermelo.reproduce.printed_pig import QUERIES

POST = "Vilches 2022"
REFERENCE = "this project's pig_exact.json"
ALMOST = 1e-9  # the smallest difference between holding and rolling that is not 0 is 3e-8


def win(mine: int, theirs: int, turn: int) -> Callable[[Bench], Any]:
    def compute(bench: Bench) -> Any:
        solution = bench.solve(ExactPig())
        return solution.game.win_probability(solution.probe(State(mine, theirs, turn)).value)

    return compute


def queries(bench: Bench) -> Tally:
    """Decisions and probabilities of contest queries, four of them the closest that there are."""
    solution = bench.solve(ExactPig())
    pairs = []
    for mine, theirs, turn, decision, held, rolled in QUERIES:
        actions = solution.probe(State(mine, theirs, turn)).actions
        wins = {a: float(solution.game.win_probability(v)) for a, v in actions.items()}
        ours = "H" if wins[HOLD] > wins[ROLL] else "C"
        off = max(abs(float(held) - wins[HOLD]), abs(float(rolled) - wins[ROLL]))
        pairs.append((f"{mine} {theirs} {turn}", decision, ours if off < 1e-12 else f"{ours}, off by {off:.1e}"))
    return tally(pairs)


def decisions(bench: Bench) -> str:
    """All queries 0 <= C, H <= 74, 2 <= X <= 75 - C: strictly hold, strictly continue, equal."""
    found = advantage(bench.solve(ExactPig()))[:, :, 2:]
    found = found[~np.isnan(found)]
    hold, roll = int((found > ALMOST).sum()), int((found < -ALMOST).sum())
    return f"{hold} H, {roll} C, {found.size - hold - roll} equal"


def claim(name: str, source: str, what: str, printed: str, compute: Any, right: str = "", why: str = "") -> Claim:
    return Claim(f"exact-pig.{name}", "exact-pig", source, what, printed, compute, right, why)


NOT_CONVERGED = "41 rounds of the printed program have not converged here"
PRINTED = (
    (70, 0, 0, "0.929041", "0.929091704488386"),
    (45, 10, 4, "0.771326", "0.771333134"),
    (45, 10, 3, "0.768724", "0.768730813"),
    (45, 10, 2, "0.766302", "0.766309040"),
    (45, 10, 1, "0.763970", "0.763976896"),
    (45, 10, 0, "0.761767", "0.761774310"),
)

CLAIMS = (
    claim("first", POST, "P(0, 0, 0), the first player wins", "0.52692", win(0, 0, 0)),
    claim("digits", REFERENCE, "the same, 15 digits", "0.526921870272373", win(0, 0, 0)),
    *(
        claim(f"P{c}-{h}-{x}", POST, f"P({c}, {h}, {x})", printed, win(c, h, x), right, NOT_CONVERGED)
        for c, h, x, printed, right in PRINTED
    ),
    claim("queries", REFERENCE, "queries C H X: decision and both probabilities", f"{len(QUERIES)} queries", queries),
    claim("decisions", REFERENCE, "decisions of all 208,125 queries", "107434 H, 97989 C, 2702 equal", decisions,
          why="the post's three programs decide 167, 2106 and 16 of them otherwise"),
)  # fmt: skip
