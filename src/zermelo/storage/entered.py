"""Answers that store entry states only, on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.data import DataAnswers, Stored
from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.basics.words import counted
from zermelo.language.rules import Rules
from zermelo.storage.contents import FLOATS, GAME, WHOLES, Arrays, Unfit, require
from zermelo.storage.data import states_of
from zermelo.storage.file import write
from zermelo.storage.game import game_header, game_of, layout_of, start_header
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "entries of stages", "entries"


def save(answers: EnteredAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically."""
    header = {
        **game_header(answers.rules.game, answers.layout),
        **start_header(answers),
        "kind": KIND,
        "argument": answers.argument,
        **report_header(answers.report),
    }
    a = answers
    write(path, header, {"keys": a.keys, "stages": a.stages, "first": a.first, "values": a.value, "errors": a.error})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds entry states."""
    require(header, *GAME, "state", "argument", "statistics")
    require(header["statistics"], "states")
    (n,) = arrays.shape("keys", WHOLES, None)
    if "words" in header["state"]:
        raise Unfit("keys of several words")
    (stages,) = arrays.shape("stages", WHOLES, None)
    arrays.shape("first", WHOLES, stages + 1)
    payoffs = arrays.shape("values", FLOATS, n, None)[1]
    arrays.shape("errors", FLOATS, n, payoffs)


def opened(
    path: str | Path,
    header: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    game: Any,
    solve_stage: Callable[[EnteredAnswers, int, int], StageStates],
) -> EnteredAnswers:
    """The answer that `save` wrote."""
    rules = Rules(game_of(path, header, game))
    return EnteredAnswers(
        rules, layout_of(path, header, rules.game), arrays["keys"], arrays["stages"], arrays["first"], arrays["values"], arrays["errors"],
        header["argument"], report_of(header, ENGINE, lambda facts: counted(facts["states"], "state")), solve_stage,
    )  # fmt: skip


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    found = states_of(path, header, arrays, ENGINE)
    found.stored = Stored(arrays["keys"], arrays["values"], arrays["errors"], None, None, None)
    return found
