"""A threshold inside a property, as in P=? [ F P>=0.5 [ X x=1 ] ]: the set of the states in which it holds.

It is found by solving another game (deciding.py), and written into the rules as a table of truth values.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from zermelo.foreign.model import Model, ModelError, Property, Variable
from zermelo.foreign.scope import Scope

MOST = 4_000_000  # states within the ranges of the variables
BITS = 32  # truth values in a number of a table


@dataclass(frozen=True)
class Held:
    """The states in which a property holds, as bits by their place within the ranges of the variables."""

    numbers: tuple[int, ...]
    ranges: tuple[tuple[str, int, int], ...]  # of every variable: its name, its least value, and the number of values

    @classmethod
    def of(cls, model: Model, scope: Scope, asked: Property, states: Iterable[tuple[int, ...]]) -> Held:
        """Make the set of these states. Raises `ModelError` if ranges are open or too wide."""
        ranges, places = _places(model, scope)
        if places > MOST:
            raise model.error(
                asked.line, f"{asked.text}: a property inside of another one is read where the ranges allow {MOST:,} states, not {places:,}"
            )
        numbers = [0] * (places // BITS + 1)
        for state in states:
            place = 0
            for value, (_, low, size) in zip(state, ranges, strict=True):
                place = place * size + value - low
            numbers[place // BITS] |= 1 << place % BITS
        return cls(tuple(numbers), tuple(ranges))

    @staticmethod
    def is_possible(model: Model, scope: Scope) -> bool:
        """Whether a set of states can be made: no range is open or too wide."""
        try:
            return _places(model, scope)[1] <= MOST
        except ModelError:
            return False

    def has(self, values: Iterable[int]) -> bool:
        """Whether the state of these values is one of them."""
        place = 0
        for value, (_, low, size) in zip(values, self.ranges, strict=True):
            place = place * size + value - low
        return bool(self.numbers[place // BITS] >> place % BITS & 1)


def _places(model: Model, scope: Scope) -> tuple[list[tuple[str, int, int]], int]:
    """The range of every variable, as in `Held`, and the number of states within them."""
    ranges = [(v.name, *_range(model, scope, v)) for v in model.variables.values()]
    return ranges, prod(size for *_, size in ranges)


def _range(model: Model, scope: Scope, variable: Variable) -> tuple[int, int]:
    if variable.low is None or variable.high is None:
        return 0, 2
    low, high = scope.value(variable.low), scope.value(variable.high)
    if not isinstance(low, Fraction) or not isinstance(high, Fraction):
        what = f"the range of {variable.name}: give its constants with --const"
        raise model.error(variable.line, f"a property inside of another one needs {what}")
    return int(low), int(high - low) + 1
