"""Other threads, and the work that they are given. Where the system lets none be started, as in a container that limits them, those that
there are do it, or the thread that wants the result."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from threading import Lock, Thread, current_thread
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from zermelo.basics.machine import NO_THREAD
from zermelo.basics.notices import notify

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

FEWER = "the system lets this process start no more threads: it goes on with fewer, to the same results (ZERMELO_THREADS=1 asks for none)"

Found = TypeVar("Found")
Given = ParamSpec("Given")


class Job(Future[Found]):
    """Work that is done once: by another thread, or by the one that wants its result if that comes first."""

    def __init__(self, work: Callable[[], Found]):
        super().__init__()
        self._work = work
        self._is_begun = Lock()

    def run(self) -> None:
        """Do it, unless it is begun or cancelled."""
        if not self._is_begun.acquire(blocking=False):
            return
        work = self._work
        del self._work  # it holds what may be large
        if not self.set_running_or_notify_cancel():
            return
        try:
            found = work()
        except BaseException as error:
            self.set_exception(error)
            self = None  # type: ignore[assignment]  # else this and the error, which knows where it was raised, keep each other in memory
        else:
            self.set_result(found)

    def result(self, timeout: float | None = None) -> Found:
        try:
            self.run()
            return super().result(timeout)
        finally:
            self = None  # type: ignore[assignment]


class Crew(Executor):
    """So many other threads, which are started as they are needed. With none, or where none can be started, work is done when its result is
    wanted, so that it must not wait for other work."""

    def __init__(self, number: int):
        self.threads: list[Thread] = []  # that have begun
        self.is_short = False  # a thread could not be started
        self._pool: ThreadPoolExecutor | None = None
        if number:
            from concurrent.futures import ThreadPoolExecutor  # not above: it can't be imported at the end of a script

            begun = self.threads
            self._pool = ThreadPoolExecutor(number, initializer=lambda: begun.append(current_thread()))

    def submit(self, work: Callable[Given, Found], /, *given: Given.args, **named: Given.kwargs) -> Job[Found]:
        job = Job(partial(work, *given, **named))
        if self._pool is not None:
            held: list[Job[Any]] = [job]
            try:
                self._pool.submit(_run, held)
            except RuntimeError as error:  # it waits nevertheless, until a thread comes to it
                if NO_THREAD not in str(error):
                    raise
                self.is_short = True
                if not self.threads:
                    held.clear()  # nobody will, and it may become large
                notify(FEWER)
        return job

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait, cancel_futures=cancel_futures)


def _run(held: list[Job[Any]]) -> None:
    while held:
        held.pop().run()  # no name here keeps it, as in `Job.run`
