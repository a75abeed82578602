"""What it costs to check all positions of a board game instead of a sample (`--quick`): processor seconds, in turns.

    python benchmarks/board_checks.py [ROUNDS]
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import zermelo
from zermelo.games import ConnectFour
from zermelo.games.gobblet import GobbletGobblers

GAMES = {
    "Gobblet Gobblers, (2, 3, 1)": GobbletGobblers(sizes=2, per_size=3),
    "Connect Four, 5 x 4": ConnectFour(5, 4),
}


def seconds(game: Any, quick: bool) -> tuple[float, Any]:
    begun = time.process_time()
    report = zermelo.solve(game, quick=quick).report
    return time.process_time() - begun, report


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("| game | positions | all checked, s | a sample, s | more, median of pairs (least to most) |\n|---|---|---|---|---|")
    for name, game in GAMES.items():
        seconds(game, quick=False), seconds(game, quick=True)  # compiled, and loaded
        pairs = []
        for number in range(rounds):
            found = {}
            for quick in (False, True) if number % 2 == 0 else (True, False):
                found[quick], report = seconds(game, quick)
            pairs.append((found[False], found[True]))
        every, sample = (statistics.median(p[k] for p in pairs) for k in (0, 1))
        more = sorted(p[0] / p[1] - 1.0 for p in pairs)
        share = f"{statistics.median(more):+.0%} ({more[0]:+.0%} to {more[-1]:+.0%})"
        print(f"| {name} | {report.states:,} | {every:.2f} | {sample:.2f} | {share} |", flush=True)


if __name__ == "__main__":
    main()
