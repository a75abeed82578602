"""How long computations report their progress."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]  # what is being done, how much is done, of how much (None: not known)


def silent(what: str, done: int, total: int | None) -> None:
    """A progress function that does nothing. `what` is being done; `done` of `total` units are finished (None: the total is unknown)."""
