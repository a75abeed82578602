"""What a person chooses from, as a list, and what may be typed for it: the number of an item, or its name, but never a word for both."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zermelo.basics.words import cells, padded

COLUMNS = 78  # width of a list
SIDES = ("first", "second")  # as people are told the players 0 and 1


def is_numbered(names: Sequence[str]) -> bool:
    """Whether a list of these names is numbered: not if a name is a whole number itself, since that could be taken for a number of the
    list. Equal names need numbers."""
    return len(set(names)) < len(names) or not any(map(is_whole, names))


def listed(names: Sequence[str]) -> list[str]:
    """The names as they are listed, numbered from 1 or not."""
    return [f"{k} {name}" for k, name in enumerate(names, 1)] if is_numbered(names) else list(names)


def menu(items: Sequence[str]) -> Iterator[str]:
    """The lines of a list, as many items in each as fit."""
    width = max(map(cells, items)) + 2
    across = max(1, COLUMNS // width)
    for at in range(0, len(items), across):
        yield "  " + "".join(padded(n, width) for n in items[at : at + across]).rstrip()


def meant(word: str, names: Sequence[str]) -> list[int]:
    """The places of the names that a word can mean: its number where the list is numbered, or else a name or the beginning of names, with
    or without blanks."""
    if is_numbered(names) and is_whole(word):
        return [int(word) - 1] if 1 <= int(word) <= len(names) else []
    exact = [k for k, name in enumerate(names) if name == word]
    if exact or not word or is_whole(word):
        return exact
    found = [k for k, name in enumerate(names) if name.startswith(word)]
    close = "".join(word.split())
    return found or [k for k, name in enumerate(names) if close and "".join(name.split()).startswith(close)]


def what_to_type(names: Sequence[str], what: str) -> str:
    """What may be typed, as it continues "type ..."; `what` is "an action" or the like."""
    return f"the number or the name of {what}" if is_numbered(names) else f"{what} as it is listed"


def is_whole(word: str) -> bool:
    """Whether a word is a whole number, as those of lists are."""
    return word.isascii() and word.isdigit()
