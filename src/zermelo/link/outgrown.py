"""A record on disk of the games that took too long in Python: the next process compiles them at once.

A file is named by the game's class and parameters, and by the kernels that call its rules, and holds the hash of these. So a game that was
never too slow for Python costs only one look-up of such a file, and edited rules are again interpreted first.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from zermelo.basics.disk import cache_directory, replacing
from zermelo.language.rules import Rules

FOLDER = "outgrown"  # in the cache directory


def is_outgrown(rules: Rules, kernels: str = "") -> bool:
    """Whether Python took too long for this game, in this process or an earlier one. `kernels` : what calls its rules, if it is not
    explored."""
    path = _path(rules, kernels)
    with suppress(OSError, UnicodeDecodeError):
        return path is not None and path.read_text(encoding="utf-8") == rules.hash
    return False


def remember_outgrown(rules: Rules, kernels: str = "") -> None:
    """Make `is_outgrown` true from now on, if a file can be written."""
    path = _path(rules, kernels)
    if path is None or is_outgrown(rules, kernels):
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, lasting=False) as temporary:
            temporary.write_text(rules.hash, encoding="utf-8")


def forget_outgrown(rules: Rules, kernels: str = "") -> None:
    """Make `is_outgrown` false: the compiler can't take these rules, so Python had better try again."""
    if (path := _path(rules, kernels)) is not None:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def _path(rules: Rules, kernels: str) -> Path | None:
    """The game's file; None for games whose parameters may be large."""
    game = rules.game
    if not all(isinstance(value, int | float | str) for value in game):
        return None
    named = f"{type(game).__module__}.{type(game).__qualname__}{tuple(game)!r}{kernels}"
    return cache_directory() / FOLDER / hashlib.sha256(named.encode()).hexdigest()[:32]
