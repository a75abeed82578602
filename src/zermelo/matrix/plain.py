"""A matrix game as given by users: a list of rows, each a list of payoffs. Read and checked here; equilibrium.py solves it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import ParameterError
from zermelo.matrix.mixture import probabilities
from zermelo.matrix.numbers import Exact, rational

if TYPE_CHECKING:
    from fractions import Fraction


@dataclass(frozen=True)
class Matrix:
    """A zero-sum matrix game: `payoffs[i][j]` is what the row player, who maximises, gets from the column player. Strategies are numbers of
    rows and of columns, from 0."""

    payoffs: tuple[tuple[Exact, ...], ...]

    @staticmethod
    def of(payoff: Any) -> Matrix:
        """The game of a list of lists, an array or a data frame's `.values`. Payoffs are whole numbers, Fractions or floats; a float of at
        most 12 digits is read as the decimal it is written as, any other float as its binary value.

        Raises `ParameterError`, which names the fault, for matrices that are empty or ragged, or that hold anything but finite numbers.
        """
        return Matrix(tuple(map(tuple, _read(payoff))))

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of rows and of columns."""
        return len(self.payoffs), len(self.payoffs[0])

    def rows(self) -> range:
        return range(self.shape[0])

    def columns(self) -> range:
        return range(self.shape[1])

    def payoff(self, row: int, column: int) -> Exact:
        """The payoff to the row player. Raises `ParameterError` for an invalid row or column."""
        return self.payoffs[self._number(row, 0)][self._number(column, 1)]

    def mixture(self, strategy: Any, seat: int) -> dict[int, Fraction]:
        """The probabilities of a mixed strategy of the row player (seat 0) or of the column player (seat 1), by strategy, zeros
        omitted. The strategy is given as the number of one row or column, a list of all probabilities, or a dict. Raises
        `ParameterError`."""
        count, word = self.shape[seat], ("row", "column")[seat]
        if isinstance(strategy, int | np.integer) and not isinstance(strategy, bool):
            strategy = {int(strategy): 1}
        elif isinstance(strategy, Sequence | np.ndarray) and _is_list(strategy):
            if len(strategy) != count:
                raise ParameterError(f"{len(strategy)} probabilities are given, but the matrix has {count} {word}s")
            strategy = dict(enumerate(strategy))
        if not isinstance(strategy, Mapping):
            raise ParameterError(f"a strategy is the number of a {word} or the probabilities of {word}s, not {strategy!r}")
        for number in strategy:
            self._number(number, seat)
        return probabilities(strategy, f"the probabilities of {word}s")

    def _number(self, number: Any, seat: int) -> int:
        """The number of a row (seat 0) or of a column, from 0. Raises `ParameterError` for anything else."""
        count, word = self.shape[seat], ("row", "column")[seat]
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < count:
            raise ParameterError(f"{number!r} is no {word} of the matrix: they are numbered from 0 to {count - 1}")
        return int(number)

    def __str__(self) -> str:
        return "a matrix of {} x {} payoffs".format(*self.shape)


def _is_list(value: Any) -> bool:
    """Whether it has an order: rows of a dict would be its keys, those of a set come in any order. Not an array of a single number."""
    no_list = isinstance(value, str | bytes | bytearray | Mapping | Set) or (isinstance(value, np.ndarray) and value.ndim == 0)
    return isinstance(value, Iterable) and not no_list


def _read(payoff: Any) -> list[list[Exact]]:
    """The payoffs as rationals, row by row; Raises `ParameterError`, which names the fault."""
    if not _is_list(payoff):
        raise ParameterError(f"a matrix is a list of rows, each a list of payoffs, not {payoff!r}")
    rows: list[list[Any]] = []
    for i, row in enumerate(payoff, 1):
        if not _is_list(row):
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
