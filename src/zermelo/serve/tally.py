"""A sequence of plays by one person against the solution or something weaker: the common part for all kinds of hidden information."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.errors import ParameterError

SHORT = 16  # characters of a fraction that is shown
MOST_PLAYS = 10_000  # of a session


class Tally(ABC):
    """`errs` and `most` make the other side weaker: the share of its decisions in which it errs, and the most that an error costs."""

    def __init__(self) -> None:
        self.errs, self.most = 0.0, 0.0
        self.results: list[float] = []  # of the finished plays
        self.costs: list[float] = []  # of the mistakes in these
        self.is_counted = False  # whether the current play is counted

    @abstractmethod
    def begin(self) -> None:
        """A new play; an unfinished one does not count."""

    @abstractmethod
    def act(self, place: Any) -> None:
        """The person's action, by its place. Raises `ParameterError`."""

    @abstractmethod
    def undo(self) -> None:
        """Back to the person's previous decision; a play that was counted already is not counted again."""

    @property
    @abstractmethod
    def is_over(self) -> bool: ...

    @abstractmethod
    def result(self) -> float:
        """The person's result."""

    @abstractmethod
    def cost(self) -> float:
        """The cost of the person's mistakes."""

    @abstractmethod
    def seen(self) -> dict[str, Any]:
        """The person's current knowledge, and the worth of each action given that."""

    def count(self) -> None:
        """Enter a finished play into the tally, once."""
        if self.is_over and not self.is_counted:
            if len(self.results) >= MOST_PLAYS:
                raise ParameterError(f"{MOST_PLAYS:,} plays are enough for one session: begin a new one")
            self.is_counted = True
            self.results.append(self.result())
            self.costs.append(self.cost())

    def told(self) -> dict[str, Any]:
        return {"plays": len(self.results), "total": sum(self.results), "cost": sum(self.costs)}


def chosen(place: Any, count: int) -> int:
    """The index of an action among this many. Raises `ParameterError`."""
    if not count:
        raise ParameterError("the play is over")
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < count:
        raise ParameterError(f"an action is a whole number from 0 to {count - 1} here, not {str(place)[:40]!r}")
    return place


def fraction_text(value: Any) -> str | None:
    """The text of a fraction, if it is short enough to be shown."""
    return in_full(value) if isinstance(value, Fraction) and len(in_full(value)) <= SHORT else None
