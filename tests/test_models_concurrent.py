"""Games of PRISM-games in which players choose at once (csg), against backward induction in fractions over matrices of 2 x 2."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import OutOfReach, RulesError, ZermeloError
from zermelo.foreign.loading import game_class
from zermelo.views.property import answer

PENALTIES = """csg
player kicker kicker endplayer
player keeper keeper endplayer
const int rounds;
module kicker                                            // counts by what the ball is after the step
  goals : [0..9];
  [left]  r<rounds -> (goals'=within' ? goals+1 : goals);
  [right] r<rounds & goals<2 -> 2/3 : (goals'=within' ? goals+1 : goals) + 1/3 : true;
endmodule
module keeper
  saves : [0..9];
  [low] r<rounds -> true;
  [high,left] r<rounds -> true;
  [high,right] r<rounds -> (saves'=saves+1);
endmodule
module ball
  within : bool;
  [left,low]   true -> 1/4 : (within'=true) + 3/4 : (within'=false);
  [left,high]  true -> 0.9 : (within'=true) + 0.1 : (within'=false);
  [right,low]  true -> (within'=true);
  [right,high] true -> 1/3 : (within'=true) + 2/3 : (within'=false);
endmodule
module clock r : [0..9]; [] r<rounds -> (r'=r+1); endmodule
rewards "paid" [right] r=1 : 2; r=2 : 1/2; [left,high] true : 1; endrewards"""

WITHIN = {
    ("left", "low"): Fraction(1, 4), ("left", "high"): Fraction(9, 10), ("right", "low"): Fraction(1), ("right", "high"): Fraction(1, 3),
}  # fmt: skip
THREE = """csg player a a endplayer player b b endplayer player c c endplayer
module a [a0] over=0 -> true; [a1] over=0 -> true; endmodule
module b = a [ a0=b0, a1=b1 ] endmodule
module c = a [ a0=c0, a1=c1 ] endmodule
module all over : [0..2];
  [a1,b1,c0] over=0 -> (over'=1); [a0,b0,c1] over=0 -> (over'=1); [a1,b1,c1] over=0 -> (over'=2); [a0,b0,c0] over=0 -> (over'=2);
  [a0,b1] over=0 -> (over'=2); [a1,b0] over=0 -> (over'=2);
endmodule"""


SCORES = "<<kicker>> Pmax=? [ F goals=1 ]"


def matrix(rows: list[list[Fraction]]) -> Fraction:
    """The value of a matrix with two columns and one or two rows."""
    low, high = max(map(min, rows)), min(max(row[j] for row in rows) for j in (0, 1))
    if low == high:
        return low
    (a, b), (c, d) = rows
    return (a * d - b * c) / (a + d - b - c)


def played(rounds: int, end, paid=lambda r, kick, dive: Fraction(0)) -> Fraction:
    """What the kicker makes of it: `end(goals, saves)` at the end, and `paid` on the way."""

    @cache
    def value(r: int, goals: int, saves: int) -> Fraction:
        if r == rounds:
            return Fraction(end(goals, saves))
        rows = []
        for kick in ("left", "right") if goals < 2 else ("left",):
            row = []
            for dive in ("low", "high"):
                scores = WITHIN[kick, dive] * (Fraction(2, 3) if kick == "right" else 1)
                then = saves + (kick == "right" and dive == "high")
                total = paid(r, kick, dive) + scores * value(r + 1, goals + 1, then) + (1 - scores) * value(r + 1, goals, then)
                row.append(total)
            rows.append(row)
        return matrix(rows)

    return value(0, 0, 0)


def bonus(r: int, kick: str, dive: str) -> Fraction:
    return 2 * (kick == "right" and r == 1) + Fraction(r == 2, 2) + (kick == "left" and dive == "high")


def asked(tmp_path: Path, text: str, property: str, exact: bool = True, **parameters):
    path = tmp_path / "model.prism"
    path.write_text(text)
    return answer(zermelo.solve(game_class(path, property)(**parameters), exact=exact))


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_values(tmp_path, rounds):
    for property, expected in (
        ("<<kicker>> Pmax=? [ F r=rounds & goals>=2 ]", played(rounds, lambda goals, saves: goals >= 2)),
        ("<<keeper>> Pmin=? [ F r=rounds & goals>=2 ]", played(rounds, lambda goals, saves: goals >= 2)),
        ("<<keeper>> Pmax=? [ G goals=0 ]", 1 - played(rounds, lambda goals, saves: goals > 0)),
        ("<<kicker>> Pmax=? [ saves=0 U r=rounds & goals>0 & saves=0 ]", played(rounds, lambda goals, saves: goals > 0 and saves == 0)),
        ('<<kicker>> R{"paid"}max=? [ C<=2 ]', played(min(rounds, 2), lambda goals, saves: Fraction(0), bonus)),
        ('<<keeper>> R{"paid"}min=? [ F r=rounds ]', played(rounds, lambda goals, saves: Fraction(0), bonus)),
    ):
        found = asked(tmp_path, PENALTIES, property, rounds=rounds)
        assert found.low == found.value == found.high == expected, property
        close = asked(tmp_path, PENALTIES, property, exact=False, rounds=rounds)
        assert close.low <= expected <= close.high
    assert asked(tmp_path, PENALTIES, "<<kicker>> P>=0.3 [ F goals>0 ]", rounds=rounds).holds is True


def test_coalitions(tmp_path):
    """a and b together guess what c does not show; a alone has b against it."""
    assert asked(tmp_path, THREE, "<<a,b>> Pmax=? [ F over=1 ]").value == Fraction(1, 2)
    assert asked(tmp_path, THREE, "<<c>> Pmax=? [ F over=2 ]").value == Fraction(1, 2)
    assert asked(tmp_path, THREE, "<<a>> Pmax=? [ F over=1 ]").value == 0
    assert asked(tmp_path, THREE, "<<1,2,3>> Pmax=? [ F over=1 ]").value == 1
    assert asked(tmp_path, THREE, "<<>> Pmin=? [ X over=1 ]").value == 1


def test_what_is_printed(tmp_path, capsys):
    path = tmp_path / "model.prism"
    path.write_text(THREE)
    assert main(["solve", str(path), "--property", "<<a,b>> Pmax=? [ F over=1 ]"]) == 0
    out = capsys.readouterr().out
    assert "c0 50 %" in out and "a1, b1 50 %" in out
    assert "draw" not in out


def test_rewards_where_play_may_go_round(tmp_path):
    text = THREE.replace("[a0,b1] over=0 -> (over'=2);", "[a0,b1] over=0 -> true;") + " rewards over=0 : 1; endrewards"
    with pytest.raises(OutOfReach, match="both choose at once and play can return to a state"):
        asked(tmp_path, text, "<<a,c>> Rmax=? [ F over>0 ]", exact=False)
    assert asked(tmp_path, text, "<<a,b>> Pmin=? [ F over>0 ]", exact=False).value == 0  # both stay for ever
    found = asked(tmp_path, text, "<<a>> Pmax=? [ F over=2 ]", exact=False)
    assert found.high < 1e-9  # b1 and c0: a1 loses, and a0 goes on for ever


def test_two_commands_that_fit(tmp_path):
    text = PENALTIES.replace("[left,high]  true", "[left] true")
    with pytest.raises(RulesError, match="two commands of ball fit what was chosen"):
        asked(tmp_path, text, SCORES, rounds=2)


@pytest.mark.parametrize(
    ("text", "property", "said"),
    [
        (PENALTIES.replace("[left,low]", "[left,lower]"), SCORES, "model.prism:18: [lower] is no action of a player"),
        (PENALTIES.replace("[left,low]", "[low,high]"), SCORES, "model.prism:18: two labels of a command are actions of"),
        (PENALTIES.replace("[low] r", "[] r"), SCORES, "model.prism:12: a command of the player keeper needs a label"),
        (PENALTIES.replace("player keeper keeper", "player keeper keeper, clock"), SCORES, "model.prism:3: the player"),
        (PENALTIES.replace("1/4 : (within'=true)", "1/4 : (within'=goals'>0)"), SCORES, "ask for one another's values"),
        (PENALTIES, '<<kicker>> R{"paid"}max=? [ C ]', "rewards of play without an end are not read"),
        (PENALTIES, '<<kicker>> Pmax=? [ F{"paid"}<=2 goals=1 ]', "bounds on rewards are not read"),
        (PENALTIES, "filter(max, <<kicker>> Pmax=? [ F goals=1 ])", "several states at once are not read"),
        (PENALTIES, "Pmax=? [ F goals=1 ]", "who plays for it? Write <<...>> in front, with some of kicker, keeper"),
        (PENALTIES.replace("csg\n", "mdp\n"), "Pmax=? [ F goals=1 ]", "model.prism:7: within', the value after the step, is"),
    ],
)
def test_refused(tmp_path, text, property, said):
    with pytest.raises(ZermeloError) as error:
        asked(tmp_path, text, property, rounds=2)
    assert said in str(error.value)
