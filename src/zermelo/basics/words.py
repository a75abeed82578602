"""Small pieces of text: games as Python expressions, unknown names, round steps."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

from zermelo.basics.values import COLLECTIONS, Named, call, expression, written

MOST_LISTED = 20  # things in a message
LONG = 70  # characters of parameters that a picture shows in full


def game_text(game: Any) -> str:
    """A game as a Python expression; a matrix, which would be long, in words."""
    if not hasattr(game, "_fields"):
        return str(game)
    return call(type(game).__name__, game._asdict())


def discount_text(discount: float) -> str:
    """The suffix for the name of a game whose payoffs are discounted: ", discount 0.9"; otherwise empty."""
    return "" if discount == 1 else f", discount {float(discount)!r}"


def game_in_words(game: Any) -> str:
    """A game for people who see a picture of it: the result of its `title` method or else its name, and its parameters; of many only
    those that differ from their defaults. What is empty by default is left out."""
    title = getattr(game, "title", None)
    if callable(title):
        return str(title())
    name = title or spaced(type(game).__name__)
    if not hasattr(game, "_fields"):
        return name if title else str(game)
    usual = getattr(game, "_field_defaults", {})
    every = [(n, v) for n, v in zip(game._fields, game, strict=True) if v not in ((), "") or usual.get(n, v) != v]
    text = ", ".join(parameter_in_words(n, v) for n, v in every)
    if len(text) > LONG:
        text = ", ".join(parameter_in_words(n, v) for n, v in every if usual.get(n) != v)
    return f"{name}: {text}" if text else name


def spaced(name: str) -> str:
    """The name of a class as words: "Fewest Turns", "With A Twist"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", name)


def name_in_words(game: Any) -> str:
    """The same without the parameters: "Gobblet Gobblers"."""
    return game_in_words(game).partition(": ")[0]


def parameter_in_words(name: str, value: Any) -> str:
    """A parameter as text for people: "first day 1", "not moving"."""
    name = name.replace("_", " ").strip()
    if isinstance(value, bool):
        return name if value else f"not {name}"
    return f"{name} {value_in_words(value)}"


def value_in_words(value: Any) -> str:
    """The value of a parameter as text for people: "LOW" for a member of an Enum, "1/3" for a fraction; a text as it is; else as in
    Python."""
    if isinstance(value, enum.Enum | Fraction | Decimal):
        return written(value)
    if isinstance(value, Named):
        return value.rpartition(".")[2]
    return value if isinstance(value, str) and value else expression(value)


def choice_text(choice: Any) -> str:
    """An action or a strategy without a text of its own: as Python writes it, but a member of an Enum by its name."""
    return value_in_words(choice) if isinstance(choice, (*COLLECTIONS, enum.Enum)) else str(choice)


def cells(text: str) -> int:
    """The number of terminal columns that a text takes: two for each East Asian character, none for combining characters."""
    if text.isascii():
        return len(text)
    return sum(0 if unicodedata.combining(c) else 1 + (unicodedata.east_asian_width(c) in "WF") for c in text)


def padded(text: str, width: int) -> str:
    """A text with spaces after it, to this many columns of a terminal."""
    return text + " " * (width - cells(text))


def counted(number: int, noun: str, many: str = "") -> str:
    """A number of things: 1 state, 2,000 states. `many`: the plural if it does not end in -s, such as dice."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {many or noun + 's'}"


def listed(things: Sequence[Any]) -> str:
    """Things as Python writes them, the first of many."""
    more = len(things) - MOST_LISTED
    return ", ".join(map(repr, things[:MOST_LISTED])) + (f" and {more:,} more" if more > 0 else "")


def of_one(noun: str) -> str:
    """The singular of a plural: point for points. A word without a plural in -s stays as it is."""
    return noun[:-1] if re.search(r"[^suai]s$", noun) else noun


def there_are(names: Sequence[str]) -> str:
    """The names that there are, as the end of a sentence."""
    return f"there {'is' if len(names) == 1 else 'are'} {', '.join(names)}"


def no_such(what: str, name: str, known: Sequence[str], where: str = "") -> str:
    """A line saying that a name is unknown, which lists the closest ones or all of them."""
    close = get_close_matches(str(name), known, 3, 0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else there_are(known)
    return f"no {what} {name!r}{' in ' + where if where else ''}; {hint}"


def round_step(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is at least `least`."""
    power = 1
    while 10 * power < least:
        power *= 10
    return next(digit * power for digit in (1, 2, 5, 10) if digit * power >= least)
