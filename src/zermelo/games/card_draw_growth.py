"""How the value of the card draw grows with the deck: its limit law, the remainder, and extrapolation.

With n cards of each colour V(n) / sqrt(n) tends to c = sqrt(pi) (1 - a^2), where a is the root of
a = (1 - a^2) sqrt(2 pi) exp(a^2 / 2) Phi(a) (Shepp 1969): the deck's walk becomes a Brownian bridge, and the player stops when it
is a sqrt(cards left) ahead. The gap, c sqrt(n) - V(n), comes from the steps of 1, which matter most when few
cards are left. The walk divided by sqrt(cards left) is an Ornstein-Uhlenbeck process that is stopped at a, in the time
log(n / cards left); it lasts until m cards are left with a probability of order (m/n)^r, where D_{2r}(-a) = 0 for the
parabolic cylinder function D (the slowest eigenfunction that vanishes at a). Stopping on integers m cards before the end costs about
1/sqrt(m), and r < 1/2, so the last cards dominate, and the rest falls as n^-r, r = 0.2312. The argument is
heuristic; the numbers agree with it to seven digits.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

import zermelo
from zermelo.engines.urn.curves import Curve, curve

SMALLEST = 1000  # cards of a colour from which the rest is fitted
TRUSTED = (
    1e-4  # certified error, relative to the rest, up to which a value is fitted: to about a million cards of a colour
)
ESSAY = 22_974  # the values that the essay fits: 1 to this, and
BEYOND = 100_000


@lru_cache
def stopping_constant() -> float:
    """Shepp's a: with m cards left the player stops when about a sqrt(m) ahead."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    return brentq(
        lambda a: (1 - a * a) * math.sqrt(2 * math.pi) * math.exp(a * a / 2) * ndtr(a) - a, 0.5, 1, xtol=1e-16
    )


def growth_constant() -> float:
    """c, the limit of V(n) / sqrt(n)."""
    return math.sqrt(math.pi) * (1 - stopping_constant() ** 2)


@lru_cache
def decay() -> float:
    """r, with which the rest c sqrt(n) - V(n) falls as n^-r."""
    from scipy.optimize import brentq
    from scipy.special import pbdv

    return brentq(lambda order: pbdv(order, -stopping_constant())[0], 0.1, 1.0, xtol=1e-15) / 2


def rest(found: Curve) -> np.ndarray:
    """c sqrt(n) - V(n), the gap to the limit law."""
    return growth_constant() * np.sqrt(found.n) - found.value


def decades(limit: int, each: int = 10) -> np.ndarray:
    """Numbers of cards from 1000 to `limit`, about `each` in a decade."""
    steps = max(2, round(each * math.log10(max(limit, SMALLEST + 1) / SMALLEST)) + 1)
    return np.unique(np.rint(np.geomspace(SMALLEST, max(limit, SMALLEST + 1), steps)).astype(np.int64))


class Extrapolation(NamedTuple):
    """V(n) = c sqrt(n) - sum of k n^-e over `terms` (k, e), fitted to decks of up to `largest` cards of a colour."""

    terms: tuple[tuple[float, float], ...]
    coarse: tuple[
        tuple[float, float], ...
    ]  # the same with one term less: how far both differ is the estimate of the error
    spread: float  # the largest residual of the fit, relative to n^-r
    largest: int

    def value(self, n: float) -> float:
        """The extrapolated value of a deck of n red and n black cards."""
        return growth_constant() * math.sqrt(n) - self.rest(n)

    def rest(self, n: Any) -> Any:
        """The gap to c sqrt(n), for a number or an array."""
        return _sum(self.terms, n)

    def error(self, n: float) -> float:
        """An estimate, not a bound: the contribution of the fit's last term, its residual, and the rounding of c sqrt(n)."""
        last = abs(_sum(self.terms, n) - _sum(self.coarse, n))
        return last + self.spread * n ** -decay() + 2.0**-51 * math.sqrt(n)


def _sum(terms: tuple[tuple[float, float], ...], n: Any) -> Any:
    return sum(k * n**-e for k, e in terms)


def extrapolation(found: Curve) -> Extrapolation:
    """Fit the rest by n^-r, n^-1/2, n^-(r + 1/2) and n^-1, each point relative to n^-r."""
    missing = rest(found)
    chosen = (found.n >= SMALLEST) & (found.error <= TRUSTED * np.abs(missing))
    n, missing = found.n[chosen].astype(float), missing[chosen]
    if len(n) < 8 or n[-1] < 10 * SMALLEST:
        raise zermelo.ParameterError(
            f"fitting the rest takes at least 8 decks, some of {10 * SMALLEST:,} cards or more"
        )
    r = decay()
    terms, coarse = _fitted(n, missing, (r, 0.5, r + 0.5, 1.0)), _fitted(n, missing, (r, 0.5, r + 0.5))
    residuals = missing - _sum(terms, n)
    return Extrapolation(terms, coarse, float(np.abs(residuals * n**r).max()), int(n[-1]))


def _fitted(n: np.ndarray, missing: np.ndarray, exponents: tuple[float, ...]) -> tuple[tuple[float, float], ...]:
    scale = n ** exponents[0]
    columns = np.stack([scale * n**-e for e in exponents], axis=1)
    solution = np.linalg.lstsq(columns, scale * missing, rcond=None)[0]
    return tuple(zip(solution.tolist(), exponents, strict=True))


class Fit(NamedTuple):
    """A least-squares fit of the values, as in the essay."""

    name: str
    coefficients: tuple[float, ...]
    spread: float  # residual standard error

    def value(self, n: np.ndarray) -> np.ndarray:
        """float64[n]: the fitted values of decks of n red and n black cards."""
        return _columns(self.name, n) @ np.array(self.coefficients)


FORMS = ("log n", "sqrt n", "log n and sqrt n")


def _columns(name: str, n: np.ndarray) -> np.ndarray:
    functions = {"log n": (np.log,), "sqrt n": (np.sqrt,), "log n and sqrt n": (np.log, np.sqrt)}[name]
    return np.stack([np.ones(len(n)), *(f(n) for f in functions)], axis=1)


def essay_values(largest: int = BEYOND) -> Curve:
    """The values that the essay fits: all balanced decks of 1 to 22,974 cards of a colour, and one of `largest`."""
    return curve(largest, at=[*range(1, ESSAY + 1), largest])


def fits(found: Curve) -> list[Fit]:
    """The three fits of the essay, by least squares with equal weight for all values."""
    return fits_to(found.n.astype(float), found.value)


def fits_to(n: np.ndarray, values: np.ndarray) -> list[Fit]:
    """The three fits to values of n cards of each colour, both float64[decks]."""
    results = []
    for name in FORMS:
        columns = _columns(name, n)
        coefficients = np.linalg.lstsq(columns, values, rcond=None)[0]
        residuals = values - columns @ coefficients
        spread = math.sqrt(float(residuals @ residuals) / (len(n) - columns.shape[1]))
        results.append(Fit(name, tuple(coefficients.tolist()), spread))
    return results
