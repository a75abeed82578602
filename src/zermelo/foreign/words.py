"""The words that name a model: MODEL.prism, MODEL.prism:PROPERTY. Standard library only, since every command uses it."""

from __future__ import annotations

import re
from pathlib import Path

ENDINGS = ("prism", "nm", "pm", "sm", "smg", "jani", "efg", "nfg", "umb")
WORD = re.compile(rf"(?P<path>.*?\.(?:{'|'.join(ENDINGS)}))(?::(?P<property>.*))?", re.DOTALL)


def parted(word: str) -> tuple[Path, str] | None:
    """The path of a model and the property, "" if there is none; None if the word does not name a model."""
    found = WORD.fullmatch(word)
    return (Path(found["path"]), (found["property"] or "").strip()) if found else None
