"""A number with its derivative with respect to one parameter, both rational. Rules compute with such numbers when the parameter is one.

Python's operators follow the rules of differentiation, so everything that rules compute with them is differentiated without rounding. Where
the result would not be smooth, or is converted to a whole number, `NotSmooth` is raised.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Real
from typing import Any, NoReturn

from zermelo.basics.numbers import written


class NotSmooth(Exception):
    """There is no derivative: a comparison changes exactly here, or the parameter is used other than in arithmetic."""


OTHER_USE = "rules use it in another way than by + - * /, whole powers and comparisons"


class Dual:
    """value + slope * (parameter - its present value)."""

    __slots__ = ("slope", "value")

    def __init__(self, value: Fraction, slope: Fraction = Fraction(0)):
        self.value, self.slope = value, slope

    def __add__(self, other: Any) -> Dual:
        other = dual(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.slope)

    def __pos__(self) -> Dual:
        return self

    def __sub__(self, other: Any) -> Dual:
        return self + -dual(other)

    def __rsub__(self, other: Any) -> Dual:
        return dual(other) - self

    def __mul__(self, other: Any) -> Dual:
        other = dual(other)
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def __truediv__(self, other: Any) -> Dual:
        other = dual(other)
        return Dual(self.value / other.value, (self.slope * other.value - self.value * other.slope) / other.value**2)

    def __rtruediv__(self, other: Any) -> Dual:
        return dual(other) / self

    def __pow__(self, exponent: Any) -> Dual:
        if isinstance(exponent, bool) or not isinstance(exponent, int):
            raise NotSmooth("it is raised to a power that is no whole number")
        return Dual(self.value**exponent, exponent * self.value ** (exponent - 1) * self.slope if exponent else Fraction(0))

    def __abs__(self) -> Dual:
        return -self if self < 0 else self

    __radd__, __rmul__ = __add__, __mul__

    def _minus(self, other: Any) -> Fraction:
        """Which number is larger, here and nearby."""
        difference = self.value - dual(other).value
        if difference == 0:
            raise NotSmooth("rules compare it with just this number, so that there may be a kink or a jump here")
        return difference

    def __lt__(self, other: Any) -> bool:
        return self._minus(other) < 0

    __le__ = __lt__

    def __gt__(self, other: Any) -> bool:
        return self._minus(other) > 0

    __ge__ = __gt__

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Dual | Real):  # equal to nothing else
            self._minus(other)
        return False

    def __bool__(self) -> bool:
        return self._minus(0) != 0

    def _other_use(self, *_: Any) -> NoReturn:
        raise NotSmooth(OTHER_USE)

    __int__ = __index__ = __float__ = __round__ = __floor__ = __ceil__ = __trunc__ = __hash__ = _other_use
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = __rpow__ = _other_use


def dual(number: Any) -> Dual:
    """A number that does not depend on the parameter; a float is read as the decimal it is written as. Raises `OutOfReach`, and `NotSmooth`
    for what is no number, as in `(1,) * parameter`."""
    is_number = isinstance(number, Dual | Real)
    if not is_number:
        raise NotSmooth(OTHER_USE)
    return number if isinstance(number, Dual) else Dual(written(number))
