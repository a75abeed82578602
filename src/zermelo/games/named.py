"""A game from a word: a name of the catalogue, or FILE.py:Class for a user's own game.

`game_named("pig", goal=50)` is what the command line's `pig --goal 50` and `zermelo.solve("pig", goal=50)` mean.
"""

from __future__ import annotations

import enum
import importlib
import importlib.util
import linecache
import os
import re
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, NamedTuple

from zermelo.basics.values import COLLECTIONS, expression, in_python
from zermelo.basics.words import spaced
from zermelo.errors import FileError, ParameterError, RulesError, ZermeloError
from zermelo.foreign.words import parted
from zermelo.games.catalogue import COMMANDS
from zermelo.language.forms import Unread, fitted, read, wanted
from zermelo.language.inherited import field_faults
from zermelo.language.parameters import REQUIRED, Field, fields, game_with, misfit
from zermelo.language.replies import is_given_by_replies, lacks_responses
from zermelo.language.source import STANDARD_LIBRARY
from zermelo.puzzles import NAMES as PUZZLES

A_GAME = "no game (a NamedTuple with the methods start and outcomes)"
MOST_NAMED = 12  # games of a file that an error names
LIBRARIES = re.compile(r"[/\\](site|dist)-packages[/\\]")  # in the path of a module
MOMENT = 0.1  # seconds by which a file's time can be before the clock's
_imported: dict[str, tuple[ModuleType, bytes]] = {}  # what files of rules imported from their folders, and its text, by name
INSTEAD = "rename the folder, or write `from NAME import ...`, which finds files of the same folder"


class WrongParameter(ParameterError):
    """A game's parameter that does not fit. `text` is called with a function that spells a parameter's name, such as `--goal` for goal."""

    def __init__(self, text: Callable[[Callable[[str], str]], str]):
        super().__init__(text(str))
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        return ParameterError, (str(self),)  # in another process it is its message


def game_named(word: str, /, **parameters: Any) -> Any:
    """The game that `word` names, with these parameters, given as Python values or as text; defaults elsewhere.

    `word` is a name of the catalogue, such as "pig"; or "FILE.py:Class"; the class may be left out where the file has one game; or
    "MODEL.prism:PROPERTY" for a model in PRISM's or JANI's language, whose open constants are parameters.
    Raises `ParameterError` or `FileError`, in one line.
    """
    target = find(word, "never" in parameters)
    if target.saved:
        raise FileError(f"{word} is a saved solution, not a game: zermelo.open reads it")
    return target.game(parameters)


class Target(NamedTuple):
    """What a word stands for: the class of a game, with parameters that the word fixes; or a saved solution."""

    word: str
    game_class: type | None = None
    preset: Mapping[str, Any] = {}
    saved: Path | None = None  # a stored solution
    options: tuple[str, ...] = ()  # of the command line that say what the word means: the property of a model, and its constants

    @property
    def is_given_by_replies(self) -> bool:
        """Whether it is a matrix game, solved by mixed strategies."""
        return self.game_class is not None and is_given_by_replies(self.game_class)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The parameters that can be chosen."""
        found = fields(self.game_class) if self.game_class else ()
        return tuple(f for f in found if f.name not in self.preset)

    @property
    def title(self) -> str:
        """What pictures and the page call the game, whatever its parameters are."""
        if self.word in COMMANDS:
            return COMMANDS[self.word].title
        title = getattr(self.game_class, "title", None)
        return title if isinstance(title, str) else spaced(getattr(self.game_class, "__name__", self.word))

    def game(self, given: Mapping[str, Any]) -> Any:
        """The game with these parameters; None, like a missing one, means the default. Raises `WrongParameter`."""
        assert self.game_class is not None
        by_name = {f.name: f for f in self.fields}
        for name in given:
            if name not in by_name:
                raise ParameterError(self._no_parameter(name))
        values = {n: converted(by_name[n], v) for n, v in given.items() if v is not None}
        missing = [f for f in self.fields if f.default is REQUIRED and f.name not in values]
        if missing:
            raise WrongParameter(lambda spelt: f"{self.word} needs {_listed(missing, spelt)}: there is no default")
        return game_with(self.game_class, {**self.preset, **values})

    def game_of(self, values: Mapping[str, Any]) -> Any:
        """The game with just these parameters, of which none is missing: here None is a value. Raises `WrongParameter`."""
        assert self.game_class is not None
        by_name = {f.name: f for f in self.fields}
        return game_with(self.game_class, {**self.preset, **{n: converted(by_name[n], v) for n, v in values.items()}})

    def _no_parameter(self, name: str) -> str:
        if name in self.preset:
            return f"{self.word} has {name}={expression(self.preset[name])}, which can't be changed"
        known = [f.name for f in self.fields]
        close = get_close_matches(name, known, 2, 0.5)
        hint = f"did you mean {' or '.join(close)}?" if close else f"it has {', '.join(known) or 'none'}"
        return f"{self.word} has no parameter {name!r}; {hint}"


def _listed(missing: list[Field], spelt: Callable[[str], str]) -> str:
    return ", ".join(f"{spelt(f.name)}{f' ({f.doc})' if f.doc else ''}" for f in missing)


def converted(field: Field, value: Any) -> Any:
    """A parameter as the game wants it: text is read as its type (language/forms.py), other values are fitted to it: lists become tuples,
    and numbers of numpy those of Python. The default is left as it is, for `validate_parameters` to see. Raises `WrongParameter`."""
    if value is field.default:
        return value
    is_text = isinstance(value, str) and not isinstance(value, enum.Enum)
    found = _read(field, value) if is_text else in_python(fitted(field.form, value))
    if fault := misfit(field, found):
        raise WrongParameter(lambda spelt: f"{spelt(field.name)} {fault}")
    return found


def _read(field: Field, text: str) -> Any:
    if field.form.kind in COLLECTIONS and not field.default and not text.strip() and field.default is not REQUIRED:
        return field.default
    try:
        return read(field.form, text)
    except Unread as error:
        kind, default = str(error), expression(field.default)
        raise WrongParameter(
            lambda spelt: f"{spelt(field.name)} can't be written as text: it is a {kind}, here {default}; give it in Python, or "
            "make the parameter a number, a text, an Enum, a NamedTuple or a tuple of these"
        ) from None
    except ValueError:
        said = wanted(field.form)
        raise WrongParameter(lambda spelt: f"{spelt(field.name)} must be {said}, not {text!r}") from None


# --- what a word stands for -------------------------------------------------------------------------------------------


def find(word: str, never: bool = False) -> Target:
    """The meaning of `word`. Raises a `ZermeloError` of one line where it has none. `never` is for models (docs/foreign.md)."""
    try:
        return _found(word, never)
    except OSError as error:
        raise FileError(f"can't read {word}: {error.strerror or error}") from None


def _found(word: str, never: bool) -> Target:
    if word in COMMANDS:
        entry = COMMANDS[word]
        return Target(word, entry.game_class(), dict(entry.preset))
    if not word.strip():
        raise ParameterError("the name of a game is missing; `zermelo list` shows all games")
    if parted(word):
        return model_target(word, never=never)
    name, _, class_name = word.rpartition(":")
    if name and (name.endswith(".py") or Path(name).exists()):
        return Target(word, class_in(Path(name), class_name))
    if word.endswith(".py"):
        return Target(word, class_in(Path(word), ""))
    if Path(word).is_dir():
        raise FileError(f"{word} is a directory; a game is NAME or FILE.py:Class")
    if Path(word).is_file():
        return Target(word, saved=Path(word))
    raise ParameterError(unknown_game(word))


def model_target(word: str, asked: str = "", constants: Mapping[str, str] | None = None, never: bool = False) -> Target:
    """The game that a property of a model asks about, `asked` or in the word itself; some open constants given, as text."""
    found = parted(word)
    assert found is not None
    path, in_word = found
    if asked and in_word:
        raise ParameterError(f"{word} names a property already; --property is another one")
    from zermelo.foreign.loading import game_class  # parsers: only where a model is read

    return Target(word, game_class(path, asked or in_word, constants, never))


def unknown_game(word: str) -> str:
    """One line that says that there is no such game, with the names that may be meant."""
    if "/" in word or word.count("."):
        return f"there is no file {word}"
    close = get_close_matches(word, COMMANDS, 3, 0.5)
    if word in PUZZLES:
        return f"{word} is no game but a puzzle: zermelo puzzle {word}"
    if word == "blackjack":
        return "blackjack has commands of its own: zermelo blackjack (in Python: zermelo.games.blackjack)"
    by_class = [e.command for e in COMMANDS.values() if word.lower() in (e.class_name.lower(), e.python_name.lower())]
    hint = f"did you mean {' or '.join(by_class or close)}?" if by_class or close else "`zermelo list` shows all games"
    return f"no game {word!r}; {hint} (a game of your own is FILE.py:Class)"


def class_in(path: Path, name: str) -> type:
    """The class of that name in a Python file; with no name the only game there. Raises `FileError`, and `RulesError` for a class whose
    parameters are none, so that this is told before an option is missed."""
    found = _class_in(path, name)
    if faults := [*field_faults(found)]:
        raise RulesError(found.__name__, faults)
    return found


def _class_in(path: Path, name: str) -> type:
    module = load(path)
    every = {n: c for n, c in vars(module).items() if _is_game(c)}
    own = {n: c for n, c in every.items() if c.__module__ == module.__name__}
    games = own or every  # imported ones, if it has none of its own
    if not name and len(games) == 1:
        return next(iter(games.values()))
    if name in every:
        return every[name]
    names = [f"{path}:{n}" for n in games]
    said = ", ".join(names[:MOST_NAMED]) + (f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else "")
    found = getattr(module, name, None) if name else None if games else _meant_in(module)
    if isinstance(found, type):
        if hasattr(found, "_fields") and found.__module__ == module.__name__ and not own:
            return found  # meant as a game, with methods missing; the rules' checker reports which
        if not hasattr(found, "_fields") and hasattr(found, "outcomes"):
            raise FileError(f"{path}: a game is a NamedTuple of its parameters: write `class {found.__name__}(NamedTuple):`")
        raise FileError(f"{path}: {name or found.__name__} is {A_GAME}{_there(said)}")
    if not name:
        raise FileError(f"{path} has {'several games; give one:' if games else A_GAME}{' ' + said if games else ''}")
    raise FileError(f"{path} has no class {name!r}{_there(said)}")


def _meant_in(module: ModuleType) -> type | None:
    """The class of a file without a game that was meant as one: the only one there with a first state or actions."""
    own = [c for c in vars(module).values() if isinstance(c, type) and c.__module__ == module.__name__]
    meant = [c for c in own if any(hasattr(c, m) for m in ("start", "actions", "outcomes"))]
    return meant[0] if len(meant) == 1 else None


def _there(said: str) -> str:
    return f"; there is {said}" if said else "; there is no game in it at all"


def _is_game(candidate: Any) -> bool:
    return (
        isinstance(candidate, type)
        and hasattr(candidate, "_fields")
        and (hasattr(candidate, "outcomes") or is_given_by_replies(candidate) or lacks_responses(candidate))
    )


class _AsItIs(SourceFileLoader):
    """Reads the file's text, never its cached bytecode, which Python accepts when only size and second agree.

    After an edit of one digit within the second of the last run, the old rules would be used. So it is with the lines that Python keeps.
    """

    def get_code(self, fullname: str) -> CodeType:
        linecache.cache.pop(self.path, None)
        return self.source_to_code(self.get_data(self.path), self.path)


def load(path: Path) -> ModuleType:
    """Import the user's file, and anew what it imports from its folder. Any error is reported in one line, with the line of the file."""
    if path.is_dir():
        raise FileError(f"{path} is a directory, not a Python file")
    if not path.exists():
        raise FileError(f"there is no file {path}")
    if not path.is_file():
        raise FileError(f"{path} is a device or a pipe, not a Python file")
    if path.suffix != ".py":
        raise FileError(f"{path} is not a Python file: its name must end in .py")
    home = folder = path.resolve().parent
    while (home / "__init__.py").exists():  # of the package
        home = home.parent
    others = _set_aside(folder)
    known, began = {*sys.modules}, time.time()
    try:
        return _loaded(path)
    finally:
        _leave_no_bytecode(known, began)
        for name in sys.modules.keys() - known:
            if _top(name) in map(_top, others):
                del sys.modules[name]
            elif _is_own(name) and _file(name).is_relative_to(home):
                _imported[name] = sys.modules[name], _text(name)
        sys.modules.update(others)


def _loaded(path: Path) -> ModuleType:
    package = _package(path)
    name = f"{package}.{_module(path)}" if package else module_name(path)
    spec = importlib.util.spec_from_file_location(name, path.resolve(), loader=_AsItIs(name, str(path.resolve())))
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _as_before(), _found_in(path.resolve().parent):
            spec.loader.exec_module(module)
    except ZermeloError:
        raise
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        said = f"{path} can't be read as Python: {_where(error, path)}"
        raise FileError("; ".join(filter(None, (said, hidden_library())))) from None
    return module


def hidden_library() -> str:
    """What is to be told, should something fail, of a file that rules imported and a library needs another module for; else nothing."""
    for name in [name for name in sys.modules if "." not in name and _is_own(name)]:
        spec = PathFinder.find_spec(name)
        if name in sys.stdlib_module_names or (spec and spec.origin and Path(spec.origin).resolve() != _file(name)):
            return f"{_file(name)} is found instead of the library {name}; rename the file"
    return ""


@contextmanager
def _found_in(folder: Path) -> Iterator[None]:
    """Let modules of this folder be found first."""
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        with suppress(ValueError):  # rules may change the list
            sys.path.remove(str(folder))


def _open(number: int, stream: Any, encoding: str | None, errors: str | None) -> Any:
    """The stream to this file, made anew if rules have closed it (Python leaves the file itself open)."""
    try:
        is_closed = getattr(stream, "closed", False)
    except ValueError:  # it has been detached
        is_closed = True
    with suppress(OSError):
        return open(number, "w", 1, encoding, errors, closefd=False) if is_closed else stream
    return stream


@contextmanager
def _as_before() -> Iterator[None]:
    """Stay in the current folder, to which the user's paths are relative, whatever rules do that read a file beside them. Results are
    printed where they would be without the rules."""
    streams = [(stream, getattr(stream, "encoding", None), getattr(stream, "errors", None)) for stream in (sys.stdout, sys.stderr)]
    try:
        folder = os.getcwd()
    except OSError:  # deleted
        folder = ""
    try:
        yield
    finally:
        sys.stdout, sys.stderr = (_open(number, *stream) for number, stream in enumerate(streams, 1))
        if folder:
            os.chdir(folder)


def _set_aside(folder: Path) -> dict[str, ModuleType]:
    """Forget what earlier files of rules imported, if some of it has changed since, and take out of Python's modules the user's own that
    are called as a file of this folder, and are another one. Those that files of rules did not import are returned."""
    of_rules = {name for name, (module, _) in _imported.items() if sys.modules.get(name) is module}
    if any(_text(name) != _imported[name][1] for name in of_rules):
        for name in of_rules:
            linecache.cache.pop(str(_file(name)), None)
            del sys.modules[name]
    here = set[str]()
    with suppress(OSError):  # it may be read by name only
        here = {path.stem if path.suffix == ".py" else path.name for path in folder.iterdir()}
    other = {name for name in here & sys.modules.keys() if _is_own(name) and not _file(name).is_relative_to(folder)}
    taken = {name: sys.modules.pop(name) for name in [*sys.modules] if _top(name) in other} if other else {}
    return {name: module for name, module in taken.items() if name not in of_rules}


def _text(name: str) -> bytes:
    with suppress(OSError):
        return _file(name).read_bytes()
    return b""


def _top(name: str) -> str:
    return name.partition(".")[0]


def _file(name: str) -> Path:
    return Path(getattr(sys.modules[name], "__file__", None) or "").resolve()


def _is_own(name: str) -> bool:
    """Whether a module is a file of the user's, not of a library."""
    file = getattr(sys.modules[name], "__file__", None) or ""
    is_given = LIBRARIES.search(file) or file.startswith(STANDARD_LIBRARY) or _top(name) in ("zermelo", "__main__")
    return file.endswith(".py") and not is_given


def _leave_no_bytecode(known: set[str], since: float) -> None:
    """Delete the bytecode that Python has written since then for modules of the user's own, those that were not `known`, for the same
    reason: an edit within the second would not be seen. That of libraries stays, since it takes long to make."""
    for name in sys.modules.keys() - known:
        cached = getattr(sys.modules[name], "__cached__", None) or ""
        with suppress(OSError):
            if not LIBRARIES.search(cached) and name.partition(".")[0] != "zermelo" and os.stat(cached).st_mtime >= since - MOMENT:
                os.unlink(cached)


def _package(path: Path) -> str:
    """The package that a file belongs to, imported; nothing for a file without relative imports, whose folder is then one of its own
    files. Raises `FileError`."""
    levels = [len(dots) for dots in re.findall(rb"^[ \t]*from[ \t]+(\.+)", path.read_bytes(), re.MULTILINE)]
    if not levels:
        return ""
    folders: list[str] = []
    top = path.resolve().parent
    while (len(folders) < max(levels) or (top / "__init__.py").exists()) and top.name:
        folders, top = [top.name, *folders], top.parent
    package = ".".join(folders)
    if odd := [name for name in folders if not name.isidentifier()]:
        raise FileError(f"{path} has relative imports, and {odd[0]!r} can't be the name of a package: {INSTEAD}")
    try:
        with _as_before(), _found_in(top):
            found = importlib.import_module(package)
    except Exception as error:
        raise FileError(f"{path}: its package {package} can't be imported: {_where(error, path)}") from None
    if str(path.resolve().parent) not in map(str, found.__path__ if hasattr(found, "__path__") else ()):
        raise FileError(f"{path} has relative imports, and another package is called {package}: {INSTEAD}")
    return package


def module_name(path: Path) -> str:
    """The name of the file, under which a saved solution finds it again; another one where a package has that name."""
    name = _module(path)
    known = getattr(sys.modules.get(name), "__file__", None)
    is_taken = known != str(path.resolve()) if known else name in sys.modules or importlib.util.find_spec(name)
    return f"{name}_of_user" if is_taken else name


def _module(path: Path) -> str:
    return path.stem if path.stem.isidentifier() else "game"


def _where(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line of the user's file that it passed through."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}" if error.lineno else str(error.msg)
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path.resolve()]
    text = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"line {lines[-1]}: {text}" if lines else text
