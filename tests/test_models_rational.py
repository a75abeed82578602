"""Rewards that are fractions such as sixths stay rational, from the model to the fraction that is printed. The oracle tries all ways to
play and solves the equations of each in fractions."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest

import zermelo
from naive_models import Explicit, State, eliminated
from zermelo.cli import main
from zermelo.errors import OutOfReach, ZermeloError
from zermelo.foreign import prism
from zermelo.foreign.loading import game_class
from zermelo.uses.property import answer

CASES = 6


def random_chain(r: random.Random, kind: str) -> str:
    """States in a row, with ways forward, back, and to the end; the next one is always possible, so that the end is reached."""
    last = r.randint(3, 5)
    commands = []
    for x in range(last):
        for label in ("a", "b")[: 1 if kind == "dtmc" else r.randint(1, 2)]:
            back = r.randrange(x + 1)
            commands.append(f"[{label}] x={x} -> 1/3 : (x'={x + 1}) + 1/6 : (x'={last}) + 1/2 : (x'={back});")
    items = [f"x={x} : {reward(r)};" for x in range(last) if r.random() < 0.6]
    items += [f"[{label}] {r.choice(('true', 'x>1'))} : {reward(r)};" for label in "ab"]
    items.append(f"x<{last} : x/{r.choice((3, 7, -14))} + {reward(r)} + 2/7;")
    return f"{kind} module m x : [0..{last}]; {' '.join(commands)} endmodule rewards {' '.join(items)} endrewards"


def reward(r: random.Random) -> str:
    return r.choice(("1/6", "1/7", "0.1", "2", "3/4", "0.33333", "min(x, 2)/9", "(x=1 ? 1/3 : 1/5)", "0.2 * x"))


def best_total(explicit: Explicit, goal: int, best: str) -> Fraction:
    """What is gathered until x = goal, by the best of all ways to play."""
    states = [s for s in explicit.choices if s[0] != goal]
    found = [_total(explicit, dict(zip(states, ways, strict=True))) for ways in product(*(range(len(explicit.choices[s])) for s in states))]
    return (max if best == "max" else min)(found)


def _total(explicit: Explicit, way: dict[State, int]) -> Fraction:
    states = list(way)
    rows = []
    for s in states:
        _, label, after = explicit.choices[s][way[s]]
        rows.append([Fraction(t == s) - after.get(t, Fraction(0)) for t in states] + [explicit.paid(s, label, None)])
    return eliminated(rows)[states.index(explicit.start)]


@pytest.mark.parametrize(("kind", "best"), [("dtmc", ""), ("mdp", "min"), ("mdp", "max")])
@pytest.mark.parametrize("seed", range(CASES))
def test_the_fraction_is_that_of_the_model(kind, best, seed, tmp_path):
    r = random.Random(f"{kind}{seed}")
    text = random_chain(r, kind)
    explicit = Explicit(prism.model_of(text, "naive"))
    goal = max(s[0] for s in explicit.choices)
    path = tmp_path / "m.prism"
    path.write_text(text)
    made = game_class(path, f"R{best}=? [ F x={goal} ]")
    expected = best_total(explicit, goal, best)
    exact, about = answer(zermelo.solve(made(), exact=True)), answer(zermelo.solve(made()))
    assert exact.low == exact.value == exact.high == expected, text
    assert about.low <= expected <= about.high, text
    assert about.high - about.low < 1e-9


@pytest.fixture
def asked(tmp_path):
    def ask(text: str, question: str, **parameters):
        path = tmp_path / "m.prism"
        path.write_text(text)
        return answer(zermelo.solve(game_class(path, question, never="never" in parameters)(**parameters), exact=True))

    return ask


WALK = """mdp const int N; module m x : [0..2] init 1; [go] x=1 -> 2/3 : (x'=2) + 1/3 : (x'=1); [rest] x=1 -> true; endmodule
    rewards "time" [go] true : 1/6; [rest] true : 1/N; endrewards"""


def test_an_open_constant_below_the_line(asked):
    """A step costs 1/6 and takes 3/2 tries; to rest costs 1/N."""
    for n in (3, 7, 10):
        assert asked(WALK, "Rmin=? [ F x=2 ]", N=n).value == Fraction(1, 4)
        rest, go = Fraction(1, n), Fraction(1, 6)
        assert asked(WALK, "Rmax=? [ C<=2 ]", N=n).value == max(2 * rest, rest + go, go + max(rest, go) / 3)
        assert asked(WALK, "Rmin=? [ C<=1 ]", N=n).value == min(rest, go)
    with pytest.raises(ZermeloError, match="payoff_unit"):
        asked(WALK, "Rmin=? [ F x=2 ]", N=-3)


def test_what_is_paid_at_the_end_of_an_instant(asked):
    text = """dtmc module m x : [0..1]; [] x=0 -> 1/3 : (x'=1) + 2/3 : (x'=0); [] x=1 -> true; endmodule
        rewards x=0 : 1/7; x=1 : 1/9; endrewards"""
    assert asked(text, "R=? [ I=2 ]").value == Fraction(4, 9) / 7 + Fraction(5, 9) / 9


def test_giving_up_and_thresholds(asked):
    """To rest is free here, so that who wants little would rest forever: but what never gets there costs infinitely much."""
    text = WALK.replace("[rest] true : 1/N;", "").replace("const int N;", "")
    found = asked(text, "Rmin=? [ F x=2 ]", never=1000)
    assert found.low == found.value == found.high == Fraction(1, 4)
    assert asked(text, "Rmax>=1/6 [ C<=1 ]").holds is True
    assert asked(text, 'R{"time"}min<=1/4 [ F x=2 ]', never=1000).holds is True


def test_probabilities_that_have_no_common_denominator_below_2_to_53(tmp_path):
    """No two of these commands can happen in the same state, but for the last two, which are equally likely: each has a sum of its own."""
    text = """dtmc module m s : [0..5]; b : bool;
      [] s=0 -> 1/1000003 : (s'=1) + 1000002/1000003 : (s'=2);
      [a] s=1 & !b -> 1/999983 : (s'=2) + 999982/999983 : (s'=3) & (b'=true);
      [a] s=1 & b -> 2/3 : (s'=0) + 1/3 : (s'=5);
      [a] s=2 -> 0.123456789 : (s'=1) + 0.876543211 : (s'=4);
      [] s=3 -> 1/7 : (s'=2) + 6/7 : (s'=4);
      [] s=3 -> 1/1009 : (s'=1) + 1008/1009 : (s'=5);
      [] s>=4 -> true;
    endmodule rewards [a] true : 1/3; s=3 : 1; endrewards"""
    path = tmp_path / "m.prism"
    path.write_text(text)
    explicit = Explicit(prism.model_of(text, "naive"))
    ends = [s for s in explicit.choices if s[0] >= 4]
    way = {s: 0 for s in explicit.choices if s not in ends}
    found = answer(zermelo.solve(game_class(path, "R=? [ F s>=4 ]")(), exact=True))
    assert found.low == found.value == found.high == _total(explicit, way)


def test_a_denominator_that_is_0_where_another_command_happens(asked):
    """An urn of two red balls among four, drawn one after the other, as in the benchmark nand: the weights of all commands were multiplied
    by the balls that are left, so that the last step had weight 0."""
    text = """dtmc const int N = 4; module m c : [0..N]; red : [0..2] init 2; got : [0..2]; s : [0..1];
      [] s=0 & red<N-c & red>0 -> red/(N-c) : (red'=red-1) & (c'=c+1) & (got'=min(got+1,2)) + 1-red/(N-c) : (c'=c+1) & (got'=0);
      [] s=0 & red=N-c & c<N -> (red'=red-1) & (c'=c+1) & (got'=min(got+1,2));
      [] s=0 & red=0 & c<N -> (c'=c+1) & (got'=0);
      [] s=0 & red=0 & c=N -> (s'=1);
      [] s=1 -> true;
    endmodule"""
    assert asked(text, "P=? [ F got=2 ]").value == Fraction(1, 2)  # the two are neighbours in 3 of 6 orders
    assert asked(text, "P=? [ F s=1 ]").value == 1
    assert asked(text.replace("const int N = 4", "const int N"), "P=? [ F s=1 ]", N=5).value == 1


def test_guards_that_can_hold_together_are_not_taken_apart(asked):
    """p lies between the two: both commands can happen, and are equally likely."""
    text = """dtmc const double p; module m s : [0..4];
      [] s=0 & p>0.5 -> 1/1000003 : (s'=1) + 1000002/1000003 : (s'=2);
      [] s=0 & p<=0.75 -> 1/999983 : (s'=1) + 999982/999983 : (s'=3);
      [] s=1 -> 1/1009 : (s'=2) + 1008/1009 : (s'=3);
      [] s=4 -> 1/7919 : (s'=0) + 7918/7919 : (s'=1);
      [] 1<s & s<4 -> true;
    endmodule"""
    first, second, third = Fraction(1, 1000003), Fraction(1, 999983), Fraction(1, 1009)
    assert asked(text, "P=? [ F s=2 ]", p=0.625).value == (1 - first + (first + second) * third) / 2


def test_every_state(asked):
    found = asked(WALK.replace("const int N;", "const int N = 5;"), "filter(sum, Rmin=? [ F x=2 ], x>0)")
    assert found.value == Fraction(1, 4)


def test_what_people_read_is_in_the_unit_of_the_model(tmp_path, capsys):
    path = tmp_path / "m.prism"
    path.write_text(WALK)
    assert main(["solve", str(path), "--property", 'R{"time"}min=? [ F x=2 ]', "--N", "7", "--exact"]) == 0
    said = capsys.readouterr().out
    assert "= 1/4 = 0.25" in said
    assert "1/4 = 0.250000 time" in said
    assert main(["translate", str(path), "--property", 'R{"time"}min=? [ F x=2 ]', "--const", "N=7"]) == 0
    assert "payoff_unit = ('time', 42)" in capsys.readouterr().out


def test_decimals_that_are_added(asked):
    """0.1 + 0.2 is no short decimal as floats have it."""
    text = """dtmc module m x : [0..1]; [a] x=0 -> 1/2 : (x'=1) + 1/2 : (x'=0); [] x=1 -> true; endmodule
        rewards x=0 : 0.1; [a] true : 0.2; endrewards"""
    assert asked(text, "R=? [ F x=1 ]").value == Fraction(6, 10)


def test_a_refusal_says_how_a_constant_stays_exact(tmp_path, capsys):
    """Rules compute with a constant that is a parameter as floats do; it said only to multiply ways by a common denominator."""
    path = tmp_path / "m.prism"
    model = """dtmc const double risk; const int N; module m x : [0..2];
        [] x=0 -> risk : (x'=1) + risk * risk : (x'=0) + 1 - risk - risk * risk : (x'=2); [] x>0 -> N : true; endmodule"""
    path.write_text(model)
    asked = ["solve", str(path), "--property", "P=? [ F x=1 ]", "--exact", "--N", "1"]
    for value, exactly, proven in (("0.1", "1/10", "10/99"), (str(1 / 3), "1/3", "3/8")):
        assert main([*asked, "--risk", value]) == 2
        said = capsys.readouterr().err
        assert said.endswith(f"; a constant that is given with --const is read exactly: --const risk={exactly}\n")
        assert main([*asked, "--const", f"risk={exactly}"]) == 0
        assert f"= {proven} = " in capsys.readouterr().out
    assert main([*asked, "--risk", "0.12345678901234"]) == 2
    assert capsys.readouterr().err.endswith("--const risk=0.12345678901234\n")


def test_never_is_in_the_unit_of_the_model(tmp_path, capsys):
    """It was in the unit of the rules, which nobody sees: 94 was 94/60 for rewards of 1/6 and 0.1."""
    path = tmp_path / "m.prism"
    path.write_text("mdp module m x:[0..2]; [a] x=0 -> 1/2:(x'=1) + 1/2:true; [] x>0 -> true; endmodule "
                    'rewards "r" [a] true : 7/6; [a] x=0 : 0.1; endrewards')  # fmt: skip
    value = 2 * (Fraction(7, 6) + Fraction(1, 10))
    assert main(["solve", str(path), "--property", "Rmin=? [ F x=1 ]", "--never", "3", "--exact"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert str(value) in out and "the reward less 3 (`never`)" in out
    assert main(["solve", str(path), "--property", "Rmin=? [ F x=1 ]", "--never", "2", "--exact"]) == 2
    assert "gives up, as never=2 costs less" in capsys.readouterr().err
    for path_formula in ("Fc x=1", "C"):
        made = game_class(path, f"Rmin=? [ {path_formula} ]", never=True)
        assert zermelo.solve(made(never=3), exact=True).property.value == value
        with pytest.raises(OutOfReach, match="gives up, as never=2 costs less"):
            zermelo.solve(made(never=2))
