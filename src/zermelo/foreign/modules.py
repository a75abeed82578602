"""The text of a game -> its class, as if the text were a file of the user's."""

from __future__ import annotations

import hashlib
import linecache
import re
import sys
import types
from collections.abc import Sequence
from functools import partial
from typing import Any

from zermelo.language.names import GENERATED

WORDS: dict[type, str] = {}  # the files of games that this process has read, as words of the command line
SOURCES: dict[type, str] = {}  # the texts of Gambit's files that this process has read, so that they can be written again
_QUESTIONS: dict[Any, Any] = {}  # by the class of a game: what its value means (`asked.Question`), if it is that of a property of a model


def class_from(text: str, class_name: str, stem: str, said: str, model: str = "", word: str = "", source: str = "") -> type:
    """The class of this name in a text of rules. The module's name begins with `stem`; `said` is the name of the text in errors.
    model : the file that it is a translation of; comments of the text then name the lines of this file. word : what names the game on the
    command line, if that is not a question about a model. source : the text of a file of Gambit that it is a translation of."""
    digest = hashlib.sha256(text.encode()).hexdigest()[:12]
    name = f"{re.sub(r'[^A-Za-z0-9]', '_', stem)}_{digest}"
    module = types.ModuleType(name)
    module.__file__ = file = f"<{said}, {digest}>"  # different for each text, since sources are looked up by it
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    sys.modules[name] = module
    if model:
        GENERATED[file] = partial(_made_from, text.splitlines(), re.split(r"[\\/]", model)[-1])
    exec(compile(text, file, "exec"), module.__dict__)
    made: type = getattr(module, class_name)
    if word:
        WORDS[made] = word
    if source:
        SOURCES[made] = source
    return made


def question_about(game_class: Any) -> Any:
    """The meaning of the value of the games of a class (`asked.Question`), if it was translated from a model by this process; None for
    others."""
    return _QUESTIONS.get(game_class)


def answers_to(game_class: type, question: Any) -> None:
    """Say what question the games of a class answer; another process may have translated them."""
    _QUESTIONS[game_class] = question


def _made_from(lines: Sequence[str], model: str, number: int) -> str:
    """The model, and what its translation says this line was made from: its own comment, or that of the block around it."""
    inside = len(lines[number - 1]) if 0 < number <= len(lines) else 0
    for line in reversed(lines[:number]):
        indentation = len(line) - len(line.lstrip())
        if line.strip() and indentation < inside:
            inside = indentation
            if found := re.search(r"  # (.+)$", line):
                return f"{model}: {found[1]}"
            if line.lstrip().startswith("def "):
                break
    return model
