"""How long computations take, without the time that numba takes to compile them."""

from __future__ import annotations

import time
from typing import Any


class Stopwatch:
    """Seconds spent inside a `with` block, with and without the time that numba took to compile."""

    def __enter__(self) -> Stopwatch:
        from numba.core import event

        self.compiling = 0.0
        self._timer = event.install_timer("numba:compile", self._compiled)
        self._timer.__enter__()
        self._started = time.perf_counter()
        return self

    def _compiled(self, seconds: float) -> None:
        self.compiling += seconds

    def __exit__(self, *failure: Any) -> None:
        self._timer.__exit__(*failure)
        self.seconds = time.perf_counter() - self._started - self.compiling
