"""Kernels that are given a function of the rules, and so are compiled once for all games: by address in compiled
code, directly in Python."""

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
    """The address of the machine code of a function for such arguments, as long as the function exists; it is compiled if necessary."""
    from zermelo.kernels import machine  # loads numba

    return machine.address_of(function, arguments)
