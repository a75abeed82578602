"""The binary search game: values known, all trees enumerated, both mixtures checked apart from what found them."""

import io
import json
import zipfile
from collections import Counter
from fractions import Fraction
from math import comb, lcm
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from known import known
from naive_matrix import cheapest_tree
from test_cli import one_line, run  # noqa: F401
from zermelo.engines.replies import solving
from zermelo.errors import ParameterError
from zermelo.games import BinarySearch
from zermelo.games.binary_search_families import FIRST, SECOND, THIRD, where_optimal
from zermelo.games.binary_search_players import against, gukovs_game, hardest, least, pays, players
from zermelo.games.search_trees import balanced, by_rule, every, guesses, optimal, preorder

QUANTITY = "n up to 200 for which (2,1,...,1,2)/(n+2) is optimal"
QUANTITY_2 = "n up to 200 for which (5,3,2,...,2,3,5)/(2(n+4)) is optimal"
VALUES = {fact.params["n"]: fact.exact for fact in known("binary_search", "value")}


def cost(depths, weights):
    return sum(d * w for d, w in zip(depths, weights, strict=True))


def verify(solution, price):
    """Alice's mixture and Bob's, all n numbers and all trees; `price` finds the cheapest tree for whole weights."""
    n, value = solution.game.n, solution.value
    assert sum(solution.row.values()) == 1 == sum(solution.column.values())
    assert min(solution.row.values()) > 0 < min(solution.column.values())
    paid = [Fraction(0)] * n
    for tree, probability in solution.column.items():
        for i, guess in enumerate(guesses(tree)):
            paid[i] += probability * guess
    assert max(paid) == value  # Bob pays no more, whatever the number
    common = lcm(*(p.denominator for p in solution.row.values()))
    weights = [int(solution.row.get(i + 1, 0) * common) for i in range(n)]
    assert Fraction(price(weights), common) == value  # Alice gets no less, whatever the tree


@pytest.mark.parametrize("n", [n for n in VALUES if n <= 40])
def test_values_from_the_literature_with_both_mixtures(n):
    solution = zermelo.solve(BinarySearch(n))
    assert solution.value == VALUES[n] and solution.certificate.kind == "proof"
    verify(solution, cheapest_tree if n <= 30 else lambda w: optimal(w)[0])


def test_a_hundred_numbers():
    solution = zermelo.solve(BinarySearch())
    assert solution.value == Fraction(296, 51)
    verify(solution, lambda w: optimal(w)[0])


@pytest.mark.slow
@pytest.mark.parametrize("n", [n for n in VALUES if n > 40])
def test_larger_values_from_the_literature(n):
    solution = zermelo.solve(BinarySearch(n))
    assert solution.value == VALUES[n]
    verify(solution, lambda w: optimal(w)[0])


@pytest.mark.parametrize("n", range(1, 10))
def test_all_trees_as_a_matrix(n):
    payoff = list(zip(*every(n), strict=True))
    assert len(payoff[0]) == comb(2 * n, n) // (n + 1)
    assert zermelo.matrix_game(payoff).value == zermelo.solve(BinarySearch(n)).value


@pytest.mark.slow
def test_all_742900_trees_of_thirteen_numbers():
    """Alice's side of the program over all trees, symmetric mixtures only."""
    trees = {tuple(tree[i] + tree[-1 - i] for i in range(7)) for tree in every(13)}  # twice the mean of mirror images
    assert len(every(13)) == 742_900
    value = zermelo.matrix_game(list(zip(*trees, strict=True))).value / 2
    assert value == Fraction(485, 152) == zermelo.solve(BinarySearch(13)).value


def test_bounds_for_a_tolerance():
    solution = zermelo.solve(BinarySearch(61), tolerance=1e-6)
    assert solution.low <= VALUES[61] <= solution.high and 0 < solution.high - solution.low <= 1e-5


# --- certificates -----------------------------------------------------------------------------------------------------


class AskedTwice(BinarySearch):
    """Alice is asked for best responses, too, to trees of which each stands for itself and its mirror image."""

    def best_row(self, weights):
        return max(range(1, (self.n + 1) // 2 + 1), key=lambda i: sum(w * self.payoff(i, tree) for tree, w in weights.items()))


def certified(solution, path):
    """(low, high, numbers with probabilities, trees with probabilities) in a certificate, read by zipfile and json alone: every strategy
    counts for itself and its mirror image."""
    solution.export_certificate(path)
    with zipfile.ZipFile(path) as archive:
        header = json.loads(archive.read("header.json"))
        low, high, *shares = (Fraction(x) for x in np.load(io.BytesIO(archive.read("fractions.npy"))).tobytes().decode().split())
    numbers, trees = header["strategies"]
    n = solution.game.n
    alice, bob = Counter(), Counter()
    for number, share in zip(numbers, shares, strict=False):
        alice[number] += share / 2
        alice[n + 1 - number] += share / 2
    for tree, share in zip(trees, shares[len(numbers) :], strict=True):
        bob[tuple(tree)] += share / 2
        bob[tuple(reversed(tree))] += share / 2
    return low, high, alice, bob


@pytest.mark.parametrize("game", [BinarySearch, AskedTwice])
@pytest.mark.parametrize("n", range(1, 10))
def test_a_certificate_holds_against_every_number_and_every_tree(game, n, tmp_path):
    solution = zermelo.solve(game(n))
    low, high, alice, bob = certified(solution, tmp_path / "certificate")
    assert low == high == solution.value and sum(alice.values()) == sum(bob.values()) == 1
    assert min(cost(tree, [alice[i + 1] for i in range(n)]) for tree in every(n)) == low
    assert max(sum(share * tree[i] for tree, share in bob.items()) for i in range(n)) == high
    verdict = zermelo.verify(tmp_path / "certificate", game)
    assert verdict.verified and verdict.low == verdict.high == solution.value
    assert set(verdict.assumes) == ({"best_column"} if game is BinarySearch else {"best_row", "best_column"})


@pytest.mark.parametrize(("n", "options"), [(13, {}), (30, {"tolerance": 1e-3}), (60, {})])
def test_certificates_of_more_numbers_also_from_files(n, options, tmp_path):
    solution = zermelo.solve(BinarySearch(n), **options)
    solution.save(tmp_path / "file")
    for one in (solution, zermelo.open(tmp_path / "file")):
        low, high, alice, bob = certified(one, tmp_path / "certificate")
        assert (low, high) == (solution.low, solution.high)
        common = lcm(*(share.denominator for share in alice.values()))
        assert Fraction(optimal([int(alice[i + 1] * common) for i in range(n)])[0], common) == low
        assert max(sum(share * tree[i] for tree, share in bob.items()) for i in range(n)) == high
        assert zermelo.verify(tmp_path / "certificate").verified


def test_a_certificate_that_claims_more_is_refused(tmp_path):
    path = tmp_path / "certificate"
    zermelo.solve(BinarySearch(8)).export_certificate(path)
    with zipfile.ZipFile(path) as archive:
        header, numbers = archive.read("header.json"), np.load(io.BytesIO(archive.read("fractions.npy"))).tobytes().decode().split("\n")
    for end, other in ((0, "28/10"), (1, "26/10")):
        wrong = [*numbers[:end], other, *numbers[end + 1 :]]
        data = io.BytesIO()
        np.save(data, np.frombuffer("\n".join(wrong).encode(), np.uint8))
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("header.json", header)
            archive.writestr("fractions.npy", data.getvalue())
        assert not zermelo.verify(path).verified


class Discounted(BinarySearch):
    """Rules that contradict themselves: one guess is free, but not by `member_payoff`."""

    def payoff(self, number, tree):
        return super().payoff(number, tree) - 2


def test_what_strategies_stand_for_is_not_believed(tmp_path, monkeypatch):
    with pytest.raises(zermelo.RulesError, match="but on average `member_payoff` of the strategies that these stand for is 3"):
        zermelo.solve(Discounted(7))
    monkeypatch.setattr(solving, "_check_members", lambda *_: None)  # a solver that believes it
    solution = zermelo.solve(Discounted(7))
    assert solution.value == Fraction(23, 9) - 1
    solution.export_certificate(tmp_path / "certificate")
    verdict = zermelo.verify(tmp_path / "certificate", Discounted)
    assert not verdict.verified and "gets more than 14/9 against the column player's mixture" in verdict.fault


def test_an_optimal_mixture_is_answered_though_its_strategies_stand_for_others():
    solution = zermelo.solve(AskedTwice(6))
    assert solution.evaluate(solution.column, seat=1).value == solution.evaluate(solution.row).value == solution.value


def test_the_answer_is_printed_where_there_is_no_certificate(run):  # noqa: F811
    """A file of a version that did not keep what a certificate needs."""
    old = Path(__file__).parent / "stored" / "hidden-choice.solution"
    code, out, err = run("solve", old, "--certificate", "none.cert")
    assert code == 2 and "485/152" in out and "none.cert" not in out and not Path("none.cert").exists()
    assert "did not keep the strategies that a certificate needs: solve and save again" in one_line(err)
    code, out, err = run("solve", old, "--certificate", "none.cert", "--json")
    data = json.loads(out)
    assert code == 2 and data["exact"] == "485/152" and data["certificate file"] is None and one_line(err)
    assert data["no certificate"] in err and "did not keep the strategies" in data["no certificate"]
    code, out, _ = run("solve", "binary-search", "--n", 3, "--certificate", "some.cert", "--json")
    assert code == 0 and json.loads(out)["certificate file"] == "some.cert" and "no certificate" not in json.loads(out)


# --- trees ------------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 10**30), min_size=1, max_size=14) | st.lists(st.integers(0, 3), min_size=1, max_size=14))
@settings(deadline=None)
def test_optimal_trees_in_whole_numbers_of_any_size(weights):
    least, tree = optimal(weights)
    assert least == cost(tree, weights) == cheapest_tree(weights)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=14))
@settings(deadline=None)
def test_optimal_trees_in_floats(weights):
    least, tree = optimal(weights)
    assert least == pytest.approx(cheapest_tree(weights)) == cost(tree, weights)


def test_trees_are_written_in_preorder():
    assert preorder((2, 1, 3, 2)) == (2, 1, 4, 3)
    assert all(guesses(preorder(tree)) == tree for n in range(1, 8) for tree in every(n))
    assert max(balanced(100)) == 7 and balanced(7) == (3, 2, 3, 1, 3, 2, 3)
    with pytest.raises(ValueError, match="no search tree"):
        guesses((2, 3, 1))


# --- mixtures in closed form --------------------------------------------------------------------------------------------


def ranges_of(quantity):
    (fact,) = known("binary_search", quantity)
    return [range(a, b + 1) for a, b in fact.value]


def test_where_the_guessed_mixture_is_optimal():
    assert FIRST.weights(5) == [2, 1, 1, 1, 2] and SECOND.weights(6) == [5, 3, 2, 2, 3, 5]
    assert FIRST.guarantees(13) == Fraction(47, 15)
    assert where_optimal([FIRST], 30)[FIRST] == ranges_of(QUANTITY)[:3]
    assert where_optimal([SECOND, THIRD], 40, 5) == {
        SECOND: ranges_of(QUANTITY_2)[:3],
        THIRD: [range(13, 15), range(31, 33)],
    }


@pytest.mark.slow
def test_where_the_closed_forms_are_optimal_up_to_200():
    assert where_optimal(least=5) == {
        FIRST: [r for r in ranges_of(QUANTITY) if r.start > 4],
        SECOND: ranges_of(QUANTITY_2),
        THIRD: [range(13, 15), range(31, 33), range(66, 71), range(137, 146)],
    }


@pytest.mark.parametrize("fact", known("binary_search", "whether (2,1,...,1,2)/(n+2) is optimal"), ids=lambda f: f.id)
def test_the_guessed_mixture_against_known_values(fact):
    n = fact.params["n"]
    assert (FIRST.guarantees(n) == VALUES[n]) == fact.value


# --- the command line -------------------------------------------------------------------------------------------------


def test_the_command_prints_value_and_mixtures(run):  # noqa: F811
    code, out, err = run("solve", "binary-search", "--n", 13)
    assert code == 0 and not err
    assert "$485/152 = $3.19079" in out and "proof" in out
    assert "6 to 8" in out and "Alice, 13 strategies" in out
    written = [line.split()[-13:] for line in out[out.index("Bob, ") :].splitlines()[1:] if len(line.split()) > 13]
    assert written and all(len(guesses(tuple(map(int, tree)))) == 13 for tree in written)
    assert "by what they begin with" in run("solve", "binary-search", "--n", 40)[1]


def test_the_command_as_json(run):  # noqa: F811
    code, out, err = run("solve", "binary-search", "--n", 5, "--json")
    data = json.loads(out)
    assert code == 0 and not err and data["exact"] == "20/9" and data["certificate"]["kind"] == "proof"
    assert sum(Fraction(s["probability"]) for s in data["strategies"]["Bob"]) == 1
    assert {s["strategy"] for s in data["strategies"]["Alice"]} == set(range(1, 6))
    assert json.loads(run("solve", "binary-search", "--n", 5, "--json", "--tolerance", "1e-3")[1])["exact"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("solve", "binary-search", "--n", 0), "n must be from 1 to 1000, not 0"),
        (("solve", "binary-search", "--n", "x"), "--n must be a whole number"),
        (("solve", "binary-search", "--discount", 0.5), "given by best responses and takes no discount"),
        (("solve", "binary-search", "--tolerance", 2), "tolerance must be a number between 0 and 1"),
        (("play", "binary-search", "--n", 5, "--seat", 3), "the seat must be 1"),
    ],
)
def test_the_command_refuses(run, words, said):  # noqa: F811
    code, out, err = run(*words)
    assert code == 2 and not out and said in one_line(err)


def test_check_asks_a_few_questions(run):  # noqa: F811
    assert "no faults" in run("check", "binary-search")[1]
    assert json.loads(run("check", "binary-search", "--json")[1])["faults"] == []


PENNIES = """
from typing import NamedTuple

class Pennies(NamedTuple):
    def rows(self):
        return [0, 1]

    def columns(self):
        return [0, 1]

    def payoff(self, row, column):
        return 1 + 2 * row if row == column else 0

    def best_column(self, weights):
        return REPLY
"""


def test_a_game_of_ones_own(run, tmp_path):  # noqa: F811
    path = tmp_path / "pennies.py"
    path.write_text(PENNIES.replace("REPLY", "int(3 * weights.get(1, 0) < weights.get(0, 0))"))
    assert "3/4 = 0.75" in run("solve", f"{path}:Pennies")[1]


@pytest.mark.parametrize(
    ("reply", "said"), [("1", "best_column returned 1, worth"), ("1 // 0", "by zero (pennies.py line 15)")]
)
def test_a_game_of_ones_own_with_a_fault(run, tmp_path, reply, said):  # noqa: F811
    path = tmp_path / "pennies.py"
    path.write_text(PENNIES.replace("REPLY", reply))
    code, out, err = run("solve", path, "--json")
    assert code == 2 and not out and err.startswith("zermelo: ") and said in err


def test_n_must_fit():
    with pytest.raises(ParameterError, match="n must be from 1 to 1000, not -3"):
        zermelo.solve(BinarySearch(-3))


# --- what should I play? -----------------------------------------------------------------------------------------------


def test_gukovs_trees_and_what_his_bob_keeps():
    """586 trees (Possibly Wrong, edit of 2024-09-09) and $0.14657033010415613 of $6 (Gukov's README of 2024-09-06)."""
    solution, trees = gukovs_game(100)
    assert len(trees) == len(set(trees)) == 586 and all(guesses(preorder(tree)) == tree for tree in trees)
    assert abs(6 - float(solution.value) - 0.14657033010415613) < 1e-13


@pytest.mark.parametrize(("n", "best"), [(13, Fraction(7, 3)), (100, Fraction(165, 37))])
def test_hiding_what_is_hardest_for_plain_search(n, best):
    """As good as anything against an optimal Bob, who pays the value for every number; costly against one who knows."""
    solution, hiding = zermelo.solve(BinarySearch(n)), hardest(n)
    paid = pays(n, {guesses(tree): p for tree, p in solution.column.items()})
    assert set(paid) == {solution.value} and set(solution.row) == set(range(1, n + 1))
    assert against(hiding, paid) == solution.value and solution.evaluate(hiding).value == least(n, hiding) == best
    if n == 13:
        common = 420
        assert Fraction(cheapest_tree([int(hiding.get(i, 0) * common) for i in range(1, n + 1)]), common) == best


def test_a_search_by_a_rule():
    """Against the depth of every number, and what is no guess."""
    solution = zermelo.solve(BinarySearch(13))
    tree = by_rule(13, lambda least, most: (least + most) // 2)
    assert max(guesses(tree)) == solution.evaluate(tree, seat=1).value == 4 and guesses(by_rule(5, min)) == (1, 2, 3, 4, 5)
    assert solution.evaluate(lambda least, most: (least + most) // 2, seat=1) == solution.evaluate(tree, seat=1)
    mixed = {lambda least, most: least: Fraction(1, 4), min: Fraction(1, 4), preorder(balanced(13)): Fraction(1, 2)}
    assert solution.evaluate(mixed, seat=1).value == max(k / Fraction(2) + d / Fraction(2) for k, d in enumerate(balanced(13), 1))
    with pytest.raises(ParameterError, match="Bob failed: ZeroDivisionError"):
        solution.evaluate(lambda least, most: least // 0, seat=1)
    with pytest.raises(ParameterError, match="makes no strategies of functions for Alice"):
        solution.evaluate(min)
    assert guesses(by_rule(5, max, first=2)) == (2, 1, 4, 3, 2)
    for wrong in (0, 6, 2.0, True, None):
        with pytest.raises(ParameterError, match="a guess must be a number from 1 to 5"):
            by_rule(5, lambda least, most, wrong=wrong: wrong)


def test_the_table_of_players_without_gukovs_game(monkeypatch):
    monkeypatch.setattr("zermelo.games.binary_search_players.MOST", 12)
    table = players(zermelo.solve(BinarySearch(13)))
    assert "Gukov's trees are left out" in table.notes[-1] and not any("Gukov" in column for column in table.columns)
    assert table.data["exact"]["optimal"] == [Fraction(493, 152), Fraction(485, 152), Fraction(485, 152)]


@pytest.mark.parametrize("hiding", [{1: 1}, {5: 1}, {1: Fraction(1, 2), 3: Fraction(1, 2)}, {2: Fraction(1, 7), 6: Fraction(6, 7)}, 3])
def test_ways_of_hiding_that_are_not_the_same_in_a_mirror(hiding):
    solution = zermelo.solve(BinarySearch(7))
    found = solution.evaluate(hiding)
    given = hiding if isinstance(hiding, dict) else {hiding: 1}
    assert found.value == min(sum(p * tree[i - 1] for i, p in given.items()) for tree in every(7))
    assert sum(p * guesses(found.reply)[i - 1] for i, p in given.items()) == found.value
    assert found.loss == solution.value - found.value


def test_what_is_no_number_is_no_way_of_hiding():
    with pytest.raises(ParameterError, match="8 is not among the rows of the game"):
        zermelo.solve(BinarySearch(7)).evaluate({8: 1})


def test_tables_of_players_and_first_guesses(run):  # noqa: F811
    data = json.loads(run("table", "binary-search", "--n", 13, "--view", "players", "--json")[1])
    assert data["exact"]["optimal"][2:] == ["485/152", "485/152"]
    hard = data["exact"]["those alike that are hardest for plain search"]
    assert (hard[0], *hard[2:]) == ("4", "485/152", "7/3") and Fraction(hard[1]) > Fraction(485, 152)
    told = json.loads(run("table", "binary-search", "--view", "first", "--json")[1])["probabilities"]
    shown = {int(guess): Fraction(p) for guess, p in told.items()}
    assert sum(shown.values()) == 1 and all(shown[k] == shown[101 - k] for k in shown)
    assert min(shown) == 42 and round(float(shown[50]), 6) == 0.105776
