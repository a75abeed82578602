"""The solver of properties inside others, and of where rewards are infinite. It is outside this package, which comes before all engines.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zermelo.errors import ParameterError

Decide = Callable[[Any], Mapping[tuple[int, ...], bool]]  # a game -> whether its property holds, by the values of the variables
_decide: list[Decide] = []
Find = Callable[[Any], Sequence[tuple[int, ...]]]  # a game -> the states in which its value is infinite
_find: list[Find] = []


def decides_by(decide: Decide, find: Find) -> None:
    """Set the function that solves the games of properties inside others, and the one that finds where the value of a game is infinite."""
    _decide[:], _find[:] = [decide], [find]


def infinite(game: Any) -> Sequence[tuple[int, ...]]:
    """The states in which the value of a game is infinite. Raises `ParameterError` in a process that can't solve."""
    if not _find:
        raise ParameterError("where rewards with a threshold are infinite is found first: import zermelo.solving")
    return _find[0](game)


def held(game: Any) -> Mapping[tuple[int, ...], bool]:
    """The states in which the property of a game holds. Raises `ParameterError` in a process that can't solve."""
    if not _decide:
        raise ParameterError("a P inside of another property is solved first: import zermelo.solving")
    return _decide[0](game)
