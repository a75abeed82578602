"""An expression as Python, with only the parentheses that a reader needs."""

from __future__ import annotations

import keyword
import re
from fractions import Fraction

from zermelo.foreign.model import Apply, Expr, Name, Number, Truth
from zermelo.foreign.scope import COMPARISONS, ONE, Scope
from zermelo.language.members import MEMBERS

# the precedence of operators, the lowest first
IF, OR, AND, NOT, COMPARE, SUM, PRODUCT, MINUS, POWER, ATOM = range(10)
FIELDS_TAKEN = {*keyword.kwlist, *keyword.softkwlist, *dir(tuple), "steps", "given_up", "place", "phase"}
HELPERS = {  # of expressions, by the name of the method: its arguments, its lines, and what it is
    "remainder": ("a, b", ['assert b > 0, "mod by a number that is not positive"', "return a % b"], "a mod b."),
    "whole_power": ("a, b", ['assert b >= 0, "a whole number to a power below 0"', "return a ** b"], "a to the power b."),
    "floor_log": (
        "a, b", ['assert a > 0 and b > 1, "a logarithm that is no number"', "power = 0", "while a >= b:", "    a //= b", "    power += 1",
                 "return power"], "The largest power of b that is at most a, found without rounding."),
    "ceil_log": (
        "a, b", ['assert a > 0 and b > 1, "a logarithm that is no number"', "power = 0", "a -= 1", "while a > 0:", "    a //= b",
                 "    power += 1", "return power"], "The least power of b that is at least a, found without rounding."),
}  # fmt: skip
OUR_OWN = ("reached", "over", "never", "rewards", "high_moves", "low_moves", "deadlock", "selected", "goes_on", "paid", *HELPERS)  # used
WHOLE = 2**53  # numbers from here on are not exact floats
LONGEST = 60  # letters of what a message says is computed in floats
TAKEN = {*FIELDS_TAKEN, *(m.name for m in MEMBERS), *OUR_OWN}


def safe(name: str, used: set[str], taken: set[str] = TAKEN) -> str:
    """A name that Python, the language of rules and the generated text leave free; added to `used`. Names in JANI can be any text."""
    found = re.sub(r"[^A-Za-z0-9_]", "_", name).lstrip("_0123456789") or "x"
    while found in taken or found in used:
        found += "_"
    used.add(found)
    return found


class Writer:
    """Writes expressions. `places`: the text for each variable, open constant and formula."""

    def __init__(self, scope: Scope, places: dict[str, str]):
        self.scope = scope
        self.places = places

    def text(self, expr: Expr, around: int = IF) -> str:
        """The folded expression as Python; in parentheses if its context binds more tightly."""
        found, level = self._text(expr)
        return found if level >= around else f"({found})"

    def _text(self, expr: Expr) -> tuple[str, int]:
        match expr:
            case Number():
                found, level = number(expr.value)
                if level == PRODUCT and max(abs(expr.value.numerator), expr.value.denominator) >= WHOLE:
                    self._in_floats(found)
                return found, level
            case Truth():
                return str(expr.value), ATOM
            case Name():
                return self.places[expr.name], ATOM
        assert isinstance(expr, Apply)
        if self.scope.type_of(expr) == "double":
            return self._real(expr)
        return self._whole(expr)

    def _real(self, expr: Apply) -> tuple[str, int]:
        over, under = self.scope.ratio(expr)
        if expr.op != "log" and (is_large(over) or is_large(under)):
            found = self._whole(expr)
            self._in_floats(found[0])  # as PRISM does
            return found
        if under != ONE:
            if isinstance(over, Number) and isinstance(under, Number):
                return number(over.value / under.value)
            return f"{self.text(over, PRODUCT)} / {self.text(under, MINUS)}", PRODUCT
        if over is not expr and over != expr:
            return self._text(over)
        if expr.op == "log":
            a, b = (self.text(x) for x in expr.args)
            self._in_floats(f"log({a}, {b})")
            return f"math.log({a}) / math.log({b})", PRODUCT
        return self._whole(expr)

    def _whole(self, expr: Apply) -> tuple[str, int]:
        op, args = expr.op, expr.args
        if op in ("floor", "ceil", "round"):
            return self._rounded(op, args[0])
        if op in COMPARISONS:
            return self._compared(op, *args)
        if op == "?:":
            return f"{self.text(args[1], OR)} if {self.text(args[0], OR)} else {self.text(args[2], IF)}", IF
        if op in ("min", "max"):
            return (f"{op}({', '.join(self.text(a) for a in args)})", ATOM) if len(args) > 1 else self._text(args[0])
        if op == "!":
            return f"not {self.text(args[0], NOT)}", NOT
        if op == "neg":
            return f"-{self.text(args[0], MINUS)}", MINUS
        a, b = args
        match op:
            case "&":
                return f"{self.text(a, AND)} and {self.text(b, AND)}", AND
            case "|":
                return f"{self.text(a, OR)} or {self.text(b, OR)}", OR
            case "=>":
                return f"not {self.text(a, NOT)} or {self.text(b, OR)}", OR
            case "<=>":
                return f"{self.text(a, SUM)} == {self.text(b, SUM)}", COMPARE
            case "+":
                return f"{self.text(a, SUM)} + {self.text(b, SUM)}", SUM
            case "-":
                return f"{self.text(a, SUM)} - {self.text(b, PRODUCT)}", SUM
            case "*" | "/":
                return f"{self.text(a, PRODUCT)} {op} {self.text(b, MINUS)}", PRODUCT
            case "mod" if not self._is_at_least(b, 1):
                return f"self.remainder({self.text(a)}, {self.text(b)})", ATOM
            case "pow" if self.scope.type_of(expr) == "int" and not self._is_at_least(b, 0):
                return f"self.whole_power({self.text(a)}, {self.text(b)})", ATOM
            case "mod":
                return f"{self.text(a, PRODUCT)} % {self.text(b, MINUS)}", PRODUCT
            case "pow":
                if self.scope.type_of(b) != "int" or (self.scope.type_of(a) == "double" and not _is_power_of_two(a)):
                    self._in_floats(f"pow({self.text(a)}, {self.text(b)})")
                return f"{self.text(a, ATOM)} ** {self.text(b, ATOM)}", POWER
        raise self.scope.model.error(expr.line, f"{op} can't be written in rules")

    def _is_at_least(self, expr: Expr, least: int) -> bool:
        """Whether a whole number is known to be at least this: a constant, or a variable whose range begins there."""
        if isinstance(expr, Name) and (variable := self.scope.model.variables.get(expr.name.removesuffix("'"))) is not None:
            low = None if variable.low is None else self.scope.value(variable.low)
            return low is not None and low >= least
        return isinstance(expr, Number) and expr.value >= least

    def _in_floats(self, said: str) -> None:
        """Remember what the rules compute in floats, because it is irrational or has too many digits."""
        said = said if len(said) <= LONGEST else f"{said[:LONGEST]} ..."
        if said not in self.scope.rounded:
            self.scope.rounded.append(said)

    def _rounded(self, op: str, inner: Expr) -> tuple[str, int]:
        if self.scope.type_of(inner) == "int":
            return self._text(inner)
        if op in ("floor", "ceil") and isinstance(inner, Apply) and inner.op == "log":
            a, b = inner.args
            if {self.scope.type_of(a), self.scope.type_of(b)} == {"int"} and self._is_at_least(b, 2):
                return f"self.{op}_log({self.text(a)}, {self.text(b)})", ATOM
        over, under = self.scope.ratio(inner)
        if {self.scope.type_of(over), self.scope.type_of(under)} != {"int"} or is_large(over) or is_large(under):
            shift = " + 0.5" if op == "round" else ""
            return f"math.{'floor' if op == 'round' else op}({self.text(inner, SUM)}{shift})", ATOM
        if op == "floor":
            return f"{self.text(over, PRODUCT)} // {self.text(under, MINUS)}", PRODUCT
        if op == "ceil":
            return f"-(-{self.text(over, MINUS)} // {self.text(under, MINUS)})", MINUS
        two = Number(Fraction(2))
        top = self.scope.computed("+", self.scope.times(two, over), under)
        return f"{self.text(top, PRODUCT)} // {self.text(self.scope.times(two, under), MINUS)}", PRODUCT

    def _compared(self, op: str, a: Expr, b: Expr) -> tuple[str, int]:
        sign = {"=": "=="}.get(op, op)
        if self.scope.type_of(a) == "bool":
            for this, other in ((a, b), (b, a)):
                if isinstance(other, Truth):
                    return self._text(this if other.value == (op == "=") else Apply("!", (this,)))
        if "double" in (self.scope.type_of(a), self.scope.type_of(b)):
            pairs = [self.scope.ratio(x) for x in (a, b)]
            if all(isinstance(d, Number) for _, d in pairs):  # positive, so the order is preserved
                whole, _ = self.scope.alike(pairs)
                if not any(map(is_large, whole)):
                    return f"{self.text(whole[0], SUM)} {sign} {self.text(whole[1], SUM)}", COMPARE
            found = f"{self.text(a, SUM)} {sign} {self.text(b, SUM)}"
            if not all(map(self._is_simple, (a, b))):
                self._in_floats(found)
            return found, COMPARE
        return f"{self.text(a, SUM)} {sign} {self.text(b, SUM)}", COMPARE

    def _is_simple(self, expr: Expr) -> bool:
        """Whether it is a quotient of whole numbers, which is rounded once."""
        return all(self.scope.type_of(whole) == "int" and not is_large(whole) for whole in self.scope.ratio(expr))


def _is_power_of_two(expr: Expr) -> bool:
    """Whether all powers of a constant are exact floats."""
    return isinstance(expr, Number) and expr.value > 0 and all(n & (n - 1) == 0 for n in expr.value.as_integer_ratio())


def is_large(expr: Expr) -> bool:
    """Whether a number in the expression is not an exact float, or not allowed in rules."""
    if isinstance(expr, Apply):
        return any(map(is_large, expr.args))
    return isinstance(expr, Number) and abs(expr.value) >= WHOLE


def number(value: Fraction) -> tuple[str, int]:
    """A rational number: whole, as a decimal if it has at most 15 digits, or as a quotient."""
    level = ATOM if value >= 0 else MINUS
    if value.denominator == 1:
        return str(value.numerator), level
    shown = repr(float(value))
    if len(shown) < 18 and Fraction(shown) == value:
        return shown, level
    return f"{value.numerator} / {value.denominator}", PRODUCT
