"""Consoles that are not UTF-8: characters that they lack are printed as similar ASCII characters. What people type there."""

from __future__ import annotations

import codecs
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from zermelo.basics.words import cells

ERRORS = "zermelo-look-alikes"  # name of the error handler
LONGEST_LINE = 200  # characters that a person types at once
LOOK_ALIKES = {
    "█": "#", "▇": "#", "▓": "#", "▒": "#", "░": ".", "■": "#", "□": ".", "●": "O", "○": "o", "•": "*", "·": ".", "…": "...",
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "×": "x", "÷": "/", "±": "+-", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~", "∞": "inf", "√": "sqrt", "→": "->", "←": "<-",
    "↑": "^", "↓": "v", "✓": "v", "✔": "v", "✗": "x", "✘": "x", "♠": "s", "♥": "h", "♦": "d", "♣": "c", "♤": "s", "♡": "h",
    "♢": "d", "♧": "c", "€": "EUR", "£": "GBP", "°": " deg", "µ": "u", "ß": "ss", "ø": "o", "Ø": "O", "æ": "ae", "Æ": "AE",
}  # fmt: skip


@contextmanager
def any_console() -> Iterator[None]:
    """A context in which printing never fails because the console lacks a character."""
    codecs.register_error(ERRORS, _look_alikes)
    changed = [(stream, stream.errors) for stream in (sys.stdout, sys.stderr) if hasattr(stream, "reconfigure")]
    for stream, _ in changed:
        stream.reconfigure(errors=ERRORS)
    try:
        yield
    finally:
        for stream, errors in changed:
            with suppress(ValueError):  # rules have closed it
                stream.reconfigure(errors=errors)


def typed(read: Callable[[], str]) -> str:
    """The line that this reads from a person, whatever its bytes; of a very long one the beginning, as messages repeat it."""
    if hasattr(sys.stdin, "reconfigure") and sys.stdin.errors != "replace":  # after the first line it would be too late
        sys.stdin.reconfigure(errors="replace")
    line = read()
    return line if len(line) <= LONGEST_LINE else f"{line[:LONGEST_LINE]} ..."


def is_unicode(encoding: str | None) -> bool:
    """Whether every character can be written in this encoding."""
    return "utf" in (encoding or "utf-8").lower()


def _look_alikes(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(look_alike, error.object[error.start : error.end])), error.end


def look_alike(character: str) -> str:
    """ASCII characters that look like this one; if none do, a question mark for each column of a terminal that it takes."""
    if character in LOOK_ALIKES:
        return LOOK_ALIKES[character]
    name = unicodedata.name(character, "")
    if name.startswith("BOX DRAWINGS"):
        across, down = "HORIZONTAL" in name or "LEFT" in name or "RIGHT" in name, "VERTICAL" in name or "UP" in name or "DOWN" in name
        return "+" if across and down else "-" if across else "|"
    if name.startswith("BRAILLE"):  # of a spinner
        return "*"
    simple = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return simple or "?" * max(1, cells(character))
