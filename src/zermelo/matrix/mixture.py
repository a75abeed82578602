"""Mixed strategies as given by users: probabilities by strategy, read as rationals that sum to 1."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from zermelo.errors import ParameterError
from zermelo.matrix.numbers import rational

SLACK = Fraction(1, 10**9)  # the most by which the sum of probabilities given as floats may differ from 1


def probabilities(mixture: Mapping[Any, Any], what: str) -> dict[Any, Fraction]:
    """The strategies with positive probability. Floats may sum to 1 up to rounding; they are divided by their sum.

    Raises `ParameterError`, with a message that begins with `what`, for numbers that are negative, not finite, or do not sum to 1.
    """
    try:
        found = {strategy: Fraction(rational(p, what)) for strategy, p in mixture.items()}
    except ParameterError:
        raise ParameterError(f"{what} are {shown(mixture)}: they must be finite numbers: whole numbers, fractions or floats") from None
    total = sum(found.values(), Fraction(0))
    if abs(total - 1) > SLACK or any(p < 0 for p in found.values()):
        raise ParameterError(f"{what} are {shown(mixture)}: none may be negative, and they must sum to 1")
    return {strategy: p / total for strategy, p in found.items() if p}


def shown(mixture: Mapping[Any, Any]) -> str:
    text = repr(dict(mixture))
    return text if len(text) <= 200 else f"{text[:197]}..."
