"""Matrix games: `matrix_game([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])`.

The matrix is read and checked here; equilibrium.py solves it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.basics.bounds import Certificate
from zermelo.errors import ParameterError
from zermelo.matrix import verbs
from zermelo.matrix.equilibrium import equilibrium
from zermelo.matrix.mixture import probabilities
from zermelo.matrix.numbers import Exact, rational

if TYPE_CHECKING:
    import pandas


class _Parts(NamedTuple):
    value: Fraction  # what the row player gets on average
    row: tuple[Fraction, ...]  # probability of each row
    column: tuple[Fraction, ...]  # probability of each column
    certificate: Certificate


class MatrixSolution(_Parts):
    """The value of a matrix game and an optimal mixed strategy for each player (there may be others), all exact.

    A tuple (value, row, column, certificate). Strategies are numbers of rows and columns, from 0; seat 0 is the row player, seat 1 the
    column player. A mixed strategy is a dict from strategies to probabilities, or a list of the probabilities of all.
    """

    payoff: tuple[tuple[Exact, ...], ...] = ()  # the matrix
    is_exact = True

    @property
    def low(self) -> Fraction:
        return self.value

    @property
    def high(self) -> Fraction:
        return self.value

    @property
    def payoffs(self) -> dict[str, Fraction]:
        """The value by the name of the payoff, as for games with states."""
        return {"payoff": self.value}

    @property
    def bounds(self) -> dict[str, tuple[Fraction, Fraction]]:
        return {"payoff": (self.value, self.value)}

    def policy(self, seat: int = 0) -> dict[int, Fraction]:
        """The optimal mixture of a player: the strategies with positive probability."""
        return _used((self.row, self.column)[verbs.check_seat(seat)])

    def evaluate(self, strategy: Any, opponent: Any = None, *, seat: int = 0) -> verbs.MixedEvaluation:
        """What a strategy of the player in `seat`, pure or mixed, guarantees: its value against a best response, or against `opponent`."""
        mine, best = self._mixture(strategy, verbs.check_seat(seat)), self.policy(1 - seat)
        if opponent is None:
            reply, value = verbs.best_listed(self._pays, 1 - seat, self._strategies(1 - seat), mine)
        else:
            reply, value = None, self._average(seat, mine, self._mixture(opponent, 1 - seat))
        loss = verbs.beyond(self.value, value, seat)
        return verbs.MixedEvaluation(value, loss, seat, reply, self._average(seat, mine, best))

    def best_response(self, opponent: Any, *, seat: int = 0) -> verbs.MixedResponse:
        """The best that the player in `seat` can do against a strategy of the other, pure or mixed; the first of several."""
        other = self._mixture(opponent, 1 - verbs.check_seat(seat))
        reply, value = verbs.best_listed(self._pays, seat, self._strategies(seat), other)
        return verbs.MixedResponse(value, verbs.beyond(value, self.value, seat), seat, reply)

    def distribution(self) -> verbs.ExactDistribution:
        """The probabilities of all payoffs if both draw from their optimal mixtures."""
        return verbs.distribution(self._pays, self.policy(0), self.policy(1), "the payoff of the matrix")

    def to_dataframe(self) -> pandas.DataFrame:
        """One row a strategy of either player: its probability, and what the row player gets if it meets the other's mixture."""
        listed = self._strategies(0), self._strategies(1)
        return verbs.to_dataframe(self._pays, (self.policy(0), self.policy(1)), listed, ("row player", "column player"))

    def _strategies(self, seat: int) -> list[int]:
        return list(range(len((self.row, self.column)[seat])))

    def _pays(self, row: int, column: int) -> Fraction:
        return Fraction(self.payoff[row][column])

    def _average(self, seat: int, mine: verbs.Mixture, other: verbs.Mixture) -> Fraction:
        return verbs.average(self._pays, *((mine, other) if seat == 0 else (other, mine)))

    def _mixture(self, strategy: Any, seat: int) -> dict[int, Fraction]:
        """A strategy as people give it, as probabilities. Raises `ParameterError`."""
        count, word = len((self.row, self.column)[seat]), ("row", "column")[seat]
        if isinstance(strategy, int | np.integer) and not isinstance(strategy, bool):
            strategy = {int(strategy): 1}
        elif isinstance(strategy, Sequence | np.ndarray) and not isinstance(strategy, str | bytes):
            if len(strategy) != count:
                raise ParameterError(f"{len(strategy)} probabilities are given, but the matrix has {count} {word}s")
            strategy = dict(enumerate(strategy))
        if not isinstance(strategy, Mapping):
            raise ParameterError(
                f"a strategy is the number of a {word} or the probabilities of {word}s, not {strategy!r}"
            )
        for number in strategy:
            if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < count:
                raise ParameterError(f"{number!r} is no {word} of the matrix: they are numbered from 0 to {count - 1}")
        return probabilities(strategy, f"the probabilities of {word}s")

    def __getattr__(self, name: str) -> Any:
        raise verbs.no_attribute("MatrixSolution", name, NOT_OF_MATRICES)


FOR_GAMES = "for that give zermelo.solve a game with `rows`, `columns`, `payoff` and a method of best responses (docs/hidden-choice.md)"
NOT_OF_MATRICES = {
    **dict.fromkeys(("save", "export_certificate", "simulate", "report", "statistics", "game", "answers"), FOR_GAMES),
    "export_umb": "the format of model checkers describes games with states",
    "length": "both choose once",
    "discount": "both choose once, and nothing comes later",
    **dict.fromkeys(("has_states", "has_rules", "counts_moves", "has_stopping_line"), verbs.MIXTURES),
}


def _used(probabilities: Sequence[Fraction]) -> dict[int, Fraction]:
    return {k: p for k, p in enumerate(probabilities) if p}


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
    solution = MatrixSolution(found.value, p, q, Certificate("proof", found.value, found.value, argument))
    solution.payoff = tuple(map(tuple, exact))
    return solution


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
