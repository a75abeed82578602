"""Matrix games: exact values and strategies, degenerate matrices, bases that floats got wrong, input that is no matrix."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from naive_matrix import guarantees, value
from zermelo.errors import ParameterError
from zermelo.matrix import exact

SMALL = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-3, 3), min_size=columns, max_size=columns), min_size=1, max_size=4)
)


def check(payoff):
    solution = zermelo.matrix_game(payoff)
    assert sum(solution.row) == 1 == sum(solution.column) and min(solution.row + solution.column) >= 0
    assert guarantees(payoff, solution.row, solution.column) == (solution.value, solution.value)
    assert solution.certificate.kind == "proof" and solution.low == solution.high == solution.value
    return solution


def test_rock_paper_scissors():
    solution = check([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert solution.value == 0 and solution.row == (Fraction(1, 3),) * 3


def test_two_by_two_by_hand():
    assert check([[3, -1], [-2, 1]]).value == Fraction(1, 7)  # (3 * 1 - 1 * 2) / (3 + 1 + 1 + 2)


@given(SMALL)
@settings(max_examples=150, deadline=None)
def test_small_matrices_against_all_kernels(payoff):
    assert check(payoff).value == value(payoff)


@given(SMALL, st.data())
@settings(max_examples=150, deadline=None)
def test_any_wrong_basis_is_repaired(payoff, data):
    size = data.draw(st.integers(0, min(len(payoff), len(payoff[0]))))
    rows = data.draw(st.permutations(range(len(payoff))))[:size]
    columns = data.draw(st.permutations(range(len(payoff[0]))))[:size]
    found = exact.solve(payoff, rows, columns)
    p = [found.p.get(i, 0) for i in range(len(payoff))]
    q = [found.q.get(j, 0) for j in range(len(payoff[0]))]
    assert guarantees(payoff, p, q) == (found.value, found.value) == (value(payoff),) * 2


@pytest.mark.parametrize("entries", [2, 3, 201])
def test_larger_matrices_with_and_without_ties(entries):
    rng = np.random.default_rng(entries)
    check(rng.integers(0, entries, (40, 55)).tolist())


def test_matrices_of_low_rank_are_degenerate():
    rng = np.random.default_rng(1)
    check((rng.integers(-5, 6, (25, 3)) @ rng.integers(-5, 6, (3, 30))).tolist())


def test_repeated_strategies_and_constant_matrices():
    assert check([[2, 2, 2]] * 5).value == 2
    assert check([[1, 0, 1, 0], [0, 1, 0, 1]] * 3).value == Fraction(1, 2)


def test_a_start_far_off_in_a_larger_matrix():
    rng = np.random.default_rng(5)
    payoff = rng.integers(-9, 10, (15, 18)).tolist()
    cold, wrong = exact.solve(payoff), exact.solve(payoff, range(8), range(9, 17))
    assert cold.value == wrong.value == check(payoff).value and cold.pivots and wrong.pivots


def test_differences_that_floats_do_not_see():
    payoff = [[10**30 + i * j * (-1) ** (i + j) for j in range(1, 9)] for i in range(1, 9)]
    assert check(payoff).value == 10**30 + check([[a - 10**30 for a in row] for row in payoff]).value
    assert check([[10**400, 0], [0, 10**400]]).value == Fraction(10**400, 2)


def test_near_ties_that_floats_take_for_ties():
    rng = np.random.default_rng(7)
    coarse = rng.integers(-5, 6, (25, 4)) @ rng.integers(-5, 6, (4, 25))
    payoff = (coarse * 10**12 + rng.integers(-9, 10, coarse.shape)).tolist()
    assert "exact pivots" in check(payoff).certificate.argument


def test_payoffs_as_floats_and_fractions():
    assert zermelo.matrix_game([[0.1, 0.3], [0.4, 0.2]]).value == Fraction(1, 4)
    assert zermelo.matrix_game(np.array([[1, 0], [0, 1]])).value == Fraction(1, 2)
    assert zermelo.matrix_game([[Fraction(1, 3), 0], [0, Fraction(1, 3)]]).value == Fraction(1, 6)
    bits = zermelo.matrix_game([[1 / 3]])
    assert bits.value == Fraction(1 / 3) != Fraction(1, 3)  # no short decimal: what the bits say
    large = zermelo.matrix_game([[1e23, 2.0**60]])  # a decimal of one digit, a float of 19
    assert large.payoff == ((10**23, 2**60),) and all(isinstance(x, int) for x in large.payoff[0])


@pytest.mark.parametrize(
    ("payoff", "said"),
    [
        ([], "the matrix is empty"),
        ([[]], "the matrix is empty"),
        ([[1, 2], [3]], "ragged: row 1 has 2 payoffs, row 2 has 1"),
        ([[1, float("nan")]], "row 1, column 2 is nan: payoffs must be finite"),
        ([[1], [float("inf")]], "row 2, column 1 is inf"),
        ([["a"]], "row 1, column 1 is 'a'"),
        ([1, 2], "row 1 of the matrix is 1"),
        (["ab"], "row 1 of the matrix is 'ab'"),
        (7, "a matrix is a list of rows"),
        (np.array(7), "a matrix is a list of rows"),
        ([np.array(7)], r"row 1 of the matrix is array\(7\): each row is a list"),
        ({"a": [1], "b": [2]}, "a matrix is a list of rows"),
        ({(1, 2), (3, 4)}, "a matrix is a list of rows"),
        ([{0: 5, 1: 7}], "row 1 of the matrix is {0: 5, 1: 7}: each row is a list"),  # its payoffs were its keys
        ([[1, 2], {4, 3}], "row 2 of the matrix is {3, 4}: each row is a list"),
        ([bytearray(b"ab")], "each row is a list"),
    ],
)
def test_what_is_no_matrix(payoff, said):
    with pytest.raises(ParameterError, match=said):
        zermelo.matrix_game(payoff)
