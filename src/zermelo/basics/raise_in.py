"""Raising an error in another thread, and loading libraries where nothing is raised meanwhile."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import ModuleType

_unbroken: set[int] = set()  # threads


@contextmanager
def unbroken() -> Iterator[None]:
    """Nothing is raised in this thread from outside while libraries are loaded, as an error at the wrong moment would leave their locks
    locked."""
    thread = threading.get_ident()
    if thread in _unbroken:
        yield
        return
    _unbroken.add(thread)
    try:
        yield
    finally:
        _unbroken.discard(thread)


def load(library: str) -> ModuleType:
    """Import a library; for the main thread, another one does: what a user's handler of signals raises in the middle, such as one that
    limits the time, would leave it half imported as long as the process lives."""

    def begin() -> None:
        with suppress(Exception):  # it is raised below
            import_module(library)

    if library not in sys.modules and threading.current_thread() is threading.main_thread():
        loading = threading.Thread(target=begin, name="loading")
        try:
            loading.start()
        except RuntimeError:  # no thread can be started: where BLAS, which numpy loads, can't either, it would interrupt this process
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
        else:
            loading.join()
    with unbroken():
        return import_module(library)


def is_unbroken(thread: int) -> bool:
    """Whether nothing may be raised in the thread with this number."""
    return thread in _unbroken


def raise_in(thread: int, error: type[BaseException] | None) -> bool:
    """Make the thread with this number raise an error before its next instruction; None cancels one that it has not raised yet. Returns
    whether that was done: not while the thread is `unbroken`."""
    if thread in _unbroken and error is not None:
        return False
    import ctypes  # only here, since it is heavy

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error))
    return True
