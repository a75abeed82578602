"""Published numbers about tic-tac-toe and the small rule sets of Gobblet Gobblers."""

from __future__ import annotations

from typing import Any

from zermelo.games import GobbletGobblers
from zermelo.reproduce.claim import Bench, Claim

POST = "Possibly Wrong, Strongly solving Gobblet Gobblers"
TIC_TAC_TOE = GobbletGobblers(1, 5, False)


def states(game: GobbletGobblers) -> Any:
    return lambda bench: bench.solve(game).space.size


def decided(bench: Bench) -> int:
    """Positions that are won or lost."""
    return int((bench.solve(TIC_TAC_TOE).values != 0).sum())


def result(game: GobbletGobblers) -> Any:
    """What the first player gets, and in how many moves."""

    def compute(bench: Bench) -> str:
        solution = bench.solve(game)
        distance = solution.probe(solution.rules.start).distance
        word = {1: "win", 0: "draw", -1: "loss"}[int(solution.value)]
        return word if distance is None or word == "draw" else f"{word} in {distance} moves"

    return compute


CLAIMS = (
    Claim("tic-tac-toe.states", "tic-tac-toe", POST, "positions", "765", states(TIC_TAC_TOE)),
    Claim("tic-tac-toe.decided", "tic-tac-toe", POST, "positions won or lost", "614", decided),
    Claim("tic-tac-toe.value", "tic-tac-toe", POST, "for the first player", "draw", result(TIC_TAC_TOE)),
    Claim("gobblet.221", "gobblet", POST, "positions of (2, 2, 1)", "252238", states(GobbletGobblers(2, 2, True))),
    Claim("gobblet.221-value", "gobblet", POST, "(2, 2, 1)", "draw", result(GobbletGobblers(2, 2, True))),
    Claim("gobblet.230", "gobblet", POST, "positions of (2, 3, 0)", "1964786", states(GobbletGobblers(2, 3, False))),
    Claim("gobblet.230-value", "gobblet", POST, "(2, 3, 0)", "win in 9 moves", result(GobbletGobblers(2, 3, False))),
)
