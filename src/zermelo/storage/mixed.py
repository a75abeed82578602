"""Answers of games given by best responses, on disk: strategies as JSON, probabilities as exact fractions.

A strategy is stored as a parameter is (basics/values.py): with its type, where JSON has none for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.data import DataAnswers
from zermelo.answers.known import StateFacts
from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.bounds import Certificate
from zermelo.basics.values import LOADS, restored, stored
from zermelo.errors import FileError
from zermelo.language.parameters import classes_of
from zermelo.storage.contents import GAME, Arrays, Unfit, require
from zermelo.storage.data import data_of
from zermelo.storage.file import write
from zermelo.storage.fractions import Fractions, encode_fractions
from zermelo.storage.game import game_of, rules_header
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "hidden choice", "replies"


def save(answers: MixedAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically. Raises `FileError` for strategies that can't be stored."""
    write_strategies(path, {**rules_header(answers.game), "kind": KIND}, answers)


def write_strategies(path: str | Path, about: Mapping[str, Any], answers: MixedAnswers, more: Sequence[Fraction] = ()) -> None:
    """Write the value, the strategies and the report, after a header with `about`, and `more` numbers."""
    sides = [answers.row, answers.column, *(answers.represented or ())]
    for strategy in (s for side in sides for s in side):
        try:
            is_kept = restored(stored(strategy), classes_of(type(answers.game))) == strategy
        except ValueError:  # a type that no file holds, or a class that is not found again
            is_kept = False
        if not is_kept:
            raise FileError(f"{path}: the strategy {strategy!r} can't be stored: files hold {LOADS}, of classes at the top of a module")
    numbers = [answers.low, answers.high, *(share for side in sides for share in side.values()), *more]
    header = {
        **about,
        "strategies": [list(map(stored, side)) for side in sides[:2]],
        **({"represented": [list(map(stored, side)) for side in sides[2:]]} if sides[2:] else {}),
        "certificate": [answers.certificate.kind, answers.certificate.argument],
        **report_header(answers.report),
    }
    write(path, header, encode_fractions(numbers))


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds the strategies of both players."""
    require(header, *GAME, "strategies", "certificate", "statistics")
    sides = [*header["strategies"], *header.get("represented", [])]
    if not all(sides):
        raise Unfit("`strategies` in its header")
    arrays.fractions(2 + sum(map(len, sides)))


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> MixedAnswers:
    """The answer that `save` wrote."""
    game = game_of(path, header, game)
    numbers, classes = list(Fractions(arrays)), classes_of(type(game))
    try:
        certificate, row, column = strategies_in(header, numbers, classes)
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise FileError(f"{path} holds strategies whose classes have changed ({error}): solve again") from None
    known = header.get("represented")
    represented = _shares(known, numbers[2 + len(row) + len(column) :], classes) if known else None
    report = report_of(
        header, ENGINE, lambda facts: f"{facts['rows']:,} rows and {facts['columns']:,} columns found in {facts['rounds']:,} rounds"
    )
    return MixedAnswers(game, row, column, certificate, report, represented)


def strategies_in(
    header: Mapping[str, Any], numbers: Sequence[Fraction], classes: Mapping[str, type] | None = None
) -> tuple[Certificate, dict[Any, Fraction], dict[Any, Fraction]]:
    """The certificate and the probabilities of the strategies of both players, which are made of these classes (None: not known)."""
    kind, argument = header["certificate"]
    row, column = _shares(header["strategies"], numbers[2:], classes)
    return Certificate(kind, Fraction(numbers[0]), Fraction(numbers[1]), argument), row, column


def _shares(
    strategies: Sequence[Any], numbers: Sequence[Fraction], classes: Mapping[str, type] | None
) -> tuple[dict[Any, Fraction], dict[Any, Fraction]]:
    """The probabilities of the strategies of both players, with which these numbers begin."""
    row, column = ([restored(s, classes) for s in side] for side in strategies)
    return dict(zip(row, numbers, strict=False)), dict(zip(column, numbers[len(row) :], strict=False))


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    certificate, row, column = strategies_in(header, list(Fractions(arrays)))
    value = (certificate.low + certificate.high) / 2
    error = float(certificate.high - certificate.low) / 2
    found = data_of(path, header, ENGINE, strategies=(row, column), is_exact=not error)
    found.argument, found.at_start = certificate.argument, StateFacts((value,), (error,))
    return found
