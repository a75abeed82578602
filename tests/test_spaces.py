"""Ranked spaces: rank and unrank are inverse to one another, and follow the order of the tuples."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo import spaces
from zermelo.errors import OutOfReach, ParameterError
from zermelo.kernels.kernel import only
from zermelo.language.rules import Rules
from zermelo.spaces import ManySubsets, RankedSpace, compositions, product, rank_subset, subsets, unrank_subset, words


def check_laws(space: RankedSpace, truth: list[tuple[int, ...]]) -> None:
    """`truth` are the tuples of the space in lexicographic order."""
    assert space.size == len(space) == len(truth)
    assert list(space) == truth
    assert [space.rank(item) for item in truth] == list(range(len(truth)))
    assert all(item in space for item in truth)
    if truth:
        assert space.unrank_all(np.arange(space.size)).tolist() == [list(item) for item in truth]
        rows = np.array(truth, dtype=np.int64).reshape(len(truth), space.places)
        assert space.rank_all(rows).tolist() == list(range(len(truth)))


@settings(deadline=None)
@given(st.integers(0, 8), st.integers(1, 4))
def test_compositions(total: int, parts: int) -> None:
    truth = [x for x in itertools.product(range(total + 1), repeat=parts) if sum(x) == total]
    check_laws(compositions(total, parts), truth)
    assert compositions(total, parts).size == math.comb(total + parts - 1, parts - 1)


@settings(deadline=None)
@given(st.integers(0, 6), st.lists(st.integers(-2, 2), min_size=1, max_size=4))
def test_compositions_with_least_parts(total: int, least: list[int]) -> None:
    values = [range(low, total - sum(least) + low + 1) for low in least]
    check_laws(compositions(total, len(least), least), [x for x in itertools.product(*values) if sum(x) == total])


@settings(deadline=None)
@given(st.integers(0, 8), st.integers(0, 5))
def test_subsets(n: int, k: int) -> None:
    check_laws(subsets(n, k), list(itertools.combinations(range(n), k)))


@pytest.mark.parametrize("n", range(8))
def test_single_subsets(n: int) -> None:
    """Both orders, against all subsets written down and sorted."""
    for k in range(n + 1):
        every = list(itertools.combinations(range(n), k))
        orders = {"lexicographic": every, "colexicographic": sorted(every, key=lambda s: s[::-1])}
        for order, truth in orders.items():
            assert [rank_subset(s, n, order) for s in truth] == list(range(len(truth)))
            assert [rank_subset(s[::-1], n, order) for s in truth] == list(range(len(truth)))
            assert [unrank_subset(r, n, k, order) for r in range(len(truth))] == truth


@settings(deadline=None)
@given(st.sampled_from([(10**6, 2), (10**9, 3), (70, 35), (10**30, 5)]), st.data())
def test_subsets_of_huge_universes(shape: tuple[int, int], data: Any) -> None:
    n, k = shape
    for order in ("lexicographic", "colexicographic"):
        rank = data.draw(st.integers(0, math.comb(n, k) - 1))
        found = unrank_subset(rank, n, k, order)
        assert len(found) == k and all(a < b for a, b in itertools.pairwise(found)) and rank_subset(found, n, order) == rank
        later = unrank_subset(min(rank + 1, math.comb(n, k) - 1), n, k, order)
        assert (found <= later) if order == "lexicographic" else (found[::-1] <= later[::-1])
    assert rank_subset(range(k), n) == 0 and rank_subset(range(n - k, n), n) == math.comb(n, k) - 1


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_whole_numbers_of_numpy_have_their_subsets(kind):
    """Their differences from numbers beyond 64 bits overflowed."""
    for order in ("lexicographic", "colexicographic"):
        found = unrank_subset(kind(5), kind(100), kind(20), order)
        assert found == unrank_subset(5, 100, 20, order) and all(type(x) is int for x in found)
        assert rank_subset(map(kind, found), kind(100), order) == 5


@pytest.mark.parametrize(("n", "k"), [(10**6, 2), (10**9, 3), (70, 35)])
def test_a_space_of_too_many_subsets(n: int, k: int) -> None:
    """It numbers single ones, in either order, and is refused where tables are wanted."""
    space = subsets(n, k)
    last = tuple(range(n - k, n))
    assert space.size == math.comb(n, k) and space.places == k and space.corners == (tuple(range(k)), last)
    assert (space.rank(last), space.unrank(space.size - 1)) == (space.size - 1, last)
    assert next(iter(space)) == tuple(range(k)) and space.unrank(1) == (*range(k - 1), k)
    third = (0, *range(2, k + 1))  # {0..k} without 1: all those without a larger one come before it, colexicographically
    assert space.unrank(k - 1, order="colexicographic") == third and space.rank(third, order="colexicographic") == k - 1
    for wrong in (last[::-1], last[1:], (*last[:-1], n), (-1, *last[1:]), [0.0] * k, "ab", 3):
        assert wrong not in space
    with pytest.raises(ValueError, match="is not in"):
        space.rank(last[::-1])
    with pytest.raises(IndexError, match="the ranks of"):
        space.unrank(space.size)
    for use in (lambda: product(space, range(3)), lambda: space.rank_all(np.array([last])), lambda: space.unrank_all(np.array([0]))):
        with pytest.raises(OutOfReach, match="too large for the tables of a game"):
            use()


def test_the_space_of_too_many_subsets_is_as_the_others() -> None:
    """The same numbers as by tables."""
    space, tables = ManySubsets(8, 3), subsets(8, 3)
    assert list(space) == list(tables) and [space.rank(s) for s in tables] == list(range(56)) and space.corners == tables.corners
    assert all((s in space) == (s in tables) for s in itertools.product(range(-1, 9), repeat=3))


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: rank_subset([1, 1], 5), r"subset must hold different numbers from 0 to 4, not \[1, 1\]"),
        (lambda: rank_subset([5], 5), "different numbers from 0 to 4"),
        (lambda: rank_subset([0.5], 5), "subset must hold whole numbers"),
        (lambda: rank_subset(3, 5), "subset must hold whole numbers"),
        (lambda: rank_subset([1], 5, "random"), "order must be lexicographic or colexicographic, not 'random'"),
        (lambda: unrank_subset(10, 5, 2), "rank must be a whole number from 0 to 9, not 10"),
        (lambda: unrank_subset(0, 5, 6), "k must be at most 5: there are no 6 different numbers below 5"),
        (lambda: unrank_subset(0, -1, 2), "n must be a whole number of at least 0, not -1"),
    ],
)
def test_subsets_that_are_none(call: Any, said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        call()


ranges = st.builds(lambda low, n: range(low, low + n), st.integers(-3, 3), st.integers(0, 4))


@settings(deadline=None)
@given(st.lists(ranges, max_size=4), st.integers(1, 4), st.integers(0, 3))
def test_words(values: list[range], modulus: int, wanted: int) -> None:
    space = words(values, 0, lambda so_far, v: (so_far + v) % modulus, lambda so_far: so_far == wanted)
    check_laws(space, [x for x in itertools.product(*values) if sum(x) % modulus == wanted])


@settings(deadline=None)
@given(st.lists(ranges, max_size=3), st.integers(0, 3), st.integers(1, 3))
def test_products(values: list[range], total: int, parts: int) -> None:
    rest = [x for x in itertools.product(range(total + 1), repeat=parts) if sum(x) == total]
    check_laws(
        product(tuple(values), (compositions(total, parts), range(2))),
        [(*x, *y, z) for x in itertools.product(*values) for y in rest for z in range(2)],
    )


@pytest.mark.parametrize("item", [(), (1, 1), (0.5, 1, 1), (1, 1, 1, 0), (4, -1, 0), (2, 2, 0), (0, 0, 4)])
def test_what_is_not_in_a_space(item: tuple[int, ...]) -> None:
    space = compositions(3, 3)
    assert item not in space
    with pytest.raises(ValueError, match="is not in"):
        space.rank(item)
    if len(item) == 3 and all(isinstance(x, int) for x in item):
        assert space.rank_all(np.array([item]))[0] == -1


def test_large_spaces_are_numbered_and_larger_ones_refused() -> None:
    space = subsets(62, 30)
    assert space.size == math.comb(62, 30)
    last = tuple(range(32, 62))
    assert space.unrank(space.size - 1) == last and space.rank(last) == space.size - 1
    with pytest.raises(OutOfReach, match="too large"):
        words([range(2)] * 62)
    with pytest.raises(OutOfReach, match="too large"):
        product(space, space)
    with pytest.raises(OutOfReach, match="table"):
        product(range(-(10**15), 10**15))


@pytest.mark.parametrize(
    ("make", "words_of_error"),
    [
        (lambda: compositions(3, 0), "parts must be"),
        (lambda: compositions(3, 2, (1, 1, 1)), "one a part"),
        (lambda: subsets(-1, 2), "n must be"),
        (lambda: words([range(0, 4, 2)]), "without gaps"),
        (lambda: words(5), "list of ranges"),  # type: ignore[arg-type]
        (lambda: compositions(2.5, 3), "total must be"),  # type: ignore[arg-type]
        (lambda: subsets(3, 2).rank_all(np.array([[0.5, 1.0]])), "whole numbers"),
        (lambda: words([5]), "expected a range"),  # type: ignore[list-item]
        (lambda: product(range(2), 5), "expected a space"),
        (lambda: compositions(3, 2).rank_all(np.zeros((2, 3), np.int64)), "rows of 2 numbers"),
    ],
)
def test_bad_input(make: Any, words_of_error: str) -> None:
    with pytest.raises(ParameterError, match=words_of_error):
        make()


def test_ranks_out_of_range() -> None:
    for act in (lambda: subsets(4, 2).unrank(6), lambda: subsets(4, 2).unrank_all(np.array([-1]))):
        with pytest.raises(IndexError):
            act()


# --- large ones are kept ------------------------------------------------------------------------------------------------

MOST_TOGETHER = 400


class Pair(NamedTuple):
    x: tuple[int, int]


class Wide(NamedTuple):
    """Its space has a table of more than 50,000 entries."""

    least: int = 0

    def start(self) -> Pair:
        return Pair((self.least, self.least))

    def outcomes(self, s: Pair) -> Iterator[tuple[int, int, Pair]]:
        if s.x[1] < self.least + 9:
            yield 1, 1, Pair((s.x[0], s.x[1] + 1))

    def space(self) -> RankedSpace:
        return words([range(self.least, 300)] * 2, 0, lambda before, value: value if before + value <= MOST_TOGETHER else None)


class Small(Wide):
    def space(self) -> RankedSpace:
        return words([range(10)] * 2)


def test_a_large_space_is_made_once_for_the_same_rules_and_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    found = Rules(Wide()).ranked
    assert len(found.automaton.following) > 50_000
    assert Rules(Wide()).ranked is Rules(Wide()).ranked is found
    assert Rules(Wide(1)).ranked.size == found.size - 2 * 300 + 1
    assert Rules(Wide(True)).ranked is not Rules(Wide(1)).ranked
    monkeypatch.setitem(Wide.space.__globals__, "MOST_TOGETHER", 401)
    assert Rules(Wide()).ranked.size > found.size
    monkeypatch.undo()
    assert Rules(Wide()).ranked.size == found.size


def test_a_space_is_made_once_to_check_and_solve_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checker made it twice, and the rules a third time; a large one that is kept need not be made at all."""
    made, automaton = [], spaces._automaton
    monkeypatch.setattr(spaces, "_automaton", lambda *given: made.append(1) or automaton(*given))
    with only("interpreted"):
        for game, wanted in ((Small(), 1), (Wide(2), 1), (Small(), 1), (Wide(2), 0)):
            assert zermelo.solve(game).value == 9 and len(made) == wanted
            made.clear()
