"""What GAME means on the command line: a game of the catalogue, a class in the user's own file, or a saved solution.

The parameters of the game become options: `goal: Annotated[int, "points to win", range(1, 1001)] = 100` is
`--goal 50`, with the text and the range in the help.
"""

from __future__ import annotations

import importlib.util
import sys
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from zermelo.errors import FileError, ParameterError, ZermeloError
from zermelo.games.catalogue import COMMANDS
from zermelo.language.parameters import REQUIRED, Field, describe, fields
from zermelo.language.replies import is_given_by_replies
from zermelo.puzzles import NAMES as PUZZLES

KINDS = (int, bool, float, str)  # types of parameters that are written as they are; others are tuples of integers


class Target(NamedTuple):
    """What the word GAME stands for."""

    word: str
    game_class: type | None = None
    preset: Mapping[str, Any] = {}
    saved: Path | None = None  # a stored solution

    @property
    def is_given_by_replies(self) -> bool:
        """Whether it is a game of hidden choice, solved by mixed strategies."""
        return self.game_class is not None and is_given_by_replies(self.game_class)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The parameters that can be given on the command line."""
        found = fields(self.game_class) if self.game_class else ()
        return tuple(f for f in found if f.name not in self.preset)

    def game(self, given: Mapping[str, Any]) -> Any:
        """The game with these parameters; defaults elsewhere. `ParameterError` if one is missing or does not fit."""
        from zermelo.language.parameters import validate_parameters

        assert self.game_class is not None
        values = {**self.preset, **{n: v for n, v in given.items() if v is not None}}
        missing = [f for f in self.fields if f.default is REQUIRED and f.name not in values]
        if missing:
            needs = ", ".join(f"{option(f.name)}{f' ({f.doc})' if f.doc else ''}" for f in missing)
            raise ParameterError(f"{self.word} needs {needs}: there is no default")
        values = {n: converted(f, values[n]) for n, f in _by_name(fields(self.game_class)).items() if n in values}
        game = self.game_class(**values)
        validate_parameters(game)
        return game


def _by_name(found: Sequence[Field]) -> dict[str, Field]:
    return {f.name: f for f in found}


def converted(field: Field, value: Any) -> Any:
    """A parameter as the game wants it, from the word on the command line; a tuple is written as 1,2,3."""
    if not isinstance(value, str) or field.type is str:
        return value
    try:
        return field.type(value) if field.type in KINDS else tuple(int(word) for word in value.split(","))
    except ValueError:
        wanted = {int: "a whole number", float: "a number"}.get(field.type, "whole numbers separated by commas")
        raise ParameterError(f"{option(field.name)} must be {wanted}, not {value!r}") from None


def option(name: str) -> str:
    return "--" + name.replace("_", "-")


def help_of(field: Field) -> str:
    """The text of a parameter's option: what it means and what it may be."""
    allowed = describe(field.allowed) if field.allowed is not None else ""
    if field.type is bool:
        allowed = ""
    return ", ".join(filter(None, (field.doc, allowed)))


def find(word: str) -> Target:
    """What `word` stands for. Raises a `ZermeloError` of one line where it stands for nothing."""
    if word in COMMANDS:
        entry = COMMANDS[word]
        return Target(word, entry.game_class(), entry.preset)
    name, colon, class_name = word.rpartition(":")
    if colon and (name.endswith(".py") or Path(name).exists()):
        return Target(word, class_in(Path(name), class_name))
    if word.endswith(".py"):
        return Target(word, class_in(Path(word), ""))
    if Path(word).is_dir():
        raise FileError(f"{word} is a directory; a game is NAME or FILE.py:Class")
    if Path(word).is_file():
        return Target(word, saved=Path(word))
    raise ParameterError(unknown_game(word))


def unknown_game(word: str) -> str:
    from difflib import get_close_matches

    if "/" in word or word.count("."):
        return f"there is no file {word}"
    close = get_close_matches(word, COMMANDS, 3, 0.5)
    if word in PUZZLES:
        return f"{word} is no game but a puzzle: zermelo puzzle {word}"
    if word == "blackjack":
        return "blackjack has commands of its own: zermelo blackjack"
    by_class = [e.command for e in COMMANDS.values() if e.class_name.lower() == word.lower()]
    hint = f"did you mean {' or '.join(by_class or close)}?" if by_class or close else "`zermelo list` shows all games"
    return f"no game {word!r}; {hint} (a game of your own is FILE.py:Class)"


def class_in(path: Path, name: str) -> type:
    """The class of that name in a Python file; with no name the only game there."""
    module = load(path)
    games = {n: c for n, c in vars(module).items() if _is_game(c) and c.__module__ == module.__name__}
    if not name and len(games) == 1:
        return next(iter(games.values()))
    if name in games:
        return games[name]
    said = ", ".join(f"{path}:{n}" for n in games)
    found = getattr(module, name, None) if name else None
    if isinstance(found, type):
        if hasattr(found, "_fields") and found.__module__ == module.__name__ and not games:
            return found  # meant as a game, with methods missing: the rules' checker says which
        raise FileError(f"{path}: {name} is no game (a NamedTuple with the methods start and outcomes){_there(said)}")
    if not name:
        raise FileError(f"{path} has {'several games; give one:' if games else 'no game'}{' ' + said if games else ''}")
    raise FileError(f"{path} has no class {name!r}{_there(said)}")


def _there(said: str) -> str:
    return f"; there is {said}" if said else "; there is no game in it at all"


def _is_game(candidate: Any) -> bool:
    return (
        isinstance(candidate, type)
        and hasattr(candidate, "_fields")
        and (hasattr(candidate, "outcomes") or is_given_by_replies(candidate))
    )


def load(path: Path) -> ModuleType:
    """Import the user's file. Whatever goes wrong is said in one line, with the line of the file."""
    if path.is_dir():
        raise FileError(f"{path} is a directory, not a Python file")
    if not path.exists():
        raise FileError(f"there is no file {path}")
    name = module_name(path)
    spec = importlib.util.spec_from_file_location(name, path.resolve())
    if spec is None or spec.loader is None:
        raise FileError(f"{path} is not a Python file: its name must end in .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except ZermeloError:
        raise
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise FileError(f"{path} can't be read as Python: {_where(error, path)}") from None
    finally:
        sys.path.remove(str(path.resolve().parent))
    return module


def module_name(path: Path) -> str:
    """The name of the file, under which a saved solution finds it again; another one where a package has that name."""
    name = path.stem if path.stem.isidentifier() else "game"
    known = getattr(sys.modules.get(name), "__file__", None)
    is_taken = known != str(path.resolve()) if known else name in sys.modules or importlib.util.find_spec(name)
    return f"{name}_of_user" if is_taken else name


def _where(error: BaseException, path: Path) -> str:
    """The error in one line, with the last line of the user's file that it passed through."""
    if isinstance(error, SyntaxError):
        return f"line {error.lineno}: {error.msg}"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if Path(f.filename) == path.resolve()]
    text = f"{type(error).__name__}: {error}".splitlines()[0]
    return f"line {lines[-1]}: {text}" if lines else text
