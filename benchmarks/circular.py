"""How long games take in which play may go round forever: python benchmarks/circular.py. Processor seconds of a second solve in the same
process, so that all is compiled."""

from __future__ import annotations

import time
from typing import Any

from circular_games import (
    FreeWaiting,
    LongChain,
    ManySmallEnds,
    ManyTriples,
    OneLargeEnd,
    Plane,
    Queues,
    RandomGraph,
    Runners,
    Search,
    SlipperyMaze,
)

import zermelo

GAMES = (
    OneLargeEnd(25_000), ManySmallEnds(25_000), ManyTriples(20_000), Search(14), Search(14, 1), LongChain(200_000), FreeWaiting(40_000),
    FreeWaiting(20_000, cost=0), SlipperyMaze(200), SlipperyMaze(400), Plane(300), Runners(200), Queues(200), RandomGraph(3000),
    RandomGraph(100_000),
)  # fmt: skip


def main() -> None:
    print("| game | states | value | width of the interval | processor seconds |")
    print("|---|---|---|---|---|")
    for game in GAMES:
        _solved(game)
        began = time.process_time()
        solution = _solved(game)
        seconds = time.process_time() - began
        if solution is None:
            print(f"| {game} | | none, which is proven | | {seconds:.2f} |", flush=True)
            continue
        low, high = next(iter(solution.bounds.values()))
        value, width = f"{float(solution.value):.12g}", f"{float(high - low):.1g}"
        print(f"| {game} | {solution.report.states:,} | {value} | {width} | {seconds:.2f} |", flush=True)


def _solved(game: Any) -> Any:
    """The solution, or None if the game is proven to have no value."""
    try:
        return zermelo.solve(game)
    except zermelo.NoValue:
        return None


if __name__ == "__main__":
    main()
