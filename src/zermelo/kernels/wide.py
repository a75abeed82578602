"""Loops that take as many numbers at a time as the processor can: four or eight."""

from __future__ import annotations

from zermelo.kernels.kernel import kernel, twin


@twin("zermelo.kernels.machine", "widest")
def widest() -> None:
    """Loops of the kernel that calls this use the widest registers that there are: on Intel's processors the compiler would use half of
    them. Its code does not become a part of its callers'."""


@kernel(fastmath={"reassoc"})
def count(number, by):
    """number + by, for a whole number that such a loop counts as a float, which saves making floats of whole numbers. The option lets the
    compiler add 8 * by to eight numbers at a time; up to 2^53 nothing is rounded."""
    return number + by
