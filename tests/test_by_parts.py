"""Whether `symmetries` map each part of a position by itself, proven by running them on stand-ins (language/by_parts.py)."""

from __future__ import annotations

import functools
import itertools
import random
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from zermelo.games import ConnectFour, GobbletGobblers
from zermelo.language.by_parts import maps_by_parts
from zermelo.language.rules import Rules, read

MIRROR = (0, 4, 2, 6, 1, 5, 3, 7)  # three squares, left and right exchanged


class State(NamedTuple):
    a: int
    b: tuple[int, int]


def is_proven(images: Callable[[State], Iterator[State]]) -> bool:
    """Of a game of which only the symmetries matter: its states have a part (a, b[0]) and a part (b[1],)."""

    class Images(NamedTuple):
        def start(self) -> State:
            return State(0, (0, 0))

        def symmetries(self, s: State) -> Iterator[State]:
            return images(s)

    return maps_by_parts(Rules(Images()), (2, 1))


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


KINDS = (type,)


def told_through_a_table(s: State) -> Iterator[State]:
    yield State(s.a if KINDS[0](s.a) == int else 0, s.b)  # noqa: E721


def told_by_a_default(s: State, kind: Any = type) -> Iterator[State]:
    yield State(s.a if kind(s.a) == int else 0, s.b)  # noqa: E721


def wrapped(images: Callable[[State], Iterator[State]]) -> Callable[[State], Iterator[State]]:
    @functools.wraps(images)
    def around(s: State) -> Iterator[State]:
        return images(State(s.a if type(s.a) == int else 0, s.b))  # noqa: E721

    return around


@wrapped
def told_around(s: State) -> Iterator[State]:
    yield s


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
    clear,
    lambda s: iter(()),
    lambda s: iter([s, State(s.b[0], (s.a, s.b[1]))]),
    lambda s: iter([State(sum(s.b[:1]), tuple(x * 2 for x in s.b))]),
    lambda s: iter([s._replace(a=pow(s.a, 2, 7))]),
    lambda s: iter([State._make((s.b[0], (s.a, s.b[1])))]),
])  # fmt: skip
def test_proven(images: Callable[[State], Iterator[State]]) -> None:
    assert is_proven(images)


@pytest.mark.parametrize("images", [
    raise_caught, told_by_a_default, told_around, told_by_callable, told_through_a_table,
    told_by_type, told_by_type_of_another_name, told_by_kind,
    told_by_pattern, told_by_identity, without_itself,
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


class Sly(NamedTuple):
    a: int

    def mirrored(self) -> Any:
        return self._replace(a=self.a if type(self.a) == int else 0)  # noqa: E721


class Clear(NamedTuple):
    a: int

    def mirrored(self) -> Any:
        return self._replace(a=3 - self.a)


class Hidden(NamedTuple):
    """A field has the name of something else."""

    kind_of: int

    def mirrored(self) -> Any:
        return self._replace(kind_of=self.kind_of if kind_of(self.kind_of) == int else 0)  # noqa: E721


@pytest.mark.parametrize("state", [Sly(0), Hidden(0), Clear(0)])
def test_methods_of_states_are_read_too(state: Any) -> None:
    class Images(NamedTuple):
        def start(self) -> Any:
            return state

        def symmetries(self, s: Any) -> Iterator[Any]:
            yield s.mirrored()

    assert maps_by_parts(Rules(Images()), (1,)) == isinstance(state, Clear)


@pytest.mark.parametrize("parameter", [1, (1, (2, True)), Clear(1), print, {1: 2}])
def test_parameters_are_numbers(parameter: Any) -> None:
    class Images(NamedTuple):
        x: Any

        def start(self) -> Any:
            return State(0, (0, 0))

        def symmetries(self, s: Any) -> Iterator[Any]:
            yield s

    assert maps_by_parts(Rules(Images(parameter)), (2, 1)) == (type(parameter) in (int, tuple))


def test_catalogue() -> None:
    for game, proven in ((GobbletGobblers(), True), (GobbletGobblers(1, 5, False), True), (ConnectFour(), False)):
        rules = read(game)
        assert maps_by_parts(rules, [part.places for part in rules.ranked.parts]) == proven


OPERATIONS = ("({} + {})", "({} * {})", "({} ^ {})", "({} & {})", "({} == {})", "({} < {})", "({} if {} else 0)", "min({}, {})")
RULES = """
from tests_of_parts import State


def images(s):
    a, (b, c) = s.a, s.b
    yield State({}, ({}, {}))
"""


@pytest.mark.parametrize("seed", range(40))
def test_what_is_proven_holds_at_all_positions(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Random formulas: if it is proven, no number of an image changes with a number of another part."""
    draw = random.Random(seed)
    is_apart = draw.random() < 0.7  # seldom otherwise
    named = [draw.choices(mine if is_apart else "abc", k=3) for mine in ("ab", "ab", "c")]
    formulas = [[draw.choice(OPERATIONS) for _ in range(2)] for _ in range(3)]
    texts = [one.format(two.format(i, j), k) for (one, two), (i, j, k) in zip(formulas, named, strict=True)]
    monkeypatch.setitem(sys.modules, "tests_of_parts", sys.modules[__name__])
    (tmp_path / "rules.py").write_text(RULES.format(*texts))
    spec = spec_from_file_location(f"rules_of_parts_{seed}", tmp_path / "rules.py")
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(module := module_from_spec(spec))
    images = module.images

    found: dict[tuple[str, Any], set[Any]] = {}
    for a, b, c in itertools.product(range(3), repeat=3):
        (image,) = images(State(a, (b, c)))
        found.setdefault(("first", (a, b)), set()).add((image.a, image.b[0]))
        found.setdefault(("second", c), set()).add(image.b[1])
    holds = all(len(values) == 1 for values in found.values())
    proven = is_proven(images)
    assert holds or not proven
    uses_values = any(operation in OPERATIONS[-2:] for formula in formulas for operation in formula)
    own = all(set(names) <= set(mine) for names, mine in zip(named, ("ab", "ab", "c"), strict=True))
    assert proven == (own and not uses_values)
