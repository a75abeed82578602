"""Payoffs of a matrix as the user gives them, as rationals, as whole numbers and as floats."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np

from zermelo.basics.numbers import WHOLE, meant
from zermelo.errors import ParameterError

Exact = int | Fraction


def rational(number: Any, where: str) -> Exact:
    """A payoff as a rational. A float that is written as a short decimal counts as that decimal (0.1 is 1/10), any other float as its
    binary value. `where` names it in errors. Raises `ParameterError`."""
    if isinstance(number, bool | np.bool_):
        return int(number)
    if isinstance(number, int | np.integer):
        return int(number)
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, float | np.floating):
        value = float(number)
        if not math.isfinite(value):
            raise ParameterError(f"{where} is {value}: payoffs must be finite numbers")
        if value.is_integer() and -WHOLE < value < WHOLE:
            return int(value)
        exact = meant(value)  # 1e23 is 10^23, although the float is another whole number
        return int(exact) if exact.denominator == 1 else exact
    raise ParameterError(f"{where} is {number!r}: payoffs are whole numbers, fractions or floats")


def whole(payoff: Sequence[Sequence[Exact]]) -> tuple[list[list[int]], int]:
    """The payoffs multiplied by their common denominator, and the denominator."""
    unit = math.lcm(*{number.denominator for row in payoff for number in row})
    if unit == 1:
        return [[int(number) for number in row] for row in payoff], 1
    return [[number.numerator * (unit // number.denominator) for number in row] for row in payoff], unit


def floats(payoff: Sequence[Sequence[Exact]]) -> np.ndarray:
    """float64[rows, columns]: the payoffs, divided by the largest one if that is too large for a float."""
    try:
        return np.array([[float(number) for number in row] for row in payoff])
    except OverflowError:
        most = max(abs(Fraction(number)) for row in payoff for number in row)
        return np.array([[float(number / most) for number in row] for row in payoff])
