"""How long computations report their progress."""

from __future__ import annotations

import math
from collections.abc import Callable

Progress = Callable[[str, int, int | None], None]  # the activity, the units done, the total (None: unknown)


def silent(what: str, done: int, total: int | None) -> None:
    """A progress function that does nothing. `what` names the activity; `done` of `total` units are finished (None: the total is
    unknown)."""


def roughly(seconds: float) -> str:
    """A roughly known time, in words."""
    if seconds < 60:
        return f"{max(math.ceil(seconds), 1)} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
