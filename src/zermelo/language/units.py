"""A game's own description for people: the unit of its payoffs, `payoff_unit`, its `title`, and the numbers that it `asks` for. Standard
library only."""

from __future__ import annotations

from typing import Any

LONGEST = 20  # characters of a name
LONGEST_TITLE = 200


def title(game: Any) -> Any:
    """The game's title, declared by a constant or a method; None if it declares none."""
    declared = getattr(game, "title", None)
    return declared() if callable(declared) else declared


def title_fault(declared: Any) -> str:
    """What is wrong with the declaration; "" if nothing is."""
    is_line = isinstance(declared, str) and 0 < len(declared) <= LONGEST_TITLE and declared.isprintable()
    return "" if declared is None or is_line else f'`title` is {declared!r}: it must be a line of text, such as title = "Left-Center-Right"'


def payoff_unit(game: Any) -> Any:
    """The unit that the game declares, by a constant or a method; None if it declares none."""
    declared = getattr(game, "payoff_unit", None)
    return declared() if callable(declared) else declared


def is_unit(declared: Any) -> bool:
    """Whether it is a name, or a name and the number of payoffs that make one unit: "chips", ("$", 100)."""
    name, payoffs = declared if isinstance(declared, tuple) and len(declared) == 2 else (declared, 1)
    is_name = isinstance(name, str) and 0 < len(name) <= LONGEST and name.isprintable() and name == name.strip()
    return is_name and isinstance(payoffs, int) and not isinstance(payoffs, bool) and payoffs > 0


def unit_fault(declared: Any) -> str:
    """What is wrong with the declaration; "" if nothing is."""
    if declared is None or is_unit(declared):
        return ""
    return (
        f'`payoff_unit` is {declared!r}: it must be a short name, such as payoff_unit = "chips", or a name and how many payoffs of the '
        'rules make one, such as ("$", 100)'
    )


def asks_fault(found: Any) -> str:
    """What is wrong with the names of the numbers that a person types in, as `asks` returns them; "" if nothing is."""
    if isinstance(found, tuple | list) and all(isinstance(name, str) and name.strip() for name in found):
        return ""
    return f'`asks` returns {found!r:.200}: it must return a tuple of names, such as ("apples", "pears"), or () to choose from the list'
