"""What a second thread brings: python benchmarks/threads.py [NUMBER]. Wall seconds of the same work with 1 thread and with NUMBER ones, in
turns, medians; the first two of each work with each number of threads, which may compile, are not counted. `zermelo warm` before compiles
what small games do without."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import zermelo
from zermelo.games.blackjack.counting import counting_gains
from zermelo.games.blackjack.rules import Rules

WARMING, TURNS = 2, 3


def solving(name: str, **parameters: Any) -> Callable[[], object]:
    """Find the states, solve and certify."""
    return lambda: zermelo.solve(name, **parameters)


def simulating(name: str, plays: int, **parameters: Any) -> Callable[[], object]:
    """Plays according to a solution."""
    solution = zermelo.solve(name, **parameters)
    return lambda: solution.simulate(plays)


def dealing(shoes: int) -> Callable[[], object]:
    """Shoes of blackjack, of two decks, among them what the best table and a hundred rounds are worth."""
    return lambda: counting_gains(Rules(decks=2), (0.5,), valued=100, shoes=shoes)


WORK: tuple[tuple[str, Callable[[], Callable[[], object]]], ...] = (
    ("Pig to 100", lambda: solving("pig", goal=100)),
    ("card draw, 1000 + 1000", lambda: solving("card-draw", red=1000, black=1000)),
    ("card draw, a million of each, its urn swept", lambda: solving("card-draw", red=1_000_000, black=1_000_000)),
    ("Left-Center-Right, 7 players", lambda: solving("left-center-right", players=7)),
    ("the race of Ten Thousand to 150", lambda: solving("ten-thousand-race", goal=150)),
    ("Gobblet with 2 sizes of 3", lambda: solving("gobblet", sizes=2, per_size=3)),
    ("Connect Four, 5 x 4", lambda: solving("connect-four", width=5, height=4)),
    ("Lemonade Stand, 30 days", lambda: solving("lemonade", days=30)),
    ("200,000 plays of Pig to 100, simulated", lambda: simulating("pig", 200_000, goal=100)),
    ("2 million plays of the card draw, 26 + 26, simulated", lambda: simulating("card-draw", 2_000_000)),
    ("2,000 shoes of blackjack, two decks", lambda: dealing(2_000)),
)  # fmt: skip


def seconds(work: Callable[[], object], number: int) -> float:
    """Of the work, done once."""
    zermelo.threads(number)
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    os.environ["ZERMELO_ANEW"] = "1"  # nothing that was kept on disk answers
    print(f"| work | 1 thread | {number} threads | speed-up |")
    print("|---|---|---|---|")
    for name, prepare in WORK:
        work = prepare()
        runs = [(seconds(work, 1), seconds(work, number)) for _ in range(WARMING + TURNS)][WARMING:]
        one, many = (median(run[k] for run in runs) for k in (0, 1))
        print(f"| {name} | {one:.2f} s | {many:.2f} s | {one / many:.2f} |", flush=True)


if __name__ == "__main__":
    main()
