"""The game in the header of a file: enough to find it again and to detect that its rules have changed."""

from __future__ import annotations

import contextlib
import datetime
import importlib
import re
import shlex
import sys
from collections import namedtuple
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any

from zermelo.basics.numbers import Number
from zermelo.basics.values import call, restored
from zermelo.basics.words import game_text
from zermelo.errors import FileError, NoRules, ParameterError, RulesError
from zermelo.foreign.modules import WORDS, question_about
from zermelo.foreign.words import parted
from zermelo.language.parameters import game_with, restored_parameters, stored_parameters, validate_parameters
from zermelo.language.rules import lengths
from zermelo.language.rules_text import hash_of, rules_hash, rules_text
from zermelo.states.layout import Layout
from zermelo.version import __version__

GAMBIT = (".efg", ".nfg")  # how files of Gambit end
TRANSLATED = re.compile(r".*_[0-9a-f]{12}")  # modules that are no files: translations (foreign/modules.py)
CATALOGUE = re.compile(r"zermelo\.games(\.[a-z_]+)*")  # modules that a file may name and so import


def game_header(game: Any, layout: Layout) -> dict[str, Any]:
    """The part of a header about the game and the layout of its states."""
    return {**rules_header(game), **state_header(layout)}


def state_header(layout: Layout) -> dict[str, Any]:
    """The part of a header about the layout of the states."""
    return {
        "state": {
            "name": layout.state_class.__name__,
            "fields": list(layout.state_class._fields),
            "lengths": layout.lengths,
            **layout.described,
        }
    }


def written_by() -> dict[str, Any]:
    """The part of a header about the version that wrote the file, and the time of writing."""
    return {"zermelo": __version__, "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")}


def rules_header(game: Any) -> dict[str, Any]:
    """The part of a header about the game: enough to find it again and to detect that its rules have changed."""
    game_class, text = type(game), rules_text(game)
    return {
        **written_by(),
        "game": f"{game_class.__module__}:{game_class.__qualname__}",
        "name": game_class.__name__,
        "parameters": stored_parameters(game),
        "rules hash": hash_of(text),
        "rules": text,
        **model_header(game_class),
    }


def model_header(game_class: Any) -> dict[str, Any]:
    """The part of a header about the file that a game was read from, or the model that it was translated from, as a word that names it;
    empty for other games."""
    question = question_about(game_class)
    word = f"{question.model}:{question.text}" if question else WORDS.get(game_class)
    return {"model": word} if word and word.isprintable() else {}


def another_question(header: Mapping[str, Any], game_class: Any) -> str:
    """What a file answers, what was asked instead, and what to give, if its property is another one than that of a class; else ""."""
    question, word = question_about(game_class), header.get("model")
    stored = parted(word) if isinstance(word, str) and word.isprintable() else None
    if stored is None or not stored[1] or (question is None and game_class not in WORDS):
        return ""
    asked = "no property" if question is None else question.text
    return f"{stored[1]}, and {asked} was given: give {shlex.quote(str(word))}, or solve again" if asked != stored[1] else ""


def run_of(game: Any) -> dict[str, Any]:
    """The identity of a computation that another process may resume, which distinguishes it from others."""
    about = rules_header(game)
    return {name: about[name] for name in ("game", "name", "parameters", "rules hash")}


def game_of(path: str | Path, header: Mapping[str, Any], game: Any = None) -> Any:
    """The game of a file: `game` if it is given, as an instance or its class; otherwise the game with the stored name, if that is in the
    catalogue or already imported. No other module is imported just because a file names it. Raises `NoRules` if the game is not known, and
    `FileError` if its rules or parameters differ."""
    game_class: Any = game if isinstance(game, type) else _game_class(header) if game is None else type(game)
    if game_class is None:
        raise NoRules(without_rules(path, header))
    if not hasattr(game_class, "_fields"):
        raise FileError(f"{path} holds the solution of {_told(header)}, not of {game!r}")
    is_of = game_class.__name__ == header["name"] and set(game_class._fields) == set(header["parameters"])
    if not is_of and (game is None or isinstance(game, type)):
        name = game_class.__name__
        why = f"which does not fit {name}"
        if name == header["name"]:
            why = f"and {name} has {', '.join(game_class._fields) or 'nothing'} as parameters now: solve again"
        raise FileError(f"{path} holds the solution of {_told(header)}, {why}")
    try:
        parameters = restored_parameters(game_class, header["parameters"]) if is_of else {}
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise FileError(f"{path} holds the solution of {_told(header)}, whose parameters have changed ({error}): solve again") from None
    is_made = game is not None and not isinstance(game, type)
    if is_made and (not is_of or _plainly(dict(zip(game_class._fields, game, strict=True))) != _plainly(parameters)):
        raise FileError(f"{path} holds the solution of {_told(header)}, not of {game_text(game)}")
    try:
        if is_made:
            validate_parameters(game)
        else:
            game = game_with(game_class, parameters)
    except ParameterError as error:
        raise FileError(f"{path} holds the solution of a game that can't be: {error}") from None
    try:
        same = rules_hash(game) == header["rules hash"]
    except RulesError as error:
        raise FileError(f"{path}: the rules can't be compared: {error.faults[0]}") from None
    if not same:
        if other := another_question(header, type(game)):
            raise FileError(f"{path} answers {other}")
        raise FileError(f"{path} was solved under other rules; those of {header['name']} have changed: solve again")
    return game


def _told(header: Mapping[str, Any]) -> str:
    """The game of a file as a Python expression."""
    return call(header["name"], parameters_told(header))


def parameters_told(header: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters of a file whose rules are not known: members of an Enum are shown as words. Raises `ValueError`."""
    return {name: restored(value) for name, value in header["parameters"].items()}


def _plainly(value: Any) -> Any:
    """A value in which lists, as which older versions restored no parameter, equal tuples."""
    if isinstance(value, dict):
        return {name: _plainly(item) for name, item in value.items()}
    return tuple(map(_plainly, value)) if isinstance(value, tuple | list) else value


def without_rules(path: str | Path, header: Mapping[str, Any]) -> str:
    """One line that says how to provide the rules."""
    module, _, name = header["game"].partition(":")
    if CATALOGUE.fullmatch(module):
        return f"{path} holds a solution of {name} as another version of Zermelo had it, whose rules are not here: solve again"
    file = "FILE" if module == "__main__" else module.rpartition(".")[2].removesuffix("_of_user")
    word = header.get("model")
    not_given = f"{path} holds a solution of {name}, whose rules were not given: zermelo.open({str(path)!r}, "
    if word and word.endswith(GAMBIT):
        return f"{not_given}zermelo.from_gambit({word!r})), or --rules {shlex.quote(word)} on the command line"
    if not word and TRANSLATED.fullmatch(module):
        return f"{not_given}GAME), with the game that was read"
    if word:
        return (
            f"{path} holds a solution of the game {name} that a model was translated to, whose value need not be the answer to its "
            f"property: --rules {shlex.quote(word)} on the command line"
        )
    return f"{not_given}{name}), or --rules {file}.py:{name} on the command line"


def _game_class(header: Mapping[str, Any]) -> Any:
    """The class of this name in the catalogue or in a module that is already imported; None if there is none."""
    module, _, name = header["game"].partition(":")
    found: Any = sys.modules.get(module)
    if found is None and CATALOGUE.fullmatch(module):
        with contextlib.suppress(ImportError):
            found = importlib.import_module(module)
    for part in name.split("."):
        found = vars(found).get(part) if isinstance(found, ModuleType | type) else None
    is_game = isinstance(found, type) and issubclass(found, tuple) and set(getattr(found, "_fields", ())) == set(header["parameters"])
    return found if is_game else None


def start_header(answers: Any) -> dict[str, Any]:
    """The part of a header about the start, so that its value is known without the rules."""
    rules = answers.rules
    known = answers.known(rules.start)
    values = [f"{v.numerator:x}/{v.denominator:x}" if isinstance(v, Fraction) else float(v) for v in known.values]
    state = [[int(x) for x in value] if isinstance(value, tuple) else int(value) for value in rules.start]  # truth values are numbers
    return {"start": {"state": state, "payoffs": list(rules.payoffs), "values": values, "errors": list(known.errors)}}


def number_in(value: Any) -> Number:
    """A value in a header: a float, or a fraction in hexadecimal digits, the number of which no version of Python limits."""
    return Fraction(*(int(part, 16) for part in value.split("/"))) if isinstance(value, str) else float(value)


def layout_of(path: str | Path, header: Mapping[str, Any], game: Any) -> Layout:
    """The layout of the states of a file. Raises `FileError` if the game's states have other fields."""
    start, stored = game.start(), header["state"]
    state_class = type(start)
    fits = lengths(start) == tuple(stored["lengths"]) and state_class.__name__ == stored["name"]
    if not fits or list(state_class._fields) != stored["fields"]:
        raise FileError(f"{path} was solved with states {stored['name']}({', '.join(stored['fields'])}); solve again")
    return layout_in(header, state_class)


def layout_in(header: Mapping[str, Any], state_class: Any = None) -> Layout:
    """The layout in a header, by default of plain named tuples."""
    stored = header["state"]
    state_class = state_class or namedtuple(stored["name"], stored["fields"])
    return Layout(state_class, tuple(stored["lengths"]), tuple(stored["low"]), tuple(stored["bits"]), tuple(stored.get("words", ())))


def tuples(value: Any) -> Any:
    """The tuples of a state or a strategy, for which JSON has lists."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value
