"""The state of a game and its start."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from zermelo.foreign.asked import Asked
from zermelo.foreign.model import Expr, Number, Truth, names_in
from zermelo.foreign.text import Text

MOST_INITIAL = 1_000_000  # states among which `init ... endinit` is looked for
MOST_BITS = 55  # of a state with declared ranges, which are used as they are; else numbers take what they need


class Start:
    """The class of states, and the one in which the model begins. Raises `ModelError`."""

    def __init__(self, asked: Asked, text: Text):
        self.asked, self.text = asked, text
        self.model, self.scope = asked.model, asked.scope

    def state_class(self) -> list[str]:
        lines = ["class State(NamedTuple):"]
        declared = self._bits() <= MOST_BITS
        if not declared:
            note = f"the ranges of all variables need {self._bits()} bits, so they are not declared, and not checked"
            self.model.notes += [note] if note not in self.model.notes else []
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
        values = [self.text.write.text(e) for e in self.initial().values()]
        if self.asked.counts:
            values.append(self._budget())
        self.text.method("start(self)", [f"return State({', '.join(values)})"])

    def _budget(self) -> str:
        bound = self.asked.high if self.asked.high is not None else self.asked.low
        assert bound is not None
        return self.text.write.text(bound)

    def initial(self) -> dict[str, Expr]:
        """The values of the variables at the start."""
        model, scope = self.model, self.scope
        if model.initial is not None:
            return self._only_initial(model.initial)
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

    def _only_initial(self, condition: Expr) -> dict[str, Expr]:
        """The one state in which `init ... endinit` holds."""
        ranges: list[list[int | bool]] = []
        size = 1
        for v in self.model.variables.values():
            bounds = [self.scope.value(e) for e in (v.low, v.high) if e is not None]
            if any(b is None for b in bounds):
                raise self.model.error(v.line, f"`init` is read where all ranges are known: give its constants with --const ({v.name})")
            ranges.append(list(range(int(bounds[0] or 0), int(bounds[1] or 0) + 1)) if bounds else [False, True])
            size *= len(ranges[-1])
        if size > MOST_INITIAL:
            most = f"at most {MOST_INITIAL:,} states"
            raise self.asked.error(f"`init ... endinit` is looked for among {most}; give every variable its own init")
        found = []
        for values in product(*ranges):
            at = dict(zip(self.model.variables, values, strict=True))
            holds = self.scope.value(condition, at)
            if holds is None:
                raise self.asked.error("`init` depends on an open constant: give it with --const")
            if holds:
                found.append(at)
        if len(found) != 1:
            hint = "a game has one start" if found else "there must be one"
            raise self.asked.error(f"`init` holds in {len(found)} states, and {hint}")
        return {n: Truth(x) if isinstance(x, bool) else Number(Fraction(x)) for n, x in found[0].items()}
