"""What rules reach through values - tables of functions, objects, operators, modules - belongs to them: their hash sees it."""

import ast
import enum
import os
import sys
from itertools import count
from types import ModuleType

import pytest

from zermelo.language import source
from zermelo.language.bare_code import _Formatted
from zermelo.language.rules_text import rules_hash, rules_text

GAME = """
from typing import NamedTuple
{before}
class S(NamedTuple):
    n: int
P = globals().get("P", tuple)
@globals().get("add", lambda c: c)
class G(NamedTuple):
    top: int = 3
    p: P = P()
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
    "second lambda of a line": ("a, b = lambda: 1, lambda: {0}", "b()"),
    "lambda in a dictionary": ("T = {{0: lambda: 1, 1: lambda: {0}}}", "T[1]()"),
    "lambda in a lambda": ("f = (lambda x: lambda: x + {0})(1)", "f()"),
    "slots": ("class C:\n    __slots__ = ('__v',)\n    def __init__(s, v): s.__v = v\n    def f(s): return s.__v\nK = C({0})", "K.f()"),
    "dataclass": ("from dataclasses import dataclass\n@dataclass(slots=True)\nclass C:\n    v: int = {0}\ndef f(): return C().v", "f()"),
    "namespace": ("from types import SimpleNamespace\nK = SimpleNamespace(f=lambda: {0})", "K.f()"),
    "deque": ("from collections import deque\nK = deque([lambda: {0}])", "K[0]()"),
    "default factory": ("from collections import defaultdict\nK = defaultdict(lambda: {0}, {{1: 5}})", "K[0]"),
    "proxy": ("from types import MappingProxyType\nK = MappingProxyType({{0: lambda: {0}}})", "K[0]()"),
    "order of a dictionary": ("K = dict.fromkeys(('a', 'b') if {0} == 2 else ('b', 'a'))", "ord(next(iter(K)))"),
    "method of a dictionary": ("K = {{0: {0}}}.get", "K(0)"),
    "method of a tuple": ("K = (1, {0}).__getitem__", "K(1)"),
    "large array in a namespace": (
        "import numpy as np\nfrom types import SimpleNamespace\nK = SimpleNamespace(v=np.arange(2001))\nK.v[1000] = {0}", "int(K.v[1000])"
    ),
    "array of fractions": ("import numpy as np\nfrom fractions import Fraction\nK = np.array([Fraction({0})], dtype=object)", "K[0]"),
    "text of a number": ("class M(int):\n    def __repr__(s): return 'much'\nK = M({0})", "int(K)"),
    "long pattern": ("import re\nK = re.compile('a' * 300 + '{0}')", "int(K.pattern[-1])"),
    "bytes in a view": ("K = memoryview(bytes([{0}]))", "K[0]"),
    "code that wraps": (
        "from functools import wraps\ndef more(f):\n    @wraps(f)\n    def g(): return f() + {0}\n    return g\n@more\n"
        "def f(): return 1", "f()"
    ),
    "single dispatch": (
        "from functools import singledispatch\n@singledispatch\ndef f(x): return 0\nf.register(int)(lambda x: {0})", "f(1)"
    ),
    "class as a value": ("class C:\n    v = {0}\ndef f(c): return c.v", "f(C)"),
    "method of an object that is made": ("class C:\n    def f(s): return {0}", "C().f()"),
    "module as a value": (
        "from types import ModuleType\nm = ModuleType('m')\nexec('K = {0}', m.__dict__)\ndef f(x): return x.K", "f(m)"
    ),
    "import in a function": (
        "import sys\nfrom types import ModuleType\nsys.modules['zz_m'] = m = ModuleType('zz_m')\nexec('K = {0}', m.__dict__)\n"
        "def f():\n    from zz_m import K\n    return K", "f()"
    ),
    "constants of an enum's members": (
        "from enum import Enum\nclass E(Enum):\n    def __new__(c, v, p):\n        m = object.__new__(c)\n        m._value_, m.p = v, p\n"
        "        return m\n    A = 1, {0}\ndef f(e): return e.p", "f(E.A)"
    ),
    "method of an enum": ("from enum import IntEnum\nclass E(IntEnum):\n    A = 1\n    def f(s): return {0}", "E(1).f()"),
    "alias of an enum": ("from enum import IntEnum\nclass E(IntEnum):\n    A = 2\n    B = 7\n    C = {0}", "E['C']"),
    "dictionary of a state": ("class C(NamedTuple):\n    x: int\nC.D = {{1: {0}}}", "C(1).D[1]"),
    "mixin of a state": ("class C0(NamedTuple):\n    x: int\nclass M:\n    def f(s): return {0}\nclass C(M, C0): pass", "C(1).f()"),
    "partial method": (
        "from functools import partialmethod\nclass C(NamedTuple):\n    x: int\nC.f = partialmethod(lambda s, v: v, {0})", "C(1).f()"
    ),
    "globals without a source": ('K = {0}\nd = {{"K": K}}\nexec("def a(): return K", d)\nT = [d["a"]]', "T[0]()"),
    "environment": ("import os\nos.environ['ZZ_K'] = '{0}'\ndef f(): return int(os.environ['ZZ_K'])", "f()"),
    "getenv": ("import os\nos.environ['ZZ_K'] = '{0}'\ndef f(): return int(os.getenv('ZZ_K'))", "f()"),
    "game that is passed on": ("def f(g): return g.v()\ndef add(c):\n    c.v = lambda s: {0}\n    return c", "f(self)"),
    "class of the game": ("def add(c):\n    c.v = {0}\n    return c", "type(self).v"),
    "operator of the game": ("def add(c):\n    c.__mul__ = lambda s, o: {0}\n    return c", "self * 1"),
    "play that must end": ("def add(c):\n    c.must_end = {0} == 2\n    return c", "1"),
    "list of payoffs": ("def add(c):\n    c.payoffs = ['a' * {0}]\n    return c", "(1,)"),
    "partial member": (
        "from functools import partial\ndef p(v, s): return v\ndef add(c):\n    c.payoff = staticmethod(partial(p, {0}))\n    return c", "1"
    ),
    "operator of a parameter": ("class P(NamedTuple):\n    x: int = 1\n    def __mul__(s, o): return {0}", "self.p * 1"),
    "dictionary of a parameter": ("class P(NamedTuple):\n    x: int = 1\nP.D = {{1: {0}}}", "self.p.D[1]"),
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
    for name in ("held", "zz_m"):
        sys.modules.pop(name, None)
    os.environ.pop("ZZ_K", None)
    assert first == again != other


def test_the_text_of_rules_holds_no_other_variable_of_the_environment(tmp_path, monkeypatch):
    """A saved solution has this text, and is given to others."""
    monkeypatch.setenv("ZZ_SECRET", "the-secret")
    file = tmp_path / "env.py"
    file.write_text(GAME.format(before="import os\ndef f(): return len(os.environ.get('ZZ_OTHER', ''))", payoff="f()"))
    module = ModuleType("env")
    monkeypatch.setitem(sys.modules, "env", module)
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    text = rules_text(module.G)
    assert "the-secret" not in text and "# environment ZZ_OTHER = None" in text


FORMATTED = [  # as Python 3.11 writes them
    ("f'a{x}b'", "f'a{x}b'"),
    ('f"none of {\', \'.join(NAMES)}, not {self.back!r}"', 'f"none of {\', \'.join(NAMES)}, not {self.back!r}"'),
    ('f\'{x:>{w}.{n}f}{{}}\' "it\'s"', 'f"{x:>{w}.{n}f}{{}}it\'s"'),
    ('f"it\'s {x[\'a\']}"', 'f"it\'s {x[\'a\']}"'),
    ('f\'\'\'{x["a"]} it\'s "so" \'\'\'', 'f"""{x[\'a\']} it\'s "so" """'),
    ("f'{(1 if x else 2)}{ {1: 2}[1]}{(lambda: 1)()}{x or y}'", "f'{(1 if x else 2)}{ {1: 2}[1]}{(lambda: 1)()}{x or y}'"),
    ('f"{f\'{x}y\'} {\'z\'}\\n"', 'f"{f\'{x}y\'} {\'z\'}\\n"'),
    ('f"""{\'\'\'it\'s\'\'\'}{x}"""', 'f"""{"it\'s"}{x}"""'),
]


@pytest.mark.parametrize(("written", "text"), FORMATTED)
def test_formatted_text_is_the_same_in_all_versions_of_python(written, text):
    """`ast.unparse` of Python 3.12 chooses other quotes: a file of 3.11 was said to be of other rules."""
    if sys.version_info < (3, 12):
        assert ast.unparse(ast.parse(written, mode="eval")) == text
    assert ast.unparse(_Formatted().visit(ast.parse(written, mode="eval"))) == text


def test_what_later_versions_add_to_an_enum_is_not_hashed(tmp_path):
    file = tmp_path / "with_enum.py"
    file.write_text(GAME.format(before="import enum\nclass E(enum.IntEnum):\n    A = 1", payoff="E.A"))
    module = ModuleType("with_enum")
    exec(compile(file.read_text(), str(file), "exec"), module.__dict__)
    before = rules_hash(module.G)
    type.__setattr__(module.E, "_unhashable_values_map_", {})
    type.__setattr__(module.E, "_hashable_values_", [1])
    assert rules_hash(module.G) == before and isinstance(module.E.A, enum.IntEnum)


def test_a_lambda_whose_columns_are_unknown():
    """Python 3.12 says none of one that returns a constant: the first of the line was taken for it."""
    text = "a, b = lambda: 1, lambda: 2"
    names = {}
    exec(compile(text, "lambdas.py", "exec"), names)

    class NoColumns:
        def __init__(self, code):
            self.code = code

        def __getattr__(self, name):
            return getattr(self.code, name)

        def co_positions(self):
            return iter([(1, 1, 0, 0)])

    found = [source._lambda_of(NoColumns(names[n].__code__), ast.parse(text)) for n in ("a", "b")]
    assert [*map(ast.unparse, found)] == ["lambda: 1", "lambda: 2"]
