"""Rules on which a compiler easily says something else than Python: right, or refused in words, never silently wrong."""

from __future__ import annotations

import enum
import functools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

import zermelo
from naive import solve as solve_naively
from zermelo import OutOfReach, ParameterError, RulesError
from zermelo.rules_source import rules_hash


class C(NamedTuple):
    """A state: a counter, a tuple of numbers, and a default."""

    n: int
    c: tuple[int, ...] = (3, 1, 2)
    mode: int = 1

    BASE = 5

    @property
    def limit(self):
        return self.n + self.BASE


class Step(NamedTuple):
    by: int
    gain: float = 0.5


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


def test_rules_mean_what_they_mean_in_python() -> None:
    game = Meanings()
    solution = zermelo.solve(game, exact=True)
    exact = solve_naively(game)
    assert all(solution.probe(s).value == v[0] for s, v in exact.items())
    best = dict(solution.probe(C(4)).actions.items())
    assert len(best) == 24
    rules = game
    for action, value in best.items():
        worth = sum(Fraction(w) * (Fraction(p) + exact[t][0]) for w, p, t in rules.outcomes(C(4), action)) / 3
        assert value == worth, action


def overflow(self, s):
    return 1 if 3**s.n > 10**6 else 0


def big_constant(self, s):
    return (s.n ^ 0x9E3779B97F4A7C15) % 10


def is_true(self, s):
    return 3 if (s.n > 5) is True else 1


def negative_power(self, s):
    return 1 / 2 if s.n > 1 else 2 ** (-s.n)


def other_length(self, s):
    return sum(tuple(v for v in C(s.n, (7, s.n)).c))


def property_of_another(self, s):
    return limit_of(self)


def limit_of(x):
    return x.limit


def late_index(self, s):
    return s.c[0] if s.n > 100 else s.c[s.n]


def late_assert(self, s):
    assert s.n != 50
    return 1


def walrus(self, s):
    return (m := s.n) + m


def ragged(self, s):
    return sum(v for v in NEIGHBOURS[s.n % 2])


def late_comb(self, s):
    return math.comb(500 - s.n, 200) * 0.0


@pytest.mark.parametrize(
    ("pays", "words"),
    [
        (overflow, "must say what they say in Python|2\\^63"),
        (big_constant, "between -2\\^63 and 2\\^63"),
        (is_true, "compare with =="),
        (negative_power, "negative power: write 1.0"),
        (other_length, "a tuple made from another tuple"),
        (property_of_another, "rename one of the two|has no `limit`"),
        (late_index, "IndexError: tuple index out of range at C\\(n=100.*line"),
        (late_assert, "AssertionError.*at C\\(n=50.*line"),
        (walrus, "assign on a line of its own"),
        (ragged, "rows of one length"),
        (late_comb, "comb\\(n, k\\) beyond 2\\^62"),
    ],
    ids=lambda p: getattr(p, "__name__", ""),
)
def test_what_cannot_be_compiled_is_refused(pays: Any, words: str) -> None:
    with pytest.raises(RulesError, match=words):
        zermelo.solve(chance(pays)())


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
    assert zermelo.solve(Box()).value == 9
    assert zermelo.solve(Swapping()).value == 300
    with pytest.raises(OutOfReach, match="space.*10,000,000,000 states"):
        zermelo.solve(Box(high=100_000))
    with pytest.raises(OutOfReach, match="more than 5,000 states"):
        zermelo.solve(Growing(), max_states=5000)


def test_parameters_of_any_kind() -> None:
    with pytest.raises(ParameterError, match="pays must lie between"):
        zermelo.solve(Box(pays=2**70))
    for wrong in ({"discount": "x"}, {"discount": True}, {"max_states": -3}, {"max_states": "many"}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            zermelo.solve(Box(), **wrong)


def test_the_hash_of_rules_sees_properties_and_inherited_helpers() -> None:
    def game(prop: int, inherited: int, closure: int) -> Any:
        def by_closure(x):
            return x * closure

        class Place(NamedTuple):
            n: int

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
                    yield 1, self.gain(s) + by_closure(s.n), Place(s.n - 1)

        class Child(Base):
            def gain(self, s):
                return 2 * Base.gain(self, s)

        return Child()

    games = [game(*settings) for settings in ((0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2))]
    assert len({rules_hash(g) for g in games}) == 4
    assert [zermelo.solve(g).value for g in games] == [42, 30, 48, 48]
