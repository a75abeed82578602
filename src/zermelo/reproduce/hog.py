"""Reference numbers about Hog, in turns."""

from __future__ import annotations

from typing import Any

from zermelo.games import Hog
from zermelo.games.hog import State
from zermelo.reproduce.claim import Bench, Claim

REFERENCE = "this project's hog_alternating.json"


def first(goal: int, most_dice: int) -> Any:
    def compute(bench: Bench) -> Any:
        solution = bench.solve(Hog(goal, most_dice))
        return solution.game.win_probability(solution.value)

    return compute


def first_move(bench: Bench) -> int:
    """Dice to roll at the start, with any number of dice."""
    (dice,) = {bench.solve(Hog(goal, most)).best_action(State(0, 0)) for goal, most in ((20, 10), (100, 20), (100, 30))}
    return dice


CLAIMS = (
    Claim(
        "hog.20-10",
        "hog",
        REFERENCE,
        "the first player wins: goal 20, at most 10 dice",
        "0.593418641663709",
        first(20, 10),
    ),
    Claim("hog.100-20", "hog", REFERENCE, "goal 100, at most 20 dice", "0.529930144253227", first(100, 20)),
    Claim("hog.100-30", "hog", REFERENCE, "goal 100, at most 30 dice", "0.529865394296594", first(100, 30)),
    Claim("hog.first", "hog", REFERENCE, "dice to roll at the start, in all three", "6", first_move),
)
