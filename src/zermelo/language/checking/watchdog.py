"""Stops rules that never end while the checker runs them, where they could not be interrupted from outside: in `while True: pass`, say."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

from zermelo.basics.raise_in import raise_in

LONGEST = 10.0  # seconds of the processor that one call of a rule may take
PULSE = 0.2  # seconds between two looks


class Endless(BaseException):
    """Raised in rules that run for longer than they may. No `Exception`, as rules may catch those."""


class Watchdog:
    """`with watchdog:` has a thread look after what the thread that runs rules does in `with watchdog.watching():`, and raise `Endless`
    in the middle of what takes longer than `seconds`. It is raised between two instructions of Python, so that its traceback ends in
    the line that never ends; a call of the standard library that does not come back can't be stopped."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._lock = threading.Lock()
        self._deadline = math.inf  # on the clock of the process
        self._fired = False
        self._over = threading.Event()
        self._runs: int | None = None  # the thread that runs rules

    def __enter__(self) -> Watchdog:
        self._over.clear()
        self._runs = threading.get_ident()
        threading.Thread(target=self._look, name="zermelo-watchdog", daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._over.set()
        self._runs = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """What is done inside is one call."""
        with self._lock:
            self._fired, self._deadline = False, time.process_time() + self.seconds
        try:
            yield
        finally:
            with self._lock:
                self._deadline = math.inf
                if self._fired and self._runs is not None:  # too late to be raised elsewhere
                    raise_in(self._runs, None)

    def _look(self) -> None:
        while not self._over.wait(PULSE):
            with self._lock:
                if time.process_time() > self._deadline:
                    self._deadline, self._fired = math.inf, True
                    if self._runs is not None:
                        raise_in(self._runs, Endless)
