"""What is compiled for a game, and how long it takes: functions and processor seconds, by numba's events. With an empty folder as
ZERMELO_CACHE it is what an edited game takes, since the kernels that all games share are kept beside the source.

    ZERMELO_CACHE=$(mktemp -d) python benchmarks/compiling.py ten-thousand-race goal=20
"""

from __future__ import annotations

import sys
import time
from typing import Any

from numba.core.event import Listener, register

import zermelo


class Compiled(Listener):
    """Counts functions; seconds are those of the outermost ones, which hold the others."""

    def __init__(self) -> None:
        self.functions, self.depth, self.began, self.seconds = 0, 0, 0.0, 0.0

    def on_start(self, event: Any) -> None:
        if self.depth == 0:
            self.began = time.process_time()
        self.depth += 1

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        self.functions += 1
        if self.depth == 0:
            self.seconds += time.process_time() - self.began


if __name__ == "__main__":
    name, *given = sys.argv[1:]
    compiled = Compiled()
    register("numba:compile", compiled)
    zermelo.solve(name, **{key: int(value) for key, value in (word.split("=") for word in given)})
    print(f"{name}: {compiled.functions} functions compiled in {compiled.seconds:.1f} s of processor time")
