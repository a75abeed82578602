"""A process that ends soon after the one that has started it, whatever ended that one."""

from __future__ import annotations

import contextlib
import os
import threading
import time

LOOK = 0.5  # seconds between two looks whether the parent process is still there


def end_with(parent: int) -> None:
    """End this process soon after its parent process, also in the middle of work that takes hours. Files are written completely or not
    at all (basics/disk.py), so that nothing is lost but the work.

    parent : its number, taken in the parent itself where it may end before this process looks."""
    with contextlib.suppress(RuntimeError):  # no thread can be started
        threading.Thread(target=_watch, args=(parent,), name="parent", daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK)
    os._exit(1)
