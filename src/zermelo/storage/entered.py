"""Answers that store entry states only, on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.language.rules import Rules
from zermelo.storage.file import write
from zermelo.storage.game import game_header, game_of, layout_of, start_header
from zermelo.storage.report import report_header, report_of

KIND = "entries of stages"


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
        header["argument"], report_of(header, "entries", lambda facts: f"{facts['states']:,} states"), solve_stage,
    )  # fmt: skip
