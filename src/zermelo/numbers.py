"""Numbers as people read them: decimals as far as they are certain, fractions of any size."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

Number = float | Fraction

LONG = 120  # characters of a fraction that are still shown in full


def digits(value: Number, low: Number, high: Number) -> str:
    """A value with the decimals that its interval makes reliable, and no others; a fraction as it is, shortened if long."""
    if isinstance(value, Fraction):
        return shortened(value)
    if low == high:
        return repr(float(value)) if value != int(value) else str(int(value))
    radius = max(float(high) - float(value), float(value) - float(low))
    places = max(0, math.floor(-math.log10(2 * radius))) if radius > 0 else 17
    return f"{float(value):.{min(places, 16)}f}"


def with_decimals(value: Number, low: Number, high: Number) -> str:
    """`digits`, and of a fraction the decimals too."""
    text = digits(value, low, high)
    return text if not isinstance(value, Fraction) or value.denominator == 1 else f"{text} = {decimals(value)}"


def in_full(value: Fraction) -> str:
    """p/q with all digits. (Python's own `str` refuses whole numbers of more than 4300.)"""
    p, q = Decimal(value.numerator), Decimal(value.denominator)
    return f"{p:f}" if q == 1 else f"{p:f}/{q:f}"


def shortened(value: Fraction) -> str:
    text = in_full(value)
    return text if len(text) <= LONG else f"{text[:24]}... / ...{text[-24:]} ({len(text) - 1:,} digits)"


def decimals(value: Fraction, places: int = 15) -> str:
    """A fraction in decimals, correctly rounded."""
    scaled = round(value * 10**places)
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{places}d}"
