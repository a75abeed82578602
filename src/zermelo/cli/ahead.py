"""The process that compiles ahead (basics/ahead.py): the kernels that a small game of the same kind calls once its states are found."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any


def compile_for(mark: str, word: str, *parameters: str) -> None:
    """Compile the kernels that a game calls, the last one first, as far as no other process has; then write `mark`."""
    from zermelo.basics import ahead, machine_code
    from zermelo.games.named import game_named
    from zermelo.kernels.kernel import Kernel, only
    from zermelo.solving import solve

    parent = os.getppid()
    ahead.share()
    called: dict[tuple[Kernel, tuple[Any, ...]], None] = {}
    call = Kernel.__call__

    def noted(self: Kernel, *arguments: Any) -> Any:
        called[self, machine_code.kinds(self.compiled, arguments)] = None
        return call(self, *arguments)

    Kernel.__call__ = noted  # type: ignore[method-assign]
    with only("interpreted"):
        solve(game_named(word, **dict(p.split("=", 1) for p in parameters)))
    for kernel, kinds in reversed(called):
        if os.getppid() != parent:  # it is over
            return
        if not machine_code.is_kept(kernel.compiled, kinds):
            kernel.compiled.compile(kinds)
    Path(mark).parent.mkdir(parents=True, exist_ok=True)
    Path(mark).touch()
