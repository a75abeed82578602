"""What the machine has: memory and threads."""

from __future__ import annotations

import os

THREADS = 2  # that work on a game


def memory() -> int:
    """Bytes of main memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
