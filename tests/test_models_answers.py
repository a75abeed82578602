"""Answers to properties of models, in Python and wherever values are shown: they need not be the value of the translated game."""

from __future__ import annotations

import csv
import json
import math
import shlex
import sys
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.cluster.sources import shipped
from zermelo.errors import OutOfReach, ParameterError, RulesError, ZermeloError
from zermelo.foreign.model import ModelError
from zermelo.foreign.modules import question_about
from zermelo.foreign.scope import rational_log, rational_power, whole_log
from zermelo.kernels.kernel import only
from zermelo.language.parameters import packed
from zermelo.language.rules_text import rules_hash
from zermelo.serve.api import summary
from zermelo.studies.machines import _solve
from zermelo.studies.row import Options, decoded
from zermelo.views import table as tables

CLIMB = """dtmc
const int N;
module m
  x : [0..N] init 0;
  [] x<N -> 0.75:(x'=x+1) + 0.25:(x'=0);
  [] x=N -> true;
endmodule
rewards "r"
  x<N : 1/3;
endrewards
"""

SEVERAL = """mdp
const int N;
module m
  x : [0..3];
  y : [0..N];
  [] x<3 -> 0.75:(x'=x+1) + 0.25:(x'=0);
  [] x<3 -> 0.5:(x'=x+1) + 0.5:(x'=x);
  [] x=3 -> true;
endmodule
rewards "r"
  x<3 : 1/3;
endrewards
init x<2 & y=N endinit
"""

THREE_QUARTERS = Fraction(3, 4)
STAYS = "P=? [ G<=4 x<N ]"
MOST = "Pmax=? [ F<=3 x=3 ]"


@cache
def climbs(goal: int, x: int, steps: int) -> Fraction:
    """The probability that the first model gets to its goal in so many steps."""
    if x == goal:
        return Fraction(1)
    return Fraction(0) if steps == 0 else THREE_QUARTERS * climbs(goal, x + 1, steps - 1) + climbs(goal, 0, steps - 1) / 4


@cache
def best(x: int, steps: int, choose=max) -> Fraction:
    """The same of the second model, with the better of its two commands; `choose` min: with the worse one."""
    if x == 3:
        return Fraction(1)
    if steps == 0:
        return Fraction(0)
    on, back, here = (best(at, steps - 1, choose) for at in (x + 1, 0, x))
    return choose(THREE_QUARTERS * on + back / 4, (on + here) / 2)


def waits(goal: int) -> Fraction:
    """The mean number of steps of the first model: e(x) = 1 + 3/4 e(x+1) + 1/4 e(0), with e(x) = a(x) + b(x) e(0)."""
    a, b = Fraction(0), Fraction(0)
    for _ in range(goal):
        a, b = 1 + THREE_QUARTERS * a, THREE_QUARTERS * b + Fraction(1, 4)
    return a / (1 - b)


@pytest.fixture
def climb(tmp_path: Path) -> str:
    return written(tmp_path, "climb.prism", CLIMB)


@pytest.fixture
def several(tmp_path: Path) -> str:
    return written(tmp_path, "several.prism", SEVERAL)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path / "cache"))


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


# --- in Python --------------------------------------------------------------------------------------------------------


def test_one_minus_the_value(climb):
    expected = 1 - climbs(3, 0, 4)
    found = zermelo.solve(f"{climb}:{STAYS}", N=3, exact=True)
    assert found.property.value == found.property.low == found.property.high == expected
    assert found.value == 1 - expected
    assert f"{STAYS} = {expected.numerator}/{expected.denominator}" in repr(found)
    assert f"{STAYS} = {expected.numerator}/{expected.denominator}" in str(found.property)
    shown = found._repr_html_()
    assert "value of the translated game: 1 - P" in shown and "property" in shown
    near = zermelo.solve(f"{climb}:{STAYS}", N=3).property
    assert near.low <= expected <= near.high and near.high - near.low < 1e-12


def test_a_scaled_reward_and_a_threshold(climb):
    found = zermelo.solve(f'{climb}:R{{"r"}}=? [ F x=N ]', N=3, exact=True)
    assert found.property.value == waits(3) / 3 and found.value == waits(3)
    for bound, holds in ((waits(3) / 3, True), (waits(3) / 3 + 1, False)):
        assert zermelo.solve(f'{climb}:R{{"r"}}>={bound} [ F x=N ]', N=3, exact=True).property.holds is holds
    assert zermelo.solve(f"{climb}:P>=0.5 [ G<=4 x<N ]", N=3).property.holds is (1 - climbs(3, 0, 4) >= Fraction(1, 2))


def test_several_states(several):
    values = {f"x={x} & y=3": best(x, 3) for x in (0, 1)}
    found = zermelo.solve(f"{several}:{MOST}", N=3, exact=True).property
    assert found.value is None and (found.low, found.high) == (min(values.values()), max(values.values()))
    assert {s.state: s.value for s in found.states} == values
    assert (found.least[0], found.most[0]) == (found.low, found.high)
    worst = [best(x, 3, min) for x in (0, 1)]  # a threshold is about every strategy
    for bound in (worst[0], worst[1], worst[1] + Fraction(1, 100)):
        found = zermelo.solve(f"{several}:P>={bound} [ F<=3 x=3 ]", N=3, exact=True).property
        assert found.value is None and [s.holds for s in found.states] == [w >= bound for w in worst]
        assert found.holds is (min(worst) >= bound)


def test_other_games_have_no_property():
    assert zermelo.solve("pig", goal=5).property is None
    assert zermelo.matrix_game([[1, 0], [0, 1]]).property is None
    assert zermelo.study("pig", goal=[3, 4]).property is None


def test_a_filter_without_states_can_be_shown(climb):
    found = zermelo.solve(f"{climb}:filter(max, P=? [ F x=N ], x=7)", N=3)
    assert "holds in no state" in repr(found) and "holds in no state" in found._repr_html_()
    with pytest.raises(OutOfReach, match="holds in no state"):
        _ = found.property


# --- studies ----------------------------------------------------------------------------------------------------------


def test_a_study_answers_the_property(climb):
    found = zermelo.study(f"{climb}:{STAYS}", N="1..4", exact=True)
    expected = [1 - climbs(n, 0, 4) for n in range(1, 5)]
    assert [row.value for row in found.rows] == expected and found.property == STAYS
    table = found.table()
    assert table.columns[:4] == ("N", STAYS, "low", "high") and [row[1] for row in table.rows] == expected
    assert [row.value for row in zermelo.study(f"{climb}:{STAYS}", N="1..4", exact=True).rows] == expected  # from disk
    assert zermelo.study(f"{climb}:{STAYS}", N="1..4", exact=True).from_disk == 4
    slopes = found.slope("N")
    assert [s.slope for s in slopes] == [b - a for a, b in zip(expected, expected[1:], strict=False)]
    (crossing,) = found.root("N", 0.5)
    assert (crossing.start, crossing.end) == (3, 4) and expected[2] < Fraction(1, 2) < expected[3]
    axes = found.figure().axes[0]
    assert axes.get_ylabel() == STAYS and axes.lines[0].get_ydata().tolist() == [float(x) for x in expected]
    with pytest.raises(ParameterError, match="not the answer to .*1 - P"):
        found.derivatives("N")


def test_properties_with_the_same_rules_are_kept_apart(climb):
    """P [ F x=N ] and 1 - P [ G x<N ] have one game."""
    reached = zermelo.study(f"{climb}:P=? [ F<=4 x=N ]", N=[3], exact=True).rows[0]
    stays = zermelo.study(f"{climb}:{STAYS}", N=[3], exact=True).rows[0]
    assert reached.value == climbs(3, 0, 4) and stays.value == 1 - climbs(3, 0, 4)
    assert not stays.from_disk


def test_a_machine_of_a_cluster_answers_the_property(climb):
    found = zermelo.solve(f"{climb}:{STAYS}", N=2).game
    sent = shipped(type(found), rules_hash), question_about(type(found)), Options(exact=True), True
    row = decoded({"N": 2}, json.loads(_solve(sent, packed(found)))["row"])
    assert row.value == 1 - climbs(2, 0, 4)


def test_derivatives_of_probabilities(tmp_path):
    rules = "[] x=0 -> p:(x'=1) + 1-p:(x'=2);\n [] x=1 -> p:(x'=2) + 1-p:(x'=1);"
    text = f"dtmc\nconst double p;\nmodule m\n x : [0..2];\n {rules}\nendmodule\n"
    found = zermelo.study(f"{written(tmp_path, 'p.prism', text)}:P=? [ F<=2 x=2 ]", p=[0.25, 0.5])
    assert [d.derivative for d in found.derivatives("p")] == [2 * Fraction(p) - 1 for p in (0.25, 0.5)]  # of 1 - p + p^2


def test_a_study_of_rewards_and_thresholds(climb):
    found = zermelo.study(f'{climb}:R{{"r"}}=? [ F x=N ]', N="1..3", exact=True)
    assert [row.value for row in found.rows] == [waits(n) / 3 for n in (1, 2, 3)] and found.measure is None
    truths = zermelo.study(f"{climb}:P>=0.5 [ G<=4 x<N ]", N="1..4")
    assert [row.holds for row in truths.rows] == [1 - climbs(n, 0, 4) >= Fraction(1, 2) for n in range(1, 5)]
    assert [row[1] for row in truths.table().rows] == ["false", "false", "false", "true"]
    assert all(row.low <= 1 - climbs(n, 0, 4) <= row.high for n, row in enumerate(truths.rows, 1))


def test_a_study_of_several_states(several):
    found = zermelo.study(f"{several}:{MOST}", N="1..2", exact=True)
    assert all(row.value is None and (row.least[0], row.most[0]) == (best(0, 3), best(1, 3)) for row in found.rows)
    assert [row[1] for row in found.table().rows] == [best(0, 3)] * 2 and [row[4] for row in found.table().rows] == [best(1, 3)] * 2
    for refused in (lambda: found.slope("N"), lambda: found.root("N"), found.figure, lambda: found.derivatives("N")):
        with pytest.raises(ParameterError, match="a range of values answers .* ask for filter"):
            refused()
    gives_up = zermelo.study(f'{several}:R{{"r"}}min=? [ F x=3 ]', N=[2], never=1000)
    low = [row.least[0] for row in gives_up.rows]
    expected = zermelo.solve(f'{several}:R{{"r"}}min=? [ F x=3 ]', N=2, never=1000).property.least[0]
    assert low == [expected] and 0 < expected < 10


def test_a_study_of_filters(climb):
    def column(asked: str) -> list[object]:
        return [row[1] for row in zermelo.study(f"{climb}:{asked}", N="1..3", exact=True, processes=1).table().rows]

    chances = [[climbs(n, x, 3) for x in range(n)] for n in (1, 2, 3)]
    assert column("filter(max, P=? [ F<=3 x=N ], x<N)") == [max(c) for c in chances]
    assert column("filter(sum, P=? [ F<=3 x=N ], x<N)") == [sum(c) for c in chances]
    assert column("filter(count, P>=0.7 [ F<=3 x=N ], x<N)") == [sum(v >= Fraction(7, 10) for v in c) for c in chances]
    assert column("filter(forall, P>=0.7 [ F<=3 x=N ], x<N)") == [str(min(c) >= Fraction(7, 10)).lower() for c in chances]
    assert all(f"x={n - 1}" in str(said) for n, said in enumerate(column("filter(argmax, P=? [ F<=3 x=N ], x<N)"), 1))
    table = zermelo.study(f"{climb}:filter(range, P=? [ F<=3 x=N ], x<N)", N="1..3", exact=True).table()
    assert [(row[1], row[4]) for row in table.rows] == [(min(c), max(c)) for c in chances]


def test_a_study_on_the_command_line(climb, several, tmp_path, capsys):
    assert main(["study", climb, "--property", STAYS, "--N", "3..4", "--fair", "N", "--fair-value", "0.5", "--slope", "N"]) == 0
    out = capsys.readouterr().out
    assert f"N  {STAYS}" in out and f"{float(1 - climbs(3, 0, 4))}" in out and "between N=3" in out
    assert main(["study", climb, "--property", STAYS, "--N", "3", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["property"] == STAYS and data["rows"][0]["value"] == pytest.approx(float(1 - climbs(3, 0, 4)))
    rows = tmp_path / "rows.csv"
    assert main(["study", several, "--property", MOST, "--N", "2", "-o", str(rows)]) == 0
    with rows.open() as file:
        (row,) = csv.DictReader(file)
    ends = [float(row[f"{MOST}: {end}"]) for end in ("least", "most")]
    assert ends == pytest.approx([float(best(0, 3)), float(best(1, 3))])
    for option in (["--slope", "N"], ["--fair", "N"], ["--plot", str(tmp_path / "p.png")]):
        capsys.readouterr()
        assert main(["study", several, "--property", MOST, "--N", "1..2", *option]) == 2
        assert "a range of values answers" in capsys.readouterr().err
    assert main(["study", "pig", "--goal", "3", "--json"]) == 0
    assert "holds" not in json.loads(capsys.readouterr().out)["rows"][0]


# --- tables, plays, the page, files -----------------------------------------------------------------------------------


def test_values_are_labelled(climb, tmp_path, capsys):
    other, same = zermelo.solve(f"{climb}:{STAYS}", N=3), zermelo.solve(f"{climb}:P=? [ F<=4 x=N ]", N=3)
    for view in (tables.VIEWS["states"].make, tables.VIEWS["actions"].make):
        assert view(other).notes[-1] == "values are those of the translated game: 1 - P"
        assert not any("translated" in note for note in view(same).notes)
    scaled = tables.VIEWS["states"].make(zermelo.solve(f'{climb}:R{{"r"}}=? [ F x=N ]', N=3))
    assert "3 times what the model pays" in scaled.notes[-1] and not any("translated" in note for note in scaled.printed.notes)
    assert summary(other)["note"] == "values are those of the translated game: 1 - P" and "note" not in summary(same)
    assert main(["simulate", climb, "--property", STAYS, "--N", "3", "--plays", "50"]) == 0
    assert "values are those of the translated game: 1 - P" in capsys.readouterr().out
    assert main(["simulate", climb, "--property", STAYS, "--N", "3", "--plays", "50", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["note"] == "values are those of the translated game: 1 - P"
    assert main(["solve", climb, "--property", STAYS, "--N", "3"]) == 0
    assert "(of the translated game: 1 - P)" in " ".join(capsys.readouterr().out.split())
    assert main(["plot", climb, "--property", STAYS, "--N", "3", "-o", str(tmp_path / "values.svg")]) == 0


def test_a_probability_is_no_win_or_draw(tmp_path, capsys):
    text = """smg
player one [a] endplayer
player two [b] endplayer
module m
  x : [0..2];
  [a] x=0 -> (x'=1);
  [b] x=1 -> (x'=2);
endmodule
"""
    for asked, value in (("<<one>> Pmax=? [ F x=2 ]", "1"), ("<<one>> Pmax=? [ F<=1 x=2 ]", "0")):
        assert main(["solve", written(tmp_path, "smg.prism", text), "--property", asked]) == 0
        out = capsys.readouterr().out
        assert f"{asked} = {value}" in out and not any(word in out for word in ("draw", "win", "loss", "wins", "loses"))


def test_files_name_the_model(climb, tmp_path, capsys):
    file, certificate = str(tmp_path / "g.zermelo"), str(tmp_path / "g.cert")
    words = [climb, "--property", STAYS, "--N", "3"]
    assert main(["solve", *words, "-o", file, "--certificate", certificate]) == 0
    assert zermelo.open(file, type(zermelo.solve(f"{climb}:{STAYS}", N=3).game)).property.text == STAYS
    capsys.readouterr()
    assert main(["verify", certificate, climb, "--property", STAYS]) == 0
    assert f"the value of the game that {STAYS} was translated to, 1 - P, is between" in capsys.readouterr().out
    assert main(["verify", certificate, f"{climb}:{STAYS}"]) == 0
    assert main(["verify", certificate, "pig", "--property", STAYS]) == 2
    for name in [n for n, m in sys.modules.items() if n.startswith("climb_")]:
        del sys.modules[name]  # as in another process
    capsys.readouterr()
    assert main(["solve", file]) == 0
    assert "need not be the answer to its property" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(ZermeloError, match=r"say where its rules are, as '.*climb\.prism:P=\? \[ G<=4 x<N \]'"):
        zermelo.verify(certificate)


def test_the_command_that_checks_a_model_s_certificate_works(climb, tmp_path, capsys):
    certificate = str(tmp_path / "g.cert")
    for words in ([climb, "--property", STAYS, "--const", "N=3"], [f"{climb}:{STAYS}", "--N", "3"]):
        assert main(["solve", *words, "--certificate", certificate]) == 0
        said = capsys.readouterr().out.rpartition("certificate written to ")[2].partition(": ")[2].removesuffix(" checks it\n")
        assert main(shlex.split(said)[1:]) == 0
    assert main(["solve", climb, "--property", STAYS, "--const", "N=3", "--certificate", certificate]) == 0
    assert main(["verify", certificate, climb, "--property", STAYS]) == 2
    assert "with constants that were given: give N as well (--const, as for solving)" in capsys.readouterr().err


def test_a_property_of_a_player_who_may_give_up_is_verified(several, tmp_path):
    certificate, asked = str(tmp_path / "n.cert"), 'R{"r"}min=? [ F x=3 ]'
    assert main(["solve", several, "--property", asked, "--N", "2", "--never", "1000", "--certificate", certificate]) == 0
    assert main(["verify", certificate, several, "--property", asked]) == 0
    assert zermelo.verify(certificate, f"{several}:{asked}").verified


@pytest.mark.parametrize("asked", [STAYS, "P>=0.9 [ F x=N ]", 'R{"r"}=? [ F x=N ]'])
def test_models_are_not_discounted(climb, asked, capsys):
    for ask in (zermelo.solve, zermelo.plan):
        with pytest.raises(ParameterError, match="is a property of a model, which discounts nothing"):
            ask(f"{climb}:{asked}", N=3, discount=0.9)
    with pytest.raises(ParameterError, match="discounts nothing"):
        zermelo.study(f"{climb}:{asked}", N=[3], discount=0.9)
    assert main(["solve", climb, "--property", asked, "--N", "3", "--discount", "0.5"]) == 2
    assert "discounts nothing" in capsys.readouterr().err


# --- faults of models -------------------------------------------------------------------------------------------------


def told(folder: Path, text: str, asked: str, **parameters) -> str:
    with pytest.raises(ZermeloError) as caught:
        zermelo.solve(f"{written(folder, 'faulty.prism', text)}:{asked}", **parameters)
    return str(caught.value)


@pytest.mark.parametrize("tier", ["interpreted", "compiled"])
def test_errors_name_the_command_and_its_line(tmp_path, tier):
    with only(tier):
        found = told(tmp_path, CLIMB.replace("x+1", "x+2"), "P=? [ F<=5 x=N ]", N=3)
        assert "x is not in its range at State(x=4, steps=3) (faulty.prism: x, line 4)" in found
        fixed = CLIMB.replace("const int N;", "const int N=3;").replace("x+1", "x+2")
        found = told(tmp_path, fixed, "P=? [ F<=5 x=N ]")
        assert "x is 4, and the model declares it from 0 to 3 (faulty.prism: m, line 5)" in found and "state class" not in found
        found = told(tmp_path, CLIMB.replace("x<N : 1/3", "x<N : 1/(x-1)"), 'R{"r"}=? [ C<=3 ]', N=3)
        assert "division by zero at State(x=1" in found and "(faulty.prism: rewards, line 9)" in found
        found = told(tmp_path, CLIMB.replace("x<N : 1/3", "x<N : mod(5, x)"), 'R{"r"}=? [ C<=3 ]', N=3)
        assert "mod by a number that is not positive at State(x=0" in found and "(faulty.prism: rewards, line 9)" in found
    assert "ZeroDivisionError" not in found and "raised" not in found


def test_errors_far_from_the_start_name_the_command(tmp_path):
    text = """mdp
module m
  x : [0..3000];
  y : [1..3] init 1;
  [a] x<2000 -> 0.5:(x'=x+1) + 0.5:(x'=x);
  [b] x=2000 -> (y'=y+9);
endmodule
"""
    found = told(tmp_path, text, "Pmax=? [ F y=10 ]")
    assert "action 1 (b) is State(x=2000, y=10): y is 10, and the model declares it from 1 to 3 (faulty.prism: [b], line 6)" in found


def test_commands_without_a_condition_are_named(tmp_path):
    text = "dtmc\nmodule m\n  x : [0..3];\n  [] x=0 -> (x'=1);\n  [go] true -> (x'=x+1);\nendmodule\n"
    found = told(tmp_path, text, "P=? [ F x=9 ]")
    assert "x is 4" in found and "(faulty.prism: [go], line 5)" in found


EXPRESSION = """dtmc
module m
  x : [-9..9] init -7;
  y : [0..3] init 2;
  [] true -> true;
endmodule
rewards true : {expression}; endrewards
"""


def worth(folder: Path, expression: str, more: str = "", exact: bool = True):
    path = written(folder, "expression.prism", EXPRESSION.format(expression=expression) + more)
    return zermelo.solve(f"{path}:R=? [ I=0 ]", exact=exact).property.value


@pytest.mark.parametrize(("expression", "value"), [
    ("floor(log(1000, 10))", 3), ("ceil(log(125, 5))", 3), ("floor(log(9, 3))", 2), ("log(8, 2)", 3), ("log(8, 4)", Fraction(3, 2)),
    ("floor(2 * log(8, 4))", 3), ("floor(log(10, 2))", 3), ("ceil(log(10, 2))", 4), ("floor(log(1000000000000001, 10))", 15),
    ("ceil(log(1000000000000001, 10))", 16), ("floor(log(999999999999999, 10))", 14), ("log(0.001, 10) + 4", 1),
    ("floor(log(0.002, 10)) + 4", 1), ("ceil(log(0.002, 10)) + 4", 2), ("floor(log(2, 0.1)) + 4", 3), ("log(100, 0.1) + 4", 2),
    ("floor(k)", 3), ("ceil(g)", 4), ("pow(4, 0.5)", 2), ("pow(8/27, 1/3)", Fraction(2, 3)),
    ("floor(log(y + 998, 10))", 3), ("ceil(log(y + 998, 10))", 3), ("ceil(log(y + 999, 10))", 4), ("floor(log(y, 2))", 1),
])  # fmt: skip
def test_logarithms_are_decided_by_powers(tmp_path, expression, value):
    assert worth(tmp_path, expression, "const double k = log(1000, 10);\nformula g = log(1001, 10);\n") == value


@pytest.mark.parametrize("expression", ["log(10, 2)", "pow(2, 0.5)", "log(y + 6, 2)", "round(log(10, 2))", "floor(3 * log(y + 6, 2))"])
def test_irrational_numbers_are_not_exact(tmp_path, expression):
    with pytest.raises(OutOfReach, match="no value is proven to be exact, as the model computes .*, which floats round"):
        worth(tmp_path, expression)
    expected = {
        "log(10, 2)": math.log2(10), "pow(2, 0.5)": 2**0.5, "log(y + 6, 2)": 3, "round(log(10, 2))": 3, "floor(3 * log(y + 6, 2))": 9,
    }  # fmt: skip
    assert worth(tmp_path, expression, exact=False) == pytest.approx(expected[expression])


def test_floats_that_are_too_close_are_refused(tmp_path):
    for expression in ("floor(2 * log(999999999999999, 10))", "log(1000000000000001, 10) > 15 ? 1 : 0"):
        with pytest.raises(ModelError, match="too close to be decided"):
            worth(tmp_path, expression, exact=False)


def test_rational_logarithms_against_powers():
    for base in (Fraction(2), Fraction(3), Fraction(3, 2), Fraction(10), Fraction(1, 7)):
        for m in range(-6, 7):
            for n in (1, 2, 3, 5):
                assert rational_log(base**m, base**n) == Fraction(m, n) and rational_log(base**m, base**-n) == Fraction(-m, n)
    for a in range(2, 60):
        for b in range(2, 60):
            found = rational_log(Fraction(a), Fraction(b))
            assert (found is not None) == any(a**i == b**j for i in range(1, 7) for j in range(1, 7))
            floor, ceil = (whole_log(op, Fraction(a), Fraction(b)) for op in ("floor", "ceil"))
            assert b**floor <= a < b ** (floor + 1) and b ** (ceil - 1) < a <= b**ceil
    assert rational_power(Fraction(27, 8), Fraction(2, 3)) == Fraction(9, 4) and rational_power(Fraction(2), Fraction(1, 2)) is None


@pytest.mark.parametrize(("expression", "error"), [
    ("mod(-7, -3)", "mod.-7, -3.: the divisor must be positive"), ("mod(7, 0)", "the divisor must be positive"),
    ("mod(7, y - 2)", "mod by a number that is not positive"), ("mod(7, y - 5)", "mod by a number that is not positive"),
    ("pow(2, -1)", "no power below 0"), ("pow(2, y - 5)", "a whole number to a power below 0"),
    ("floor(log(y - 2, 2))", "a logarithm that is no number"), ("1/(y - 2)", "division by zero"),
    ("y/0", "division by 0"), ("y/0 = 0.1 ? 1 : 0", "division by 0"), ("1/y + 1/(y/0)", "division by 0"),
])  # fmt: skip
def test_functions_have_the_domain_that_prism_gives_them(tmp_path, expression, error):
    with pytest.raises((ModelError, RulesError), match=error):
        worth(tmp_path, expression)


@pytest.mark.parametrize(("expression", "value"), [
    ("mod(7, y)", 1), ("mod(x, 3)", 2), ("pow(2, y)", 4), ("pow(y, y - 1)", 2), ("pow(2.0, -1)", Fraction(1, 2)),
    ("pow(2.0, y - 5)", Fraction(1, 8)), ("(false => false => false) ? 1 : 0", 0), ("(true => false => false) ? 1 : 0", 1),
    ("(false <=> false <=> false) ? 1 : 0", 0), ("true ? 2 : 1/0", 2), ("1=0 ? mod(y, 0) : 2", 2), ("(false & 1/0>1) ? 1 : 2", 2),
    ("(true | mod(1, 0)=0) ? 2 : 1", 2), ("(false => 1/0>1) ? 2 : 1", 2),
])  # fmt: skip
def test_functions_and_chains(tmp_path, expression, value):
    assert worth(tmp_path, expression) == value


@pytest.mark.parametrize(("asked", "error"), [
    ("P=? [ F[3,2] x=N ]", "no number of steps is at least 3 and at most 2"),
    ("P=? [ F<0 x=N ]", "no number of steps is below 0"), ("P=? [ F[-1,2] x=N ]", "no number of steps is below 0"),
    ('P=? [ F{"r"}[3,1] x=N ]', "its upper end below its lower one"),
    ("P>=1.5 [ F x=N ]", "must lie between 0 and 1, and 3/2 does not"), ("P<-0.1 [ F x=N ]", "must lie between 0 and 1"),
    ("P=? [ F P>=2 [ X x=N ] ]", "must lie between 0 and 1"),
])  # fmt: skip
def test_bounds_that_mean_nothing(tmp_path, asked, error):
    text = CLIMB.replace("const int N;", "const int N=3;")
    with pytest.raises(ZermeloError, match=error):
        zermelo.solve(f"{written(tmp_path, 'bounds.prism', text)}:{asked}")


def test_bounds_with_open_constants(tmp_path):
    path = written(tmp_path, "open.prism", CLIMB + "const int k;\n")
    for asked, k, error in (("F<=k", -1, "a number of steps is below 0"), ("F[k,2]", 3, "the least number of steps is above the most")):
        with pytest.raises(ParameterError, match=error):
            zermelo.solve(f"{path}:P=? [ {asked} x=N ]", N=2, k=k)
    assert zermelo.solve(f"{path}:P=? [ F[k,2] x=N ]", N=2, k=2, exact=True).property.value == THREE_QUARTERS**2
    assert zermelo.solve(f"{path}:P=? [ F<=k x=N ]", N=2, k=3, exact=True).property.value == climbs(2, 0, 3)
