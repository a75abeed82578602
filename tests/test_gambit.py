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
from zermelo.errors import FileError, OutOfReach, ParameterError, ZermeloError
from zermelo.foreign.gambit import Reader, text_of_gambit
from zermelo.games import BinarySearch, CardDraw, Inspection, KuhnPoker, Pig
from zermelo.games.named import find
from zermelo.kernels.kernel import only
from zermelo.serve.shelf import Sheet
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


def test_large_and_tiny_payoffs_of_a_strategic_game(tmp_path: Path) -> None:
    """In whole numbers of their common unit, 5 was said to be "too large: payoffs are at most 1e100"."""
    path = tmp_path / "game.nfg"
    path.write_text('NFG 1 R "" { "A" "B" } { 2 2 }\n5 -5 1e-120 -1e-120 0 0 1/3 -1/3\n')
    solution = zermelo.solve(str(path))
    tiny = Fraction(1, 10**120)
    assert solution.value == Fraction(5, 3) / (5 + Fraction(1, 3) - tiny)
    zermelo.to_gambit(solution.game, str(path))
    assert zermelo.solve(str(path)).value == solution.value


def test_payoffs_that_no_float_is_are_exact_and_told() -> None:
    """7/3 is paid as 2 or 3 with that mean, so that values are those of whole numbers: all payoffs three times as large."""
    text = POKER.replace("{ 2, -2 }", "{ 7/3, -7/3 }").replace("{ -2, 2 }", "{ -13/6, 13/6 }")
    tripled = POKER.replace("{ 2, -2 }", "{ 14, -14 }").replace("{ -2, 2 }", "{ -13, 13 }")
    tripled = tripled.replace("{ 1 -1 }", "{ 6 -6 }").replace("{ -1, 1 }", "{ -6, 6 }")
    with pytest.warns(Notice, match="the text: a payoff that is not a short decimal, such as 7/3, is paid as 2 or 3 with the mean 7/3"):
        solution = zermelo.solve(zermelo.from_gambit(text))
    assert solution.certificate.kind == "proof" and 6 * solution.value == zermelo.solve(zermelo.from_gambit(tripled)).value


def test_payoffs_of_chance_and_of_what_is_seen_are_exact() -> None:
    text = 'EFG 2 R "Alone" { "A" } c "" 1 "" { "x" 1/3 "y" 2/3 } 0 p "" 1 1 "" { "1" "2" } 0 t "" 1 "" { 1/7 } '
    text += 't "" 2 "" { -2/7 } t "" 3 "" { 0.1 }'
    with pytest.warns(Notice, match="such as 1/7"):
        game = zermelo.from_gambit(text)
    assert zermelo.solve(game, exact=True).value == Fraction(1, 21) + Fraction(1, 15)


@pytest.mark.filterwarnings("ignore::zermelo.basics.notices.Notice")
@pytest.mark.parametrize("second, value", [(1, Fraction(1, 3)), (2, 0)], ids=["hidden", "seen"])
@pytest.mark.parametrize("paid", ["1/3", "-1/7", "0.1", "5"])
def test_a_payoff_of_the_root_is_paid_by_its_moves(paid: str, second: int, value: Fraction) -> None:
    """A fraction was rounded, as if the game had no moves: the notice said so, and nothing was proven or exact."""
    text = f'EFG 2 R "" {{ "A" "B" }} p "" 1 1 "" {{ "l" "r" }} 1 "gift" {{ {paid}, {-Fraction(paid)} }} '
    text += 'p "" 2 1 "" { "L" "R" } 0 t "" 2 "w" { 1, -1 } t "" 3 "x" { 0, 0 } '
    text += f'p "" 2 {second} "" {{ "L" "R" }} 4 "y" {{ -1, 1 }} t "" 3 t "" 5 "z" {{ 2, -2 }}'
    notes = text_of_gambit(text, "it").notes
    assert all("is paid as" in note for note in notes) and len(notes) == ("/" in paid)
    solution = zermelo.solve(zermelo.from_gambit(text), exact=True)
    assert solution.value == Fraction(paid) + value and (second == 2 or solution.certificate.kind == "proof")


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
    (POKER.replace("{ 2, -2 }", f"{{ {10**4000}, -2 }}"), f"line 7: 1{'0' * 39}... is no number below 1e100"),
    (POKER.replace(".5", ".6"), "sum to 11/10, not to 1"),
    (POKER.replace('p "" 1 1', 'p "" 3 1'), "there is no player 3"),
    (POKER.replace('p "" 2 1 0', 'p "" 2 7 0'), "the actions of an information set are missing"),
    (POKER.replace('t "" 2\np', 't "" 0 { 9, -9 }\np'), "line 9: outcome 0 pays nothing, and here it pays 9, -9"),  # they were not counted
    (POKER.replace('p "" 2 1 0', 'p "" 2 1 0 "x" { 9, -9 }'), "line 11: outcome 0 pays nothing"),
    (POKER.replace('t "" 2\np', 't "" 2 { 1, -2 }\np'), "line 9: outcome 2 pays something else"),
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


TWO = 'EFG 2 R "" { "Ann" "Bob" } '
LAST = "the last choice before the first of them is"
ENDS = 't "" 1 "w" { 1 -1 } t "" 2 "x" { 0 0 }', 't "" 2 t "" 1'
FORGETFUL = (
    (
        TWO + f'p "" 1 1 "" {{ "l" "r" }} 0 p "" 1 1 0 {ENDS[0]} t "" 2',
        f"1 has the nodes (start) and (l); {LAST} none, before the second l in information set 1",
    ),
    (
        TWO + f'p "" 1 1 "" {{ "l" "r" }} 0 p "" 1 2 "" {{ "L" "R" }} 0 {ENDS[0]} p "" 1 2 0 {ENDS[1]}',
        f"2 has the nodes (l) and (r); {LAST} l in information set 1, before the second r in information set 1",
    ),
    (
        TWO.replace("Ann", "") + f'p "" 1 1 "" {{ "l" "r" }} 0 p "" 1 2 "" {{ "L" "R" }} 0 {ENDS[0]} p "" 1 2 0 {ENDS[1]}',
        "player 1 does not remember",
    ),
    (
        TWO + f'p "" 2 3 "" {{ "l" "r" }} 0 p "" 2 2 "" {{ "L" "R" }} 0 {ENDS[0]} p "" 1 1 "" {{ "l" "r" }} 0 p "" 2 2 0 {ENDS[1]} t "" 1',
        "Bob does not remember all own choices",
    ),
)


@pytest.mark.parametrize("text, said", FORGETFUL)
def test_a_player_who_does_not_remember_is_told_in_the_words_of_the_file(text: str, said: str) -> None:
    """The message was about the rules that the file had been translated to, and about `sees`."""
    with pytest.raises(OutOfReach, match="the text: .* does not remember all own choices, and only games of perfect recall are") as error:
        zermelo.from_gambit(text)
    assert said in str(error.value) and "`" not in str(error.value)


CHANCES = 'c "" 1 "" { "a" %s "b" %s } 0 '
REMEMBERED = (  # the only action of a node is no choice, and what never happens need not be remembered
    (CHANCES % ("1/2", "1/2") + f'p "" 1 1 "" {{ "only" }} 0 p "" 1 2 "" {{ "L" "R" }} 0 {ENDS[0]} p "" 1 2 0 {ENDS[1]}', Fraction(1, 2)),
    (CHANCES % (1, 0) + f'p "" 1 1 "" {{ "l" "r" }} 0 p "" 1 2 "" {{ "L" "R" }} 0 {ENDS[0]} t "" 2 p "" 1 2 0 {ENDS[1]}', 1),
    ('p "" 1 1 "" { "only" } 0 p "" 1 1 0 t "" 1 "w" { 1 -1 }', 1),
)


@pytest.mark.parametrize("text, value", REMEMBERED)
def test_what_need_not_be_remembered(text: str, value: Fraction) -> None:
    assert zermelo.solve(zermelo.from_gambit(TWO + text), exact=True).value == value


def test_a_byte_order_mark_is_no_part_of_a_text(tmp_path: Path) -> None:
    """The text was taken for the path of a file, and printed as a whole."""
    for text in ("\ufeff" + POKER, "\ufeff\n" + POKER, "\n" + POKER):
        assert zermelo.solve(zermelo.from_gambit(text)).value == Fraction(1, 3)
    (tmp_path / "p.efg").write_text(POKER, encoding="utf-8-sig")
    assert zermelo.solve(str(tmp_path / "p.efg")).value == Fraction(1, 3)
    with pytest.raises(FileError, match=r"^the text begins with 'GFE 2 R .* \.\.\.', and files of Gambit with EFG 2 or NFG 1$"):
        zermelo.from_gambit(POKER.replace("EFG", "GFE"))


@pytest.mark.parametrize("paid", ["12345678901234567890", "1e20", "-3000000000000000001", "1e99/3"])
def test_payoffs_that_are_too_large_for_rules_are_told_with_their_line(paid: str) -> None:
    """The message was about the rules that the file had been translated to."""
    with pytest.raises(OutOfReach, match=r"the text line 7: a payoff of .*\d; in an .* payoffs are numbers from -3e18 to 3e18"):
        zermelo.from_gambit(POKER.replace("{ 2, -2 }", f"{{ {paid}, 0 }}"))


@pytest.mark.parametrize("paid", ["3e18", "-3e18"])
def test_the_largest_payoffs_also_at_the_root(paid: str) -> None:
    text = f'EFG 2 R "" {{ "A" }} p "" 1 1 "" {{ "l" "r" }} 1 "" {{ {paid} }} t "" 1 t "" 1'
    assert zermelo.solve(zermelo.from_gambit(text)).value == 2 * float(paid)


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


class Serving(NamedTuple):
    """Both choose at once, in places that are exchanged: the first serves to one of three sides, the second guards one of two."""

    rounds: int = 2

    def start(self) -> Pile:
        return Pile(self.rounds)

    def actions(self, s: Pile) -> Any:
        yield from range(3 if s.left else 0)

    def other_actions(self, s: Pile) -> Any:
        yield from range(2 if s.left else 0)

    def outcomes(self, s: Pile, side: int, guarded: int) -> Any:
        yield 1, (side + 1) * s.left * (side != guarded), Pile(s.left - 1), -1


@pytest.mark.parametrize("game", [KuhnPoker(), Paying(), Inspection(), Serving()], ids=lambda g: type(g).__name__)
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


SIGNS = {  # how they are written
    "½": "1/2", "→ b": "-> b", "é": "e", "10♠": "10s", "✓": "(check mark)", "a\x00b\tc": "a b c", "back\\": "back/", ' "q" ': '"q"',
    "\U0010fffe": "", "x\u200by": "x y", "…": "...",
}  # fmt: skip


class Signs(NamedTuple):
    """Two numbers are named in turn, by signs."""

    pair: int = 0

    def title(self) -> str:
        return "½ → é"

    def start(self) -> Pile:
        return Pile(2)

    def actions(self, s: Pile) -> Any:
        for i in range(2 if s.left else 0):  # noqa: UP028
            yield i

    def outcomes(self, s: Pile, action: int) -> Any:
        yield 1, action, Pile(s.left - 1), -1

    def action_name(self, action: int) -> str:
        return list(SIGNS)[self.pair] if action == 0 else "plain"

    def show(self, s: Pile) -> str:
        return f"{list(SIGNS)[self.pair]} {s.left}"


class SignedRows(NamedTuple):
    """A matrix with the same names; two of them are equal when they are written."""

    def title(self) -> str:
        return "½ → é"

    def rows(self) -> Any:
        return range(len(SIGNS))

    def columns(self) -> Any:
        return range(2)

    def payoff(self, row: int, column: int) -> int:
        return row + column

    def players(self) -> tuple[str, str]:
        return "Ä", "A"

    def show_row(self, row: int) -> str:
        return list(SIGNS)[row]

    def show_column(self, column: int) -> str:
        return ("é", "e")[column]


@pytest.mark.parametrize("pair", range(len(SIGNS)))
def test_labels_are_written_in_ascii(pair: int) -> None:
    """Gambit reads no others."""
    game = Signs(pair)
    text = zermelo.to_gambit(game)
    back = zermelo.solve(zermelo.from_gambit(text), exact=True)
    assert text.isascii() and text.startswith('EFG 2 R "1/2 -> e"') and back.rules.action_name(0) == (list(SIGNS.values())[pair] or "1")
    assert back.value == zermelo.solve(game, exact=True).value == theirs(text)


def test_names_of_a_matrix_are_written_in_ascii() -> None:
    text = zermelo.to_gambit(SignedRows())
    back = zermelo.solve(zermelo.from_gambit(text))
    assert text.isascii() and [back.shown(1, k) for k in (0, 1)] == ["1: e", "2: e"]
    assert [back.shown(0, k) for k in range(len(SIGNS))] == [name or str(k) for k, name in enumerate(SIGNS.values(), 1)]
    assert back.players == ("1: A", "2: A") and back.value == theirs(text)


def test_a_matrix_game_is_an_nfg() -> None:
    text = zermelo.to_gambit(Rows())
    back = zermelo.solve(zermelo.from_gambit(text))
    assert back.value == zermelo.matrix_game([[4, -1, 2], [0, 3, 1]]).value / 3 == theirs(text)
    assert [back.shown(0, k) for k in (0, 1)] == ['the "first"', "back\\slash"]


def test_payoffs_of_thousands_of_digits_are_written_in_full() -> None:
    """Python's own text of a whole number ends at 4,300 digits."""
    text = zermelo.to_gambit(zermelo.matrix_game([[10**5000, 0]]).game)
    assert text.endswith(f"\n1{'0' * 5000} -1{'0' * 5000} 0 0\n")


GIFT = 'EFG 2 R "Gift" { "Zoë" "Zoe" }\n""\n\np "top" 1 1 "first" { "½" "no" } 1 "gift" { 1/3, 2/3 }\n' \
    't "left" 2 "w" { 7/3, -7/3 }\np "top" 2 1 "" { "L" "R" } 0\nt "" 2\nt "" 0\n'
OUTCOMES = 'NFG 1 R "Two" { "A" "B" } { { "U" "D" } { "L" "R" } } "why" { { "good" 3 -1 } { "bad" 0, 2 } } 1 2 2 1'


def test_a_file_is_written_as_it_was_read(tmp_path: Path, capsys: Any) -> None:
    """Players were called player 0 and player 1, chance 1 and 2, outcomes by what they pay; payoffs of 7/3 became a move of chance."""
    again = zermelo.to_gambit(zermelo.from_gambit(POKER))
    assert again == """EFG 2 R "A bluff" { "Fred" "Alice" }
"one card, one bet; Alice does not see it"

c "" 1 "the deal" { "Red" 1/2 "Black" 1/2 } 0
p "" 1 1 "red" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 1 "Big win" { 2, -2 }
t "" 2 "Win" { 1, -1 }
t "" 2 "Win" { 1, -1 }
p "" 1 2 "black" { "Raise" "Fold" } 0
p "" 2 1 "" { "Meet" "Pass" } 0
t "" 3 "Big loss" { -2, 2 }
t "" 2 "Win" { 1, -1 }
t "" 4 "Loss" { -1, 1 }
"""
    (tmp_path / "a.efg").write_text(POKER)
    assert main(["translate", str(tmp_path / "a.efg"), "-o", str(tmp_path / "b.efg")]) == 0
    assert (tmp_path / "b.efg").read_text() == again
    assert zermelo.to_gambit(zermelo.from_gambit(again)) == again and theirs(again) == Fraction(1, 3)
    capsys.readouterr()


@pytest.mark.filterwarnings("ignore::zermelo.basics.notices.Notice")
def test_names_that_gambit_would_not_read_are_changed() -> None:
    again = zermelo.to_gambit(zermelo.from_gambit(GIFT))
    assert again == """EFG 2 R "Gift" { "1: Zoe" "2: Zoe" }
""

p "top" 1 1 "first" { "1/2" "no" } 1 "gift" { 1/3, 2/3 }
t "left" 2 "w" { 7/3, -7/3 }
p "" 2 1 "" { "L" "R" } 0
t "" 2 "w" { 7/3, -7/3 }
t "" 0
"""
    assert zermelo.to_gambit(zermelo.from_gambit(again)) == again


def test_what_has_no_label_is_called_by_its_number() -> None:
    """A note said that `action_name` is empty, in words that no file has; strategies of one name could not be told apart."""
    tree = """EFG 2 R "" { "A" "B" } p "" 1 1 "" { "up" "" } 0 p "" 2 1 "" { "" "" } 0 t "" 1 "" { 1 -1 } t "" 2 "" { 2 -2 } t "" 0"""
    solution = zermelo.solve(zermelo.from_gambit(tree))
    assert solution.value == 1 and not solution.report.notes
    assert [solution.rules.in_line(solution.state(node)) for node in range(5)] == ["start", "up", "up, 1", "up, 2", "2"]
    matrix = zermelo.solve(zermelo.from_gambit('NFG 1 R "" { "A" "B" } { { "a" "a" } { "b" "" } } 1 -1 0 0 0 0 1 -1'))
    assert [matrix.shown(seat, k) for seat in (0, 1) for k in (0, 1)] == ["1", "2", "b", "2"]


def test_information_sets_of_one_name_keep_it_once() -> None:
    """Gambit refuses a file in which two information sets of a player, or two moves of chance, have the same name."""
    text = """EFG 2 R "" { "A" "B" } ""
c "" 1 "s" { "l" 1/2 "r" 1/2 } 0
p "" 1 1 "½" { "l" "r" } 0
c "" 2 "s" { "l" 1/2 "r" 1/2 } 0
t "" 1 "x" { 1, -1 }
t "" 0
t "" 0
p "" 1 2 "1/2" { "l" "r" } 0
t "" 0
p "" 2 2 "1/2" { "l" "r" } 0
t "" 1
t "" 0
"""
    again = zermelo.to_gambit(zermelo.from_gambit(text))
    named = [line.split(" {")[0] for line in again.splitlines() if line[:1] in ("c", "p")]
    assert named == ['c "" 1 "s"', 'p "" 1 1 "1/2"', 'c "" 2 ""', 'p "" 1 2 ""', 'p "" 2 2 "1/2"']


def test_a_strategic_game_is_written_as_it_was_read(tmp_path: Path) -> None:
    """It was refused, as if there might be strategies that are not listed."""
    for text in (PENNIES, OUTCOMES):
        game = zermelo.from_gambit(text)
        again = zermelo.to_gambit(game, tmp_path / "g.nfg")
        assert again.split() == text.replace("{ 3 -1 }", "{ 3, -1 }").replace('"good" 3 -1', '"good" 3, -1').split()
        assert zermelo.solve(str(tmp_path / "g.nfg")).value == zermelo.solve(game).value
        with pytest.raises(ParameterError, match=r"is written to a file that ends in \.nfg"):
            zermelo.to_gambit(game, tmp_path / "g.efg")
    with pytest.raises(OutOfReach, match="Two has 4 payoffs, and at most 3 are written"):
        zermelo.to_gambit(zermelo.from_gambit(OUTCOMES), max_nodes=3)
    with pytest.raises(OutOfReach, match="ABluff has 11 nodes, and at most 10 are written"):
        zermelo.to_gambit(zermelo.from_gambit(POKER), max_nodes=10)


def test_what_can_not_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutOfReach, match="a tree of all plays has no end, as play can return to a state: .* turn total 0"):
        zermelo.to_gambit(Pig(goal=5))
    with pytest.raises(OutOfReach, match="CardDraw has more than 500 nodes as a tree of all plays"):
        zermelo.to_gambit(CardDraw(), max_nodes=500)
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


def test_information_sets_are_shown_by_their_names(capsys: Any, tmp_path: Path) -> None:
    """Those without one by their numbers, and two of one name with theirs. All were numbers."""
    texts = [POKER, POKER.replace('"black"', '""'), POKER.replace('"black"', '"red"')]
    for text, first, second in zip(texts, ("red ", "red ", "red (1) "), ("black ", "set 2 ", "red (2) "), strict=True):
        (tmp_path / "named.efg").write_text(text)
        code, shown = said(capsys, "solve", tmp_path / "named.efg")
        lines = [line.strip() for line in shown.splitlines()]
        assert code == 0 and [any(line.startswith(name) for line in lines) for name in (first, second, "set 1 ")] == [True] * 3


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


def test_the_page_has_the_title_once(tmp_path: Path) -> None:
    """It stood below itself, as if it said what the game is about."""
    for text, name in ((POKER, "bluff.efg"), (PENNIES, "pennies.nfg")):
        (tmp_path / name).write_text(text)
        sheet = Sheet(str(tmp_path / name), find(str(tmp_path / name)))
        assert sheet.title and sheet.doc == f"a game of your own, in {name}"


def test_json_has_the_names_of_strategies(capsys: Any, tmp_path: Path) -> None:
    """It had only their numbers; and an interval from 0 to -0.0."""
    (tmp_path / "pennies.nfg").write_text(PENNIES.replace("1/3 -1/3", "1 -1"))
    solved, shown = (json.loads(said(capsys, verb, tmp_path / "pennies.nfg", "--json")[1]) for verb in ("solve", "table"))
    expected = [{"strategy": k, "name": name, "probability": "1/2"} for k, name in enumerate("HT")]
    assert solved["strategies"] == {"A": expected, "B": expected}
    assert [{k: s[k] for k in ("strategy", "name", "probability")} for s in shown["strategies"]] == [*expected, *expected]
    assert str(solved["low"]) == str(solved["high"]) == "0.0"


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


def test_a_title_is_written() -> None:
    """It was the name of the class, also of a game that had been read from a file."""
    assert zermelo.to_gambit(zermelo.from_gambit(POKER)).startswith('EFG 2 R "A bluff" {')
    assert zermelo.to_gambit(type("Named", (Rows,), {"title": "Two rows"})()).startswith('NFG 1 R "Two rows" {')
    assert zermelo.to_gambit(Rows()).startswith('NFG 1 R "Rows" {')
    assert zermelo.to_gambit(Paying()).startswith('EFG 2 R "Paying(matches=5)" {')
