"""The process that compiles ahead (basics/ahead.py): the kernels that a small game of the same kind calls once its rules are compiled."""

from __future__ import annotations

import gc
import importlib
import pickle
import sys
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

RULES = {"entries": 3.0, "alone": 3.0, "hidden": 2.5}  # seconds that compiling rules takes the other process, by kinds of games
OTHERS = 1.0
LATER = {"solve_by_patterns": "solve_block"}  # what is called only after an urgent kernel, which then works for seconds: for a comparison


def compile_for(parent: str, mark: str, kind: str, urgent: str) -> None:
    """Compile the kernels that a kind of games calls, as far as no other process has. Then write `mark`, if all are on disk.

    parent : the number of the process that has started this one, with which it ends. urgent : the name of the kernel that is compiled
    first."""
    from zermelo.basics import ahead

    _begin(parent)
    called = _called_by(*ahead.GAMES[kind])
    for kernel, kinds in _compiled(_in_turn(called, RULES.get(kind, OTHERS), urgent)):
        if kernel.__name__ == urgent:
            _write(ahead.mark_of(urgent, Path(mark)), [(kernel, kinds)])
    _write(Path(mark), called)


def compile_told(parent: str) -> None:
    """Compile the kernels that the other process has written to the input (`ahead.begin_with`)."""
    from zermelo.basics import machine_code

    _begin(parent)
    told = [(getattr(importlib.import_module(module), name), given) for module, name, given in pickle.load(sys.stdin.buffer)]
    for _ in _compiled([(kernel, machine_code.kinds(kernel.compiled, given)) for kernel, given in told]):
        pass


def leave_mark(kind: str) -> None:
    """Write the mark where something else has compiled what the process for this kind would compile."""
    from zermelo.basics import ahead

    if kind in ahead.GAMES and (mark := ahead.new_mark(kind)):
        _write(mark, _called_by(*ahead.GAMES[kind]))


def _begin(parent: str) -> None:
    from zermelo.basics import ahead
    from zermelo.basics.parent import end_with

    end_with(int(parent))
    gc.disable()  # it ends soon, and searching what the compiler knows for garbage takes a tenth of its time
    ahead.share()


def _compiled(calls: list[Any]) -> Iterator[Any]:
    """These kernels, for these kinds of arguments, each when it is compiled: in turn, but what the other process compiles now later."""
    from zermelo.basics import machine_code

    while calls:
        call = next((call for call in calls if not machine_code.is_taken(call[0].compiled, call[1])), calls[0])
        if not machine_code.is_kept(call[0].compiled, call[1]):
            call[0].compiled.compile(call[1])
        calls.remove(call)
        yield call


def _write(mark: Path, compiled: list[Any]) -> None:
    """Write the mark if these kernels are on disk, which they are not if it is full."""
    from zermelo.basics import machine_code

    if all(machine_code.is_kept(kernel.compiled, kinds) for kernel, kinds in compiled):
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()


def _called_by(word: str, parameters: dict[str, int]) -> list[Any]:
    """The kernels that solving a game calls, from the search for states on, and the kinds of their arguments, in order: found by having
    Python solve it."""
    import numpy as np

    from zermelo.basics import machine_code
    from zermelo.basics.numbering import number_type
    from zermelo.games.named import game_named
    from zermelo.kernels.exploring import search
    from zermelo.kernels.kernel import Kernel, only
    from zermelo.link import EnteredRules, InterpretedRules, Numbers, stages_kernel, with_rules
    from zermelo.solving import solve

    called: dict[tuple[Kernel, tuple[Any, ...]], None] = {}
    call, run = Kernel.__call__, InterpretedRules.run
    call_search, call_stages = InterpretedRules.search, EnteredRules.solve_stages

    def note(kernel: Kernel, arguments: tuple[Any, ...]) -> None:
        given = tuple(np.zeros(0, number_type(0)) if isinstance(a, Numbers) else a for a in arguments)  # tables that are no dictionaries
        called[kernel, machine_code.kinds(kernel.compiled, given)] = None

    def noted(self: Kernel, *arguments: Any) -> Any:
        note(self, arguments)
        return call(self, *arguments)

    def noted_run(self: InterpretedRules, kernel: Kernel, *arguments: Any) -> Any:
        if called:  # not what enters the first states, which Python does
            note(kernel, arguments)
        return run(self, kernel, *arguments)

    def noted_search(self: InterpretedRules, layout: Any, *arguments: Any) -> int:
        note(search, with_rules(*arguments))
        return call_search(self, layout, *arguments)

    def noted_stages(self: EnteredRules, layout: Any, *arguments: Any) -> int:
        note(*stages_kernel(self.has_policies, *arguments))
        return call_stages(self, layout, *arguments)

    Kernel.__call__, InterpretedRules.run = noted, noted_run  # type: ignore[method-assign]
    InterpretedRules.search, EnteredRules.solve_stages = noted_search, noted_stages  # type: ignore[method-assign]
    with only("interpreted"):
        solve(game_named(word, **parameters))
    return list(called)


def _in_turn(called: list[Any], rules: float, urgent: str) -> list[Any]:
    """The order in which this process compiles. The other one compiles rules, for so many seconds, and then what it calls next, if it isn't
    there. So this one compiles some, in the order in which they are called, but the urgent one first, such that all is there as soon as
    possible, apart from what is called much later; then that, and then what is left, from the end on. All choices of the first ones are
    tried: the games that are solved for this (`ahead.GAMES`) call ten kernels at most, for which that takes 0.1 s."""
    seconds, counted = {}, set[Any]()
    for kernel, kinds in sorted(called, key=lambda found: -found[0].to_compile):
        seconds[kernel, kinds] = sum(k.own_seconds for k in kernel.parts - counted)
        counted |= kernel.parts
    soon = [found for found in called if found[0].__name__ != LATER.get(urgent)]

    def own(chosen: int) -> list[Any]:
        return sorted((found for k, found in enumerate(soon) if chosen >> k & 1), key=lambda found: found[0].__name__ != urgent)

    def all_there(chosen: int) -> float:
        done = dict(zip(own(chosen), accumulate(map(seconds.__getitem__, own(chosen))), strict=True))
        there = rules
        for found in soon:
            there = max(there, done[found]) if found in done else there + seconds[found]
        return there

    first = own(min(range(1 << len(soon)), key=all_there))
    later = [found for found in called if found not in soon]
    turns = [*first, *later, *(found for found in reversed(soon) if found not in first)]
    return sorted(turns, key=lambda found: found[0].__name__ != urgent)
