"""Thresholds of rewards that are infinite somewhere, against a second reading of the semantics (naive_models.py)."""

from __future__ import annotations

import json
import math
import operator
import random
from fractions import Fraction

import pytest

import zermelo
from naive_models import Explicit
from test_models_random import random_model
from zermelo.cli import main
from zermelo.errors import NoValue, OutOfReach
from zermelo.foreign import prism
from zermelo.foreign.loading import game_class, translation
from zermelo.kernels.kernel import only

CASES = 4  # of each kind; 60 were tried
RELATIONS = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt}

# From x=0, [b] leads to where 3 is never reached; [c] leads there half the time; [d] costs 4.
MODEL = """mdp
module m
  x : [0..3] init 0;
  [b] x=0 -> (x'=1);
  [] x=1 -> true;
  [c] x=0 -> 0.5 : (x'=2) + 0.5 : (x'=1);
  [d] x=0 -> (x'=3);
  [] x=2 -> (x'=3);
  [] x=3 -> (x'=2);
endmodule
rewards "r" [b] true : 1/2; [d] true : 4; x=2 : 1; endrewards"""


@pytest.fixture
def word(tmp_path):
    path = tmp_path / "m.prism"
    path.write_text(MODEL)
    return str(path)


QUESTIONS = [
    ('R{"r"}max>=1/4 [ F x=3 ]', True, None),
    ('R{"r"}max<=1/4 [ F x=3 ]', False, None),
    ('R{"r"}min<=4 [ F x=3 ]', True, None),
    ('R{"r"}min<4 [ F x=3 ]', False, None),
    ('R{"r"}>=4 [ F x=3 ]', True, None),  # over all strategies: min
    ('filter(forall, R{"r"}>=0 [ F x=3 ])', True, None),
    ('filter(count, R{"r"}min<=100 [ F x=3 ])', None, 3),
    ('filter(count, R{"r"}max>100 [ F x=3 ])', None, 2),
    ('filter(exists, R{"r"}min<1 [ F x=3 ], x<2)', False, None),
    ('filter(state, R{"r"}min>100 [ F x=3 ], x=1)', True, math.inf),
    ('Pmax>=1 [ F (R{"r"}min>100 [ F x=3 ]) ]', True, None),
    ('Pmax>=1 [ (R{"r"}min<=3 [ F x=3 ]) R<=3 (R{"r"}min<=4 [ F x=3 ]) ]', True, None),
    ('filter(count, P<=0 [ F (R{"r"}min>100 [ F x=3 ]) ])', None, 2),
]  # fmt: skip
COMPILED = QUESTIONS[10:11]  # a threshold of rewards inside of a path's bound, which is one, too


@pytest.mark.parametrize(
    ("tier", "property", "holds", "count"), [("interpreted", *q) for q in QUESTIONS] + [("compiled", *q) for q in COMPILED]
)
def test_infinity_decides(tmp_path, word, property, holds, count, tier):
    """As soon as one state was infinite, there was no answer."""
    if tier == "compiled":  # fewer commands take less time to compile
        word = str(tmp_path / "short.prism")
        lines = [line for line in MODEL.splitlines() if not line.startswith(("  [c]", "  [] x=2", "  [] x=3"))]
        (tmp_path / "short.prism").write_text("\n".join(lines).replace("; x=2 : 1;", ";"))
    with only(tier):
        found = zermelo.solve(f"{word}:{property}", exact=True).property
    assert found.holds is holds
    assert count is None or found.value == count
    if count == math.inf:
        assert "true (infinite)" in found.line


@pytest.mark.parametrize(("property", "holds", "count"), [QUESTIONS[i] for i in (1, 6, 9, 12)])
def test_infinity_decides_on_the_command_line_and_in_studies(word, capsys, property, holds, count):
    assert main(["solve", word, "--property", property, "--exact", "--json"]) == 0
    told = json.loads(capsys.readouterr().out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))["property"]
    assert told.get("holds") is holds
    assert told["value"] == (None if count == math.inf else count) or count is None
    (row,) = zermelo.study(f"{word}:{property}", exact=True).rows
    assert row.holds is holds


def test_other_verbs(word, tmp_path, capsys):
    """A translation is a game of its own, and certificates are those of the game in which play is cut off."""
    question, file = 'filter(count, R{"r"}min<=100 [ F x=3 ])', str(tmp_path / "cut.py")
    assert main(["translate", word, "--property", question, "-o", file]) == 0
    assert main(["solve", file, "--exact"]) == 0
    certificate = str(tmp_path / "cut.zermelo.json")
    assert main(["solve", word, "--property", question, "--exact", "--certificate", certificate]) == 0
    assert main(["verify", certificate, f"{word}:{question}"]) == 0
    for verb in (["check"], ["simulate", "--plays", "9"], ["table"]):
        assert main([verb[0], word, "--property", question, *verb[1:]]) == 0
    capsys.readouterr()


def test_where_the_start_is_finite_there_is_a_number(word):
    found = zermelo.solve(f'{word}:R{{"r"}}min>=3.5 [ F x=3 ]', exact=True).property
    assert (found.holds, found.value) == (True, Fraction(4))


def test_no_number_is_an_answer_where_the_value_is_infinite(word):
    with pytest.raises(NoValue, match="infinite"):
        zermelo.solve(f'{word}:R{{"r"}}max=? [ F x=3 ]')


def test_open_constants_are_left_open(tmp_path, word):
    """Which states are infinite depends on N: it is asked when N is known."""
    path = tmp_path / "open.prism"
    path.write_text(MODEL.replace("mdp", "mdp const int N;").replace("[d] x=0", "[d] x<N"))
    question = 'R{"r"}min<=4 [ F x=3 ]'
    assert translation(path, question).needed == ("N",)
    with pytest.raises((NoValue, OutOfReach)):
        zermelo.solve(f"{path}:{question}", N=0)
    for n, holds in (("0", False), ("1", True)):
        assert zermelo.solve(game_class(path, question, {"N": n})(), exact=True).property.holds is holds


@pytest.mark.parametrize("kind", ["dtmc", "mdp", "smg"])
@pytest.mark.parametrize("seed", range(CASES))
def test_as_a_second_reading_says(tmp_path, kind, seed):
    r = random.Random(f"{kind}{seed}")
    text = random_model(r, kind)
    explicit, path = Explicit(prism.model_of(text, "naive")), tmp_path / "m.prism"
    path.write_text(text)
    who, best = "<<p0>> " if kind == "smg" else "", r.choice(("max", "min")) if kind != "dtmc" else ""
    goal, relation = r.choice(("x1=1", "x0=1 & x1=0", "x0+x1>1", "!(x0=0 | x1=1)")), r.choice(list(RELATIONS))
    bound = r.choice((0.003, 1.37, 4.91))
    question = prism.properties_of(f"{who}R{best}=? [ F {goal} ]", explicit.model)["1"]
    answers = explicit.answers(question)
    meets = {state: RELATIONS[relation](answers[state], bound) for state in list(explicit.choices)[:12]}
    states = " | ".join("(" + " & ".join(f"{n}={v}" for n, v in zip(explicit.names, s, strict=True)) + ")" for s in meets)
    asked = f"{who}R{best}{relation}{bound} [ F {goal} ]"
    for property, expected in ((asked, meets[explicit.start]), (f"filter(count, {asked}, {states})", sum(meets.values()))):
        try:
            found = zermelo.solve(game_class(path, property)()).property
        except OutOfReach as error:
            assert "never" in str(error)
            found = zermelo.solve(game_class(path, property, never=True)(never=10**5)).property
        assert (found.holds if property == asked else found.value) == expected, f"{text}\n{property}"
