"""What a game given by best replies looks like: hidden choice, with too many strategies to list. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class GivenByReplies(Protocol):
    """A zero-sum game of two who choose hidden from each other; the column player pays the row player.

    `rows` and `columns` yield strategies: numbers, tuples, or whatever can be a key of a dict. They are all strategies of that
    player, unless there is a method of best replies; then they are only where the search begins. There must be one at least:

        best_column(weights)    the column that pays least on average against rows with these weights, or a list of
                                columns, one of them best: the others are taken as hints
        best_row(weights)       the row that gets most on average against columns with these weights, or a list

    `weights` is a dict, from strategies to numbers that are not negative and need not sum to 1: floats while the game is
    searched, whole numbers of any size for the proof. There the reply must be exactly best: Python's own arithmetic sees to
    that, arrays of floats do not.

    Optional methods: `unit()`, which all payoffs are multiplied with at the end; `row_members(row)` and `column_members(column)`,
    where a strategy stands for several that are played equally often (mirror images, say), and then `member_payoff(row, column)`, what
    is paid if two of these meet; `players()`, two names;
    `show_row(row)` and `show_column(column)`, texts for people.
    """

    def rows(self) -> Iterable[Any]: ...

    def columns(self) -> Iterable[Any]: ...

    def payoff(self, row: Any, column: Any, /) -> Any: ...


def is_given_by_replies(game: Any) -> bool:
    """Whether a game, or its class, has a method of best replies."""
    return any(callable(getattr(game, method, None)) for method in ("best_row", "best_column"))
