"""Answers of matrix games on disk: strategies as JSON, probabilities as exact fractions; and the matrix, if the game was given by one.

A strategy is stored if it is a number, a text, or a tuple of such, nested as one likes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.bounds import Certificate
from zermelo.errors import FileError
from zermelo.matrix.plain import Matrix
from zermelo.storage.file import write
from zermelo.storage.fractions import Fractions, encode_fractions
from zermelo.storage.game import game_of, rules_header, tuples, written_by
from zermelo.storage.report import report_header, report_of

KIND, ONE_MATRIX = "hidden choice", "matrix"


def save(answers: MixedAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically. Raises `FileError` for strategies that can't be stored."""
    sides = (answers.row, answers.column)
    for strategy in (s for side in sides for s in side):
        if tuples(json.loads(json.dumps(strategy, default=str))) != strategy:
            raise FileError(
                f"{path}: the strategy {strategy!r} can't be stored: it must be a number, a text or a tuple of these"
            )
    numbers = [answers.low, answers.high, *sides[0].values(), *sides[1].values()]
    if isinstance(answers.game, Matrix):
        about = {**written_by(), "kind": ONE_MATRIX, "shape": list(answers.game.shape)}
        numbers += [Fraction(payoff) for row in answers.game.payoffs for payoff in row]
    else:
        about = {**rules_header(answers.game), "kind": KIND}
    header = {
        **about,
        "strategies": [list(side) for side in sides],
        "certificate": [answers.certificate.kind, answers.certificate.argument],
        **report_header(answers.report),
    }
    write(path, header, encode_fractions(numbers))


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> MixedAnswers:
    """The answer that `save` wrote."""
    game = game_of(path, header, game)
    certificate, row, column = strategies_in(header, list(Fractions(arrays)))
    report = report_of(
        header, "replies", lambda facts: f"{facts['rows']:,} rows and {facts['columns']:,} columns found in {facts['rounds']:,} rounds"
    )
    return MixedAnswers(game, row, column, certificate, report)


def opened_matrix(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> MixedAnswers:
    """The answer that `save` wrote of a matrix, which needs no rules."""
    rows, columns = header["shape"]
    if game is not None:
        raise FileError(f"{path} holds the solution of a matrix of {rows} x {columns} payoffs, which has no rules: open it without a game")
    numbers = list(Fractions(arrays))
    split = len(numbers) - rows * columns
    certificate, row, column = strategies_in(header, numbers[:split])
    payoffs = [int(x) if x.denominator == 1 else x for x in numbers[split:]]
    matrix = Matrix(tuple(tuple(payoffs[i * columns : (i + 1) * columns]) for i in range(rows)))
    return MixedAnswers(matrix, row, column, certificate, report_of(header, "matrix_game", lambda facts: ""))


def strategies_in(header: Mapping[str, Any], numbers: Sequence[Fraction]) -> tuple[Certificate, dict[Any, Fraction], dict[Any, Fraction]]:
    """The certificate and the probabilities of the strategies of both players."""
    row, column = ([tuples(s) for s in side] for side in header["strategies"])
    low, high, first = numbers[0], numbers[1], numbers[2 : 2 + len(row)]
    kind, argument = header["certificate"]
    return (
        Certificate(kind, Fraction(low), Fraction(high), argument),
        dict(zip(row, first, strict=True)),
        dict(zip(column, numbers[2 + len(row) :], strict=True)),
    )
