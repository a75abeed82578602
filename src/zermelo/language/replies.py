"""The form of a matrix game with too many strategies to list, given by best responses. Standard library only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol


class GivenByReplies(Protocol):
    """A zero-sum game in which both players choose one strategy each, at the same time; the column player pays the row player.

    `rows` and `columns` yield strategies: numbers, tuples, or any other keys of a dict. They yield all strategies of that player, unless
    there is a method of best responses; then they yield those with which the search begins. At least one of these two is required:

        best_column(weights)    the column that pays least on average against rows with these weights, or a list of
                                columns, one of them best: the others are taken as hints
        best_row(weights)       the row that gets most on average against columns with these weights, or a list

    `weights` is a dict from strategies to non-negative numbers, which need not sum to 1: floats while the game is searched, whole
    numbers of any size for the proof. For whole numbers the response must be exactly best; computed with Python's own integers it is, with
    arrays of floats it may not be.

    Optional methods: `unit()`, by which all payoffs are multiplied at the end; `row_members(row)` and `column_members(column)`, for a
    strategy that stands for several, all equally likely (such as mirror images), and with them `member_payoff(row, column)`, the payoff of
    one of these against another, and `best_member_row(weights)`, `best_member_column(weights)`, a best response to members that are not
    equally likely; `row_by(function)` and `column_by(function)`, the strategy that a user's Python function stands for; `players()`, two
    names; `show_row(row)` and `show_column(column)`, display texts.
    """

    def rows(self) -> Iterable[Any]: ...

    def columns(self) -> Iterable[Any]: ...

    def payoff(self, row: Any, column: Any, /) -> Any: ...


def is_given_by_replies(game: Any) -> bool:
    """Whether a game, or its class, has a method of best responses."""
    return any(callable(getattr(game, method, None)) for method in ("best_row", "best_column"))


NO_RESPONSES = (
    "a matrix game (`rows`, `columns`, `payoff`) needs `best_row` or `best_column`, too, a best response to the other player's weights; "
    "where all payoffs can be written down, `zermelo.matrix_game` takes them as a table"
)


def lacks_responses(game: Any) -> bool:
    """Whether a game, or its class, is meant as a matrix game and has no method of best responses."""
    has = {method for method in ("rows", "columns", "payoff", "start", "outcomes") if callable(getattr(game, method, None))}
    return has == {"rows", "columns", "payoff"} and not is_given_by_replies(game)
