"""What rules reach through values - tables of functions, objects, operators, modules - belongs to them: their hash sees it."""

import sys
from itertools import count
from types import ModuleType

import pytest

from zermelo.language.rules_text import rules_hash

GAME = """
from typing import NamedTuple
{before}
class S(NamedTuple):
    n: int
class G(NamedTuple):
    top: int = 3
    def start(self): return S(0)
    def actions(self, s):
        if s.n < self.top:
            yield 0
    def outcomes(self, s, a):
        yield 1, {payoff}, S(s.n + 1)
"""
CASES = {
    "list": ("def a(): return {0}\nT = [a]", "T[0]()"),
    "deep, called by another": ("def b(): return {0}\ndef a(): return b()\nT = ((1, {{2: a}}),)", "T[0][1][2]()"),
    "set": ("def a(): return {0}\nT = {{a}}", "[f() for f in T][0]"),
    "lambdas": ("T = [lambda: {0}, lambda: 5]", "T[0]()"),
    "class": ("class C:\n    def f(s): return {0}\nT = [C]", "T[0]().f()"),
    "static method": ("class C:\n    @staticmethod\n    def f(): return {0}\nT = (C,)", "T[0].f()"),
    "object": ("class C:\n    def f(s): return {0}\nT = [C()]", "T[0].f()"),
    "object, inherited": ("class B:\n    def f(s): return {0}\nclass C(B): pass\nT = (C(),)", "T[0].f()"),
    "attribute": ("class C: pass\nK = C()\nK.x = lambda: {0}", "K.x()"),
    "operator of a number": ("class C(int):\n    def __add__(s, o): return {0}\nK = C(1)", "K + 1"),
    "operator of a tuple": ("class C(NamedTuple):\n    x: int\n    def __add__(s, o): return {0}", "C(1) + 1"),
    "operator of an enum": ("from enum import IntEnum\nclass E(IntEnum):\n    A = 1\n    def __add__(s, o): return {0}", "E.A + 1"),
    "method of a constant tuple": ("class C(NamedTuple):\n    x: int\n    def f(s): return {0}\nK = C(1)", "K.f()"),
    "members of an enum": ("from enum import Enum\nclass E(Enum):\n    A = 1\n    def f(s): return {0}\nT = list(E)", "T[0].f()"),
    "partial": ("from functools import partial\ndef g(x): return x + {0}\nT = [partial(g, 1)]", "T[0]()"),
    "bound method": ("class C:\n    def f(s): return {0}\nT = [C().f]", "T[0]()"),
    "without a source": ('d = {{}}\nexec("def a(): return {0}", d)\nT = [d["a"]]', "T[0]()"),
    "property of a tuple": ("class C(NamedTuple):\n    x: int\n    @property\n    def f(s): return {0}\nK = (C(1), C(2))", "K[1].f"),
    "constant of a class": ("class C:\n    v = {0}\nT = (C,)", "T[0].v"),
    "attribute of an object in a list": ("class C: pass\nT = [C()]\nT[0].v = {0}", "T[0].v"),
    "attribute of a function": ("def f(): return 1\nf.k = {0}", "f.k"),
    "default argument": ("def g(): return {0}\ndef f(h=g): return h()", "f()"),
    "default tuple": ("def g(): return {0}\ndef f(*, h=(g,)): return h[0]()", "f()"),
    "closure": ("def make(h):\n    def f(): return h[0]()\n    return f\ndef g(): return {0}\nf = make((g,))", "f()"),
    "module in a tuple": ("from types import ModuleType\nm = ModuleType('m')\nexec('K = {0}', m.__dict__)\nT = (m,)", "T[0].K"),
    "subclass of str": ("class C(str):\n    def __len__(s): return {0}\nK = C('a')", "len(K)"),
    "subclass of dict": ("class D(dict):\n    def f(s): return {0}\nT = D()", "T.f()"),
}
numbers = count()


@pytest.mark.parametrize("case", CASES)
def test_a_change_changes_the_hash(tmp_path, case):
    before, payoff = CASES[case]

    def hash_with(number):
        file = tmp_path / f"game{next(numbers)}.py"
        file.write_text(GAME.format(before=before.format(number), payoff=payoff))
        module = ModuleType("held")
        sys.modules["held"] = module
        exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
        return rules_hash(module.G)

    first, other, again = map(hash_with, (2, 7, 2))
    del sys.modules["held"]
    assert first == again != other
