"""Games given by best responses: the same values as with all strategies listed; oracles that are at fault are found out."""

import re
import runpy
import statistics
from enum import IntEnum
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.basics.progress import silent
from zermelo.cli.mixed import print_solution
from zermelo.errors import ParameterError, RulesError
from zermelo.games import BinarySearch
from zermelo.serve.pictures import frame


class OneSided:
    """A matrix of which only the first column is known at the start."""

    def __init__(self, matrix):
        self.matrix = matrix

    def rows(self):
        return range(len(self.matrix))

    def columns(self):
        return [0]

    def payoff(self, row, column):
        return self.matrix[row][column]

    def best_column(self, weights):
        return min(range(len(self.matrix[0])), key=lambda j: sum(w * self.matrix[i][j] for i, w in weights.items()))


class TwoSided(OneSided):
    """And only the first row."""

    def rows(self):
        return [0]

    def best_row(self, weights):
        return max(range(len(self.matrix)), key=lambda i: sum(w * self.matrix[i][j] for j, w in weights.items()))


class Turned(OneSided):
    """Only the row player has an oracle."""

    def rows(self):
        return [0]

    def columns(self):
        return range(len(self.matrix[0]))

    best_column = None
    best_row = TwoSided.best_row


def guarantees(matrix, solution):
    columns = range(len(matrix[0]))
    low = min(sum(p * matrix[i][j] for i, p in solution.row.items()) for j in columns)
    return low, max(sum(q * row[j] for j, q in solution.column.items()) for row in matrix)


MATRICES = st.integers(1, 7).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-4, 4), min_size=columns, max_size=columns), min_size=1, max_size=7)
)


@pytest.mark.parametrize("game", [OneSided, TwoSided, Turned])
@given(MATRICES)
@settings(max_examples=60, deadline=None)
def test_the_value_is_that_of_the_matrix(game, matrix):
    solution = zermelo.solve(game(matrix))
    assert solution.certificate.kind == "proof"
    assert solution.value == zermelo.matrix_game(matrix).value
    assert guarantees(matrix, solution) == (solution.value, solution.value)


def test_a_large_matrix_needs_few_of_its_strategies():
    matrix = np.random.default_rng(3).integers(-50, 51, (30, 600)).tolist()
    solution = zermelo.solve(OneSided(matrix))
    assert solution.value == zermelo.matrix_game(matrix).value
    assert solution.statistics["columns"] < 300


def test_fractions_floats_and_a_zero_start():
    matrix = [[0, Fraction(1, 3), -200.5], [0, -0.1, 1e6]]
    solution = zermelo.solve(OneSided(matrix))
    exact = [[0, Fraction(1, 3), Fraction(-401, 2)], [0, Fraction(-1, 10), 10**6]]
    assert solution.value == zermelo.matrix_game(exact).value


def test_a_tolerance_gives_bounds():
    matrix = np.random.default_rng(4).integers(-50, 51, (20, 200)).tolist()
    value = zermelo.matrix_game(matrix).value
    solution = zermelo.solve(TwoSided(matrix), tolerance=1e-3)
    assert solution.low <= value <= solution.high and solution.high - solution.low <= 1e-3 * max(1, abs(solution.low))
    assert guarantees(matrix, solution) == (solution.low, solution.high)
    assert (
        solution.certificate.kind == "bound"
        and zermelo.solve(TwoSided(matrix), tolerance=1e-3, exact=True).value == value
    )


@pytest.mark.parametrize("game", [OneSided, TwoSided, Turned])
def test_a_tolerance_that_floats_do_not_reach_leads_to_a_proof(game):
    """It was refused, although the game was solved exactly without one."""
    matrix = [[10**80, -3, 7], [-(10**60), 2, 10**33], [5, -(10**90), 1]]
    value = zermelo.matrix_game(matrix).value
    assert zermelo.solve(game(matrix), tolerance=1e-6).value == zermelo.solve(game(matrix)).value == value


class Ring(NamedTuple):
    """Hide in a cell of a ring; the seeker looks into a cell and its two neighbours. Turned, all cells are alike."""

    cells: int = 7

    def rows(self):
        return ["any cell"]

    def columns(self):
        return ["any cell"]

    def payoff(self, row, column):
        return self.cells - 3  # cells where the hider is safe

    def unit(self):
        return Fraction(1, self.cells)

    def best_column(self, weights):
        return "any cell"

    def row_members(self, row):
        return range(self.cells)

    column_members = row_members


def test_strategies_that_stand_for_several():
    solution = zermelo.solve(Ring())
    assert solution.value == Fraction(4, 7)
    assert solution.row == solution.column == dict.fromkeys(range(7), Fraction(1, 7))


def broken(matrix=((0, 2), (1, 0)), **members):
    return type("Broken", (OneSided,), members)(matrix)


BOTH = {"columns": lambda self: [0, 1]}
NEAR = ((10**12, 10**12 + 1, 10**12 + 1), (10**12 + 1, 10**12, 10**12 + 1))  # the third column is never best


@pytest.mark.parametrize(
    ("game", "error", "said"),
    [
        (
            broken(best_column=lambda self, w: 1, **BOTH),
            ParameterError,
            "best_column returned 1, worth .* but 0 is cheaper",
        ),
        (broken(NEAR, best_column=lambda self, w: 2, **BOTH), ParameterError, "0 is cheaper.*must be exactly best"),
        (broken(best_column=lambda self, w: []), RulesError, "empty list"),
        (broken(best_column=lambda self, w: None), RulesError, "`best_column` returned None: it must return a best response"),
        (broken(best_column=lambda self, w: {1: 2}), RulesError, "must be hashable"),
        (broken(best_column=lambda self, w: 1 / 0), RulesError, r"`best_column` raised ZeroDivisionError: .* zero \(test_replies.py line "),
        (broken(best_column=lambda self, w: statistics.mean([])), RulesError, r"one data point \(test_replies.py line "),
        (broken(rows=lambda self: []), RulesError, "`rows` must yield strategies"),
        (broken(payoff=None), RulesError, "the method `payoff` is missing"),
        (broken(payoff=lambda self, i, j: float("nan")), ParameterError, "payoff of 0 against 0 is nan"),
        (broken(payoff=lambda self, i, j: 10**101), ParameterError, "too large"),
        (broken(unit=lambda self: -1), ParameterError, "unit"),
        (OneSided, RulesError, "this is the class"),
    ],
)
def test_games_at_fault(game, error, said):
    with pytest.raises(error, match=said):
        zermelo.solve(game)


def test_options_for_other_games_are_refused():
    with pytest.raises(ParameterError, match="given by best responses"):
        zermelo.solve(OneSided([[1]]), discount=0.5)
    with pytest.raises(ParameterError, match="tolerance"):
        zermelo.solve(OneSided([[1]]), tolerance=-1)
    with pytest.raises(ParameterError, match="a matrix game, without states"):
        zermelo.examine(Ring())


def test_colonel_blotto_by_replies_and_with_all_strategies():
    blotto = runpy.run_path(str(Path(__file__).parent.parent / "examples" / "blotto.py"))["Blotto"]
    game = blotto(5, 4, (1, 2, 4))
    ours, theirs = ([s for s in product(range(k + 1), repeat=3) if sum(s) == k] for k in (5, 4))
    whole = zermelo.matrix_game([[game.payoff(r, c) for c in theirs] for r in ours])
    solution = zermelo.solve(game)
    assert solution.value == whole.value > 0
    low = min(sum(p * game.payoff(r, c) for r, p in solution.row.items()) for c in theirs)
    high = max(sum(q * game.payoff(r, c) for c, q in solution.column.items()) for r in ours)
    assert low == high == solution.value
    assert zermelo.solve(blotto(7, 7, (2, 3, 5))).value == 0


def test_payoffs_of_symmetric_strategies_are_compared_with_their_members():
    from zermelo.engines.replies.solving import check_replies

    found = check_replies(BinarySearch(9))
    assert len(found.rows) + len(found.columns) > 5
    wrong = type("Wrong", (BinarySearch,), {"member_payoff": lambda self, number, tree: 1 + (tree[0] != number)})
    with pytest.raises(RulesError, match="on average `member_payoff` of the strategies that these stand for is"):
        check_replies(wrong(9))


class FreeLastGuess(BinarySearch):
    """The last guess is free: payoffs differ, and the inherited ones of the members don't."""

    def payoff(self, number, tree):
        return tree[number - 1] + tree[self.n - number] - 2


class FreeMembers(FreeLastGuess):
    def member_payoff(self, number, tree):
        return BinarySearch.member_payoff(self, number, tree) - 1


@pytest.mark.parametrize("ask", [zermelo.solve, zermelo.plan, lambda game: zermelo.solve(game, tolerance=0.1)])
def test_solve_refuses_payoffs_of_members_as_check_does(ask):
    with pytest.raises(RulesError, match="on average `member_payoff` of the strategies that these stand for is"):
        ask(FreeLastGuess(7))


def test_check_takes_matrix_games():
    game = BinarySearch(7)
    found = zermelo.check(game)
    assert set(game.rows()) <= set(found.rows) and set(game.columns()) <= set(found.columns) and found.remarks == ()
    assert len(found.rows) + len(found.columns) == zermelo.plan(game).examined
    odd = type("Odd", (BinarySearch,), {"__slots__": (), "show_rows_": lambda self: 0, "unit_": lambda self, by: 0})
    assert zermelo.check(odd(7)).remarks == zermelo.plan(odd(7)).notes != ()
    for ask in (zermelo.check, zermelo.solve, zermelo.plan):
        with pytest.raises(RulesError, match="on average `member_payoff`"):
            ask(FreeLastGuess(7))
        with pytest.raises(ParameterError, match="n must be from 1 to 1000, not 0"):
            ask(BinarySearch(0))
        with pytest.raises(RulesError, match="this is the class; pass a game"):
            ask(BinarySearch)


def test_examine_says_who_examines_matrix_games():
    said = "BinarySearch is a matrix game, without states that could have a structure: `zermelo.check` examines its rules"
    for game in (BinarySearch(7), "binary-search"):
        with pytest.raises(ParameterError, match=said):
            zermelo.examine(game)


def test_payoffs_of_members_that_fit():
    free, usual = zermelo.solve(FreeMembers(7)), zermelo.solve(BinarySearch(7))
    assert free.value == usual.value - 1
    low, high = naive_value_of_members(FreeMembers(7), free)
    assert low == high == free.value


def naive_value_of_members(game, solution):
    """What both mixed strategies guarantee against each other's own strategies, in fractions."""
    rows, columns = solution.row, solution.column
    against_columns = [sum(p * game.member_payoff(r, c) for r, p in rows.items()) for c in columns]
    against_rows = [sum(q * game.member_payoff(r, c) for c, q in columns.items()) for r in rows]
    return min(against_columns), max(against_rows)


def test_what_only_the_search_generates_is_compared_too():
    """A tree that no uniform weights lead to has payoffs of its own."""

    class Late(BinarySearch):
        def member_payoff(self, number, tree):
            return BinarySearch.member_payoff(self, number, tree) + (tree in found)

    likeliest = sorted(zermelo.solve(BinarySearch(9)).column.items(), key=lambda pair: -pair[1])
    found = {tree for tree, _ in likeliest[:1]}
    with pytest.raises(RulesError, match="on average `member_payoff`"):
        zermelo.solve(Late(9))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"column_members": lambda self, tree: []}, "`column_members` has no strategy for"),
        ({"column_members": lambda self, tree: 5}, "`column_members` raised "),
        ({"member_payoff": lambda self, number, tree: 1 // 0}, "`member_payoff` raised "),
        ({"players": ("Alice", "Bob")}, "`players` is a value, but the name stands for a method `def players(self)`: rename it"),
        ({"players": lambda self: ("A", "B", "C")}, "`players` returned ('A', 'B', 'C'): it must return two names, which differ"),
        ({"players": lambda self: "AB"}, "`players` returned 'AB': it must return two names, which differ"),
        ({"players": lambda self: ("A", "A")}, "`players` returned ('A', 'A'): it must return two names, which differ"),
        ({"players": lambda self: 1 // 0}, "`players` raised "),
        ({"show_row": "a row"}, "`show_row` is a value, but the name stands for a method `def show_row(self, row)`"),
        ({"show_row": lambda self, number: 1 // 0}, "`show_row` raised "),
        ({"show_column": lambda self: "a tree"}, "`show_column` raised "),
        ({"best_row": 5}, "`best_row` is a value, but the name stands for a method `def best_row(self, weights)`"),
    ],
)
def test_members_that_are_none_are_faults_of_the_rules(changes, said):
    wrong = type("Wrong", (BinarySearch,), changes)
    for ask in (zermelo.solve, zermelo.plan):
        with pytest.raises(RulesError, match=re.escape(said)):
            ask(wrong(5))


def test_a_strategy_that_cannot_be_shown_is_told():
    """It was a traceback, after all was solved."""
    late = type("Late", (BinarySearch,), {"show_row": lambda self, number: f"hides {number}" if number < 12 else 1 // 0})
    solution = zermelo.solve(late(12))
    assert solution.shown(0, 3) == "hides 3"
    for ask in (lambda: solution.shown(0, 12), lambda: print_solution(solution), lambda: frame(solution, silent)):
        with pytest.raises(RulesError, match="show_row of 12: ZeroDivisionError"):
            ask()


class Amounts(NamedTuple):
    """A matrix of two by two whose numbers are `large` and the like."""

    large: int | float = 10**17

    def rows(self):
        yield from range(2)

    columns = rows

    def payoff(self, row, column):
        return self.large * (row + 1) if row == column else 0

    def best_column(self, weights):
        return min(range(2), key=lambda column: weights.get(column, 0) * (column + 1))


@pytest.mark.parametrize("large", [10**17, 2**62 + 1, 1 / 3, 0.1])
def test_certificates_of_payoffs_that_no_float_holds_are_verified(large, tmp_path):
    solution = zermelo.solve(Amounts(large))
    solution.export_certificate(tmp_path / "large.cert")
    verdict = zermelo.verify(tmp_path / "large.cert", Amounts(large))
    assert verdict.verified and verdict.low == verdict.high == solution.value


class Hand(IntEnum):
    ROCK = 0
    PAPER = 1
    SCISSORS = 2


class Hands(NamedTuple):
    paid: int = 1

    def rows(self):
        return list(Hand)

    columns = rows

    def payoff(self, row, column):
        return self.paid * ((row - column + 1) % 3 - 1)

    def best_row(self, weights):
        return max(Hand, key=lambda row: sum(w * self.payoff(row, column) for column, w in weights.items()))


def test_strategies_of_an_enumeration_are_shown_by_their_names(capsys):
    solution = zermelo.solve(Hands())
    print_solution(solution)
    out = capsys.readouterr().out
    assert all(out.count(f"1/3  {hand.name}") == 2 for hand in Hand)
    assert solution.value == 0 and solution.shown(0, Hand.PAPER) == "PAPER"
