"""One day of Lemonade Stand: what sells, the best decision of all, and the few decisions that can be best in a longer game.

The market. With `signs` advertising signs and a price of p cents, as many glasses are asked for as

    floor(f n(p) (2 - exp(-signs / 2))),    n(p) = 54 - 2.4 p below 10 cents, 3000 / p^2 from 10 cents on,

where f depends on the weather: 1 if it is sunny, 2 if hot, 1 - c if there is a chance c of rain, 1/10 if the street is
closed. Here f is counted in tenths, and nothing is rounded before the floor where `signs` is 0. A thunderstorm, on one
cloudy day in four, ruins everything that was made.

Rules: Jamison 1973, in the form of Kellner 1979 (the listing LEMONADE STAND for the Apple II); solved day by day by
Possibly Wrong 2024 ("Lemonade Stand"), whose order among equally good decisions is kept: the most profit expected, then
without a storm, then the most glasses, signs, price.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from zermelo.basics.parameters import whole
from zermelo.errors import ParameterError

MOST_GLASSES, MOST_SIGNS, MOST_PRICE = 1000, 50, 100
SIGN = 15  # cents for a sign
COSTS = (2, 4, 5)  # cents for a glass: on days 1 and 2, 3 to 6, from 7 on


class Weather(NamedTuple):
    """What a forecast means for sales."""

    tenths: int  # of the glasses that are asked for on a sunny day
    storms: int  # chances in 4 of a thunderstorm


CHANCES = (30, 40, 50, 60, 70)  # of rain, in percent
WEATHERS: Mapping[str, Weather] = MappingProxyType(
    {
        "sunny": Weather(10, 0),
        "hot": Weather(20, 0),
        "street": Weather(1, 0),
        **{f"cloudy{chance}": Weather(10 - chance // 10, 1) for chance in CHANCES},
    }
)
MARKETS = tuple(sorted({w.tenths for w in WEATHERS.values()}))


def demand(tenths: int, signs: int, price: int) -> int:
    """Glasses that people ask for."""
    at_price = tenths * (540 - 24 * price) / 100 if price < 10 else 300 * tenths / (price * price)
    return int(at_price * (2 - math.exp(-signs / 2)))


# --- the best day -----------------------------------------------------------------------------------------------------


class Day(NamedTuple):
    """A decision for one day and what it brings, in cents. Greater is better, in the order of the fields."""

    expected: Fraction  # profit, storms included
    profit: int  # without a storm
    glasses: int
    signs: int
    price: int


def best_day(assets: int, cost: int, weather: str) -> Day:
    """The best decision for one day of all those that are allowed, found by looking at every one (up to 5.2 million).

    assets: cents in hand. cost: cents for a glass, at least 1. weather: a name of `WEATHERS`. Raises `ParameterError`.
    """
    assets, cost = whole("assets", assets, 0), whole("cost", cost, 1)
    return _best_day(assets, cost, weather_of(weather))


def weather_of(name: str) -> Weather:
    """The weather of that name; `ParameterError` if there is none."""
    if name not in WEATHERS:
        from zermelo.basics.words import no_such

        raise ParameterError(no_such("weather", str(name), list(WEATHERS)))
    return WEATHERS[name]


def _best_day(assets: int, cost: int, weather: Weather) -> Day:
    import numpy as np

    demands = np.array(_demands(weather.tenths), dtype=np.int32)
    prices = np.arange(MOST_PRICE + 1, dtype=np.int32)
    income = (4 - weather.storms) * prices  # in quarters of a cent, like all expectations
    signs_cost = 4 * SIGN * np.arange(MOST_SIGNS + 1, dtype=np.int32)[:, None]
    best = (Fraction(0), 0, 0, 0, 0)
    most = -1
    for glasses in range(min(MOST_GLASSES, assets // cost) + 1):
        signs = min(MOST_SIGNS, (assets - cost * glasses) // SIGN) + 1
        gains = np.minimum(demands[:signs], glasses)
        gains *= income
        gains -= signs_cost[:signs]
        gain = int(gains.max()) - 4 * cost * glasses
        if gain < most:
            continue
        most = gain
        for s, p in np.argwhere(gains == gain + 4 * cost * glasses).tolist():
            profit = min(int(demands[s, p]), glasses) * p - cost * glasses - SIGN * s
            best = max(best, (Fraction(gain, 4), profit, glasses, s, p))
    return Day(*best)


@cache
def _demands(tenths: int) -> tuple[tuple[int, ...], ...]:
    """Glasses asked for, by signs and price."""
    return tuple(tuple(demand(tenths, s, p) for p in range(MOST_PRICE + 1)) for s in range(MOST_SIGNS + 1))


# --- the decisions that can be best -----------------------------------------------------------------------------------


class Offer(NamedTuple):
    """A decision that no other makes useless, in cents."""

    expense: int
    revenue: int  # if there is no storm
    glasses: int
    signs: int
    price: int


@cache
def offers(tenths: int, cost: int) -> tuple[Offer, ...]:
    """The decisions that can be best, whatever the days to come: spending more only where that earns more, cheapest first.

    The argument. Let the value never decrease with assets (it never does: a richer player can copy a poorer one and keep the difference).
    1. Glasses that nobody asks for are wasted, so let n glasses be made and all be sold.
    2. For n glasses and s signs only the highest price at which n are asked for can be best: demand falls with the price.
    3. Of two such decisions, one that spends no less and earns no more is useless: it leaves no more, with or without
       a storm.
    The remaining decisions depend neither on the assets nor on the days that follow, and the best affordable one is among the
    best decisions of all. Without storms only the last affordable one counts: it earns the most.
    """
    best: dict[int, Offer] = {}
    for glasses, signs, price in _sold_out(tenths):
        expense = cost * glasses + SIGN * signs
        best[expense] = max(
            best.get(expense, Offer(expense, 0, 0, 0, 0)), Offer(expense, glasses * price, glasses, signs, price)
        )
    kept = [Offer(0, 0, 0, 0, 0)]
    for expense in sorted(best):
        offer = best[expense]
        if offer.revenue - expense > kept[-1].revenue - kept[-1].expense:
            kept.append(offer)
    return tuple(kept)


def _sold_out(tenths: int) -> Iterator[tuple[int, int, int]]:
    """(glasses, signs, price): for every number of glasses that can be sold with this many signs, the highest price at which they sell."""
    for signs, row in enumerate(_demands(tenths)):
        sold = 0
        for price in range(MOST_PRICE, 0, -1):
            for glasses in range(sold + 1, min(row[price], MOST_GLASSES) + 1):
                yield glasses, signs, price
            sold = max(sold, row[price])


def most_expected(tenths: int, cost: int, storms: int) -> Offer:
    """The offer with the most profit expected, the cheapest of several."""
    return max(offers(tenths, cost), key=lambda o: ((4 - storms) * o.revenue - 4 * o.expense, -o.expense))
