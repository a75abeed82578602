"""A solved game, as users hold it: thin facades above the answers of engines and the verbs that use them.

base.py           what every solution reports: value, bounds, certificate, report
of_states.py      `Solution`: games with states
of_strategies.py  `MixedSolution`, `MatrixSolution`: matrix games
of_hidden.py      `HiddenSolution`: games whose players do not see everything
of_data.py        `DataSolution`: a stored solution without its rules
copies.py         copies and pickles of solutions

Opening and probing need no engine and no compiler: verbs that need one are imported when they are called.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.answers.data import DataAnswers
from zermelo.answers.hidden import HiddenAnswers
from zermelo.answers.known import Length
from zermelo.answers.mixed import MixedAnswers
from zermelo.basics.bounds import Certificate
from zermelo.matrix.plain import Matrix
from zermelo.solution.of_data import DataProbe, DataSolution
from zermelo.solution.of_hidden import HiddenSolution
from zermelo.solution.of_states import Solution
from zermelo.solution.of_strategies import MatrixSolution, MixedSolution
from zermelo.states.space import Space
from zermelo.uses.probe import Probe
from zermelo.uses.units import Chance


def solution_of(answers: Any) -> Any:
    """The facade for an answer."""
    if isinstance(answers, DataAnswers):
        return DataSolution(answers)
    if isinstance(answers, HiddenAnswers):
        return HiddenSolution(answers)
    if isinstance(answers, MixedAnswers):
        return MatrixSolution(answers) if isinstance(answers.game, Matrix) else MixedSolution(answers)
    return Solution(answers)


def open_solution(path: str | Path, game: Any = None, *, verify: bool | None = None) -> Any:
    """Open a stored solution: a `Solution`; a `MixedSolution` or `MatrixSolution` of a matrix game; a `HiddenSolution` of a game whose
    players do not see everything; or a `DataSolution` if the rules are not known.

    The arrays stay on disk and are read as they are needed; no solver is loaded. All data are verified at once if `verify` is true, and by
    default if there are up to 64 MiB. Each page of a larger file is verified when any of it is first read.
    game : the game or its class, `zermelo.open("mine.zermelo", MyGame)`; not needed for games of the catalogue, nor if the module of the
    game has already been imported. No other module is imported just because a file names it.
    Raises `FileError` for a damaged or foreign file, one of another version, or of other rules.
    """
    from zermelo.uses.files import opened  # imported here, as in `save`, so that solving starts without the file codecs

    return solution_of(opened(path, game, verify))


__all__ = [
    "Certificate",
    "Chance",
    "DataProbe",
    "DataSolution",
    "HiddenSolution",
    "Length",
    "MatrixSolution",
    "MixedSolution",
    "Probe",
    "Solution",
    "Space",
    "open_solution",
    "solution_of",
]
