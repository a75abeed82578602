"""Whole processes: what a user waits for at the command line."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

from contender import Result, median

MAIN = "import sys; from zermelo.cli import main; sys.argv[0] = 'zermelo'; main()"


def python(*words: str, repeats: int = 7) -> Result:
    """`python WORDS`, from the start of the process to its end."""
    run(list(words))
    times = [run(list(words)) for _ in range(repeats)]
    return {"seconds": median(times), "parts": {"fastest": min(times)}, "alone": True}


def statement(code: str, repeats: int = 7) -> Result:
    return python("-c", code, repeats=repeats)


def command(words: str, repeats: int = 7) -> Result:
    """`zermelo WORDS`, with a warm cache."""
    return python("-c", MAIN, *words.split(), repeats=repeats)


def cold(words: str, everything: bool) -> Result:
    """`zermelo WORDS` with no compiled rules of games in the cache; with `everything` also no compiled kernels."""
    with tempfile.TemporaryDirectory() as rules, tempfile.TemporaryDirectory() as kernels:
        given = {"ZERMELO_CACHE": rules} | ({"NUMBA_CACHE_DIR": kernels} if everything else {})
        return {"seconds": run(["-c", MAIN, *words.split()], given), "alone": True}


def run(words: list[str], given: dict[str, str] | None = None) -> float:
    """Seconds of a process; RuntimeError with its last line if it fails."""
    began = time.perf_counter()
    done = subprocess.run([sys.executable, *words], env=os.environ | (given or {}), capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"exit code {done.returncode}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    return seconds
