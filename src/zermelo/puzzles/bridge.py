"""When to sell an asset whose random price is known to end at a certain value: a bond at par, or a stock that options pin to a strike.

The price S is a Brownian bridge: dS = (K - S) / (T - t) dt + sigma dW, which equals K at time T. You own the asset and may
sell it at any time before; there is no interest. It is the limit of the card draw with more and smaller cards. With u = T - t left, let
x = (S - K) / sigma. Sell as soon as x >= a sqrt(u), where a = (1 - a^2) sqrt(2 pi) exp(a^2 / 2) Phi(a). Below that line the asset is worth

    K + sigma sqrt(2 pi u) (1 - a^2) exp(x^2 / 2 u) Phi(x / sqrt(u))

(Shepp 1969; Ekstrom and Wanntorp 2009, "Optimal stopping of a Brownian bridge"). `lattice` computes the same from steps up and
down, as in the card draw.
"""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError
from zermelo.puzzles.sheet import Answer, Sheet

PRICE, PAR, VOLATILITY, TIME = 98.0, 100.0, 3.0, 1.0
FAR = -30.0  # standard deviations below par from which exp(z^2 / 2) Phi(z) is expanded in 1 / z
STEPS = (100, 400, 1600)  # of the lattices that are shown
MOST_STEPS = 4000
LEAST, MOST = 1e-12, 1e12  # of volatility and time; prices lie between -MOST and MOST
SHARES = (1.0, 0.75, 0.5, 0.25, 0.1, 0.05, 0.01)  # of the time, at which the line is shown


def stopping_constant() -> float:
    """Shepp's a, by bisection."""
    low, high = 0.5, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        below = middle < (1 - middle * middle) * math.sqrt(2 * math.pi) * _scaled(middle)
        low, high = (middle, high) if below else (low, middle)
    return low


def _scaled(z: float) -> float:
    """exp(z^2 / 2) Phi(z)."""
    if z > FAR:
        return math.exp(z * z / 2) * math.erfc(-z / math.sqrt(2)) / 2
    w = 1 / (z * z)
    return (1 - w * (1 - w * (3 - w * (15 - 105 * w)))) / (-z * math.sqrt(2 * math.pi))


def line(time: float, par: float = PAR, volatility: float = VOLATILITY) -> float:
    """The price from which on selling is optimal, with this much time left."""
    _, par, volatility, time = check(par, par, volatility, time)
    return _line(time, par, volatility)


def _line(time: float, par: float, volatility: float) -> float:
    return par + stopping_constant() * volatility * math.sqrt(time)


def worth(price: float, time: float, par: float = PAR, volatility: float = VOLATILITY) -> float:
    """The value of owning it, with this much time left, if it is sold at the best time."""
    price, par, volatility, time = check(price, par, volatility, time)
    return _worth(price, time, par, volatility)


def _worth(price: float, time: float, par: float, volatility: float) -> float:
    a, deviation = stopping_constant(), volatility * math.sqrt(time)
    if price >= _line(time, par, volatility):
        return price
    return par + deviation * math.sqrt(2 * math.pi) * (1 - a * a) * _scaled((price - par) / deviation)


def lattice(price: float, time: float, steps: int, par: float = PAR, volatility: float = VOLATILITY) -> float:
    """The same if the price goes up or down by a fixed size this many times: a deck of ups and downs that is drawn to the end.

    Two decks enclose the price; between them the value is interpolated linearly.
    """
    (price, par, volatility, time), steps = check(price, par, volatility, time), whole("steps", steps, 1, MOST_STEPS)
    size = volatility * math.sqrt(time / steps)
    away = (par - price) / size  # how many more ups than downs there must be
    if abs(away) >= steps:
        raise ParameterError(f"{steps} steps can't come from {price:.12g} to {par:.12g}; take more")
    lower = steps - 2 * (math.floor((steps - away) / 2) + 1)
    upper = lower + 2
    values = {more: _deck((steps + more) // 2, (steps - more) // 2) - more for more in (lower, upper)}
    share = (away - lower) / 2
    return par + size * ((1 - share) * values[lower] + share * values[upper])


def _deck(ups: int, downs: int) -> float:
    """The value of a deck with these numbers of +1 and -1 cards to a player who may stop at any time."""
    row = [0.0] * (downs + 1)
    for up in range(1, ups + 1):
        row[0] = up
        for down in range(1, downs + 1):
            row[down] = max(0.0, (up * (1 + row[down]) + down * (row[down - 1] - 1)) / (up + down))
    return row[downs]


def check(price: float, par: float, volatility: float, time: float) -> tuple[float, float, float, float]:
    """The same as floats, if they make sense. Raises `ParameterError`."""
    positive = _number("volatility", volatility, LEAST), _number("time", time, LEAST)
    return _number("price", price, -MOST), _number("par", par, -MOST), *positive


def _number(name: str, value: Any, least: float) -> float:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not least <= value <= MOST:
        raise ParameterError(f"{name} must be a number from {least:g} to {MOST:g}, not {value}")
    return float(value)


def answer(price: float = PRICE, par: float = PAR, volatility: float = VOLATILITY, time: float = TIME) -> Answer:
    """The value and when to sell; the line; and the same from lattices."""
    price, par, volatility, time = check(price, par, volatility, time)
    value, limit = _worth(price, time, par, volatility), _line(time, par, volatility)
    ways = (("sell now", price), ("keep it to the end", par), ("sell at the best time", value))
    what = "sell now" if price >= limit else f"keep it until it costs {limit:.6f}, less later on: see the line"
    lines = tuple((share * time, _line(share * time, par, volatility), _worth(par, share * time, par, volatility)) for share in SHARES)
    reach = (abs(par - price) / (volatility * math.sqrt(time))) ** 2
    fine = [steps for steps in STEPS if steps > 1.01 * reach + 4]
    lattices = tuple((steps, found := lattice(price, time, steps, par, volatility), value - found) for steps in fine)
    title = f"A price of {price:.12g} that is {par:.12g} after {time:.12g}, volatility {volatility:.12g}: worth {value:.6f}"
    sheets = [
        Sheet(title, ("what you do", "you get on average"), ways, (what, "no interest; the price is a Brownian bridge")),
        Sheet(
            "The line: sell as soon as the price is as high", ("time left", "sell at", f"worth where it costs {par:.12g}"), lines,
            (f"{par:.12g} + a x volatility x sqrt(time left), a = {stopping_constant():.13f} (Shepp 1969)",),
        ),
    ]  # fmt: skip
    if lattices:
        sheets.append(Sheet("The same with steps up and down, as cards", ("steps", "worth", "less than the limit by"), lattices))
    data = {
        "puzzle": "bridge",
        "parameters": {"price": price, "par": par, "volatility": volatility, "time": time},
        "worth": value,
        "sell now": price >= limit,
        "line": [dict(zip(("time left", "sell at", "worth at par"), row, strict=True)) for row in lines],
        "lattices": [dict(zip(("steps", "worth"), row, strict=False)) for row in lattices],
        "constant": stopping_constant(),
    }
    return Answer(tuple(sheets), data)
