"""What a game may say with `win_probability`: chances that are linear in the value, as both are means over plays. Standard library only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from numbers import Real
from typing import Any

CLOSE = 1e-9  # chances that differ by less are the same: they may be computed in floats
BETWEEN = (Fraction(1, 7), Fraction(1, 2), Fraction(4, 5))  # where between two values a line is looked at

Number = Any  # a float, a whole number or a Fraction


def chance_fault(chance: Any, value: Number, where: str = "") -> str:
    """Why this can't be the chance of winning that a value stands for, which is known from `where`; "" if it can."""
    if fault := number_fault(chance, value, where):
        return fault
    if not -CLOSE <= chance <= 1 + CLOSE:  # NaN, too
        return f"`win_probability` is {told(chance)} for the value {told(value)}{where}: a chance lies between 0 and 1"
    return ""


def number_fault(chance: Any, value: Number, where: str = "") -> str:
    """The same where any number will do."""
    if isinstance(chance, bool) or not isinstance(chance, Real):
        what = "None" if chance is None else f"a {type(chance).__name__}"
        return f"`win_probability` returns {what} for the value {told(value)}{where}: it must return a number, as `(1 + value) / 2` does"
    return ""


def line_fault(convert: Callable[[Number], Number], values: Iterable[Number]) -> str:
    """Why this is no function that is linear in the value and does not fall, between the least and the largest of these, for which it is
    known to say chances; "" if it is."""
    low, high = min(values, default=0), max(values, default=0)
    if low == high:
        return ""
    ends = convert(low), convert(high)
    if ends[0] > ends[1] + CLOSE:
        said = f"{told(ends[0])} for the value {told(low)} to {told(ends[1])} for {told(high)}"
        return f"`win_probability` falls from {said}: it is the chance of who wants the value high"
    for share in BETWEEN:
        value = Fraction(low) + share * (Fraction(high) - Fraction(low))
        found, wanted = convert(value), float(ends[0]) + float(share) * (float(ends[1]) - float(ends[0]))
        if fault := chance_fault(found, value):
            return fault
        if abs(float(found) - wanted) > CLOSE:
            said = f"{told(ends[0])} for the value {told(low)} and {told(ends[1])} for {told(high)}, but {told(found)} for {told(value)}"
            return f"`win_probability` is not linear in the value: {said}, where a line has {told(wanted)}"
    if ends[0] == ends[1] and high - low > CLOSE:
        return f"`win_probability` is {told(ends[0])} for the values {told(low)} and {told(high)}: it must rise, as `(1 + value) / 2` does"
    return ""


def told(number: Number) -> str:
    """A number in a message."""
    return f"{float(number):.6g}"


def home_of(game_class: type) -> type:
    """The class whose `win_probability` it is: the game's own, or the one that it is inherited from."""
    return next((c for c in game_class.__mro__ if "win_probability" in vars(c)), game_class)


def inherited(game_class: type) -> str:
    """What to do where an inherited `win_probability` does not fit the game; "" where it is the game's own."""
    home = home_of(game_class)
    if home is game_class:
        return ""
    return f"; it is inherited from {home.__name__}: define one for what {game_class.__name__} pays, or `win_probability = None` for none"
