"""What a run of the tests says in the end."""

from __future__ import annotations

from typing import Any

from browser import MISSING, chromium


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Skipped tests are easily overlooked: one line says which were, and what brings them back."""
    if chromium() is None:
        terminalreporter.write_line(f"{MISSING}: the tests of pages in a browser were skipped")
