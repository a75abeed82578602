"""Processes on this machine that each do one piece of work after another.

They are forked from this one, so that they know every game that it knows, including those of a notebook, and everything that it has
imported and compiled. If a process is killed, only the piece that it was working on is lost. This is reported, and another process takes
its place.
"""

from __future__ import annotations

import contextlib
import gc
import multiprocessing
import os
import signal
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from zermelo.basics.interrupts import leave_to_the_parent
from zermelo.basics.notices import Notice, notify
from zermelo.basics.parent import end_with
from zermelo.basics.threads import threads
from zermelo.studies.pace import Pace

AHEAD = 2  # pieces that a process holds while many wait, so that it need not wait for the next one
MANY = 8  # waiting pieces, per process
FEWER = "the system lets this process start no other ones: the study goes on with those that there are"
FORK: Any = multiprocessing.get_context("fork")


class Killed(Exception):
    """A process has ended without an answer."""


@contextlib.contextmanager
def _as_a_parent() -> Iterator[None]:
    """Let a process of a pool start others, which Python forbids since they may outlive it; these end with it."""
    here = multiprocessing.current_process()
    is_daemonic, here.daemon = here.daemon, False
    try:
        yield
    finally:
        here.daemon = is_daemonic


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Start processes that are born deaf to Ctrl-C, which a terminal and a notebook send to all of them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Worker:
    """A process, and the unfinished pieces that it was given."""

    def __init__(self, work: Callable[[Any], bytes], number: int, others: list[_Worker]):
        self.connection, theirs = FORK.Pipe()
        ours = [self.connection, *(other.connection for other in others)]
        self.process = FORK.Process(target=_serve, args=(theirs, ours, work, number, os.getpid()), daemon=True)
        with warnings.catch_warnings(), _as_a_parent(), _without_interrupts():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python warns about threads, which these processes do not use
            self.process.start()
        theirs.close()
        self.pieces: deque[int] = deque()
        self.last = -1  # the last piece that it finished
        self._busy_since = 0.0

    def give(self, piece: int, what: Any, now: float) -> None:
        if not self.pieces:
            self._busy_since = now
        self.pieces.append(piece)
        with contextlib.suppress(OSError):  # it has just been killed, which is noticed when it is next asked
            self.connection.send(what)

    def busy(self) -> float:
        """Seconds since it was last idle."""
        return time.perf_counter() - self._busy_since

    def idle(self) -> float:
        """The same if it is idle now, otherwise 0."""
        return 0.0 if self.pieces else self.busy()

    def answer(self) -> bytes:
        """Its answer for its first piece, which becomes its last one. Raises `Killed`."""
        self.last = self.pieces.popleft()
        try:
            return bytes(self.connection.recv_bytes())
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode
            how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
            raise Killed(f"the process that solved it was ended from outside ({how}), perhaps for want of memory") from None

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.connection.close()


class Workers:
    """Does `work(what)`, in `number` processes that share the threads of this one, or as many as can be started. They stay alive until the
    `with` block ends."""

    def __init__(self, work: Callable[[Any], bytes], number: int):
        self._work, self.number = work, number
        self._seconds = 0.0  # for which processes were busy, without their present pieces
        self._running: list[_Worker] = []

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *failure: Any) -> None:
        for worker in self._running:
            worker.end()
        self._running.clear()

    def done(self, pace: Pace, what: Callable[[int], Any]) -> Iterator[tuple[int, bytes | Killed]]:
        """Every piece of the pace when it is done, with its result or its error. `what(piece)` is the argument of `work`."""
        while len(self._running) < min(self.number, len(pace)) and self._begin():
            pass
        while True:
            now = time.perf_counter()
            for ahead in range(1, AHEAD + 1):
                for worker in self._running:
                    if len(pace) and len(worker.pieces) < ahead and (ahead == 1 or len(pace) > MANY * len(self._running)):
                        piece = pace.next()
                        worker.give(piece, what(piece), now)
            at_work = [worker for worker in self._running if worker.pieces]
            if not at_work and not len(pace):
                return
            if not at_work:  # no process could be started
                piece = pace.next()
                found = self._work(what(piece))
                self._seconds += time.perf_counter() - now
                yield piece, found
                continue
            heard = wait([worker.connection for worker in at_work])
            for worker in at_work:
                if worker.connection in heard:
                    answer = self._answer(worker, pace)
                    yield worker.last, answer

    def worked(self) -> float:
        """Seconds for which all processes together have been busy."""
        return self._seconds + sum(worker.busy() for worker in self._running if worker.pieces)

    def _answer(self, worker: _Worker, pace: Pace) -> bytes | Killed:
        """A process's answer for its first piece. If it was killed, another one takes its place, and its remaining pieces wait again."""
        try:
            return worker.answer()
        except Killed as error:
            for piece in worker.pieces:
                pace.back(piece)
            worker.pieces.clear()
            worker.end()
            self._running.remove(worker)
            self._begin()
            return error
        finally:
            self._seconds += worker.idle()

    def _begin(self) -> bool:
        """Start a process, or do with those that there are, or with this one alone. Returns whether there is one more."""
        try:
            self._running.append(_Worker(self._work, max(threads() // self.number, 1), self._running))
        except BlockingIOError:
            notify(FEWER)
            return False
        return True


def _serve(connection: Connection, others: list[Connection], work: Callable[[Any], bytes], number: int, parent: int) -> None:
    """The main loop of a process. Ctrl-C is for its parent process; it ends when its parent is gone."""
    leave_to_the_parent()
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()  # garbage of the parent must not be freed here: freeing references to objects of a cluster twice would end the cluster
    for other in others:
        other.close()  # otherwise the end of the parent process would not be noticed
    warnings.simplefilter("ignore", Notice)  # they are part of the notes
    threads(number)
    end_with(parent)
    with contextlib.suppress(EOFError, OSError):
        while True:
            connection.send_bytes(work(connection.recv()))
    os._exit(0)
