"""Queries about a matrix game: its name, the names of its players and strategies, and the payoff of a pair of strategies."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from zermelo.basics.values import as_json
from zermelo.basics.words import choice_text
from zermelo.errors import RulesError
from zermelo.language.replies import is_given_by_replies
from zermelo.matrix.plain import Matrix

UNNAMED = "row player", "column player"


def name(game: Any) -> str:
    """The game's name in errors."""
    return str(game) if isinstance(game, Matrix) else type(game).__name__


def players(game: Any) -> tuple[str, str]:
    """The names of the row player and of the column player."""
    named = getattr(game, "players", None)
    first, second = named() if named else UNNAMED
    return str(first), str(second)


def player(game: Any, side: int) -> str:
    """A player's name within a sentence."""
    found = players(game)[side]
    return f"the {found}" if found in UNNAMED else found


def whose(game: Any) -> str:
    """Whose the value of a game is, where that must be said: " to the row player"."""
    if isinstance(game, Matrix) or is_given_by_replies(game):
        return f" to {player(game, 0)}"
    return " to player 0" if hasattr(game, "sees") else ""


def shown(game: Any, side: int, strategy: Any) -> str:
    """A strategy of the row player (side 0) or of the column player (side 1), as readable text. Raises `RulesError`."""
    method = ("show_row", "show_column")[side]
    try:
        return str((getattr(game, method, None) or choice_text)(strategy))
    except Exception as error:
        raise RulesError(type(game).__name__, [f"{method} of {strategy!r}: {type(error).__name__}: {error}"]) from None


def strategy_data(game: Any, side: int, strategy: Any) -> dict[str, Any]:
    """A strategy as JSON has it, with its name if the game has names for strategies."""
    has_names = hasattr(game, ("show_row", "show_column")[side])
    return {"strategy": as_json(strategy), **({"name": shown(game, side, strategy)} if has_names else {})}


def paid(game: Any, row: Any, column: Any) -> Fraction:
    """The row player's payoff for these two strategies."""
    from zermelo.matrix.numbers import rational  # loads the library of rational numbers

    exact = getattr(game, "member_payoff", None)
    if exact is not None:
        return Fraction(rational(exact(row, column), "member_payoff"))
    unit = game.unit() if callable(getattr(game, "unit", None)) else 1
    return Fraction(rational(game.payoff(row, column), "payoff")) * Fraction(rational(unit, "unit()"))
