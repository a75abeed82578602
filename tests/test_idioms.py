"""What Python programmers write without a thought: it compiles to the same results, or is refused at the right line."""

from __future__ import annotations

import importlib.util
import math
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import random_rules
import zermelo
from zermelo.kernels.kernel import only

CONSTANTS = """
import itertools
import math
from itertools import combinations, product
from enum import IntEnum, IntFlag
from typing import NamedTuple
class Right(IntFlag):
    READ = 4
    WRITE = 2
class Suit(IntEnum):
    LOW = 1
    HIGH = 2
    def __lt__(self, other):
        return int(self) > int(other)
class Sky(IntEnum):
    DRY = 0
    WET = 1
    ICE = 5
class Vector(NamedTuple):
    x: int
    y: int
    def __lt__(self, other):
        return self.y < other.y
class Hand(NamedTuple):
    x: int
    def index(self, card):
        return 7
JUMPS = {5: 38, 1: 14, -3: 31}
PAIRS = {(0, 1): 2, (1, 1): 5, (-2, 0): -1}
MOVES = {0: (1, 0), 1: (0, 1), 2: (-1, 0)}
HALVES = {0: 0.5, 1: 2.5}
ROOTS = {i * i: i for i in range(300)}
TEXTS = {"a": 1}
SLIDES = {Sky.ICE: 8, Sky.DRY: 3}
SKIES = tuple(Sky)
TURNS = {(Sky.WET, 1): Sky.ICE, (Sky.DRY, 1): Sky.DRY}
ICY = frozenset({Sky.ICE, Sky.WET})
SUITS = {Suit.LOW: 1}
PRIMES = frozenset((2, 3, 5, 7, 11))
CORNERS = {(0, 1), (1, 2)}
NAMES = ("aa", "b", "ccc")
WILD = (1e99, 1, 0.5)
INFINITE = (0, math.inf)
LARGE_OR_TRUE = (True, 2**60)
FAR = (2**60, 0.5)
UNEVEN = ((1, 2), (3,))
ROWS = ((1, 2), (3, 4))
SQUARES = tuple(i * i for i in range(300))
ODDS = (1, 3, 5)
def named(a, *, b=2):
    return a % 100 - b
def both(a, *, b=1, c):
    return a % 7 * 100 + b * 10 + c
def maybe(x):
    return None if x > 3 else x
def some(n):
    found = False
    if n < 5:
        yield 1
        found = True
        if not found:
            yield 2
def tally(n):
    d = {}
    for i in range(n):
        d[i % 3] = d.get(i % 3, 0) + 1
    return d
def tallies(n):
    d = tally(n)
    for k in d:
        yield k
    for k, v in d.items():
        yield 10 * k + v
        if v > 2:
            break
    else:
        yield 7
    for i, v in enumerate(d.values()):
        yield i * v
    for k in tally(n + 1):
        yield k
        d[k] = 5
def those(n):
    i = 1
    yield from range(n)
    yield from (i * j for i in range(n) for j in (1, 2) if i != j)
    yield from [i, n]
def either(n):
    yield n
    if n > 5000:
        yield n, 2
def guarded(n):
    match n - 1:
        case x if x > 2:
            yield 1
        case 1:
            yield 5
        case _:
            yield 2
def few(n):
    return [2, n]
def fill(d, v):
    d[v] = 1
    return len(d)
"""

ALIKE = [
    "x = 0\nfor sky in SKIES:\n    x = 10 * x + sky * (sky != self.a % 6)\nreturn x",
    "x = SLIDES.get(self.a % 7, 1) + TURNS[self.a % 2, 1]\nfor k, v in SLIDES.items():\n    x = 2 * x + k * v"
    "\nreturn x if self.a % 6 in ICY else -x",
    "d = {}\nfor v in (self.a % 3, self.b % 2, 1):\n    d[v] = d.get(v, 0) + 1\nreturn d[1]",
    "d: dict = dict()\nfor v in self.t:\n    d[v % 2, 1] = d.get((v % 2, 1), 0.5) + self.a % 5\nreturn d[1, 1]",
    "d, e = {}, {}\ni = 0\nwhile d.get(i, 0) < 3 and i < 5:\n    d[i] = 2 * (self.a % 3)\n    e.setdefault(i, d[i])\n    i += 1\n"
    "return sum(d.values()) + len(e)",
    "d = {}\nfor v in self.t:\n    if d.setdefault(v % 2, 0) > 0:\n        d[v % 2] += self.a % 5\n    else:\n        d[v % 2] += 1\n"
    "return d.get(1, 7) - d.get(0, -1)",
    "return (1, 2)[self.a > self.b] + ODD[not self.a] + ODD[self.a > 1 and self.b > 2] + (1, 2, 3)[True] + [4, 5][False]",
    "flags = [self.a > 1, self.b > 2]\nreturn ODD[flags[0]] + 10 * SQUARES[flags[1]] + ROWS[flags[0]][not flags[1]] + ord('ab'[flags[0]])",
    "items = [5, 6]\nitems[self.a > self.b] = 7\nitems[not self.a] -= 2\nreturn items[0] * 10 + items[1]",
    "d = {True: 3, False: 5}\nreturn d[self.a > 2] + 10 * d[not self.b]",
    "r = range(self.a % 10, -40, -3)\nreturn range(3, 30, 4)[2] + r[self.b % 16] + r[-1] + range(5)[self.a > 3]",
    "items = [5, 7, self.a % 5]\nx = divmod(last(items), 3)\nreturn x[0] + 10 * x[1] + 100 * len(items)",
    "items = [5, 7, self.a % 5]\nx = divmod(last(items) + 0.5, 3)[1]\nreturn x + 100 * len(items)",
    "return pow(self.a, 3, 7)",
    "return pow(self.a, self.b, LARGE) - pow(self.b, 5, -LARGE)",
    "return pow(self.a, -3, 2**61 - 1) + pow(self.a, self.a > 3, 5)",
    "return pow(self.a, 5, self.b)",
    "items = [1, 2, self.a, 4]\ndel items[0], items[-1]\ndel items[:self.b > 3]\nreturn items[0] % 100 + len(items)",
    "items = [1, 2]\ndel items[self.a % 4]\nreturn items[0]",
    "d = {1: self.a, 2: 5, 3: 7}\ndel d[1], d[3]\nreturn len(d) + d[2]",
    "x, y, z = self.a, 3, 4\ndel (x, y), z\nreturn self.b",
    "return NAMES.index('b') + NAMES.count('aa') + 'abcab'.count('a') + ODD.index(5)",
    "return ODD.index(self.a % 3)",
    "return MIXED.index(0.5)",
    "return float(WILD[self.a % 3]) * 2",
    "return INFINITE[self.a % 2]",
    "return LARGE_OR_TRUE[self.a % 2]",
    "return FAR[0] + UNEVEN[0][1] + UNEVEN[1][self.a % 1]",
    "return (1, 2.5)[self.a % 2]",
    "return named(self.a) + named(1, b=self.b % 5) + both(self.a, c=3) + both(1, b=2, c=self.b % 5)",
    "def g(x, k=2):\n    return x * k\nreturn g(3, k=4) + g(self.a % 100)",
    "def g(x, *, k=2):\n    return x * k\nreturn g(3, k=self.b % 4) + g(self.a % 100)",
    "def g(x, k, z=-5):\n    return x * 10 + k + z * 100\nreturn g(k=3, x=4) + g(1, z=2, k=self.a % 3)"
    " + sum(g(i, k=i + 1) for i in range(3))",
    "if (w := self.a % 9) > 3:\n    return w\nelif 0 < (v := plus(w)) < 5:\n    return v * 10\nreturn w + v",
    "n = 0\nwhile (k := n * 2) < self.a % 9 and n < 50:\n    n += 1\n    if n % 3 == 2:\n        continue\n    n += 1\nreturn k * 100 + n",
    "items = [w := self.a % 3, w + 1]\nfor k in range(v := len(items)):\n    w += k\nx = (y := w) + y * v\nreturn x if (z := x) else z",
    "deck = [1, 2, self.a % 5]\ns = S(b=deck.pop(), a=last(deck))\nreturn s.a * 10 + s.b",
    "deck = [1, 2, self.a % 5]\ns = S(t=(7, 8, 9), b=deck.pop(), a=deck.pop())\nreturn s.a * 100 + s.b * 10 + s.t[2]",
    "deck, g = [0, 1, self.a % 3], [2, 3, 4]\ng[deck.pop()] **= 2\ng[last(deck)] += 5\nreturn g[0] * 10000 + g[1] * 100 + g[2] + len(deck)",
    "deck = [4, 5, self.a % 5]\nx = (deck.pop(), last(deck)) * 2\nreturn x[0] + 10 * x[1] + 100 * x[2] + 1000 * x[3] + 10000 * len(deck)",
    "deck = [4, 5, self.a % 5]\nx = (last(deck),) * 0 + (last(deck),)\nreturn x[0] + 100 * len(deck)",
    "deck = [1, 2, self.a % 5, 3]\nreturn (1 if deck.pop() in deck[1:] else 2) + (10 if last(deck) not in (last(deck), 7) else 20)",
    "deck = [1, self.a % 3, 2]\nreturn 100 * len(deck) + (1 if 0 < last(deck) in (1, 2) else 2)",
    "x = sorted([(i * 7 + self.a % 40) % 40 for i in range(40)], key=lambda x: x % 3)\ny = [(i % 3, i) for i in range(40)]\n"
    "y.sort(reverse=self.a > 3, key=lambda pair: pair[0])\nreturn x[self.b % 40] * 100 + y[self.b % 40][1]",
    "grid = [[0] * 3 for _ in range(3)]\nfor row in grid:\n    row[self.b % 3] = 7\nreturn grid[0][1] * 10 + grid[2][2]",
    "def g(x):\n    return x - 1\na, more = [1, 2], [3]\npair = (a, 3)\npair[0][1] = 8\nitems = a\nitems += [5]\n"
    "more[self.a % 3] = g(2)\nreturn a[1] * 10 + len(a)",
    "d = {}\nx = [d.get(k, 7) for k in range(3)]\nd[1] = self.b\nreturn sum(x) * 100 + d[1] % 50",
    "x = self.b % 7\nfor y in some(self.a):\n    x += 10 * y\nreturn x",
    "return JUMPS[self.a] if self.a in JUMPS else JUMPS.get(self.b % 7, 3)",
    "x = JUMPS.get(self.a % 7)\nreturn JUMPS.get(self.b, self.b % 5) * 10 + (7 if x is None else x % 10)",
    "return JUMPS[self.a % 6]",
    "return PAIRS.get((self.a % 2, self.b % 2), 9) + 10 * ((self.a, 1) in PAIRS) + 20 * ((self.b % 2, 2) not in CORNERS)",
    "x, y = MOVES[self.a % 3]\nreturn x * 10 + y + MOVES[self.b % 3][1] * 100 + HALVES[self.a % 2]",
    "return ROOTS.get(self.a, -1) + 1000 * (self.b in ROOTS) + (2000 if self.b in PRIMES else 0) + len(ROOTS) + len(PRIMES)",
    "x = sum(JUMPS.values()) + max(JUMPS) + min(JUMPS.keys())\nfor k in JUMPS:\n    x = x * 3 + k\n"
    "for k, v in JUMPS.items():\n    x += k * v"
    "\nfor v in MOVES.values():\n    x = x * 2 + v[0]\nreturn x + sum(k * self.t[0] for k in PAIRS.values()) % 50",
    "cells = list(self.t)\ncells[self.a % 3] = 7\n"
    "return S(0, 0, tuple(cells)).t[1] + 10 * S(0, 0, tuple(sorted(cells, reverse=self.b > 2))).t[0]",
    "made = []\nfor x in self.t:\n    made.append(x % 5)\nt = tuple(made)\nreturn S(0, 0, t).t[2] + 10 * tuple(sorted(self.t))[self.b % 3]",
    "t = tuple(sorted(x % 4 for x in self.t if x > self.a % 2)) if self.t[0] > 1 else self.t\nreturn S(0, 0, t).t[1]",
    "x = tuple([self.a % 5, 3]) + tuple(range(len(self.t) - 1)) + tuple(i + j for i in range(2) for j in self.t if i > 0)\n"
    "return x[self.b % 4] + len(x)",
    "k = self.a % 4\nx = sum(self.t[k:]) % 97 + 100 * len(self.t[:k]) + 1000 * (self.b in self.t[-k:]) + len(ODDS[self.b > 1 :])\n"
    "for i, y in enumerate(self.t[: self.b % 5]):\n    x = (x * 3 + i - y) % 997\n"
    "return x + sum(y for y in sorted(self.t[k:])[:2] if y in ODDS[k:]) % 89 + tuple(list(self.t)[k:] + list(self.t)[:k])[0] % 79",
    "n = len(self.t) - 1\nmine = self.t[n - 1 : 2 * n - 1]\nreturn sum(mine) % 50 + 100 * len(mine) + sum(self.t[:n]) % 9",
    "x = 0\nfor i, j in product(range(self.a % 4), self.t):\n    if i == 1:\n        continue\n"
    "    x = (x * 3 + i + j) % 997\n    i = 7\nreturn x",
    "x = 0\nfor roll in itertools.product(range(1, 3), repeat=3):\n    x = (x * 3 + roll[0] - roll[2]) % 997\nreturn x + roll[1]",
    "x = 0\nfor p, q in combinations(self.t, 2):\n    x = (x * 3 + p - q) % 997\n"
    "for p in itertools.permutations(range(self.b % 5), 2):\n    x = (x * 5 + p[0]) % 997\nreturn x",
    "return sum(i * j for i, j in combinations(range(self.a % 6), 2) if i + j > 2)"
    " + 100 * len([k for i, j, k in itertools.combinations_with_replacement(range(1, 4), 3) if i < k])",
    "x = 0\nfor i in reversed(range(self.a % 7)):\n    x = (x * 3 + i) % 997\n"
    "for i in reversed(range(2, self.b % 9)):\n    x = x * 2 - i\nreturn x",
    "items = [self.a > 2, self.b > 3]\nreturn any(items) + 2 * all(items) + 4 * any(self.t) + 8 * all(x > 1 for x in self.t)"
    " + list(x for x in self.t)[1] * 100",
    "return self.t.count(self.a % 4) + 10 * ODDS.count(self.b % 6) + 100 * tuple(sorted(self.t)).count(self.t[0]) + (1, 2, 1).count(1)",
    "return self.a.bit_count() + 100 * (self.b % 99 - 3 * (self.a % 99)).bit_length() + 10_000 * (self.a > 3).bit_count()",
    "return self.a.bit_count() + 100 * self.b.bit_length() + (self.a % 999 << 50).bit_count() + (-LARGE - self.a % 9).bit_length()",
    "least = (self.a % 2 - 2**62) * 2\nreturn least.bit_count() + 100 * least.bit_length() + (1 << self.b % 9).bit_length()",
    "x = 0\nfor y in tallies(self.a % 9):\n    x = (x * 5 + y) % 997\nreturn x",
    "x = 0\nfor y in those(self.a % 5):\n    x = x * 5 + y\nreturn x",
    "if self.a == 63:\n    raise ValueError(f'bad {self.a:5d}')\nassert self.t[0] == 1, f'{self.b!r}'\nreturn 1 if 'abc' == f'abc' else 2",
]


@pytest.fixture(scope="module")
def head() -> str:
    return random_rules.HEAD.replace("class S(", CONSTANTS + "class S(")


@pytest.mark.parametrize("beginning", range(0, len(ALIKE), 10))
def test_it_means_what_it_means_in_python(beginning: int, head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_rules, "HEAD", head)
    monkeypatch.setattr(random_rules, "TAKEN_BY_KIND", ((3,),))
    found = random_rules.compare(ALIKE[beginning : beginning + 10], tmp_path, f"idioms_{beginning}")
    assert not found.differences and not found.silent and not found.refused and not found.stopped, found


def test_a_table_of_floats_and_whole_numbers_stops_where_it_must(head: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_rules, "HEAD", head)
    found = random_rules.compare(["return WILD[self.a % 3] * 2"], tmp_path, "idioms_wild")
    assert found.stopped and found.alike and not found.differences and not found.refused


GAME = """
class S(NamedTuple):
    n: int
class G(NamedTuple):
    last: int = 3
    def start(self):
        return S(0)
    def outcomes(self, s):
        if s.n < self.last:
            yield 1, self.paid(s.n), S(s.n + 1)
            yield 1, 0, S(s.n + 1)
    def paid(self, n):
"""
FIRST = (CONSTANTS + GAME).count("\n")


def game_of(body: str, folder: Path, name: str) -> Any:
    path = folder / f"{name}.py"
    path.write_text(CONSTANTS + GAME + "\n".join(f"        {line}" for line in body.splitlines()) + "\n")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.G()


# what is refused: the rule; its line, counted from 1; what is said, and whether it is said of small games, too
REFUSED = [
    ("x, y = n, 3\nreturn x if x is not y else 3", 2, "`x is not y`: `is` compiles only before None", True),
    ("if n < 2 and (w := n) > 3:\n    return w\nreturn 2", 1, "`(w := n)`: `:=` can't compile here: assign on a line of its own", True),
    ("return sum((w := k) for k in range(n))", 1, "`(w := k)`: `:=` can't compile here: assign on a line of its own", True),
    ("if (w := n) < 2:\n    return w\nelse:\n    return u if n > 99 else (u := 3)", 4, "`(u := 3)`: `:=` can't", True),
    ("return len(f'{n}')", 1, "formatted text can't compile: compare numbers, or texts as they are", True),
    ("a = [1, n]\nreturn tuple(a)[0]", 2, "`tuple(a)`: its length must be known: write `tuple(items[i] for i in range(n))`", False),
    ("return tuple(few(n))[0]", 1, "the length of a list is not known: write `tuple(items[i] for i in range(n))`", False),
    ("return TEXTS['a']", 1, "`TEXTS` is a dict, which compiles only as `TEXTS[x]`, `TEXTS.get(x, y)`, `x in TEXTS` and in `for`", False),
    ("JUMPS[n] = 2\nreturn 2", 1, "`JUMPS` is ", False),
    ("return SUITS.get(n, 2) * 0 + 2", 1, "`Suit` has a `__lt__` of its own, which can't compile", False),
    ("return JUMPS.get(n / 2, 2)", 1, "the keys of this dictionary, or what is in this set, are whole numbers", False),
    ("x = 2\nfor i, j in product(range(n), range(2)):\n    if i:\n        break\nreturn x", 2, "of `itertools` compiles only in a", True),
    ("x = [3, 4]\nfor i, j in product(x, x):\n    x.append(i)\nreturn 2", 2, "without `break`: write `for` loops", True),
    ("x = 0\nfor i in reversed([n, 2]):\n    x = x * 2 + i\nreturn x", 2, "write `range(n - 1, -1, -1)`, or `items[::-1]`", True),
    ("def g(x):\n    del n\n    return x\nreturn g(1) if n > 9 else 2", 2, "`n` may have no value here", True),
    ("x = 2\nif n > 99:\n    del x\nreturn x", 4, "`x` may have no value here", True),
    ("return named(n, 3) if n > 5000 else 2", 1, "`named(n, 3)` must name the arguments that stand after `*`", True),
    ("g = lambda x, k=2: x * k\nreturn g(3, k=4)", 2, "`g(3, k=4)` can't compile: give an inner function its arguments", True),
    ("return (lambda x, k=2: x * k)(3, k=4)", 1, "give an inner function its arguments without their names", True),
    ("def g(x, k=2):\n    return x * k\nd = [n, 2]\nreturn g(k=d.pop(), x=d.pop())", 4, "an inner function its arguments without", True),
    ("d, g = [0, 0], [[n], [2]]\ng[d.pop()][0] += 1\nreturn g[0][0]", 2, "`g[d.pop()][0] += 1` can't compile: give `g[d.pop()]`", True),
    ("return sum(s for s in Sky)", 1, "such as `Color.RED`; to go through all of them, write `COLORS = tuple(Color)` at the top", True),
    ("return n & ~Right.READ", None, "`Right` is an IntFlag, of which `~` is not that of whole numbers: make it an IntEnum", True),
    ("return 1 if Suit.LOW < n else 2", 1, "`Suit` has a `__lt__` of its own, which can't compile", True),
    ("return 1 if Vector(1, n) < Vector(2, 1) else 2", 1, "`Vector` has a `__lt__` of its own, which can't compile", True),
    ("return Hand(n).index(n)", 1, "`Hand` has a `index` of its own, which can't compile: make it a helper of another name", True),
    ("def g(x):\n    return x * k\nk = n\nreturn sum(g(k) for k in range(3))", 4, "give the loop variable a name of its own", True),
    ("match n > 1:\n    case True:\n        return 2\nreturn 3", 2, "`case True` can't compile: write `case 1`", True),
    ("match n * 0.5:\n    case 9007199254740993:\n        return 2\nreturn 3", 2, "compare numbers from 2^53 on with `if`", True),
    ("match (n, 2):\n    case (0, x):\n        return x\nreturn 3", 2, "a `case` that takes something apart", True),
    ("return SQUARES.index(n * n)", 1, "`SQUARES.index(n * n)` among more than 200 numbers can't compile: write a `for` loop", True),
    ("return FAR[n % 2] > 1", 1, "`FAR[n % 2]` can't compile: it holds whole numbers beyond 2^53 and floats", True),
    ("return UNEVEN[n % 2][0]", 1, "`UNEVEN[n % 2][0]` can't compile: what a variable chooses from must hold rows of one length", True),
    ("return isinstance(n, int)", 1, "`isinstance` can't compile: compiled numbers do not know their Python type", True),
    ("d = {}\nfor v in (n % 3, 1):\n    d[v] = d.get(v, 0) + 0.5\nreturn d[1]", 3, "values of one kind: begin with `0.0`", False),
    ("d = {}\nx = [d.get(k, 0) for k in range(3)]\nreturn sum(x)", 2, "a dictionary that begins empty is asked before", False),
    ("d = {}\nd.setdefault(n, []).append(1)\nreturn len(d)", 2, "a list as a value of a dictionary has no native counterpart", False),
    ("d = {}\nreturn fill(d, n)", 1, "a dictionary that begins empty", False),
    ("return maybe(n) or 7", 1, "what may be None is asked whether it is true", False),
    ("return ODDS[n > 1:] == (3, 5)", 1, "part of a tuple, t[i:j], needs numbers that follow from the parameters: write list(t)", False),
    ("return ((n, 0.5), (1, 2, 3))[n % 2][0]", 1, "must hold rows of one length", False),
    ("return (n, 0.5)[n % 2]", 1, "must hold values of one kind", False),
    ("return [1, n] + n if n > 50 else 3", 1, "there is no such operation on a list and a whole number", False),
    ("return [1, 2][0.5 if n > 1000 else 0]", 1, "a list can't be indexed by a float", False),
    ("return pow(n / 2, 3, 7) if n > 1000 else 3", 1, "pow(a, b, c) works on whole numbers", False),
    ("return ~(n / 2) if n > 1000 else 3", 1, "~ works on whole numbers, not on a float", False),
    ("x = [1, n]\nreturn x.upper() if n > 1000 else 3", 2, "`.upper` of a list has no native counterpart", False),
    ("return sorted([3, 2], key=lambda i: abs(i - n))[0]", 1, "the `key` of sorted and sort can use its argument and constants", False),
    ("x = 0\nfor y in either(n):\n    x += 1\nreturn x", None, "what is yielded must be of one kind everywhere: numbers, or", False),
    ("x = 0\nfor y in guarded(n):\n    x += y\nreturn x", None, "in the line `match n - 1:` (", False),
    ("x = 3\nif n > 1:\n    x = (n, 2)\nreturn x if n < 2 else x[0]", None, "`x` is ", False),
]
OF_THE_COMPILER = re.compile(r"zermelo_|rules_[0-9a-f]|numba|Function\(|int64|float64|UniTuple|DictType|Literal|nopython|impl|>>>|\$|0x")


@pytest.mark.parametrize(("body", "line", "said", "is_told_early"), REFUSED)
def test_it_is_refused_in_words_of_the_rules(body: str, line: int | None, said: str, is_told_early: bool, tmp_path: Path) -> None:
    name = f"refused_{abs(hash(body)) % 10**9}"
    game = game_of(body, tmp_path, name)
    with only("compiled"), pytest.raises(zermelo.RulesError) as caught:
        zermelo.solve(game)
    texts = [str(caught.value)]
    if is_told_early:
        with only("interpreted"), pytest.raises(zermelo.RulesError) as caught:
            zermelo.plan(game)
        texts.append(str(caught.value))
    for text in texts:
        assert said in text and not OF_THE_COMPILER.search(text), text
        assert line is None or f"({name}.py line {FIRST + line})" in text, text


def test_nothing_is_said_of_what_compiles(tmp_path: Path) -> None:
    body = "d = {}\nd[n] = d.get(n, 0) + named(n, b=1)\nassert n < 9, f'too much: {n}'\ndel d[n]\nreturn len(d) + (1, 2)[n > 1]"
    game = game_of(body, tmp_path, "compiles")
    assert zermelo.plan(game).examined == 4
    with only("compiled"):
        compiled = zermelo.solve(game).value
    with only("interpreted"):
        assert zermelo.solve(game).value == compiled == pytest.approx(2.0)


def test_greatest_common_divisors() -> None:
    from numba import njit

    from zermelo.kernels.support import gcd

    compiled = njit(lambda a, b: gcd(a, b))
    assert compiled(-12, 18) == 6 and compiled(-(2**63), 6) == 2
    with pytest.raises(OverflowError):  # it was -2^63
        compiled(-(2**63), 0)


def test_whole_numbers() -> None:
    """What a player sees was cut off to a whole number."""
    from numba import njit

    from zermelo.kernels.support import numbers_of

    compiled = njit(lambda action: numbers_of(action))
    assert compiled((2.0, True)) == (2, 1)
    for action in ((1, 2.5), math.nan):
        with pytest.raises(ValueError, match="must be a whole number"):
            compiled(action)


def test_powers_modulo() -> None:
    from numba import njit

    from zermelo.kernels.support import power_modulo

    compiled = njit(lambda a, b, c: power_modulo(a, b, c))
    numbers = (0, 1, -1, 2, 3, -7, 1000, 2**31, 2**32 + 15, 2**53 + 1, -(2**62), 2**63 - 1, -(2**63))
    for a in numbers:
        for b in numbers:
            for c in numbers:
                try:
                    expected = pow(a, b, c)
                except ValueError:
                    with pytest.raises(ValueError):
                        compiled(a, b, c)
                else:
                    assert compiled(a, b, c) == expected, (a, b, c)
    assert math.gcd(7, 1000) == 1 and compiled(7, -1, 1000) * 7 % 1000 == 1


DICE = """
class S(NamedTuple):
    total: int
class G(NamedTuple):
    grows: bool = False
    def start(self):
        return S(0)
    def outcomes(self, s):
        if s.total == 0:
            ways = {}
            for a in range(1, 7):
                for b in range(1, 7):
                    ways[a + b] = ways.get(a + b, 0) + 1
            for total, n in ways.items():
                yield n, total, S(total)
                if self.grows:
                    ways[total + 20] = 1
"""


def test_a_loop_over_a_dictionary_may_yield(tmp_path: Path) -> None:
    """The process crashed."""
    (tmp_path / "counted_dice.py").write_text(CONSTANTS + DICE)
    with only("compiled"):
        assert zermelo.solve(f"{tmp_path}/counted_dice.py:G").value == 7
        with pytest.raises(zermelo.RulesError, match="dictionary changed size during iteration"):
            zermelo.solve(f"{tmp_path}/counted_dice.py:G", grows=True)
