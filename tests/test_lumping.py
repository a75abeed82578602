"""Lumped exact systems: against elimination in fractions, and the coarsest partition by its definition."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from flint import fmpz
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from test_rational_linear import Dense, compressed, eliminated, fractions
from zermelo.foreign.loading import game_class
from zermelo.methods import lumping
from zermelo.methods.lumping import lumped
from zermelo.methods.rational_linear import solve
from zermelo.methods.rational_matrix import Column
from zermelo.solvers import rational
from zermelo.uses.property import answer


@pytest.fixture(autouse=True)
def small_ones_too(monkeypatch):
    monkeypatch.setattr(lumping, "FEWEST", 0)
    monkeypatch.setattr(lumping, "ROUND", 0)


def planted(base: int, copies: int, seed: int, negate: bool) -> tuple[Dense, list[list[Fraction]], list[int]]:
    """A chain that ends, each state of which has so many copies; each leads to copies at random, and each row is multiplied by a number
    of its own. As a matrix, two right-hand sides and these numbers times the ways of the rows."""
    pick = random.Random(seed)
    moves = [[(pick.randrange(base), pick.randint(1, 3), pick.choice([1, -1]) if negate else 1) for _ in range(3)] for _ in range(base)]
    paid = [[Fraction(pick.randint(0, 2), 3) for _ in range(base)] for _ in range(2)]
    n, place = base * copies, list(range(base * copies))
    pick.shuffle(place)
    dense, right, weight = [[0] * n for _ in range(n)], [[Fraction(0)] * n for _ in range(2)], [0] * n
    for k, copy in product(range(base), range(copies)):
        i, factor = place[k * copies + copy], pick.randint(1, 4)
        ways = 1 + sum(w for _, w, _ in moves[k])  # one of which ends
        dense[i][i] += ways * factor
        for to, share, sign in moves[k]:
            for _ in range(share * factor):
                dense[i][place[to * copies + pick.randrange(copies)]] -= sign
        weight[i] = ways * factor
        for side in range(2):
            right[side][i] = paid[side][k] * ways * factor
    return dense, right, weight


def over_one_denominator(right: list[list[Fraction]]) -> list[Column]:
    return [Column([fmpz(int(3 * v)) for v in b], fmpz(3)) for b in right]


def by_definition(dense: Dense, right: list[list[Fraction]], weight: list[int]) -> set[frozenset[int]]:
    """The coarsest stable partition."""
    n = len(dense)
    label = [0] * n
    while True:
        keys = []
        for i in range(n):
            sums: dict[int, Fraction] = defaultdict(Fraction)
            for j, value in enumerate(dense[i]):
                sums[label[j]] += Fraction(value, weight[i])
            rest = tuple(sorted((c, v) for c, v in sums.items() if v))
            keys.append((label[i], tuple(b[i] / weight[i] for b in right), rest))
        numbers = {key: k for k, key in enumerate(dict.fromkeys(keys))}
        if len(numbers) == len(set(label)):
            found = defaultdict(set)
            for i in range(n):
                found[label[i]].add(i)
            return {frozenset(members) for members in found.values()}
        label = [numbers[key] for key in keys]


@given(base=st.integers(1, 7), copies=st.integers(1, 5), seed=st.integers(0, 10**6), negate=st.booleans())
@settings(deadline=None, max_examples=150)
def test_planted_copies_are_found(base, copies, seed, negate):
    dense, right, weight = planted(base, copies, seed, negate)
    classes = by_definition(dense, right, weight)
    found = lumped(compressed(dense), over_one_denominator(right), np.array(weight))
    if len(classes) > lumping.WORTH * len(dense):
        assert found is None
        return
    assert found is not None
    members = defaultdict(set)
    for i, label in enumerate(found.label.tolist()):
        members[label].add(i)
    assert {frozenset(m) for m in members.values()} == classes
    solved = found.of_unknowns(solve(found.matrix, found.right))
    assert [fractions(x) for x in solved] == eliminated(dense, right)


@pytest.mark.parametrize("damage", ["merged", "moved"])
def test_a_wrong_partition_is_not_used(damage, monkeypatch):
    dense, right, weight = planted(6, 4, 3, False)
    matrix, sides = compressed(dense), over_one_denominator(right)
    label = lumped(matrix, sides, np.array(weight)).label
    wrong = label.copy()
    if damage == "merged":
        wrong = np.maximum(label - 1, 0)
    else:
        wrong[np.flatnonzero(label == 0)[0]] = 1
    monkeypatch.setattr(lumping, "_coarsest", lambda *_: wrong)
    assert lumped(matrix, sides, np.array(weight)) is None


def test_right_hand_sides_that_are_equal_modulo_the_primes_only():
    """They differ by a multiple of both primes, so that their fingerprints are equal."""
    off = lumping.PRIMES[0] * lumping.PRIMES[1]
    dense = [[2 * (i == j) for j in range(10)] for i in range(10)]
    right = [Column([fmpz(off) * (i == 7) + 1 for i in range(10)], fmpz(1))]
    assert lumped(compressed(dense), right, np.full(10, 2)) is None


def test_no_classes_no_gain():
    pick = random.Random(1)
    dense = [[9 * (i == j) - (j == pick.randrange(40)) for j in range(40)] for i in range(40)]
    right = [Column([fmpz(i) for i in range(40)], fmpz(1))]
    assert lumped(compressed(dense), right, np.full(40, 9)) is None


def test_the_search_is_given_up(monkeypatch):
    """A walk between two ends: it takes a round for each step to the middle."""
    n = 300
    dense = [[2 * (i == j) - (abs(i - j) == 1) for j in range(n)] for i in range(n)]
    matrix, right, weight = compressed(dense), [Column([fmpz(1)] * n, fmpz(1))], np.full(n, 2)
    assert len(lumped(matrix, right, weight).right[0].numerator) == n // 2
    monkeypatch.setattr(lumping, "ROUND", 2000)
    assert lumped(matrix, right, weight) is None


def test_too_little_memory(monkeypatch):
    monkeypatch.setattr(lumping, "fits", lambda _: False)
    monkeypatch.setattr(lumping, "WITHOUT_ASKING", 0)
    dense, right, weight = planted(3, 9, 1, False)
    assert lumped(compressed(dense), over_one_denominator(right), np.array(weight)) is None


HERMAN = """dtmc module p1 x1:[0..1] init 1; [t] x1=x5 -> 0.5 : (x1'=0) + 0.5 : (x1'=1); [t] x1!=x5 -> (x1'=x5); endmodule
    module p2 = p1 [x1=x2, x5=x1] endmodule module p3 = p1 [x1=x3, x5=x2] endmodule module p4 = p1 [x1=x4, x5=x3] endmodule
    module p5 = p1 [x1=x5, x5=x4] endmodule
    formula tokens = (x1=x5?1:0) + (x2=x1?1:0) + (x3=x2?1:0) + (x4=x3?1:0) + (x5=x4?1:0);
    rewards true : 1; endrewards"""


def test_a_ring_of_processes(tmp_path, monkeypatch):
    """Herman's: the states of one orbit under rotation are one unknown, and those of all bits flipped."""
    path, sizes = tmp_path / "ring.prism", []
    path.write_text(HERMAN)
    monkeypatch.setattr(rational, "solve", lambda matrix, *rest: (sizes.append(matrix.size), solve(matrix, *rest))[1])
    game = game_class(path, "R=? [ F tokens=1 ]")()
    found = zermelo.solve(game, exact=True)
    assert answer(found).value == Fraction(44, 15)  # by elimination, as are 12/5 and 16/5, the other two values
    assert sizes == [2, 1]  # three tokens, and five
    monkeypatch.setattr(rational, "lumped", lambda *_: None)
    again = zermelo.solve(game, exact=True)
    assert sizes == [2, 1, 20, 2]
    assert sorted({found.probe(s).value for s in states(game)}) == [0, Fraction(12, 5), Fraction(44, 15), Fraction(16, 5)]
    assert [found.probe(s).value for s in states(game)] == [again.probe(s).value for s in states(game)]


def states(game):
    """Every arrangement of the bits."""
    return [type(game.start())(*bits) for bits in product((0, 1), repeat=5)]
