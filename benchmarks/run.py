"""Measure Zermelo against its peers: `python benchmarks/run.py [--quick | --slow] [--only NAME ...] [--json FILE] [--write FILE]`.

Every contender runs in a process of its own, one at a time; one that is not installed or fails is reported as such. This process
imports only the standard library: it stays small, and what it starts does not inherit its memory.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from comparisons import COMPARISONS, NORMAL, PHASES, QUICK, SLOW, Contender
from contender import Result
from machine import machine, versions
from report import Results, page, phase_rows, plain, rows_of, target_rows

HERE = Path(__file__).parent
BEGIN, END = "<!-- measured: benchmarks/run.py --write replaces what follows -->", "<!-- end -->"
PHASE_NAME = "phases"


def measure(contender: Contender, folder: str) -> Result:
    """Run one contender. Whatever happens to its process, there is a result."""
    given = json.dumps(contender.given).replace("{folder}", folder)
    command = [sys.executable, "contender.py", contender.call, given]
    try:
        done = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=contender.timeout)
    except subprocess.TimeoutExpired:
        return {"failed": f"not finished after {contender.timeout:.0f} s"}
    try:
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        said = done.stderr.strip().splitlines()
        return {"failed": f"exit code {done.returncode}: {said[-1] if said else 'no output'}"}


def compare(contenders: Sequence[Contender], level: int) -> dict[str, Result]:
    """All contenders of a comparison, in order, with a folder that they share."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for contender in contenders:
            if contender.level <= level:
                print(f"  {contender.who} ...", end="", file=sys.stderr, flush=True)
                found[contender.who] = measure(contender, folder)
                print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    return found


def run(only: Sequence[str], level: int) -> tuple[Results, dict[str, Result]]:
    """Measure, and print each comparison as soon as it is done."""
    results: Results = {}
    for comparison in COMPARISONS:
        if not only or comparison.name in only:
            results[comparison.name] = compare(comparison.contenders, level)
            print(
                f"\n{comparison.title}   (--only {comparison.name})\n{plain(rows_of(results[comparison.name]))}",
                flush=True,
            )
    phases: dict[str, Result] = {}
    if not only or PHASE_NAME in only:
        phases = compare(PHASES, level)
        print(f"\nWhere the time goes   (--only {PHASE_NAME})\n{plain(phase_rows(phases))}")
    if results:
        print(f"\nTargets\n{plain(target_rows(results))}")
    return results, phases


def write(path: Path, text: str) -> None:
    """Replace the measured part of a Markdown file, between its two markers."""
    old = path.read_text()
    before, rest = old.split(BEGIN)
    path.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{rest.split(END)[1]}")


def main(words: Sequence[str] | None = None) -> int:
    names = [c.name for c in COMPARISONS] + [PHASE_NAME]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", choices=names, default=[], help=f"one of: {', '.join(names)}"
    )
    speed = parser.add_mutually_exclusive_group()
    speed.add_argument("--quick", action="store_true", help="leave out what takes more than some seconds")
    speed.add_argument("--slow", action="store_true", help="also OpenSpiel on Pig to 100: a quarter of an hour, 5 GB")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to this file")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="put the tables between the markers of this Markdown file"
    )
    asked = parser.parse_args(words)
    if asked.only and asked.write:
        parser.error("--write replaces all tables, so it takes no --only")
    level = QUICK if asked.quick else SLOW if asked.slow else NORMAL
    where, what = machine(), versions()
    for name, said in {**where, "versions": ", ".join(f"{n} {v}" for n, v in what.items())}.items():
        print(f"{name}: {said}")
    results, phases = run(asked.only, level)
    if asked.json:
        data = {"machine": where, "versions": what, "results": results, "phases": phases}
        asked.json.write_text(json.dumps(data, indent=1) + "\n")
    if asked.write:
        write(asked.write, page(results, phases, where, what))
    failed = [
        who for found in results.values() for who, r in found.items() if who.startswith("Zermelo") and "failed" in r
    ]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
