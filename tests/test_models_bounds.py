"""Bounds on the rewards that are gathered on a path, against a recursion in fractions over state and what was gathered."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path

import pytest

import zermelo
from zermelo.engines.faults import leads_further
from zermelo.errors import RulesError, ZermeloError
from zermelo.foreign.loading import game_class
from zermelo.language.rules import read
from zermelo.uses.property import answer

RACE = """KIND
OWNERS
module m
  x : [0..5];
  mine : bool init true;
  [a] mine & x<5 -> 1/2 : (x'=x+1) + 1/4 : (x'=max(x-1,0)) & (mine'=false) + 1/4 : (mine'=false);
  [b] mine & x<5 -> 1/3 : (x'=min(x+2,5)) + 2/3 : (x'=0) & (mine'=false);
  [c] !mine & x<5 -> (mine'=true);
  [d] !mine & x<5 & x>0 -> 2/3 : (x'=x-1) & (mine'=true) + 1/3 : (x'=x+1);
endmodule
rewards "cost" [a] true : 1; [b] true : 3/2; [c] true : 1/2; [d] x>2 : x; [d] x<3 : 1; endrewards
rewards "lost" !mine : 1; [a] true : 1; endrewards"""

State = tuple[int, bool]
Ways = list[tuple[Fraction, State]]


def choices(at: State) -> list[tuple[Fraction, int, Ways]]:
    """What can happen: cost, loss, and what follows."""
    x, mine = at
    if x == 5:
        return []
    if mine:
        a = [(Fraction(1, 2), (x + 1, True)), (Fraction(1, 4), (max(x - 1, 0), False)), (Fraction(1, 4), (x, False))]
        return [(Fraction(1), 1, a), (Fraction(3, 2), 0, [(Fraction(1, 3), (min(x + 2, 5), True)), (Fraction(2, 3), (0, False))])]
    d = [(Fraction(2, 3), (x - 1, True)), (Fraction(1, 3), (x + 1, False))]
    return [(Fraction(1, 2), 1, [(Fraction(1), (x, True))]), *([(Fraction(x if x > 2 else 1), 1, d)] if x > 0 else [])]


def expected(goal: int, best: dict[bool, type], high: Fraction, low: Fraction = Fraction(0), lost: int = 99, steps: int = 99) -> Fraction:
    """The chance of being at the goal or beyond with a cost from `low` to `high`; every step costs something, so that this ends."""

    @cache
    def value(at: State, cost: Fraction, loss: int, left: int) -> Fraction:
        if cost > high or loss > lost:
            return Fraction(0)
        if at[0] >= goal and cost >= low:
            return Fraction(1)
        if left == 0 or not choices(at):
            return Fraction(0)
        return best[at[1]](sum(p * value(t, cost + c, loss + w, left - 1) for p, t in ways) for c, w, ways in choices(at))

    return value((0, True), Fraction(0), 0, steps)


def asked(tmp_path: Path, text: str, property: str, **parameters) -> Fraction:
    path = tmp_path / "model.prism"
    path.write_text(text)
    found = answer(zermelo.solve(game_class(path, property)(**parameters), exact=True))
    assert found.low == found.value == found.high
    return found.value


MDP = RACE.replace("KIND", "mdp").replace("OWNERS", "")
SMG = RACE.replace("KIND", "smg").replace("OWNERS", "player one [a], [b] endplayer player two [c], [d] endplayer")
BOTH_MAX, BOTH_MIN, AGAINST = {True: max, False: max}, {True: min, False: min}, {True: max, False: min}


@pytest.mark.parametrize(
    ("path", "limits"),
    [
        ('F{"cost"}<=7.5 x>=4', {"high": Fraction(15, 2)}),
        ('F^{rew{"cost"}<=7.5} x>=4', {"high": Fraction(15, 2)}),
        ('F{"cost"}<7.5 x>=4', {"high": Fraction(7)}),
        ('F{1}<=7.3 x>=4', {"high": Fraction(7)}),
        ('F{"cost"}[4,6] x>=4', {"high": Fraction(6), "low": Fraction(4)}),
        ('F{"cost"}<=8,{"lost"}<=4 x>=4', {"high": Fraction(8), "lost": 4}),
        ('F<=5,{"cost"}<=6 x>=4', {"high": Fraction(6), "steps": 5}),
        ('F^{steps<=5,rew{"cost"}<=6} x>=4', {"high": Fraction(6), "steps": 5}),
        ('true U{"cost"}<=6 x>=4', {"high": Fraction(6)}),
    ],
)
def test_bounds(tmp_path, path, limits):
    assert asked(tmp_path, MDP, f"Pmax=? [ {path} ]") == expected(4, BOTH_MAX, **limits)
    assert asked(tmp_path, MDP, f"Pmin=? [ {path} ]") == expected(4, BOTH_MIN, **limits)
    assert asked(tmp_path, SMG, f"<<one>> Pmax=? [ {path} ]") == expected(4, AGAINST, **limits)


def test_always(tmp_path):
    assert asked(tmp_path, MDP, 'Pmin=? [ G{"cost"}<=6 x<4 ]') == 1 - expected(4, BOTH_MAX, Fraction(6))
    assert asked(tmp_path, MDP, 'Pmax=? [ x<4 W{"cost"}<=6 false ]') == 1 - expected(4, BOTH_MIN, Fraction(6))


def test_an_open_bound_is_a_parameter(tmp_path):
    text = MDP.replace("module m", "const int K; module m")
    for k in (4, 6):
        assert asked(tmp_path, text, 'Pmax=? [ F{"cost"}<=K x>=4 ]', K=k) == expected(4, BOTH_MAX, Fraction(k))
        assert asked(tmp_path, text, 'Pmax=? [ F{"cost"}<K x>=4 ]', K=k) == expected(4, BOTH_MAX, Fraction(2 * k - 1, 2))


def test_loops_that_gather_nothing_and_lower_bounds(tmp_path):
    """A walk from 2 to 0 or 5: by 1, 2 and 3 only, at most one more time at 2 than at first (9/2 = 2 * 2 + 1/2), and not at once."""
    text = """dtmc module m x:[0..5] init 2; [step] x>0 & x<5 -> 1/2:(x'=x-1) + 1/2:(x'=x+1); [] x=0 | x=5 -> true; endmodule
        rewards "steps" [step] true : 1; endrewards  rewards "two" x=1 : 1/2; x=2 : x; endrewards"""
    assert asked(tmp_path, text, 'P=? [ F{"two"}<=4.5,{"steps"}>3 x=0 ]') == Fraction(1, 12)
    assert asked(tmp_path, text, 'P=? [ F{"two"}<=4.5 x=0 ]') == Fraction(1, 4) + Fraction(1, 12)
    assert asked(tmp_path, text, 'P=? [ F{"steps"}>=1 x=2 ]') == Fraction(1, 2) * Fraction(1, 2) + Fraction(1, 2) * Fraction(2, 3)
    assert asked(tmp_path, text, 'P=? [ F{"steps"}>=0 x=2 ]') == 1
    assert asked(tmp_path, text, 'filter(max, P=? [ F{"two"}<=1/2 x=0 ])') == 1
    assert asked(tmp_path, text, 'filter(sum, P=? [ F{"two"}<=0.5 x=0 ], x>0)') == Fraction(1, 2)  # from 1, at once


def test_quotients_are_counted_in_their_unit(tmp_path):
    """[d] costs x/3 where x>2: as if [d] cost x there, and the others three times as much, within three times the bound."""
    thirds = MDP.replace("x>2 : x;", "x>2 : x/3;")
    whole = MDP.replace("[a] true : 1; [b] true : 3/2; [c] true : 1/2;", "[a] true : 3; [b] true : 9/2; [c] true : 3/2;")
    whole = whole.replace("x<3 : 1;", "x<3 : 3;")
    for best in ("max", "min"):
        found = asked(tmp_path, thirds, f'P{best}=? [ F{{"cost"}}<=16/3 x>=4 ]')
        assert found == asked(tmp_path, whole, f'P{best}=? [ F{{"cost"}}<=16 x>=4 ]')
        assert 0 < found < 1


def test_commands_of_many_modules(tmp_path):
    """Those that are looped over count too."""
    one = "module m0 x0:[0..3]; [t] x0<2 -> 1/2 : (x0'=x0+1) + 1/2 : true; [t] x0=2 -> (x0'=2); [t] x0=3 -> true; endmodule "
    more = " ".join(f"module m{i} = m0 [ x0=x{i} ] endmodule" for i in range(1, 5))
    text = f"mdp {one}{more} rewards [t] true : 2; endrewards"
    done = " & ".join(f"x{i}=2" for i in range(5))
    two = {n: sum(1 for flips in product((0, 1), repeat=n) if sum(flips) >= 2) / Fraction(2**n) for n in range(5)}
    for k in (3, 4, 8):
        assert asked(tmp_path, text, f"Pmin=? [ F{{1}}<={k} {done} ]") == two[k // 2] ** 5


@pytest.mark.parametrize(
    ("text", "property", "said"),
    [
        (MDP.replace("[b] true : 3/2", "[b] true : -1"), 'Pmax=? [ F{"cost"}<=3 x=5 ]', "model.prism:11: rewards below 0 can't be"),
        (MDP.replace("x>2 : x;", "x>2 : 3/x;"), 'Pmax=? [ F{"cost"}<=3 x=5 ]', "model.prism:11: a bound on rewards needs rewards that"),
        (MDP, 'Pmax=? [ F{"time"}<=3 x=5 ]', 'there are no rewards "time"; there are "cost", "lost"'),
        (MDP, 'Pmax=? [ F{"cost"}<0 x=5 ]', "what is gathered is never below 0"),
        (MDP, 'Pmax=? [ F{"cost"}<=x x=5 ]', "a bound on rewards must be a number"),
        (MDP, "Pmax=? [ F<=2,<=3 x=5 ]", "property:1: there are two bounds on the steps"),
        (MDP, 'Rmax=? [ F{"cost"}<=3 x=5 ]', "property:1: rewards until a goal with a bound on the steps or on rewards are not read"),
    ],
)
def test_refused(tmp_path, text, property, said):
    with pytest.raises(ZermeloError) as error:
        asked(tmp_path, text, property)
    assert said in str(error.value)


def test_what_is_gathered_may_not_fall(tmp_path):
    with pytest.raises(RulesError, match=r"what is gathered would fall \(line 11\)"):
        asked(tmp_path, MDP.replace("x>2 : x;", "x>2 : 3-x;"), 'Pmax=? [ F{"cost"}<=9 x=5 ]')


@pytest.mark.parametrize("asked", ["R=? [ C<=9 ]", "P=? [ F<=9 x=1 ]", "P=? [ F>=9 x=1 ]"])
def test_steps_that_are_counted_come_to_an_end(tmp_path, asked):
    """From a number of steps far below 0 the rules led on, so that a count from a million was taken for one without end."""
    path = tmp_path / "model.prism"
    path.write_text("dtmc module m x : [0..2]; [] x<2 -> 0.5 : (x'=1-x) + 0.5 : (x'=0); endmodule rewards x=1 : 1; endrewards")
    game = game_class(path, asked)()
    slot = game.start()._fields.index("steps")
    assert leads_further(read(game), game.start(), slot, -(1 << 40)) is None


WALK = """mdp
module m
  x : [-3..5] init 0;
  [a] x>-3 & x<5 -> 1/3 : (x'=x+1) + 2/3 : (x'=x-1);
  [b] x>-3 & x<4 -> 1/2 : (x'=x+2) + 1/2 : (x'=x);
  [] x=-3 | x>=5 -> true;
endmodule
rewards "r" x>-3 & x<5 : 1/2; [b] x<5 : 1; endrewards"""


@pytest.mark.parametrize(("minus", "plain"), [
    ("Pmax=? [ F x-1>0 ]", "Pmax=? [ F x>1 ]"),
    ("Pmax=? [ F<=7-2 (2*x-x)=2 ]", "Pmax=? [ F<=5 x=2 ]"),
    ("Pmin=? [ F<=4 (0=(x-1-1)) ]", "Pmin=? [ F<=4 x=2 ]"),
    ("Pmin=? [ G<=4 x-1<2 ]", "Pmin=? [ G<=4 x<3 ]"),
    ("Pmax=? [ x-1<2 U[3-2,9-5] -x-1=-3 ]", "Pmax=? [ x<3 U[1,4] x=2 ]"),
    ("P>=1-0.75 [ F<=4 x=2 ]", "P>=0.25 [ F<=4 x=2 ]"),
    ("Pmax=? [ F{\"r\"}<=5-2 x=2 ]", "Pmax=? [ F{\"r\"}<=3 x=2 ]"),
    ("Rmax=? [ C<=5-2 ]", "Rmax=? [ C<=3 ]"),
    ("Rmax=? [ I=5-2 ]", "Rmax=? [ I=3 ]"),
    ("Pmax=? [ F P>=0.9-0.4 [ X x-1=1 ] ]", "Pmax=? [ F P>=0.5 [ X x=2 ] ]"),
    ("filter(count, x-1>=0)", "filter(count, x>=1)"),
    ("filter(max, Pmax=? [ F<=4 x=2 ], x-1>=0)", "filter(max, Pmax=? [ F<=4 x=2 ], x>=1)"),
])  # fmt: skip
def test_a_minus_in_properties(tmp_path, minus, plain):
    """It was taken for the sign of what follows, so that no difference could be written."""
    path = tmp_path / "walk.prism"
    path.write_text(WALK)
    one, other = (zermelo.solve(f"{path}:{text}", exact=True).property for text in (minus, plain))
    assert (one.value, one.low, one.high, one.holds) == (other.value, other.low, other.high, other.holds)


@pytest.mark.parametrize(("release", "until"), [
    ("Pmax=? [ x=2 R<=3 (x<2) ]", "Pmin=? [ x!=2 U<=3 x>=2 ]"),
    ("Pmin=? [ (x=2) R<4 x<3 ]", "Pmax=? [ x!=2 U<4 x>=3 ]"),
    ("Pmin=? [ x=1 R<=5 P<=0.6 [ X x>2 ] ]", "Pmax=? [ x!=1 U<=5 Pmax>0.6 [ X x>2 ] ]"),
    ("Pmin=? [ x=1 R<=3 R{\"r\"}>=0.5 [ C<=1 ] ]", "Pmax=? [ x!=1 U<=3 R{\"r\"}min<0.5 [ C<=1 ] ]"),
    ("Pmin=? [ (x=1) R{\"r\"}<=3 (x<3) ]", "Pmax=? [ x!=1 U{\"r\"}<=3 x>=3 ]"),
    ("Pmin=? [ x=-2 R x<4 ]", "Pmax=? [ x!=-2 U x>=4 ]"),
    ("Pmax=? [ x=1 R[1,2] x>1 ]", "Pmin=? [ x!=1 U[1,2] x<=1 ]"),  # x>1 doesn't hold at the start, and need not
    ("Pmin=? [ x=3 R>=1 x!=0 ]", "Pmax=? [ x!=3 U>=1 x=0 ]"),
    ("Pmin=? [ x=3 R{\"r\"}>=1 x!=0 ]", "Pmax=? [ x!=3 U{\"r\"}>=1 x=0 ]"),
])  # fmt: skip
def test_release_with_a_bound(tmp_path, release, until):
    """`a R<=3 b` is the negation of `!a U<=3 !b`; its R was taken for a reward with a threshold, as in R<=3 [ C ]."""
    path = tmp_path / "walk.prism"
    path.write_text(WALK)
    one, other = (zermelo.solve(f"{path}:{text}", exact=True).property for text in (release, until))
    assert one.value == 1 - other.value
    assert 0 < one.value < 1 or " R x" in release
