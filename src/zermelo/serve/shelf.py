"""The games named on the command line, and their solutions so far.

A `Sheet` is one game that the page offers: a game of the catalogue, a user's game, or a saved solution. Nothing else is ever opened:
the page names sheets and gives values of parameters, never files.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import json
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.basics.plain import plain
from zermelo.basics.progress import Progress
from zermelo.basics.values import as_json, written
from zermelo.basics.words import no_such
from zermelo.errors import ParameterError
from zermelo.games.catalogue import COMMANDS
from zermelo.games.named import Target
from zermelo.language.forms import fitted
from zermelo.language.parameters import REQUIRED, Field, ends
from zermelo.serve.jobs import CANCELLED, DONE, FAILED, Job, Jobs

MOST_KEPT = 8  # solutions in memory; the least recently requested are forgotten first
OPTIONS = {"exact": False, "discount": 1.0}  # those that the page can choose, with their defaults


class NotOffered(Exception):
    """A game that was not named when the page was started."""


class Sheet(NamedTuple):
    """A game that the page offers."""

    word: str  # as it was named on the command line
    target: Target
    given: Mapping[str, Any] = {}  # parameters given there
    options: Mapping[str, Any] = {}  # of `zermelo.solve`, also given there; of `zermelo.open` for a saved solution
    whole: str = ""  # the cost of the full game, if the page begins with a smaller one

    @property
    def title(self) -> str:
        """Its display name."""
        return self.target.saved.name if self.target.saved else self.target.title

    @property
    def doc(self) -> str:
        """Its description, in one line."""
        if self.target.saved:
            return "a saved solution"
        if self.word in COMMANDS:
            return COMMANDS[self.word].doc
        text = inspect.cleandoc(getattr(self.target.game_class, "__doc__", None) or "")
        first = " ".join(text.partition("\n\n")[0].replace("`", "").split())
        class_name = getattr(self.target.game_class, "__name__", self.word)
        is_own = first and not first.startswith(f"{class_name}(")  # Python's own text for a NamedTuple
        tells_more = first.rstrip(".").casefold() != self.title.casefold()  # a file of Gambit has nothing but a title
        return first if is_own and tells_more else f"a game of your own, in {Path(self.word.partition(':')[0]).name}"

    def as_data(self) -> dict[str, Any]:
        """The sheet as data for the page."""
        options = {name: self.options.get(name, default) for name, default in OPTIONS.items()}
        defaults = {f.name: in_form(f, f.default) for f in self.target.fields if f.name in self.given}
        return {
            "game": self.word,
            "title": self.title,
            "about": self.doc,
            "saved": self.target.saved is not None,
            "matrix": self.target.is_given_by_replies,
            "parameters": [{**field_as_data(f), "given": in_form(f, self.given.get(f.name))} for f in self.target.fields],
            "options": options,
            "whole": {"about": self.whole, "parameters": defaults} if self.whole else None,
        }


def sheet_of(word: str, target: Target) -> Sheet:
    """The sheet of a game without parameters of its own: of a smaller version if the defaults of the catalogue take minutes."""
    entry = COMMANDS.get(word)
    return Sheet(word, target, entry.first, whole=entry.whole) if entry else Sheet(word, target)


def field_as_data(field: Field) -> dict[str, Any]:
    """A parameter of a game as a form needs it."""
    least, most = ends(field.allowed) if isinstance(field.allowed, range) and len(field.allowed) else (None, None)
    return {
        "name": field.name,
        "type": field.type_name,
        "default": None if field.default is REQUIRED else in_form(field, field.default),
        "required": field.default is REQUIRED,
        "none": field.form.may_be_none,
        "about": field.doc,
        "allowed": as_json(field.choices),
        "from": least,
        "to": most,
    }


def in_form(field: Field, value: Any) -> Any:
    """A value as an input of a form holds it: a number or a truth value, else the text that the command line takes."""
    value = fitted(field.form, value)
    if value is None or type(value) in (bool, int, float, str):
        return plain(value)
    return "" if value == () == field.default else written(value)


class Book:
    """One game with parameters and options: the job that solves it, and its result."""

    def __init__(self, name: str, sheet: Sheet, game: Any, options: Mapping[str, Any]):
        self.name, self.sheet, self.game, self.options = name, sheet, game, options
        self.job: Job = None  # type: ignore[assignment]  # set by the shelf at once
        self.lock = threading.RLock()  # one query at a time, if answers are computed on demand
        self.kept: dict[str, Any] = {}  # made once: data frames, the summary of the solution
        self.solution: Any = None  # here, not with the job, so that it is forgotten with the book
        self.is_set_apart = False  # from garbage collections

    def solve(self, progress: Progress) -> None:
        """The work of its job."""
        import zermelo

        if self.sheet.target.saved:
            self.solution = zermelo.open(self.sheet.target.saved, self.options.get("rules"))
        else:
            self.solution = zermelo.solve(self.game, **self.options, progress=progress)
        if self.is_set_apart:
            set_apart()

    @property
    def is_lost(self) -> bool:
        """Whether it has to be solved again at the next request: also while it is being cancelled."""
        return self.job.status in (CANCELLED, FAILED) or self.job.is_unwanted and self.job.status != DONE


def set_apart() -> None:
    """Let Python's garbage collections leave out everything there is now, until this is called again. They took up to 80 ms in the
    middle of a request, as the compiler alone has hundreds of thousands of objects."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()


class Shelf:
    """All sheets, and the books made from them. `is_set_apart` : of a process that does nothing else, see `set_apart`."""

    is_set_apart = False

    def __init__(self, sheets: Sequence[Sheet], jobs: Jobs):
        self.sheets = {sheet.word: sheet for sheet in sheets}
        self.jobs = jobs
        self._books: OrderedDict[str, Book] = OrderedDict()
        self._lock = threading.Lock()

    def open(self, word: Any, parameters: Any = None, options: Any = None) -> Book:
        """The game of this name with these parameters, solved or being solved. Raises `ParameterError`, `FileError`."""
        sheet = self.sheet(word)
        given, chosen = self._asked(sheet, parameters, "parameters"), self._asked(sheet, options, "options")
        unknown = [name for name in chosen if name not in OPTIONS]
        if unknown:
            raise ParameterError(no_such("option", unknown[0], list(OPTIONS)))
        if sheet.target.saved:
            if given or chosen:
                raise ParameterError(f"{sheet.title} is a saved solution: parameters and options come too late")
            game, options = None, dict(sheet.options)
        else:
            game = sheet.target.game({**sheet.given, **given})
            options = {**sheet.options, **_checked(chosen)}
        name = hashlib.sha256(json.dumps([sheet.word, plain(as_json(game)), plain(options)], default=str).encode()).hexdigest()[
            :12
        ]
        with self._lock:
            book = self._books.get(name)
            if book is None or book.is_lost:
                book = Book(name, sheet, game, options)
                book.is_set_apart = self.is_set_apart
                book.job = self.jobs.start(book.solve)
                self._books[name] = book
            self._books.move_to_end(name)
            for statuses in ((DONE,), (CANCELLED, FAILED)):
                for old in [n for n, b in self._books.items() if b.job.status in statuses][:-MOST_KEPT]:
                    del self._books[old]
        return book

    def sheet(self, word: Any) -> Sheet:
        if not isinstance(word, str) or word not in self.sheets:
            raise NotOffered(f"this page was not started for a game {word!r}")
        return self.sheets[word]

    def book(self, name: str) -> Book | None:
        """The book of this name, if it was requested and is still kept."""
        with self._lock:
            found = self._books.get(name)
            if found is not None:
                self._books.move_to_end(name)
            return found

    @staticmethod
    def _asked(sheet: Sheet, values: Any, what: str) -> dict[str, Any]:
        if values is None:
            return {}
        if not isinstance(values, dict):
            raise ParameterError(f"{what} of {sheet.word} must be a JSON object, not {type(values).__name__}")
        return {name: value for name, value in values.items() if value is not None and value != ""}


def _checked(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a form as `zermelo.solve` takes them."""
    found = dict(options)
    if not isinstance(found.get("exact", False), bool):
        raise ParameterError(f"exact must be true or false, not {found['exact']!r}")
    if "discount" in found:
        try:
            found["discount"] = float(found["discount"])
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(f"discount must be a number, not {found['discount']!r}") from None
        if not 0 < found["discount"] <= 1:
            raise ParameterError(f"discount must be greater than 0 and at most 1, not {found['discount']:g}")
    return found
