"""Plays of one person in a row, against the solution or something weaker: what they have in common, whatever is hidden in them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from typing import Any

from zermelo.basics.numbers import in_full
from zermelo.errors import ParameterError

SHORT = 16  # characters of a fraction that is shown
MOST_PLAYS = 10_000  # of a session


class Tally(ABC):
    """`errs` and `most` make the other side weaker: in which share of its decisions it errs, and by how much at most."""

    def __init__(self) -> None:
        self.errs, self.most = 0.0, 0.0
        self.results: list[float] = []  # of the plays that were ended
        self.costs: list[float] = []  # of the mistakes in these
        self.is_counted = False  # the play at hand

    @abstractmethod
    def begin(self) -> None:
        """A new play; one that was not ended does not count."""

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
        """What the person has got."""

    @abstractmethod
    def cost(self) -> float:
        """What the person's mistakes cost."""

    @abstractmethod
    def seen(self) -> dict[str, Any]:
        """What the person may know now, and what each action is worth by that."""

    def count(self) -> None:
        """Enter a play that is over into the tally, once."""
        if self.is_over and not self.is_counted:
            if len(self.results) >= MOST_PLAYS:
                raise ParameterError(f"{MOST_PLAYS:,} plays are enough for one session: begin a new one")
            self.is_counted = True
            self.results.append(self.result())
            self.costs.append(self.cost())

    def told(self) -> dict[str, Any]:
        return {"plays": len(self.results), "total": sum(self.results), "cost": sum(self.costs)}


def chosen(place: Any, count: int) -> int:
    """The place of an action among so many. Raises `ParameterError`."""
    if not count:
        raise ParameterError("the play is over")
    if isinstance(place, bool) or not isinstance(place, int) or not 0 <= place < count:
        raise ParameterError(f"an action is a whole number from 0 to {count - 1} here, not {str(place)[:40]!r}")
    return place


def fraction_text(value: Any) -> str | None:
    """A fraction that is short enough to be shown."""
    return in_full(value) if isinstance(value, Fraction) and len(in_full(value)) <= SHORT else None
