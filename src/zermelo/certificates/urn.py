"""Bounds of how far a value of the urn sweep can be from the true one: what the window leaves out, and rounding. Shares no code with the
sweep.

The sweep computes a lower bound: the winnings of a player who plays on in the window and outside of it takes the better of stopping
and drawing all balls. Outside, a player who knew the order of the balls would win more by at most (reflection principle)

    sum over y >= 1 of C(m, h + y) / C(m, h)  <=  min(l / (h - l + 1),  sqrt(pi (m + 2) / 2) / 2)

with m balls left, h of the more frequent kind and l of the other; the first bound sums a geometric series, the
second is the first sum for h = l (Wallis). Play leaves the window between two tiles only, and whatever the player does, with no higher
probability than if all balls are drawn. Then the number i of +1 balls among the m left is hypergeometric, and
(Serfling 1974, corollary 1.1, for the m balls left or the N - m drawn)

    P(|i - m p / N| >= a) on one side  <=  exp(-2 a^2 / v),     v = min(m (N - m + 1), (N - m) (m + 1)) / N.

Rounding: with u = 2^-53 the weight i/m carries a relative error of 2u, difference and product one u each, and the last
sum u times its result. Two neighbours differ by at most 2 (by a little more where a lower bound filled in borders on a computed
value). So a step errs by at most u (W + 17), and errors add up over the stages because a step is an average or a maximum.
Stopping is computed without rounding.
"""

from __future__ import annotations

import math

import numpy as np

from zermelo.kernels.urn_places import CLOSED, FEWEST, LAST, LONGEST, MOST, SHORTEST

UNIT = 2.0**-53
SHEPP = 0.84  # a; used only to choose the width of the window (computed in games/card_draw_growth.py)
SLACK = 1 + 1e-6  # for the rounding of these bounds themselves


def rounding_error(tiles: np.ndarray, highest: np.ndarray) -> np.ndarray:
    """float64[tiles]: how much rounding can have changed W by the end of each tile. `highest` : largest W of each."""
    stages = np.diff(tiles[:, LAST], prepend=0)
    return np.cumsum(stages * np.maximum(highest + 18.0, 0.0) * UNIT) * SLACK


def exit_error(tiles: np.ndarray, plus: int, minus: int, total: int | None = None) -> np.ndarray:
    """float64[tiles]: the value that can be missed because play from the urn of `plus` and `minus` leaves the window at each tile's end.

    With `total`, a bound for all balanced urns of up to this many balls: it grows with the number of balls at a given stage.
    """
    balls = plus + minus
    tiles = tiles[tiles[:, LAST] < balls]
    m = tiles[:, LAST].astype(float)
    mean = m * (plus / balls) if balls else m
    n = balls if total is None else total
    spread = np.maximum(np.minimum(m * (n - m + 1), (n - m) * (m + 1)) / max(n, 1), 1e-300)
    most, fewest = tiles[:, MOST], tiles[:, FEWEST]
    above = _missed(m, most + 1.0, most + 1 - mean, spread) * (most < np.minimum(plus, tiles[:, LAST]))
    low = (tiles[:, CLOSED] == 0) & (fewest > np.maximum(0, tiles[:, LAST] - minus))
    below = _missed(m, m - (fewest - 1.0), mean - (fewest - 1), spread) * low
    return (above + below) * SLACK


def curve_errors(tiles: np.ndarray, highest: np.ndarray, plus: int, minus: int, at: np.ndarray) -> np.ndarray:
    """float64[at]: how far the values of balanced urns with this many balls of each kind can be from the true ones; `highest` : the largest
    W of each tile."""
    missed = np.concatenate([np.zeros(1), np.cumsum(exit_error(tiles, plus, minus, plus + minus))])
    rounding = np.concatenate([rounding_error(tiles, highest), np.zeros(1)])
    tile = np.searchsorted(tiles[:, LAST], 2 * at)
    return missed[np.minimum(tile, len(missed) - 1)] + rounding[np.minimum(tile, len(rounding) - 2)]


def known_order(m: np.ndarray, high: np.ndarray) -> np.ndarray:
    """The most that a player who knows the order of m balls, `high` of the leading kind, can win beyond stopping or drawing all."""
    low = m - high
    cap = 0.5 * np.sqrt(math.pi / 2 * (m + 2))
    return np.where(high >= low, np.minimum(cap, np.maximum(low, 0) / np.maximum(high - low + 1, 1)), cap)


def _missed(m: np.ndarray, high: np.ndarray, away: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """Probability of going `away` or further, times what can be missed there; `high` balls of the leading kind are left."""
    gap = known_order(m, high)
    return np.where(away > 0, np.exp(-2 * away**2 / spread), 1.0) * gap


def deviations_for(plus: int, minus: int, error: float) -> float:
    """Half the width of a window that misses at most about `error`, in standard deviations.

    Found by iteration, as the number of tiles and the possible loss at the edge depend on it slightly.
    """
    balls, k = max(plus + minus, 2), 8.0
    for _ in range(4):
        tiles = balls / min(max(SHORTEST, 0.75 * k * 0.5 * math.sqrt(balls) / 16), LONGEST) + 1
        most = math.sqrt(balls) / k + 1
        k = max(3.0, math.sqrt(2 * max(math.log(tiles * most / error), 1.0)))
    return k


def expected_value(plus: int, minus: int) -> float:
    """An approximation of V, from the limit for large urns (Shepp 1969): sqrt(N) u(x) - (minus - plus) with x = (minus - plus) / sqrt(N),
    u(x) = sqrt(2 pi) (1 - a^2) exp(x^2 / 2) Phi(x), as long as x < a."""
    if plus + minus == 0:
        return 0.0
    root, ahead = math.sqrt(plus + minus), minus - plus
    x = ahead / root
    if x >= SHEPP:
        return 0.0
    if x < -5:
        return float(-ahead)
    normal = (1 + math.erf(x / math.sqrt(2))) / 2
    return max(-ahead, root * math.sqrt(2 * math.pi) * (1 - SHEPP**2) * math.exp(x * x / 2) * normal - ahead)


def expected_rounding(plus: int, minus: int) -> float:
    """An estimate of the maximum of `rounding_error`: W is about 0.84 sqrt(m) where it is largest, at the frontier (Shepp 1969)."""
    balls = plus + minus
    if expected_value(plus, minus) == 0.0:
        return 0.0  # nearly everywhere the player stops, and stopping is not rounded
    return UNIT * (0.84 * balls**1.5 / 1.5 + 18 * balls)
