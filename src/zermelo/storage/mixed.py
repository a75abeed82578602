"""Answers of matrix games given by best responses, on disk: strategies as JSON, probabilities as exact fractions.

A strategy is stored if it is a number, a text, or a tuple of such, nested as one likes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.bounds import Certificate
from zermelo.errors import FileError
from zermelo.storage.file import write
from zermelo.storage.fractions import Fractions, encode_fractions
from zermelo.storage.game import game_of, rules_header, tuples
from zermelo.storage.report import report_header, report_of

KIND = "hidden choice"


def save(answers: MixedAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically. Raises `FileError` for strategies that can't be stored."""
    sides = (answers.row, answers.column)
    for strategy in (s for side in sides for s in side):
        if tuples(json.loads(json.dumps(strategy, default=str))) != strategy:
            raise FileError(
                f"{path}: the strategy {strategy!r} can't be stored: it must be a number, a text or a tuple of these"
            )
    header = {
        **rules_header(answers.game),
        "kind": KIND,
        "strategies": [list(side) for side in sides],
        "certificate": [answers.certificate.kind, answers.certificate.argument],
        **report_header(answers.report),
    }
    write(path, header, encode_fractions([answers.low, answers.high, *sides[0].values(), *sides[1].values()]))


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> MixedAnswers:
    """The answer that `save` wrote."""
    game = game_of(path, header, game)
    certificate, row, column = strategies_in(header, Fractions(arrays))
    report = report_of(header, "replies", lambda facts: f"{facts['rows']:,} rows and {facts['columns']:,} columns")
    return MixedAnswers(game, row, column, certificate, report)


def strategies_in(header: Mapping[str, Any], fractions: Fractions) -> tuple[Certificate, dict[Any, Fraction], dict[Any, Fraction]]:
    """The certificate and the probabilities of the strategies of both players."""
    numbers = list(fractions)
    row, column = ([tuples(s) for s in side] for side in header["strategies"])
    low, high, first = numbers[0], numbers[1], numbers[2 : 2 + len(row)]
    kind, argument = header["certificate"]
    return (
        Certificate(kind, Fraction(low), Fraction(high), argument),
        dict(zip(row, first, strict=True)),
        dict(zip(column, numbers[2 + len(row) :], strict=True)),
    )
