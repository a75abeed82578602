"""Threads that share the work; the kernels need no lock of Python's."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import cache
from typing import Any

from zermelo.basics.threads import threads


def pool() -> Executor:
    """The threads that may be used, kept from one call to the next; this one alone where there is no other."""
    number = threads()
    return _pool(number) if number > 1 else _Alone()


@cache
def _pool(number: int) -> Executor:
    from concurrent.futures import ThreadPoolExecutor  # not above: at the end of a script it can't be imported

    return ThreadPoolExecutor(number)


os.register_at_fork(after_in_child=_pool.cache_clear)  # the threads of a pool are not in a process that is forked off


class _Alone(Executor):
    """Does what it is given at once."""

    def submit(self, work: Callable[..., Any], /, *arguments: Any, **named: Any) -> Future[Any]:
        done = Future[Any]()
        done.set_result(work(*arguments, **named))
        return done
