"""`zermelo.open`: a solution from a file. Needs no engine and no compiler."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.errors import ParameterError
from zermelo.solution import solution_of


def open_solution(path: str | Path, game: Any = None, *, verify: bool | None = None) -> Any:
    """Open a stored solution: a `Solution`; a `MixedSolution` or `MatrixSolution` of a matrix game; a `HiddenSolution` of a game whose
    players do not see everything; or a `DataSolution` if the rules are not known.

    The arrays stay on disk and are read as they are needed; no solver is loaded. All data are verified at once if `verify` is true, and by
    default if there are up to 64 MiB. Each page of a larger file is verified when any of it is first read.
    game : the game or its class, `zermelo.open("mine.zermelo", MyGame)`, or "FILE.py:Class"; not needed for games of the catalogue, nor if
    the module of the game has already been imported. No other module is imported just because a file names it.
    Raises `FileError` for a damaged or foreign file, one of another version, or of other rules.
    """
    from zermelo.uses.files import opened  # imported here, as in `save`, so that solving starts without the file codecs

    return solution_of(opened(path, _class_named(game) if isinstance(game, str) else game, verify))


def _class_named(word: str) -> Any:
    """The class of the game that a word names. Raises `ParameterError` or `FileError`."""
    from zermelo.games.named import find  # only where it is asked

    game_class = find(word).game_class
    if game_class is None:
        raise ParameterError(f"the rules of a solution are named as FILE.py:Class, and {word} is a saved solution")
    return game_class
