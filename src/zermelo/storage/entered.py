"""Answers that store entry states only, on disk. Where all states are few, they are in the file as well, as the general engine finds them:
the bridge of the opened answer (uses/need.py), which solves nothing again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.data import DataAnswers, Stored
from zermelo.answers.entered import EnteredAnswers, StageStates
from zermelo.answers.stored import StoredAnswers
from zermelo.basics.words import counted
from zermelo.language.rules import Rules
from zermelo.storage import stored
from zermelo.storage.contents import FLOATS, GAME, WHOLES, Arrays, Unfit, require
from zermelo.storage.data import states_of
from zermelo.storage.file import write
from zermelo.storage.game import game_header, game_of, layout_of, start_header
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "entries of stages", "entries"


EACH = "all states"  # the part of the header about the bridge; the names of its arrays begin with it


def save(answers: EnteredAnswers, path: str | Path, bridge: StoredAnswers | None) -> None:
    """Write an answer, and its bridge if all states are few, to one file, atomically."""
    header = {
        **game_header(answers.rules.game, answers.layout),
        **start_header(answers),
        "kind": KIND,
        "argument": answers.argument,
        **report_header(answers.report),
        **({EACH: stored.header_of(bridge)} if bridge else {}),
    }
    a, more = answers, stored.arrays_of(bridge) if bridge else {}
    arrays = {"keys": a.keys, "stages": a.stages, "first": a.first, "values": a.value, "errors": a.error}
    write(path, header, {**arrays, **{f"{EACH} {name}": array for name, array in more.items()}})


def _of_bridge(header: Mapping[str, Any], arrays: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the arrays of the bridge, as of a file of its own."""
    prefix = f"{EACH} "
    return {**header, **header[EACH]}, {n.removeprefix(prefix): array for n, array in arrays.items() if n.startswith(prefix)}


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
    if EACH in header:
        of_bridge, its_arrays = _of_bridge(header, arrays.arrays)
        stored.check(of_bridge, Arrays(its_arrays))


def opened(
    path: str | Path,
    header: Mapping[str, Any],
    arrays: Mapping[str, np.ndarray],
    game: Any,
    solve_stage: Callable[[EnteredAnswers, int, int], StageStates],
) -> EnteredAnswers:
    """The answer that `save` wrote."""
    rules = Rules(game_of(path, header, game))
    bridge = stored.opened(path, *_of_bridge(header, arrays), rules.game) if EACH in header else None
    return EnteredAnswers(
        rules, layout_of(path, header, rules.game), arrays["keys"], arrays["stages"], arrays["first"], arrays["values"], arrays["errors"],
        header["argument"], report_of(header, ENGINE, lambda facts: counted(facts["states"], "state")), solve_stage, bridge,
    )  # fmt: skip


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    found = states_of(path, header, arrays, ENGINE)
    if EACH in header:
        each = stored.as_data(path, *_of_bridge(header, arrays))
        found.layout, found.stored = each.layout, each.stored
    else:
        found.stored = Stored(arrays["keys"], arrays["values"], arrays["errors"], None, None, None)
    return found
