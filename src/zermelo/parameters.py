"""What is asked of numbers that a user gives to the library's own functions (a game's parameters: game.py)."""

from __future__ import annotations

import numpy as np

from zermelo.errors import ParameterError


def whole(name: str, value: object, least: int) -> int:
    """A parameter that must be a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ParameterError(f"{name} must be a whole number of at least {least}, not {value!r}")
    return int(value)


def check_tolerance(tolerance: object) -> None:
    """Raise `ParameterError` unless it is a number between 0 and 1, or None."""
    if tolerance is not None and (
        isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 < tolerance < 1
    ):
        raise ParameterError(f"tolerance must be a number between 0 and 1, such as 1e-9, not {tolerance!r}")
