"""The stochastic games of QComp 2023, read as they are, beside the seconds that other tools were published with.

    git clone https://github.com/incaseoftrouble/qcomp-2023-stochastic-games-models
    python benchmarks/foreign_games.py qcomp-2023-stochastic-games-models --games avoid,dice --seconds 600

One line for each game of `prism-benchmarks.txt`: its states, the certified interval, the seconds of the whole command and of its parts
(compiling is done once for all parameters of a model), and of `data.json` the seconds and the value of the fastest tools. The repository
has no licence, so that nothing of it is part of this one.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PEERS = ("tempest", "prism-games-mtbdd", "pet")


class Game(NamedTuple):
    key: str
    model: Path
    properties: Path
    constants: dict[str, str]


def games(folder: Path, names: list[str]) -> Iterator[Game]:
    """The games whose key contains one of the names; all if there are none."""
    for line in (folder / "prism-benchmarks.txt").read_text().splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        given = dict(c.split("=") for c in words[2].split(",")) if words[1] == "-const" else {}
        model, properties = (folder / "models" / word for word in (words[0], words[-1]))
        key = "_".join([model.stem, *given.values(), properties.stem])
        if not names or any(name in key for name in names):
            yield Game(key, model, properties, given)


def solved(game: Game, seconds: float) -> str:
    """What one game gave, in a process of its own."""
    words = [sys.executable, "-m", "zermelo.cli", "solve", str(game.model), "--property", str(game.properties), "--json"]
    for name, value in game.constants.items():
        words += [f"--{name.replace('_', '-')}", value]
    begin, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds:g} s"
    took, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if done.returncode:
        return f"refused: {done.stderr.strip().splitlines()[-1][:200]}"
    found = json.loads(done.stdout)
    answer, told = found["property"], found["statistics"]
    parts = ", ".join(f"{part} {told[f'seconds {part}']:.1f}" for part in ("compiling", "exploring", "solving"))
    holds = f"{answer['holds']}, " if "holds" in answer else ""
    interval = f"{holds}{answer['low']:.15g} + {answer['high'] - answer['low']:.1e}"
    return f"{told['states']:,} states | {interval} | {took:.1f} s, processor {used:.1f} s ({parts})"


def published(folder: Path) -> dict[str, dict[str, Any]]:
    return {e["key"]: {t: r["result"] for t, r in e["tools"].items()} for e in json.loads((folder / "data.json").read_text())}


def peer(result: dict[str, Any] | None) -> str:
    """The seconds and the value that a tool was published with."""
    if result is None or result["type"] != "terminated":
        return "-" if result is None else result["type"]
    found = re.search(r'Result[^:]*: (\S+)|"values":\{"[^"]*":([^}]*)\}', result["stdout"])
    return f"{result['wall_time']:g} s" + (f" ({(found[1] or found[2])[:10]})" if found else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", default="")
    parser.add_argument("--seconds", type=float, default=600)
    given = parser.parse_args()
    others = published(given.folder)
    for game in games(given.folder, [n for n in given.games.split(",") if n]):
        theirs = others.get(game.key, {})
        told = ", ".join(f"{name} {peer(theirs.get(name))}" for name in PEERS)
        print(game.key, solved(game, given.seconds), told, sep=" | ", flush=True)


if __name__ == "__main__":
    main()
