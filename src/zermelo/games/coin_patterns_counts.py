"""Coin patterns in whole numbers: in how many of all sequences of n flips each pattern wins, to the last digit.

Let M be the matrix of one flip: M[s, t] is the sum over the flips from s to t of ways * x^(1 + points), where s and t
say what has been seen of the patterns and points is +1, 0 or -1. With e the start and 1 a column of ones,

    e M^n 1 = sum over leads d of ways(d) x^(n + d),

where ways(d) counts the sequences of n flips that end with the first pattern d ahead: (heads + tails)^n in all. Who
wins is read from the halves u = e M^(n/2) and v = M^(n/2) 1, which have half the degree and half the digits: ways of u[s]
to a lead of d, times ways of v[s] to any lead that wins from there. Polynomials are FLINT's.

As n goes to infinity the lead is normal with mean n mu and variance n sigma^2; where mu = 0 (on a fair coin: patterns of
the same length) its third cumulant n kappa decides who wins more often (Edgeworth; Janson, Nica and Segert 2025):

    P(first wins) - P(second wins) = -kappa / (3 sigma^3 sqrt(2 pi n)) + O(1/n).

Flips further apart than the longer pattern are independent. So from three times its length on, each flip adds exactly
mu, sigma^2 and kappa to the cumulants of the lead, and this is where they are taken from ways(d).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, islice, repeat
from typing import Any, NamedTuple

from zermelo.basics.fields import described
from zermelo.errors import ParameterError
from zermelo.games.coin_patterns import CoinPatterns, State
from zermelo.language.rules import read

Matrix = list[dict[int, Any]]  # [s][t]: a polynomial of FLINT, where there is one
SQUARING_PAYS = 150  # flips for each state, from which squaring M is faster than going flip by flip


@described(
    first="Sequences in which the first pattern occurs more often.",
    second="Sequences in which the second does.",
    tie="Sequences in which both occur equally often.",
)
class Counts(NamedTuple):
    """Sequences of flips by who wins; on a biased coin each counts as many times as there are ways to flip it."""

    first: int
    second: int
    tie: int

    @property
    def total(self) -> int:
        """The number of all sequences."""
        return sum(self)

    @property
    def probabilities(self) -> tuple[Fraction, Fraction, Fraction]:
        """The probabilities that the first pattern wins, that the second does, and of a tie."""
        return Fraction(self.first, self.total), Fraction(self.second, self.total), Fraction(self.tie, self.total)

    @property
    def edge(self) -> float:
        """P(first wins) - P(second wins)."""
        return (self.first - self.second) / self.total


def exact_counts(game: CoinPatterns) -> Counts:
    """In how many of the (heads + tails)^flips sequences each pattern wins. `ParameterError` if parameters don't fit."""
    matrix = one_flip(game)
    before, after = {0: _monomial(1, 0)}, [_monomial(1, 0)] * len(matrix)
    if game.flips % 2:
        after = _after(matrix, after)
    half = game.flips // 2
    while half:
        if half % 2 == 0 and game.flips >= SQUARING_PAYS * len(matrix):
            matrix, half = [_before(row, matrix) for row in matrix], half // 2
        else:
            before, after, half = _before(before, matrix), _after(matrix, after), half - 1
    return _joined(before, after, game.flips, (game.heads + game.tails) ** game.flips)


def course(game: CoinPatterns) -> Iterator[Counts]:
    """The same after 0, 1, 2, ... flips, up to those of the game, flip by flip."""
    for n, ways in enumerate(islice(leads(game), game.flips + 1)):
        coefficients = ways.coeffs()
        below, tie, above = coefficients[:n], sum(coefficients[n : n + 1]), coefficients[n + 1 :]
        yield Counts(int(sum(above)), int(sum(below)), int(tie))


def leads(game: CoinPatterns) -> Iterator[Any]:
    """The polynomial of ways(d) x^(flips + d) after 0, 1, 2, ... flips, without end."""
    rows = accumulate(repeat(one_flip(game)), _before, initial={0: _monomial(1, 0)})
    return (sum(row.values()) for row in rows)


def limit(game: CoinPatterns) -> float | None:
    """What sqrt(n) (P(first wins) - P(second wins)) tends to; None where it grows, or where the lead stays bounded."""
    mean, variance, third = growth(game)
    if mean != 0 or variance == 0:
        return None
    return float(-third) / (3 * float(variance) ** 1.5 * math.sqrt(2 * math.pi))


# --- the matrix of one flip -------------------------------------------------------------------------------------------


def one_flip(game: CoinPatterns) -> Matrix:
    """M, from the rules: row 0 is the start; s and t number what can have been seen of the two patterns."""
    seen = [begin(game)]
    matrix: Matrix = []
    for first, second in seen:
        row: dict[int, Any] = {}
        for ways, _, s in game.outcomes(State(first, second, lead=0, left=1)):
            if (s.first, s.second) not in seen:
                seen.append((s.first, s.second))
            t = seen.index((s.first, s.second))
            row[t] = row.get(t, 0) + _monomial(ways, 1 + s.lead)
        matrix.append(row)
    return matrix


def begin(game: CoinPatterns) -> tuple[int, int]:
    """The progress of both patterns at the start. `ParameterError` if the parameters don't fit."""
    try:
        start = read(game).start
    except ValueError as error:
        raise ParameterError(f"{type(game).__name__}: {error}") from None
    return start.first, start.second


def _monomial(ways: int, power: int) -> Any:
    """ways * x^power."""
    from flint import fmpz_poly

    return fmpz_poly([0] * power + [ways])


def _before(row: dict[int, Any], matrix: Matrix) -> dict[int, Any]:
    """A row times the matrix."""
    product: dict[int, Any] = {}
    for s, ways in row.items():
        for t, factor in matrix[s].items():
            product[t] = product.get(t, 0) + ways * factor
    return product


def _after(matrix: Matrix, column: list[Any]) -> list[Any]:
    """The matrix times a column."""
    return [sum(factor * column[t] for t, factor in row.items()) for row in matrix]


def _joined(before: dict[int, Any], after: list[Any], even: int, total: int) -> Counts:
    """Who wins when the first half of the flips, u, is followed by the second half, v; x^even stands for a tie."""
    first = tie = 0
    for s, ways in before.items():
        then = after[s].coeffs()
        at_least = [*accumulate(reversed(then))][::-1]  # ways of the second half to reach x^k or more
        for k, times in enumerate(ways.coeffs()):
            if even - k < len(then):
                tie += times * then[even - k]
            if even - k + 1 < len(then):
                first += times * at_least[even - k + 1]
    return Counts(int(first), total - int(first) - int(tie), int(tie))


# --- many flips -------------------------------------------------------------------------------------------------------


def growth(game: CoinPatterns) -> tuple[Fraction, Fraction, Fraction]:
    """mu, sigma^2 and kappa: by how much the first three cumulants of the lead grow with every flip."""
    ways, n = leads(game), 3 * max(len(game.first), len(game.second))
    here, there = (cumulants(w, flips) for flips, w in enumerate(islice(ways, n, n + 2), n))
    mean, variance, third = (b - a for a, b in zip(here, there, strict=True))
    return mean, variance, third


def cumulants(ways: Any, flips: int) -> tuple[Fraction, ...]:
    """Mean, variance and third central moment of the lead after this many flips."""
    weights = [int(c) for c in ways.coeffs()]
    total = sum(weights)
    mean = sum((Fraction(w * d, total) for d, w in enumerate(weights, -flips)), Fraction())
    spread = (sum((w * (d - mean) ** r / total for d, w in enumerate(weights, -flips)), Fraction()) for r in (2, 3))
    return mean, *spread
