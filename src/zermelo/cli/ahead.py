"""The process that compiles ahead (basics/ahead.py): the kernels that a small game of the same kind calls once its states are found."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import Any


def compile_for(parent: str, mark: str, word: str, *parameters: str) -> None:
    """Compile the kernels that a game calls, as far as no other process has: the first one, which the other process does not need yet, and
    then the longest ones first. Then write `mark`, if all are on disk.

    parent : the number of the process that has started this one, with which it ends."""
    from zermelo.basics import ahead, machine_code
    from zermelo.basics.parent import end_with
    from zermelo.games.named import game_named
    from zermelo.kernels.kernel import Kernel, only
    from zermelo.link import EnteredRules, stages_kernel
    from zermelo.solving import solve

    end_with(int(parent))
    gc.disable()  # it ends soon, and searching what the compiler knows for garbage takes a tenth of its time
    ahead.share()
    called: dict[tuple[Kernel, tuple[Any, ...]], None] = {}
    call, call_with_rules = Kernel.__call__, EnteredRules.solve_stages

    def noted(self: Kernel, *arguments: Any) -> Any:
        called[self, machine_code.kinds(self.compiled, arguments)] = None
        return call(self, *arguments)

    def noted_with_rules(self: EnteredRules, layout: Any, *arguments: Any) -> int:
        kernel, given = stages_kernel(self.has_policies, *arguments)
        called[kernel, machine_code.kinds(kernel.compiled, given)] = None
        return call_with_rules(self, layout, *arguments)

    Kernel.__call__, EnteredRules.solve_stages = noted, noted_with_rules  # type: ignore[method-assign]
    with only("interpreted"):
        solve(game_named(word, **dict(p.split("=", 1) for p in parameters)))
    first, *others = called
    for kernel, kinds in (first, *sorted(others, key=lambda found: -found[0].to_compile)):
        if not machine_code.is_kept(kernel.compiled, kinds):
            kernel.compiled.compile(kinds)
    if all(machine_code.is_kept(kernel.compiled, kinds) for kernel, kinds in called):  # not where a disk is full
        Path(mark).parent.mkdir(parents=True, exist_ok=True)
        Path(mark).touch()
