"""Rules on which a compiler easily says something else than Python: right, or refused in words, never silently wrong."""

from __future__ import annotations

import enum
import functools
import itertools
import math
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from naive import solve as solve_naively
from zermelo import OutOfReach, ParameterError, RulesError
from zermelo.kernels.kernel import only
from zermelo.language.rules import read
from zermelo.language.rules_text import rules_hash
from zermelo.link.cache import load_module
from zermelo.link.module import BARE, Module
from zermelo.states.layout import Layout


@pytest.fixture(autouse=True, scope="module")
def compiled_rules() -> Iterator[None]:
    """This is about the compiler: nothing is interpreted."""
    with only("compiled"):
        yield


class C(NamedTuple):
    """A state: a counter, a tuple of numbers, and a default."""

    n: int
    c: tuple[int, ...] = (3, 1, 2)
    mode: int = 1

    BASE = 5
    SHAPE = (2, 4)
    UNUSUAL = tuple(range(5, 305))

    @property
    def limit(self):
        return self.n + self.BASE

    def twice(self):
        return self._times(2) + self.weighed(3)

    def _times(self, k):
        return k * self.n

    @staticmethod
    def weighed(other, by=2):
        return other * by + C.BASE


class Step(NamedTuple):
    by: int
    gain: float = 0.5
    BASE: int = 8  # a field here, and a constant of the state above


class Colour(enum.IntEnum):
    RED = 4


class Plain(enum.Enum):
    BLUE = 9


NEGATIVE = -1
PAY = (0, 0.5, 1, True)
NEIGHBOURS = ((1, 2), (0,))
ROWS = ((1, 1), (2.5, 2), (1, 3))
TOTAL, Q, N, LIMIT = 1000, 100, 7, 4
STEPS = (Step(1), Step(1, 2.5))
ENDLESS = (1.0, math.inf)
ARRAY = np.array([2.0, -1.5, 0.25])
WIDTH = np.int64(3)


SQUARES = tuple(i * i for i in range(2000))
LISTED = [[i, i / 2] for i in range(300)]
EVEN = tuple(i % 2 == 0 for i in range(300))
CUBE = tuple(tuple(tuple(i - j * k for k in range(3)) for j in range(4)) for i in range(40))
WIDE = tuple(tuple(i * j for j in range(250)) for i in range(9))
MANY_STEPS = tuple(Step(i, i if i % 2 else i / 2) for i in range(250))


RULES = sys.modules[__name__]


def exactly(x, n):
    """A name that Zermelo's own modules use."""
    return x * n


def with_default(x, by=LIMIT):
    return x + by


class Meanings(NamedTuple):
    """Each action pays by an idiom of its own."""

    depth: int = 4
    table: tuple = (1, 0.25, 3)
    x: int = 50  # a static method below takes a state that has a field of another meaning

    def start(self):
        return C(self.depth)

    def actions(self, s):
        for action in range(24):
            if s.n > 0:
                yield action

    def outcomes(self, s, action, /):
        steps: int = 1
        yield 1, self.pays(s, action), C(s.n - steps)
        yield 2, 0.5, C(mode=s.mode, c=tuple(s.c[i] for i in range(len(s.c))), n=s.n - 1)

    def pays(self, s, action):
        total = 10
        if action == 0:
            return NEGATIVE**2 + 2.0**-2
        if action == 1:

            def inner(q):
                return q + 1

            return inner(s.n)
        if action == 2:
            match s.n:
                case 2:
                    return 1
                case n:
                    return n
        if action == 3:
            return sum(total - x for x in s.c) + max(total - x for x in s.c) + min(x for x in s.c)
        if action == 4:
            return sum(tuple(sum(i * i for i in range(4)) + i for i in range(3)))
        if action == 5:
            return self.worth(s) + (~(s.n > 2)) + (1 if (s.n > 1) == True else 0)  # noqa: E712
        if action == 6:
            return with_default(s.n) + with_default(s.n, by=1) + self.padded(s.n)
        if action == 7:
            return self.shadowed(s.n, s.n > 2)
        if action == 8:
            return Colour.RED.value + Plain.BLUE.value + WIDTH
        if action == 9:
            return STEPS[s.n % 2].gain + STEPS[1].by
        if action == 10:
            return sum(sum(j for j in range(i)) for i in s.c) + sum(max(j for j in range(i + 1)) for i in s.c)
        if action == 11:
            return s.limit
        if action == 12:
            return ARRAY[s.n - 2] + (0 if s.n < ENDLESS[1] else 1)
        if action == 13:
            cells = s.c
            return sum(tuple(2 * c for c in cells))
        if action == 14:
            return math.comb(60, 30) % 1009 + math.comb(s.n, 9)
        if action == 21:
            return PAY[s.n - 1] + self.table[s.n % 3]
        if action == 22:
            return sum(w * d for w, d in ROWS) + ROWS[s.n % 3][0]
        if action == 15:
            used = [0] * 3
            if s.n == 2:
                used[1] = 1
            return sum(used)
        if action == 16:
            p = (0, 0, 0)
            p = p[: s.n - 1] + (0.5,) + p[s.n - 1 + 1 :] if s.n < 4 else (0.0, 0.0, 0.25)
            return p[0] + 2 * p[1] + 4 * p[2]
        if action == 17:
            return exactly(s.n, 2) + sum(tuple(v for v in s.c))
        if action == 18:
            w = 2.0
            w **= -s.n
            return w + pow(s.n, 2)
        if action == 19:
            k = 3

            def repeated(k):
                return k + 1

            return repeated(s.n) + k
        if action == 20:
            return sum(tuple(s.c[i] + 1 for i in range(3))) + max((v, i) for i, v in enumerate(s.c))[1]
        return -(-7 // 2) + (-7 % 3) + divmod(-7, 2)[0]

    @staticmethod
    def worth(s):
        return s.n

    def padded(self, v, lim=LIMIT, extra=NEGATIVE):
        return lim * v + extra

    def shadowed(self, n, long):
        if long:
            n = 3
        return sum(i for i in range(n))


def above(x):
    return x + 1


def base_of(x):
    return x.BASE + x[0]


def loud(game, i):
    return game.table[i]


class Corners(NamedTuple):
    """More of the same: tables of many numbers, members of the state, names inside and outside of loops."""

    depth: int = 4
    table: tuple = tuple(range(7, 500))

    ODD = [2 * i + 1 for i in range(300)]

    def start(self):
        return C(self.depth)

    def actions(self, s):
        for action in range(22):
            if s.n > 0:
                yield action

    def outcomes(self, s, action):
        yield 1, self.pays(s, action), C(s.n - 1)

    def pays(self, s, action):
        if action == 0:
            return SQUARES[s.n] + SQUARES[-s.n] + SQUARES[3] + len(SQUARES) + max(SQUARES)
        if action == 1:
            return LISTED[s.n][1] + LISTED[-s.n][0] // 2 + sum(a * b for a, b in LISTED)
        if action == 2:
            row = CUBE[s.n]
            return row[1][2] + CUBE[s.n][s.n % 4][2 - s.n] + sum(CUBE[s.n][3]) + len(row) + WIDE[s.n][-s.n]
        if action == 3:
            moved = s._replace(c=CUBE[s.n][s.n % 4])
            return sum(tuple(v for v in moved.c)) + (1 if CUBE[3][2] == moved.c else 0) + MANY_STEPS[s.n].gain
        if action == 4:
            squares = SQUARES
            found = 0
            for i, (square, odd) in enumerate(zip(squares, self.ODD)):  # noqa: B905
                if square + odd != squares[i + 1]:
                    found += 1
                if i > 20:
                    break
            return found + (1 if s.n + 1 in SQUARES else 0) + (2 if 0.5 not in SQUARES else 0)
        if action == 5:
            return (1 if EVEN[s.n] else 0) + EVEN[2] + sum(step.by + step.gain for step in MANY_STEPS)
        if action == 6:
            return sum(SQUARES[2 : C.SHAPE[0] + 3]) + self.table[s.n] + sum(v for v in self.table) + self.ODD[-1]
        if action == 7:
            known = self.table
            return sum(known[v] for v in s.c) + C.UNUSUAL[s.n] + C.UNUSUAL[-1]
        if action == 8:
            return base_of(s) + base_of(C(s.n + 1)) + base_of(STEPS[s.n % 2])
        if action == 9:
            other = C(s.n - 1)
            return s.twice() + other.weighed(s.n) + C.weighed(1, 1) + other._times(4) + other.SHAPE[1]
        if action == 10:
            t = s._replace(mode=True) if s.n % 2 else s._replace(mode=s.mode)
            return t.mode + t.n
        if action == 11:
            t = s
            if s.n == 3:
                t = C(s.n, (True, False, s.n > 1), s.n > 1)
            if s.n == 2:
                t = C(2, s.c, s.n < 1)
            return t.mode + sum(v for v in t.c)
        if action == 12:
            return RULES.C(n=1).mode + RULES.C(s.n).n
        if action == 13:
            return sum(above for above in s.c) + above(s.n) + sum(tuple(above for above in s.c))
        if action == 14:

            def moved_on(v):
                base_of = v + s.n
                return above(base_of)

            return sum(moved_on(v) for v in s.c) + base_of(s)
        if action == 15:
            k = s.n

            def shifted(v):
                return v + k

            def doubled(v):
                return sum(shifted(v) for _ in range(2))

            k += 1
            return max(doubled(v) for v in s.c) + shifted(1)
        if action == 16:
            return sum(tuple(a * b for a, b in zip(s.c, PAY)))  # noqa: B905
        if action == 17:
            return sum(tuple(i * v for i, v in enumerate(s.c, 1))) + sum(tuple(i * v for i, v in enumerate(s.c, s.n)))
        if action == 18:
            return sum(tuple(w * a * i + d for i, (a, (w, d)) in enumerate(zip(s.c, ROWS))))  # noqa: B905
        if action == 19:
            return len(EVEN + (s.n > 2,)) + (EVEN[:3] + (s.n > 3,))[3]
        if action == 20:
            return sum(v + w for v in CUBE[s.n][1] for w in CUBE[v % 7][s.n % 4])
        return sum(tuple(a * b for a, b in ROWS if a > 1)) + sum(tuple(row[0] for row in NEIGHBOURS))


class Passed(NamedTuple):
    """A table among the parameters is needed by a function that is given the game."""

    table: tuple = tuple(range(7, 210))

    def start(self):
        return C(4)

    def outcomes(self, s):
        if s.n > 0:
            yield 1, self.table[s.n] + loud(self, s.n), C(s.n - 1)


def twice(rule):
    @functools.wraps(rule)
    def wrapped(*arguments):
        for ways, payoff, state in rule(*arguments):
            yield ways, 2 * payoff, state

    return wrapped


class Decorated(NamedTuple):
    n: int = 2

    def start(self):
        return C(self.n)

    @twice
    def outcomes(self, s):
        if s.n > 0:
            yield 1, 1, C(s.n - 1)


def chance(pays: Callable[[Any, Any], Any]) -> type:
    """A countdown that pays `pays(self, s)` a step: the body of `pays` is what is under test."""

    class Countdown(NamedTuple):
        n: int = 300
        k: int = 0

        def start(self):
            return C(self.n)

        def outcomes(self, s):
            if s.n > 0:
                yield 1, self.pays(s), C(s.n - 1)

    Countdown.pays = pays
    return Countdown


def cut(x, cap):
    if cap is None:
        return x
    return min(x, cap)


class Limits(NamedTuple):
    cap: Any = None
    least: int = 1


class Capped(NamedTuple):
    """Parameters that may be None: each action pays by a question of its own."""

    cap: Any = None
    low: Any = 2
    limits: Limits = Limits()

    CAP = None

    def start(self):
        return C(4)

    @property
    def has_cap(self):
        return self.cap is not None

    def outcomes(self, s):
        if s.n > 0:
            yield 1, self.pays(s.n, 0, s.c), C(s.n - 1)

    def pays(self, n, action, c):
        if action == 0:
            return 1 if self.cap is not None and n < self.cap else 0
        if action == 1:
            return 1 if n > 2 and (self.cap is None or n < self.cap) else 0
        if action == 2:
            return n if self.cap is None else n + self.cap
        if action == 3:
            return 3 if not (self.cap is None or n >= self.cap) else 4
        if action == 4:
            return 5 if (n > 2 and self.cap is not None and n < self.cap) or n == 4 else 6
        if action == 5:
            while self.cap is not None and n < self.cap:
                n += 3
            else:
                n += 10
            return n
        if action == 6:
            total = 0
            for x in c:
                if self.cap is None or x < self.cap:
                    total += x
            return total
        if action == 7:
            cap, low = self.cap, self.low
            return 7 if cap is not None and n < cap else 8 if low is None or n > low else 9
        if action == 8:
            limit = 99 if self.cap is None else self.cap
            return min(n, limit)
        if action == 9:
            return 10 if self.has_cap and n < self.cap else 11
        if action == 10:
            return cut(n, self.cap)
        if action == 11:
            return sum(x for x in c if self.cap is None or x < self.cap) + sum(x + self.cap for x in c if self.cap is not None)
        if action == 12:
            match self.cap:
                case None:
                    return 12
                case _:
                    return self.cap + 12
        if action == 13:
            return 13 if self.cap and n < self.cap else 14
        if action == 14:
            return 15 if self.CAP is None or n < self.CAP else 16
        if action == 15:
            return 17 if self.limits.cap is not None and n < self.limits.cap else 18 + self.limits.least
        if action == 16:
            return 19 if None is not self.cap and n < self.cap else 20
        if action == 17:
            return 21 if self.cap in (None, 3) else 22
        if action == 18:
            return 23 if n > 7 or self.low is None else n * self.low
        if action == 19:
            is_open = self.cap is None
            return 24 if is_open or n < self.cap else 25
        if action == 20:
            assert self.cap is None or self.cap < 50
            return n and self.cap is None
        if action == 21:
            return len([x for x in c if self.low is None or x < self.low])
        if action == 22:
            return 26 if n < 3 < self.least_of(n) and self.cap is not None else self.least_of(n)
        if action == 23 and self.cap is None:
            return 27
        if self.cap is not None:
            return n + self.cap
        return n / 4

    def least_of(self, n):
        return n if self.cap is None else min(n, self.cap)


@pytest.mark.parametrize("game", [Capped(), Capped(5, None, Limits(3))], ids=["None", "numbers"])
def test_whether_a_parameter_is_none(game: Any) -> None:
    """`self.cap is not None and n < self.cap` and `if self.cap is None: return n` were refused where it is None."""
    module = Module(read(game), Layout.of([game.start()]), "explored")
    name = module.function_name(Capped.pays)
    native = load_module(module.text().replace(BARE, "no_cpython_wrapper=False"))  # Python calls it
    machine = native.T_game(*game[:2], getattr(native, module.class_name(Limits))(*game.limits))
    for action, n in itertools.product(range(25), (4, 0)):
        assert getattr(native, name)(machine, n, action, (3, 1, 2)) == game.pays(n, action, (3, 1, 2)), (action, n)


@pytest.mark.parametrize(("game", "actions"), [(Meanings(), 24), (Corners(), 22)], ids=["idioms", "corners"])
def test_rules_mean_what_they_mean_in_python(game: Any, actions: int) -> None:
    solution = zermelo.solve(game, exact=True)
    exact = solve_naively(game)
    assert all(solution.probe(s).value == v[0] for s, v in exact.items())
    best = dict(solution.probe(C(4)).actions.items())
    assert len(best) == actions
    for action, value in best.items():
        outcomes = list(game.outcomes(C(4), action))
        worth = sum(Fraction(w) * (Fraction(p) + exact[t][0]) for w, p, t in outcomes)
        assert value == worth / sum(w for w, _, _ in outcomes), action


def test_a_table_is_found_where_the_game_is_passed_on() -> None:
    assert zermelo.solve(Passed()).value == 2 * sum(range(8, 12))


def late(self, s):
    """Goes wrong in one way or another, mostly far from the start. It is one rule, which is compiled once."""
    if self.k == 1:
        return 1 if 3**s.n > 10**6 else 0
    if self.k == 2:
        return 1 / 2 if s.n > 1 else 2 ** (-s.n)
    if self.k == 3:
        return s.c[0] if s.n > 100 else s.c[s.n]
    if self.k == 4:
        return SQUARES[1] if s.n > 100 else SQUARES[1900 + s.n]
    if self.k == 5:
        return CUBE[1][0][0] if s.n > 100 else CUBE[2][s.n % 2][-2 - s.n % 3]
    if self.k == 6:
        assert s.n != 50
    if self.k == 7:
        return math.comb(500 - s.n, 200) * 0.0
    return 1


def big_constant(self, s):
    return (s.n ^ 0x9E3779B97F4A7C15) % 10


def is_true(self, s):
    return 3 if (s.n > 5) is True else 1


def other_length(self, s):
    return sum(tuple(v for v in C(s.n, (7, s.n)).c))


def property_of_another(self, s):
    return limit_of(self)


def limit_of(x):
    return x.limit


def walrus(self, s):
    return s.n + (m := s.n) + m


def from_a_list(self, s):
    items = [1, s.n]
    return sum(tuple(v for v in items))


def ragged(self, s):
    return sum(v for v in NEIGHBOURS[s.n % 2])


def line_of(function: Any) -> int:
    return function.__code__.co_firstlineno


@pytest.mark.parametrize(
    ("pays", "words"),
    [
        (big_constant, "between -2\\^63 and 2\\^63"),
        (is_true, "compare with == \\(test_hard_rules.py line"),
        (other_length, "a tuple made from another tuple"),
        (property_of_another, "rename one of the two|has no `limit`"),
        (walrus, f"assign on a line of its own \\(test_hard_rules.py line {line_of(walrus) + 1}\\)"),
        (from_a_list, f"write `tuple\\(items\\[i\\] .*line {line_of(from_a_list) + 2}\\)"),
        (ragged, "rows of one length"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_what_cannot_be_compiled_is_refused(pays: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        zermelo.solve(chance(pays)())


LATE = chance(late)


@pytest.mark.parametrize(
    ("k", "words", "line"),
    [
        (1, r"`3 \*\* s.n` goes beyond 64 bits", 3),
        (2, "negative exponent.*write `1.0 \\*` before it", 5),
        (3, "IndexError: tuple index out of range at C\\(n=100", 7),
        (4, "IndexError: tuple index out of range at C\\(n=100", 9),
        (5, "IndexError: tuple index out of range at C\\(n=98", 11),
        (6, "AssertionError.*at C\\(n=50", 13),
        (7, "comb\\(n, k\\) beyond 2\\^62", None),
    ],
)
def test_what_goes_wrong_late_is_found(k: int, words: str, line: int | None) -> None:
    where = rf".*line {line_of(late) + line}\)" if line else ""
    with pytest.raises(RulesError, match=words + where):
        zermelo.solve(LATE(300, k))
    assert zermelo.solve(LATE(20, 0)).value == 20


def test_a_decorated_rule_is_refused() -> None:
    with pytest.raises(RulesError, match="decorated"):
        zermelo.solve(Decorated())


class Deep(NamedTuple):
    """Goes wrong, in one way or another, where the checker's sample does not look."""

    wrong: int = 0
    n: int = 3000

    def start(self):
        return C(self.n, (0, 0), 0)

    def player(self, s):
        return 2 if self.wrong == 1 and s.n < 1500 else 0

    def actions(self, s):
        if s.n > 0:
            yield 0

    def outcomes(self, s, action):
        sign = -1.9 if self.wrong == 2 and s.n < 1500 else 1
        yield 1, s.mode, C(s.n - 1, (7 / 2 if self.wrong == 3 and s.n < 1500 else 0, 0), 0), sign
        yield 1, 0, C(s.n - 1, (0, 0), 1)

    def symmetries(self, s):
        if self.wrong == 4 and s.n < 2500:
            yield C(s.n, s.c, 1 - s.mode)

    def stage(self, s):
        return -s.n if self.wrong != 5 or s.n > 1500 else s.n


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (1, "0 \\(maximises\\)"),
        (2, "KEEP"),
        (3, "items must be whole numbers"),
        (4, "other things can happen there"),
        (5, "`stage` falls"),
    ],
)
def test_faults_that_show_late_are_found_too(wrong: int, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        zermelo.solve(Deep(wrong=wrong))


class Box(NamedTuple):
    high: int = 10
    swapped: bool = False
    pays: int = 1

    def start(self):
        return Pair(0, self.high - 1)

    def space(self):
        return Pair(range(self.high), range(self.high))

    def symmetries(self, s):
        if self.swapped:
            yield Pair(s.b, s.a)

    def outcomes(self, s):
        if s.b > 0:
            yield 1, self.pays, Pair(s.a, s.b - 1)


class Pair(NamedTuple):
    a: int
    b: int


class Swapping(NamedTuple):
    """The mirror image of the start lies far outside what play reaches."""

    far: int = 300

    def start(self):
        return Pair(0, self.far)

    def symmetries(self, s):
        yield Pair(s.b, s.a)

    def outcomes(self, s):
        if s.a + s.b > 0:
            yield 1, 1, Pair(max(s.a - 1, 0), max(s.b - 1, 0))


class Growing(NamedTuple):
    def start(self):
        return Pair(0, 0)

    def outcomes(self, s):
        yield 1, 0, Pair(s.a + 1, 0)


def test_spaces_and_mirror_images_of_any_size() -> None:
    assert zermelo.solve(Swapping()).value == 300
    with only("interpreted"):
        assert zermelo.solve(Box()).value == 9
    with pytest.raises(OutOfReach, match="space.*10,000,000,000 states"):
        zermelo.solve(Box(high=100_000))
    with only("interpreted"), pytest.raises(OutOfReach, match="more than 5,000 states"):
        zermelo.solve(Growing(), max_states=5000)


def test_parameters_of_any_kind() -> None:
    with pytest.raises(ParameterError, match="pays must lie between"):
        zermelo.solve(Box(pays=2**70))
    for wrong in ({"discount": "x"}, {"discount": True}, {"max_states": -3}, {"max_states": "many"}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            zermelo.solve(Box(), **wrong)


def test_the_hash_of_rules_sees_properties_and_inherited_helpers() -> None:
    def game(prop: int, inherited: int, closure: int, constant: int = 0) -> Any:
        def by_closure(x):
            return x * closure

        class Place(NamedTuple):
            n: int

            EXTRA = constant

            @staticmethod
            def first(other):
                return other.limit_of_another_tuple if constant > 9 else 0

            @property
            def double(self):
                return 2 * self.n if prop else 3 * self.n

        class Base(NamedTuple):
            k: int = 3

            def start(self):
                return Place(self.k)

            def gain(self, s):
                return s.double + 1 if inherited else s.double

            def outcomes(self, s):
                if s.n > 0:
                    yield 1, self.gain(s) + by_closure(s.n) + s.EXTRA + s.first(s), Place(s.n - 1)

        class Child(Base):
            def gain(self, s):
                return 2 * Base.gain(self, s)

        return Child()

    games = [game(*settings) for settings in ((0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2), (0, 0, 1, 1))]
    assert len({rules_hash(g) for g in games}) == 5
    assert [zermelo.solve(g).value for g in (games[0], games[2])] == [42, 48]
    with only("interpreted"):
        assert [zermelo.solve(g).value for g in games] == [42, 30, 48, 48, 45]
