"""The state of a game and its start."""

from __future__ import annotations

from fractions import Fraction

from zermelo.foreign.asked import Asked
from zermelo.foreign.initial import initial_values
from zermelo.foreign.model import Variable
from zermelo.foreign.python import SUM
from zermelo.foreign.text import Text

MOST_BITS = 55  # of a state with declared ranges, which are used as they are; else numbers take what they need


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
        if self.asked.may_give_up:
            lines.append("    given_up: bool = False")
        if not self.model.variables and not self.asked.counts:
            lines.append("    place: Annotated[int, range(1)] = 0  # the model has no variables")
        return lines

    def checks(self) -> list[str]:
        """Lines that ask whether the variables lie in those of their ranges that the class does not declare."""
        found, declared = [], self._bits() <= MOST_BITS
        for name, v in self.model.variables.items():
            if v.low is not None and v.high is not None and not (declared and self._is_known(v)):
                low, high = (self.text.write.text(self.scope.fold(e), SUM) for e in (v.low, v.high))
                field = self.text.fields[name]
                found.append(f'assert {low} <= s.{field} <= {high}, "{field} is not in its range"')
        return found

    def _is_known(self, v: Variable) -> bool:
        """Whether no open constant occurs in the range of a variable."""
        return all(e is None or self.scope.value(e) is not None for e in (v.low, v.high))

    def _bits(self) -> int:
        """The bits of a state, every variable with its range as far as that is known."""
        total = 0
        for v in self.model.variables.values():
            low, high = (self.scope.value(e) if e is not None else False for e in (v.low, v.high))
            if low is not None and high is not None:
                total += 1 if v.is_bool else int(high - low).bit_length()
        return total

    def method(self) -> None:
        """Adds `start` to the text."""
        values = [self.text.write.text(e) for e in initial_values(self.model, self.scope).values()]
        if self.asked.counts:
            values.append(self._budget())
        self.text.method("start(self)", [f"return State({', '.join(values)})"])

    def _budget(self) -> str:
        bound = self.asked.high if self.asked.high is not None else self.asked.low
        assert bound is not None
        return self.text.write.text(bound)
