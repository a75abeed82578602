"""Long-running work in the background: one job at a time, with progress, and cancellable."""

from __future__ import annotations

import itertools
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from zermelo.basics.interrupts import Ended, end_soon
from zermelo.basics.progress import Progress
from zermelo.errors import RulesError, ZermeloError
from zermelo.language.source import CHANGED
from zermelo.serve.words import in_a_line, on_the_page

KEPT = 16  # finished jobs whose results can still be requested
MOST_WAITING = 64  # jobs that wait for their turn
WAITING, RUNNING, DONE, FAILED, CANCELLED = "waiting", "running", "done", "failed", "cancelled"
OVER = (DONE, FAILED, CANCELLED)


class Busy(Exception):
    """Too many jobs are already waiting."""


class Cancelled(BaseException):
    """Raised in a cancelled job when it reports progress. Not an `Exception`, since rules may catch those."""


class Job:
    """One piece of work. `work` is called with a progress callback, and its return value is the job's result."""

    def __init__(self, name: str, work: Callable[[Progress], Any]):
        self.name, self._work = name, work
        self.status, self.result, self.error = WAITING, None, ""  # type: str, Any, str
        self.faults: list[str] = []  # of rules
        self.doing, self.done, self.total = "waiting for other work to end", 0, None  # type: str, int, int | None
        self._began = self._ended = 0.0
        self._is_unwanted = threading.Event()
        self._thread: threading.Thread | None = None  # the thread that does it
        self._lock = threading.Lock()
        self.over = threading.Event()

    def cancel(self) -> None:
        """Make the job end where it next reports progress, or at the next kernel or pass of the compiler; at once if it still waits."""
        with self._lock:
            self._is_unwanted.set()
            if self._thread is not None:
                end_soon(self._thread)
            elif self.status == WAITING:
                self.status = CANCELLED
                self._end()

    @property
    def is_unwanted(self) -> bool:
        """Whether it was cancelled."""
        return self._is_unwanted.is_set()

    @property
    def seconds(self) -> float:
        """How long it has run."""
        return 0.0 if not self._began else (self._ended or time.monotonic()) - self._began

    def run(self) -> None:
        """Do the work in this thread, unless it is already cancelled."""
        with self._lock:
            if self.status == CANCELLED:
                return
            self._began, self.doing = time.monotonic(), "beginning"
            self._thread = threading.current_thread()
        try:
            self._go_on()
            self.status = RUNNING
            self.result = self._work(self._report)
            self.status = DONE
        except (Cancelled, Ended):
            self.status = CANCELLED
        except RulesError as error:
            self.faults = [on_the_page(fault) for fault in error.faults]
            if any(CHANGED in fault for fault in error.faults):  # no fault of the rules: the first says all
                self._fail(self.faults[0])
                self.faults = []
            else:
                self._fail(f"{str(error).splitlines()[0].rstrip(':')}")
        except ZermeloError as error:
            self._fail(str(error))
        except MemoryError:
            self._fail("out of memory; give the game smaller parameters")
        except BaseException as error:
            self._fail(f"an error in Zermelo or in the rules, {type(error).__name__}: {error}".splitlines()[0])
        finally:
            with self._lock:  # this thread may have other jobs to do
                end_soon(threading.current_thread(), False)
                self._thread = None
            self._end()

    def _end(self) -> None:
        self._work = _nothing  # the work may hold a whole solution
        self._ended = time.monotonic()
        self.over.set()

    def _fail(self, text: str) -> None:
        self.status, self.error = FAILED, in_a_line(text)

    def _report(self, what: str, done: int, total: int | None) -> None:
        self._go_on()
        self.doing, self.done, self.total = what, int(done), None if total is None else int(total)

    def _go_on(self) -> None:
        if self.is_unwanted:
            raise Cancelled

    def as_data(self) -> dict[str, Any]:
        """Its progress, as data."""
        return {
            "job": self.name,
            "status": self.status,
            "doing": self.doing,
            "done": self.done,
            "of": self.total,
            "seconds": round(self.seconds, 3),
            "error": self.error or None,
            "faults": self.faults,
            "cancelling": self.is_unwanted and self.status not in OVER,
        }


def _nothing(progress: Progress) -> None:
    """The work of a job that is over."""


class Jobs:
    """All jobs of a server. They run one after the other, in the order in which they were requested."""

    def __init__(self) -> None:
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._names = map(str, itertools.count(1))
        self._queue: list[Job] = []
        self._is_at_work = False
        self._lock = threading.Lock()

    def start(self, work: Callable[[Progress], Any]) -> Job:
        """A job that begins when those before it are over; where no thread can be started for it, it is over, too. Raises `Busy`."""
        with self._lock:
            if sum(not job.is_unwanted for job in self._queue) >= MOST_WAITING:
                raise Busy(f"{MOST_WAITING} questions wait for an answer already: try again later")
            job = Job(next(self._names), work)
            self._jobs[job.name] = job
            self._queue.append(job)
            for name in [n for n, j in self._jobs.items() if j.status in OVER][:-KEPT]:
                del self._jobs[name]
            is_first, self._is_at_work = not self._is_at_work, True
        if is_first:
            try:
                threading.Thread(target=self._work, name="zermelo-jobs", daemon=True).start()
            except RuntimeError:
                self._work()
        return job

    def find(self, name: str) -> Job | None:
        """The job of this name, unless it ended long ago."""
        return self._jobs.get(name)

    def _work(self) -> None:
        """Do what waits, one job after the other. The thread ends when nothing does, so a server that is closed leaves none behind."""
        while True:
            with self._lock:
                if not self._queue:
                    self._is_at_work = False
                    return
                job = self._queue.pop(0)
            job.run()
