"""Prints labels and texts for `solve`. Without rich, whose import takes longer than solving a small game."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO

from zermelo.basics.words import cells

PIPE_WIDTH = 120  # characters of a line, if there is no terminal
LEAST = 20  # characters of a line's text, however long the labels are
GAP = 2  # spaces between a label and its text
BOLD, DIM, CYAN = "1", "2", "36"
SECONDARY = ("game", "sweep", "time")  # labels of lines that matter less than the answer


def as_options(text: str) -> str:
    """A message of the library, with its Python notation rewritten as options."""
    text = re.sub(r"\b(exact|quick|refine)=True\b", r"--\1", text.replace("max_states", "--max-states").replace("`exact`", "--exact"))
    text = text.replace("`probe` with off_play=True works one out", "`zermelo table --view actions` works one out")
    text = re.sub(r"^(discount|tolerance|plays|seed) must\b", r"--\1 must", text)
    return re.sub(r"\bdiscount=(?=[\d.])", "--discount ", text)


def print_title(text: str, more: str = "") -> None:
    print(styled(text, BOLD) + more)


def print_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """A line for each label and its text; longer texts continue below themselves."""
    lines = [("  " + label, text) for label, text in pairs]
    label_width = max((cells(label) for label, _ in lines), default=0)
    for label, text in lines:
        weight = BOLD if label.strip() == "value" or label.endswith("wins") else DIM if label.strip() in SECONDARY else ""
        for i, part in enumerate(folded(text, max(LEAST, width() - label_width - GAP))):
            shown = label if i == 0 else ""
            print(styled(shown + " " * (label_width - cells(shown)), CYAN) + " " * GAP + styled(part, weight))


def width() -> int:
    """Characters of a line: the terminal's, or `PIPE_WIDTH`."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() or "COLUMNS" in os.environ else PIPE_WIDTH


def shows(text: str, stream: TextIO) -> bool:
    """Whether a stream can encode these characters."""
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def styled(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if style and text.strip() and _shows_styles(style) else text


def _shows_styles(style: str) -> bool:
    """Whether the reader is known to be a terminal with such styles (https://no-color.org)."""
    if not sys.stdout.isatty() or os.environ.get("TERM") in ("dumb", "unknown"):
        return False
    if os.name == "nt" and not {"WT_SESSION", "TERM", "ANSICON"} & set(os.environ):
        return False
    return style in (BOLD, DIM) or not os.environ.get("NO_COLOR")


def folded(text: str, most: int) -> Iterator[str]:
    """The text in lines of at most this many characters, broken at spaces if possible."""
    for line in text.splitlines() or [""]:
        while cells(line) > most:
            end = _fitting(line, most)
            space = end if line[end].isspace() else line.rfind(" ", 0, end)
            end = space if line[: max(space, 0)].strip() else end
            yield line[:end].rstrip()
            line = line[end:].lstrip()
        yield line


def fitted(text: str) -> str:
    """The text in lines no wider than the terminal: a longer line continues below, with the same indentation."""
    lines = []
    for line in text.split("\n"):
        before = len(line) - len(line.lstrip())
        found = folded(line.lstrip(), max(LEAST, width() - before)) if cells(line) > width() else [line.lstrip()]
        lines += [" " * before + part for part in found]
    return "\n".join(lines)


def _fitting(line: str, most: int) -> int:
    """The number of the line's characters that fit."""
    used = 0
    for i, character in enumerate(line):
        used += cells(character)
        if used > most:
            return max(i, 1)
    return len(line)
