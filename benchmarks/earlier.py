"""This state of the project against an earlier one: the same solves in turns, in processes of their own.

    python benchmarks/earlier.py COMMIT                       # all games below, some minutes
    python benchmarks/earlier.py COMMIT --only Pig CardDraw   # those that begin so
    python benchmarks/earlier.py COMMIT --rounds 5

Seconds by the clock, and processor seconds of all threads together, of a solve in a process that has solved the game twice before, and
for as many seconds as `--warm` says, the lowest of all rounds; compiled code is kept on disk. The earlier state is checked out into a
temporary folder. Games are those that both know. On a busy machine only processor seconds mean something.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
GAMES = (  # and how often each is solved in a process
    ("Pig(goal=20)", 15), ("Pig(goal=100)", 5), ("ExactPig(goal=75)", 4), ("CardDraw(red=26, black=26)", 15),
    ("CardDraw(red=1000, black=1000)", 5), ("TenThousand()", 7), ("LeftCenterRight(players=3)", 9), ("LeftCenterRight(players=6)", 3),
    ("LeftCenterRight(players=7)", 1), ("Dreidel(players=4, coins=10)", 2), ("Dreidel(players=5, coins=6)", 1),
    ("TenThousandRace(goal=60)", 3), ("TenThousandRace(goal=200)", 1), ("LemonadeStand(days=30)", 2),
    ("GobbletGobblers(sizes=2, per_size=2, moving=True)", 3), ("GobbletGobblers(sizes=2, per_size=3, moving=True)", 2),
)  # fmt: skip
SOLVE = """
import json, sys, time
import zermelo, zermelo.games
game, repeats = eval("zermelo.games." + sys.argv[1]), int(sys.argv[2])
began, solved = time.process_time(), 0
while solved < 2 or time.process_time() - began < float(sys.argv[3]):
    zermelo.solve(game)
    solved += 1
found = []
for _ in range(repeats):
    began = time.perf_counter(), time.process_time()
    zermelo.solve(game)
    found.append((time.perf_counter() - began[0], time.process_time() - began[1]))
print(json.dumps([min(f) for f in zip(*found)]))
"""


def seconds(home: Path, game: str, repeats: int, warm: float) -> tuple[float, float]:
    """Seconds, and processor seconds, of one solve with the package in this folder."""
    environment = {**os.environ, "PYTHONPATH": str(home / "src"), "ZERMELO_ANEW": "1"}
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, game, str(repeats), str(warm)], env=environment, cwd=home, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"{game} in {home}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    clock, processor = json.loads(done.stdout.strip().splitlines()[-1])
    return clock, processor


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit")
    parser.add_argument("--only", nargs="+", default=[""], help="games that begin so")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=float, default=8.0, help="seconds of solving before; small games are interpreted in the first ones")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        earlier = Path(folder) / "earlier"
        subprocess.run(["git", "-C", HERE, "worktree", "add", "--quiet", "--detach", earlier, options.commit], check=True)
        try:
            for game, repeats in GAMES:
                if not game.startswith(tuple(options.only)):
                    continue
                found: dict[Path, list[tuple[float, float]]] = {earlier: [], HERE: []}
                for k in range(options.rounds):
                    for home in (earlier, HERE) if k % 2 == 0 else (HERE, earlier):
                        found[home].append(seconds(home, game, repeats, options.warm))
                told = []
                for k, what in enumerate(("s", "processor s")):
                    before, now = (min(times[k] for times in found[home]) for home in (earlier, HERE))
                    told.append(f"{before:.3f} {what} before, {now:.3f} now, {now / before:.2f} times")
                print(f"{game}: {'; '.join(told)}", flush=True)
        finally:
            subprocess.run(["git", "-C", HERE, "worktree", "remove", "--force", earlier], check=True)


if __name__ == "__main__":
    main()
