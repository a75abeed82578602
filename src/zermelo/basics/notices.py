"""Facts that a user should know although everything works: reported once, as a warning, and in the notes of the next report."""

from __future__ import annotations

import warnings


class Notice(UserWarning):
    """Something works, but not as it should: a cache that can't be written, a damaged entry that was replaced."""


_said: list[str] = []


def notify(text: str) -> None:
    """Report this, unless this process has reported it before."""
    if text not in _said:
        _said.append(text)
        warnings.warn_explicit(text, Notice, "zermelo", 1)  # without a source line of ours next to it


def said() -> tuple[str, ...]:
    """Everything that this process has reported, in order."""
    return tuple(_said)
