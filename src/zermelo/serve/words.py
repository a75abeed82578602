"""Messages of the library in the words of the page: what is an argument in Python is ticked or typed there, or given to the command.

Questions in JSON are answered in the same words: their options have the same names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from zermelo.language.parameters import Field

MOST_SAID = 500  # characters of an error
REWRITTEN = (
    (r" \(`probe` with off_play=True works one out\)", ""),
    (r"load it again \(importlib\.reload, or restart Python\)", "end `zermelo serve` and start it again, then try again here"),
    (r"\b(exact|quick|refine)=True\b", r'the option "\1"'),
    (r"\bdiscount=(?=[\d.])", ""),  # "with a discount, such as discount=0.99"
    (r"\b(?:raise|give) max_states(=\d+)?", r"start the page with a larger --max-states\1"),
    (r"\bmax_states\b", "--max-states"),
)


def on_the_page(text: str) -> str:
    """A message with Python's notation of options rewritten."""
    for pattern, words in REWRITTEN:
        text = re.sub(pattern, words, text)
    return text.replace("a larger --max-states=", "--max-states=")


def on_a_form(text: str, named: Iterable[Field]) -> str:
    """A message about fields of a form, by the names that these have there: "late surrender" instead of late_surrender."""
    for field in named:
        label = f'"{field.name.replace("_", " ")}"'
        if field.type is bool:
            text = text.replace(f"{field.name}=False", f"{label} left unticked").replace(f"{field.name}=True", f"{label} ticked")
        text = re.sub(rf"\b{field.name}=", f"{label} ", text)
        if "_" in field.name:
            text = re.sub(rf"\b{field.name}\b", label, text)
    return text


def in_a_line(text: str) -> str:
    """An error as one line, not too long, in the words of the page."""
    line = on_the_page(" ".join(text.split()))
    return line if len(line) <= MOST_SAID else line[:MOST_SAID] + "..."
