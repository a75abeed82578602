"""Numbers of a model as whole multiples of a common unit, so that payoffs of rules are exact: 1/6 and 1/4 are 2 and 3 units of 1/12."""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.basics.numbers import short_decimal
from zermelo.foreign.model import Expr, Number, names_in
from zermelo.foreign.python import is_large
from zermelo.foreign.scope import ONE, Scope


def in_units(scope: Scope, values: Sequence[Expr]) -> tuple[dict[Expr, Expr], Expr] | None:
    """Each of these folded numbers as a multiple of 1/unit, whole in every state, and this unit, in which only constants occur. None if
    that can't be determined, or requires numbers from 2^53 on."""
    pairs = [scope.ratio(v) for v in values]
    for over, under in pairs:
        if scope.type_of(over) != "int" or scope.type_of(under) != "int" or not names_in(under) <= set(scope.model.constants):
            return None
    whole, unit = scope.alike(pairs)
    return None if any(map(is_large, (*whole, unit))) else (dict(zip(values, whole, strict=True)), unit)


def is_written_exactly(scope: Scope, value: Expr) -> bool:
    """Whether rules can pay a folded number unchanged: a whole number, or a constant that is a short decimal."""
    if isinstance(value, Number):
        return value.value.denominator == 1 or short_decimal(float(value.value)) == value.value
    return scope.ratio(value)[1] == ONE
