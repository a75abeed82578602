"""Published numbers about Pig to exactly 75."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.games import ExactPig
from zermelo.games.exact_pig import HOLD, ROLL, State
from zermelo.games.exact_pig_methods import FORTY_ROUNDS, METHODS, PUBLISHED, TIE, Method, decided, differing, known
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
    """Decisions and probabilities of contest queries, four of them the closest possible."""
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


def by_program(method: Method, mine: int, theirs: int, turn: int) -> Callable[[Bench], float]:
    """The output of a program that iterates pair by pair."""

    def compute(bench: Bench) -> float:
        found = decided(method)
        if turn == 0:
            return float(found.first[mine, theirs])
        return float(max(found.hold[mine, theirs, turn], found.roll[mine, theirs, turn]))

    return compute


def program(method: Method) -> Callable[[Bench], str]:
    """The number of decisions of a program that differ, not counting ties."""

    def compute(bench: Bench) -> str:
        wrong, ties = differing(decided(method), known(first_values(bench.solve(ExactPig()))))
        return f"{wrong - ties}"

    return compute


def ties(method: Method) -> Callable[[Bench], str]:
    """The number of ties that a program decides differently from the exact answer, which rolls if both are worth the same."""

    def compute(bench: Bench) -> str:
        return f"{differing(decided(method), known(first_values(bench.solve(ExactPig()))))[1]}"

    return compute


def claim(
    name: str, source: str, what: str, printed: str, compute: Any, right: str = "", why: str = "", mistake: Any = None
) -> Claim:
    return Claim(f"exact-pig.{name}", "exact-pig", source, what, printed, compute, right, why, mistake)


NOT_CONVERGED = "41 rounds of the printed program have not converged here: they give the printed figure"
EARLIER = (
    "the program went round 40 times, not 41, until the day before the post (history of the author's public repository), and gives the "
    "printed figure then; 41 rounds give 0.929062"
)
PRINTED = (
    (45, 10, 4, "0.771326", "0.771333134"),
    (45, 10, 3, "0.768724", "0.768730813"),
    (45, 10, 2, "0.766302", "0.766309040"),
    (45, 10, 1, "0.763970", "0.763976896"),
    (45, 10, 0, "0.761767", "0.761774310"),
)

PROGRAMS = tuple(zip(PUBLISHED, ("21", "266", "16"), ("146", "1840", "0"), strict=True))  # decisions that are wrong; ties decided otherwise
AS_PUBLISHED = (
    "the published program has 75 places for the turn totals 0 to 75 and reads P(0, 74, 75) = 1 from that of P(1, 0, 0): 72 of the ties; "
    "with 76 places it decides 74 ties otherwise, and 95 queries in all"
)

CLAIMS = (
    claim("first", POST, "P(0, 0, 0), the first player wins", "0.52692", win(0, 0, 0)),
    claim("digits", REFERENCE, "the same, 15 digits", "0.526921870272373", win(0, 0, 0)),
    *(
        claim(f"P{c}-{h}-{x}", POST, f"P({c}, {h}, {x})", printed, win(c, h, x), right, NOT_CONVERGED, by_program(METHODS[0], c, h, x))
        for c, h, x, printed, right in PRINTED
    ),
    claim("P70-0-0", POST, "P(70, 0, 0)", "0.929041", win(70, 0, 0), "0.929091704488386", EARLIER,
          by_program(FORTY_ROUNDS, 70, 0, 0)),
    claim("queries", REFERENCE, "queries C H X: decision and both probabilities", f"{len(QUERIES)} queries", queries),
    claim("decisions", REFERENCE, "decisions of all 208,125 queries", "107434 H, 97989 C, 2702 equal", decisions,
          why="the post's three programs decide some of them otherwise: `zermelo table exact-pig --view methods`"),
    *(
        claim(f"program-{k}", REFERENCE, f"decisions of the program '{m.name}', {m.rounds} rounds, that are wrong and no ties",
              wrong, program(m))
        for k, (m, wrong, _) in enumerate(PROGRAMS, 1)
    ),
    *(
        claim(f"ties-{k}", REFERENCE, f"ties that the program '{m.name}', {m.rounds} rounds, decides otherwise", listed, ties(m),
              why=AS_PUBLISHED if m.short_array else "")
        for k, (m, _, listed) in enumerate(PROGRAMS, 1)
    ),
)  # fmt: skip
