"""Files of Gambit, in and out. Values are compared with pygambit's linear program where it is installed (the extra `bench`), and with
values known by hand."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo
from zermelo.basics.notices import Notice
from zermelo.basics.words import game_in_words
from zermelo.cli import main
from zermelo.errors import FileError, OutOfReach, ParameterError, RulesError, ZermeloError
from zermelo.foreign.gambit import Reader, text_of_gambit
from zermelo.games import BinarySearch, Inspection, KuhnPoker, Pig
from zermelo.kernels.kernel import only
from zermelo.storage.game import TRANSLATED

POKER = """EFG 2 R "A bluff" { "Fred" "Alice" }
"one card, one bet; Alice does not see it"

c "" 1 "the deal" { "Red" 1/2 "Black" .5 } 0
p "" 1 1 "red" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 1 "Big win" { 2, -2 }
t "" 2 "Win" { 1 -1 }
t "" 2
p "" 1 2 "black" { "Raise" "Fold" } 0
p "" 2 1 0
t "" 3 "Big loss" { -2, 2 }
t "" 2
t "" 4 "Loss" { -1, 1 }
"""
PENNIES = 'NFG 1 R "Pennies" { "A" "B" }\n{ { "H" "T" } { "H" "T" } }\n"even or odd"\n\n1 -1 -1 1 -1 1 1/3 -1/3\n'


@pytest.fixture(autouse=True)
def interpreted() -> Iterator[None]:
    with only("interpreted"):
        yield


def theirs(text: str) -> Fraction:
    """What pygambit says that the first player gets."""
    pygambit = pytest.importorskip("pygambit")
    reads = pygambit.read_efg if text.startswith("EFG") else pygambit.read_nfg
    game = reads(io.BytesIO(text.encode()))
    found = pygambit.nash.lp_solve(game).equilibria[0]
    return Fraction(found.payoff(next(iter(game.players)).label))


# --- in ---------------------------------------------------------------------------------------------------------------


def test_a_bluff() -> None:
    solution = zermelo.solve(zermelo.from_gambit(POKER))
    assert solution.value == Fraction(1, 3) and solution.certificate.kind == "proof"
    assert solution.policy(0)[2,] == {0: Fraction(1, 3), 1: Fraction(2, 3)}  # raises a third of the time with black
    assert [solution.rules.action_name(a) for a in (0, 1, 2, 3, -1)] == ["Raise", "Fold", "Meet", "Pass", "chance"]
    assert theirs(POKER) == solution.value


def test_without_information_sets_everything_is_seen() -> None:
    text = 'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 p "" 2 1 "" { "l" "r" } 1 "" { 10 0 } t "" 2 "" { 0 10 } t "" 3 "" { 5 5 } '
    text += 't "" 4 "" { 4, 6 }'
    with pytest.raises(OutOfReach, match="after l, l both get 20 in all, after r 10"):
        zermelo.from_gambit(text)
    solution = zermelo.solve(zermelo.from_gambit(text.replace("{ 10 0 }", "{ 10 -10 }")), exact=True)
    assert solution.value == 10 and not solution.rules.is_hidden  # what is paid on the way counts
    assert solution.rules.action_name(solution.best_action(solution.rules.start)) == "l"


def test_one_player() -> None:
    text = 'EFG 2 R "Alone" { "A" } c "" 1 "" { "x" 1/3 "y" 2/3 } 0 p "" 1 1 "" { "1" "2" } 0 t "" 1 "" { 3 } t "" 2 "" { 6 } t "" 1'
    assert zermelo.solve(zermelo.from_gambit(text), exact=True).value == 4


def test_a_strategic_game_is_a_matrix_game() -> None:
    solution = zermelo.solve(zermelo.from_gambit(PENNIES))
    assert solution.value == theirs(PENNIES) == zermelo.matrix_game([[1, -1], [-1, Fraction(1, 3)]]).value
    assert solution.players == ("A", "B") and solution.shown(0, 1) == "T"
    outcomes = 'NFG 1 R "" { "A" "B" } { 2 2 } { { "a" 1 -1 } { "b" -1, 1 } } 1 2 2 1'
    assert zermelo.solve(zermelo.from_gambit(outcomes)).value == 0
    assert zermelo.solve(zermelo.from_gambit('NFG 1 R "" { "A" "B" } { 2 3 } 1 9 2 8 3 7 4 6 5 5 6 4')).value == 2  # rows vary fastest


def test_payoffs_that_no_float_is_are_exact_and_told() -> None:
    """7/3 is paid as 2 or 3 with that mean, so that values are those of whole numbers: all payoffs three times as large."""
    text = POKER.replace("{ 2, -2 }", "{ 7/3, -7/3 }").replace("{ -2, 2 }", "{ -13/6, 13/6 }")
    tripled = POKER.replace("{ 2, -2 }", "{ 14, -14 }").replace("{ -2, 2 }", "{ -13, 13 }")
    tripled = tripled.replace("{ 1 -1 }", "{ 6 -6 }").replace("{ -1, 1 }", "{ -6, 6 }")
    with pytest.warns(Notice, match="the text: a payoff that is no short decimal, such as 7/3, is paid as 2 or 3 with the mean 7/3"):
        solution = zermelo.solve(zermelo.from_gambit(text))
    assert solution.certificate.kind == "proof" and 6 * solution.value == zermelo.solve(zermelo.from_gambit(tripled)).value


def test_payoffs_of_chance_and_of_what_is_seen_are_exact() -> None:
    text = 'EFG 2 R "Alone" { "A" } c "" 1 "" { "x" 1/3 "y" 2/3 } 0 p "" 1 1 "" { "1" "2" } 0 t "" 1 "" { 1/7 } '
    text += 't "" 2 "" { -2/7 } t "" 3 "" { 0.1 }'
    with pytest.warns(Notice, match="such as 1/7"):
        game = zermelo.from_gambit(text)
    assert zermelo.solve(game, exact=True).value == Fraction(1, 21) + Fraction(1, 15)


def test_what_is_rounded_is_told() -> None:
    assert "1/3 of a game without moves is rounded" in text_of_gambit('EFG 2 R "" { "A" } t "" 1 "" { 1/3 }', "it").notes[0]
    fine = f'EFG 2 R "" {{ "A" }} c "" 1 "" {{ "x" 1/{3**40} "y" {3**40 - 1}/{3**40} }} 0 t "" 1 "" {{ 1 }} t "" 2 "" {{ 0 }}'
    assert "probabilities whose common denominator" in text_of_gambit(fine, "it").notes[0]
    assert text_of_gambit(POKER, "it").notes == ()


BROKEN = (
    ('EFG 2 R "x" { "A" "B" ', "a text in quotes should stand here, and not the end"),
    ("EFG 3 R", "2 should stand here, and not 3"),
    ("hello", "files of Gambit begin"),
    (POKER.replace('t "" 4 "Loss" { -1, 1 }', ""), "it ends too early"),
    (POKER + 't "" 2', "the tree is complete"),
    (POKER.replace("{ 2, -2 }", "{ 2 }"), "line 7: 1 payoff for 2 players"),
    (POKER.replace("1/2", "-1/2").replace(".5", "3/2"), "line 4: a probability is negative: -1/2"),
    (POKER.replace("{ 2, -2 }", "{ two, -2 }"), "line 7: two is no number"),
    (POKER.replace("1/2", "1/0"), "line 4: 1/0 is no number"),
    (POKER.replace(".5", ".6"), "sum to 11/10, not to 1"),
    (POKER.replace('p "" 1 1', 'p "" 3 1'), "there is no player 3"),
    (POKER.replace('p "" 2 1 0', 'p "" 2 7 0'), "the actions of an information set are missing"),
    (POKER.replace('t "" 2\np', 't "" 9\np'), "what outcome 9 pays is missing"),
    (POKER.replace('p "" 2 1 0', 'p "" 2 1 "" { "a" "b" } 0'), "other actions here than before"),
    (POKER.replace('"Alice" }', '"Alice }'), "a text in quotes"),
    (PENNIES + " 7", "all payoffs are there"),
    (PENNIES.replace("1/3 -1/3", "1/3"), "it ends too early"),
)


@pytest.mark.parametrize("text, said", BROKEN)
def test_what_can_not_be_read_is_told_with_its_line(text: str, said: str) -> None:
    with pytest.raises(FileError) as error:
        text_of_gambit(text, "file.efg")
    assert (said in str(error.value) or said == "files of Gambit begin") and "\n" not in str(error.value)
    assert "line " in str(error.value)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_damaged_files_are_refused_in_one_line(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([POKER, PENNIES]))
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, min(start + 6, len(text))))
    damaged = text[:start] + data.draw(st.sampled_from(["", "{", "}", '"', "1", "-", "x", "1/2 "])) + text[end:]
    try:
        text_of_gambit(damaged, "it")
    except ZermeloError as error:
        assert "\n" not in str(error)


def test_a_file_without_a_name_is_refused() -> None:
    with pytest.raises(ParameterError, match="from_gambit takes the path of a file, .*, not ''"):
        zermelo.from_gambit("")


def test_games_that_are_refused() -> None:
    with pytest.raises(OutOfReach, match="is for 3 players"):
        zermelo.from_gambit('EFG 2 R "" { "A" "B" "C" } t "" 0')
    with pytest.raises(OutOfReach, match="general-sum"):
        zermelo.from_gambit('NFG 1 R "Dilemma" { "A" "B" } { 2 2 } 3 3 5 0 0 5 1 1')
    with pytest.raises(FileError, match="can't read"):
        zermelo.from_gambit("there/is/none.efg")
    absent = 'EFG 2 R "" { "A" "B" } p "" 1 1 "" { "l" "r" } 0 p "" 1 1 0 t "" 1 "" { 1 -1 } t "" 2 "" { 0 0 } t "" 2'
    with pytest.raises(RulesError, match="must yield everything that he remembers"):
        zermelo.solve(zermelo.from_gambit(absent))


def test_numbers() -> None:
    words = {"3": 3, "-.5": Fraction(-1, 2), "1e-3": Fraction(1, 1000), "+2/4": Fraction(1, 2), "12.80": Fraction(64, 5), "7.": 7}
    for text, number in words.items():
        assert Reader(text, "").number() == number
    for text in ("nan", "1e999", "0x1", "1//2", "1/2/3", "--1", "e5"):
        with pytest.raises(FileError):
            Reader(text, "").number()


# --- out --------------------------------------------------------------------------------------------------------------


class Pile(NamedTuple):
    left: int


class Paying(NamedTuple):
    """Take one or two, which is paid at once; then the other moves."""

    matches: int = 5

    def start(self) -> Pile:
        return Pile(self.matches)

    def actions(self, s: Pile) -> Any:
        for take in range(1, min(2, s.left) + 1):  # noqa: UP028
            yield take

    def outcomes(self, s: Pile, take: int) -> Any:
        yield 1, take, Pile(s.left - take), -1
        if s.left > take:
            yield 0.5, 0.25, Pile(s.left - take - 1)


@pytest.mark.parametrize("game", [KuhnPoker(), Paying(), Inspection()], ids=lambda g: type(g).__name__)
def test_what_is_written_has_the_same_value_there_and_back(game: Any) -> None:
    text = zermelo.to_gambit(game)
    solution = zermelo.solve(game, exact=True)
    assert zermelo.solve(zermelo.from_gambit(text), exact=True).value == solution.value
    assert theirs(text) == solution.value


class Rows(NamedTuple):
    """A matrix with texts that need care: all its strategies are listed, and no best responses are declared."""

    def rows(self) -> Any:
        return range(2)

    def columns(self) -> Any:
        return range(3)

    def payoff(self, row: int, column: int) -> int:
        return ((4, -1, 2), (0, 3, 1))[row][column]

    def unit(self) -> Fraction:
        return Fraction(1, 3)

    def show_row(self, row: int) -> str:
        return 'the "first"' if row == 0 else "back\\slash"


def test_a_matrix_game_is_an_nfg() -> None:
    text = zermelo.to_gambit(Rows())
    back = zermelo.solve(zermelo.from_gambit(text))
    assert back.value == zermelo.matrix_game([[4, -1, 2], [0, 3, 1]]).value / 3 == theirs(text)
    assert [back.shown(0, k) for k in (0, 1)] == ['the "first"', "back\\slash"]


def test_what_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutOfReach, match="more than 500 nodes"):
        zermelo.to_gambit(Pig(goal=5), max_nodes=500)
    with pytest.raises(FileError, match="can't write"):
        zermelo.to_gambit(KuhnPoker(), tmp_path / "none" / "kuhn.efg")
    assert not list(tmp_path.iterdir())


class Hidden(NamedTuple):
    """One of four places, searched in an order: all 24 are found by best responses, and one is listed."""

    def rows(self) -> Any:
        return range(4)

    def columns(self) -> Any:
        yield 0, 1, 2, 3

    def payoff(self, row: int, column: tuple[int, ...]) -> int:
        return column.index(row) + 1

    def best_column(self, weights: Any) -> tuple[int, ...]:
        return tuple(sorted(range(4), key=lambda i: -weights.get(i, 0)))


class Sought(NamedTuple):
    """The same from the other side; the payoffs change signs."""

    def rows(self) -> Any:
        yield 0, 1, 2, 3

    def columns(self) -> Any:
        return range(4)

    def payoff(self, row: tuple[int, ...], column: int) -> int:
        return -row.index(column) - 1

    def best_row(self, weights: Any) -> tuple[int, ...]:
        return tuple(sorted(range(4), key=lambda i: -weights.get(i, 0)))


@pytest.mark.parametrize("game", [Hidden(), Sought(), BinarySearch(3)], ids=lambda g: type(g).__name__)
def test_a_game_given_by_best_responses_is_refused(game: Any, tmp_path: Path, capsys: Any) -> None:
    """The listed strategies were written as if they were all: Hidden is worth 5/2, and the file said 4."""
    for path in (tmp_path / "g.nfg", tmp_path / "g.efg", None):
        with pytest.raises(OutOfReach, match=f"{type(game).__name__}: `best_.*` may find strategies that"):
            zermelo.to_gambit(game, path)
    for end in ("nfg", "efg"):
        code, shown = said(capsys, "translate", "binary-search", "-o", tmp_path / f"b.{end}")
        assert code == 2 and "BinarySearch: `best_" in shown and shown.count("\n") == 1
    assert not list(tmp_path.iterdir())
    assert isinstance(game, BinarySearch) or abs(zermelo.solve(game).value) == Fraction(5, 2)


def test_the_name_of_a_file_has_the_end_of_its_kind(tmp_path: Path) -> None:
    """The text of a matrix was written into an .efg, which could not be read back."""
    matrix, poker = zermelo.matrix_game([[1, 2], [3, 0]]).game, KuhnPoker()
    for game, name, end in ((matrix, "m.efg", ".nfg"), (matrix, "m", ".nfg"), (poker, "k.nfg", ".efg"), (poker, "k.txt", ".efg")):
        with pytest.raises(ParameterError, match=f"{name}: .* is written to a file that ends in {end}"):
            zermelo.to_gambit(game, tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_a_game_of_pygambit_is_taken_as_it_is() -> None:
    pygambit = pytest.importorskip("pygambit")
    assert zermelo.solve(zermelo.from_gambit(pygambit.read_efg(io.BytesIO(POKER.encode())))).value == Fraction(1, 3)
    table = [[3, -1], [-2, 4]]
    game = pygambit.Game.from_arrays(table, [[-x for x in row] for row in table])
    assert zermelo.solve(zermelo.from_gambit(game)).value == zermelo.matrix_game(table).value


# --- on the command line ----------------------------------------------------------------------------------------------


def said(capsys: Any, *words: Any) -> tuple[int, str]:
    code = main([str(w) for w in words]) or 0
    shown = capsys.readouterr()
    return code, shown.out + shown.err


def test_files_are_games_on_the_command_line(capsys: Any, tmp_path: Path) -> None:
    (tmp_path / "bluff.efg").write_text(POKER)
    (tmp_path / "pennies.nfg").write_text(PENNIES)
    code, shown = said(capsys, "solve", tmp_path / "bluff.efg")
    assert code == 0 and "1/3" in shown
    code, shown = said(capsys, "solve", tmp_path / "pennies.nfg")
    assert code == 0 and "value" in shown
    code, shown = said(capsys, "translate", tmp_path / "bluff.efg", "-o", tmp_path / "bluff.py")
    assert code == 0 and "ABluff" in shown
    assert said(capsys, "solve", f"{tmp_path / 'bluff.py'}:ABluff")[0] == 0
    assert said(capsys, "solve", tmp_path / "bluff.efg", "--property", "F x")[0] == 2
    assert said(capsys, "solve", tmp_path / "none.efg")[0] == 2
    assert said(capsys, "check", tmp_path / "bluff.efg")[0] == 0


def test_what_was_saved_names_the_file_of_the_game(capsys: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was a Python file that does not exist."""
    monkeypatch.chdir(tmp_path)

    def forget() -> None:
        for module in [name for name in sys.modules if TRANSLATED.fullmatch(name)]:
            monkeypatch.delitem(sys.modules, module)

    for text, name, title in ((POKER, "bluff.efg", "ABluff"), (PENNIES, "pennies.nfg", "")):
        Path(name).write_text(text)
        assert said(capsys, "solve", name, "-o", "saved.zermelo", "--certificate", "certificate")[0] == 0
        forget()
        code, shown = said(capsys, "simulate", "saved.zermelo")
        assert code == 2 and f"zermelo.open('saved.zermelo', zermelo.from_gambit('{name}')), or --rules {name} on the command line" in shown
        assert said(capsys, "solve", "saved.zermelo", "--rules", name)[0] == 0
        assert zermelo.open("saved.zermelo", zermelo.from_gambit(name)).value == zermelo.solve(zermelo.from_gambit(name)).value
        code, shown = said(capsys, "verify", "certificate")
        assert code == 2 and f"say where its rules are, as {name}" in shown and title in shown
        assert said(capsys, "verify", "certificate", name)[0] == 0
    zermelo.solve(zermelo.from_gambit(POKER)).save("text.zermelo")
    forget()
    code, shown = said(capsys, "simulate", "text.zermelo")
    assert code == 2 and "zermelo.open('text.zermelo', GAME), with the game that was read" in shown


def test_games_are_written_on_the_command_line(capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "kuhn.efg"
    assert said(capsys, "translate", "kuhn-poker", "-o", out)[0] == 0
    assert said(capsys, "translate", "kuhn-poker", "-o", out, "--json") == (0, json.dumps({"file": str(out)}, indent=1) + "\n")
    assert zermelo.solve(zermelo.from_gambit(out)).value == Fraction(-1, 18)
    for words in (("kuhn-poker", "-o", tmp_path / "kuhn.nfg"), ("kuhn-poker", "-o", tmp_path / "kuhn.txt"), ("no-such-game", "-o", out)):
        code, shown = said(capsys, "translate", *words)
        assert code == 2, shown
    assert [p.name for p in tmp_path.iterdir()] == ["kuhn.efg"]
    assert out.read_bytes().startswith(b"EFG 2 R")


@pytest.mark.parametrize("words", [("--const", "cards=4"), ("--property", "F x"), ("--never",)], ids=lambda w: w[0])
def test_options_of_models_are_refused_for_a_game(words: Any, capsys: Any, tmp_path: Path) -> None:
    """The file was written, of the game with the usual parameters."""
    code, shown = said(capsys, "translate", "kuhn-poker", *words, "-o", tmp_path / "kuhn.efg")
    assert code == 2 and "for models" in shown and shown.count("\n") == 1 and not list(tmp_path.iterdir())


def test_a_game_is_written_with_its_parameters(capsys: Any, tmp_path: Path) -> None:
    out = tmp_path / "kuhn.efg"
    assert said(capsys, "translate", "kuhn-poker", "--cards", 4, "-o", out) == (0, f"{out}: written\n")
    assert zermelo.solve(zermelo.from_gambit(out)).value == zermelo.solve("kuhn-poker", cards=4).value
    code, shown = said(capsys, "translate", "kuhn-poker", "--cards", 1, "-o", out)
    assert code == 2 and "--cards must be" in shown
    (tmp_path / "walk.prism").write_text("mdp\nconst int N;\nmodule m\n x : [0..N];\n [] x<N -> (x'=x+1);\nendmodule\n")
    model, asked = tmp_path / "walk.prism", ("--property", "Pmax=? [ F x=N ]")
    code, shown = said(capsys, "translate", model, *asked, "-o", out)
    assert code == 2 and "needs --N" in shown
    assert said(capsys, "translate", model, *asked, "--N", 3, "-o", tmp_path / "walk.py")[0] == 2


HOSTILE = (
    'x"""\nimport sys; sys.pwned = 1\n"""', '"""', '\nimport sys; sys.pwned = 1  # """', "a\\", "''' + str(1) + '''", "a\u2028b", "a\x00b",
    "{0}",
)  # fmt: skip


@pytest.mark.parametrize("title", HOSTILE)
def test_titles_and_names_are_no_code(title: str) -> None:
    """They stand in docstrings of the rules; a quote at the end of one left it open, so that the next was code."""
    word = '"' + title.replace("\\", "\\\\").replace('"', '\\"') + '"'
    tree = f'EFG 2 R {word} {{ {word} "B" }}\np "" 1 1 {word} {{ {word} "F" }} 0\nt "" 1 {word} {{ 2, -2 }}\nt "" 2 "W" {{ 1, -1 }}\n'
    assert zermelo.solve(zermelo.from_gambit(tree)).value == 2
    table = f'NFG 1 R {word} {{ {word} "B" }} {{ 2 1 }}\n2 -2 1 -1\n'
    assert zermelo.solve(zermelo.from_gambit(table)).value == 2
    assert not hasattr(sys, "pwned")


def test_a_matrix_is_written(tmp_path):
    """`zermelo.matrix_game(...).game` was refused, as it is no NamedTuple."""
    path = tmp_path / "matrix.nfg"
    solution = zermelo.matrix_game([[0, -1, 2], [1, 0, Fraction(-1, 3)], [-2, 1, 0]])
    zermelo.to_gambit(solution.game, path)
    assert zermelo.solve(str(path)).value == solution.value
    for asked, said in ((solution, "give solution.game"), (zermelo.solve("pig", goal=3), "give solution.game"), ("pig", "is a name")):
        for name in (None, tmp_path / "game.nfg", tmp_path / "game.efg"):  # it was said that the name had the wrong end
            with pytest.raises(ZermeloError, match=said):
                zermelo.to_gambit(asked, name)


def test_a_game_is_called_what_its_file_calls_it(tmp_path):
    tree = 'p "" 1 1 "" { "x" "y" } 0\nt "" 1 "" { 1, -1 }\nt "" 2 "" { 0, 0 }\n'
    (tmp_path / "g.efg").write_text(f'EFG 2 R "A simple \'poker\': one card" {{ "A" "B" }}\n{tree}')
    (tmp_path / "m.nfg").write_text('NFG 1 R "Matching pennies!" { "A" "B" } { 2 2 }\n\n1 -1 -1 1 -1 1 1 -1\n')
    assert game_in_words(zermelo.solve(str(tmp_path / "g.efg")).game) == "A simple 'poker': one card"
    assert game_in_words(zermelo.solve(str(tmp_path / "m.nfg")).game) == "Matching pennies!"
