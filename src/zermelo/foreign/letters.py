"""Text in the letters of ASCII, for programs that read no others."""

from __future__ import annotations

import unicodedata

SPELT = str.maketrans({
    "→": "->", "←": "<-", "–": "-", "—": "-", "−": "-", "‘": "'", "’": "'", "“": '"', "”": '"', "×": "x", "·": ".", "⁄": "/", "ß": "ss",
    "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "♣": "c", "♦": "d", "♥": "h", "♠": "s",
})  # fmt: skip


def in_ascii(text: str) -> str:
    """A line of printable ASCII: accents are left out, ½ is 1/2, → is ->, 10♠ is 10s; any other sign is named: ✓ is (check mark)."""
    return " ".join("".join(map(_spelt, unicodedata.normalize("NFKD", text).translate(SPELT))).split())


def _spelt(c: str) -> str:
    if c.isascii():
        return c if c.isprintable() else " "
    if unicodedata.combining(c):
        return ""
    return f"({unicodedata.name(c, f'U+{ord(c):04X}').lower()})" if c.isprintable() else " "


def quoted(text: str) -> str:
    """A text as in a file. Gambit takes a backslash at its end for one that belongs to the quote."""
    line = " ".join(text.split())
    end = line.rstrip("\\")
    return '"' + end.replace("\\", "\\\\").replace('"', '\\"') + "/" * (len(line) - len(end)) + '"'


def different(names: list[str]) -> list[str]:
    """The names, numbered if two are equal."""
    return names if len(set(names)) == len(names) else [f"{k + 1}: {name}" for k, name in enumerate(names)]
