"""What it costs to check all positions of a board game, instead of a sample (`--quick`) or none: processor seconds, in turns.

    python benchmarks/board_checks.py [ROUNDS]
"""

from __future__ import annotations

import statistics
import sys
import time
from typing import Any

import zermelo
from zermelo.engines.boards import solving
from zermelo.games import ConnectFour
from zermelo.games.gobblet import GobbletGobblers

GAMES = {
    "Gobblet Gobblers, (2, 3, 1)": GobbletGobblers(sizes=2, per_size=3),
    "Connect Four, 5 x 4": ConnectFour(5, 4),
}
spent = [0.0]  # by the last check


def clocked(table: Any, quick: bool, check: Any = solving._compare) -> int:
    begun = time.process_time()
    compared: int = check(table, quick)
    spent[0] = time.process_time() - begun
    return compared


def seconds(game: Any, quick: bool) -> tuple[float, float, Any]:
    """Of the whole, and of the check."""
    begun = time.process_time()
    report = zermelo.solve(game, quick=quick).report
    return time.process_time() - begun, spent[0], report


def main() -> None:
    solving._compare = clocked
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print("| game | positions | all checked, s | of it the check | more than without | `--quick`, s |\n|---|---|---|---|---|---|")
    for name, game in GAMES.items():
        seconds(game, quick=False), seconds(game, quick=True)  # compiled, and loaded
        every, sampled = [], []
        for number in range(rounds):
            for quick in (False, True) if number % 2 == 0 else (True, False):
                whole, check, report = seconds(game, quick)
                (sampled if quick else every).append((whole, check))
        whole, check = (statistics.median(e[k] for e in every) for k in (0, 1))
        sample = statistics.median(s[0] for s in sampled)
        more = statistics.median(e[1] / (e[0] - e[1]) for e in every)
        print(f"| {name} | {report.states:,} | {whole:.2f} | {check:.2f} | {more:+.0%} | {sample:.2f} |", flush=True)


if __name__ == "__main__":
    main()
