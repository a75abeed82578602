"""Thresholds inside of properties: the set of states in which they hold, against an oracle in fractions."""

from __future__ import annotations

from fractions import Fraction

import pytest

from test_models_filters import CHANCE, KINDS, STATES, asked, solved, walk
from zermelo.cli import main
from zermelo.errors import ZermeloError

CHOICE = """mdp
const int N;
module m
  x : [-1..6];
  [up] x<6 -> 1/2 : (x'=x+1) + 1/2 : (x'=max(x-1,-1));
  [jump] x<5 -> 1/3 : (x'=x+2) + 2/3 : (x'=-1);
endmodule"""

GAME = CHOICE.replace("mdp", "smg player one [up] endplayer player two [down] endplayer").replace(
    "[up] x<6 ->", "mine : bool; [down] !mine -> (mine'=true) & (x'=max(x-1,-1)); [up] mine & x<6 ->"
).replace("[jump] x<5 -> 1/3", "[up] mine & x<5 -> 1/3").replace("2/3 : (x'=-1)", "2/3 : (x'=-1) & (mine'=false)")  # fmt: skip


WIDE = KINDS.replace("x : [0..5]", "x : [0..5000000]").replace("init x>0 & x<3 & !b endinit", "")


def after_one(where: set, at) -> Fraction:
    return sum((p for p, then in walk(at) if then in where), Fraction(0))


def test_sets_of_a_chain(tmp_path):
    inner = {s for s in STATES if after_one({t for t in STATES if t[1]}, s) >= Fraction(1, 4)}
    assert 0 < len(inner) < len(STATES)
    ends = {s: Fraction(1) for s in inner} | {s: Fraction(0) for s in STATES if s not in inner and walk(s) == [(Fraction(1), s)]}
    expected = solved(STATES, ends)
    found = asked(tmp_path, KINDS, "filter(sum, P=? [ F P>=1/4 [ X b ] ])")
    assert found.low == found.value == found.high == sum(expected.values())
    likely = {s for s, v in CHANCE.items() if v > Fraction(1, 9)}
    both = {s for s in STATES if s in likely and after_one(likely, s) < 1}
    found = asked(tmp_path, KINDS, "filter(count, P>=1 [ F<=0 P>1/9 [ F x=4 ] & P<1 [ X P>1/9 [ F x=4 ] ] ])")
    assert found.value == len(both)
    found = asked(tmp_path, KINDS, "filter(max, P=? [ F x=4 ], !P>1/9 [ F x=4 ])")
    assert found.value == max(v for s, v in CHANCE.items() if s not in likely)


def steps(x: int) -> list[list[tuple[Fraction, int]]]:
    """What can be chosen in a state of the process, and what follows."""
    up, jump = [(Fraction(1, 2), x + 1), (Fraction(1, 2), max(x - 1, -1))], [(Fraction(1, 3), x + 2), (Fraction(2, 3), -1)]
    return [up] * (x < 6) + [jump] * (x < 5) or [[(Fraction(1), x)]]


def best(x: int, where: set[int], left: int) -> Fraction:
    """The greatest chance of getting there within so many steps."""
    if x in where or left == 0:
        return Fraction(x in where)
    return max(sum(p * best(t, where, left - 1) for p, t in ways) for ways in steps(x))


@pytest.mark.parametrize("bound", [Fraction(1, 3), Fraction(1, 2)])
@pytest.mark.parametrize("op", ["<=", "<"])
def test_of_an_mdp_a_threshold_is_about_all_that_may_happen(tmp_path, op, bound):
    text = CHOICE.replace("const int N;", "")
    most = {x: max(sum(p for p, t in ways if t == 4) for ways in steps(x)) for x in range(-1, 7)}
    fails = {x for x, chance in most.items() if chance > bound or op == "<" and chance == bound}
    assert asked(tmp_path, text, f"filter(count, P{op}{bound} [ X x=4 ])").value == 8 - len(fails)
    assert asked(tmp_path, text, f"Pmax=? [ F<=4 !P{op}{bound} [ X x=4 ] ]").value == best(-1, fails, 4)


def test_coalitions(tmp_path):
    """One can reach 6 at once from 5 with 1/2 if it is its turn, whatever the other does; and two never gives it the chance at -1."""
    text = GAME.replace("const int N;", "")
    found = asked(tmp_path, text, "filter(print, <<one>> P>=1/2 [ X x=6 ])")
    assert {s.state for s in found.states} == {"x=5 & mine"} | {s.state for s in found.states if "x=6" in s.state}
    assert asked(tmp_path, text, "<<one>> Pmax=? [ F<=9 <<one>> P>=1/2 [ X x=6 ] ]").value == asked(
        tmp_path, text, "<<one>> Pmax=? [ F<=9 x=5 & mine | x=6 & mine & false ]"
    ).value


def test_constants_must_be_known(tmp_path, capsys):
    path = tmp_path / "model.prism"
    path.write_text(CHOICE)
    words = ["solve", str(path), "--property", "Pmax=? [ F<=N P>=1/2 [ X x>0 ] ]", "--exact"]
    assert main([*words, "--const", "N=3"]) == 0
    written = capsys.readouterr().out
    assert main([*words, "--N", "3"]) == 0  # only what is outside depends on it
    assert "1/27" in written and "1/27" in capsys.readouterr().out
    words = ["solve", str(path), "--property", "Pmax=? [ F P>=1/2 [ F<=N x>0 ] ]", "--exact"]
    assert main([*words, "--N", "3"]) == 2
    assert "is solved first: give --const N=..." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "property", "said"),
    [
        (KINDS, "P=? [ F P=? [ X b ] ]", "property:1: P=? [ X b ] is a number, and inside of a property it must be a threshold"),
        (KINDS, "P=? [ F\n P>=x [ X b ] ]", "the bound must be a number"),
        (WIDE, "P=? [ F P>=0.5 [ X b ] ]", "read where the ranges allow 4,000,000 states, not 10,000,002"),
        (KINDS, 'label "l" = P>=0.5 [ X b ]; P=? [ F "l" ]', "property:1: a P or R in a label is not read; write it into the property"),
        (KINDS, "P=? [ F Pmax>=0.5 [ X y=1 ] ]", "y is no constant, formula or variable"),
    ],
)
def test_refused(tmp_path, text, property, said):
    with pytest.raises(ZermeloError) as error:
        asked(tmp_path, text, property)
    assert said in str(error.value)
