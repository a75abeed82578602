"""Published numbers about Pig to exactly 75."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.games import ExactPig
from zermelo.games.exact_pig import HOLD, ROLL, State
from zermelo.games.exact_pig_methods import METHODS, TIE, Method, decided, differing, known
from zermelo.games.exact_pig_views import first_values
from zermelo.games.pig_views import advantage
from zermelo.reproduce.claim import Bench, Claim, Tally, tally
from zermelo.reproduce.printed_pig import QUERIES

POST = "Vilches 2022"
REFERENCE = "this project's pig_exact.json"


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
    hold, roll = int((found > TIE).sum()), int((found < -TIE).sum())
    return f"{hold} H, {roll} C, {found.size - hold - roll} equal"


def in_41_rounds(mine: int, theirs: int, turn: int) -> Callable[[Bench], float]:
    """The output of the program that iterates pair by pair."""

    def compute(bench: Bench) -> float:
        found = decided(METHODS[0])
        if turn == 0:
            return float(found.first[mine, theirs])
        return float(max(found.hold[mine, theirs, turn], found.roll[mine, theirs, turn]))

    return compute


def program(method: Method) -> Callable[[Bench], str]:
    """How many decisions of a program differ, ties not counted."""

    def compute(bench: Bench) -> str:
        wrong, ties = differing(decided(method), known(first_values(bench.solve(ExactPig()))))
        return f"{wrong - ties}"

    return compute


def ties(method: Method) -> Callable[[Bench], str]:
    """How many ties a program decides otherwise than the exact answer, which rolls where both are worth the same."""

    def compute(bench: Bench) -> str:
        return f"{differing(decided(method), known(first_values(bench.solve(ExactPig()))))[1]}"

    return compute


def claim(
    name: str, source: str, what: str, printed: str, compute: Any, right: str = "", why: str = "", mistake: Any = None
) -> Claim:
    return Claim(f"exact-pig.{name}", "exact-pig", source, what, printed, compute, right, why, mistake)


NOT_CONVERGED = "41 rounds of the printed program have not converged here: they give the printed figure"
NOT_FOUND = "41 rounds of the printed program have not converged here, but give 0.929062"
PRINTED = (
    (45, 10, 4, "0.771326", "0.771333134"),
    (45, 10, 3, "0.768724", "0.768730813"),
    (45, 10, 2, "0.766302", "0.766309040"),
    (45, 10, 1, "0.763970", "0.763976896"),
    (45, 10, 0, "0.761767", "0.761774310"),
)

PROGRAMS = (  # decisions that are wrong; ties decided otherwise, as listed; and ours where they are others
    (METHODS[0], "21", "146", "74"),
    (METHODS[1]._replace(rounds=35), "266", "1840", ""),
    (METHODS[2], "16", "0", ""),
)
GOAL_REACHED = (
    "ours are the 74 queries that have just reached 75 points; 146, and so 167 queries in all, come out if P(74, 0, 0) alone is "
    "left at 1/2, but no reading of the program that we tried leaves it there"
)

CLAIMS = (
    claim("first", POST, "P(0, 0, 0), the first player wins", "0.52692", win(0, 0, 0)),
    claim("digits", REFERENCE, "the same, 15 digits", "0.526921870272373", win(0, 0, 0)),
    *(
        claim(f"P{c}-{h}-{x}", POST, f"P({c}, {h}, {x})", printed, win(c, h, x), right, NOT_CONVERGED, in_41_rounds(c, h, x))
        for c, h, x, printed, right in PRINTED
    ),
    claim("P70-0-0", POST, "P(70, 0, 0)", "0.929041", win(70, 0, 0), "0.929091704488386", NOT_FOUND),
    claim("queries", REFERENCE, "queries C H X: decision and both probabilities", f"{len(QUERIES)} queries", queries),
    claim("decisions", REFERENCE, "decisions of all 208,125 queries", "107434 H, 97989 C, 2702 equal", decisions,
          why="the post's three programs decide some of them otherwise: `zermelo table exact-pig --view methods`"),
    *(
        claim(f"program-{k}", REFERENCE, f"decisions of the program '{m.name}', {m.rounds} rounds, that are wrong and no ties",
              wrong, program(m))
        for k, (m, wrong, _, _) in enumerate(PROGRAMS, 1)
    ),
    *(
        claim(f"ties-{k}", REFERENCE, f"ties that the program '{m.name}', {m.rounds} rounds, decides otherwise",
              listed, ties(m), right, GOAL_REACHED if right else "")
        for k, (m, _, listed, right) in enumerate(PROGRAMS, 1)
    ),
)  # fmt: skip
