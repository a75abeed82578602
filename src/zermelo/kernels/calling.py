"""Kernels that are given a function of the rules, and so are compiled once for all games: by address, compiled; as it is, for Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.kernels.kernel import twin

MACHINE = "zermelo.kernels.machine"


@twin(MACHINE, "called")
def called(function: Callable[..., int], arguments: tuple[Any, ...]) -> int:
    """function(*arguments), a whole number; compiled, `function` is what `address_of` says for arguments of these kinds."""
    return function(*arguments)


def address_of(function: Any, arguments: tuple[Any, ...]) -> int:
    """Where the machine code of a compiled function for such arguments lies, as long as the function lives; it is compiled if need be."""
    from zermelo.kernels import machine  # loads numba

    return machine.address_of(function, arguments)
