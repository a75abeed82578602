"""One contender in a process of its own: `python contender.py MODULE:FUNCTION '{"argument": ...}'` prints its result as JSON.

A contender is a function that returns a `Result` as a dictionary. Its process can crash, run out of memory or lack its package
without harm to the others, and its peak memory is its own.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypedDict


class Result(TypedDict, total=False):
    """What a contender found and what it took."""

    seconds: float  # what is compared
    first: float  # the same for the first time in a process: with compilation, or loading of compiled code
    parts: dict[str, float]  # seconds by phase, or other numbers of this contender by name
    value: float
    low: float  # the interval that the contender claims to contain the true value
    high: float
    exact: str  # the value as a proven fraction
    states: int
    peak_mib: float
    note: str
    alone: bool  # not to be compared with the others
    failed: str


class Timed(NamedTuple):
    first: float
    median: float
    answer: Any  # of the first call
    peak_mib: float  # after the first call


def timed(call: Callable[[], Any], repeats: int = 5, warming: float = 0.0) -> Timed:
    """Call once, again for `warming` seconds, which do not count, and then `repeats` times. The answers are dropped at once, so that two
    are never in memory together."""
    began = time.perf_counter()
    answer = call()
    first, peak = time.perf_counter() - began, peak_mib()
    while time.perf_counter() - began < warming:
        call()
    return Timed(first, median([clocked(call) for _ in range(repeats)]) if repeats else first, answer, peak)


def clocked(call: Callable[[], Any]) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def median(seconds: list[float]) -> float:
    return sorted(seconds)[len(seconds) // 2]


def peak_mib() -> float:
    """Peak memory of this process so far. VmHWM, unlike getrusage's figure, does not count the process that started this one."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    module, function = sys.argv[1].split(":")
    given = json.loads(sys.argv[2])
    try:
        result: Result = getattr(importlib.import_module(module), function)(**given)
        result.setdefault("peak_mib", peak_mib())
    except ModuleNotFoundError as error:
        result = {"failed": f"not installed: {error}"}
    except Exception as error:
        result = {"failed": f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"}
    print("\n" + json.dumps(result), flush=True)


if __name__ == "__main__":
    main()
