"""What a run of the tests says in the end, and how often it looks for garbage."""

from __future__ import annotations

import gc
from typing import Any

from browser import MISSING, chromium

# Hundreds of thousands of objects of the compiler stay in memory: looking through them as often as Python does takes 6 % of the time.
gc.set_threshold(50_000, 20, 20)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Skipped tests are easily overlooked: one line says which were, and what brings them back."""
    if chromium() is None:
        terminalreporter.write_line(f"{MISSING}: the tests of pages in a browser were skipped")
