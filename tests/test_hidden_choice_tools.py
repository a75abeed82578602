"""What people do with solutions of games of hidden choice: store, simulate, tabulate, draw, and play binary search for money."""

import json
import math
from collections import Counter
from enum import Enum
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest

import zermelo
from test_cli import one_line, run  # noqa: F401
from zermelo.errors import FileError, OutOfReach, ParameterError
from zermelo.games import BinarySearch
from zermelo.games import binary_search_views as views
from zermelo.games.binary_search_families import FIRST, SECOND, THIRD
from zermelo.games.binary_search_growth import stake, teeth, windows
from zermelo.games.binary_search_play import ALICE, BOB, Search, Session, converse, money, path, won
from zermelo.games.search_trees import every, guesses, preorder
from zermelo.views import strategies


@pytest.fixture(scope="module")
def thirteen():
    return zermelo.solve(BinarySearch(13))


@pytest.mark.parametrize(("n", "trees"), [(10, 16_796), pytest.param(13, 742_900, marks=pytest.mark.slow)])
def test_no_tree_of_all_beats_alice(n, trees, thirteen):
    """And no number beats Bob, with 13 numbers: full enumeration of both sides of the proof, in whole numbers."""
    solution, depths = zermelo.solve(BinarySearch(n)), np.array(every(n), np.int64)
    shares = [Fraction(solution.row.get(i, 0)) for i in range(1, n + 1)]
    scale = math.lcm(*(p.denominator for p in shares))
    weights = np.array([int(p * scale) for p in shares], np.int64)
    assert len(depths) == trees and weights.sum() == scale
    assert Fraction(int((depths @ weights).min()), scale) == solution.value
    assert thirteen.value == Fraction(485, 152) and set(views.bob_pays(thirteen).values()) == {thirteen.value}


# --- stored -----------------------------------------------------------------------------------------------------------


def test_a_solution_is_stored_and_opened(thirteen, tmp_path):
    thirteen.save(tmp_path / "thirteen.zermelo")
    opened = zermelo.open(tmp_path / "thirteen.zermelo")
    assert opened.game == thirteen.game and opened.certificate == thirteen.certificate
    assert list(opened.row.items()) == list(thirteen.row.items())
    assert list(opened.column.items()) == list(thirteen.column.items())
    with pytest.raises(FileError, match=r"BinarySearch\(n=13\), not of BinarySearch\(n=14\)"):
        zermelo.open(tmp_path / "thirteen.zermelo", BinarySearch(14))
    (tmp_path / "thirteen.zermelo").write_bytes((tmp_path / "thirteen.zermelo").read_bytes()[:-3])
    with pytest.raises(FileError, match="cut short"):
        zermelo.open(tmp_path / "thirteen.zermelo")


class Side(Enum):
    HEADS = "h"


class Bid(NamedTuple):
    side: Side | str
    copies: int


BIDS = [Bid(Side.HEADS, 1), Bid("tails", 1)]


class Pennies(NamedTuple):
    """Matching pennies; strategies of some kind."""

    kind: int = 0

    def rows(self):
        return [[(0, "heads"), (0, "tails")], [frozenset({1}), frozenset({2})], [b"1", b"2"], BIDS, [None, 10**30]][self.kind]

    def columns(self):
        return self.rows()

    def payoff(self, row, column):
        return 1 if row == column else -1

    def best_row(self, weights):
        return max(self.rows(), key=lambda s: weights.get(s, 0))


class Fields(NamedTuple):
    """Strategies whose fields the payoffs read."""

    def rows(self):
        return [Bid("heads", 1), Bid("tails", 1)]

    def columns(self):
        return self.rows()

    def payoff(self, row, column):
        return 1 if row.side == column.side else -1

    def best_row(self, weights):
        return max(self.rows(), key=lambda s: weights.get(s, 0))


class OtherPennies(Pennies):
    def best_row(self, weights):
        return max(self.rows(), key=lambda s: (weights.get(s, 0), s))


@pytest.mark.parametrize("kind", [0, 1, 3, 4])
def test_strategies_are_stored_with_their_types(kind, tmp_path):
    one = zermelo.solve(Pennies(kind))
    one.save(tmp_path / "pennies.zermelo")
    again = zermelo.open(tmp_path / "pennies.zermelo", Pennies(kind))
    assert again.row == one.row and list(map(type, again.row)) == list(map(type, one.row))


def test_strategies_that_no_file_holds_are_refused_and_changed_rules_noticed(tmp_path):
    zermelo.solve(Pennies()).save(tmp_path / "pennies.zermelo")
    with pytest.raises(FileError, match="the strategy b'[12]' can't be stored: files hold numbers, texts, members of an Enum"):
        zermelo.solve(Pennies(2)).save(tmp_path / "bytes.zermelo")
    changed = type("Pennies", (Pennies,), {"best_row": OtherPennies.best_row})
    with pytest.raises(FileError, match="solved under other rules"):
        zermelo.open(tmp_path / "pennies.zermelo", changed())


@pytest.mark.parametrize("kind", [1, 2, 3])
def test_certificates_hold_strategies_that_are_read_again(kind, tmp_path):
    """Sets and bytes ended in a traceback; where the rules list a NamedTuple, an equal tuple is read as that."""
    solution = zermelo.solve(Pennies(kind))
    if kind == 3:
        with pytest.raises(OutOfReach, match=r"and not Bid\(side=<Side.HEADS"):
            solution.export_certificate(tmp_path / "one.cert")
        solution = zermelo.solve(Fields())
        solution.export_certificate(tmp_path / "one.cert")
        assert zermelo.verify(tmp_path / "one.cert", Fields()).verified
    else:
        with pytest.raises(OutOfReach, match="certificates hold strategies that are numbers, texts or tuples"):
            solution.export_certificate(tmp_path / "one.cert")


# --- simulated --------------------------------------------------------------------------------------------------------


def test_simulated_payoffs_are_guesses(thirteen):
    played = thirteen.simulate(100_000, seed=1)
    assert abs(played.z) < 4 and set(played.distribution) == {1, 2, 3, 4, 5}
    assert played.mean == thirteen.simulate(100_000, seed=1).mean != thirteen.simulate(100_000, seed=2).mean
    exact = Counter()
    for number, p in thirteen.row.items():
        for tree, q in thirteen.column.items():
            exact[guesses(tree)[number - 1]] += p * q
    for count, plays in played.distribution.items():
        assert abs(plays / 100_000 - float(exact[count])) < 0.01
    pennies = zermelo.solve(Pennies())
    assert set(pennies.simulate(1000).distribution) == {-1, 1}
    with pytest.raises(ParameterError, match="plays must be"):
        thirteen.simulate(0)


# --- tables and pictures ----------------------------------------------------------------------------------------------


def test_the_sawtooth_and_where_it_favours_alice():
    found = teeth(32)
    assert windows(found) == [range(1, 4), range(5, 8), range(11, 16), range(26, 32)]
    assert [t.stake for t in found[:8]] == [0, 1, 1, 2, 2, 2, 2, 3] and stake(100) == 6
    assert found[3].favours_alice is None  # four numbers, a stake of 2: fair
    exact = teeth(13, exact=True)
    assert all(a.low <= b.value <= a.high for a, b in zip(found, exact, strict=False))
    assert [t.families for t in exact[4:8]] == [(SECOND,), (SECOND,), (FIRST,), (FIRST,)]
    assert exact[12].families == (THIRD,) and exact[10].families == ()


def test_tables_of_binary_search(thirteen):
    table = views.sawtooth_table(zermelo.solve(BinarySearch(9)))
    assert table.rows[8][:2] == (9, "31/11") and table.rows[8][4] == "1"
    assert "favours Alice: 1-3, 5-7" in table.notes[0] and "weights 2, 1, ..., 1, 2" in table.notes[1]
    numbers = views.number_table(thirteen)
    assert numbers.rows[0][:2] == (1, "43/304") and {row[2] for row in numbers.rows} == {float(thirteen.value)}
    every_strategy = strategies.strategies(thirteen)
    assert len(every_strategy.rows) == len(thirteen.row) + len(thirteen.column)
    assert every_strategy.rows[13][3] == "7 3 1 2 5 4 6 11 9 8 10 13 12"


def test_trees_are_drawn_with_every_number_once(thirteen):
    chosen = views.distinct_trees(thirteen, 4)
    assert len({t for t, _, _ in chosen}) == len(chosen) == 4
    for tree, probability, images in chosen:
        mirror = preorder(guesses(tree)[::-1])
        assert probability == thirteen.column[tree] == thirteen.column[mirror] and images == 1 + (mirror != tree)
        above = views.parents(tree)
        depth = guesses(tree)
        assert set(above) == set(range(1, 14)) - {tree[0]}
        assert all(depth[child - 1] == depth[parent - 1] + 1 for child, parent in above.items())
    figure = views.trees_figure(thirteen)
    assert sorted({t.get_text() for t in figure.axes[1].texts}, key=int) == [str(i) for i in range(1, 14)]


def test_pictures_are_made(thirteen, tmp_path):
    from zermelo.views.plot import save

    small = zermelo.solve(BinarySearch(20))
    for k, figure in enumerate(
        (views.sawtooth_figure(small), views.numbers_figure(small), strategies.mixtures(thirteen))
    ):
        save(figure, tmp_path / f"{k}.png")
        assert (tmp_path / f"{k}.png").stat().st_size > 10_000
    single = views.trees_figure(zermelo.solve(BinarySearch(1)))
    assert [t.get_text() for t in single.axes[1].texts] == ["1"]


# --- played for money -------------------------------------------------------------------------------------------------


def expected_guesses(solution, low, high, first):
    """Bob's mean number of guesses from low..high if he guesses `first` and then plays the best of all trees."""
    weights = {i: solution.row.get(i, Fraction(0)) for i in range(low, high + 1)}

    def least(a, b):
        if a > b:
            return Fraction(0)
        trees = every(b - a + 1)
        return min(sum(weights[a + k] * d for k, d in enumerate(tree)) for tree in trees)

    total = sum(weights.values())
    return (total + least(low, first - 1) + least(first + 1, high)) / total


def test_what_a_guess_costs_is_what_all_trees_say():
    solution = zermelo.solve(BinarySearch(8))
    search = Search(solution)
    for low, high in ((1, 8), (3, 8), (2, 5), (6, 6)):
        search.low, search.high = low, high
        means = {g: expected_guesses(solution, low, high, g) for g in range(low, high + 1)}
        assert search.remaining() == min(means.values())
        assert {g: search.loss(g) for g in means} == {g: m - min(means.values()) for g, m in means.items()}
        assert means[search.best()] == min(means.values())


def test_guessing_against_alice(thirteen):
    session = Session(thirteen, BOB, seed=3)
    for _ in range(400):
        answer = ""
        while answer != "found":
            answer, loss = session.guess(session.search.best())
            assert loss == 0
    assert session.lost == 0 and len(session.rounds) == 400
    assert abs(session.account / 400 - float(session.expected)) < 0.2  # four standard errors
    assert session.expected == 3 - thirteen.value and session.account == -sum(r.alice for r in session.rounds)
    drawn = Counter(r.secret for r in session.rounds)
    assert set(drawn) == set(range(1, 14)) and drawn[1] > drawn[7]
    with pytest.raises(ParameterError, match="between 1 and 13, as you know"):
        session.guess(14)


def test_mistakes_of_the_guesser_are_counted(thirteen):
    session = Session(thirteen, BOB, seed=1)
    session.secret = 9
    answer, loss = session.guess(1)
    assert answer == "higher" and loss == Fraction(123, 304) and session.search.low == 2
    session.guess(9)
    assert session.rounds[0].guesses == (1, 9) and session.rounds[0].alice == 2 - 3 and session.lost >= loss


def test_hiding_from_bob(thirteen):
    session = Session(thirteen, ALICE, seed=5)
    for number in [*range(1, 14)] * 10:
        game = session.hide(number)
        assert game.guesses[-1] == number and game.cost == 0 and game.alice == len(game.guesses) - 3
    assert session.account == sum(r.alice for r in session.rounds)
    with pytest.raises(ParameterError, match="from 1 to 13"):
        session.hide(0)
    with pytest.raises(ParameterError, match="seat must be 1"):
        Session(thirteen, 2)


def test_where_hiding_is_a_mistake():
    """With 5 numbers Bob's mixture need not pay the value for all of them; what Alice loses is told."""
    solution = zermelo.solve(BinarySearch(5))
    session = Session(solution, ALICE, seed=1)
    for number in range(1, 6):
        assert session.hide(number).cost == solution.value - views.bob_pays(solution)[number] >= 0


def test_every_path_ends_at_the_number():
    for n in range(1, 8):
        for depths in every(n):
            tree = preorder(depths)
            for number in range(1, n + 1):
                steps = path(tree, number)
                assert steps[0] == tree[0] and steps[-1] == number and len(steps) == depths[number - 1]


def scripted(lines):
    rest = iter(lines)

    def read(prompt):
        try:
            return next(rest)
        except StopIteration:
            raise EOFError from None

    return read


def test_the_conversation(thirteen):
    said = []
    data = converse(thirteen, BOB, 1, scripted(["?", "a", "h", "x", "20", "2", "q"]), lambda text="": said.append(text))
    text = "\n".join(said)
    assert "You are Bob: she hides a number" in text and "Alice pays $3 for each game" in text
    assert "you lose $0.1908 a game" in text and "no game was finished" in text and "'x' is no number" in text
    assert "the number is between 1 and 13, as you know" in text and "not the best: this guess costs $" in text
    assert data["account"] == 0 and data["games"] == [] and "  lower" in said
    said.clear()
    data = converse(thirteen, ALICE, 1, scripted(["h", "7", "13"]), lambda text="": said.append(text))
    assert len(data["games"]) == 2 and data["player"] == "Alice" and "13 of 13 numbers are as good" in said[2]
    assert "2 games: " in said[-1]


def test_money_in_words():
    assert [money(x) for x in (2, -1, 0, Fraction(-10, 51))] == ["+$2", "-$1", "$0", "-$0.1961"]
    assert [won(x) for x in (2, Fraction(-10, 51))] == ["win $2", "lose $0.1961"]


# --- the command line -------------------------------------------------------------------------------------------------


def test_every_command_takes_a_game_of_hidden_choice(run, monkeypatch):  # noqa: F811
    code, out, err = run("solve", "binary-search", "--n", 9, "-o", "nine.zermelo")
    assert code == 0 and "saved to nine.zermelo" in out and not err
    assert "31/11" in run("solve", "nine.zermelo")[1]
    assert "guesses of Bob" in run("table", "nine.zermelo")[1]
    assert json.loads(run("table", "binary-search", "--n", 3, "--view", "strategies", "--json")[1])["strategies"]
    assert run("plot", "binary-search", "--n", 9, "--view", "trees", "-o", "trees.svg")[0] == 0
    assert json.loads(run("simulate", "nine.zermelo", "--plays", 1000, "--json")[1])["plays"] == 1000
    assert "computed value" in run("simulate", "binary-search", "--n", 9, "--plays", 1000)[1]
    lines = scripted(["5", "2", "1", "3", "4", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt="": lines(prompt))
    code, out, err = run("play", "binary-search", "--n", 5, "--seat", 2, "--seed", 1, "--json")
    assert code == 0 and json.loads(out)["player"] == "Bob" and "You are Bob" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("table", "binary-search", "--n", 5, "--fix", "n=3"), "no view of this game takes --fix"),
        (("table", "binary-search", "--n", 5, "--rows", "n"), "are about states, which binary-search does not have"),
        (("table", "binary-search", "--n", 5, "--view", "states"), "no view 'states' in binary-search"),
        (("play", "binary-search", "--n", 5, "--seat", 3), "the seat must be 1 (Alice, who hides) or 2"),
        (("simulate", "binary-search", "--max-states", 7), "given by best responses and takes no --max-states"),
    ],
)
def test_what_does_not_fit_is_refused(run, words, said):  # noqa: F811
    code, out, err = run(*words)
    assert code == 2 and not out and said in one_line(err)


def test_a_game_of_ones_own_is_played_and_drawn(run, tmp_path, monkeypatch):  # noqa: F811
    from test_binary_search import PENNIES

    file = tmp_path / "pennies.py"
    rules = PENNIES.replace("REPLY", "int(3 * weights.get(1, 0) < weights.get(0, 0))")
    file.write_text(rules + '\nPennies.title = lambda self: "Matching Pennies: two coins"\n')
    words = iter(["1", "q"])
    monkeypatch.setattr("builtins.input", lambda *_: next(words))
    code, out, err = run("play", f"{file}:Pennies")
    assert code == 0 and out.startswith("Matching Pennies: you are the row player") and "1 game:" in out
    assert run("plot", f"{file}:Pennies", "-o", "pennies.png")[0] == 0
