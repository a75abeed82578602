"""The possible steps of a model: every command, or commands of several modules together, with whole weights.

A *step* is one command that happens by itself, or a choice of one command from each module of a label.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from zermelo.basics.numbers import WHOLE
from zermelo.basics.words import counted
from zermelo.foreign.model import (
    Apply,
    Assignment,
    Branch,
    Command,
    Expr,
    Model,
    Name,
    Number,
    Together,
    Truth,
    names_in,
)
from zermelo.foreign.polynomial import same
from zermelo.foreign.scope import ONE, ZERO, Scope

MOST_COMPARED = 500  # steps whose guards are compared with one another
ROUNDED = Fraction(1, 100_000)  # how far the sum of probabilities may be from 1, as with PRISM


@dataclass(frozen=True)
class Weights:
    """Whole weights of the branches of a command; their sum is `whole` times the product of `others`.

    is_sure : whether this holds in every state; otherwise the rules have to check."""

    ways: tuple[Expr, ...]
    whole: int
    others: tuple[Expr, ...]
    is_sure: bool = True

    def sum_and_total(self, scope: Scope) -> tuple[Expr, Expr]:
        """The two expressions that must be equal."""
        found: Expr = ZERO
        for way in self.ways:
            found = scope.computed("+", found, way)
        total: Expr = Number(Fraction(self.whole))
        for other in self.others:
            total = scope.times(total, other)
        return found, total


def probabilities(weights: Weights) -> list[Fraction]:
    """Weights that are constant, divided by their sum."""
    return [w.value / weights.whole for w in weights.ways if isinstance(w, Number)]


@dataclass(frozen=True)
class Part:
    """The commands of one module with one label, those that can ever happen."""

    module: str
    commands: tuple[Command, ...]  # guards and branches folded
    weights: tuple[Weights, ...]


@dataclass(frozen=True)
class Step:
    """Commands that happen at once: those with the same label, of one or several modules."""

    label: str
    parts: tuple[Part, ...]
    module: str  # the owner if there is no label

    @property
    def choices(self) -> int:
        return math.prod(len(p.commands) for p in self.parts)

    @property
    def longest(self) -> int:
        """The number of outcomes if all choices are written out."""
        return math.prod(sum(len(c.branches) for c in p.commands) for p in self.parts)

    @property
    def length(self) -> int:
        return sum(len(c.branches) for p in self.parts for c in p.commands)

    @property
    def guard(self) -> Expr:
        """The condition under which it can happen."""
        return all_of([any_of([c.guard for c in p.commands]) for p in self.parts])

    def each(self) -> Iterator[tuple[tuple[Command, ...], tuple[Weights, ...]]]:
        """Every choice: its commands and their weights."""
        for chosen in product(*(range(len(p.commands)) for p in self.parts)):
            yield (
                tuple(p.commands[i] for p, i in zip(self.parts, chosen, strict=True)),
                tuple(p.weights[i] for p, i in zip(self.parts, chosen, strict=True)),
            )


def steps_of(model: Model, scope: Scope) -> list[Step]:
    """All steps of a model, in the order of the source; those that can never happen are left out."""
    found: list[Step] = []
    if model.kind == "csg":  # whose players choose at once: concurrent.py
        return found
    modules = {m.name: m for m in model.modules}
    taking: dict[tuple[str, str], list[Together]] = {}
    for together in model.together:
        for who in together.of:
            taking.setdefault(who, []).append(together)
    done: set[str] = set()
    for module in model.modules:
        for command in module.commands:
            if not command.label:
                part = part_of(scope, module.name, [command])
                found += [Step("", (part,), module.name)] if part.commands else []
            for together in taking.get((module.name, command.label), ()) if command.label else ():
                if together.label not in done:
                    done.add(together.label)
                    parts = tuple(part_of(scope, m, [c for c in modules[m].commands if c.label == a]) for m, a in together.of)
                    found += [Step(together.label, parts, "")] if all(p.commands for p in parts) else []
    for step in found:
        _check_writes(model, step)
    if scope.divided:
        line, total = max(scope.divided.items(), key=lambda item: abs(item[1] - 1))
        more = f"; so do those of {counted(len(scope.divided) - 1, 'further command')}, which are closer" if len(scope.divided) > 1 else ""
        off = f"1 {'+' if total > 1 else '-'} {abs(float(total - 1)):.2g}"
        model.notes.append(f"line {line}: the probabilities sum to {off}; they are divided by it{more}")
    return found


def part_of(scope: Scope, module: str, commands: list[Command]) -> Part:
    """The commands of a module that can ever happen, folded, with their weights."""
    kept, weights = [], []
    for command in commands:
        guard = scope.fold(command.guard)
        if scope.type_of(guard) != "bool":
            raise scope.model.error(command.line, "a guard is a condition, and this is a number")
        if guard == Truth(False):
            continue
        branches = [_branch(scope, b) for b in command.branches]
        kept_branches, found = weighted(scope, command, branches)
        kept.append(Command(command.label, guard, tuple(kept_branches), command.line, command.labels))
        weights.append(found)
    return Part(module, tuple(kept), tuple(weights))


def _branch(scope: Scope, branch: Branch) -> Branch:
    assigned = []
    for a in branch.assignments:
        variable = scope.model.variables.get(a.name)
        if variable is None:
            raise scope.model.error(a.line, f"{a.name}' is set, and there is no variable {a.name}")
        value = scope.fold(a.value)
        kind = scope.type_of(value)
        if kind != ("bool" if variable.is_bool else "int"):
            wanted = "a truth value" if variable.is_bool else "a whole number"
            hint = "; floor(...) makes it one" if kind == "double" else ""
            raise scope.model.error(a.line, f"{a.name}' must be {wanted}{hint}")
        assigned.append(Assignment(a.name, value, a.line))
    probability = scope.fold(branch.probability) if branch.probability is not None else None
    paid = {name: scope.fold(value) for name, value in branch.paid.items()}
    return Branch(probability, tuple(assigned), paid)


def weighted(scope: Scope, command: Command, branches: list[Branch]) -> tuple[list[Branch], Weights]:
    """The branches that can happen, and their weights."""
    pairs = []
    for branch in branches:
        probability = branch.probability if branch.probability is not None else ONE
        if scope.type_of(probability) == "bool":
            raise scope.model.error(command.line, "a probability is a number, and this is a truth value")
        pairs.append(scope.ratio(probability))
    constant = [Fraction(n.value) / d.value for n, d in pairs if isinstance(n, Number) and isinstance(d, Number)]
    if constant and min(constant) < 0:
        raise scope.model.error(command.line, f"a probability of {float(min(constant)):g}")
    if len(constant) == len(pairs):
        missing = 1 - sum(constant, Fraction(0))
        if abs(missing) > ROUNDED:
            raise scope.model.error(command.line, f"the probabilities sum to {float(sum(constant)):.9g}, not to 1")
        if missing:
            scope.divided[command.line] = sum(constant, Fraction(0))
    kept = [i for i, (n, _) in enumerate(pairs) if not (isinstance(n, Number) and n.value == 0)]
    branches, pairs = [branches[i] for i in kept], [pairs[i] for i in kept]
    ways, _ = scope.alike(pairs)
    others = tuple(dict.fromkeys(d for _, d in pairs if not isinstance(d, Number)))
    whole = math.lcm(*(int(d.value) for _, d in pairs if isinstance(d, Number)))
    if not others and all(isinstance(w, Number) for w in ways):
        whole = sum(int(w.value) for w in ways if isinstance(w, Number))
        common = math.gcd(*(int(w.value) for w in ways if isinstance(w, Number)))
        ways = [Number(w.value / common) for w in ways if isinstance(w, Number)]
        whole //= common
    found = Weights(tuple(ways), whole, others)
    return branches, replace(found, is_sure=same(*found.sum_and_total(scope)))


def _check_writes(model: Model, step: Step) -> None:
    """Refuse two modules that set one variable at once."""
    seen: dict[str, str] = {}
    for part in step.parts:
        for name in {a.name for c in part.commands for b in c.branches for a in b.assignments}:
            if name in seen:
                line = part.commands[0].line
                raise model.error(line, f"[{step.label}] sets {name} in the modules {seen[name]} and {part.module} at once")
            seen[name] = part.module


Total = tuple[int, tuple[Expr, ...]]  # a whole number and further factors


def levelled(scope: Scope, part: Part) -> Part:
    """The part with weights that have the same sum in every command."""
    total = _shared([(w.whole, w.others) for w in part.weights])
    return replace(part, weights=tuple(_scaled(scope, w, total) for w in part.weights))


def scaled_steps(scope: Scope, steps: list[Step]) -> tuple[list[Step], list[Total]]:
    """The steps of a model in which no player chooses, all parts levelled, and for each a total to which its weights can be scaled, since
    all commands that can happen in a state are equally likely. It is the total of all steps; if that is too large to be
    exact, or varies, only of those steps that can happen in the same state, judging by their guards."""
    found = _levelled(scope, steps)
    total = _shared([_total(step) for step in found])
    varies = any(names_in(other) - scope.model.constants.keys() for other in total[1])  # it may be 0 when another command happens
    if (total[0] < WHOLE and not varies) or len(steps) > MOST_COMPARED:
        return found, [total] * len(found)
    apart = _levelled(scope, [one for step in steps for one in _by_command(step)])
    totals = [_total(step) for step in apart]
    group = _meeting(apart)
    return apart, [_shared([t for t, g in zip(totals, group, strict=True) if g == own]) for own in group]


def _by_command(step: Step) -> list[Step]:
    """A step of one module as several, one for each command."""
    if len(step.parts) > 1:
        return [step]
    (part,) = step.parts
    each = zip(part.commands, part.weights, strict=True)
    return [Step(step.label, (Part(part.module, (command,), (weights,)),), step.module) for command, weights in each]


def _levelled(scope: Scope, steps: list[Step]) -> list[Step]:
    return [replace(s, parts=tuple(levelled(scope, p) for p in s.parts)) for s in steps]


def _meeting(steps: list[Step]) -> list[int]:
    """For each step the first of those with which it may happen in the same state, in sequence."""
    guards = [_conjuncts(s.guard) for s in steps]
    group = list(range(len(steps)))
    for k, guard in enumerate(guards):
        for other in range(k):
            if group[other] != group[k] and not _contradict(guard, guards[other]):
                low, high = sorted((group[other], group[k]))
                group = [low if g == high else g for g in group]
    return group


def missing_factor(scope: Scope, total: Total, step: Step) -> Expr:
    """The factor that makes the weights of a step sum to `total`."""
    return _missing(scope, _total(step), total)


def _total(step: Step) -> Total:
    first = [p.weights[0] for p in step.parts]
    return math.prod(w.whole for w in first), tuple(o for w in first for o in w.others)


def _shared(totals: list[Total]) -> Total:
    others: list[Expr] = []
    for _, factors in totals:
        for other in dict.fromkeys(factors):
            others += [other] * (factors.count(other) - others.count(other))
    return math.lcm(*(whole for whole, _ in totals)), tuple(others)


def _missing(scope: Scope, own: Total, total: Total) -> Expr:
    factor: Expr = Number(Fraction(total[0] // own[0]))
    left = list(total[1])
    for other in own[1]:
        left.remove(other)
    for other in left:
        factor = scope.times(factor, other)
    return factor


def _scaled(scope: Scope, weights: Weights, total: Total) -> Weights:
    factor = _missing(scope, (weights.whole, weights.others), total)
    return Weights(tuple(scope.times(factor, w) for w in weights.ways), *total, weights.is_sure)


REVERSED = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
DENIED = {"=": ("!=", "<", ">"), "!=": ("=",), "<": ("=", ">", ">="), ">=": ("<",), ">": ("=", "<", "<="), "<=": (">",)}


def is_exclusive(part: Part) -> bool:
    """Whether at most one command of a part can happen at a time, judging by their guards: any two contradict each other."""
    guards = [_conjuncts(c.guard) for c in part.commands]
    return all(_contradict(a, b) for k, a in enumerate(guards) for b in guards[:k])


def _conjuncts(guard: Expr) -> list[Expr]:
    return [c for side in guard.args for c in _conjuncts(side)] if isinstance(guard, Apply) and guard.op == "&" else [guard]


def _contradict(one: list[Expr], other: list[Expr]) -> bool:
    if any(_denies(a, b) for a in one for b in other):
        return True
    left, right = _limits(one), _limits(other)
    return any(left[name][0] > high or left[name][1] < low for name, (low, high) in right.items() if name in left)


def _denies(a: Expr, b: Expr) -> bool:
    """Whether two conditions on the same operands exclude each other."""
    if Apply("!", (a,)) == b or Apply("!", (b,)) == a:
        return True
    return isinstance(a, Apply) and isinstance(b, Apply) and a.args == b.args and b.op in DENIED.get(a.op, ())


Limit = tuple[float | Fraction, int]  # a number, and 1 or -1 if the limit lies just above or below it, so that they compare


def _limits(conditions: list[Expr]) -> dict[Expr, tuple[Limit, Limit]]:
    """The limits that conditions such as x=3, x>1 and 4>=x set for numbers."""
    found: dict[Expr, tuple[Limit, Limit]] = {}
    for condition in conditions:
        match condition:
            case Apply(op, (Name() as name, Number(value))) if op in REVERSED:
                pass
            case Apply(turned, (Number(value), Name() as name)) if turned in REVERSED:
                op = REVERSED[turned]
            case _:
                continue
        low, high = found.get(name, ((-math.inf, 0), (math.inf, 0)))
        if op in ("=", ">", ">="):
            low = max(low, (value, int(op == ">")))
        if op in ("=", "<", "<="):
            high = min(high, (value, -int(op == "<")))
        found[name] = low, high
    return found


def any_of(exprs: list[Expr]) -> Expr:
    """At least one of these conditions."""
    return _joined("|", exprs, False)


def all_of(exprs: list[Expr]) -> Expr:
    """All of these conditions."""
    return _joined("&", exprs, True)


def _joined(op: str, exprs: list[Expr], empty: bool) -> Expr:
    kept = [e for e in dict.fromkeys(exprs) if e != Truth(empty)]
    if Truth(not empty) in kept:
        return Truth(not empty)
    if not kept:
        return Truth(empty)
    while len(kept) > 1:  # in pairs, so that the depth is the logarithm
        pairs = [Apply(op, (a, b)) for a, b in zip(kept[::2], kept[1::2], strict=False)]
        kept = [*pairs, *kept[2 * len(pairs) :]]
    return kept[0]
