"""Names and texts of a game that printing could take for something else, and numbers that JSON could round away, on the command line."""

import json
from fractions import Fraction

import pytest

from zermelo.cli import main
from zermelo.games.named import find
from zermelo.serve import positions
from zermelo.solving import solve

pytestmark = pytest.mark.usefixtures("in_python")
GAMES = '''
from enum import Enum
from fractions import Fraction
from typing import Annotated, NamedTuple


class S(NamedTuple):
    x: int


class Draw(NamedTuple):
    """A third, in one draw."""
    n: Annotated[int, "between [/x] and [red]", range(9)] = 1
    payoffs = ("wins [/x]", "a[red]b :x:")

    def start(self):
        return S(self.n)

    def outcomes(self, s):
        if s.x:
            yield 1, (1, 0), S(0)
            yield 2, (0, 1), S(0)


class Choice(NamedTuple):
    """Actions without names of their own."""

    def start(self):
        return S(1)

    def actions(self, s):
        if s.x:
            yield 1
            yield 2

    def outcomes(self, s, a):
        yield 1, a, S(0)
        yield 2, -a, S(0)

    def action_name(self, a):
        return ""


class Kind(Enum):
    LOW = 1


class Pick(NamedTuple):
    """Whoever names the same strategy wins as column player."""

    def rows(self):
        yield frozenset({2, 1})
        yield Kind.LOW
        yield b"x"

    def columns(self):
        yield from self.rows()

    def payoff(self, row, column):
        return 0 if row == column else 1

    def best_row(self, weights):
        return max(self.rows(), key=lambda row: sum(w * self.payoff(row, column) for column, w in weights.items()))

    def players(self):
        return "[/one]", "two [red]"


class Seen(NamedTuple):
    at: int
    first: int


class Guess(NamedTuple):
    """The second player guesses which of two actions of the same name the first one took."""

    def start(self):
        return Seen(0, 0)

    def player(self, s):
        return s.at

    def actions(self, s):
        if s.at < 2:
            yield 1
            yield 2

    def outcomes(self, s, a):
        if s.at == 0:
            yield 1, 0, Seen(1, a)
        else:
            yield 1, int(a != s.first), Seen(2, 0)

    def sees(self, s, player):
        yield s.at

    def action_name(self, a):
        return "move"
'''


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("odd") / "a[/b]" / "odd_names.py"
    path.parent.mkdir(parents=True)
    path.write_text(GAMES)
    return path


@pytest.fixture
def run(file, capsys, monkeypatch):
    """Run a command about a game of the file, without an error: what is printed."""
    monkeypatch.setenv("COLUMNS", "200")

    def call(command, game, *words):
        assert main([command, f"{file}:{game}", *words]) == 0
        return capsys.readouterr().out

    return call


def test_brackets_in_names_are_printed_as_they_are(run, file):
    assert "between [/x] and [red]" in run("solve", "Draw", "--help")
    assert f"Views of {file}:Draw" in run("table", "Draw", "--help")
    assert "a[/b]" in run("table", "Draw").rpartition("zermelo table")[2]
    simulated = run("simulate", "Draw", "--plays", "20")
    assert "\nwins [/x]:\n" in simulated and "\na[red]b :x: " in simulated
    mixed = run("solve", "Pick")
    assert "\n[/one], 3 strategies" in mixed and "\ntwo [red], 3 strategies" in mixed


def test_strategies_of_any_type_are_written_in_json(run):
    for words in (("solve", "Pick", "--json"), ("table", "Pick", "--json")):
        found = json.loads(run(*words))["strategies"]
        own = found["[/one]"] if isinstance(found, dict) else found[:3]
        assert sorted(map(str, (s["strategy"] for s in own))) == ["LOW", "[1, 2]", "b'x'"]


def test_json_has_intervals_that_contain_a_fraction(run, file):
    told = json.loads(run("solve", "Draw", "--exact", "--json"))
    assert told["exact"] == "1/3"
    for found in (told, told["certificate"], told["payoffs"]["wins [/x]"]):
        assert Fraction(found["low"]) < Fraction(1, 3) < Fraction(found["high"])
    for at, action in enumerate(json.loads(run("solve", "Choice", "--exact", "--json"))["start"]["actions"], 1):
        assert Fraction(action["low"]) < Fraction(-at, 3) < Fraction(action["high"])
    mixed = json.loads(run("solve", "Pick", "--json"))
    assert Fraction(mixed["low"]) < Fraction(2, 3) < Fraction(mixed["high"])
    solution = solve(find(f"{file}:Choice").game({}), exact=True)
    for action in positions.position(solution, solution.rules.start)["actions"]:
        assert Fraction(action["low"]) < Fraction(action["exact"]) < Fraction(action["high"])


def test_actions_of_one_name_are_told_apart(run, file):
    assert run("solve", "Guess").count("move (1): 1/2, move (2): 1/2") == 2
    strategies = json.loads(run("solve", "Guess", "--json"))["strategies"]
    assert [a["action"] for a in strategies[0][0]["actions"]] == ["move (1)", "move (2)"]
    start = json.loads(run("solve", "Choice", "--json"))["start"]
    assert start["best action"] == "(1)" and [a["action"] for a in start["actions"]] == ["(1)", "(2)"]
    solution = solve(find(f"{file}:Choice").game({}))
    assert [a["name"] for a in positions.position(solution, solution.rules.start)["actions"]] == ["(1)", "(2)"]


@pytest.mark.parametrize(("game", "kept", "name"), [("Choice", "steps", "(1)"), ("Guess", "decisions", "move (1)")])
def test_moves_of_a_play_are_told_apart(game, kept, name, run, monkeypatch):
    typed = iter("1q")
    monkeypatch.setattr("builtins.input", lambda prompt="": next(typed))
    assert json.loads(run("play", game, "--json"))[kept][0]["action"] == name


@pytest.mark.parametrize("number", ["--5", "²", "9" * 5000, "1_0"])
def test_a_field_is_fixed_at_a_number(number, file, capsys):
    assert main(["table", f"{file}:Draw", "--fix", f"x={number}"]) == 2
    assert capsys.readouterr().err.startswith("zermelo: --fix takes a field of the state and its number, NAME=NUMBER, not ")
