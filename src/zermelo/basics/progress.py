"""How long work reports how far it is."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]  # what is being done, how much is done, of how much (None: not known)


def silent(what: str, done: int, total: int | None) -> None:
    """The progress report that reports nothing."""
