"""How long computations take, without the time that numba takes to compile them."""

from __future__ import annotations

import sys
import time
from typing import Any

_compiling: list[Any] = []  # the listener that counts the seconds, once numba is imported


def count_compiling() -> None:
    """Count the seconds that numba spends compiling from now on."""
    if _compiling:
        return
    import numba  # waits for a thread that is importing it; importing a module of it does not, and both would wait for ever

    class Listener(numba.core.event.Listener):
        seconds, depth = 0.0, 0

        def on_start(self, event: Any) -> None:
            if self.depth == 0:
                self.began = time.perf_counter()
            self.depth += 1

        def on_end(self, event: Any) -> None:
            self.depth -= 1
            if self.depth == 0:
                self.seconds += time.perf_counter() - self.began

    _compiling.append(Listener())
    numba.core.event.register("numba:compile", _compiling[0])


def count_waiting(seconds: float) -> None:
    """Add seconds in which this process waited for another one to compile something."""
    if _compiling and _compiling[0].depth == 0:  # else it is among the seconds of the function that calls it
        _compiling[0].seconds += seconds


def seconds_compiling() -> float:
    """Seconds that numba has spent compiling in this process."""
    if not _compiling and "numba" in sys.modules:
        count_compiling()
    return _compiling[0].seconds if _compiling else 0.0


class Stopwatch:
    """Seconds spent inside a `with` block, with and without the time that numba took to compile."""

    def __enter__(self) -> Stopwatch:
        self._compiled = seconds_compiling()
        self._started = time.perf_counter()
        return self

    def __exit__(self, *failure: Any) -> None:
        self.compiling = seconds_compiling() - self._compiled
        self.seconds = time.perf_counter() - self._started - self.compiling
