"""Ctrl-C and memory shortage as errors in the main thread, raised at points where they do no harm.

Python runs the handler of a signal in the middle of the next Python code. After a kernel, that is code of numba's which makes
arrays of its results and does not check for errors: the process crashes, or a SystemError results. In code that the compiler calls back,
errors are printed and forgotten. So an error waits until no code of the compiler is running, or until the compiler starts its next pass.
So it does for what Python calls where an object ends (`__del__`, weak references): errors are forgotten there, too; and while a library is
imported, as some can't be used any more after half of it.
"""

from __future__ import annotations

import _frozen_importlib
import _thread
import signal
import sys
import threading
import time
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from zermelo.basics.raise_in import is_unbroken, raise_in
from zermelo.errors import OutOfReach

COMPILER = ("numba", "llvmlite")  # packages
LOCKED = {  # functions with locks of the whole process, which a thread can't take twice
    ("concurrent.futures.thread", "submit"), ("threading", "start"), ("threading", "_stop"),
}  # fmt: skip
LOADED = {"zermelo", *COMPILER, "numpy", "scipy", "importlib", "concurrent"}  # imported late, and of no use before that is done
IN_ONE_PIECE = {*LOADED, "pandas", "xarray", "matplotlib"}  # packages that may be broken for good where their import is not finished
ENDINGS = ("weakref", "_weakrefset", "__del__")  # modules of weak references, and the name of a method
FORKS = ("_before_fork", "_give_back", "_after_fork_in_child")  # functions in which errors are forgotten, too (basics/threads.py)
AGAIN = 0.02  # seconds until a waiting error is tried again

_lock = threading.Lock()
_is_on = False  # signals are handled by `_on_signal`
_is_ours = False  # the next signal does not come from the user
_waiting: type[BaseException] | None = None
_ended: set[threading.Thread] = set()  # whose results are no longer needed; another thread may get the number of one that is over


class Ended(BaseException):
    """Raised in a thread whose result is no longer needed."""


@contextmanager
def interruptible() -> Iterator[None]:
    """Make Ctrl-C wait for the compiler, in the main thread, unless it has another handler."""
    global _is_on, _waiting
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    try:  # the first one may come at once
        signal.signal(signal.SIGINT, _on_signal)
        _is_on = True
        yield
        heed()
    finally:
        with _lock:
            _is_on, _waiting = False, None
        signal.signal(signal.SIGINT, signal.default_int_handler)


def leave_to_the_parent() -> None:
    """Ignore Ctrl-C from now on, and what waits for it: in a process that was forked off, whose parent ends it."""
    global _is_on, _waiting
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _is_on, _waiting = False, None


def raise_soon(thread: int, error: type[BaseException]) -> bool:
    """Make the thread with this number raise an error as soon as that is known to do no harm. Returns whether it will."""
    global _waiting
    if thread != threading.main_thread().ident or not _is_on:
        return raise_in(thread, error)
    if _waiting is None:
        _waiting = error
        _ring()
    return True


def take_back(thread: int) -> None:
    """Cancel an error that the thread has not raised yet."""
    global _waiting
    if thread == threading.main_thread().ident:
        _waiting = None
    raise_in(thread, None)


def of_handler(error: BaseException) -> BaseException | None:
    """The error that a handler of signals raised, such as one of the user's that limits the time, if it is this one or what this one
    follows from. Python runs handlers wherever it is, also in the middle of a rule."""
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    codes = {getattr(h if hasattr(h, "__code__") else getattr(h, "__func__", type(h).__call__), "__code__", None) for h in handlers}
    found: BaseException | None = error
    while found and not any(frame.f_code in codes for frame, _ in traceback.walk_tb(found.__traceback__)):
        found = found.__cause__
    return found


def from_outside(error: BaseException) -> BaseException | None:
    """The error, or one that it follows from, if it is about nothing that this thread was doing: memory ran out, or a handler of signals
    raised it."""
    return error if isinstance(error, MemoryError) else of_handler(error)


def raised_text(error: BaseException) -> str:
    """What a function of the user's, such as a policy, raised, in one line. Raises it where it is no fault of the function."""
    if raised := from_outside(error):
        raise raised from None
    return " ".join(f"{type(error).__name__}: {error}".split())


def importers() -> set[int]:
    """The threads that are importing Zermelo and what it imports late."""
    locks = list(getattr(_frozen_importlib, "_module_locks", {}).items())
    importing = [lock() for name, lock in locks if name.partition(".")[0] in LOADED]
    return {lock.owner for lock in importing if lock is not None and lock.owner is not None}


def check_outside_compiler() -> None:
    """Raise `OutOfReach` where a handler of signals, or the end of an object, has interrupted the compiler in this thread, or an import of
    it: their locks let the same thread in again, and both would break what the other has half done. Where it has interrupted the start of
    a thread, both would wait forever."""
    if _thread.get_ident() in importers() or any(_is_compiler(f) or _place(f) in LOCKED for f in _frames(sys._getframe(1))):
        raise OutOfReach(
            "this interrupts the same thread while it compiles, loads the compiler or starts a thread, as in a handler of signals: have "
            "the handler note what is wanted, and ask for it once that is over"
        )


def heed() -> None:
    """Raise the error that waits for this thread; called where that does no harm."""
    global _waiting
    if _waiting is not None and threading.current_thread() is threading.main_thread():
        error, _waiting = _waiting, None
        raise error
    if _ended and threading.current_thread() in _ended:
        raise Ended


@contextmanager
def ended(threads: Iterable[threading.Thread]) -> Iterator[None]:
    """Inside the `with` block, make these threads stop their work at the next kernel or pass of the compiler."""
    threads = list(threads)
    _ended.update(threads)
    try:
        yield
    finally:
        _ended.difference_update(threads)


def end_soon(thread: threading.Thread, is_wanted: bool = True) -> None:
    """Make this thread raise `Ended` at the next kernel or pass of the compiler, or cancel this."""
    if is_wanted:
        _ended.add(thread)
    else:
        _ended.discard(thread)


def _on_signal(number: int, frame: FrameType | None) -> None:
    global _is_ours, _waiting
    if not _is_ours:
        _waiting = KeyboardInterrupt
    _is_ours = False
    if _waiting is None:  # cancelled
        return
    if not _forgets(frame):
        heed()
    with suppress(RuntimeError):  # no thread can be started: it is heeded at the next kernel, or pass of the compiler
        threading.Thread(target=_ring_again, name="interrupt", daemon=True).start()


def _forgets(frame: FrameType | None) -> bool:
    """Whether an error raised here would be forgotten, or do harm."""
    if is_unbroken(_thread.get_ident()):
        return True
    return any(_is_compiler(f) or _is_imported(f) or not {*ENDINGS, *FORKS}.isdisjoint(_place(f)) for f in _frames(frame))


def _frames(frame: FrameType | None) -> Iterator[FrameType]:
    """This frame and those that it was called from."""
    while frame is not None:
        yield frame
        frame = frame.f_back


def _place(frame: FrameType) -> tuple[str, str]:
    """The module of a frame's function, and its name."""
    return str(frame.f_globals.get("__name__")), frame.f_code.co_name


def _is_compiler(frame: FrameType) -> bool:
    return _place(frame)[0].partition(".")[0] in COMPILER


def _is_imported(frame: FrameType) -> bool:
    """Whether a module is being imported here that would be left half done."""
    module, function = _place(frame)
    return function == "<module>" and module.partition(".")[0] in IN_ONE_PIECE


def _ring_again() -> None:
    time.sleep(AGAIN)
    if _waiting is not None:
        _ring()


def _ring() -> None:
    """Make the main thread run `_on_signal`."""
    global _is_ours
    with _lock:
        if _is_on:
            _is_ours = True
            _thread.interrupt_main()
