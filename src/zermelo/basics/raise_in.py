"""Raising an error in another thread."""

from __future__ import annotations


def raise_in(thread: int, error: type[BaseException] | None) -> None:
    """Have the thread with this number raise an error before its next instruction; None takes back one that it has not raised yet."""
    import ctypes  # only here, since it is heavy

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if error is None else ctypes.py_object(error))
