"""Threads that share the work; the kernels need no lock of Python's."""

from __future__ import annotations

import os
from functools import cache

from zermelo.basics.crew import Crew
from zermelo.basics.threads import threads


def pool() -> Crew:
    """The threads that may be used, kept from one call to the next; this one alone where there is no other."""
    number = threads()
    return _pool(number if number > 1 else 0)


_pool = cache(Crew)
os.register_at_fork(after_in_child=_pool.cache_clear)  # the threads of a pool are not in a process that is forked off
