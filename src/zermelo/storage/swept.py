"""A solved urn on disk: the result of the urn sweep, and everything it needs to continue. So a solution is also a checkpoint, and a
finished checkpoint that names its game is a solution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.data import DataAnswers
from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.answers.swept import Cone, UrnAnswers, UrnSweep, urn_report
from zermelo.errors import FileError
from zermelo.kernels.urn_places import CARRIED, CELLS, STAGE
from zermelo.language.rules import Rules
from zermelo.storage.contents import FLOATS, GAME, WHOLES, Arrays, Unfit, require
from zermelo.storage.file import write
from zermelo.storage.fractions import decode_fractions, encode_fractions
from zermelo.storage.game import game_of, parameters_told, rules_header, without_rules
from zermelo.storage.report import report_header, report_of

KIND = "sweep of an urn"
GOING_ON = ("window", "carried", "at", "curve")  # the data that the sweep needs to resume


def run_of(plus: int, minus: int, deviations: float, kept: int) -> dict[str, Any]:
    """The part of a checkpoint's header that identifies the sweep: a checkpoint with another one is refused."""
    return {
        "balls that pay 1": plus,
        "balls that cost 1": minus,
        "width of the window": deviations,
        "values kept": kept,
        "numbers carried": CARRIED,
    }


def save(answers: UrnAnswers, path: str | Path) -> None:
    """Write an answer to one file, atomically; `solve(game, checkpoint=path)` also finds it there."""
    swept = answers.swept
    run = run_of(swept.plus, swept.minus, swept.deviations, 0)
    header = {
        "kind": KIND, "run": run, "seconds": answers.report.seconds.get("solving", 0.0), **rules_header(answers.rules.game),
        **report_header(answers.report),
    }  # fmt: skip
    exact = {} if answers.exact is None else encode_fractions([answers.exact])
    write(path, header, {
        **swept.going_on, "tiles": swept.tiles, "highest": swept.highest, "reach": swept.reach, "kept": swept.kept, **exact,
    })


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds a sweep."""
    require(header, "run", "seconds")
    require(header["run"], "balls that pay 1", "balls that cost 1", "width of the window")
    plus, minus = header["run"]["balls that pay 1"], header["run"]["balls that cost 1"]
    if not all(type(n) is int and n >= 0 for n in (plus, minus)):
        raise Unfit("`run` in its header")
    if "game" in header:
        require(header, *GAME)
    arrays.shape("window", FLOATS, None)
    arrays.shape("carried", WHOLES, CARRIED)
    (tiles,) = arrays.shape("highest", FLOATS, None)
    arrays.shape("tiles", WHOLES, tiles, 4)
    arrays.shape("reach", WHOLES, None)
    arrays.shape("curve", FLOATS, *arrays.shape("at", WHOLES, None))
    arrays.shape("kept", FLOATS, None)
    if "numerators" in arrays:
        arrays.fractions(1)


def is_finished(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bool:
    """Whether a checkpoint names its game and has been swept to the end."""
    balls = header["run"]["balls that pay 1"] + header["run"]["balls that cost 1"]
    return "game" in header and int(arrays["carried"][STAGE]) == balls


def opened(
    path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any, sweep_from: Callable[..., UrnSweep],
) -> UrnAnswers:  # fmt: skip
    """The answer in the file of a finished urn sweep; `sweep_from` runs a sweep for urns whose values the file does not contain."""
    sweep, exact, report = sweep_in(path, header, arrays)
    return UrnAnswers(Rules(game_of(path, header, game)), sweep, report, sweep_from, exact)


def sweep_in(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> tuple[UrnSweep, Fraction | None, Report]:
    """The finished sweep in a file, the exact value if it is stored, and the report."""
    if not is_finished(header, arrays):
        raise FileError(f"{path} is a checkpoint ({KIND}), not a solution: solve the game with it as checkpoint")
    run = header["run"]
    swept = UrnSweep(
        run["balls that pay 1"], run["balls that cost 1"], run["width of the window"], arrays["tiles"], arrays["highest"],
        arrays["reach"], arrays["kept"], {name: arrays[name] for name in GOING_ON},
    )  # fmt: skip
    exact = decode_fractions(arrays)[0] if "numerators" in arrays else None
    if "statistics" in header:
        report = report_of(header, "urn", lambda facts: f"{facts['stages']:,} stages")
    else:  # a checkpoint
        report = urn_report(swept, int(arrays["carried"][CELLS]), {"solving": float(header["seconds"])})
    return swept, exact, report


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    sweep, exact, report = sweep_in(path, header, arrays)
    cone = Cone(sweep)
    value, error = cone.value(sweep.plus, sweep.minus), cone.error(sweep.plus, sweep.minus)
    known = StateFacts((value,), (error,)) if exact is None else StateFacts((exact,), (0.0,))
    return DataAnswers(
        header["name"], parameters_told(header), header["rules"], without_rules(path, header),
        "an urn sweep", report, ("payoff",), is_exact=exact is not None, at_start=known,
    )  # fmt: skip
