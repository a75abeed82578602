"""The solver of properties inside others, and of where rewards are infinite. It is outside this package, which comes before all engines.

Standard library only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple


class Infinite(NamedTuple):
    """Where the value of a game is infinite: the states, by the values of the variables; whether the start, or a state that is drawn there,
    is one of them; and "2 of 9 states (one is x=1)"."""

    states: Sequence[tuple[int, ...]] = ()
    at_start: bool = False
    said: str = ""

    @property
    def left_out(self) -> str:
        """A note, where nobody goes there who need not."""
        return f"in {self.said} the value is infinite; actions that may lead there are left out"


SOLVING = "zermelo.solving"  # the module that solves, and says so (`decides_by`)
Decide = Callable[[Any], Mapping[tuple[int, ...], bool]]  # a game -> whether its property holds, by the values of the variables
_decide: list[Decide] = []
Find = Callable[[Any], Infinite]  # a game -> where its value is infinite
_find: list[Find] = []


def decides_by(decide: Decide, find: Find) -> None:
    """Set the function that solves the games of properties inside others, and the one that finds where the value of a game is infinite."""
    _decide[:], _find[:] = [decide], [find]


def infinite(game: Any) -> Infinite:
    """Where the value of a game is infinite; nothing is known if the game is too large."""
    _load()
    return _find[0](game)


def held(game: Any) -> Mapping[tuple[int, ...], bool]:
    """The states in which the property of a game holds."""
    _load()
    return _decide[0](game)


def _load() -> None:
    """Load the solver, which a process that opens a solution has not."""
    if not _find:
        import_module(SOLVING)
