"""Threads that share the work; the kernels need no lock of Python's."""

from __future__ import annotations

import os
from concurrent.futures import Executor, ThreadPoolExecutor
from functools import cache

THREADS = min(os.cpu_count() or 1, 8)


@cache
def threads() -> Executor:
    return ThreadPoolExecutor(THREADS)
