"""Which files of tests run, what a run says in the end, how often it looks for garbage, and fixtures of several files: no compiler, and
a browser."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# As on the command line, and before numpy is imported: its threads wait for one another by spinning, which takes most of the time where
# another process is at work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

from browser import MISSING, Browser, chromium
from zermelo.basics.ahead import share
from zermelo.kernels.kernel import only

# Hundreds of thousands of objects of the compiler stay in memory: looking through them as often as Python does takes 6 % of the time.
gc.set_threshold(50_000, 20, 20)

# Where the environment forbids to keep bytecode, every process that a test starts would compile the sources of numba and of ours anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# Some tests look for kernels' machine code, or spoil it, where it lies without this.
os.environ.pop("NUMBA_CACHE_DIR", None)

# Where a script starts the tests in the background (`&`), Ctrl-C is ignored: tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

if "PYTEST_XDIST_WORKER" in os.environ:
    share()  # no kernel is compiled by two of pytest's processes at once: one waits, and has it from the disk


FILES = {path: place for place, path in enumerate(sorted(Path(__file__).parent.glob("test_*.py")))}


def pytest_addoption(parser: Any) -> None:
    parser.addoption(
        "--part", default="1/1", metavar="K/N",
        help="run the K-th, K+N-th, ... file only: machine code stays in a process's memory, so `make test` runs one part after the other",
    )  # fmt: skip


def pytest_ignore_collect(collection_path: Path, config: Any) -> bool | None:
    """Files of other parts are not even imported."""
    part, parts = map(int, config.getoption("--part").split("/"))
    return True if collection_path in FILES and FILES[collection_path] % parts != part - 1 else None


def pytest_configure(config: Any) -> None:
    """To free the objects of the compiler one by one takes seconds: a worker ends at once, after all that is registered later."""
    if hasattr(config, "workerinput"):
        atexit.register(os._exit, 0)


def pytest_sessionfinish() -> None:
    """pytest looks for garbage twice more, which takes a second each time."""
    gc.freeze()


@pytest.fixture
def in_python() -> Iterator[None]:
    """Everything is interpreted, which for small games takes less time than to compile their rules."""
    with only("interpreted"):
        yield


@pytest.fixture(scope="module")
def chrome() -> Iterator[Browser]:
    """A browser for all tests of a file."""
    with Browser() as browser:
        yield browser


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Skipped tests are easily overlooked: one line says which were, and what brings them back."""
    if chromium() is None:
        terminalreporter.write_line(f"{MISSING}: the tests of pages in a browser were skipped")
