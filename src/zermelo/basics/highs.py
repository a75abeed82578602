"""HiGHS without output, as standard output is for the answers. Ctrl-C ends it as well."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any

import highspy

from zermelo.basics.interrupts import heed

LARGE = 20_000  # nonzeros of a program that takes long enough to need interruption
LOOKS = 0.5  # seconds between two checks whether the caller still waits


class _Silent(highspy.Highs):
    """Its first call prints a banner (1.16: from within the constructor), unless output was turned off before."""

    _unwanted: threading.Event | None = None

    def enableCallbacks(self) -> None:
        self.setOptionValue("output_flag", False)
        super().enableCallbacks()

    def run(self) -> Any:
        """Solve the program. A large one is solved by another thread, as Python handles Ctrl-C only between two of its own steps."""
        if self.getNumNz() < LARGE:
            return super().run()
        if not self._unwanted:
            self._unwanted = threading.Event()
            look = _looking_at(self._unwanted)
            for asked in (self.cbSimplexInterrupt, self.cbIpmInterrupt, self.cbMipInterrupt):
                asked.subscribe(look)
        self._unwanted.clear()
        solved = Future[Any]()
        try:
            threading.Thread(target=_solve, args=(super().run, solved), name="linear program").start()
        except RuntimeError:  # no thread can be started
            return super().run()
        try:
            while not wait([solved], LOOKS).done:  # no `join`: after Ctrl-C it considers the thread ended (Python 3.11)
                heed()
        except BaseException:
            self._unwanted.set()
            wait([solved])
            raise
        return solved.result()


def _looking_at(unwanted: threading.Event) -> Callable[[Any], None]:
    """A callback without a reference to its program: one that refers to itself is kept, megabytes of it, until Python collects cycles."""

    def look(event: Any) -> None:
        if unwanted.is_set():
            event.interrupt()

    return look


def _solve(run: Callable[[], Any], solved: Future[Any]) -> None:
    try:
        result = run()
    except BaseException as error:
        solved.set_exception(error)
    else:
        solved.set_result(result)
    finally:
        highspy.Highs.resetThreadScheduler(False)  # of this thread: a remaining one would end the process


def linear_program(**options: bool | float | str) -> highspy.Highs:
    """An empty linear program for one thread, with these options of HiGHS."""
    highs = _Silent()
    for option, setting in {"output_flag": False, "threads": 1, **options}.items():
        highs.setOptionValue(option, setting)
    return highs
