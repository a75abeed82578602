"""The state of a game and its start.

If the question is about several states, play begins with a draw of one of them: phase 0. If these are the states where a condition holds,
chance walks through all reachable states without payoffs, and at each of them play may begin (phase 1) if the condition
holds, and otherwise may end (phase 2). Each draw has a positive chance, however small, and only that matters.
"""

from __future__ import annotations

from fractions import Fraction

from zermelo.foreign.asked import Asked
from zermelo.foreign.initial import said
from zermelo.foreign.model import Apply, Expr, Name, Number, Truth, Variable
from zermelo.foreign.python import SUM
from zermelo.foreign.scope import ONE, ZERO
from zermelo.foreign.steps import all_of
from zermelo.foreign.tables import constant
from zermelo.foreign.text import Text, plain

FEW = 8  # initial states that are written out
MOST_LOOPS = 16  # nested; Python allows 20
MOST_BITS = 55  # of a state with declared ranges, which are used unchanged; otherwise numbers take what they need


class Start:
    """The class of states, and the one in which the model begins. Raises `ModelError`."""

    def __init__(self, asked: Asked, text: Text):
        self.asked, self.text = asked, text
        self.model, self.scope = asked.model, asked.scope

    def state_class(self) -> list[str]:
        lines = ["class State(NamedTuple):"]
        declared = self._bits() <= MOST_BITS
        for name, v in self.model.variables.items():
            kind = "bool"
            if not v.is_bool:
                assert v.low is not None and v.high is not None
                low, high = self.scope.value(v.low), self.scope.value(v.high)
                kind = "int"
                if isinstance(low, Fraction) and isinstance(high, Fraction):
                    if low.denominator * high.denominator != 1 or low > high:
                        raise self.model.error(v.line, f"{name} has the range [{low}..{high}]")
                    kind = f"Annotated[int, range({low}, {high + 1})]" if declared else "int"
            lines.append(f"    {self.text.fields[name]}: {kind}")
        if self.asked.counts:
            lines.append("    steps: int  # left")
        lines += [f'    {g.field}: int  # of "{plain(g.name)}" {g.what}' for g in self.asked.gathers]
        if self.asked.may_give_up:
            lines.append("    given_up: bool = False")
        if self.asked.draws:
            lines.append(f"    phase: Annotated[int, range({3 if self.asked.selects is not None else 2})] = 1  # 0: play has not begun")
        if not self.model.variables and not self.asked.counts:
            lines.append("    place: Annotated[int, range(1)] = 0  # the model has no variables")
        return lines

    def checks(self) -> list[str]:
        """Lines that test whether the variables lie in the ranges that the class does not declare."""
        found, declared = [], self._bits() <= MOST_BITS
        for name, v in self.model.variables.items():
            if v.low is not None and v.high is not None and not (declared and self._is_known(v)):
                low, high = (self.text.write.text(self.scope.fold(e), SUM) for e in (v.low, v.high))
                field = self.text.fields[name]
                line = f"  # {name}, line {v.line}" if v.line else ""
                found.append(f'assert {low} <= s.{field} <= {high}, "{field} is not in its range"{line}')
        return found

    def _is_known(self, v: Variable) -> bool:
        """Whether no open constant occurs in the range of a variable."""
        return all(e is None or self.scope.value(e) is not None for e in (v.low, v.high))

    def _bits(self) -> int:
        """The bits of a state, every variable with its range if that is known."""
        total = 2 * self.asked.draws
        for v in self.model.variables.values():
            low, high = (self.scope.value(e) if e is not None else False for e in (v.low, v.high))
            if low is not None and high is not None:
                total += 1 if v.is_bool else int(high - low).bit_length()
        return total

    def method(self) -> None:
        """Adds `start` to the text."""
        checks = [line for test, why in self._unfit() for line in (f"if {test}:", f"    raise ValueError({why!r})")]
        self.text.method("start(self)", [*checks, f"return {self._state(self.asked.starts[0], 'phase=0' if self.asked.draws else '')}"])
        if self.asked.selects is not None:
            condition = self.text.write.text(self.asked.selects)
            self.text.method("selected(self, s)", [f"return {condition}"], "Whether the property is asked of a state.")

    def _unfit(self) -> list[tuple[str, str]]:
        """Tests of open constants that a number of steps depends on, and what is wrong where they hold."""
        low, high, write, text = self.asked.low, self.asked.high, self.text.write, plain(self.asked.property.text)
        found = [(f"{write.text(b, SUM)} < 0", f"{text}: a number of steps is below 0") for b in (low, high)
                 if b is not None and not isinstance(b, Number)]  # fmt: skip
        if low is not None and high is not None and not (isinstance(low, Number) and isinstance(high, Number)):
            found.append((f"{write.text(low, SUM)} > {write.text(high, SUM)}", f"{text}: the least number of steps is above the most"))
        return found

    def _state(self, at: dict[str, Expr], more: str = "") -> str:
        values = [self.text.write.text(e) for e in at.values()]
        if self.asked.counts:
            values.append(self._budget())
        values += [self.text.write.text(g.budget) for g in self.asked.gathers]
        return f"State({', '.join([*values, *([more] if more else [])])})"

    def drawn(self) -> list[str]:
        """Yields of all initial states, where play begins."""
        return self._drawn(0, "phase=1")

    def looked_at(self) -> list[str]:
        """Yields of the initial states in which the walk through all states begins, except the first, from which it gets there."""
        first = [Apply("<=>" if self.model.variables[n].is_bool else "=", (Name(n), value)) for n, value in self.asked.starts[0].items()]
        return self.text.when(all_of(list(first)), self._drawn(1, "phase=0")) if len(self.asked.starts) > 1 else []

    def _searched(self, condition: Expr) -> list[str]:
        """Loops over the ranges of all variables, except those whose value the condition fixes, with yields where it holds."""
        write, fields, lines, indent, cells = self.text.write, self.text.fields, list[str](), "", []
        known = dict(said(self.model, self.scope, condition))
        self.text.method("begins(self, s)", [f"return {write.text(condition)}"], "Whether play may begin in a state.")
        for k, (name, v) in enumerate(self.model.variables.items()):
            if name in known:
                cells.append(f"{fields[name]}={write.text(self.scope.fold(known[name]))}")
                continue
            low, high = (self.scope.fold(e) if e is not None else other for e, other in ((v.low, ZERO), (v.high, ONE)))
            end = write.text(self.scope.computed("+", high, ONE))
            lines.append(f"{indent}for k{k} in range({write.text(low)}, {end}):")
            cells.append(f"{fields[name]}=k{k}{' == 1' * v.is_bool}")
            indent += "    "
        if len(indent) > 4 * MOST_LOOPS:
            what = f"`init` says the values of few variables: {len(indent) // 4} are to be tried out"
            raise self.model.error(0, f"{what}, and at most {MOST_LOOPS} can be; give its open constants with --const")
        at = f"t = s._replace({', '.join([*cells, 'phase=1'])})"
        found = [f"{indent}{line}" for line in (at, "if self.begins(t):", "    found = True", "    yield 1, 0, t")]
        return ["found = False", *lines, *found, 'assert found, "`init` holds in no state"']

    def _drawn(self, first: int, phase: str) -> list[str]:
        starts = self.asked.starts
        if self.asked.begins is not None:
            return self._searched(self.asked.begins)
        if len(starts) <= FEW:
            return [f"yield 1, 0, {self._state(at, '' if phase == 'phase=1' else phase)}" for at in starts[first:]]
        cells = [f"{field}={self._cell(name, field)}" for name, field in self.text.fields.items()]
        which = f"{first}, {len(starts)}" if first else f"{len(starts)}"
        return [f"for k in range({which}):", f"    yield 1, 0, s._replace({', '.join([*cells, phase])})"]

    def constants(self) -> list[str]:
        """The initial states as tables, if there are many."""
        if len(self.asked.starts) <= FEW:
            return []
        lines = []
        for name, field in self.text.fields.items():
            column = self._column(name)
            if len(set(column)) > 1:
                lines += constant(f"START_{field}", column, f"{name} in the initial states")
        return lines

    def _column(self, name: str) -> list[int]:
        return [int(value.value) for at in self.asked.starts if isinstance(value := at[name], (Number, Truth))]

    def _cell(self, name: str, field: str) -> str:
        column, is_bool = self._column(name), self.model.variables[name].is_bool
        if len(set(column)) == 1:
            return str(bool(column[0])) if is_bool else str(column[0])
        cell = f"START_{field}[k]"
        return f"{cell} == 1" if is_bool else cell

    def _budget(self) -> str:
        bound = self.asked.high if self.asked.high is not None else self.asked.low
        assert bound is not None
        return self.text.write.text(bound)
