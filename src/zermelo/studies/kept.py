"""Rows that are kept on disk, under a hash of everything they depend on, so that asking the same question twice is free.

Only the row of numbers is kept, a kilobyte, and not the solution, which may take gigabytes and for which there is `Solution.save`. The
hash covers the rules (`rules_hash`: methods, helpers and constants, not comments), all parameters, the options of solving, and the sources
of this package, so that a change to any of them makes a new question. Rows without an answer are not kept, as the reason may be this
machine's memory at the moment.

A file begins with the SHA-256 of the rest, which repeats the question. A file that does not match is reported and replaced.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from zermelo.basics.disk import cache_directory, replacing
from zermelo.basics.notices import notify
from zermelo.basics.sources import program
from zermelo.errors import ParameterError, RulesError
from zermelo.foreign.modules import question_about
from zermelo.language.parameters import stored_parameters
from zermelo.language.rules_text import rules_hash
from zermelo.studies.row import Options, Row, as_bytes, decoded, encoded

SUM = hashlib.sha256().digest_size
FORMAT = 1
FOLDER = "answers"


def folder() -> Path:
    """The folder of kept rows: `answers` in $ZERMELO_CACHE or the user's cache directory."""
    return cache_directory() / FOLDER


class Keeper:
    """Finds and keeps the rows of one game class, solved with the same options."""

    def __init__(self, game_class: Any, options: Options):
        self._about: dict[str, Any] | None
        try:
            self._about = {
                "format": FORMAT, "program": program(), "rules": rules_hash(game_class), "game": game_class.__name__,
                "options": {name: repr(value) for name, value in options._asdict().items()},
                **({"property": repr(asked)} if (asked := question_about(game_class)) else {}),  # two may have the same rules
            }  # fmt: skip
        except RulesError:  # the source can't be read, which is reported when the game is solved
            self._about = None

    def find(self, game: Any) -> Row | None:
        """The row of this game, if one is kept."""
        question = self._question(game)
        if question is None:
            return None
        path = _path(question)
        try:
            content = path.read_bytes()
        except OSError:
            return None
        try:
            if hashlib.sha256(content[SUM:]).digest() != content[:SUM]:
                raise ValueError("the sum does not agree")
            data = json.loads(content[SUM:])
            if data["question"] != question:
                raise ValueError("it answers another question")
            return decoded(game._asdict(), data["answer"])._replace(from_disk=True)
        except (ValueError, KeyError, TypeError, IndexError, ZeroDivisionError):
            notify(f"a kept answer was damaged: it is computed again and replaced ({path})")
            return None

    def keep(self, game: Any, row: Row) -> None:
        """Store the row on disk, if it has an answer and can be stored completely."""
        question = self._question(game)
        if question is None or row.error:
            return
        content = as_bytes({"question": question, "answer": encoded(row)})
        path = _path(question)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with replacing(path, lasting=False, stale=".*.tmp") as temporary:
                temporary.write_bytes(hashlib.sha256(content).digest() + content)
        except OSError as error:
            why = f"{folder()}: {error.strerror or error}"
            notify(f"answers can't be kept for the next time ({why}); ZERMELO_CACHE=FOLDER names another place")

    def _question(self, game: Any) -> dict[str, Any] | None:
        if self._about is None:
            return None
        try:
            return {**self._about, "parameters": stored_parameters(game)}
        except ParameterError:  # such a row is not kept
            return None


def _path(question: dict[str, Any]) -> Path:
    name = hashlib.sha256(as_bytes(question)).hexdigest()
    return folder() / name[:2] / f"{name}.json"
