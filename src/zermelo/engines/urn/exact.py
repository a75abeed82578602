"""The value of an urn as a rational number, computed in whole numbers only.

G(p, m) = V(p, m) C(p + m, p) counts over all orders of the balls: G(p, m) = max(0, G(p-1, m) + C(p+m-1, p-1) +
G(p, m-1) - C(p+m-1, p)). V falls with m, so a row ends at its first 0. O(p m) sums of whole numbers of p + m bits.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

from zermelo.basics.progress import Progress, silent
from zermelo.errors import OutOfReach

MOST_BITS = 10**13  # the most bits added up in all; about an hour


def exact_value(name: str, plus: int, minus: int, progress: Progress = silent) -> Fraction:
    """V of the urn, proven. Raises `OutOfReach` if that would take hours."""
    check_exact(name, plus, minus)
    row = [0] * (minus + 1)
    for p in range(1, plus + 1):
        row = _next_row(row, p)
        if p % 16 == 0:
            progress("solving exactly", p, plus)
    return Fraction(row[minus], comb(plus + minus, plus))


def check_exact(name: str, plus: int, minus: int) -> None:
    """Raise `OutOfReach` if rational numbers would take hours."""
    if plus * minus * (plus + minus) > MOST_BITS:
        raise OutOfReach(
            f"{name}: {plus:,} + {minus:,} would take hours or more in rational numbers; without `exact` the value is a certified interval"
        )


def balanced_values(name: str, largest: int) -> list[Fraction]:
    """V of the urns with n balls of each kind, n = 0, 1, ..., largest, proven. Raises `OutOfReach` if that would take hours."""
    check_exact(name, largest, largest)
    row, values = [0] * (largest + 1), [Fraction(0)]
    for n in range(1, largest + 1):
        row = _next_row(row, n)
        values.append(Fraction(row[n], comb(2 * n, n)))
    return values


def _next_row(before: list[int], p: int) -> list[int]:
    """G(p, .) from G(p - 1, .)."""
    row = [0] * len(before)
    row[0] = here = p
    with_minus = 1  # C(p + m - 1, p): orders in which a -1 comes first
    for m in range(1, len(before)):
        with_plus = with_minus * p // m  # C(p + m - 1, p - 1)
        here = before[m] + with_plus + here - with_minus
        if here <= 0:
            break
        row[m] = here
        with_minus += with_plus
    return row
