"""The solver of properties inside others, which is outside this package, since it comes before all engines. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zermelo.errors import ParameterError

Decide = Callable[[Any], Mapping[tuple[int, ...], bool]]  # a game -> whether its property holds, by the values of the variables
_decide: list[Decide] = []


def decides_by(decide: Decide) -> None:
    """Set the function that solves the games of properties inside others."""
    _decide[:] = [decide]


def held(game: Any) -> Mapping[tuple[int, ...], bool]:
    """The states in which the property of a game holds. Raises `ParameterError` in a process that can't solve."""
    if not _decide:
        raise ParameterError("a P inside of another property is solved first: import zermelo.solving")
    return _decide[0](game)
