"""Answers of games given by a matrix, on disk: the matrix and both strategies. Such a file needs no rules."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.errors import FileError
from zermelo.matrix.plain import Matrix
from zermelo.storage.contents import Arrays, Unfit, require
from zermelo.storage.fractions import Fractions
from zermelo.storage.game import written_by
from zermelo.storage.mixed import strategies_in, write_strategies
from zermelo.storage.report import report_of

KIND, ENGINE = "matrix", "matrix_game"


def save(answers: MixedAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically."""
    about = {**written_by(), "kind": KIND, "shape": list(answers.game.shape)}
    write_strategies(path, about, answers, [Fraction(payoff) for row in answers.game.payoffs for payoff in row])


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds a matrix and the strategies of both players."""
    require(header, "shape", "strategies", "certificate", "statistics")
    rows, columns = header["shape"]
    for side, count in zip(header["strategies"], (rows, columns), strict=True):
        if not side or not all(type(s) is int and 0 <= s < count for s in side) or len(set(side)) != len(side):
            raise Unfit("`strategies` in its header")
    arrays.fractions(2 + sum(map(len, header["strategies"])) + rows * columns)


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> MixedAnswers:
    """The answer that `save` wrote."""
    rows, columns = header["shape"]
    if game is not None:
        raise FileError(f"{path} holds the solution of a matrix of {rows} x {columns} payoffs, which has no rules: open it without a game")
    numbers = list(Fractions(arrays))
    split = len(numbers) - rows * columns
    certificate, row, column = strategies_in(header, numbers[:split])
    payoffs = [int(x) if x.denominator == 1 else x for x in numbers[split:]]
    matrix = Matrix(tuple(tuple(payoffs[i * columns : (i + 1) * columns]) for i in range(rows)))
    return MixedAnswers(matrix, row, column, certificate, report_of(header, ENGINE, lambda facts: ""))
