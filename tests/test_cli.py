"""The command line, run in this process: what it prints, what it refuses and how."""

import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest

from several_threads import limited
from zermelo.cli import main, output
from zermelo.games.catalogue import COMMANDS, ENTRIES
from zermelo.language.replies import is_given_by_replies
from zermelo.puzzles import NAMES as PUZZLES


class Left(NamedTuple):
    left: Annotated[int, range(10)]


class Countdown(NamedTuple):
    def start(self) -> Left:
        return Left(9)

    def outcomes(self, s: Left) -> Iterator[tuple[int, int, Left]]:
        if s.left:
            yield 1, 1, Left(s.left - 1)


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command line in an empty directory: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "140")

    def call(*words):
        code = main([*map(str, words)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def own_games(tmp_path):
    """A user's file with three games: a good one with a parameter that has no default, a faulty one, a plain class."""
    path = tmp_path / "mygames.py"
    path.write_text(
        textwrap.dedent(
            '''
            from typing import Annotated, NamedTuple

            class S(NamedTuple):
                at: int

            class Walk(NamedTuple):
                """Walk to the end by steps of one or two; a step pays its length or is lost."""
                length: Annotated[int, "how far to walk", range(1, 50)]
                prizes: tuple[int, int] = (1, 3)
                seed: int = 0

                def start(self):
                    return S(0)

                def actions(self, s):
                    if s.at < self.length:
                        yield 1
                        yield 2

                def outcomes(self, s, a):
                    yield 1, self.prizes[a - 1], S(min(s.at + a, self.length))
                    yield 1, 0, S(s.at + 1)

            class Faulty(NamedTuple):
                x: int = 3

                def start(self):
                    return S(0)

                def actions(self, s):
                    yield 1

                def outcomes(self, s, a):
                    yield -1, 1, S(s.at)

            class NoGame(NamedTuple):
                x: int = 3
            '''
        )
    )
    yield path
    for name in ("mygames", "mygames_of_user"):
        sys.modules.pop(name, None)


def one_line(err):
    """A complaint is one line that begins with the name of the program."""
    assert err.startswith("zermelo: "), err
    assert err.count("\n") == 1, err
    return err


# --- games and their parameters ---------------------------------------------------------------------------------------


def test_list_names_every_game(run):
    code, out, err = run("list")
    assert code == 0 and not err
    assert all(command in out for command in (*COMMANDS, "blackjack"))
    assert all(f"puzzle {name}" in out for name in PUZZLES)


def test_list_as_json(run):
    games = {g["command"]: g for g in json.loads(run("list", "--json")[1])}
    assert set(games) == {*COMMANDS, "blackjack", *(f"puzzle {name}" for name in PUZZLES)}
    assert games["pig"]["parameters"] == [
        {
            "name": "goal",
            "type": "int",
            "default": 100,
            "about": "points to win",
            "allowed": None,
            "from": 1,
            "to": 1000,
        }
    ]
    assert not games["tic-tac-toe"]["parameters"]
    assert {p["name"]: p["default"] for p in games["blackjack"]["parameters"]}["hits_soft_17"] is False


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda e: e.command)
def test_entries_lead_to_classes_and_views(entry):
    assert hasattr(entry.game_class(), "outcomes") or is_given_by_replies(entry.game_class())
    module = entry.views_module()
    assert module is None or module.TABLES


def test_light_commands_import_nothing_numerical():
    import subprocess

    heavy = "numpy|numba|matplotlib|scipy|pandas|rich.progress|hashlib"
    code = (
        "import sys; from zermelo.cli import main; main(['list']); main(['solve', 'pig', '--help']);"
        f"print([m for m in '{heavy}'.split('|') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_no_garbage_is_looked_for_as_python_ends():
    """It was, among all objects of numba, for up to 0.4 s."""
    code = "import atexit, gc; atexit.register(lambda: print(gc.get_freeze_count() > 1000)); from zermelo.cli import main; main(['list'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "True"


@pytest.mark.parametrize("words", [["--help"], ["list"], ["table", "pig", "--goal", "10"]], ids=lambda words: words[0])
def test_a_reader_of_a_pipe_may_have_seen_enough(words):
    """`zermelo ... | head -1` ended with 1 where rich had printed."""
    run = subprocess.Popen([sys.executable, "-m", "zermelo.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    run.stdout.close()
    assert run.stderr.read() == b"" and run.wait() == 0


def test_help_shows_the_parameters_of_the_game(run):
    code, out, _ = run("solve", "dreidel", "--help")
    assert code == 0
    for text in ("--players", "from 2 to 8", "--half-up", "--no-half-up", "one of 0, 1", "Parameters of dreidel"):
        assert text in out
    assert "points to win" not in out


def test_parameters_may_stand_before_the_game(run):
    code, out, _ = run("solve", "--goal", 5, "pig", "--json")
    assert code == 0
    assert json.loads(out)["parameters"] == {"goal": 5}


# --- solving ----------------------------------------------------------------------------------------------------------


def test_solve_prints_value_certificate_and_best_action(run):
    code, out, err = run("solve", "card-draw")
    assert code == 0 and not err
    for text in ("2.62448   (certified to 1.4e-14)", "bound", "draw", "729 states", "one player"):
        assert text in out


def test_solve_exactly(run):
    _, out, _ = run("solve", "card-draw", "--exact")
    assert "$41984711742427/15997372030584 = $2.62448" in out
    data = json.loads(run("solve", "card-draw", "--exact", "--json")[1])
    assert data["exact"] == "41984711742427/15997372030584"
    assert data["certificate"]["kind"] == "proof"


def test_solve_as_json(run):
    data = json.loads(run("solve", "pig", "--goal", 20, "--json")[1])
    assert data["low"] <= data["value"] <= data["high"]
    assert data["win probability"]["value"] == pytest.approx(15116544 / 24557443, abs=1e-13)
    assert data["start"]["best action"] == "roll"


def test_several_payoffs_are_all_shown(run):
    _, out, _ = run("solve", "left-center-right")
    assert "turns" in out and "17.5159   (certified to" in out and "seat 3 wins" in out


def test_a_board_game_is_told_in_words(run):
    assert "a draw for the player who moves first" in run("solve", "tic-tac-toe")[1]


def test_a_game_of_chance_is_no_draw(run):
    out = run("solve", "card-draw", "--red", 0, "--black", 0)[1]
    assert "  value        $0\n" in out and "draw for" not in out


def test_whole_numbers_are_written_as_whole_numbers(run):
    out = run("solve", "coin-patterns", "--first", "HH", "--second", "HH", "--flips", 10)[1]
    assert ["tie", "1"] in [line.split()[:2] for line in out.splitlines()]


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (4.0, 1e-14, "4"),
        (3.9999999999999996, 1e-14, "4"),
        (-0.0, 1e-200, "0"),
        (-1e-17, 1e-14, "0"),
        (100.0, 1e-12, "100"),
        (4.0, 1e-6, "4.00000"),  # too wide an interval to say so
        (4.0000000001, 1e-13, "4.000000000100"),
        (4.0, 0.0, "4"),
        (0.5, 0.0, "0.5"),
        (4.611686018427388e18, 1300.0, "4.61168601842739e+18"),  # not ...387904, which nobody knows
        (123456.0, 3.0, "between 123453 and 123459"),  # 123456 has a digit that nobody knows
        (0.875, 0.125, "between 0.75 and 1"),  # not 1, to which all of it is rounded
        (0.5, 0.333333333, "between 0.166666 and 0.833334"),  # outwards
        (0.5, 0.5 + 1e-15, "between 0 and 1"),  # what rounding adds is not shown
        (Fraction(1, 2), Fraction(1, 4), "between 0.25 and 0.75"),
        (-1e-60, 1e-75, "-1.00000000000000e-60"),  # not 0
        (1e-60, 1e-50, "0"),
        (-1e-10, 1e-8, "0.0000000"),  # 0 has no sign
    ],
)
def test_digits(value, error, text):
    from zermelo.basics.numbers import digits

    assert digits(value, value - error, value + error) == text


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [(0, 2e-200, "1.0e-16"), (1, 2e-200, "1.0e-16"), (273, 2e-200, "1.0e-14"), (1e-60, 1e-75, "1.0e-75"), (0.5, 1.31e-14, "1.4e-14"),
     (0.5, 0, ""), (7.8e16, 31.2, "32"), (1e17, 98_999, "99000"), (1e17, 99_001, "1.0e+5"), (1e14, 1.0, "1")],
)  # fmt: skip
def test_an_error_is_told_to_two_digits_and_not_below_the_last_digit_of_a_float(value, error, text):
    from zermelo.basics.numbers import error_text

    assert error_text(value, Fraction(value) - Fraction(error), Fraction(value) + Fraction(error)) == text


def test_a_tiny_value_is_printed_in_few_digits():
    from zermelo.basics.numbers import with_decimals

    assert with_decimals(-1e-60, -1.0000000001e-60, -0.9999999999e-60, 6) == "-1.00000e-60"


def test_the_number_of_actions_does_not_read_as_if_one_of_them_were_best(run):
    out = run("solve", "gobblet", "--sizes", 1)[1]
    assert "(9 actions to choose from)" in out and "one of" not in out


@pytest.mark.parametrize("game", [("hog", "--goal", 20, "--discount", 0.9), ("gobblet", "--sizes", 1, "--no-moving")])
def test_the_next_command_can_be_copied(run, game, monkeypatch, in_python):
    """What `solve` says to do next has the user's own parameters, spelt as that command spells them."""
    import shlex

    monkeypatch.setenv("COLUMNS", "300")
    _, out, _ = run("solve", *game)
    (line,) = [text for text in out.splitlines() if text.startswith("  next")]
    words = shlex.split(line.partition("   (")[0])[1:]
    assert words[:3] == ["zermelo", "table", game[0]] and [str(w) for w in game[1:]] == words[3:-2]
    code, shown, _ = run(*words[1:])
    assert code == 0 and "loss against the best" in shown


@pytest.mark.parametrize(
    ("kept", "word"),
    [(("-o", "kept.zermelo"), "kept.zermelo"), (("--checkpoint", "levels"), "levels/table.zermelo")],
)
def test_the_next_command_reads_what_was_kept(run, kept, word, monkeypatch, in_python):
    """It solved everything again, for hours where the board was a large one."""
    import shlex

    monkeypatch.setenv("COLUMNS", "300")
    Path("own.py").write_text("from zermelo.games.gobblet import GobbletGobblers\n\n\nclass Mine(GobbletGobblers):\n    pass\n")
    for game, rules in (("gobblet", []), ("own.py:Mine", ["--rules", "own.py:Mine"])):
        _, out, _ = run("solve", game, "--sizes", 1, "--per-size", 3, *(w.replace("levels", game[:3]) for w in kept))
        (line,) = [text for text in out.splitlines() if text.startswith("  next")]
        words = shlex.split(line.partition("   (")[0])[1:]
        assert words == ["zermelo", "table", word.replace("levels", game[:3]), *rules, "--view", "actions"]
        code, shown, _ = run(*words[1:])
        assert code == 0 and "loss against the best" in shown


def test_long_strategies_are_summed_up_by_how_they_begin(run):
    """Search trees of 20 numbers fill lines; of 4 they do not."""
    out = run("solve", "binary-search", "--n", 40)[1]
    assert "strategies with positive probability, by what they begin with:" in out and "of them)" in out
    assert all(len(line) <= 80 for line in out.splitlines())
    assert "2 1 4 3" in run("solve", "binary-search", "--n", 4)[1]


def test_save_and_use_a_saved_solution(run, tmp_path):
    code, out, _ = run("solve", "card-draw", "--red", 5, "--black", 5, "-o", "cards.zermelo")
    assert code == 0 and "saved to cards.zermelo" in out
    assert run("solve", "cards.zermelo")[1].startswith("Card draw: 5 red and 5 black cards\n")
    assert json.loads(run("table", "cards.zermelo", "--view", "boundary", "--json")[1])["rows"][2] == [2, 4, 2]
    assert run("solve", "cards.zermelo", "--exact")[0] == 2
    assert "too late" in run("solve", "cards.zermelo", "--max-states", 9)[2]
    fixed = "no such option: --red; cards.zermelo is a saved solution, whose parameters can't be changed; --help"
    assert fixed in one_line(run("solve", "cards.zermelo", "--red", 6)[2])
    Path("notes.txt").write_text("nothing")
    assert one_line(run("solve", "notes.txt", "--red", 6)[2]) == "zermelo: notes.txt is not a stored solution of Zermelo\n"
    run("solve", "card-draw", "--red", 5, "--black", 5, "--certificate", "cards.cert")
    for more in ((), ("--red", 6)):
        assert one_line(run("solve", "cards.cert", *more)[2]).endswith("if it is a certificate, `zermelo verify cards.cert` checks it\n")


# --- the options about solving ----------------------------------------------------------------------------------------


NEVER_COMPRESSED = ("kuhn-poker",), ("binary-search", "--n", 5), ("pig",), ("left-center-right", "--players", 9)


@pytest.mark.parametrize("words", NEVER_COMPRESSED, ids=lambda words: words[0])
def test_what_is_never_compressed_is_refused_before_it_is_solved(words, run, monkeypatch):
    """The first two ended in a traceback, after solving; the last takes ten minutes."""
    monkeypatch.setattr("zermelo.solving.solve", None)
    code, out, err = run("solve", *words, "--compress", "-o", "game.zermelo")
    assert (code, out, err.count("\n")) == (2, "", 1) and "only the tables of large board games are compressed" in err


def test_a_saved_solution_is_not_compressed_either(run):
    assert run("solve", "kuhn-poker", "-o", "kuhn.zermelo")[0] == 0
    code, out, err = run("solve", "kuhn.zermelo", "--compress", "-o", "small.zermelo")
    assert (code, out, err.count("\n")) == (2, "", 1) and "only the tables of large board games are compressed" in err


def test_discount(run):
    value = json.loads(run("solve", "card-draw", "--discount", 0.5, "--json")[1])["value"]
    assert 0 <= value < 2.6


@pytest.mark.parametrize("command", ["solve", "table", "plot", "simulate", "play"])
def test_every_command_that_solves_has_the_same_options_about_it(run, command):
    out = run(command, "pig", "--help")[1].partition("Examples:")[0]
    lines = [line for line in out.splitlines() if any(f" {o} " in line for o in SOLVING)]
    assert len(lines) == len(SOLVING)
    solve = run("solve", "pig", "--help")[1].splitlines()
    assert {" ".join(line.split()) for line in lines} <= {" ".join(line.split()) for line in solve}


@pytest.mark.parametrize("command", ["solve", "table", "simulate --plays 9", "play", "study"])
def test_what_is_discounted_says_so(run, monkeypatch, command):
    """`play` and `study` did not, nor did pictures."""
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    assert "discount 0.75" in run(*command.split(), "card-draw", "--red", 3, "--black", 2, "--discount", 0.75)[1]


def test_pictures_of_what_is_discounted_say_so(in_python):
    import zermelo
    from zermelo.games.card_draw_views import boundary_figure
    from zermelo.views import plot

    for discount in (1, 0.75):
        solution = zermelo.solve("card-draw", red=3, black=2, discount=discount)
        study = zermelo.study("card-draw", red=[2, 3], black=2, discount=discount)
        for figure in (plot.values(solution), plot.lengths(solution), boundary_figure(solution), study.figure()):
            assert any("discount 0.75" in text.get_text() for text in figure.texts) == (discount != 1)


SOLVING = ("--exact", "--discount", "--tolerance", "--max-states")


@pytest.mark.parametrize("command", ["solve", "table", "plot -o x.png", "simulate", "play"])
@pytest.mark.parametrize(
    ("option", "says"),
    [
        ("--discount 2", "discount must be greater than 0"),
        ("--tolerance 2", "tolerance must be a number between 0 and 1"),
        ("--max-states 0", "--max-states must be at least 1"),
        ("--max-states 10", "more than 10 states"),
        ("--goal 4 --tolerance 1e-20", "only; --exact proves it"),  # it was `exact`, as in Python
    ],
)
def test_every_command_refuses_what_does_not_fit_in_the_same_words(run, command, option, says):
    code, out, err = run(*command.split(), "pig", *option.split())
    assert code == 2 and not out and says in one_line(err)


def test_exact_is_exact_everywhere(run):
    rows = json.loads(run("table", "pig", "--goal", 5, "--exact", "--view", "actions", "--json")[1])["rows"]
    assert rows[0][1] == "161/271"
    total = json.loads(run("simulate", "pig", "--goal", 5, "--exact", "--plays", 1000, "--json")[1])["totals"]["payoff"]
    assert total["value"] == 161 / 271


@pytest.mark.parametrize(
    "game", ["card-draw --discount 0.9", "piglet --goal 5 --discount 0.95", "left-center-right --chips 1 --discount 0.8"]
)
def test_discounted_plays_have_discounted_totals(run, game):
    value = json.loads(run("solve", *game.split(), "--json")[1])["value"]
    data = json.loads(run("simulate", *game.split(), "--plays", 100_000, "--seed", 1, "--json")[1])
    total = next(iter(data["totals"].values()))
    assert data["discount"] == float(game.split()[-1]) and total["value"] == value
    assert abs(total["z"]) < 4 and 0 < total["standard error"] < 0.05


def test_chances_of_winning_come_first_and_actions_have_them_with_bounds(run):
    out = run("solve", "hog", "--goal", 10, "--most-dice", 2)[1]
    lines = [line.split("  ")[1].strip() for line in out.splitlines()[1:3]]
    assert lines == ["first player wins", "value"] and " %" in out.splitlines()[1]
    data = json.loads(run("solve", "hog", "--goal", 10, "--most-dice", 2, "--json")[1])
    assert data["unit"] == "chance that the player to move wins" and data["start"]["best action is certain"]
    for action in data["start"]["actions"]:
        chance = action["win probability"]
        assert action["low"] <= action["value"] <= action["high"]
        assert chance["low"] <= chance["value"] == (1 + action["value"]) / 2 <= chance["high"]
        assert f"{action['action']}: {100 * chance['value']:.4f} %" in out


def test_a_proven_chance_is_a_fraction_and_per_cent(run):
    out = run("solve", "exact-pig", "--goal", 8, "--exact")[1]
    assert "1296/2375 = 54.5684 %" in out and "217/2375 = 0.0913684\n" in out
    out = run("solve", "exact-pig", "--goal", 8, "--exact", "--digits", 15)[1]
    assert "54.5684210526316 %" in out and "0.0913684210526316" in out


def test_six_digits_and_the_certified_error_unless_more_is_asked_for(run):
    few = run("solve", "card-draw", "--red", 3, "--black", 3)[1]
    assert "value              $0.850000   (certified to " in few and "--explain" in few and "lies in" not in few
    data = json.loads(run("solve", "card-draw", "--red", 3, "--black", 3, "--json")[1])
    error = float(few.partition("certified to ")[2].partition(")")[0])
    assert Fraction(error) >= max(Fraction(data["high"]) - Fraction(17, 20), Fraction(17, 20) - Fraction(data["low"])) - Fraction(1, 10**16)
    more = run("solve", "card-draw", "--red", 3, "--black", 3, "--digits", 17, "--explain")[1]
    assert f"value              ${data['digits']}   (certified to " in more
    assert f"lies in [{data['low']!r}, {data['high']!r}]" in " ".join(more.split())


@pytest.mark.parametrize("words", [["--digits", 3], ["--explain"]])
def test_options_about_text_do_not_go_with_json(run, words):
    code, _, err = run("solve", "card-draw", "--red", 1, "--black", 1, "--json", *words)
    assert code == 2 and "--json has every digit" in err


def test_what_would_take_hours_in_rationals_is_refused_before_the_sweep(run):
    code, _, err = run("solve", "card-draw", "--red", 10**8, "--black", 10**8, "--exact")
    assert code == 2 and "hours" in err and err.count("\n") == 1


def test_the_list_fits_a_terminal(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, run("list")[1].splitlines())) <= 80


def test_a_discounted_value_is_no_probability_and_no_draw(run, in_python):
    out = run("solve", "pig", "--goal", 10, "--discount", 0.9)[1]
    assert "discount 0.9" in out and "first player wins" not in out
    assert "win probability" not in json.loads(run("solve", "pig", "--goal", 10, "--discount", 0.9, "--json")[1])
    assert "a draw" not in run("solve", "dodgem", "--size", 2, "--discount", 0.9)[1]


@pytest.mark.parametrize(
    "words",
    ["table pig --goal 10 --view win", "plot pig --goal 10 -o x.png --view win", "table card-draw --view spreadsheet"],
)
def test_a_view_that_is_about_play_without_discount_says_so(run, words, tmp_path):
    code, out, err = run(*words.split(), "--discount", 0.9)
    assert code == 2 and not out and "is about play without discount" in one_line(err)
    assert not (tmp_path / "x.png").exists()


def test_a_discounted_solution_is_shown_by_the_views_that_fit_it(run, tmp_path, in_python):
    run("solve", "pig", "--goal", 10, "--discount", 0.9, "-o", "pig.zermelo")
    data = json.loads(run("table", "pig.zermelo", "--json")[1])
    assert data["view"] == "hold" and "discount 0.9" in data["notes"]
    assert "is about play without discount" in one_line(run("table", "pig.zermelo", "--view", "win")[2])
    assert json.loads(run("plot", "pig.zermelo", "-o", "x.svg", "--json")[1])["view"] == "values"
    assert " win " not in run("table", "pig.zermelo")[1]


# --- before solving ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("table pig --view hlod", "no view 'hlod' in pig; did you mean hold?"),
        ("plot pig -o x.png --view wni", "no view 'wni' in pig; did you mean win?"),
        ("table binary-search --view x", "no view 'x' in binary-search; there are numbers, players, first, sawtooth, strategies"),
        ("plot binary-search -o x.png --view x", "no view 'x' in binary-search"),
        ("table pig --view win --discount 0.9", "about play without discount"),
        ("table pig --view hold --fix mine=5", "--fix goes with --view"),
        ("table pig --view hold --limit 5", "belong to the view states"),
        ("solve pig --goal 0", "--goal must be from 1"),
        ("simulate connect-four --width -1", "--width must be from 1 to 8, not -1"),
    ],
)
def test_what_is_wrong_anyway_is_found_before_solving(run, monkeypatch, words, says):
    def solve(*_, **__):
        raise AssertionError("solved")

    monkeypatch.setattr("zermelo.solving.solve", solve)
    code, out, err = run(*words.split())
    assert code == 2 and not out and says in one_line(err)


@pytest.mark.parametrize("command", ["solve", "table", "plot -o x.png", "simulate", "play", "check", "solve --json"])
@pytest.mark.parametrize("word", ["", " "])
def test_an_empty_name_is_no_game(run, command, word):
    code, out, err = run(*command.split(), word)
    assert code == 2 and not out and "the name of a game is missing" in one_line(err)


def test_a_view_that_does_not_fit_is_no_unknown_view(run):
    code, out, err = run("plot", "pig", "--goal", 5, "-o", "x.png", "--view", "distances")
    said = "the view distances does not fit this solution of pig: it would tell nothing, or take too long; there are"
    assert code == 2 and said in one_line(err)


def test_a_wrong_parameter_is_named_as_it_is_spelt_here(run, own_games):
    assert "--game-seed must be a whole number" in one_line(run("simulate", f"{own_games}:Walk", "--game-seed", "x")[2])
    assert "--length must be from 1 to 49, not 50" in one_line(run("solve", f"{own_games}:Walk", "--length", 50)[2])


# --- tab completion ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("zermelo so", {"solve"}),
        ("zermelo solve pi", {"pig", "piglet"}),
        ("zermelo table pig --view ", {"hold", "turn", "win", "states", "actions", "lengths"}),
        ("zermelo plot hog --view d", {"dice"}),
        ("zermelo plot dodgem --view ", {"distances", "longest", "moves"}),
        ("zermelo solve dreidel --half", {"--half-up"}),
        ("zermelo simulate pig --g", {"--goal"}),
        ("zermelo solve nothere.py:X --d", {"--digits", "--discount"}),
        ("zermelo blackjack ha", {"hand", "hands"}),
        ("zermelo puzzle p", {"podiums"}),
        ("zermelo reproduce pi", {"pig", "piglet"}),
        ("zermelo play pig --seat ", {"1", "2"}),
        ("zermelo table pig --rows t", {"theirs", "turn"}),
        ("zermelo table pig --goal 20 --columns m", {"mine"}),
        ("zermelo table nothere.py:X --rows t", set()),
        ("zermelo study pig --fair g", {"goal"}),
        ("zermelo study card-draw --against ", {"red", "black"}),
        ("zermelo study card-draw --slope r", {"red"}),
        ("zermelo study card-draw --derivative b", {"black"}),
        ("zermelo robot --program ", {"left-hand", "right-hand", "dead-ends"}),
        ("zermelo warm ch", {"chance"}),
        ("zermelo warm chance c", {"cycles"}),
        ("zermelo warm entries h", {"hidden"}),
    ],
)
def test_tab_completion(run, capsys, monkeypatch, typed, offered):
    words = typed.split(" ")
    monkeypatch.setenv("_ZERMELO_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    with pytest.raises(SystemExit) as ended:
        main([])
    captured = capsys.readouterr()
    assert ended.value.code == 0 and set(captured.out.split()) == offered and not captured.err


def test_completion_can_be_shown(run, capsys, monkeypatch):
    monkeypatch.setenv("_ZERMELO_COMPLETE", "source_bash")
    with pytest.raises(SystemExit):
        main([])
    assert "_ZERMELO_COMPLETE=complete_bash" in capsys.readouterr().out
    monkeypatch.delenv("_ZERMELO_COMPLETE")
    out = run("--help")[1]
    assert "--install-completion" in out and "--show-completion" in out


# --- JSON and nothing else --------------------------------------------------------------------------------------------


def test_what_matters_less_is_dim_in_a_terminal(run, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    printed = run("solve", "card-draw", "--red", "2", "--black", "2")[1]
    assert "\x1b[2m9 states, 20 outcomes, one player, acyclic\x1b[0m" in printed and "\x1b[1m$0.666667" in printed


def test_where_no_thread_can_be_started_no_bar_is_drawn(monkeypatch, capsys):
    """One draws it after a moment, another one again and again."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with limited(0), output.progress_bar() as progress:
        bar = progress.__self__
        bar.begin()
        progress("solving", 1, 2)
        assert bar._drawn is None
    said = capsys.readouterr().err
    assert said.rfind("\x1b[?25h") > said.rfind("\x1b[?25l") >= 0  # the cursor is there again


def test_reproduce_says_the_verdict_and_the_source_in_narrow_terminals(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("reproduce", "solitaire-pig")[1].splitlines()
    assert "Crocce and Mordecki 2014, sec. 5.2:" in lines and max(map(len, lines)) <= 80
    assert any(re.match(r"value of a turn +8\.14 +agrees +8\.141795", line) for line in lines)
    assert any(re.match(r"growth of the other +1\.0646 +differs +1\.046103934989656 +\[1\]", line) for line in lines)


@pytest.mark.parametrize("words", [[], ["--json"]], ids=["text", "json"])
def test_reproduce_keeps_what_is_found_before_ctrl_c(run, monkeypatch, words):
    """With --json nothing was printed before the end, ten minutes later."""
    from zermelo import reproduce

    judge, so_far = reproduce.judge, []

    def interrupted(claim, bench):
        if len(so_far) == 2:
            raise KeyboardInterrupt
        so_far.append(judge(claim, bench))
        return so_far[-1]

    monkeypatch.setattr(reproduce, "judge", interrupted)
    code, out, err = run("reproduce", "solitaire-pig", *words)
    assert code == 130 and err == "interrupted\n" and len(so_far) == 2
    if words:
        assert json.loads(out) == [v.as_json() for v in so_far]
        assert run("reproduce", "solitaire-pig", "--json") == (130, "[]\n", "interrupted\n")
    else:
        assert all(v.claim.what in out for v in so_far)


@pytest.mark.parametrize(
    "words",
    [
        "list",
        "solve pig --goal 5",
        "solve binary-search --n 5",
        "solve tic-tac-toe --discount 0.9",
        "solve pig --goal 5 -o pig.zermelo",
        "table pig --goal 5",
        "table binary-search --n 5",
        "plot pig --goal 5 -o x.svg",
        "simulate pig --goal 5 --plays 1000",
        "play pig --goal 5",
        "play binary-search --n 5",
        "check pig",
        "check binary-search",
        "answer exact-pig queries.txt --goal 10",
        "reproduce solitaire-pig",
        "puzzle",
        "puzzle podiums",
        "puzzle ant -o ant.svg",
        "blackjack dealer --decks 1",
        "blackjack plot -o x.svg",
    ],
)
def test_json_is_all_that_is_printed(run, monkeypatch, tmp_path, words):
    def end(*_):
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    (tmp_path / "queries.txt").write_text("1\n3 4 5\n")
    code, out, err = run(*words.split(), "--json")
    assert code == 0 and isinstance(json.loads(out), dict | list)
    assert not err or words.startswith("play")


def test_what_rules_print_is_not_among_the_results(run, tmp_path):
    """It came first on stdout, which was no JSON then."""
    path = tmp_path / "noisy.py"
    path.write_text(
        """
from typing import NamedTuple
print("hello from rules")
class S(NamedTuple):
    n: int
class G(NamedTuple):
    last: int = 3
    def start(self):
        return S(self.last)
    def outcomes(self, s):
        if s.n:
            yield 1, 2, S(s.n - 1)
    def title(self):
        print("hello from a title")
        return "Noise"
"""
    )
    for words in ("solve", "check", "simulate --plays 10", "table", "plot -o p.svg", "study --last 1..3"):
        command, *more = words.split()
        code, out, err = run(command, f"{path}:G", *more, "--json")
        assert code == 0 and isinstance(json.loads(out), dict), err
        assert "hello from rules" in err
    code, out, err = run("solve", f"{path}:G", "--help", "--json")
    assert code == 0 and "--last" in out
    assert "hello from rules" in run("solve", f"{path}:G")[1]  # among results as text, as anywhere in Python


# --- a user's own file ------------------------------------------------------------------------------------------------


def test_own_file(run, own_games):
    data = json.loads(run("solve", f"{own_games}:Walk", "--length", 3, "--prizes", "0,4", "--json")[1])
    assert data["parameters"] == {"length": 3, "prizes": [0, 4], "seed": 0}
    assert "how far to walk, from 1 to 49" in run("solve", f"{own_games}:Walk", "--help")[1]


def test_a_parameter_named_like_an_option_gets_another_name(run, own_games):
    out = run("simulate", f"{own_games}:Walk", "--help")[1]
    assert "--game-seed" in out


def test_words_of_python_and_members_of_enumerations_are_spelt_as_people_say_them(run, tmp_path):
    path = tmp_path / "poker.py"
    path.write_text(
        "from enum import IntEnum\nfrom typing import NamedTuple\nclass Move(IntEnum):\n    FOLD = 0\n    RAISE = 1\n"
        "class S(NamedTuple):\n    n: int\nclass Poker(NamedTuple):\n    raise_: int = 2\n    raise_to: int = 0\n"
        "    def start(self):\n        return S(1)\n"
        "    def actions(self, s):\n        if s.n:\n            yield from (Move.FOLD, Move.RAISE)\n"
        "    def outcomes(self, s, a):\n        yield 1, self.raise_ if a == Move.RAISE else 1, S(0)\n"
    )
    code, out, err = run("solve", f"{path}:Poker", "--raise", 3, "--raise-to", 1)
    assert code == 0 and out.startswith("Poker: raise 3, raise to 1") and "best at the start  RAISE   (FOLD: 1, RAISE: 3)" in out
    assert "--raise must be a whole number" in one_line(run("solve", f"{path}:Poker", "--raise", "x")[2])
    data = json.loads(run("solve", f"{path}:Poker", "--json")[1])
    assert data["parameters"] == {"raise_": 2, "raise_to": 0} and data["start"]["best action"] == "RAISE"


def test_a_board_with_rows_is_told_how_to_say_them(run, tmp_path):
    """`--rows` of a table is a field of the states; in `solve` it is the parameter."""
    path = tmp_path / "board.py"
    path.write_text(
        "from typing import NamedTuple\nclass S(NamedTuple):\n    n: int\nclass G(NamedTuple):\n    rows: int = 2\n"
        "    def start(self):\n        return S(self.rows)\n"
        "    def outcomes(self, s):\n        if s.n:\n            yield 1, 2, S(s.n - 1)\n"
    )
    code, out, err = run("table", f"{path}:G", "--rows", 3)
    assert (code, out) == (2, "")
    assert "no field '3' in the states of G; there is n; for the game's own rows write --game-rows" in one_line(err)
    assert run("table", f"{path}:G", "--game-rows", 3)[1].startswith("G: rows 3")


def test_a_missing_parameter_is_named(run, own_games):
    code, _, err = run("solve", f"{own_games}:Walk")
    assert code == 2 and "needs --length (how far to walk)" in one_line(err)


@pytest.mark.parametrize("command", ["solve", "check", "table"])
def test_a_default_that_does_not_fit_is_told_as_such(run, tmp_path, command):
    path = tmp_path / "own.py"
    path.write_text(
        'from typing import NamedTuple\nclass S(NamedTuple):\n    n: int\nclass G(NamedTuple):\n    n: int = "4"\n'
        "    def start(self):\n        return S(self.n)\n"
        "    def outcomes(self, s):\n        if s.n:\n            yield 1, 1, S(s.n - 1)\n"
    )
    assert one_line(run(command, f"{path}:G")[2]) == "zermelo: G: the default of n must be a whole number, not '4'\n"
    assert run(command, f"{path}:G", "--n", 3)[0] == 0


def test_check(run, own_games):
    code, out, _ = run("check", f"{own_games}:Walk", "--length", 4)
    assert code == 0 and "no faults" in out
    code, out, err = run("check", f"{own_games}:Faulty")
    assert code == 2 and not out and "ways can't be negative" in err
    code, out, err = run("check", f"{own_games}:Faulty", "--json")
    assert code == 2 and len(json.loads(out)["faults"]) == 1 and "1 fault in the rules of Faulty" in one_line(err)


def test_an_edit_within_a_second_is_seen(run, own_games, monkeypatch):
    """Python's bytecode is taken for a file's of the same size and second; the rules are read from the text."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    text = own_games.read_text()
    for prizes, value in (("(1, 3)", 2.25), ("(1, 5)", 3.75)):
        own_games.write_text(text.replace("(1, 3)", prizes))
        os.utime(own_games, (1_000_000_000, 1_000_000_000))
        sys.modules.pop("mygames", None)
        assert json.loads(run("solve", f"{own_games}:Walk", "--length", 2, "--json")[1])["value"] == value


def test_an_edit_within_a_second_is_seen_in_what_is_imported_and_by_a_process_that_goes_on(run, own_games, monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    text, table = own_games.read_text(), own_games.with_name("zz_table.py")
    own_games.write_text(text.replace("(1, 3)", "(1, zz_table.PRIZE)").replace("\n", "\nimport zz_table\n", 1))
    for prize, value in ((3, 2.25), (5, 3.75)):
        table.write_text(f"PRIZE = {prize}\n")
        os.utime(table, (1_000_000_000, 1_000_000_000))
        sys.modules.pop("zz_table", None)
        assert json.loads(run("solve", f"{own_games}:Walk", "--length", 2, "--json")[1])["value"] == value
    library = own_games.parent / "site-packages"
    library.mkdir()
    (library / "zz_library.py").touch()
    monkeypatch.syspath_prepend(str(library))
    own_games.write_text(text + "\nimport zz_library\n")
    assert run("solve", f"{own_games}:Walk", "--length", 2)[0] == 0
    assert [p.name.partition(".")[0] for p in own_games.parent.rglob("*.pyc")] == ["zz_library"]
    for factor in (1, 2):
        own_games.write_text(text.replace("yield 1, ", f"yield 1, {factor} * "))
        os.utime(own_games, (1_000_000_000, 1_000_000_000))
        assert run("solve", f"{own_games}:Walk", "--length", 2)[0] == 0


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("mygames.py", "several games; give one"),
        ("mygames.py:Wlak", "no class 'Wlak'; there is mygames.py:Walk"),
        ("mygames.py:NoGame", "NoGame is no game"),
        ("nothere.py:Walk", "there is no file nothere.py"),
        ("broken.py:Walk", "broken.py can't be read as Python: line 1: "),
        ("fails.py:Walk", "line 2: ZeroDivisionError: division by zero"),
        ("empty.py:Walk", "there is no game in it"),
        ("empty.py", "empty.py has no game (a NamedTuple with the methods start and outcomes)"),
        ("plain.py", "plain.py: a game is a NamedTuple of its parameters: write `class Walk(NamedTuple):`"),
        ("plain.py:Walk", "plain.py: a game is a NamedTuple of its parameters: write `class Walk(NamedTuple):`"),
        ("wide.py:Walk", "wide.py can't be read as Python: source code"),
        ("coding.py:Walk", "coding.py can't be read as Python: unknown encoding: klingon"),
        ("notes.txt", "not a stored solution"),
        (".", "is a directory"),
        ("nothere/x.txt", "there is no file"),
    ],
)
def test_a_file_that_does_not_fit(run, own_games, tmp_path, word, says):
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "fails.py").write_text("x = 1\ny = x / 0\n")
    (tmp_path / "empty.py").write_text("")
    (tmp_path / "plain.py").write_text("class Walk:\n    def start(self): ...\n    def outcomes(self, s): ...\n")
    (tmp_path / "wide.py").write_text("x = 1\n", "utf-16")
    (tmp_path / "coding.py").write_text("# -*- coding: klingon -*-\n")
    (tmp_path / "notes.txt").write_text("nothing")
    code, out, err = run("solve", word)
    assert code == 2 and not out and says in one_line(err)


def test_a_file_with_half_a_game(run, tmp_path):
    (tmp_path / "half.py").write_text("from typing import NamedTuple\nclass Half(NamedTuple):\n    def start(self): ...\n")
    code, out, err = run("solve", "half.py")
    assert code == 2 and not out and "the method `outcomes` is missing" in err


@pytest.mark.parametrize("name", ["game.py", "game.prism", "game.jani", "game.efg", "game.nfg", "game.umb"])
def test_a_device_or_a_pipe_is_no_file_of_rules(run, tmp_path, name):
    """Of /dev/null a command read nothing; it hung where nobody ever writes into a pipe, and where a device has no end."""
    (tmp_path / name).symlink_to(os.devnull)
    code, out, err = run("solve", tmp_path / name)
    assert code == 2 and not out and "is a device or a pipe" in one_line(err)


@pytest.mark.parametrize("does", ["import os\nos.chdir('inner')", "import sys\nsys.path[:] = sys.path[1:]", "import sys\nsys.path = []"])
def test_rules_that_change_the_current_folder_or_the_path_of_modules(run, own_games, tmp_path, monkeypatch, does):
    """Each ended as a traceback; files are written where the user said."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    (tmp_path / "inner").mkdir()
    own_games.write_text(f"{does}\n{own_games.read_text()}")
    code, _, err = run("solve", "mygames.py:Walk", "--length", 2, "-o", "walk.zermelo")
    assert (code, err) == (0, "") and (tmp_path / "walk.zermelo").exists()


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["", "--json"])
def test_rules_that_replace_what_is_printed_to(run, own_games, options):
    """Nothing was printed, and the command ended with 0."""
    own_games.write_text(f"import io, sys\nsys.stdout, sys.stderr = io.StringIO(), io.StringIO()\n{own_games.read_text()}")
    code, out, err = run("solve", "mygames.py:Walk", "--length", 2, *options)
    assert (code, err) == (0, "") and out and (not options or json.loads(out)["game"] == "Walk")


@pytest.mark.parametrize("options", [(), ("--json",)], ids=["", "--json"])
def test_rules_that_close_what_is_printed_to_or_print_without_it(own_games, tmp_path, options):
    """Both streams closed: "lost sys.stderr", and nothing on stdout. What other processes print, and `os.write`, came first in the JSON,
    and what is printed when Python ends came after it."""
    does = "import atexit, os, sys\nos.write(1, b'written\\n')\nos.system('echo a process')\nsys.stdout.close()\nsys.stderr.close()\n"
    does += "atexit.register(os.write, 1, b'the end\\n')\n"
    own_games.write_text(f"{does}{own_games.read_text()}")
    words = [sys.executable, "-m", "zermelo.cli", "solve", "mygames.py:Walk", "--length", "2", *options]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    if options:
        assert json.loads(done.stdout)["game"] == "Walk" and done.stderr == "written\na process\nthe end\n"
    else:
        assert done.stdout.startswith("written\na process\n") and "value" in done.stdout and not done.stderr


def test_files_called_like_libraries_a_backend_that_is_not_there_and_no_home(own_games, tmp_path):
    """Each ended as a traceback: `python -m zermelo` beside a game numpy.py; pictures, started from a notebook that has a backend of its
    own; and rules that import such a file, in whose place a library is needed later."""
    (tmp_path / "numpy.py").write_text(rules := own_games.read_text())
    own_games.write_text(f"import numpy\n{rules}")
    zermelo = [sys.executable, "-m", "zermelo"]
    homeless = {"HOME": str(own_games), "XDG_CONFIG_HOME": "", "XDG_CACHE_HOME": "", "MPLCONFIGDIR": ""}
    backend = {**os.environ, "MPLBACKEND": "module://not_there", **homeless}
    words = ["plot", "numpy.py:Walk", "--length=2", "-o", "w.svg"]
    drawn = subprocess.run([*zermelo, *words], capture_output=True, text=True, cwd=tmp_path, env=backend)
    assert drawn.returncode == 0 and (tmp_path / "w.svg").exists()
    assert one_line(drawn.stderr).startswith("zermelo: matplotlib can't write its folder, so that the first picture")
    done = subprocess.run([*zermelo, "check", "mygames.py:Walk"], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 2 and one_line(done.stderr).endswith("numpy.py is found instead of the library numpy; rename the file\n")


def test_characters_that_the_font_lacks_are_told_in_one_line(run, tmp_path):
    (tmp_path / "rare.py").write_text(
        "from typing import NamedTuple\nclass S(NamedTuple):\n    x: int\n    left: int\nclass Rare(NamedTuple):\n    title = 'Größe 𓀀 𓁀'\n"
        "    def start(self): return S(0, 4)\n"
        "    def actions(self, s):\n        if s.left:\n            yield 0\n            yield 1\n"
        "    def outcomes(self, s, a):\n        yield 1, a, S(s.x + a, s.left - 1)\n        yield 1, 1 - a, S(s.x, s.left - 1)\n"
    )
    code, _, err = run("plot", "rare.py", "-o", "x.png")
    assert code == 0 and (tmp_path / "x.png").exists()
    assert "the font of the pictures lacks 𓀀 𓁀: there are boxes in their place" in one_line(err) and "Glyph" not in err


MATRIX = """
from typing import NamedTuple
class Hands(NamedTuple):
    def rows(self): return range(3)
    def columns(self): return range(3)
    def payoff(self, row, column): return (0, 1, -1)[(row - column) % 3]
"""


@pytest.mark.parametrize("words", ["solve hands.py", "check hands.py:Hands", "solve both.py:Hands", "study both.py:Hands"])
def test_a_matrix_game_without_best_responses_is_told_what_it_lacks(run, own_games, tmp_path, words):
    (tmp_path / "hands.py").write_text(MATRIX)
    (tmp_path / "both.py").write_text(own_games.read_text() + MATRIX)
    code, out, err = run(*words.split())
    assert code == 2 and "a matrix game (`rows`, `columns`, `payoff`) needs `best_row` or `best_column`, too" in out + err
    assert "outcomes" not in out + err


def test_a_file_named_like_a_package_does_no_harm(run, own_games, tmp_path):
    import scipy

    (tmp_path / "scipy.py").write_text(own_games.read_text())
    assert run("check", "scipy.py:Walk", "--length", 4)[0] == 0
    assert sys.modules["scipy"] is scipy
    sys.modules.pop("scipy_of_user", None)


# --- mistakes ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("solve pgi", "no game 'pgi'; did you mean pig?"),
        ("solve - --goal 2", "no game '-'; `zermelo list`"),
        ("solve Pig", "did you mean pig?"),
        ("solv pig", "no command 'solv'; did you mean solve?"),
        ("solve", "missing argument 'GAME'"),
        ("solve pig --gaol 50", "no such option: --gaol; did you mean --goal"),
        ("solve pig --GOAL 50", "no such option: --GOAL; did you mean --goal?"),
        ("solve pig --goal 5 --exact --goal 6", "--goal is given 2 times: give it once"),
        ("puzzle coupons --json --json", "--json is given 2 times"),
        ("solve pig goal=50", "unexpected words: goal=50: a parameter is given as --goal 50"),
        ("solve pig goal 50", "unexpected words: goal 50; parameters and options are named, as in --goal 10 (see --help)"),
        ("list pig", "unexpected words: pig; "),
        ("solve binary-search --exact true", "unexpected words: true; true is --name without a value, false is --no-name"),
        ("pig --goal 50", "no command 'pig'; a game follows a command, as in `zermelo solve pig`"),
        ("mine.py:Mine", "no command 'mine.py:Mine'; a game follows a command, as in `zermelo solve mine.py:Mine`"),
        ("solve pig --goal x", "--goal must be a whole number, not 'x'"),
        ("solve pig --goal 5000", "--goal must be from 1 to 1000, not 5000"),
        ("solve dreidel --min-coins 7", "--min-coins must be one of 0, 1, not 7"),
        ("solve coin-patterns --first HX", "first must be a pattern of the letters H and T, such as HTH, not 'HX'"),
        ("solve coin-patterns --second=", "second must be a pattern"),
        ("solve coin-patterns --flips -1", "--flips must be from 0"),
        ("solve coin-patterns --heads 0", "--heads must be from 1"),
        ("solve pig --discount 2", "zermelo: --discount must be greater than 0"),
        ("solve pig --discount much", "--discount"),
        ("solve pig --max-states 0", "--max-states must be at least 1"),
        ("solve gobblet --max-states 1000", "more than 1,000 states"),
        ("solve pig -o nowhere/x", "there is no directory nowhere"),
        ("solve pig -o .", "it is a directory"),
        ("plot pig", "missing option '--output'"),
        ("plot pig -o x.gif", "must end in one of .png, .svg, .pdf"),
        ("plot pig -o nowhere/x.png", "there is no directory nowhere"),
        ("table pig --goal 20 --view hlod", "no view 'hlod' in pig; did you mean hold?"),
        ("table pig --goal 20 --fix mine", "--fix takes a field of the state and its number, NAME=NUMBER, not "),
        ("table pig --goal 20 --view actions --fix mine=3 --fix mine=4", "--fix gives mine twice: 3 and 4"),
        ("table pig --goal 20 --view states --fix trun=3", "no field 'trun'"),
        ("table pig --goal 20 --view turn --fix mine=21", "no play of Pig to 20 leads to 21 against 0"),
        ("table pig --goal 20 --view hold --limit 5", "belong to the view states"),
        ("table pig --goal 20 --view hold --fix mine=5", "--fix goes with --view"),
        ("table dodgem --view moves --fix cells[0]=2", "it has no computed value (`zermelo table --view actions` works one out)"),
        ("play card-draw --seat 2", "this is no game for two"),
        ("simulate card-draw --plays 0", "plays"),
        ("answer pig x", "only exact-pig has a contest"),
        ("answer exact-pig x", "can't read x: No such file"),
        ("reproduce pgi", "did you mean pig?"),
        ("simulate pig --goal 4 --plays 99999999999999999999999", "zermelo: --plays must be a whole number from 1 to 1000000000000"),
    ],
)
def test_mistakes_are_one_line_and_code_2(run, words, says):
    code, out, err = run(*words.split())
    assert code == 2 and not out and says in one_line(err)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("table pig --fix trun=3", "no field 'trun'"),
        ("table pig --fix foo=3", "there are mine, theirs, turn; --fix goes with --view turn or states or actions"),
        ("table pig --view states --fix trun=3", "no field 'trun' in the states of Pig; did you mean turn?"),
        ("table pig --view turn --fix turn=3", "no field 'turn' in the view turn; there are mine, theirs"),
        ("table pig --rows trun", "no field 'trun' in the states of Pig"),
        ("table hog --view states --columns ours", "no field 'ours'"),
        ("table gobblet --view moves --fix turn=1", "no field 'turn'"),
        ("table lemonade --view day --fix day=1", "no field 'day' in the view day"),
        ("plot pig --view values --fix trun=3 -o x.png", "no field 'trun'"),
        ("plot ten-thousand-race --view rolls --fix banked=1 -o x.png", "no field 'banked' in the view rolls"),
        ("table pig --view states --rows turn --columns turn", "--rows and --columns are both turn: give two fields"),
        ("table connect-four --view states --fix columns[0]=5000", "no state with columns[0]=5000: columns[0] is from 1 to 31"),
        (f"table {__file__}:Countdown --view states --fix left=12", "Countdown has no state with left=12: left is from 0 to 9"),
    ],
)
def test_a_mistyped_field_is_found_before_solving(run, monkeypatch, words, says):
    monkeypatch.setattr("zermelo.solving.solve", lambda *_, **__: pytest.fail("it was solved"))
    code, out, err = run(*words.split())
    assert code == 2 and not out and says in one_line(err)


def test_views_that_are_of_other_games_are_not_said_to_take_fix(run):
    """The view moves is of games that are won, drawn or lost."""
    assert run("table", "pig", "--fix", "foo=3")[2].rstrip().endswith("--fix goes with --view turn or states or actions")


def test_another_file_is_not_overwritten(run, tmp_path):
    precious = tmp_path / "precious.txt"
    precious.write_text("years of work")
    code, _, err = run("solve", "card-draw", "-o", precious)
    assert code == 2 and "exists and is something else" in one_line(err)
    assert precious.read_text() == "years of work"


def test_no_words_show_the_help(run):
    code, out, _ = run()
    assert code == 0 and "zermelo list" in out


def test_version(run):
    import zermelo

    assert run("--version") == (0, f"zermelo {zermelo.__version__}\n", "")


def test_ctrl_c_leaves_one_line_and_no_file(run, tmp_path, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", interrupted)
    assert run("plot", "card-draw", "-o", "x.png") == (130, "", "interrupted\n")
    assert list(tmp_path.iterdir()) == []


# --- what people do with a solution -----------------------------------------------------------------------------------


def test_table(run):
    code, out, _ = run("table", "card-draw", "--view", "spreadsheet")
    assert code == 0
    assert "2.624" in out and "*: stop" in out and "--view spreadsheet; others: values, " in out


def test_table_of_chosen_fields(run):
    words = ("table", "pig", "--goal", 10, "--rows", "turn", "--columns", "mine", "--fix", "theirs=4", "--json")
    data = json.loads(run(*words)[1])
    assert data["columns"][0] == "turn \\ mine" and "theirs=4" in data["title"]


def test_plot(run, tmp_path):
    code, out, _ = run("plot", "card-draw", "-o", "cards.svg", "--view", "boundary")
    assert code == 0 and (tmp_path / "cards.svg").read_text().startswith("<?xml")
    assert json.loads(run("plot", "card-draw", "-o", "cards.svg", "--json")[1]) == {
        "view": "games",
        "file": "cards.svg",
    }


def test_one_play_has_no_standard_error(run):
    """It was nan."""
    for words in (("piglet", "--goal", "2"), ("kuhn-poker",), ("binary-search", "--n", "2")):
        code, out, _ = run("simulate", *words, "--plays", "1")
        assert code == 0 and "1 play" in out and "nan" not in out
    out = run("simulate", "left-center-right", "--players", "2", "--plays", "1")[1]
    assert "  0.000000  " in out and "  1.000000  " in out


def test_a_solution_without_its_rules_has_the_names_of_one_with_them(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("sky.py").write_text(
        "from enum import IntEnum\nfrom typing import NamedTuple\nclass Sky(IntEnum):\n    WET = 1\nclass S(NamedTuple):\n    n: int\n"
        "class Walk(NamedTuple):\n    sky: Sky = Sky.WET\n    payoffs = 'miles', 'rain'\n    def start(self):\n        return S(1)\n"
        "    def outcomes(self, s):\n        if s.n:\n            yield 1, (3, self.sky), S(0)\n"
    )
    with_rules, without = run("solve", "sky.py", "-o", "sky.zermelo")[1], run("solve", "sky.zermelo")[1]
    for said in ("Walk: sky WET", "\n  miles  ", "\n  rain  "):
        assert said in with_rules and said in without


def test_simulate(run):
    code, out, _ = run("simulate", "card-draw", "--plays", 10_000, "--seed", 1)
    assert code == 0 and "10,000 plays, seed 1" in out and "█" in out
    data = json.loads(run("simulate", "card-draw", "--plays", 10_000, "--seed", 1, "--json")[1])
    total = data["totals"]["payoff"]
    assert sum(total["distribution"].values()) == 10_000 and abs(total["z"]) < 4


def test_play_with_typed_words(run, monkeypatch):
    words = iter(["draw", "h", "stop"])
    monkeypatch.setattr("builtins.input", lambda _: next(words))
    code, out, _ = run("play", "card-draw", "--seed", 1)
    assert code == 0 and "you get" in out and "1 of your 2 decisions was a mistake" in out


def test_play_as_json(run, monkeypatch):
    def end(*_):
        raise EOFError

    monkeypatch.setattr("builtins.input", end)
    _, out, err = run("play", "tic-tac-toe", "--seat", 2, "--json")
    assert json.loads(out)["steps"][0]["seat"] == 1 and "You move second" in err


def test_demo(run, tmp_path):
    code, out, err = run("demo")
    assert code == 0 and not err
    assert "41984711742427/15997372030584" in out and "53.0593 %" in out
    assert Path(tmp_path / "card-draw.png").stat().st_size > 50_000


@pytest.mark.usefixtures("in_python")
def test_numbers_are_whole_in_a_narrow_terminal(run, monkeypatch):
    """`simulate` cut its numbers off ("0.4…"), its longest bar went on in the next line, and `reproduce` broke "agrees"."""
    monkeypatch.setenv("COLUMNS", "40")
    out = run("simulate", "pig", "--goal", 10, "--plays", 100, "--seed", 1)[1]
    assert "…" not in out and re.search(r"\n  standard error  0\.\d{4,}\n", out) and max(map(len, out.split("\n"))) <= 40
    monkeypatch.setenv("COLUMNS", "50")
    assert re.search(r"20 +agrees +20", run("reproduce", "solitaire-pig")[1])
