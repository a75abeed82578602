"""A matrix game whose matrix is given: no search is needed, as all strategies are known."""

from __future__ import annotations

from typing import Any

from zermelo.answers.mixed import MixedAnswers
from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.stopwatch import Stopwatch
from zermelo.matrix import exact, master  # noqa: F401  # loaded here, so that it does not count as solving
from zermelo.matrix.equilibrium import equilibrium
from zermelo.matrix.plain import Matrix


def solve_matrix(payoff: Any) -> MixedAnswers:
    """The value and both mixed strategies, proven; any of the optimal ones if there are several. Raises `ParameterError` for anything that
    is not a matrix."""
    with Stopwatch() as solving:
        matrix = Matrix.of(payoff)
        found = equilibrium(matrix.payoffs)
    rows, columns = matrix.shape
    repaired = f" after {found.pivots} exact pivots" if found.pivots else ""
    argument = (
        f"proof: in whole numbers, none of {rows:,} rows gets more than the value against the column strategy, and none of "
        f"{columns:,} columns gives less against the row strategy{repaired}"
    )
    facts = {"rows": rows, "columns": columns, "pivots": found.pivots}
    seconds = {"compiling": solving.compiling, "solving": solving.seconds}
    report = Report("matrix_game", "", f"{rows:,} rows and {columns:,} columns", facts, seconds)
    return MixedAnswers(matrix, found.p, found.q, Certificate("proof", found.value, found.value, argument), report)
