"""Checks of numbers that a user gives to functions of the library (for parameters of games see language/parameters.py)."""

from __future__ import annotations

import os
from enum import Enum
from numbers import Integral, Real
from typing import TypeVar

from zermelo.errors import ParameterError

Member = TypeVar("Member", bound=Enum)


def whole(name: str, value: object, least: int, most: int | None = None) -> int:
    """`value` as an int. Raises `ParameterError` unless it is a whole number from `least` to `most`."""
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if number is None or number < least or (most is not None and number > most):
        wanted = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise ParameterError(f"{name} must be a whole number {wanted}, not {value!r}")
    return number


def member(name: str, value: object, kind: type[Member]) -> Member:
    """A member of an Enum of texts, which may be given by its text. Raises `ParameterError`."""
    try:
        return kind(value)
    except ValueError:
        raise ParameterError(f"{name} must be one of {', '.join(m.value for m in kind)}, not {value!r}") from None


def check_path(path: object) -> None:
    """Raise `ParameterError` for anything that cannot name a file."""
    if not isinstance(path, str | os.PathLike) or not os.fspath(path) or "\0" in os.fspath(path):
        raise ParameterError(f"a file is named by its path, not by {path!r}")


def check_progress(progress: object) -> None:
    """Raise `ParameterError` for anything that cannot be called as a progress function."""
    if not callable(progress):
        raise ParameterError(f"progress must be a function of what, done and total, not {progress!r}")


def check_tolerance(tolerance: object) -> None:
    """Raise `ParameterError` unless it is a number between 0 and 1, or None."""
    if tolerance is not None and (
        isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 < tolerance < 1
    ):
        raise ParameterError(f"tolerance must be a number between 0 and 1, such as 1e-9, not {tolerance!r}")


def check_number(value: object) -> None:
    """Raise `ParameterError` for anything but a number whose probability can be asked for."""
    if isinstance(value, bool) or not isinstance(value, Real) or value != value:
        raise ParameterError(f"a probability is asked for by a number, not {value!r}")


def check_quantile(q: object) -> None:
    """Raise `ParameterError` unless it is a number from 0 to 1."""
    is_number = isinstance(q, Real) and not isinstance(q, bool)
    if not is_number or not 0 <= q <= 1:  # type: ignore[operator]
        raise ParameterError(f"a quantile is asked for by a number from 0 to 1, not {q!r}")
