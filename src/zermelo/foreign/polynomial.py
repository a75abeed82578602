"""Whether two expressions are the same polynomial in their names: p/10 + (1 - p/10) is 1, whatever p is."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from zermelo.foreign.model import Apply, Expr, Number

Polynomial = dict[tuple[int, ...], Fraction]  # coefficients by the sorted numbers of the factors
MOST = 1_000  # terms; larger polynomials are not compared


def same(a: Expr, b: Expr) -> bool:
    """Whether both are the same for all values; False also if this can't be determined."""
    atoms: dict[Expr, int] = {}
    left, right = _expanded(a, atoms), _expanded(b, atoms)
    return left is not None and left == right


def _expanded(expr: Expr, atoms: dict[Expr, int]) -> Polynomial | None:
    if isinstance(expr, Number):
        return {(): expr.value} if expr.value else {}
    if isinstance(expr, Apply) and expr.op in ("+", "-", "*", "neg"):
        parts = [_expanded(a, atoms) for a in expr.args]
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        if expr.op == "*":
            return _product(*known)
        signs = (1, -1) if expr.op == "-" else (-1,) if expr.op == "neg" else (1, 1)
        terms = ((factors, sign * count) for sign, part in zip(signs, known, strict=True) for factors, count in part.items())
        return _sum(terms)
    return {(atoms.setdefault(expr, len(atoms)),): Fraction(1)}


def _product(a: Polynomial, b: Polynomial) -> Polynomial | None:
    if len(a) * len(b) > MOST:
        return None
    return _sum((tuple(sorted(left + right)), m * n) for left, m in a.items() for right, n in b.items())


def _sum(terms: Iterable[tuple[tuple[int, ...], Fraction]]) -> Polynomial:
    total: Polynomial = {}
    for factors, count in terms:
        total[factors] = total.get(factors, Fraction(0)) + count
    return {f: c for f, c in total.items() if c}
