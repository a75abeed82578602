"""The states in which a model begins."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from zermelo.foreign.model import Apply, Expr, Model, Name, Number, Truth, names_in
from zermelo.foreign.scope import Scope

MOST_INITIAL = 1_000_000  # states searched for those of `init ... endinit`
MOST_DRAWN = 50_000  # initial states


def initial_states(model: Model, scope: Scope) -> list[dict[str, Expr]]:
    """The values of the variables in every initial state. Raises `ModelError`.

    If open constants decide which these are, a single state, which need not be initial: the rules find the initial ones."""
    if model.initial is None:
        return [_declared(model, scope)]
    return [_lowest(model, scope)] if depends_on_open(model, scope) else _found(model, scope, model.initial)


def depends_on_open(model: Model, scope: Scope) -> bool:
    """Whether open constants decide which states `init ... endinit` means."""
    if model.initial is None:
        return False
    limits = [e for v in model.variables.values() for e in (v.low, v.high) if e is not None]
    return any(map(scope.depends_on_open, (model.initial, *limits)))


def _lowest(model: Model, scope: Scope) -> dict[str, Expr]:
    """The least value of every variable."""
    return {name: Truth(False) if v.low is None else scope.fold(v.low) for name, v in model.variables.items()}


def _declared(model: Model, scope: Scope) -> dict[str, Expr]:
    """The state in which every variable has its own `init`."""
    found: dict[str, Expr] = {}
    for name, v in model.variables.items():
        value = scope.fold(v.initial) if v.initial is not None else Truth(False) if v.low is None else scope.fold(v.low)
        if scope.type_of(value) != ("bool" if v.is_bool else "int") or not names_in(value) <= set(model.constants):
            raise model.error(v.line, f"{name} must begin with {'a truth value' if v.is_bool else 'a whole number'}")
        for bound, sign in ((v.low, 1), (v.high, -1)):
            limit = scope.value(bound) if bound is not None else None
            if isinstance(value, Number) and isinstance(limit, Fraction) and sign * (value.value - limit) < 0:
                raise model.error(v.line, f"{name} begins with {value.value}, which is not in its range")
        found[name] = value
    return found


def _found(model: Model, scope: Scope, condition: Expr) -> list[dict[str, Expr]]:
    """The states in which `init ... endinit` holds."""
    ranges: list[list[int | bool]] = []
    size = 1
    fixed = dict(_fixed(model, scope, scope.fold(condition)))
    for v in model.variables.values():
        bounds = [scope.value(e) for e in (v.low, v.high) if e is not None]
        known: list[int | bool] = list(range(int(bounds[0] or 0), int(bounds[1] or 0) + 1)) if bounds else [False, True]
        ranges.append([x for x in known if x == fixed[v.name]] if v.name in fixed else known)
        size *= len(ranges[-1])
    if size > MOST_INITIAL:
        most = f"at most {MOST_INITIAL:,} states"
        raise model.error(0, f"`init ... endinit` is looked for among {most}; give every variable its own init")
    found = []
    for values in product(*ranges):
        at = dict(zip(model.variables, values, strict=True))
        holds = scope.value(condition, at)
        if holds:
            found.append(at)
    if not found:
        raise model.error(0, "`init` holds in no state: there must be one")
    if len(found) > MOST_DRAWN:
        raise model.error(0, f"`init` holds in {len(found):,} states, and at most {MOST_DRAWN:,} are read: let it hold in fewer")
    return [{n: Truth(x) if isinstance(x, bool) else Number(Fraction(x)) for n, x in at.items()} for at in found]


def said(model: Model, scope: Scope, condition: Expr) -> Iterator[tuple[str, Expr]]:
    """Variables whose value a condition fixes, by constants, including open ones."""
    match condition:
        case Name(name) if name in model.variables:
            yield name, Truth(True)
        case Apply("!", (Name(name),)) if name in model.variables:
            yield name, Truth(False)
        case Apply("&", (left, right)):
            yield from said(model, scope, left)
            yield from said(model, scope, right)
        case Apply("=" | "<=>", (Name(name), other)) | Apply("=" | "<=>", (other, Name(name))) if name in model.variables:
            if names_in(other) <= set(model.constants) and scope.type_of(other) == scope.type_of(Name(name)):
                yield name, other


def _fixed(model: Model, scope: Scope, condition: Expr) -> Iterator[tuple[str, Fraction | bool]]:
    """Variables whose value a condition fixes, as x=4 & !b does, so that not all their values need to be tried."""
    for name, expr in said(model, scope, condition):
        value = scope.value(expr)
        if value is not None:
            yield name, value
