"""Models of the Quantitative Verification Benchmark Set, PRISM's and JANI's, against its exact reference values.

    git clone https://github.com/ahartmanns/qcomp
    python benchmarks/foreign.py qcomp/benchmarks --models consensus,zeroconf --most 100000 --seconds 60

For every instance with reference values: the value that Zermelo finds for each property, as a fraction where `--exact` is given,
whether it agrees with the reference, and the seconds of the whole command, compilation included. The data are under CC-BY 4.0 and not
part of this repository.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

NEVER = "1000000"
PRISM = (".prism", ".nm", ".pm", ".sm")  # others were written in languages that are read as JANI only
ROUNDING = 2e-5  # relative, of references that are no fractions

sys.set_int_max_str_digits(0)  # some references have thousands of digits


class Case(NamedTuple):
    """One property of one instance. `reference`: a fraction, a float of unknown precision, a truth value or "inf"."""

    model: str
    file: Path
    property: str
    constants: dict[str, str]
    reference: Any
    states: float


class Found(NamedTuple):
    verdict: str  # "exact", "agrees", "DIFFERS", "refused: ..."
    value: str
    seconds: float


def cases(folder: Path, names: set[str], most: int, ending: str) -> Iterator[Case]:
    """All cases of the models of these names (all if there are none) with at most so many states."""
    for index in sorted(folder.glob("*/*/index.json")):
        if names and index.parent.name not in names:
            continue
        about = json.loads(index.read_text(encoding="utf-8-sig"))
        for file in about["files"]:
            paths = [file["file"]] if ending == "jani" else [f for f in file.get("original-file", ()) if f.endswith(PRISM)]
            lists = [f for f in file.get("original-file", ()) if f.endswith(".props")]
            path = index.parent / paths[0] if paths else None
            if path is None or not path.exists() or (ending == "prism" and not lists):
                continue
            for opened in file.get("open-parameter-values", ()):
                states = max((_number(s["number"]) for s in opened.get("states", ()) if s.get("number")), default=0)
                if states > most:
                    continue
                given = {v["name"]: _text(v["value"]) for v in opened.get("values", ())}
                for result in opened.get("results", ()):
                    name = result["property"]
                    asked = name if ending == "jani" else f"{index.parent / lists[0]}:{name}"
                    yield Case(about["short"], path, asked, given, _reference(result["value"]), states)


def _number(value: Any) -> float:
    """A number of states, which some entries have as text."""
    return float("inf") if value == "∞" else float(value)


def _text(value: Any) -> str:
    return {True: "true", False: "false"}.get(value, str(value)) if isinstance(value, bool) else str(value)


def _reference(value: Any) -> Any:
    if isinstance(value, dict) and "num" in value:
        return Fraction(int(value["num"]), int(value["den"]))
    if isinstance(value, dict):
        return float(value["approx"]) if "approx" in value else (float(value["lower"]) + float(value["upper"])) / 2
    return Fraction(value) if isinstance(value, int) and not isinstance(value, bool) else value


def tried(case: Case, exact: bool, seconds: float) -> Found:
    """Solve one case in a process of its own; once more with --never where that is asked for."""
    begin = time.perf_counter()
    words = [sys.executable, "-m", "zermelo.cli", "solve", str(case.file), "--property", case.property, "--json"]
    words += [part for name, value in case.constants.items() for part in ("--const", f"{name}={value}")]
    words += ["--exact"] if exact else []
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=seconds)
        if done.returncode and "--never" in done.stderr:
            done = subprocess.run([*words, "--never", NEVER], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Found(f"refused: no answer in {seconds:g} s", "", seconds)
    took = time.perf_counter() - begin
    if done.returncode:
        said = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "?"
        if ": infinite." in said:
            return Found("agrees" if case.reference in ("inf", "∞", "Infinity", float("inf")) else "DIFFERS", "inf", took)
        return Found(f"refused: {said[:150]}", "", took)
    answer = json.loads(done.stdout)["property"]
    return Found(_verdict(case, answer), _shown(answer), took)


def _shown(answer: dict[str, Any]) -> str:
    if answer["value"] is None and "holds" not in answer:
        return str(answer["said"])
    return str(answer["holds"]) if "holds" in answer else str(answer["value"] if answer.get("exact") is None else answer["exact"])


def _verdict(case: Case, answer: dict[str, Any]) -> str:
    if "holds" in answer:
        return "agrees" if answer["holds"] is case.reference else "DIFFERS"
    if isinstance(case.reference, bool | str) or case.reference is None:
        return "DIFFERS"
    if isinstance(case.reference, Fraction) and answer.get("exact") is not None:
        return "exact" if Fraction(answer["exact"]) == case.reference else "DIFFERS"
    near = ROUNDING * max(1.0, abs(float(case.reference)))
    return "agrees" if answer["low"] - near <= float(case.reference) <= answer["high"] + near else "DIFFERS"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--models", default="")
    parser.add_argument("--most", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--form", choices=("prism", "jani"), default="prism")
    parser.add_argument("--exact", action="store_true")
    given = parser.parse_args()
    count: dict[str, int] = {}
    for case in cases(given.folder, set(filter(None, given.models.split(","))), given.most, given.form):
        found = tried(case, given.exact, given.seconds)
        kind = found.verdict.split(":")[0]
        count[kind] = count.get(kind, 0) + 1
        constants = ",".join(f"{n}={v}" for n, v in case.constants.items())
        name = case.property.rpartition(":")[2]
        shown = (f"{case.file.name} {constants} {name}", case.states, found.verdict, found.value[:40], str(case.reference)[:40])
        print(*shown, f"{found.seconds:.1f} s", sep=" | ", flush=True)
    print(count)


if __name__ == "__main__":
    main()
