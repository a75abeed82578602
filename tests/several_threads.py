"""Numbers of threads with which results must be the same, also where the system lets fewer of them be started, as a container may."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from zermelo.basics import threads

STARTED = {1: 0, 2: 0, 3: 1, 8: 7}  # how many other threads can be started, by the number that is asked for


def several() -> Iterator[int]:
    """Each number, with so many threads asked for meanwhile."""
    for number, most in STARTED.items():
        with pytest.MonkeyPatch.context() as patch, limited(most):
            patch.setattr(threads, "_asked", [number])
            yield number


@contextmanager
def limited(most: int) -> Iterator[None]:
    """At most so many threads can share work at a time; with 0, no other thread can be started for anything."""
    begun, start = list[threading.Thread](), threading.Thread.start

    def started(self: threading.Thread) -> None:
        shares = self.name.startswith("ThreadPoolExecutor")
        if most == 0 or (shares and sum(thread.is_alive() for thread in begun) >= most):
            raise RuntimeError("can't start new thread")
        begun.extend([self] if shares else [])
        start(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(threading.Thread, "start", started)
        yield
