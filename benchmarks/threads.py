"""What a second thread brings: python benchmarks/threads.py [NUMBER]. Wall seconds of whole solves with 1 thread and with NUMBER ones, in
turns, medians; the first two of each game with each number of threads, which may compile, are not counted."""

from __future__ import annotations

import sys
import time
from statistics import median

import zermelo

GAMES = (
    ("pig", {"goal": 100}), ("card-draw", {"red": 1000, "black": 1000}), ("left-center-right", {"players": 7}),
    ("ten-thousand-race", {"goal": 150}), ("gobblet", {"sizes": 2, "per_size": 3}),
)  # fmt: skip
WARMING, TURNS = 2, 5


def seconds(name: str, parameters: dict[str, int], number: int) -> float:
    """Of one solve."""
    zermelo.threads(number)
    began = time.perf_counter()
    zermelo.solve(name, **parameters)
    return time.perf_counter() - began


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    print(f"| game | 1 thread | {number} threads | speed-up |")
    print("|---|---|---|---|")
    for name, parameters in GAMES:
        runs = [(seconds(name, parameters, 1), seconds(name, parameters, number)) for _ in range(WARMING + TURNS)][WARMING:]
        one, many = (median(run[k] for run in runs) for k in (0, 1))
        print(f"| {name} {parameters} | {one:.2f} s | {many:.2f} s | {one / many:.2f} |", flush=True)


if __name__ == "__main__":
    main()
