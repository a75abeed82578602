"""Threads that share the work; the kernels need no lock of Python's."""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache

from zermelo.basics.threads import threads


def pool() -> Executor:
    """The threads that may be used, kept from one call to the next."""
    return _pool(threads())


@cache
def _pool(number: int) -> Executor:
    return ThreadPoolExecutor(number)
