"""Modules on which nothing depends are left out, as if they were not in the model (the *cone of influence* of a property).

A module may go if it never acts alone and never holds others up - each of its commands waits for a label of other modules, one command
for each, always enabled - and if nobody reads its variables: no other module, not the property, its rewards or the initial states. What
it does then changes no probability, no choice and no number of steps of the rest. Its assignments must certainly stay within the ranges,
since PRISM stops where they do not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import inf

from zermelo.foreign.model import (
    GAMES,
    Apply,
    Assignment,
    Command,
    Expr,
    Label,
    Model,
    Module,
    Name,
    Number,
    Property,
    Together,
    Truth,
    Variable,
    may_fail,
    parts,
)
from zermelo.foreign.scope import Scope

Range = tuple[Fraction | float, Fraction | float]
ANY: Range = (-inf, inf)


def without_what_nothing_depends_on(model: Model, question: Property, given: Mapping[str, Fraction | bool]) -> Model:
    """The model for this property, with a note if modules were left out."""
    is_about_start = question.among is None and question.op in ("", "min", "max")  # and there is one start
    if model.kind in GAMES or model.players or model.initial is not None or model.sets or question.inner or not is_about_start:
        return model
    scope, kept = Scope(model, given), list(model.modules)
    while (idle := next((m for m in kept if _is_idle(m, kept, model, question, scope)), None)) is not None:
        kept.remove(idle)
    left_out = [m.name for m in model.modules if m not in kept]
    if not left_out:
        return model
    gone = {name for m in model.modules if m not in kept for name in _own(m)}
    together = [Together(t.label, tuple(part for part in t.of if part[0] not in left_out)) for t in model.together]
    what = f"the module {left_out[0]} is" if len(left_out) == 1 else f"the modules {', '.join(left_out)} are"
    return replace(
        model, modules=kept, together=together, variables={n: v for n, v in model.variables.items() if n not in gone},
        notes=[*model.notes, f"{what} left out: nothing that is asked depends on it"],
    )  # fmt: skip


def _is_idle(module: Module, kept: list[Module], model: Model, question: Property, scope: Scope) -> bool:
    if len(kept) == 1:
        return False
    labels = [command.label for command in module.commands]
    if "" in labels or len(set(labels)) < len(labels) or not all(map(_is_certain, module.commands)):
        return False
    left = {m.name for m in kept}
    for together in model.together:
        acts, others = [label for name, label in together.of if name == module.name], {name for name, _ in together.of if name in left}
        if acts and (len(acts) > 1 or acts[0] not in labels or len(others) < 2):
            return False
    assigned = _assigned(module)
    if not (all(_fits(assignment, model, scope) for assignment in assigned) and all(_begins(name, model, scope) for name in _own(module))):
        return False
    read = _names(_read(model, question, [m for m in kept if m is not module]), model)
    return not read & {spelt for name in _own(module) for spelt in (name, f"{name}'")}


def _assigned(module: Module) -> list[Assignment]:
    return [assignment for command in module.commands for branch in command.branches for assignment in branch.assignments]


def _own(module: Module) -> set[str]:
    """The variables that a module declares (PRISM) or changes (in JANI none belongs to a module)."""
    return {*module.variables, *(assignment.name for assignment in _assigned(module))}


def _is_certain(command: Command) -> bool:
    """Whether a command is always enabled, and has one result (which in chains in continuous time is no factor of a rate, either)."""
    if command.guard != Truth(True) or command.labels not in ((), (command.label,)) or len(command.branches) != 1:
        return False
    (branch,) = command.branches
    return not branch.paid and (branch.probability is None or (isinstance(branch.probability, Number) and branch.probability.value == 1))


def _read(model: Model, question: Property, modules: list[Module]) -> Iterator[Expr | None]:
    """Every expression on which the answer may depend."""
    for module in modules:
        for command in module.commands:
            yield command.guard
            for branch in command.branches:
                yield branch.probability
                yield from branch.paid.values()
                for assignment in branch.assignments:
                    yield from (Name(assignment.name), assignment.value)
    for variable in model.variables.values():
        yield from (variable.low, variable.high, variable.initial)
    for items in model.rewards.values():
        for item in items if question.measure == "R" or question.within else ():
            yield from (item.guard, item.value)
    yield from (question.left, question.right, question.low, question.high, question.bound, question.among)
    for bound in question.within:
        yield from (bound.low, bound.high)


def _names(read: Iterable[Expr | None], model: Model) -> set[str]:
    """The names in these expressions, and in the formulas and labels that they name."""
    found: set[str] = set()
    waiting = [expr for expr in read if expr is not None]
    while waiting:
        expr = waiting.pop()
        waiting += parts(expr)
        if isinstance(expr, Label):
            known = f'"{expr.name}"'
            waiting += [model.labels[expr.name]] if known not in found and expr.name in model.labels else []
            found |= {known, *(model.variables if expr.name not in (*model.labels, "deadlock") else ())}  # "init" is about all of them
        elif isinstance(expr, Name) and expr.name not in found:
            found.add(expr.name)
            waiting += [model.formulas[expr.name]] if expr.name in model.formulas else []
    return found


def _fits(assignment: Assignment, model: Model, scope: Scope) -> bool:
    """Whether an assignment certainly gives its variable a value that it may have."""
    return assignment.name in model.variables and _holds(model.variables[assignment.name], assignment.value, model, scope)


def _begins(name: str, model: Model, scope: Scope) -> bool:
    """Whether a variable certainly begins with a value that it may have."""
    variable = model.variables.get(name)
    return variable is not None and _holds(variable, variable.initial or variable.low or Truth(False), model, scope)


def _holds(variable: Variable, value: Expr, model: Model, scope: Scope) -> bool:
    """Whether this is certainly a value of the variable; what may fail, such as a quotient, is none."""
    names = _names([value], model)
    known = {name.removesuffix("'") for name in names} <= {*model.variables, *model.constants, *model.formulas}
    if not known or any(map(may_fail, (value, *(model.formulas[name] for name in names if name in model.formulas)))):
        return False
    if variable.low is None or variable.high is None:
        return scope.type_of(value) == "bool"
    (low, high), (_, least), (most, _) = (_range(expr, model, scope) for expr in (value, variable.low, variable.high))
    return scope.type_of(value) == "int" and least <= low and high <= most


def _range(expr: Expr, model: Model, scope: Scope) -> Range:
    """The least and the largest value that an expression may have, as far as this is easily told."""
    if isinstance(expr, Number):
        return expr.value, expr.value
    if isinstance(expr, Name):
        if expr.name in model.variables:
            variable = model.variables[expr.name]
            return ANY if variable.is_bool else (_range(variable.low, model, scope)[0], _range(variable.high, model, scope)[1])  # type: ignore[arg-type]
        known = scope.body(expr.name, expr.line)
        return ANY if known == expr else _range(known, model, scope)
    if not isinstance(expr, Apply):
        return ANY
    if expr.op == "?:":
        _, one, other = expr.args
        (a, b), (c, d) = _range(one, model, scope), _range(other, model, scope)
        return min(a, c), max(b, d)
    ranges = [_range(arg, model, scope) for arg in expr.args]
    if expr.op in ("min", "max"):
        pick = min if expr.op == "min" else max
        return pick(low for low, _ in ranges), pick(high for _, high in ranges)
    if expr.op == "neg":
        return -ranges[0][1], -ranges[0][0]
    if expr.op == "+":
        return sum(low for low, _ in ranges), sum(high for _, high in ranges)
    if expr.op == "-":
        (a, b), (c, d) = ranges
        return a - d, b - c
    return ANY
