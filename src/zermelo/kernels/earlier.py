"""For how long Python has run each kernel, and rules of stages, in all processes together, on disk: what every process interprets for half
a second is never compiled where each counts its own time only, and all of them wait for it."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from zermelo.basics.disk import cache_directory, replacing

FOLDER = "interpreted"  # in the cache directory; one file for each kernel, and for rules

_counted: list[tuple[Path, Callable[[], float]]] = []


def seconds_before(name: str, now: Callable[[], float]) -> float:
    """Seconds of earlier processes. Those of this one, `now()`, are added when it ends."""
    path = cache_directory() / FOLDER / name
    if not _counted:
        atexit.register(keep)
    _counted.append((path, now))
    return _read(path)


def keep() -> None:
    """Add the seconds of this process to those on disk; where nothing can be kept, nothing is."""
    for path, now in _counted:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path, lasting=False) as temporary:
                temporary.write_text(repr(_read(path) + now()), encoding="utf-8")
    _counted.clear()


def _read(path: Path) -> float:
    with suppress(OSError, ValueError):
        return float(path.read_text(encoding="utf-8"))
    return 0.0
