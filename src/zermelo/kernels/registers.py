"""Registers of the processor that hold several numbers.

A few numbers, as many as there are payoffs, which compiled code keeps in registers, and reads, adds and writes several at a time: in an
array that a kernel allocates, each would be read from memory and written back at every addition, since another array might overlap with it.

each : a number for each of them, which tells the compiler how many there are. The rows of a 2-dimensional array have as many numbers; its
index is known not to be negative, which saves looking.
"""

from __future__ import annotations

from typing import Any

from zermelo.kernels.kernel import twin

MACHINE = "zermelo.kernels.machine"


def each_of(payoffs: int) -> tuple[int, ...]:
    """What tells the compiler how many numbers there are."""
    return (0,) * payoffs


@twin(MACHINE, "widest")
def widest() -> None:
    """Loops of the kernel that calls this use the widest registers that there are: on Intel's processors the compiler would use half of
    them. Its code does not become a part of its callers'."""


@twin(MACHINE, "registers")
def registers(each: tuple[int, ...]) -> Any:
    """Room for these numbers, which is the same each time that this place of a kernel is passed."""
    return [0.0] * len(each)


@twin(MACHINE, "read_row")
def read_row(row: Any, each: tuple[int, ...], array: Any, index: int) -> None:
    """row = array[index]."""
    row[:] = array[index]


@twin(MACHINE, "add_row")
def add_row(row: Any, each: tuple[int, ...], factor: float, array: Any, index: int) -> None:
    """row += factor * array[index], the products rounded before they are added."""
    for j in range(len(each)):
        row[j] += factor * array[index, j]


@twin(MACHINE, "write_row")
def write_row(row: Any, each: tuple[int, ...], array: Any, index: int) -> None:
    """array[index] = row."""
    array[index] = row
