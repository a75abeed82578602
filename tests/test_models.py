"""Models in PRISM's language: values known by hand, what properties mean, and what is refused."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import NoValue, OutOfReach, ParameterError, RulesError, ZermeloError
from zermelo.foreign import grammar, parsers
from zermelo.foreign.loading import game_class, translation
from zermelo.foreign.modules import question_about
from zermelo.serve.server import Server
from zermelo.uses.property import answer

WALK = """
dtmc
const int N;                      // a walk between 0 and N, by steps of a fair coin
module walker
  x : [0..N] init 1;
  [step] x>0 & x<N -> 0.5 : (x'=x-1) + 1/2 : (x'=x+1);
  [] x=0 | x=N -> true;
endmodule
rewards "steps" [step] true : 1; endrewards
label "rich" = x=N;
"""

CHOICE = """
mdp
module m                                           // a loop that costs nothing, one that costs, and a trap
  x : [0..5] init 0;
  [wait] x=0 -> true;
  [go]   x=0 -> 0.5:(x'=1) + 0.5:(x'=0);
  [risk] x=0 -> 0.5:(x'=3) + 0.5:(x'=4);
  [on]   x=1 -> 1/3:(x'=3) + 2/3:(x'=0);
  [end]  x=4 -> true;
endmodule
rewards "cost"
  [go] true : 1;
  [on] true : 1;
  x=4 : 1;
endrewards
rewards "thirds" [go] true : 1/3; endrewards
label "goal" = x=3;
"""

DUEL = """
smg
player one [a], first endplayer
player two [b], [c] endplayer
global turn : [0..1];
module first
  done : bool;
  [a] turn=0 & !done -> 1/3 : (done'=true) + 2/3 : (turn'=1);
  [] turn=0 & !done -> 1/4 : (done'=true) + 3/4 : (turn'=1);
endmodule
module second
  lost : bool;
  [b] turn=1 & !lost -> 1/2 : (lost'=true) + 1/2 : (turn'=0);
  [c] turn=1 & !lost -> 1/5 : (lost'=true) + 4/5 : (turn'=0);
endmodule
"""


@pytest.fixture
def model(tmp_path: Path):
    def write(text: str, name: str = "model.prism") -> str:
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def asked(word: str, property: str, **parameters):
    return zermelo.solve(f"{word}:{property}", exact=True, **parameters)


def worth(word: str, property: str, **parameters):
    found = answer(asked(word, property, **parameters))
    assert found is not None
    assert found.low == found.value == found.high
    return found.value


# --- values known by hand ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("property", "n", "value"),
    [
        ('P=? [ F "rich" ]', 10, Fraction(1, 10)),  # the gambler's ruin
        ("P=? [ F x=0 ]", 10, Fraction(9, 10)),
        ("P=? [ G x<N ]", 10, Fraction(9, 10)),
        ("P=? [ x<3 U x=0 ]", 10, Fraction(2, 3)),  # ruined before 3
        ("P=? [ x<3 W x=0 ]", 10, Fraction(2, 3)),
        ("P=? [ F<=1 x=0 ]", 10, Fraction(1, 2)),
        ("P=? [ F<=3 x=0 ]", 10, Fraction(5, 8)),
        ("P=? [ F<4 x=0 ]", 10, Fraction(5, 8)),
        ("P=? [ F[2,3] x=0 ]", 10, Fraction(5, 8)),  # it stays there
        ("P=? [ F[2,3] x=1 ]", 10, Fraction(1, 4)),
        ("P=? [ F>=2 x=1 ]", 10, Fraction(4, 9)),  # to 2, and back before N: 1/2 * 8/9
        ("P=? [ X x=2 ]", 10, Fraction(1, 2)),
        ("P=? [ G<=2 x>0 ]", 10, Fraction(1, 2)),
        ('R{"steps"}=? [ F x=0 | x=N ]', 10, 9),  # x * (N - x)
        ('R{"steps"}=? [ C ]', 10, 9),
        ("R=? [ C<=2 ]", 10, Fraction(3, 2)),
        ("R{1}=? [ I=1 ]", 10, 0),  # no state pays
    ],
)
def test_a_walk(model, property, n, value):
    assert worth(model(WALK), property, N=n) == value


@pytest.mark.parametrize(
    ("property", "value"),
    [
        ("Pmax=? [ F x=3 ]", 1),
        ("Pmin=? [ F x=3 ]", 0),
        ("Pmax=? [ F x=4 ]", Fraction(1, 2)),
        ("Pmin=? [ G x!=4 ]", Fraction(1, 2)),
        ("Pmax=? [ G x!=4 ]", 1),
        ("Pmax=? [ F<=2 x=3 ]", Fraction(1, 2)),
        ("Rmax=? [ C<=2 ]", 2),  # go, and then on or go once more
    ],
)
def test_choices(model, property, value):
    assert worth(model(CHOICE), property) == value


def test_a_loop_without_reward_is_no_way_around_a_goal(model):
    """Rmin: from 0 it is 1 + (1/2) (1 + (2/3) r) + (1/2) r = r, so r = 9; to wait forever costs infinitely much, not nothing."""
    word = model(CHOICE)
    assert worth(word, 'Rmin=? [ F "goal" ]', never=1000) == 9
    with pytest.raises(ZermeloError, match="never"):
        asked(word, 'Rmin=? [ F "goal" ]')
    with pytest.raises(OutOfReach, match="gives up, as never=5 costs less"):
        asked(word, 'Rmin=? [ F "goal" ]', never=5)


def test_infinite_rewards_are_told(model):
    with pytest.raises(NoValue, match="infinite.*the start among them"):
        asked(model(CHOICE), 'Rmax=? [ F "goal" ]')
    with pytest.raises(NoValue, match="infinite"):
        asked(model(WALK), "R=? [ F x=0 ]", N=5)


def test_states_of_infinite_value_are_told_where_the_start_has_one(model):
    text = """mdp
    module m
      x : [0..3];
      [a] x=0 -> (x'=3);
      [b] x=0 -> (x'=1);
      [c] x=1 -> (x'=2);
      [d] x=2 -> (x'=1);
    endmodule
    rewards [a] true : 5; [b] true : 7; endrewards"""
    solution = asked(model(text), "Rmin=? [ F x=3 ]")
    assert solution.value == 5
    assert any("in 2 of 4 states" in note and "infinite" in note for note in solution.report.notes)


def test_two_players(model):
    """The first hits with 1/3, the second with 1/2: w = 1/3 + 2/3 * 1/2 * w = 1/2; in the worst case of both, 1/4 and 1/5."""
    word = model(DUEL)
    assert worth(word, "<<one>> Pmax=? [ !lost U done ]") == Fraction(1, 2)
    assert worth(word, "<<1>> Pmax=? [ !lost U done ]") == Fraction(1, 2)
    assert worth(word, "<<two>> Pmin=? [ !lost U done ]") == Fraction(1, 2)
    assert worth(word, "<<one,two>> Pmin=? [ !lost U done ]") == Fraction(1, 4) / (1 - Fraction(3, 4) * Fraction(1, 2))
    assert worth(word, "<<one,two>> Pmax=? [ !lost U done ]") == Fraction(1, 3) / (1 - Fraction(2, 3) * Fraction(4, 5))
    assert worth(word, "<<>> Pmin=? [ !lost U done ]") == worth(word, "<<one,two>> Pmax=? [ !lost U done ]")


@pytest.mark.parametrize(
    ("property", "holds"),
    [
        ("<<one>> P>=0.5 [ !lost U done ]", True),
        ("<<one>> P>0.5 [ !lost U done ]", False),
        ("<<two>> P<=1/2 [ !lost U done ]", True),
        ("<<two>> P<0.4 [ !lost U done ]", False),
    ],
)
def test_thresholds(model, property, holds):
    found = answer(asked(model(DUEL), property))
    assert found is not None
    assert found.holds is holds


def test_thresholds_of_an_mdp_are_about_all_that_may_happen(model):
    word = model(CHOICE)
    assert answer(asked(word, "P<=0.5 [ F x=4 ]")).holds is True
    assert answer(asked(word, "P>=0.1 [ F x=3 ]")).holds is False


def test_an_interval_across_the_bound_decides_nothing(model):
    found = answer(zermelo.solve(f"{model(WALK)}:P>=1/3 [ F x=0 ]", N=3))
    assert found is not None
    assert (found.low <= Fraction(1, 3)) or found.holds is True
    word = model("dtmc module m x:[0..2]; [] x=0 -> 0.5:(x'=1)+0.5:(x'=0); endmodule rewards true : 1; endrewards")
    assert answer(zermelo.solve(f"{word}:R>=2 [ F x=1 ]")).holds in (None, True)
    assert answer(asked(word, "R>=2 [ F x=1 ]")).holds is True
    assert answer(asked(word, "R>2 [ F x=1 ]")).holds is False


# --- the language ------------------------------------------------------------------------------------------------------


def test_modules_together_renamed_and_formulas(model):
    text = """mdp
    const int K = 2;
    formula last = x=K;                               // is renamed with x
    formula both = last & y=K;
    module one
      x : [0..K];
      [tick] !last -> 1/2 : (x'=x+1) + 1/2 : true;
      [tick] last -> true;
    endmodule
    module two = one [ x=y ] endmodule
    rewards "ticks" [tick] !both : 1; endrewards"""
    # the longer of two waits for two heads each
    word = model(text)
    expected = sum(1 - (1 - Fraction(n + 1, 2**n)) ** 2 for n in range(200))
    assert abs(float(expected) - float(worth(word, "Rmax=? [ F both ]"))) < 1e-12
    assert worth(word, "Rmax=? [ F both ]") == worth(word, "Rmin=? [ F both ]")


def test_many_commands_together_are_looped_over(model):
    """Ten modules with three commands each for one label: 59,049 choices are not written out."""
    one = """module m0
      x0 : [0..2];
      [t] x0=0 -> 0.5 : (x0'=1) + 0.5 : (x0'=2);
      [t] x0=1 -> (x0'=2);
      [t] x0=2 -> true;
    endmodule
    """
    more = "\n".join(f"module m{i} = m0 [ x0=x{i} ] endmodule" for i in range(1, 6))
    done = " & ".join(f"x{i}=2" for i in range(6))
    word = model(f"dtmc\n{one}{more}\nrewards true : 1; endrewards")
    text = zermelo.foreign.loading.translation(Path(word), f"R=? [ F {done} ]").text
    assert len(text.splitlines()) < 255  # of which the title and `show` take four, whatever the model
    assert worth(word, f"R=? [ F {done} ]") == 1 + (1 - Fraction(1, 2) ** 6)


def test_commands_of_a_dtmc_are_equally_likely(model):
    """As with PRISM: two commands that can happen are chosen by a coin, whatever their weights."""
    text = """dtmc
    module m
      x : [0..4];
      [] x=0 -> (x'=1);
      [] x=0 -> 1/3 : (x'=2) + 2/3 : (x'=3);
    endmodule"""
    assert worth(model(text), "P=? [ F x=1 ]") == Fraction(1, 2)
    assert worth(model(text), "P=? [ F x=2 ]") == Fraction(1, 6)


def test_probabilities_of_the_state(model):
    text = """dtmc
    const int N;
    module urn
      r : [0..9] init 3;
      n : [1..9] init N;
      over : bool;
      [] !over & r>0 & n>r -> r/n : (r'=r-1) & (n'=n-1) + 1-r/n : (over'=true);
    endmodule"""
    assert worth(model(text), "P=? [ F r=0 ]", N=5) == Fraction(3 * 2 * 1, 5 * 4 * 3)


def test_constants_written_into_the_rules_stay_exact(model, capsys):
    word = model("dtmc const double p; module m x:[0..2]; [] x=0 -> p:(x'=1) + (1-p):(x'=2); endmodule")
    assert main(["solve", word, "--property", "P=? [ F x=1 ]", "--const", "p=1/3", "--exact"]) == 0
    assert "1/3 = 0.333333333333333" in capsys.readouterr().out
    assert main(["solve", word, "--property", "P=? [ F x=1 ]", "--p", "0.1", "--exact"]) == 0
    assert "1/10 = 0.1" in capsys.readouterr().out


def test_multiples_of_open_probabilities_are_not_taken_for_probabilities(model):
    """The rules pay out p, p and 2 (1 - p), which sum to 2: the model's own numbers sum to 1."""
    text = """dtmc
    const double p;
    const int N;
    module m
      x : [0..100000] init 0;
      [] x<N & x<60000 -> p/2 : (x'=N) + p/2 : (x'=N+1) + (1-p) : (x'=x+1);
    endmodule"""
    for n in (2, 3000):  # also beyond the states that are examined
        solution = zermelo.solve(f"{model(text)}:P=? [ F x=N+1 ]", p=0.75, N=n)
        assert solution.report.notes == () and solution.low <= 0.5 * (1 - 0.25**n) <= solution.high


def test_the_only_initial_state(model):
    text = "dtmc module m x:[0..5]; y:[0..5]; [] x<5 -> (x'=x+1); endmodule init x=2 & y=x+1 endinit rewards true:1; endrewards"
    assert worth(model(text), "R=? [ F x=5 ]") == 3
    wide = "; ".join(f"v{k} : [0..9]" for k in range(9))
    given = " & ".join(f"(v{k}={k})" for k in range(1, 9))
    text = f"dtmc module m {wide}; b : bool; [] b & v0<5 -> (v0'=v0+1); endmodule init {given} & v0*2=v4 & b=true endinit"
    assert worth(model(text + " rewards true:1; endrewards"), "R=? [ F v0=5 ]") == 3
    with pytest.raises(ZermeloError, match="holds in no state"):
        asked(model(text.replace("& b=true", "& b & v1=2")), "P=? [ F v0=5 ]")


def test_a_filter_over_the_initial_state_is_the_value_there(model, capsys):
    """Where there is one, the least, the greatest and the mean value of the initial states are one."""
    word = model("dtmc module m x:[0..3]; [] x=0 -> 1/4:(x'=1) + 3/4:(x'=2); [] x>0 -> true; endmodule rewards x=0 : 5; endrewards")
    for kind in ("min", "max", "avg", "sum", "first", "state", "print", "printall"):
        assert worth(word, f'filter({kind}, P=? [ F x=1 ], "init")') == Fraction(1, 4)
    assert worth(word, 'filter(max, R=? [ F x=1 | x=2 ], "init")') == 5
    assert main(["solve", word, "--property", 'filter(forall, P>=1/4 [ F x=1 ], "init")', "--exact"]) == 0
    assert "true" in capsys.readouterr().out


def test_constants_on_which_the_property_does_not_depend_need_not_be_given(model, capsys):
    """They were demanded: of a file of properties all constants, also those of the others."""
    text = WALK + "const int K; const double p; const bool b; formula twice = 2*K;"
    path = model(text)
    asked = ["--property", "const int T; P=? [ F x=N ]", "--N", "3", "--exact"]
    assert main(["solve", str(path), *asked]) == 0
    out = capsys.readouterr().out
    assert "P=? [ F x=N ] = 1/3" in out
    assert main(["solve", str(path), *asked, "--K", "5", "--p", "0.3", "--b"]) == 0
    assert "P=? [ F x=N ] = 1/3" in capsys.readouterr().out
    assert main(["solve", str(path), "--property", "P=? [ F x=N ]", "--K", "5"]) == 2
    assert "needs --N" in capsys.readouterr().err
    assert main(["solve", str(path), "--property", "P=? [ F x=twice ]", "--N", "3"]) == 2
    assert "needs --K" in capsys.readouterr().err


def test_ranges_too_wide_for_a_state_are_not_declared(model, capsys):
    wide = "; ".join(f"x{i} : [0..1000000]" for i in range(4))
    word = model(f"dtmc module m {wide}; [] x0<3 -> 0.5 : (x0'=x0+1) + 0.5 : (x1'=1) & (x0'=3); endmodule")
    assert main(["solve", word, "--property", "P=? [ F x1>0 ]", "--exact"]) == 0
    out, err = capsys.readouterr()
    assert "= 7/8" in out
    assert err == ""
    word = model(f"dtmc module m {wide}; [] x0<3 -> (x1'=x1+600000); endmodule")
    assert main(["solve", word, "--property", "P=? [ F x0>0 ]"]) == 2
    assert "x1 is not in its range" in capsys.readouterr().err


LEAVING = "dtmc const int N; module m x:[0..N]; [] x<5 -> (x'=x+1); endmodule"


def test_a_range_of_an_open_constant_is_checked(model):
    assert worth(model(LEAVING), "P=? [ F x=5 ]", N=5) == 1
    with pytest.raises(RulesError, match=r"x is not in its range at State\(x=5\)"):
        asked(model(LEAVING), "P=? [ F x=5 ]", N=4)


@pytest.mark.parametrize(
    ("kind", "updates", "said"),
    [
        ("mdp", "x/4 : (x'=x+1) + 1/2 : (x'=0)", r"do not sum to 1 \(line 1\) at State\(x=0\)"),
        ("dtmc", "x/4 : (x'=x+1) + 1/2 : (x'=0)", r"do not sum to 1 \(line 1\) at State\(x=0\)"),
        ("mdp", "(x+2)/4 : (x'=x+1)", r"do not sum to 1 \(line 1\) at State\(x=0\)"),
        ("mdp", "p : (x'=x+1) + p*x : (x'=0)", r"do not sum to 1 \(line 1\) at State\(x=0\)"),
        ("mdp", "(x-1)/4 : (x'=x+1) + 1-(x-1)/4 : (x'=0)", r"a probability is -0.25 at State\(x=0\), action 0.*: \(x - 1\) / 4 \("),
        ("dtmc", "1-3*p*x : (x'=x+1) + 3*p*x : (x'=0)", r"a probability is -0.5 at State\(x=2\): 1 - 3 \* p \* x \("),
    ],
)
def test_probabilities_of_the_state_must_sum_to_one(model, kind, updates, said):
    with pytest.raises(RulesError, match=said):
        asked(model(f"{kind} const double p; module m x:[0..3]; [] x<3 -> {updates}; endmodule"), "P=? [F x=3]" if kind == "dtmc" else
              "Pmax=? [F x=3]", p=0.25)  # fmt: skip


def test_what_sums_to_one_by_algebra_is_not_asked_for(model, capsys):
    text = "mdp const double p; module m x:[0..3]; [] x<3 -> p*x/3 : (x'=3) + (3-x)*p/3 : (x'=2) + 1-p : (x'=x+1); endmodule"
    assert main(["translate", model(text), "--property", "Pmin=? [F x=3]"]) == 0
    assert "assert" not in capsys.readouterr().out


@pytest.mark.parametrize("many", [0, 12])  # of further commands, with which they are looped over
def test_signs_of_two_modules_do_not_cancel(model, many):
    more = "".join(f" [a] x=9 & y={k} -> ({{v}}'={k});" for k in range(many))
    one = "module m{i} {v}:[0..99]; [a] {v}=0 -> {v}-1 : ({v}'=1) + 2-{v} : ({v}'=2);" + more + " endmodule"
    text = "mdp " + "".join(one.format(i=i, v=v) for i, v in enumerate("xy"))
    with pytest.raises(RulesError, match="a probability is below 0"):
        asked(model(text), "Pmax=? [ F x=2 & y=2 ]")


def test_hundreds_of_commands(model):
    """An `elif` for each was nested too deeply to be read."""
    moves = " ".join(f"[a{k}] x={k} -> 1/2 : (x'={k + 1}) + 1/2 : (x'=0);" for k in range(600))
    word = model(f"mdp module m x:[0..600]; {moves} [b] x>0 -> (x'=x-1); endmodule")
    assert asked(word, "Pmax=? [ F x=3 ]").value == pytest.approx(1, abs=1e-12)


def test_labels_that_every_model_has(model):
    word = model("dtmc module m x:[0..9] init 4; [] x>0&x<6 -> 1/3:(x'=x-1) + 2/3:(x'=x+1); endmodule")
    assert worth(word, 'P=? [ F "deadlock" & x>0 ]') == pytest.approx(1 - (2**-4 - 2**-6) / (1 - 2**-6))
    assert worth(word, 'P=? [ X F "init" ]'.replace("X F", "F[2,2]")) == pytest.approx(4 / 9)
    assert worth(word, 'P=? [ G !"deadlock" ]') == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("property", "states"),
    [
        ("Pmax=? [ F x=5 ]", "1 state, such as x=4"),
        ("Pmax=? [ F[2,8] x=5 ]", "6 states, such as x=4, steps=1"),
        ("Rmax=? [ I=3 ]", "2 states, such as x=4, steps=0"),
        ('Pmax=? [ F "deadlock" ]', ""),
        ("Pmax=? [ F x>2 ]", ""),
    ],
)
def test_deadlocks_are_told(model, capsys, property, states):
    text = "mdp module m x:[0..5]; [a] x<4 -> 1/3:(x'=x+1) + 2/3:(x'=x+2); [b] x=5 -> true; endmodule rewards x=1 : 2; endrewards"
    assert main(["solve", model(text), "--property", property]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"nothing can happen in {states}" in out or not states
    assert ("a deadlock" in out) == bool(states)


@pytest.mark.parametrize(
    ("guard", "paid"), [("x*1e-20+0.1+1e-18>0.1", "1"), ("true", "0.1+1e-18"), ("true", "1e-400"), ("true", "(x+1)*1e-20")]
)
def test_numbers_of_too_many_digits_are_not_exact(model, guard, paid):
    """Floats round them; what followed was proven as if it were exact: the first guard never holds in floats, as with PRISM."""
    word = model(f"mdp module m x:[0..2]; [a] x=0 & {guard} -> (x'=1); endmodule rewards [a] true : {paid}; endrewards")
    with pytest.raises(OutOfReach, match="which floats round"):
        zermelo.solve(f"{word}:Rmax=? [ C<=1 ]", exact=True)
    assert zermelo.solve(f"{word}:Rmax=? [ C<=1 ]").property.value >= 0


@pytest.mark.parametrize(("guard", "paid"), [("1/(x+10)=0.1", "0.1"), ("x/(x+10)+0.3=0.3", "1/10"), ("1e-20>0", "0.1")])
def test_numbers_that_look_like_too_many_digits(model, guard, paid):
    word = model(f"mdp module m x:[0..2]; [a] x=0 & {guard} -> (x'=1); endmodule rewards [a] true : {paid}; endrewards")
    assert worth(word, "Rmax=? [ C<=1 ]") == Fraction(1, 10)


def test_a_reward_that_no_float_holds(model):
    word = model("mdp module m x:[0..2]; [a] x=0 -> (x'=1); endmodule rewards x=0 : 1e400; endrewards")
    with pytest.raises(RulesError, match="below 2\\^63"):
        worth(word, "Rmax=? [ C<=1 ]")


def test_there_is_no_deadlock_to_stay_in_where_something_can_always_happen(model):
    """The rules yielded an action where `found` was false, which it never is: compiled rules were refused."""
    for kind, best in (("mdp", "max"), ("dtmc", "")):
        word = model(f"{kind} module m x:[0..2]; [a] x<2 -> (x'=x+1); [] true -> true; endmodule rewards x=1 : 1; endrewards")
        text = translation(Path(word), f"R{best}=? [ C<=3 ]").text
        assert "found" not in text
        assert worth(word, f"R{best}=? [ C<=3 ]") == (2 if best else 1)  # 1/2 after the first step, 1/4 + 1/4 after the second


@pytest.mark.parametrize(("kind", "who", "best"), [("dtmc", "", ""), ("mdp", "", "max"), ("smg", "<<p>> ", "max")])
def test_a_model_in_which_nothing_can_ever_happen(model, kind, who, best):
    """It was refused, and ended in an IndentationError where several states are asked about."""
    players = "player p m, [a] endplayer" if kind == "smg" else ""
    text = f"{kind}\n{players} module m x : [0..2]; [a] x>5 & false -> (x'=0); endmodule rewards x=1 : 1; endrewards"
    word = model(text)
    asked = [f"P{best}=? [ F x=1 ]", f"P{best}=? [ G x=0 ]", f"R{best}=? [ C<=3 ]"]
    assert [worth(word, f"{who}{a}") for a in asked] == [0, 1, 0]
    assert worth(word, "filter(count, x=0)") == 1
    assert worth(model(f"{text} init x<2 endinit"), f"filter(sum, {who}P{best}=? [ F x=1 ])") == 1


def test_deadlocks_stay_for_ever(model):
    text = "mdp module m x:[0..2]; [a] x=0 -> (x'=1); endmodule rewards x=1 : 2; endrewards"
    word = model(text)
    assert worth(word, "Pmax=? [ F x=2 ]") == 0
    assert worth(word, "Pmin=? [ X x=1 ]") == 1
    assert worth(word, "Pmin=? [ F[5,6] x=1 ]") == 1
    assert worth(word, "Rmax=? [ C<=4 ]") == 6
    assert worth(word, "Rmax=? [ I=4 ]") == 2
    with pytest.raises(NoValue):
        asked(word, "Rmax=? [ F x=2 ]")


def test_exact_arithmetic_of_guards(model):
    text = """dtmc
    const double third = 1/3;
    module m
      x : [0..30] init 7;
      [] x/2 > 3.4 & x*third < 2.34 & floor(x/2)=3 & ceil(x/2)=4 & round(x/2)=4 & mod(x-10,4)=1 & pow(x,2)=49 -> (x'=30);
    endmodule"""
    assert worth(model(text), "P=? [ F x=30 ]") == 1


# --- one way for all verbs ---------------------------------------------------------------------------------------------


def test_all_verbs_take_a_model(model, tmp_path, capsys):
    word, what = model(WALK), ["--property", 'P=? [ F "rich" ]', "--N", "4"]
    for verb, *more in (["solve"], ["check"], ["table"], ["simulate", "--plays", "1000"], ["solve", "--json"]):
        assert main([verb, word, *what, *more]) == 0, capsys.readouterr().err
    saved = str(tmp_path / "walk.zermelo")
    assert main(["solve", word, *what, "-o", saved]) == 0
    assert main(["table", saved, "--rules", f'{word}:P=? [ F "rich" ]']) == 0
    assert "1/4 = 0.25" in _printed(capsys, ["solve", word, *what, "--exact"])


def test_positions_and_titles_are_a_persons(model, capsys, monkeypatch):
    text = "mdp const int N; module m x:[0..N]; up: bool; [a] x<N -> 1/2:(x'=x+1)&(up'=true) + 1/2:(up'=false); endmodule"
    typed = iter(["1", "q"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    printed = _printed(capsys, ["play", model(text, "walk.prism"), "--property", "Pmax=? [ F<=6 x=N ]", "--N", "4"])
    assert printed.splitlines()[0] == "walk.prism, Pmax=? [ F<=6 x=N ]: N 4"
    assert "\nx=0, up=false, steps=6\n" in printed and "State(" not in printed


def test_the_page_takes_a_model(model, capsys, monkeypatch):
    def ended(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_forever", ended)
    words = ["serve", model(WALK), "--property", "P=? [ F x=0 ]", "--N", "3", "--no-browser", "--port", "0"]
    assert main(words) in (0, 130)
    assert "model.prism" in capsys.readouterr().out
    assert main([*words, "--const", "N=3"]) == 2


def _printed(capsys, words: list[str]) -> str:
    capsys.readouterr()
    assert main(words) == 0
    return capsys.readouterr().out


def test_a_translation_is_a_game_of_its_own(model, tmp_path, capsys):
    out = tmp_path / "walk_game.py"
    assert main(["translate", model(WALK), "--property", 'R{"steps"}=? [ F x=0 | "rich" ]', "-o", str(out)]) == 0
    assert "must_end = True" in out.read_text()
    assert zermelo.solve(f"{out}:Model", N=6, exact=True).value == 5
    assert question_about(zermelo.games.named.game_named(f"{out}:Model", N=6)) is None
    capsys.readouterr()
    for words, keys in ((["-o", str(out)], {"file", "class", "notes"}), ([], {"file", "class", "notes", "rules"})):
        assert main(["translate", model(WALK), "--property", 'R{"steps"}=? [ F x=0 | "rich" ]', *words, "--json"]) == 0
        data = json.loads(capsys.readouterr().out)
        assert set(data) == keys and data["class"] == "Model" and data["file"] == (words[1] if words else None)
    assert data["rules"] == out.read_text()
    assert main(["translate", model(WALK), "--property", "P=? [ F x=0 ]"]) == 0
    assert "class Model(NamedTuple):" in capsys.readouterr().out


def test_a_policy_that_never_ends_costs_infinitely_much(model):
    solution = asked(model(CHOICE), 'Rmin=? [ F "goal" ]', never=1000)
    go = {0: 1, 1: 3, 4: 4}
    assert solution.evaluate(lambda s: go[s.x]).value == pytest.approx(9 - 1000)
    with pytest.raises(NoValue, match="never ends"):
        solution.evaluate(lambda s: {**go, 0: 0}[s.x])


def test_properties_from_a_file(model, tmp_path):
    word = model(WALK)
    (tmp_path / "walk.props").write_text('const int k = 3;\n"ruin": P=? [ F x=0 ];\n// no\n"soon": P=? [ F<=k x=0 ]\n')
    assert worth(word, f"{tmp_path}/walk.props:ruin", N=10) == Fraction(9, 10)
    assert worth(word, f"{tmp_path}/walk.props:soon", N=10) == Fraction(5, 8)
    with pytest.raises(ParameterError, match="has 2 properties.*ruin, soon"):
        asked(word, f"{tmp_path}/walk.props", N=10)


LIST = """const int k = 3;  // steps
"ruin": P=? [ F x=0 ];
"long": S=? [ x=0 ]
// E [ F x=0 ]
"twice": multi(Pmax=? [ F x=0 ], P>=0.5 [ F x=N ])
"inner": P=? [ F
    G x=0 ]
"soon": P=?
  [ F<=k x=0 ]
P=? [ F x=N ]
"""


def test_a_list_with_properties_that_can_not_be_read(model, tmp_path):
    (tmp_path / "walk.props").write_text(LIST)
    word, listed = model(WALK), f"{tmp_path}/walk.props"
    assert worth(word, f"{listed}:ruin", N=10) == Fraction(9, 10)
    assert worth(word, f"{listed}:soon", N=10) == Fraction(5, 8)
    assert worth(word, f"{listed}:6", N=10) == Fraction(1, 10)
    refused = {"long": "props:3: .*long-run", "twice": "props:5: 'multi'.*several objectives", "inner": "props:7: .*paths in paths"}
    for name, said in refused.items():
        with pytest.raises(ZermeloError, match=said):
            asked(word, f"{listed}:{name}", N=10)
    with pytest.raises(ParameterError, match=r"has 3 properties.*ruin, soon, 6 \(not read: long, twice, inner\)"):
        asked(word, listed, N=10)
    (tmp_path / "walk.props").write_text("S=? [ x=0 ]\n")
    with pytest.raises(ZermeloError, match="props:1: .*long-run"):
        asked(word, listed, N=10)


# --- what is refused ---------------------------------------------------------------------------------------------------


SHORT = "mdp module m x:[0..1]; [] x=0 -> true; endmodule"


@pytest.mark.parametrize(
    ("text", "property", "said"),
    [
        (
            "ctmc module m x:[0..1]; endmodule",
            "P=? [F x=1]",
            "model.prism:1: a ctmc has continuous time (probabilities of reaching something are those of its jump chain",
        ),
        ("mdp\nmodule m\n  x : [0..1];\n  [] x==0 -> true;\nendmodule", "Pmax=? [F x=1]", "model.prism:4: '=' can't stand here"),
        ("mdp module m x:[0..1]; [] y=0 -> true; endmodule", "Pmax=? [F x=1]", "y is no constant, formula or variable"),
        ("mdp module m x:[0..1]; [] x=0 -> 0.5:(x'=1); endmodule", "Pmax=? [F x=1]", "the probabilities sum to 0.5, not to 1"),
        ("mdp module m x:[0..1]; [] x=0 -> (x'=x/2); endmodule", "Pmax=? [F x=1]", "x' must be a whole number; floor"),
        ("mdp module m x:[0..1]; [] x -> true; endmodule", "Pmax=? [F x=1]", "a guard is a condition"),
        ("mdp module m x:[0..1] init 2; [] x=0 -> true; endmodule", "Pmax=? [F x=1]", "begins with 2, which is not in its range"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", "P=? [F x=1]", "ask for Pmax or Pmin"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", "S=? [x=1]", "long-run"),
        (SHORT, "Pmax=? [G F x=1]", "property:1: 'x' can't stand here: F takes a condition on states"),
        (SHORT, "Pmax=? [(F x=1) & (G x=0)]", "property:1: '&' can't stand here: paths can't be"),
        (SHORT, "Pmax=?\n[x=1]", "property:2: ']' can't stand here: a path is asked for"),
        (SHORT, "x=1", "property:1: 'x' can't stand here: a property begins with P or R"),
        (SHORT, "Pmax=? [\nF y=1]", "zermelo: property:2: y is no constant, formula or variable"),
        (SHORT, "Pmax=? [F x=true]", "zermelo: property:1: = compares a truth value with a number"),
        (SHORT, "filter(min, x, x>0)", "property:1: filter(min, ...) takes a property that begins with P or R, as in"),
        (SHORT, "filter(count, x+1)", "a condition is asked for, and this is a number"),
        (SHORT, "Rmax=? [F0 x=1]", "F0 is not read: what was paid would have to be taken back where the goal is never reached"),
        (SHORT, "R=? [S]", "long-run averages are not read, as values are totals"),
        (SHORT, "S=? [x=1]", "'S' can't stand here: long-run averages are not read, as values are totals"),
        (SHORT, "Pmax=? [F x=1] + 1", "'+' can't stand here: properties are asked for one by one"),
        (SHORT, "Pmax=? [F x=1 {x=0}]", "states are chosen with filter(max, P=? [ ... ], x=1)"),
        (SHORT, "filter(max, x=1, true)", "conditions alone can be counted: filter(count, x=1)"),
        (SHORT, "<<p1:p2>>max=? (P[F x=1]+P[F x=0])", "equilibria between coalitions are not"),
        (SHORT, "Pmax=? [F x'=1]", "what a variable is after a step is said in updates only"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", 'filter(argless, Pmax=? [F x=1], "init")', "there is no filter(argless, ...)"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", "Rmax=? [F x=1]", "the model has no rewards"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", 'Pmax=? [F "there"]', 'there is no label "there"'),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", "<<a>> Pmax=? [F x=1]", "this is no smg"),
        ("smg module m x:[0..1]; [] x=0 -> true; endmodule player a [y] endplayer", "<<a>> Pmax=? [F x=1]", "belongs to no player"),
        ("mdp formula f = g; formula g = f; module m x:[0..1]; [] x=f -> true; endmodule", "Pmax=? [F x=1]", "is defined by itself"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule system m endsystem", "Pmax=? [F x=1]", "`system` is not read"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule module n=k[x=y] endmodule", "Pmax=? [F x=1]", "there is no module k"),
        ("mdp module m x : int; endmodule", "Pmax=? [F x=1]", "x has no range"),
        (SHORT + '\nlabel "init" = x=1;', "Pmax=? [F x=1]", 'prism:2: the label "init" has a meaning in every model'),
        (SHORT + '\nlabel "deadlock" = x=1;', "Pmax=? [F x=1]", 'prism:2: the label "deadlock" has a meaning in every model'),
        (SHORT, 'label "init" = x=1; Pmax=? [F x=1]', 'property:1: the label "init" has a meaning in every model'),
        (SHORT + ' label "goal" = x=1;', 'label "goal" = x=0; Pmax=? [F "goal"]', "property:1: goal is there twice"),
        (SHORT + "\nmodule k y:[0..1]; [] y=0 ->\n(y'=1) &\n(x'=1); endmodule", "Pmax=? [F x=1]",
         "prism:4: the module k sets x, a variable of m; a module may set its own variables and global ones"),
        (SHORT + " module n = m [ x=y ] endmodule module k z:[0..1]; [] true -> (y'=1); endmodule", "Pmax=? [F x=1]",
         "the module k sets y, a variable of n"),
        ("mdp module m", "Pmax=? [F x=1]", "it ends in the middle of something"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule rewards x=0 : -1; endrewards", "Rmax=? [F x=1]", "below 0"),
        ("mdp module m x:[0..1]; [] x=1/0 -> true; endmodule", "Pmax=? [F x=1]", "1 / 0"),
        ("mdp module m x:[0..1]; [] x=0 -> true; endmodule", "", "what is asked?"),
    ],
)
def test_refused_in_one_line(model, capsys, text, property, said):
    assert main(["solve", model(text), "--property", property]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.count("\n") == 1


def test_a_mark_at_the_beginning_of_a_file(model, tmp_path):
    """Editors of Windows begin files of UTF-8 with a byte order mark."""
    word = Path(model("mdp module m x:[0..1]; [] x=0 -> 1/3:(x'=1) + 2/3:(x'=0); endmodule"))
    listed = tmp_path / "marked.props"
    for path, text in ((word, word.read_text()), (listed, '"one": Pmax=? [ F<=1 x=1 ]')):
        path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert worth(str(word), f"{listed}:one") == Fraction(1, 3)


def test_global_variables_are_set_by_all_modules(model):
    text = "mdp global g:[0..2]; module m x:[0..1]; [] g=0 -> (g'=1) & (x'=1); endmodule module k [] g=1 -> (g'=2); endmodule"
    assert worth(model(text), "Pmax=? [ F g=2 & x=1 ]") == 1


def test_both_sides_may_not_choose_at_once(model):
    text = "smg player a [x] endplayer player b [y] endplayer module m s:[0..2]; [x] s=0 -> (s'=1); [y] s=0 -> (s'=2); endmodule"
    with pytest.raises(RulesError, match="both sides can choose"):
        asked(model(text), "<<a>> Pmax=? [ F s=1 ]")


def test_a_wrong_constant(model, capsys):
    assert main(["solve", model(WALK), "--property", "P=? [F x=0]", "--const", "M=3"]) == 2
    assert "has no open constant M; open constants: N" in capsys.readouterr().err
    assert main(["solve", model(WALK), "--property", "P=? [F x=0]", "--const", "N=x"]) == 2
    assert "the constant N must be a whole number" in capsys.readouterr().err
    assert main(["solve", model(WALK), "--property", "P=? [F x=0]"]) == 2
    assert "needs --N" in capsys.readouterr().err


def test_the_grammar_is_kept_and_made_anew_where_it_was_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("ZERMELO_CACHE", str(tmp_path))
    parser = parsers.parser.__wrapped__
    text = grammar.PROPERTIES
    made = parser(text, "start")
    (path,) = tmp_path.glob("grammar_*.lark")
    whole = path.read_bytes()
    asked = "P>=1/3 [ F x=1 ]"
    assert parser(text, "start").parse(asked) == made.parse(asked)
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert parser(text, "start").parse(asked) == made.parse(asked)
    assert path.read_bytes()[-1] == whole[-1]
    monkeypatch.setenv("ZERMELO_CACHE", str(path / "no_folder"))
    assert parser(text, "start").parse(asked) == made.parse(asked)


def test_names_of_millions_of_actions_are_a_rule(tmp_path):
    """Ten commands in each of six modules happen together in 10^6 ways: the text stays short, and every way has a name of its own."""
    first = "module a x : [0..9]; " + " ".join(f"[t] x<={k} -> (x'={(7 * k + 1) % 10});" for k in range(10)) + " endmodule"
    others = " ".join(f"module a{n} = a [x=x{n}] endmodule" for n in range(5))
    path = tmp_path / "many.prism"
    path.write_text(f"mdp {first} {others} module b y : bool; [] !y -> (y'=true); [u] y -> true; endmodule")
    text = translation(path, "Pmax=? [ F y ]").text
    assert len(text.splitlines()) < 400  # about six for each of 62 commands
    game = game_class(path, "Pmax=? [ F y ]")()
    shown = [game.action_name(k) for k in (0, 1, 10**6 - 1, 10**6, 10**6 + 1)]
    assert shown == ["t (1)", "t (2)", "t (1000000)", "b, line 1", "u"]


THIRD = """dtmc
module m
  x : [0..2];
  [] x=0 -> 1/3 : (x'=1) + 1/3 : (x'=2) + 1/3 : true;
  [] x>0 -> true;
endmodule"""


@pytest.mark.parametrize(("property", "holds"), [
    ("P<=1 [ F x>0 ]", True), ("P>1 [ F x>0 ]", False), ("P<0 [ F x>2 ]", False), ("P>=0 [ F x>2 ]", True), ("P>=0 [ G x>0 ]", True),
    ("P<=1 [ G x<3 ]", True), ("filter(forall, P<=1 [ F x>0 ])", True), ("filter(exists, P<0 [ X x=0 ])", False),
])  # fmt: skip
def test_thresholds_that_every_probability_meets(model, property, holds):
    """Intervals of floats reach a little beyond 0 and 1, which probabilities do not."""
    found = zermelo.solve(f"{model(THIRD)}:{property}").property
    assert found.holds is holds
    assert 0 <= found.low <= found.high <= 1


def test_numbers_of_probabilities_and_counts_in_json(model, capsys):
    def told(property: str, *more: str) -> dict:
        assert main(["solve", model(THIRD), "--property", property, "--json", *more]) == 0
        return json.loads(capsys.readouterr().out)["property"]

    assert told("P=? [ F x>0 ]")["high"] == 1
    never = told("P=? [ G x<0 ]")
    assert (str(never["low"]), str(never["high"])) == ("0.0", "0.0")
    assert told("filter(count, P<=1 [ F x>0 ])", "--exact")["exact"] == "3"


TRAP = """mdp
module m
  x : [0..4];
  [a] x=0 -> true;
  [b] x=0 -> 1/2 : (x'=1) + 1/2 : (x'=0);
  [c] x=0 -> 0.5 : (x'=2) + 0.5 : (x'=1);
  [] x=1 -> true;
  [] x=2 -> (x'=3);
  [] x=3 -> (x'=2);
endmodule
rewards [a] true : 1; [b] true : 1/2; x=2 : 1; endrewards"""


@pytest.mark.parametrize(("property", "value"), [("Rmin=? [ C ]", 1), ("Rmin=? [ Fc x=3 ]", Fraction(1, 2)), ("Rmin<=1 [ C ]", 1)])
def test_a_trap_that_may_be_avoided(model, capsys, property, value):
    """[b] costs 1/2 each time, and comes to rest with 1/2: 1. [c] costs nothing, and half the time 1 again and again. Without --never the
    total was said to be infinite in some states, and had no answer."""
    word = model(TRAP)
    assert worth(word, property, never=1000) == value
    assert main(["solve", word, "--property", property, "--never", "1000", "--exact"]) == 0
    assert worth(word, property) == value
    capsys.readouterr()
    assert main(["solve", word, "--property", property, "--exact"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    left_out = re.search(r"in 2 of 4 states \(one is x=[23]\) the value is infinite; actions that may lead there are left out", said)
    assert bool(left_out) is (property == "Rmin=? [ C ]")


def test_a_trap_whose_states_depend_on_open_constants(model, capsys):
    """Which states they are is found if the constants are given with --const."""
    word = model(TRAP.replace("mdp", "mdp const int N;").replace("x=2 : 1", "x=2 : N"))
    assert main(["solve", word, "--property", "Rmin=? [ C ]", "--N", "1"]) == 2
    err = capsys.readouterr().err
    assert "infinite in some states: what is paid adds up without end" in err and "discount" not in err
    assert "if the player who wants little can avoid that, give open constants with --const, or --never 1000000. " in err
    assert main(["solve", word, "--property", "Rmin=? [ C ]", "--N", "1", "--never", "1000", "--exact"]) == 0
    assert main(["solve", word, "--property", "Rmin=? [ C ]", "--const", "N=1", "--exact"]) == 0


def test_a_price_at_which_somebody_gives_up_is_told(model):
    """With [c] alone half of all plays cost without limit, so that one gives up whatever it costs; with [b], too, if that costs little."""
    dear = TRAP.replace("0.5 : (x'=2) + 0.5 : (x'=1)", "(x'=2)").replace("1/2 : (x'=1) + 1/2", "1/9 : (x'=1) + 8/9")
    with pytest.raises(OutOfReach, match="gives up, as never=1 costs less"):
        worth(model(dear), "Rmin=? [ C ]", never=1)
    alone = "\n".join(line for line in TRAP.splitlines() if "[a] x" not in line and "[b] x" not in line)
    with pytest.raises(OutOfReach, match="gives up, as never=1000 costs less"):
        worth(model(alone), "Rmin=? [ C ]", never=1000)


def test_a_game_with_a_trap_that_may_be_avoided(model):
    """`two` may let the trap happen at x=1 and wants much; `one` avoids it at x=0 for 3."""
    text = """smg player one [go], [pay] endplayer player two [stay], [on] endplayer
module m x:[0..2]; [go] x=0 -> (x'=1); [pay] x=0 -> (x'=2); [stay] x=1 -> true; [on] x=1 -> (x'=2); [on] x=2 -> true; endmodule
rewards [pay] true : 3; [stay] true : 1; endrewards"""
    assert worth(model(text), "<<one>> Rmin=? [ C ]") == 3
    assert worth(model(text), "<<two>> Rmax=? [ C ]") == 3
    with pytest.raises(NoValue, match="Model: infinite. What is paid adds up without end"):
        worth(model(text), "<<>> Rmin=? [ C ]")
    ended = text.replace("[stay] x=1 -> true", "[stay] x=1 -> 1/2 : (x'=2) + 1/2 : true")
    assert worth(model(ended), "<<one>> Rmin=? [ C ]", never=1000) == 2


@pytest.mark.parametrize(("kind", "property"), [("dtmc", "R=? [ C ]"), ("mdp", "Rmax=? [ C ]"), ("mdp", "Rmax=? [ Fc x=4 ]")])
def test_what_adds_up_without_end_is_infinite(model, kind, property):
    """"E has no value ... with a discount there is one", said models, which refuse a discount."""
    with pytest.raises(NoValue, match="infinite. What is paid adds up without end") as error:
        worth(model(TRAP.replace("mdp", kind)), property)
    assert "discount" not in str(error.value) and "has no value" not in str(error.value)


def test_help_about_a_model_needs_no_property(tmp_path, capsys):
    """It was an error, "what is asked?", though the help is what tells of --property."""
    path = tmp_path / "climb.prism"
    path.write_text("dtmc const int N; module m x : [0..N]; [] true -> (x'=min(x+1,N)); endmodule")
    for command in ("solve", "table", "check"):
        assert main([command, str(path), "--help"]) == 0
        assert "--property" in (said := capsys.readouterr().out) and "Parameters of" not in said
    assert main(["solve", str(path), "--property", "P=? [ F x=N ]", "--help"]) == 0
    assert "Parameters of" in capsys.readouterr().out
    assert main(["solve", str(path)]) == 2 and "what is asked?" in capsys.readouterr().err
