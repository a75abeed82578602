"""Matrix games: `matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])`.

The matrix is read and checked here; equilibrium.py solves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.basics.bounds import Certificate
from zermelo.errors import ParameterError
from zermelo.matrix.equilibrium import equilibrium
from zermelo.matrix.numbers import Exact, rational


class MatrixSolution(NamedTuple):
    """The value of a matrix game and an optimal mixed strategy for each player (there may be others), all exact."""

    value: Fraction  # what the row player gets on average
    row: tuple[Fraction, ...]  # probability of each row
    column: tuple[Fraction, ...]  # probability of each column
    certificate: Certificate

    @property
    def low(self) -> Fraction:
        return self.value

    @property
    def high(self) -> Fraction:
        return self.value


def matrix_game(payoff: Sequence[Sequence[Any]]) -> MatrixSolution:
    """Solve a zero-sum matrix game: `payoff[i][j]` is what the row player, who maximises, gets from the column player.

    `payoff` is a list of lists, an array or a data frame's `.values`. Payoffs are whole numbers, Fractions or floats; a float of
    at most 12 digits is read as the decimal that it is written as, another one as its binary value. The value and both
    strategies are rational, and proven: no row is better than the value against `column`, no column against `row`.
    Raises `ParameterError` for matrices that are empty or ragged, or that hold anything but finite numbers.
    """
    exact = _read(payoff)
    found = equilibrium(exact)
    rows, columns = len(exact), len(exact[0])
    p = tuple(found.p.get(i, Fraction(0)) for i in range(rows))
    q = tuple(found.q.get(j, Fraction(0)) for j in range(columns))
    repaired = f" after {found.pivots} exact pivots" if found.pivots else ""
    argument = (
        f"proof: in whole numbers, none of {rows:,} rows gets more than the value against the column strategy, and none of "
        f"{columns:,} columns gives less against the row strategy{repaired}"
    )
    return MatrixSolution(found.value, p, q, Certificate("proof", found.value, found.value, argument))


def _read(payoff: Any) -> list[list[Exact]]:
    """The payoffs as rationals, row by row; `ParameterError` that says what is wrong with them."""
    if isinstance(payoff, str | bytes) or not isinstance(payoff, Iterable):
        raise ParameterError(f"a matrix is a list of rows, each a list of payoffs, not {payoff!r}")
    rows: list[list[Any]] = []
    for i, row in enumerate(payoff, 1):
        if isinstance(row, str | bytes) or not isinstance(row, Iterable):
            raise ParameterError(f"row {i} of the matrix is {row!r}: each row is a list of payoffs")
        rows.append(list(row))
    if not rows or not rows[0]:
        raise ParameterError("the matrix is empty: each player needs a strategy at least")
    for i, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise ParameterError(f"the matrix is ragged: row 1 has {len(rows[0])} payoffs, row {i} has {len(row)}")
    return [
        [rational(a, f"the payoff in row {i}, column {j}") for j, a in enumerate(row, 1)]
        for i, row in enumerate(rows, 1)
    ]
