"""Solutions of games of hidden choice on disk: strategies as JSON, probabilities as exact fractions.

A strategy is stored if it is a number, a text, or a tuple of such, nested as one likes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import FileError
from zermelo.solution import Certificate
from zermelo.storage.store import Fractions, encode_fractions, game_of, rules_header, tuples, write

if TYPE_CHECKING:
    from zermelo.answers.mixed import MixedSolution

KIND = "hidden choice"


def save(solution: MixedSolution, path: str | Path) -> None:
    """Write a solution to one file, atomically. Raises `FileError` for strategies that can't be stored."""
    sides = (solution.row, solution.column)
    for strategy in (s for side in sides for s in side):
        if tuples(json.loads(json.dumps(strategy, default=str))) != strategy:
            raise FileError(
                f"{path}: the strategy {strategy!r} can't be stored: it must be a number, a text or a tuple of these"
            )
    header = {
        **rules_header(solution.game),
        "kind": KIND,
        "strategies": [list(side) for side in sides],
        "certificate": [solution.certificate.kind, solution.certificate.argument],
        "statistics": dict(solution.statistics),
    }
    write(path, header, encode_fractions([solution.low, solution.high, *sides[0].values(), *sides[1].values()]))


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> MixedSolution:
    """The solution that `save` wrote."""
    from zermelo.answers.mixed import MixedSolution

    game = game_of(path, header, game)
    numbers = list(Fractions(arrays))
    row, column = ([tuples(s) for s in side] for side in header["strategies"])
    low, high, first = numbers[0], numbers[1], numbers[2 : 2 + len(row)]
    kind, argument = header["certificate"]
    return MixedSolution(
        game,
        dict(zip(row, first, strict=True)),
        dict(zip(column, numbers[2 + len(row) :], strict=True)),
        Certificate(kind, Fraction(low), Fraction(high), argument),
        header["statistics"],
    )
