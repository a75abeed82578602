"""The game in the header of a file: enough to find it again, and to notice that its rules have changed."""

from __future__ import annotations

import datetime
import importlib
import json
import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zermelo.errors import FileError, RulesError
from zermelo.language.source import rules_hash, rules_text
from zermelo.states.layout import Layout
from zermelo.version import __version__


def game_header(game: Any, layout: Layout) -> dict[str, Any]:
    """The part of a header about the game and the layout of its states."""
    return {
        **rules_header(game),
        "state": {
            "name": layout.state_class.__name__,
            "fields": list(layout.state_class._fields),
            "lengths": layout.lengths,
            "low": layout.low,
            "bits": layout.bits,
        },
    }


def rules_header(game: Any) -> dict[str, Any]:
    """The part of a header about the game: enough to find it again, and to notice that its rules have changed."""
    game_class = type(game)
    return {
        "zermelo": __version__,
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "game": f"{game_class.__module__}:{game_class.__qualname__}",
        "name": game_class.__name__,
        "parameters": dict(zip(game_class._fields, game, strict=True)),
        "rules hash": rules_hash(game),
        "rules": rules_text(game),
    }


def game_of(path: str | Path, header: Mapping[str, Any], game: Any = None) -> Any:
    """The game of a file: `game` if it is given, else imported by its name. Raises `FileError` if its rules or parameters differ."""
    if game is None:
        game = _game_class(path, header)(**{n: tuples(v) for n, v in header["parameters"].items()})
    parameters = json.loads(json.dumps(dict(zip(type(game)._fields, game, strict=True))))
    if type(game).__name__ != header["name"] or parameters != header["parameters"]:
        wanted = ", ".join(f"{n}={tuples(v)!r}" for n, v in header["parameters"].items())
        raise FileError(f"{path} holds the solution of {header['name']}({wanted}), not of {game!r}")
    try:
        same = rules_hash(game) == header["rules hash"]
    except RulesError as error:
        raise FileError(f"{path}: the rules can't be compared: {error.faults[0]}") from None
    if not same:
        raise FileError(f"{path} was solved under other rules; those of {header['name']} have changed: solve again")
    return game


def _game_class(path: str | Path, header: Mapping[str, Any]) -> Any:
    module, _, name = header["game"].partition(":")
    try:
        found = operator.attrgetter(name)(importlib.import_module(module))
    except Exception:  # whatever the user's module raises, the way out is the same
        found = None
    if not hasattr(found, "_fields") or set(found._fields) != set(header["parameters"]):
        raise FileError(f"{path} holds a solution of {header['game']}, which can't be imported: pass the game, as in "
                        f"zermelo.open(path, game={header['name']}(...))")  # fmt: skip
    return found


def layout_of(path: str | Path, header: Mapping[str, Any], game: Any) -> Layout:
    """The layout of the states of a file. Raises `FileError` if the game's states have other fields."""
    state_class, stored = type(game.start()), header["state"]
    if state_class.__name__ != stored["name"] or list(state_class._fields) != stored["fields"]:
        raise FileError(f"{path} was solved with states {stored['name']}({', '.join(stored['fields'])}); solve again")
    return Layout(state_class, tuple(stored["lengths"]), tuple(stored["low"]), tuple(stored["bits"]))


def tuples(value: Any) -> Any:
    """JSON has lists where parameters have tuples."""
    return tuple(map(tuples, value)) if isinstance(value, list) else value
