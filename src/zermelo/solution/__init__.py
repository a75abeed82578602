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
    "solution_of",
]
