"""Lemonade Stand as one would write it for oneself: nested loops for a single day, arrays over all assets for many days."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from contender import Result, timed

GLASSES, SIGNS, PRICES, SIGN = 1000, 50, 100, 15
CHANCES = (30, 40, 50, 60, 70)


def one_day(assets: int, cost: int, factor: float, storm: float, repeats: int = 3) -> Result:
    """Every decision in Python: the most profit expected."""

    def best() -> float:
        most = 0.0
        for glasses in range(min(GLASSES, assets // cost) + 1):
            for signs in range(min(SIGNS, (assets - cost * glasses) // SIGN) + 1):
                spent = cost * glasses + SIGN * signs
                for price in range(PRICES + 1):
                    sold = min(asked(factor, signs, price), glasses)
                    most = max(most, (1 - storm) * sold * price - spent)
        return most

    first, middle, value, peak = timed(best, repeats)
    return {"seconds": middle, "first": first, "value": value, "peak_mib": peak}


def asked(factor: float, signs: int, price: int) -> int:
    at_price = 54 - 2.4 * price if price < 10 else 3000 / (price * price)
    return int(factor * at_price * (2 - math.exp(-signs / 2)))


def many_days(days: int, assets: int = 200, repeats: int = 3) -> Result:
    """An array of all assets a day; of the decisions of a morning the best price for every number of glasses and signs."""

    def solve() -> float:
        size = assets + 850 * days
        have = np.arange(size)
        worth = have.astype(float)
        for day in range(days, 0, -1):
            cost = 2 if day < 3 else 4 if day < 7 else 5
            evening = np.where(have <= cost, have, worth)
            worth = sum(share * morning(evening, *offers, storm) for share, offers, storm in forecasts(day, cost))
        return float(worth[assets])

    first, middle, value, peak = timed(solve, repeats)
    return {"seconds": middle, "first": first, "value": value, "peak_mib": peak}


def forecasts(day: int, cost: int) -> list[Any]:
    sunny, hot = decisions(1, cost), decisions(2, cost)
    if day < 3:
        return [(1.0, sunny, 0.0)]
    street = decisions(0.1, cost)
    if day == 3:
        return [(0.75, sunny, 0.0), (0.25, street, 0.0)]
    cloudy = [(0.04, decisions((100 - chance) / 100, cost), 0.25) for chance in CHANCES]
    return [(0.45, sunny, 0.0), (0.15, street, 0.0), (0.2, hot, 0.0), *cloudy]


KNOWN: dict[tuple[float, int], tuple[np.ndarray, np.ndarray]] = {}


def decisions(factor: float, cost: int) -> tuple[np.ndarray, np.ndarray]:
    """Expenses, and the most revenue for each of them."""
    if (factor, cost) not in KNOWN:
        most = {0: 0}
        for signs in range(SIGNS + 1):
            price_of: dict[int, int] = {}
            for price in range(PRICES, 0, -1):
                for n in range(1, asked(factor, signs, price) + 1):
                    price_of.setdefault(n, price)
            for n, price in price_of.items():
                spent = cost * n + SIGN * signs
                most[spent] = max(most.get(spent, 0), n * price)
        KNOWN[factor, cost] = np.array(sorted(most)), np.array([most[s] for s in sorted(most)])
    return KNOWN[factor, cost]


def morning(evening: np.ndarray, spent: np.ndarray, earned: np.ndarray, storm: float) -> np.ndarray:
    best, top = np.zeros(len(evening)), len(evening) - 1
    have = np.arange(len(evening))
    for x, r in zip(spent, earned, strict=True):
        left = have[x:] - x
        value = (1 - storm) * evening[np.minimum(left + r, top)] + storm * evening[left]
        np.maximum(best[x:], value, out=best[x:])
    return best
