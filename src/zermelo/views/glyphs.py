"""Characters of a picture that its fonts lack, told once and in one line; matplotlib warns of each, and draws a box in its place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.basics.notices import notify

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 10  # characters that are listed


def tell_boxes(figure: Figure) -> None:
    """Report the characters that are drawn as boxes."""
    from matplotlib.text import Text

    texts: list[Any] = [t for t in figure.findobj(Text) if not t.get_text().isascii()]
    known: dict[str, set[int]] = {}
    lacking: dict[str, None] = {}
    for text in texts:
        font = text.get_fontproperties()
        if str(font) not in known:
            known[str(font)] = _characters(font)
        lacking |= {c: None for c in text.get_text() if not c.isspace() and ord(c) not in known[str(font)]}
    if lacking:
        shown = " ".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in [*lacking][:MOST])
        more = f" and {len(lacking) - MOST} more" if len(lacking) > MOST else ""
        instead = "there are boxes in their place (matplotlib's `font.family` names other fonts)"
        notify(f"the font of the pictures lacks {shown}{more}: {instead}")


def _characters(font: Any) -> set[int]:
    """Everything that can be written: the first of the font's families that has a character writes it."""
    from matplotlib.font_manager import findfont, get_font

    found: set[int] = set()
    for family in font.get_family():
        own = font.copy()
        own.set_family(family)
        found.update(get_font(findfont(own)).get_charmap())
    return found
