"""Fast access to memory: `prefetch` tells the processor that a row of an array will be read soon, `fetch` reads without a check, and
`pointer` passes arrays on without counting references. `merge` and `replace` change numbers that other threads may change, too.

Sweeps over states read the values of other states far apart in memory. Where these do not fit the caches, most of the time is
spent waiting; asking for them a few rows ahead made sweeps over 2 million states 4.6 times faster
(`python benchmarks/run.py --only ahead`).
"""

from __future__ import annotations

from typing import Any

from zermelo.kernels.kernel import twin

AHEAD = 8  # rows
MACHINE = "zermelo.kernels.machine"


@twin(MACHINE, "prefetch")
def prefetch(array: Any, row: int) -> None:
    """Ask for the first and the last number of a row of a 2-dimensional array. Changes nothing."""


@twin(MACHINE, "pointer")
def pointer(array: Any) -> Any:
    """Where the numbers of an array lie, for `fetch`: one after another, the rows of a 2-dimensional one in sequence. References to an
    array that is passed from function to function are counted each time, by an instruction for which all threads wait; an address is not
    counted. The array must be kept alive."""
    return array.reshape(-1)


@twin(MACHINE, "uncounted")
def uncounted(array: Any) -> Any:
    """The same array, references to which and to whose parts are not counted. The array must be kept alive."""
    return array


@twin(MACHINE, "fetch")
def fetch(numbers: Any, index: int) -> Any:
    """The number numbers[index] of a 1-dimensional array or at a `pointer`, `index` being known not to be negative, which saves looking."""
    return numbers[index]


@twin(MACHINE, "merge")
def merge(numbers: Any, index: int, bits: int) -> Any:
    """Set bits of the whole number numbers[index] at a `pointer`, in one atomic step. Returns the number
    before."""
    before = numbers[index]
    numbers[index] = before | bits
    return before


@twin(MACHINE, "replace")
def replace(numbers: Any, index: int, before: int, after: int) -> None:
    """Make the whole number numbers[index] at a `pointer` to `after` if it is `before`, in one step, as `merge`."""
    if numbers[index] == before:
        numbers[index] = after
