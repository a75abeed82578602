"""The meanings of a model's names: types, constants folded, and every number as a quotient of whole numbers where possible.

PRISM's division is the division of rational numbers. `ratio` writes an expression as numerator and denominator, so that probabilities
become whole weights, and comparisons and `floor` are exact.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from zermelo.foreign.model import Apply, Expr, Label, Model, ModelError, Name, Number, Truth, names_in

ONE, ZERO = Number(Fraction(1)), Number(Fraction(0))
COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
UNREAD = {("?:", True): 2, ("?:", False): 1, ("&", False): 1, ("|", True): 1, ("=>", False): 1}  # never computed, after this first part
LARGEST_POWER = 4096  # bits of a constant
LARGEST_LOG = 100_000  # bits of a power of a base
TOO_CLOSE = Fraction(1, 10**9)  # of numbers computed in floats, relative: far more than they are off


class Scope:
    """The names of a model, some open constants given. Raises `ModelError` if a name has no meaning or a type does not fit."""

    def __init__(self, model: Model, given: Mapping[str, Fraction | bool]):
        self.model = model
        self.given = dict(given)
        self._values: dict[str, Expr] = {}  # constants and formulas, folded
        self._open: set[str] = set()  # names that are being looked up
        self._types: dict[str, str] = {}
        self.rounded: list[str] = []  # what is computed in floats, because it is irrational or has too many digits
        self.divided: dict[int, Fraction] = {}  # the lines whose probabilities do not sum to 1, and their sums
        for name in given:
            if name not in model.constants:
                known = ", ".join(c.name for c in model.constants.values() if c.value is None) or "none"
                raise ModelError(f"{model.file}: there is no constant {name}; open constants: {known}")
        self._check_names()
        self.labels = dict(model.labels)

    def _check_names(self) -> None:
        model = self.model
        for kind, names in (("formula", model.formulas), ("variable", model.variables)):
            for name in names:
                if name in model.constants or kind == "variable" and name in model.formulas:
                    line = model.variables[name].line if kind == "variable" else 0
                    raise model.error(line, f"{name} is a {kind} and something else, too")

    # --- names --------------------------------------------------------------------------------------------------------

    def is_open(self, name: str) -> bool:
        """Whether a constant is left to the user."""
        constant = self.model.constants.get(name)
        return constant is not None and constant.value is None and name not in self.given

    def depends_on_open(self, expr: Expr) -> bool:
        """Whether an open constant occurs in an expression, or in the definitions of its names."""
        known = self.model.constants.keys() | self.model.formulas.keys()
        names = names_in(self.fold(expr)) & known
        return any(self.is_open(n) or self.depends_on_open(self.body(n, 0)) for n in names)

    def body(self, name: str, line: int) -> Expr:
        """The definition of a constant or a formula, folded; itself if it is open."""
        if name not in self._values:
            if name in self._open:
                raise self.model.error(line, f"{name} is defined by itself")
            self._open.add(name)
            try:
                self._values[name] = self._body(name, line)
            finally:
                self._open.discard(name)
        return self._values[name]

    def _body(self, name: str, line: int) -> Expr:
        if name in self.model.formulas:
            return self.fold(self.model.formulas[name])
        constant = self.model.constants[name]
        if name in self.given:
            value = self.given[name]
            found: Expr = Truth(value) if isinstance(value, bool) else Number(value, constant.type == "double")
        elif constant.value is None:
            return Name(name, line)
        else:
            found = self.fold(constant.value)
        kind = self.type_of(found)
        if kind != constant.type and (kind, constant.type) != ("int", "double"):
            raise self.model.error(constant.line, f"the constant {name} is {_a(constant.type)}, and its value is {_a(kind)}")
        return replace(found, is_real=True) if isinstance(found, Number) and constant.type == "double" else found

    def type_of(self, expr: Expr) -> str:
        """ "int", "double" or "bool". """
        match expr:
            case Number():
                return "double" if expr.is_real else "int"
            case Truth():
                return "bool"
            case Label():
                self._label(expr)
                return "bool"
            case Name():
                return self._type_of_name(expr)
        kinds = [self.type_of(a) for a in expr.args]
        op = expr.op
        if op in ("&", "|", "!", "=>", "<=>"):
            self._need(expr, kinds, ("bool",))
            return "bool"
        if op in ("=", "!="):
            if ("bool" in kinds) and set(kinds) != {"bool"}:
                raise self.model.error(expr.line, f"{op} compares a truth value with a number")
            return "bool"
        if op == "?:":
            self._need(expr, kinds[:1], ("bool",))
            if ("bool" in kinds[1:]) and set(kinds[1:]) != {"bool"}:
                raise self.model.error(expr.line, "one side of : is a truth value, the other a number")
            return "bool" if kinds[1] == "bool" else "double" if "double" in kinds[1:] else "int"
        if op == "mod":
            self._need(expr, kinds, ("int",))
            return "int"
        self._need(expr, kinds, ("int", "double"))
        if op in COMPARISONS:
            return "bool"
        if op in ("floor", "ceil", "round"):
            return "int"
        return "double" if op in ("/", "log") or "double" in kinds else "int"

    def _need(self, expr: Apply, kinds: list[str], wanted: tuple[str, ...]) -> None:
        for kind in kinds:
            if kind not in wanted:
                op = "-" if expr.op == "neg" else expr.op
                raise self.model.error(expr.line, f"{op} takes {_a(wanted[-1])}, and this is {_a(kind)}")

    def _type_of_name(self, name: Name) -> str:
        model = self.model
        if (variable := name.name.removesuffix("'")) in model.variables:
            return "bool" if model.variables[variable].is_bool else "int"
        if name.name in model.constants:
            return model.constants[name.name].type
        if name.name in model.sets:
            return "bool"
        if name.name in model.formulas:
            if name.name not in self._types:
                self._types[name.name] = self.type_of(self.body(name.name, name.line))
            return self._types[name.name]
        raise model.error(name.line, f"{name.name} is no constant, formula or variable")

    # --- folding ------------------------------------------------------------------------------------------------------

    def fold(self, expr: Expr) -> Expr:
        """The expression with all constant parts computed; formulas that are real numbers are written out."""
        match expr:
            case Number() | Truth():
                return expr
            case Label():
                return self._label(expr)
            case Name():
                self._type_of_name(expr)
                if expr.name.removesuffix("'") in self.model.variables or expr.name in self.model.sets:
                    return expr
                body = self.body(expr.name, expr.line)
                is_written_out = isinstance(body, (Number, Truth)) or self._type_of_name(expr) == "double"
                return body if is_written_out else expr
        log = self._log_in(expr.args[0]) if expr.op in ("floor", "ceil") else None
        if log is not None and (known := whole_log(expr.op, *log)) is not None:
            return Number(Fraction(known), False, expr.line)
        first = self.fold(expr.args[0])
        unread = UNREAD.get((expr.op, first.value)) if isinstance(first, Truth) else None
        rest = (a if k == unread else self.fold(a) for k, a in enumerate(expr.args[1:], 1))
        folded = Apply(expr.op, (first, *rest), expr.line)
        self.type_of(folded)
        return self._computed(folded)

    def _log_in(self, expr: Expr) -> tuple[Fraction, Fraction] | None:
        """The number and the base of a logarithm of known numbers, by its own name or by another one; None for anything else."""
        while isinstance(expr, Name):
            constant = self.model.constants.get(expr.name)
            inner = self.model.formulas.get(expr.name) if constant is None else constant.value
            if inner is None or expr.name in self.given or expr.name in self._open:
                return None
            expr = inner
        if not (isinstance(expr, Apply) and expr.op == "log"):
            return None
        a, b = (self.fold(x) for x in expr.args)
        if not (isinstance(a, Number) and isinstance(b, Number)) or a.is_rounded or b.is_rounded:
            return None
        return (a.value, b.value) if a.value > 0 and 0 < b.value != 1 else None

    def _label(self, label: Label) -> Expr:
        if label.name not in self.labels:
            known = ", ".join(f'"{n}"' for n in self.labels) or "none"
            raise self.model.error(label.line, f'there is no label "{label.name}"; there is {known}')
        if label.name in self._open:
            raise self.model.error(label.line, f'the label "{label.name}" is defined by itself')
        self._open.add(label.name)
        try:
            return self.fold(self.labels[label.name])
        finally:
            self._open.discard(label.name)

    def _computed(self, expr: Apply) -> Expr:
        args, op = expr.args, expr.op
        if op == "?:" and isinstance(args[0], Truth):
            return args[1] if args[0].value else args[2]
        if op == "!" and isinstance(args[0], Apply) and args[0].op == "!":
            return args[0].args[0]
        if op in ("&", "|"):
            for this, other in (args, args[::-1]):
                if isinstance(this, Truth):
                    return other if this.value == (op == "&") else this
        if op == "=>" and isinstance(args[0], Truth):
            return args[1] if args[0].value else Truth(True)
        if all(isinstance(a, Truth) for a in args):
            a, *rest = (x.value for x in args if isinstance(x, Truth))
            found = {"!": not a, "=": rest and a == rest[0], "!=": rest and a != rest[0], "<=>": rest and a == rest[0],
                     "=>": not a or bool(rest and rest[0])}  # fmt: skip
            return Truth(bool(found[op]))
        if all(isinstance(a, Number) for a in args):
            return self._number(expr, [a.value for a in args if isinstance(a, Number)])
        return expr

    def _number(self, expr: Apply, args: list[Fraction]) -> Expr:
        op, line, is_real = expr.op, expr.line, self.type_of(expr) == "double"
        a, b = args[0], args[-1]
        is_rounded = any(x.is_rounded for x in expr.args if isinstance(x, Number))
        if is_rounded:
            self._check_sides(expr, a, b)
        if op in COMPARISONS:
            return Truth({"=": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op])
        if op == "/" and b == 0:
            raise self.model.error(line, f"{a} {op} 0")
        if op == "mod" and b <= 0:
            raise self.model.error(line, f"mod({a}, {b}): the divisor must be positive")
        match op:
            case "+":
                found = a + b
            case "-":
                found = a - b
            case "*":
                found = a * b
            case "/":
                found = a / b
            case "neg":
                found = -a
            case "min":
                found = min(args)
            case "max":
                found = max(args)
            case "mod":
                found = a % b
            case "floor":
                found = Fraction(math.floor(a))
            case "ceil":
                found = Fraction(math.ceil(a))
            case "round":
                found = Fraction(math.floor(a + Fraction(1, 2)))
            case "pow":
                return self._power(expr, a, b, is_real, is_rounded)
            case "log":
                if a <= 0 or b <= 0 or b == 1:
                    raise self.model.error(line, f"log({a}, {b}) is no number")
                exact = rational_log(a, b) if not is_rounded else None
                if exact is None:
                    return self._in_floats(f"log({a}, {b})", _log(a) / _log(b), line)
                found = exact
            case _:
                raise self.model.error(line, f"{op} can't be computed here")
        return Number(found, is_real, line, is_rounded and op not in ("floor", "ceil", "round"))

    def _in_floats(self, said: str, found: float, line: int) -> Number:
        """A number that is no fraction, as a float."""
        self.rounded.append(said)
        return Number(Fraction(found), True, line, True)

    def _check_sides(self, expr: Apply, a: Fraction, b: Fraction) -> None:
        """Refuse to round or compare numbers that rounding may have moved to the other side. Raises `ModelError`."""
        if expr.op in ("floor", "ceil", "round"):
            shifted = a + Fraction(1, 2) if expr.op == "round" else a
            distance, size = abs(shifted - Fraction(round(shifted))), abs(a)
        elif expr.op in COMPARISONS:
            distance, size = abs(a - b), max(abs(a), abs(b))
        else:
            return
        if distance <= TOO_CLOSE * max(size, Fraction(1)):
            raise self.model.error(expr.line, f"{expr.op} of {self.rounded[-1]}, computed in floats: too close to be decided")

    def _power(self, expr: Apply, a: Fraction, b: Fraction, is_real: bool, is_rounded: bool) -> Expr:
        if b.denominator != 1:
            if a < 0:
                raise self.model.error(expr.line, f"pow({a}, {b}) is no number")
            exact = None if is_rounded else rational_power(a, b)
            return self._in_floats(f"pow({a}, {b})", float(a) ** float(b), expr.line) if exact is None else Number(exact, True, expr.line)
        if b < 0 and not is_real and not self.model.is_jani:
            raise self.model.error(expr.line, f"pow({a}, {b}): a whole number has no power below 0; pow({a}.0, {b}) is a quotient")
        if a == 0 and b < 0:
            raise self.model.error(expr.line, f"pow(0, {b}) is no number")
        if abs(b) * max(abs(a.numerator).bit_length(), a.denominator.bit_length()) > LARGEST_POWER:
            raise self.model.error(expr.line, f"pow({a}, {b}) is too large a number")
        return Number(a ** int(b), is_real, expr.line, is_rounded)

    def value(self, expr: Expr, at: Mapping[str, int | bool] | None = None) -> Fraction | bool | None:
        """The value of an expression, given all variables that occur in it; None if it depends on open constants."""
        folded = self.fold(self._at(expr, at or {}))
        return folded.value if isinstance(folded, (Number, Truth)) else None

    def _at(self, expr: Expr, at: Mapping[str, int | bool]) -> Expr:
        if isinstance(expr, Name):
            if expr.name in at:
                value = at[expr.name]
                return Truth(value) if isinstance(value, bool) else Number(Fraction(value))
            if expr.name in self.model.formulas:
                return self._at(self.model.formulas[expr.name], at)
        if isinstance(expr, Apply):
            return Apply(expr.op, tuple(self._at(a, at) for a in expr.args), expr.line)
        return expr

    # --- quotients ----------------------------------------------------------------------------------------------------

    def ratio(self, expr: Expr) -> tuple[Expr, Expr]:
        """Numerator and denominator of a folded number: whole expressions wherever only whole ones and rational constants occur."""
        match expr:
            case Number():
                return Number(Fraction(expr.value.numerator)), Number(Fraction(expr.value.denominator))
            case Name() | Truth() | Label():
                return expr, ONE
        if self.type_of(expr) == "int":
            return expr, ONE
        pairs = [self.ratio(a) for a in expr.args] if expr.op != "?:" else [self.ratio(a) for a in expr.args[1:]]
        (n, d), (m, e) = pairs[0], pairs[-1]
        match expr.op:
            case "neg":
                return self.times(Number(Fraction(-1)), n), d
            case "+" | "-":
                (n, m), d = self.alike(pairs)
                return self.computed(expr.op, n, m), d
            case "*":
                return self.times(n, m), self.times(d, e)
            case "/":
                under = self.times(d, m)
                if under == ZERO:
                    raise self.model.error(expr.line, "division by 0")
                return self.times(n, e), under
            case "?:" | "min" | "max":
                if all(isinstance(x, Number) for _, x in pairs):
                    nums, d = self.alike(pairs)
                    first = expr.args[:1] if expr.op == "?:" else ()
                    return Apply(expr.op, (*first, *nums), expr.line), d
            case "pow":
                if isinstance(expr.args[1], Number) and expr.args[1].value.denominator == 1 and expr.args[1].value >= 0:
                    return self.computed("pow", n, expr.args[1]), self.computed("pow", d, expr.args[1])
        return expr, ONE

    def alike(self, pairs: list[tuple[Expr, Expr]]) -> tuple[list[Expr], Expr]:
        """The numerators over a common denominator."""
        least = math.lcm(*(int(d.value) for _, d in pairs if isinstance(d, Number)))
        others = list(dict.fromkeys(d for _, d in pairs if not isinstance(d, Number)))
        found = []
        for n, d in pairs:
            factor: Expr = Number(Fraction(least // int(d.value))) if isinstance(d, Number) else Number(Fraction(least))
            for other in others:
                if other != d:
                    factor = self.times(factor, other)
            found.append(self.times(factor, n))
        shared: Expr = Number(Fraction(least))
        for other in others:
            shared = self.times(shared, other)
        return found, shared

    def times(self, a: Expr, b: Expr) -> Expr:
        for this, other in ((a, b), (b, a)):
            if isinstance(this, Number) and this.value in (0, 1):
                return other if this.value == 1 else ZERO
        return self.computed("*", a, b)

    def computed(self, op: str, a: Expr, b: Expr) -> Expr:
        """An operation on two numbers that are already folded."""
        if op in "+-" and isinstance(b, Number) and b.value == 0:
            return a
        if op == "+" and isinstance(a, Number) and a.value == 0:
            return b
        return self._computed(Apply(op, (a, b)))


def _a(kind: str) -> str:
    return {"int": "a whole number", "double": "a number", "bool": "a truth value"}[kind]


def rational_log(a: Fraction, b: Fraction) -> Fraction | None:
    """log(a) to the base b (both positive, b not 1), if it is rational: then both are powers of one number. None if it is irrational."""
    if a == 1:
        return Fraction(0)
    if a < 1:
        found = rational_log(1 / a, b)
        return None if found is None else -found
    if b < 1:
        found = rational_log(a, 1 / b)
        return None if found is None else -found
    if a < b:  # never 0, since a > 1
        found = rational_log(b, a)
        return None if found is None else 1 / found
    times = 0
    most = a.numerator.bit_length()
    while a >= b:
        a /= b
        times += 1
        if a.numerator.bit_length() > most:  # the quotient of two powers of one number is a smaller power
            return None
    found = Fraction(0) if a == 1 else rational_log(b, a)
    return None if found is None else Fraction(times) + (1 / found if found else 0)


def _log(a: Fraction) -> float:
    """The natural logarithm, also of numbers that are no floats."""
    try:
        return math.log(a)
    except (OverflowError, ValueError):
        return math.log(a.numerator) - math.log(a.denominator)


def whole_log(op: str, a: Fraction, b: Fraction) -> int | None:
    """floor or ceil of log(a) to the base b (both positive, b not 1), decided by powers; None if these are too large."""
    if b < 1:
        other = whole_log("ceil" if op == "floor" else "floor", a, 1 / b)
        return None if other is None else -other
    if _log(b) == 0 or abs(_log(a) / _log(b)) * max(b.numerator.bit_length(), b.denominator.bit_length()) > LARGEST_LOG:
        return None
    found = math.floor(_log(a) / _log(b))  # close
    while b**found > a:
        found -= 1
    while b ** (found + 1) <= a:
        found += 1
    return found if op == "floor" or b**found == a else found + 1


def rational_power(a: Fraction, b: Fraction) -> Fraction | None:
    """a to the power b (a not negative, b not whole), if it is rational."""
    if a == 0:
        return Fraction(0) if b > 0 else None
    over, under = _root(a.numerator, b.denominator), _root(a.denominator, b.denominator)
    if over is None or under is None or abs(b.numerator) * max(over, under).bit_length() > LARGEST_POWER:
        return None
    found: Fraction = Fraction(over, under) ** b.numerator
    return found


def _root(number: int, degree: int) -> int | None:
    """The whole root of a positive number; None if it has none."""
    if degree > number.bit_length():
        return 1 if number == 1 else None
    low, high = 1, 1 << -(-number.bit_length() // degree)
    while low < high:
        middle = (low + high) // 2
        low, high = (middle + 1, high) if middle**degree < number else (low, middle)
    return low if low**degree == number else None
