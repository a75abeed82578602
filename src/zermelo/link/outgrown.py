"""Records on disk of how long Python took for games: those that took too long are compiled at once by the next process, and for those whose
states it found in the end, another process need not compile meanwhile. That a game took too long is believed for a day, as it may have
been due to what else the machine did.

A file is named by the game's class and parameters, and by what is recorded, and holds the hash of its rules. So a game that was never too
slow for Python costs only one look-up of such a file, and edited rules are again interpreted first.
"""

from __future__ import annotations

import hashlib
import math
import time
from contextlib import suppress
from pathlib import Path

from zermelo.basics.disk import cache_directory, replacing
from zermelo.language.rules import Rules

OUTGROWN, FOUND = "outgrown", "interpreted"  # folders in the cache directory
BELIEVED = 86_400.0  # seconds: Python takes a third of one to find out anew


def is_outgrown(rules: Rules, kernels: str = "") -> bool:
    """Whether Python took too long for this game, in this process or an earlier one. `kernels` : what calls its rules, if it is not
    explored."""
    return _is_noted(_path(OUTGROWN, rules, kernels), rules, BELIEVED)


def remember_outgrown(rules: Rules, kernels: str = "") -> None:
    """Make `is_outgrown` true from now on, if a file can be written."""
    _note(_path(OUTGROWN, rules, kernels), rules, BELIEVED)


def forget_outgrown(rules: Rules, kernels: str = "") -> None:
    """Make `is_outgrown` false: the compiler can't take these rules, so Python had better try again."""
    if (path := _path(OUTGROWN, rules, kernels)) is not None:
        with suppress(OSError):
            path.unlink(missing_ok=True)


def was_found(rules: Rules) -> bool:
    """Whether Python found all states of this game, in this process or an earlier one, although that had seemed to take too long."""
    return _is_noted(_path(FOUND, rules), rules)


def remember_found(rules: Rules) -> None:
    """Make `was_found` true from now on, if a file can be written."""
    _note(_path(FOUND, rules), rules)


def _is_noted(path: Path | None, rules: Rules, lasting: float = math.inf) -> bool:
    """Whether that was noted, so many seconds ago at most."""
    with suppress(OSError, UnicodeDecodeError):
        return path is not None and path.read_text(encoding="utf-8") == rules.hash and time.time() - path.stat().st_mtime < lasting
    return False


def _note(path: Path | None, rules: Rules, lasting: float = math.inf) -> None:
    if path is None or _is_noted(path, rules, lasting):
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path, lasting=False) as temporary:
            temporary.write_text(rules.hash, encoding="utf-8")


def _path(folder: str, rules: Rules, more: str = "") -> Path | None:
    """The game's file; None for games whose parameters may be large."""
    game = rules.game
    if not all(isinstance(value, int | float | str) for value in game):
        return None
    named = f"{type(game).__module__}.{type(game).__qualname__}{tuple(game)!r}{more}"
    return cache_directory() / folder / hashlib.sha256(named.encode()).hexdigest()[:32]
