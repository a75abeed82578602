"""Random functions of rules, as source text, and what they say run by Python and as machine code.

A function is a method of a state with two numbers and a tuple of three, and takes one more number, whole or a float. It is rewritten as
every rule is (link/rewrite.py) and compiled alone, without the kernels around it.

    python tests/random_rules.py MINUTES SEED

asks functions that no test asks, for so long, and says what was found.
"""

from __future__ import annotations

import importlib.util
import itertools
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

import numba
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from zermelo.kernels.stopped import Stopped
from zermelo.language.rules import read
from zermelo.link.cache import load_module
from zermelo.link.constants import CannotCompile
from zermelo.link.module import Module
from zermelo.states.layout import Layout

HEAD = """
import math
from typing import NamedTuple
ODD = (1, 3, 5)
MIXED = (1, 0.5, 7)
LARGE = 2**53 + 1
HALF = 0.5
def plus(x, by=3):
    return x + by
def last(items):
    return items.pop()
def smaller(x, y):
    return x if x < y else y
class S(NamedTuple):
    a: int
    b: int
    t: tuple = (1, 2, 3)
"""
GAME = """
class G(NamedTuple):
    def start(self):
        return S(0, 0)
    def outcomes(self, s):
        if s.a < 0:
            yield 1, 0, s
"""
TOGETHER = 25  # functions that are compiled in one module
SMALL = ["0", "1", "2", "3", "5", "7", "10", "64"]
INTEGERS = [*SMALL, "63", "1000003", "LARGE", "4611686018427387904"]
FLOATS = ["0.5", "1.5", "2.0", "HALF", "1e10", "9007199254740992.0", "1e18", "0.1"]
NAMES = ["self.a", "self.b", "self.t[0]", "self.t[self.a % 3]", "p", "x", "y", "len(self.t)"]
OPERATORS = ["+", "-", "*", "//", "%", ">>", "&", "|", "^"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]

# What functions are asked: states, and the number that they take.
CORNERS = (0, 1, -1, 2, 3, -7, 63, 1000, 2**31, 2**53, 2**53 + 1, -(2**62), 2**63 - 1, -(2**63))
STATES = [(a, b) for i, a in enumerate(CORNERS) for b in (CORNERS[(3 * i + 1) % len(CORNERS)], CORNERS[(5 * i + 2) % len(CORNERS)], 2)]
TAKEN_BY_KIND = ((3, -2, 2**62), (0.5, -2.5, 2.0**53, 1e300))


def expressions() -> st.SearchStrategy[str]:
    leaves = st.sampled_from([*NAMES, *NAMES, *INTEGERS, *FLOATS])

    def larger(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        compared = st.sampled_from(COMPARISONS)
        small = st.sampled_from(SMALL)
        return st.one_of(
            st.builds("({} {} {})".format, inner, st.sampled_from(OPERATORS[:5]), inner),
            st.builds("({} {} {})".format, inner, st.sampled_from(OPERATORS), inner),
            st.builds("({} / {})".format, inner, inner),
            st.builds("({} ** {})".format, inner, st.sampled_from(SMALL[:-1])),
            st.builds("({} << {})".format, inner, st.one_of(small, st.builds("({} % 80)".format, inner), st.just("(3 - self.t[0] * 4)"))),
            st.builds("(-{})".format, inner),
            st.builds("(~{})".format, inner),
            st.builds("({} {} {})".format, inner, st.sampled_from(COMPARISONS), inner),
            st.builds("({} {} {} {} {})".format, inner, st.sampled_from(COMPARISONS), inner, st.sampled_from(COMPARISONS), inner),
            st.builds("({} if {} {} {} else {})".format, inner, inner, st.sampled_from(COMPARISONS), inner, inner),
            st.builds("({} in (1, {}, 7))".format, inner, small),
            st.builds("{}({})".format, st.sampled_from(["abs", "int", "round", "math.floor", "math.ceil", "math.trunc", "float"]), inner),
            st.builds("math.sqrt({})".format, inner),
            st.builds("{}({}, {})".format, st.sampled_from(["min", "max", "smaller"]), inner, inner),
            st.builds("plus({})".format, inner),
            st.builds("plus({}, {})".format, inner, inner),
            st.builds("ODD[{} % 3]".format, st.sampled_from(["self.a", "self.b"])),
            st.builds("MIXED[{} % 3]".format, st.sampled_from(["self.a", "self.b"])),
            st.builds("sum({} for k in self.t)".format, st.builds("({} * k)".format, inner)),
            st.builds("{}(({} + k) for k in range(1, 4))".format, st.sampled_from(["sum", "min", "max"]), inner),
            st.builds("sum(({}, {}, self.b))".format, inner, inner),
            st.builds("divmod({}, {})[{}]".format, inner, inner, st.sampled_from("01")),
            st.builds("({} {} smaller({}, {}) {} {})".format, inner, compared, inner, inner, compared, inner),
            st.builds("({} {} last(items) {} {})".format, inner, compared, compared, inner),
            st.builds("items[{} % 2]".format, st.sampled_from(["self.a", "self.b", "len(items)"])),
            st.builds("({} in {})".format, inner, st.sampled_from(["items", "ODD", "MIXED", "{1, 3}"])),
            st.builds("items.count({})".format, inner),
            st.builds("(items + [{}]).count({})".format, inner, inner),
            st.builds("len({{{}, {}, {}}})".format, inner, inner, inner),
            st.builds("{{1: {}, 3: 2}}.get({}, {})".format, inner, st.sampled_from(["self.t[0]", "self.t[2]", "7"]), inner),
            st.builds("(1 if ({}, 1) {} ({}, 1) else 0)".format, inner, compared, inner),
            st.builds("{}(items)".format, st.sampled_from(["sum", "min", "max", "len"])),
            st.builds("math.{}({}, {})".format, st.sampled_from(["atan2", "copysign", "hypot"]), inner, inner),
        )

    return st.recursive(leaves, larger, max_leaves=6)


def statements() -> st.SearchStrategy[str]:
    e = expressions()
    return st.one_of(
        st.builds("x = {}".format, e),
        st.builds("y {}= {}".format, st.sampled_from(["+", "-", "*", "//", "%"]), e),
        st.builds("if {}:\n    x = {}\nelse:\n    y = {}".format, e, e, e),
        st.builds("for k in range(3):\n    x = x {} {}".format, st.sampled_from(["+", "*", "-"]), e),
        st.builds("n = 0\nwhile n < 5:\n    n += 2\n    if x > {}:\n        break\n    x = x + {}".format, e, e),
        st.builds("items[{}] = {}".format, st.sampled_from("01"), e),
        st.builds("items[1] {}= {}".format, st.sampled_from(["+", "-", "*"]), e),
        st.builds("items.append({})".format, e),
        st.builds("for k in self.t:\n    if k == 2:\n        continue\n    y = y + {}".format, e),
    )


def functions() -> st.SearchStrategy[str]:
    """The bodies of functions: x and y have values, and something is returned."""
    numbers, others = st.sampled_from(["1", "self.a", "0.5", "p"]), st.sampled_from(["0", "self.b", "2.5", "p"])
    lists = st.sampled_from(["[2, self.a]", "[0.5, self.a]", "[1.5, 2.0]", "[1, 2, 3]", "[p, 1.0]"])
    first = st.builds("x = {}\ny = {}\nitems = {}".format, numbers, others, lists)
    return st.builds(lambda a, b, c: "\n".join([a, *b, f"return {c}"]), first, st.lists(statements(), max_size=3), expressions())


class Outcome(NamedTuple):
    """What was found when functions were asked."""

    cases: int  # functions at states
    alike: int  # the same number
    failed: int  # an error in Python and from machine code
    stopped: int  # machine code stopped where Python gives a number: beyond 64 bits, say
    functions: int
    refused: int  # of which do not compile: the whole function, or with a number of this kind
    differences: list[str]
    silent: list[str]  # functions that nowhere gave the same number: refused ones, too


def compare(bodies: list[str], folder: Path, name: str) -> Outcome:
    """Compile these functions, and ask each of them at every state."""
    path = folder / f"{name}.py"
    methods = [f"    def f{i}(self, p):\n" + "\n".join(f"        {line}" for line in body.splitlines()) for i, body in enumerate(bodies)]
    path.write_text("\n".join([HEAD, *methods, GAME]))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    source = importlib.util.module_from_spec(spec)
    sys.modules[name] = source
    spec.loader.exec_module(source)
    rules = read(source.G())
    written = Module(rules, Layout.of([source.S(0, 0)]), "explored")
    names = [_function_name(written, getattr(source.S, f"f{i}")) for i in range(len(bodies))]
    native = load_module(written.text())
    state_class = getattr(native, written.class_name(source.S))
    outcome = [0, 0, 0, 0]
    refused = 0
    differences: list[str] = []
    silent = []
    for i, function in enumerate(names):
        alike = outcome[1]
        for taken in TAKEN_BY_KIND if function is not None else ():
            try:
                found = _compare(getattr(source.S, f"f{i}"), getattr(native, function), source.S, state_class, taken, outcome)
            except (numba.core.errors.NumbaError, AssertionError):
                refused += 1
                continue
            differences += [f"{text}\n{bodies[i]}" for text in found]
        refused += len(TAKEN_BY_KIND) * (function is None)
        silent += [bodies[i]] * (outcome[1] == alike)
    return Outcome(*outcome, len(TAKEN_BY_KIND) * len(bodies), refused, differences, silent)


def _function_name(written: Module, function: Any) -> str | None:
    """What the function is called in the module; None if it is refused before compiling."""
    try:
        return written.function_name(function)
    except CannotCompile:
        return None


def _compare(interpreted: Any, compiled: Any, state: Any, machine_state: Any, taken: tuple[Any, ...], outcome: list[int]) -> list[str]:
    compiled.targetoptions["no_cpython_wrapper"] = False  # Python calls it
    compiled.compile((numba.typeof(machine_state(0, 0, (1, 2, 3))), numba.typeof(taken[0])))
    found = []
    for (a, b), p in itertools.product(STATES, taken):
        outcome[0] += 1
        one, other = _said(interpreted, state(a, b), p), _said(compiled, machine_state(a, b, (1, 2, 3)), p)
        if isinstance(other, Stopped) and not isinstance(one, Exception):
            outcome[3] += 1
        elif _alike(one, other):
            outcome[2 if isinstance(one, Exception) else 1] += 1
        else:
            found.append(f"a={a}, b={b}, p={p!r}: Python {one!r}, compiled {other!r}")
    return found


def _said(function: Any, state: Any, p: Any) -> Any:
    try:
        return function(state, p)
    except (ArithmeticError, LookupError, MemoryError, StopIteration, ValueError, TypeError) as error:
        if isinstance(error, TypeError) and not isinstance(p, float | int):
            raise
        return error


def _alike(one: Any, other: Any) -> bool:
    """Whether both are the same, as payoffs: where Python gives a whole number and machine code a float, this is that number rounded."""
    if isinstance(one, Exception) or isinstance(other, Exception):
        return isinstance(one, Exception) and isinstance(other, Exception)
    if isinstance(one, complex):
        return False
    if isinstance(one, int) and isinstance(other, float):
        one = float(one)
    return one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other))


def compared(examples: int, folder: Path, number: int, together: int = TOGETHER) -> list[Outcome]:
    """What random functions give, `together` times as many as examples, others for each number."""
    found: list[Outcome] = []
    numbers = itertools.count()

    @seed(number)
    @settings(max_examples=examples, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(st.lists(functions(), min_size=together, max_size=together))
    def one(bodies: list[str]) -> None:  # in the first example all of them are the same
        outcome = compare([*dict.fromkeys(bodies)], folder, f"random_rules_{number}_{next(numbers)}")
        found.append(outcome)
        print(f"{sum(o.cases for o in found):,} cases, {sum(len(o.differences) for o in found)} differences", flush=True)
        assert not outcome.differences, "\n\n".join(outcome.differences[:5])

    one()
    return found


def summary(found: list[Outcome]) -> dict[str, Any]:
    names = ("cases", "alike", "failed", "stopped", "functions", "refused")
    return {n: sum(getattr(o, n) for o in found) for n in names} | {"differences": sum(len(o.differences) for o in found)}


if __name__ == "__main__":
    until, first, found = time.monotonic() + 60.0 * float(sys.argv[1]), int(sys.argv[2]), []
    with tempfile.TemporaryDirectory() as kept:
        while time.monotonic() < until:
            found += compared(4, Path(kept), first)
            print(f"seed {first}: {summary(found)}", flush=True)
            first += 1
