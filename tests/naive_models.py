"""PRISM's semantics written down a second time, for tests: states one by one, values by iteration. It shares the parser with the
library (`zermelo.foreign.prism`) and nothing else: no folding, no quotients, no rules."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from zermelo.foreign.model import Apply, Label, Model, Name, Number, Property, Truth

State = tuple[Any, ...]
Values = dict[State, float]
STEPS = 2000  # of iteration
NUDGE = 1e-9  # paid a step, so that no loop is free
SIMPLE: dict[str, Callable[[list[Any]], Any]] = {  # of the arguments
    "+": lambda x: x[0] + x[1], "-": lambda x: x[0] - x[1], "*": lambda x: x[0] * x[1], "/": lambda x: Fraction(x[0]) / Fraction(x[1]),
    "neg": lambda x: -x[0], "=": lambda x: x[0] == x[1], "!=": lambda x: x[0] != x[1], "<": lambda x: x[0] < x[1],
    "<=": lambda x: x[0] <= x[1], ">": lambda x: x[0] > x[1], ">=": lambda x: x[0] >= x[1],
    "&": lambda x: x[0] and x[1], "|": lambda x: x[0] or x[1], "!": lambda x: not x[0], "=>": lambda x: not x[0] or x[1],
    "<=>": lambda x: x[0] == x[1], "min": min, "max": max, "floor": lambda x: Fraction(math.floor(x[0])),
    "ceil": lambda x: Fraction(math.ceil(x[0])), "round": lambda x: Fraction(math.floor(x[0] + Fraction(1, 2))),
    "pow": lambda x: Fraction(x[0]) ** int(x[1]), "mod": lambda x: x[0] % x[1],
}  # fmt: skip


def evaluated(model: Model, expr: Any, at: dict[str, Any]) -> Any:
    """What an expression is worth, all numbers being fractions."""
    match expr:
        case Number() | Truth():
            return expr.value
        case Label():
            return evaluated(model, model.labels[expr.name], at)
        case Name():
            if expr.name in at:
                return at[expr.name]
            if expr.name in model.formulas:
                return evaluated(model, model.formulas[expr.name], at)
            return evaluated(model, model.constants[expr.name].value, at)
    assert isinstance(expr, Apply)
    if expr.op == "?:":
        return evaluated(model, expr.args[1 if evaluated(model, expr.args[0], at) else 2], at)
    first = evaluated(model, expr.args[0], at)
    if (expr.op == "&" and not first) or (expr.op == "|" and first):  # most guards end here
        return first
    return SIMPLE[expr.op]([first, *(evaluated(model, a, at) for a in expr.args[1:])])


def state_of(values: Iterable[Any]) -> State:
    """A state of these values. Whole numbers among them are ints, which are hashed faster than fractions."""
    return tuple(int(v) if isinstance(v, Fraction) and v.denominator == 1 else v for v in values)


class Explicit:
    """All states of a model. `choices[state]`: a list of (owner, label, {next state: probability})."""

    def __init__(self, model: Model):
        self.model = model
        self.names = list(model.variables)
        first = []
        for v in model.variables.values():
            default = False if v.is_bool else evaluated(model, v.low, {})
            first.append(evaluated(model, v.initial, {}) if v.initial is not None else default)
        self.start = state_of(first)
        self.choices: dict[State, list[tuple[str, str, dict[State, Fraction]]]] = {}
        waiting = [self.start]
        while waiting:
            state = waiting.pop()
            if state in self.choices:
                continue
            self.choices[state] = self._choices(state)
            waiting += [t for _, _, after in self.choices[state] for t in after]

    def at(self, state: State) -> dict[str, Any]:
        return dict(zip(self.names, state, strict=True))

    def holds(self, expr: Any, state: State) -> bool:
        return bool(evaluated(self.model, expr, self.at(state)))

    def _choices(self, state: State) -> list[tuple[str, str, dict[State, Fraction]]]:
        model, at = self.model, self.at(state)
        found = []
        for module in model.modules:
            for c in module.commands:
                if not c.label and evaluated(model, c.guard, at):
                    found.append((self._owner(module.name, ""), "", self._after([c], at)))
        for label in dict.fromkeys(c.label for m in model.modules for c in m.commands if c.label):
            sets: list[list[Any]] = [[]]
            for module in model.modules:
                own = [c for c in module.commands if c.label == label]
                if own:
                    sets = [[*s, c] for s in sets for c in own if evaluated(model, c.guard, at)]
            found += [(self._owner("", label), label, self._after(s, at)) for s in sets]
        if model.kind == "dtmc" and found:
            mixed: dict[State, Fraction] = {}
            for _, _, after in found:
                for t, p in after.items():
                    mixed[t] = mixed.get(t, Fraction(0)) + p / len(found)
            return [("", tuple(label for _, label, _ in found), mixed)]  # chance chooses; rewards of labels are shared out
        return found or [("", "(deadlock)", {state: Fraction(1)})]

    def _owner(self, module: str, label: str) -> str:
        for p in self.model.players:
            if label and label in p.labels or module in p.modules:
                return p.name
        return ""

    def _after(self, commands: list[Any], at: dict[str, Any]) -> dict[State, Fraction]:
        ends: list[tuple[Fraction, dict[str, Any]]] = [(Fraction(1), dict(at))]
        for c in commands:
            grown = []
            for p, now in ends:
                for b in c.branches:
                    q = Fraction(1) if b.probability is None else Fraction(evaluated(self.model, b.probability, at))
                    then = {**now, **{a.name: evaluated(self.model, a.value, at) for a in b.assignments}}
                    grown.append((p * q, then))
            ends = grown
        after: dict[State, Fraction] = {}
        for p, now in ends:
            if p:
                t = state_of(now[n] for n in self.names)
                after[t] = after.get(t, Fraction(0)) + p
        return after

    # --- values -------------------------------------------------------------------------------------------------------

    def paid(self, state: State, label: Any, name: str | None) -> Fraction:
        at = self.at(state)
        items = self.model.rewards[name or next(iter(self.model.rewards))]
        total = Fraction(0)
        for r in items:
            if evaluated(self.model, r.guard, at):
                worth = Fraction(evaluated(self.model, r.value, at))
                if r.label is None:
                    total += worth
                elif isinstance(label, tuple):
                    total += worth * label.count(r.label) / len(label)
                elif r.label == label:
                    total += worth
        return total

    def best(self, question: Property, owner: str) -> Any:
        """max or min, for the owner of a choice."""
        kind, ask = self.model.kind, question.best
        if kind == "dtmc":
            return max
        if kind == "mdp":
            return {"max": max, "min": min}[ask]
        numbers = {str(i + 1): p.name for i, p in enumerate(self.model.players)}
        ours = {numbers.get(m, m) for m in question.coalition or ()}
        return {"max": max, "min": min}[ask] if owner in ours else {"max": min, "min": max}[ask]

    def answer(self, question: Property) -> float:
        """The value of a property at the start, to about 1e-6; infinity where that is it."""
        return self.answers(question)[self.start]

    def answers(self, question: Property) -> Values:
        """The same at every state."""
        q, m = question, self.model
        bound = None if q.high is None else int(evaluated(m, q.high, {}))
        if q.measure == "P":
            return self._chances(q, bound)
        if q.path in ("cumulative", "instant"):
            value = {s: float(self.paid(s, "(state)", q.rewards)) if q.path == "instant" else 0.0 for s in self.choices}
            return self._after_steps(bound or 0, q, value, set(), gain=q.path == "cumulative")
        if q.path != "reach":
            return self._after_steps(STEPS, q, dict.fromkeys(self.choices, 0.0), set(), gain=True)
        ends = {s for s in self.choices if self.holds(q.right, s)}
        value = {s: 0.0 if s in ends else 1e4 for s in self.choices}  # from above, so that free loops do not count
        value = self._after_steps(STEPS, q, value, ends, gain=True, nudge=NUDGE)
        surely = self._surely(q, ends)
        return {s: v if s in surely else math.inf for s, v in value.items()}

    def _surely(self, q: Property, ends: set[State]) -> set[State]:
        """Where `ends` is reached with probability 1, by those who want the reward low, whatever the others do."""
        low = Property("P", {"min": "max", "max": "min", "": ""}[q.best], "=?", None, "until", right=q.right, coalition=q.coalition)
        value = self._after_steps(STEPS, low, {s: 1.0 if s in ends else 0.0 for s in self.choices}, ends)
        return {s for s, v in value.items() if v > 1 - 1e-7}

    def _chances(self, q: Property, bound: int | None) -> Values:
        low = int(evaluated(self.model, q.low, {})) if q.low is not None else 0
        if q.path == "next":
            return self._after_steps(1, q, {s: float(self.holds(q.right, s)) for s in self.choices}, set())
        if q.path in ("globally", "weak"):  # worth 1 as long as nothing has failed
            fails = {s for s in self.choices if not self.holds(q.right, s) and not (q.path == "weak" and self.holds(q.left, s))}
            done = {s for s in self.choices if q.path == "weak" and self.holds(q.right, s)}
            value = {s: 0.0 if s in fails else 1.0 for s in self.choices}
            return self._after_steps(STEPS if bound is None else bound, q, value, fails | done)
        goal = {s for s in self.choices if self.holds(q.right, s)}
        dead = {s for s in self.choices if not self.holds(q.left, s)}
        value = {s: 1.0 if s in goal else 0.0 for s in self.choices}
        value = self._after_steps(STEPS if bound is None else bound - low, q, value, goal | dead)
        for _ in range(low):  # the first steps: nothing counts but that `left` holds
            value = {s: 0.0 if s in dead else v for s, v in self._after_steps(1, q, value, set()).items()}
        return value

    def _after_steps(self, steps: int, q: Property, value: Values, fixed: set[State], gain: bool = False, nudge: float = 0.0) -> Values:
        """The values after so many steps of iteration; it stops where a step changes nothing."""
        place = {s: i for i, s in enumerate(self.choices)}
        rows = [
            (i, self.best(q, choices[0][0]) if len(choices) > 1 else max, [
                ((float(self.paid(s, label, q.rewards)) if gain else 0.0) + nudge, [(float(p), place[t]) for t, p in after.items()])
                for _, label, after in choices
            ])
            for i, (s, choices) in enumerate(self.choices.items()) if s not in fixed
        ]  # fmt: skip
        now = list(value.values())
        for _ in range(steps):
            before, now = now, now.copy()
            for i, best, choices in rows:
                now[i] = best([paid + sum([p * before[t] for p, t in after]) for paid, after in choices])
            if now == before:
                break
        return dict(zip(self.choices, now, strict=True))


def eliminated(rows: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, by Gauss-Jordan elimination: the coefficients of each and its right side, changed in place."""
    for i in range(len(rows)):
        k = next(k for k in range(i, len(rows)) if rows[k][i])
        rows[i], rows[k] = rows[k], rows[i]
        rows[i] = [v / rows[i][i] for v in rows[i]]
        for k, row in enumerate(rows):
            if k != i and row[i]:
                rows[k] = [v - row[i] * w for v, w in zip(row, rows[i], strict=True)]
    return [row[-1] for row in rows]
