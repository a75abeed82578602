"""Whether `symmetries` map each part of a position by itself, proven by running them on stand-ins (language/by_parts.py)."""

from __future__ import annotations

import itertools
import operator
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from zermelo.games import ConnectFour, GobbletGobblers
from zermelo.language.by_parts import maps_by_parts
from zermelo.language.rules import Rules, read

MIRROR = (0, 4, 2, 6, 1, 5, 3, 7)  # three squares, left and right exchanged


class State(NamedTuple):
    a: int
    b: tuple[int, int]


class Images:
    """A game of which only the symmetries matter: its states have a part (a, b[0]) and a part (b[1],)."""

    def __init__(self, images: Callable[[State], Iterator[State]]):
        self.symmetries = images

    def start(self) -> State:
        return State(0, (0, 0))


def is_proven(images: Callable[[State], Iterator[State]]) -> bool:
    return maps_by_parts(Rules(Images(images)), (2, 1))


def raise_caught(s: State) -> Iterator[State]:
    try:
        yield State(1 if s.a else 0, s.b)
    except Exception:
        yield s


def told_by_type(s: State) -> Iterator[State]:
    yield State(s.a if type(s.a) is int else 0, s.b)


kind_of = type


def told_by_type_of_another_name(s: State) -> Iterator[State]:
    yield State(s.a if kind_of(s.a) is int else 0, s.b)


def told_by_callable(s: State) -> Iterator[State]:
    yield State(s.b[1] if callable(s.a) else s.a, s.b)


def told_by_kind(s: State) -> Iterator[State]:
    yield State(s.a if isinstance(s.a, int) else 0, s.b)


def told_by_pattern(s: State) -> Iterator[State]:
    match s.a:
        case int():
            yield s
        case _:
            yield State(s.b[1], s.b)


def told_by_identity(s: State) -> Iterator[State]:
    yield State(s.a, s.b) if s.a is s.b[1] else State(0, s.b)


def without_itself(s: State) -> Iterator[State]:
    t = State(s.a ^ 1, s.b)
    if t != s:
        yield t


def helper(x: int, y: int) -> int:
    return x & 3 | y << 2


def clear(s: State) -> Iterator[State]:
    a, (b, c) = s.a, s.b
    for k in range(3):
        a, b = helper(b, a), -(a % 5) * (b > a) + (abs(b) == 2) + b.bit_count()
        yield State(a, (b, ~c + True if k else 7))


@pytest.mark.parametrize("images", [
    clear, told_by_callable,
    lambda s: iter(()),
    lambda s: iter([s, State(s.b[0], (s.a, s.b[1]))]),
    lambda s: iter([State(sum(s.b[:1]), tuple(x * 2 for x in s.b))]),
    lambda s: iter([s._replace(a=pow(s.a, 2, 7))]),
])  # fmt: skip
def test_proven(images: Callable[[State], Iterator[State]]) -> None:
    assert is_proven(images)


@pytest.mark.parametrize("images", [
    raise_caught, told_by_type, told_by_type_of_another_name, told_by_kind, told_by_pattern, told_by_identity, without_itself,
    lambda s: iter([State(s.b[1], s.b)]),  # a part in another's place
    lambda s: iter([State(s.a + s.b[1], s.b)]),
    lambda s: iter([State(s.a + 0 * s.b[1], s.b)]),
    lambda s: iter([State(s.a, (s.a // s.b[1], 0))]),
    lambda s: iter([(s.a // s.b[1], s)[1]]),  # may fail, though its result is not used
    lambda s: iter([State(1 if s.a else 0, s.b)]),
    lambda s: iter([State(min(s.a, 3), s.b)]),
    lambda s: iter([State(MIRROR[s.a], s.b)]),
    lambda s: iter([State({0: 1}.get(s.a, 0), s.b)]),
    lambda s: iter([State(int(f"{s.a}"), s.b)]),
    lambda s: iter([State(len(range(s.a)), s.b)]),
    lambda s: iter([State(s.a.real, s.b)]),
    lambda s: iter([State(s.a, s.b) for _ in range(s.a)]),
    lambda s: iter([State(s.a / 2.0, s.b)]),
    lambda s: iter([(s.a, s.b, 0)]),
    lambda s: iter([State(s.b, s.a)]),
    lambda s: iter([State(s.a, s.b + (1,))]),
    lambda s: itertools.repeat(s),
])  # fmt: skip
def test_not_proven(images: Callable[[State], Iterator[State]]) -> None:
    assert not is_proven(images)


def test_catalogue() -> None:
    for game, proven in ((GobbletGobblers(), True), (GobbletGobblers(1, 5, False), True), (ConnectFour(), False)):
        rules = read(game)
        assert maps_by_parts(rules, [part.places for part in rules.ranked.parts]) == proven


OPERATIONS = (operator.add, operator.mul, operator.xor, operator.and_, operator.eq, operator.lt, lambda x, y: x if y else 0, min)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_proven_holds_at_all_positions(seed: int) -> None:
    """Random formulas: if it is proven, no number of an image changes with a number of another part."""
    draw = random.Random(seed)
    formulas = [[(draw.choice(OPERATIONS), draw.randrange(3), draw.randrange(3)) for _ in range(2)] for _ in range(3)]
    if draw.random() < 0.7:  # seldom by parts otherwise
        parts = [0, 1], [0, 1], [2]
        formulas = [[(operation, *draw.choices(mine, k=2)) for operation, *_ in f] for f, mine in zip(formulas, parts, strict=True)]

    def images(s: State) -> Iterator[State]:
        numbers = (s.a, *s.b)
        a, b, c = (one(two(numbers[i], numbers[j]), numbers[k]) for (one, i, j), (two, k, _) in formulas)
        yield State(a, (b, c))

    found: dict[tuple[str, Any], set[Any]] = {}
    for a, b, c in itertools.product(range(3), repeat=3):
        (image,) = images(State(a, (b, c)))
        found.setdefault(("first", (a, b)), set()).add((image.a, image.b[0]))
        found.setdefault(("second", c), set()).add(image.b[1])
    holds = all(len(values) == 1 for values in found.values())
    proven = is_proven(images)
    assert holds or not proven
    uses_values = any(operation in OPERATIONS[-2:] for formula in formulas for operation, *_ in formula)
    own = all({i, j, k} <= mine for ((_, i, j), (_, k, _)), mine in zip(formulas, ({0, 1}, {0, 1}, {2}), strict=True))
    assert proven == (own and not uses_values)
