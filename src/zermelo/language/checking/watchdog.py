"""Stops rules that never end while the checker runs them, where they could not be interrupted from outside: in `while True: pass`, say."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType

from zermelo.basics.raise_in import raise_in

LONGEST = 10.0  # seconds of the processor that one call of a rule may take, about
PULSE = 0.2  # seconds between two looks
IDLE = 10  # looks with nothing to look after, until the thread that looks ends


class Endless(BaseException):
    """Raised in rules that run for longer than they may. No `Exception`, as rules may catch those."""


class Watchdog:
    """`with watchdog:` has a thread look after what the thread that runs rules does in `with watchdog.watching:`, and raise `Endless`
    in the middle of what takes longer than `seconds`; or, where `steps` are counted in it, of a step that does. It is raised between two
    instructions of Python, so that its traceback ends in the line that never ends; a call of the standard library that does not come back
    can't be stopped."""

    def __init__(self, seconds: float, steps: Callable[[], int] = lambda: 0) -> None:
        self.seconds, self.steps = seconds, steps
        self.watching = _Watching(self)
        self.lock = threading.Lock()
        self.call, self.is_running = 0, False  # the number of the call of a rule, and whether it goes on
        self.fired = False
        self.runs: int | None = None  # the thread that runs rules
        self._seen, self._since = (-1, 0), 0.0  # the call and its step at the last look; the clock of the process when that was seen first

    def __enter__(self) -> Watchdog:
        self.runs = threading.get_ident()
        _look_after(self)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with _all:
            _watchdogs.discard(self)
        self.runs = None

    def look(self) -> None:
        """End the call if it has taken too long."""
        with self.lock:
            if not self.is_running or self.fired:
                return
            now, seen = time.process_time(), (self.call, self.steps())
            if seen != self._seen:
                self._seen, self._since = seen, now
            elif now - self._since > self.seconds and self.runs is not None:
                self.fired = raise_in(self.runs, Endless)


class _Watching:
    """What is done inside is one call. It asks for no clock: there are many of them, and most take microseconds."""

    def __init__(self, watchdog: Watchdog) -> None:
        self._watchdog = watchdog

    def __enter__(self) -> None:
        dog = self._watchdog
        with dog.lock:
            dog.call += 1
            dog.fired, dog.is_running = False, True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        dog = self._watchdog
        with dog.lock:
            dog.is_running = False
            if dog.fired and dog.runs is not None:  # too late to be raised elsewhere
                raise_in(dog.runs, None)


# The thread that looks, one for all -------------------------------------------------------------------------------------

_all = threading.RLock()  # a handler of signals may solve a game while this thread starts the other one
_watchdogs: set[Watchdog] = set()
_thread: threading.Thread | None = None


def _look_after(watchdog: Watchdog) -> None:
    global _thread
    with _all:
        _watchdogs.add(watchdog)
        if _thread is None or not _thread.is_alive():
            _thread = threading.Thread(target=_look, name="zermelo-watchdog", daemon=True)
            with suppress(RuntimeError):  # no thread can be started: nobody looks
                _thread.start()


def _look() -> None:
    global _thread
    idle = 0
    while idle < IDLE:
        time.sleep(PULSE)
        with _all:
            looked_after = list(_watchdogs)
            idle = 0 if looked_after else idle + 1
            if idle == IDLE:
                _thread = None
        for watchdog in looked_after:
            watchdog.look()


def _anew() -> None:
    """In a process that was forked off there is no such thread, and nobody who would give the lock back."""
    global _all, _thread
    _all, _thread = threading.RLock(), None
    _watchdogs.clear()


os.register_at_fork(after_in_child=_anew)
