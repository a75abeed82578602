"""Which lists, dictionaries and sets compile: what docs/writing-games.md says under "What compiles", tried."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import zermelo
from zermelo.kernels.kernel import only
from zermelo.language.rules import Rules


@pytest.fixture(autouse=True, scope="module")
def compiled_rules() -> Iterator[None]:
    """This is about the compiler: nothing is interpreted."""
    with only("compiled"):
        yield


MOST = 3
ITEMS = [3, 5, 7, 9]
ROWS = ((1, 2), (3, 4), (5, 6), (7, 8))
LISTS = [[1, 2], [3, 4], [5, 6], [7, 8]]
TEXT = "3579"
UNEVEN = ((1,), (2, 3), (4, 5, 6), (7,))
TABLE = {0: 3, 1: 5, 2: 7, 3: 9}
CHOICES = {1, 2}


class Countdown(NamedTuple):
    left: int


def squares(n: int) -> dict[int, int]:
    return {i: i * i for i in range(n + 1)}


def below(n: int) -> set[int]:
    found = {0}
    for i in range(n):
        found.add(i)
    return found


def grown(items: list[int]) -> int:
    items.append(4)
    return len(items)


def looked_up(table: dict[int, int], key: int) -> int:
    return table[key] if key in table else 0  # noqa: SIM401


class Containers(NamedTuple):
    """Counts down, and is paid what the containers hold."""

    start_at: int = MOST
    row: tuple[int, ...] = (1, 2, 3, 4)
    rows: Any = ((1, 2), (3, 4), (5, 6), (7, 8))
    listed: Any = [1, 2, 3, 4]  # noqa: RUF012
    word: str = "abcd"

    def start(self) -> Countdown:
        return Countdown(self.start_at)

    def lists(self, n: int) -> Any:
        made, filled, zeros = [3, n], [], [0] * 4
        filled.append(n)
        zeros[n] = 2
        nested = [[i + j for j in range(3)] for i in range(4)]
        pairs, tables = [(1, 2), (3, n)], [{1: 2}, {1: 3}, {1: 4}, {1: 5}]
        made.extend([1, 2])
        made.insert(0, 4)
        made.remove(2)
        joined = [*(1, 2), *made] + filled
        joined.sort()
        total = made.pop() + joined[0] + sum(zeros[1:]) + zeros[::-1][0] + nested[n][1] + tables[n][1] + max(joined)
        for a, b in pairs:
            total += a * b
        total += sorted([3, n, 1], reverse=True)[0] + len(list({1, 2})) + list(range(4))[n] + joined.count(1)
        del joined[0], filled[:1]
        total += joined[0] + len(filled) + [4, n][n > 1] + (5, 6)[n > 2]
        if n in [1, 2] or made == [4, 3]:
            total += [1, 2, 3].index(n) if n > 0 else 0
        return total + grown(filled) + len(filled)

    def dictionaries(self, n: int) -> Any:
        made, filled, pairs = {n: 3, 7: n}, {}, {(0, 1): 3, (1, 1): 4}
        filled[n], filled[9] = 4, 5
        filled.update({n: 6})
        tuples, nested, texts = {i: (i, 2 * i) for i in range(4)}, {i: {1: i} for i in range(4)}, {"a": 3, "b": 5}
        zipped = dict(zip((0, 1, 2, 3), (4, 5, 6, 7)))  # noqa: B905
        total = made[n] + filled[9] + pairs[(n & 1, 1)] + tuples[n][1] + nested[n][1] + texts["b"] + zipped[n] + len(filled)
        for key in filled:
            total += key
        for key, value in filled.items():
            total += key * value
        for value in filled.values():
            total += value
        total += filled.get(1, 2) + filled.setdefault(8, 5) + filled.pop(9) + sorted(zipped)[0] + max(zipped.values())
        total += 1 if {1: n} == {1: 2} else 0
        counted, kept = {}, {}
        for key in (n, 1, 3):
            counted[key] = counted.get(key, 0) + 1
            kept.setdefault(key, 0)
            kept[key] += key
        del made[7]
        total += counted[1] + 10 * kept[3] + len(made)
        return total + squares(4)[n] + looked_up({1: 2}, n)

    def sets(self, n: int) -> Any:
        made, filled, pairs = {1, n}, set(), {(1, 2), (n, 2)}
        filled.add(n)
        filled.add(1)
        filled.discard(2)
        joined = made | {5, n} & {n, 1}
        total = len(filled) + len(pairs) + len(set([i & 1 for i in range(n)])) + len(set((1, 1, n))) + sorted(joined)[0]  # noqa: C403, C405
        for item in joined:
            total += item
        return total + min(made) + (1 if n in {1, 2} and made <= joined else 0) + len(below(n))

    def constants(self, n: int) -> Any:
        total = ITEMS[n] + ROWS[n][1] + LISTS[n][1] + (1 if TEXT[n] == "5" and n in ITEMS else 0)
        for item in ITEMS:
            total += item
        for key, value in TABLE.items():
            total += key * value + TABLE[n] + TABLE.get(key + 2, n) + (key in CHOICES)
        return total + self.row[n] + self.rows[n][1] + self.listed[n] + (1 if self.word[n] == "b" else 0)

    def outcomes(self, s: Countdown) -> Iterator[Any]:
        if s.left > 0:
            paid = self.lists(s.left) + self.dictionaries(s.left) + self.sets(s.left) + self.constants(s.left)
            yield 1, paid, Countdown(s.left - 1)


def test_containers_mean_what_they_mean_in_python() -> None:
    rules = Rules(Containers())
    paid = sum(rules.outcomes(Countdown(n), None)[0].payoff[0] for n in range(1, MOST + 1))
    assert zermelo.solve(Containers()).value == pytest.approx(paid)


def list_value(self: Any, n: int) -> Any:
    return len({1: [1], 2: [1, 2], 3: [3]}[n])


def mixed_values(self: Any, n: int) -> Any:
    return {1: 3, 2: 2.5, 3: 1}[n]


def united(self: Any, n: int) -> Any:
    return len({1: 2} | {n: 3})


def comprehended(self: Any, n: int) -> Any:
    return len({i * i for i in range(n)})


def shared(self: Any, n: int) -> Any:
    return len({2, n} - {2})


def uneven(self: Any, n: int) -> Any:
    return len(UNEVEN[n])


@pytest.mark.parametrize(
    "paid",
    [list_value, mixed_values, united, comprehended, shared, uneven],
)
def test_what_the_docs_say_does_not_compile(paid: Any) -> None:
    def outcomes(self: Any, s: Countdown) -> Iterator[Any]:
        if s.left > 0:
            yield 1, self.paid(s.left), Countdown(s.left - 1)

    game = type("Refused", (Containers,), {"paid": paid, "outcomes": outcomes})()
    assert Rules(game).outcomes(Countdown(2), None)  # Python takes it
    with pytest.raises(zermelo.RulesError, match="compile"):
        zermelo.solve(game)


def length(self: Any, n: int) -> int:
    return len(self.listed)


@pytest.mark.parametrize("listed", [{0: 1, 1: 2}, {1, 2}])
def test_parameters_that_do_not_compile(listed: Any) -> None:
    with pytest.raises(zermelo.ZermeloError, match="the parameter listed = .* is neither a number, a text nor a tuple"):
        zermelo.solve(type("Refused", (Containers,), {"constants": length})(listed=listed))
