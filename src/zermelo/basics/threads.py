"""The number of threads that work on a game, sharing work among them, and processes that are forked off meanwhile.

By default as many as the process may use: the processors that it is bound to, but no more than its control groups grant it. To change the
number, set $ZERMELO_THREADS or call `threads(n)`. Results do not depend on it.
"""

from __future__ import annotations

import _imp
import contextlib
import logging  # noqa: F401 - its lock is taken before a fork by what it registers: after ours, which are registered later
import math
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, MutableSequence
from functools import cache, cached_property
from operator import attrgetter
from threading import Barrier, RLock, get_ident, main_thread
from typing import TYPE_CHECKING, Any, TypeVar

from zermelo.basics.interrupts import ended, from_outside, importers
from zermelo.basics.machine import cores_granted
from zermelo.basics.once import once
from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from zermelo.basics.crew import Crew

VARIABLE = "ZERMELO_THREADS"
MOST = 1024
SHORT = 60  # letters of what is shown of another number
LONGEST = 60.0  # seconds for which a fork waits for other threads
PAUSE = 0.002  # seconds until it looks again

LOCK = type(RLock())
Piece = TypeVar("Piece")
Found = TypeVar("Found")
Spare = TypeVar("Spare")

_asked: list[int] = []  # by `threads(n)`: the number, once there is one


def threads(number: int | None = None) -> int:
    """The number of threads that work on a game; with `number`, set it for this process from now on.

    By default as many as the process may use (its processors, or what a container grants), or $ZERMELO_THREADS. Values, policies,
    certificates and simulated plays do not depend on it; memory does, by about a block of a table or the equations of a stage per thread.
    Raises `ParameterError` unless it is a whole number from 1 to 1,024.
    """
    if number is not None:
        _asked[:] = [_checked(number, "threads")]
    if not main_thread().is_alive():  # the script is at its end, and pools of threads can't be made any more
        return 1
    return _asked[0] if _asked else _by_default(os.environ.get(VARIABLE, "").strip())


def shared(work: Callable[[Piece], Found], pieces: Iterable[Piece]) -> list[Found]:
    """`work(piece)` of each piece, in order, computed by all threads. An error of the first piece that has one is raised.

    A kernel must be given slices of its own of arrays that it writes to: they are restored if Python runs it and that
    takes too long."""
    pieces, own = list(pieces), dict[int, Found]()
    number = min(threads(), len(pieces))
    if number < 2:
        return [work(piece) for piece in pieces]
    with crew(number - 1) as pool:
        begun = [pool.submit(work, piece) for piece in pieces]
        error: Exception | None = None
        for k in reversed(range(len(pieces))):  # this thread takes the last one, until all are begun
            if not begun[k].cancel():
                break
            try:
                own[k] = work(pieces[k])
            except Exception as failure:
                if from_outside(failure):
                    raise
                error = failure
                break
        found = [own[k] if k in own else begun[k].result() for k in range(k if error else len(pieces))]
        if error:
            raise error
        return found


def together(work: Callable[[int, int], None], number: int, give_up: Callable[[], None]) -> None:
    """`work(k, number)` for k from 0 to number - 1, each by a thread of its own, 0 by this one; with a smaller number where no more threads
    can be started. They may wait for one another in a kernel (kernels/meeting.py), so none begins before all are there.

    The kernel must be loaded, and called by its machine code (`Kernel.compiled`), so that nothing can happen to the other threads before
    they are in it. Something can happen to this one, such as Ctrl-C: `give_up` must end their waiting for the first meeting."""
    if number == 1:
        work(0, 1)
        return
    from concurrent.futures import Future

    opened = Future[Barrier]()  # the gate, when it is known how many come

    def begin(k: int) -> None:
        gate = opened.result()
        gate.wait()
        work(k, gate.parties)

    with crew(number - 1) as pool:
        others = list[Future[None]]()
        try:
            while len(others) < number - 1 and not pool.is_short:
                others.append(pool.submit(begin, len(others) + 1))
            if pool.is_short:
                others.pop().cancel()
            opened.set_result(Barrier(len(others) + 1))
            begin(0)
            for other in others:
                other.result()
        finally:
            if not opened.cancel():
                opened.result().abort()  # if one does not come
            give_up()


@contextlib.contextmanager
def crew(number: int) -> Generator[Crew]:
    """This many other threads. Work that is unfinished when the `with` block is left, as after Ctrl-C, is dropped at the next kernel.

    This thread had better do its share: then others are started on idle processors. If it only waits, they may share one for 20 ms."""
    from zermelo.basics.crew import Crew  # imported here, so that the command line starts without it

    pool = Crew(number)
    try:
        yield pool
    finally:
        with ended(pool.threads):
            pool.shutdown(cancel_futures=True)


def spare(free: MutableSequence[Spare], make: Callable[[], Spare]) -> Spare:
    """The last of what no thread uses, taken from `free`, else a new one. (To ask whether there is one would leave another thread time to
    take it.)"""
    try:
        return free.pop()
    except IndexError:
        return make()


def ranges(size: int, least: int, each: int = 1) -> list[tuple[int, int]]:
    """0..size-1 in ranges (low, high) of about the same length, `each` for each of several threads, but none shorter than `least`."""
    parts = max(min(each * threads() if threads() > 1 else 1, size // least), 1)
    ends = [size * k // parts for k in range(parts + 1)]
    return list(zip(ends[:-1], ends[1:], strict=True))


@cache
def _by_default(text: str) -> int:
    if text:
        return _checked(int(text) if text.isdecimal() and len(text) < SHORT else text, VARIABLE)
    usable = os.cpu_count() or 1
    with contextlib.suppress(AttributeError, OSError):  # not available on this system
        usable = len(os.sched_getaffinity(0))
    granted = min(cores_granted(), MOST)
    return max(min(usable, math.ceil(granted)), 1)


def _checked(number: Any, name: str) -> int:
    if isinstance(number, bool) or not isinstance(number, int) or not 1 <= number <= MOST:
        raise ParameterError(f"{name} must be a whole number from 1 to {MOST:,}, not {number!r:.{SHORT}}")
    return number


# Processes that are forked off -----------------------------------------------------------------------------------------
#
# A forked process has a copy of everything, also of locks that are held by threads which it does not have, and of what these have half
# done. So a fork waits until no other thread compiles, or imports what solves; attributes that are made once are there or not, and their
# locks are made anew. (Python advises against forks beside other threads. Without this, every second child waited for ever.)

COMPILER = (("numba.core.compiler_lock", "global_compiler_lock._lock"), ("llvmlite.binding.ffi", "lib._lock._lock"))
_taken: list[Callable[[], Any]] = []  # what gives back the locks that a fork took


def _before_fork() -> None:
    """Take the locks of the compiler and of imports together, as a thread that has one may wait for another."""
    end = time.monotonic() + LONGEST
    while not _take() and time.monotonic() < end:
        _give_back()
        time.sleep(PAUSE)


def _take() -> bool:
    for module, name in COMPILER:
        with contextlib.suppress(AttributeError):  # not loaded, or another version
            lock = attrgetter(name)(sys.modules.get(module))
            if not lock.acquire(blocking=False):
                return False
            _taken.append(lock.release)
    _imp.acquire_lock()  # nobody begins to import
    _taken.append(_imp.release_lock)
    return importers() <= {get_ident()}


def _give_back() -> None:
    while _taken:
        _taken.pop()()


def _after_fork_in_child() -> None:
    _give_back()
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "zermelo":
            for kind in [k for k in vars(module).values() if isinstance(k, type)]:
                for called, attribute in list(vars(kind).items()):
                    if isinstance(attribute, LOCK):
                        setattr(kind, called, RLock())
                    elif isinstance(attribute, once):
                        attribute.renew()
                    elif isinstance(attribute, cached_property) and hasattr(attribute, "lock"):  # up to Python 3.11
                        attribute.lock = RLock()


os.register_at_fork(before=_before_fork, after_in_parent=_give_back, after_in_child=_after_fork_in_child)
