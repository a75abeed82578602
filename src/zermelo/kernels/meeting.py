"""Threads that run the same kernel at the same time, and wait for one another in it. That takes a microsecond, where threads that come back
to Python for their next piece take fifty.

A thread that waits keeps looking, and soon lets others have its processor between two looks. A kernel that has begun must not raise an
error, or the others wait for ever; if a thread does not come to begin it, the first meeting is given up (`basics.threads.together`).
"""

from __future__ import annotations

from typing import Any

from zermelo.kernels.kernel import inner, twin
from zermelo.kernels.prefetch import pointer

ARRIVED, MEETINGS, GIVEN_UP = range(3)  # places in what they share: threads that have come, meetings that are over, whether all is over
PLACES = 3
LOOKS = 200  # until others may have the processor
MACHINE = "zermelo.kernels.machine"


@twin(MACHINE, "increase")
def increase(numbers: Any, index: int) -> Any:
    """Add 1 to the whole number numbers[index] at a `pointer`, in one atomic step that orders what was written before it and is read after
    it. Returns the number before."""
    before = numbers[index]
    numbers[index] = before + 1
    return before


@twin(MACHINE, "is_first_to_increase")
def is_first_to_increase(numbers: Any, index: int, before: int) -> Any:
    """Add 1 to the whole number numbers[index] at a `pointer` if it is `before`, in one step like `increase`. Returns whether it was."""
    is_first = numbers[index] == before
    numbers[index] += is_first
    return is_first


@twin(MACHINE, "latest")
def latest(numbers: Any, index: int) -> Any:
    """The whole number numbers[index] at a `pointer`, which another thread may have changed; what that wrote before is read after it."""
    return numbers[index]


@twin(MACHINE, "let_others_run")
def let_others_run() -> None:
    """Let another thread have this processor, if one waits for it."""


@inner
def meet(shared, number):
    """Go on when `number` threads have come here, or shared[GIVEN_UP] is not 0. shared : int64[PLACES], zeros before the first meeting."""
    if number == 1:
        return
    places = pointer(shared)
    meetings, looks = latest(places, MEETINGS), 0
    if increase(places, ARRIVED) == number - 1:
        shared[ARRIVED] = 0
        increase(places, MEETINGS)
    else:
        while latest(places, MEETINGS) == meetings and latest(places, GIVEN_UP) == 0:
            looks += 1
            if looks > LOOKS:
                let_others_run()
