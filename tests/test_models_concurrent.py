"""Games of PRISM-games in which players choose at once (csg), against backward induction in fractions over matrices of 2 x 2."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import NoValue, OutOfReach, RulesError, ZermeloError
from zermelo.foreign.loading import game_class
from zermelo.uses.property import answer

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


def played(rounds: int, end, paid=lambda r, kick, dive: Fraction(0), begin=(0, 0, 0)) -> Fraction:
    """What the kicker makes of it: `end(goals, saves)` at the end, and `paid` on the way; from these rounds, goals and saves on."""

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

    return value(*begin)


def bonus(r: int, kick: str, dive: str) -> Fraction:
    return 2 * (kick == "right" and r == 1) + Fraction(r == 2, 2) + (kick == "left" and dive == "high")


def game(tmp_path: Path, text: str, property: str, **parameters):
    path = tmp_path / "model.prism"
    path.write_text(text)
    return game_class(path, property)(**parameters)


def asked(tmp_path: Path, text: str, property: str, exact: bool = True, **parameters):
    return answer(zermelo.solve(game(tmp_path, text, property, **parameters), exact=exact))


@pytest.mark.parametrize("rounds", [1, 3])
def test_values(tmp_path, rounds):
    for property, expected in (
        ("<<kicker>> Pmax=? [ F r=rounds & goals>=2 ]", played(rounds, lambda goals, saves: goals >= 2)),
        ("<<keeper>> Pmin=? [ F r=rounds & goals>=2 ]", played(rounds, lambda goals, saves: goals >= 2)),
        ("<<keeper>> Pmax=? [ G goals=0 ]", 1 - played(rounds, lambda goals, saves: goals > 0)),
        ("<<kicker>> Pmax=? [ saves=0 U r=rounds & goals>0 & saves=0 ]", played(rounds, lambda goals, saves: goals > 0 and saves == 0)),
        ('<<kicker>> R{"paid"}max=? [ C<=2 ]', played(min(rounds, 2), lambda goals, saves: Fraction(0), bonus)),
        ('<<keeper>> R{"paid"}min=? [ F r=rounds ]', played(rounds, lambda goals, saves: Fraction(0), bonus)),
    ):
        made = game(tmp_path, PENALTIES, property, rounds=rounds)
        found, close = (answer(zermelo.solve(made, exact=exact)) for exact in (True, False))
        assert found.low == found.value == found.high == expected, property
        assert close.low <= expected <= close.high
    assert asked(tmp_path, PENALTIES, "<<kicker>> P>=0.3 [ F goals>0 ]", rounds=rounds).holds is True


def penalty_states(rounds: int, starts: list[tuple[int, int, bool, int]]) -> set[tuple[int, int, bool, int]]:
    """All (goals, saves, within, r) that can be reached."""
    found, waiting = set(), list(starts)
    while waiting:
        at = waiting.pop()
        if at in found:
            continue
        found.add(at)
        goals, saves, _, r = at
        for kick, dive in WITHIN if r < rounds else ():
            if kick == "right" and goals >= 2:
                continue
            then = saves + ((kick, dive) == ("right", "high"))
            for within in (True, False) if WITHIN[kick, dive] < 1 else (True,):
                scored = [goals + 1, goals] if within and kick == "right" else [goals + within]
                waiting += [(g, then, within, r + 1) for g in scored]
    return found


def test_filters(tmp_path):
    """Over all states, against backward induction from each of them."""
    rounds, first = 2, (0, 0, False, 0)
    value = {
        s: played(rounds, lambda goals, saves: goals >= 2, begin=(s[3], *s[:2])) for s in penalty_states(rounds, [first])
    }
    for op, expected in (("sum", sum(value.values())), ("max", max(value.values())), ("min", min(value.values()))):
        found = asked(tmp_path, PENALTIES, f"filter({op}, <<kicker>> Pmax=? [ F r=rounds & goals>=2 ])", rounds=rounds)
        assert found.low == found.value == found.high == expected
    some = [v for s, v in value.items() if s[2]]
    found = asked(tmp_path, PENALTIES, "filter(avg, <<kicker>> Pmax=? [ F r=rounds & goals>=2 ], within)", rounds=rounds)
    assert found.value == sum(some) / len(some)
    enough = sum(v >= Fraction(1, 4) for v in value.values())
    found = asked(tmp_path, PENALTIES, "filter(count, <<kicker>> P>=1/4 [ F r=rounds & goals>=2 ])", rounds=rounds)
    assert found.value == enough
    gained = {s: played(rounds, lambda goals, saves: Fraction(0), bonus, begin=(s[3], *s[:2])) for s in value}
    found = asked(tmp_path, PENALTIES, 'filter(sum, <<kicker>> R{"paid"}max=? [ F r=rounds ], r>0)', rounds=rounds)
    assert found.value == sum(v for s, v in gained.items() if s[3] > 0)


def test_several_initial_states(tmp_path):
    text = PENALTIES + "\ninit r=0 & goals<3 & saves=0 & !within endinit"
    values = [played(2, lambda goals, saves: goals >= 3, begin=(0, goals, 0)) for goals in range(3)]
    found = asked(tmp_path, text, "<<kicker>> Pmax=? [ F r=rounds & goals>=3 ]", rounds=2)
    assert (found.low, found.high) == (min(values), max(values)) and "over 3 initial states" in found.line
    assert asked(tmp_path, text, "<<kicker>> P>=0.001 [ F r=rounds & goals>=3 ]", rounds=2).holds is (min(values) > 0.001)
    states = penalty_states(2, [(goals, 0, False, 0) for goals in range(3)])
    every = [played(2, lambda goals, saves: goals >= 3, begin=(s[3], *s[:2])) for s in states]
    found = asked(tmp_path, text, "filter(sum, <<kicker>> Pmax=? [ F r=rounds & goals>=3 ])", rounds=2)
    assert found.value == sum(every)


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
    assert "c0: 50 %" in out and "a1, b1: 50 %" in out
    assert "draw" not in out


def test_rewards_where_play_may_go_round(tmp_path):
    text = THREE.replace("[a0,b1] over=0 -> (over'=2);", "[a0,b1] over=0 -> true;") + " rewards over=0 : 1; endrewards"
    with pytest.raises(NoValue, match="infinite"):
        asked(tmp_path, text, "<<a,b>> Rmax=? [ F over>0 ]", exact=False)
    found = asked(tmp_path, text, "<<a>> Rmin=? [ F over>0 ]", exact=False)
    assert found.low <= 1 <= found.high  # a1 ends it at once
    assert asked(tmp_path, text, "<<a,b>> Pmin=? [ F over>0 ]", exact=False).value == 0  # both stay forever
    found = asked(tmp_path, text, "<<a>> Pmax=? [ F over=2 ]", exact=False)
    assert found.high < 1e-9  # b1 and c0: a1 loses, and a0 goes on forever


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
        (PENALTIES, "Pmax=? [ F goals=1 ]", "who plays for it? Write <<...>> in front, with some of kicker, keeper"),
        (PENALTIES.replace("csg\n", "mdp\n"), "Pmax=? [ F goals=1 ]", "model.prism:7: within', the value after the step, is"),
    ],
)
def test_refused(tmp_path, text, property, said):
    with pytest.raises(ZermeloError) as error:
        asked(tmp_path, text, property, rounds=2)
    assert said in str(error.value)


MEETING = """csg player one one endplayer player two two endplayer
module one [h] s<END -> true; [t] s<END -> true; endmodule
module two [x] s<END -> true; [y] s<END -> true; endmodule
module place s : [0..END]; STEPS endmodule
rewards COSTS endrewards"""
PAIRS = [("h", "x"), ("h", "y"), ("t", "x"), ("t", "y")]


def meeting(steps: dict[tuple[int, str, str], dict[int, Fraction]], costs: dict[tuple[int, str, str], Fraction], end: int) -> str:
    """A csg of this table: where each pair of choices leads to from each state, and what it costs."""
    written = []
    for (s, a, b), after in steps.items():
        written.append(f"[{a},{b}] s={s} -> " + " + ".join(f"{p} : (s'={t})" for t, p in after.items()) + ";")
    paid = " ".join(f"[{a},{b}] s={s} : {c};" for (s, a, b), c in costs.items())
    return MEETING.replace("END", str(end)).replace("STEPS", " ".join(written)).replace("COSTS", paid)


def iterated(steps, costs, end: int, rounds: int = 3000) -> list[float]:
    """Values by what can be gathered in more and more steps, in floats."""
    value = [0.0] * (end + 1)
    for _ in range(rounds):
        after = [0.0] * (end + 1)
        for s in range(end):
            (a, b), (c, d) = (
                [float(costs[s, i, j]) + sum(float(p) * value[t] for t, p in steps[s, i, j].items()) for j in "xy"] for i in "ht"
            )
            low, high = max(min(a, b), min(c, d)), min(max(a, c), max(b, d))
            after[s] = low if low >= high else (a * d - b * c) / (a + d - b - c)
        value = after
    return value


@pytest.mark.parametrize("seed", range(6))
def test_rewards_until_a_goal_that_play_may_put_off(tmp_path, seed):
    """Every step costs something; from some pairs play goes on from the same place or an earlier one."""
    r = random.Random(seed)
    end = r.choice((1, 2, 3))
    steps, costs = {}, {}
    for s in range(end):
        for a, b in PAIRS:
            there, back = r.choice((end, s + 1)), r.randrange(s + 1)
            p = Fraction(r.choice((0, 1, 1, 2, 3)), 3)
            steps[s, a, b] = {t: q for t, q in ((there, p), (back, 1 - p)) if q}
            costs[s, a, b] = Fraction(r.choice((1, 1, 2, 5)), r.choice((1, 2, 3)))
    expected = iterated(steps, costs, end)[0]
    text = meeting(steps, costs, end)
    if expected > 1000:  # it grows with every step that is added
        with pytest.raises((NoValue, OutOfReach)):
            asked(tmp_path, text, f"<<one>> Rmax=? [ F s={end} ]", exact=False)
        return
    for question in (f"<<one>> Rmax=? [ F s={end} ]", f"<<two>> Rmin=? [ F s={end} ]"):
        found = asked(tmp_path, text, question, exact=False)
        assert found.low - 1e-6 <= expected <= found.high + 1e-6
        assert found.high - found.low < 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_all_rewards(tmp_path, seed):
    """R [C]: what is gathered in all, where nothing more is paid in the last state."""
    r = random.Random(f"all {seed}")
    end = r.choice((1, 2))
    steps, costs = {}, {}
    for s in range(end):
        for a, b in PAIRS:
            p = Fraction(r.choice((1, 2, 3)), 3)
            steps[s, a, b] = {t: q for t, q in ((s + 1, p), (r.randrange(s + 1), 1 - p)) if q}
            costs[s, a, b] = Fraction(r.choice((0, 1, 2, 5)), r.choice((1, 2, 3)))
    expected = iterated(steps, costs, end)[0]
    for question in ("<<one>> Rmax=? [ C ]", "<<two>> Rmin=? [ C ]", f"<<one>> Rmax=? [ Fc s={end} ]"):
        found = asked(tmp_path, meeting(steps, costs, end), question, exact=False)
        assert found.low - 1e-6 <= expected <= found.high + 1e-6
        assert found.high - found.low < 1e-6


def test_endless_play_that_pays_has_no_total(tmp_path):
    text = matching(dict.fromkeys(PAIRS, 1)).replace("[h,x] s=0 -> 1 : (s'=1);", "[h,x] s=0 -> 1 : (s'=0);")
    with pytest.raises(NoValue):
        asked(tmp_path, text, "<<one>> Rmax=? [ C ]", exact=False)


@pytest.mark.parametrize("seed", range(4))
def test_bounds_on_rewards(tmp_path, seed):
    """Against a recursion in fractions over the state and what was gathered."""
    r = random.Random(f"bounds {seed}")
    end, budget = 2, Fraction(r.choice((3, 4)))
    steps, costs = {}, {}
    for s in range(end):
        for a, b in PAIRS:
            p = Fraction(r.choice((0, 1, 2)), 3)
            steps[s, a, b] = {t: q for t, q in ((s + 1, p), (r.randrange(s + 1), 1 - p)) if q}
            costs[s, a, b] = Fraction(r.choice((1, 2, 3)), r.choice((1, 2)))

    @cache
    def value(s: int, left: Fraction) -> Fraction:
        if left < 0 or s == end:
            return Fraction(left >= 0)
        rows = [[sum((p * value(t, left - costs[s, a, b]) for t, p in steps[s, a, b].items()), Fraction(0)) for b in "xy"] for a in "ht"]
        return matrix(rows)

    text = meeting(steps, costs, end)
    for question in (f"<<one>> Pmax=? [ F{{1}}<={budget} s={end} ]", f"<<two>> Pmin=? [ F{{1}}<={budget} s={end} ]"):
        found = asked(tmp_path, text, question)
        assert found.low == found.value == found.high == value(0, budget)
    falls = text.replace("rewards [h,x] s=0 :", "rewards s=0 : s-1; [h,x] s=0 :")
    with pytest.raises(RulesError, match="what is gathered would fall"):
        asked(tmp_path, falls, f"<<one>> Pmax=? [ F{{1}}<=3 s={end} ]")


def matching(costs: dict[tuple[str, str], int]) -> str:
    """Play is over as soon as both choose alike (h and x, t and y)."""
    ends = {("h", "x"), ("t", "y")}
    steps = {(0, a, b): {1 if (a, b) in ends else 0: Fraction(1)} for a, b in PAIRS}
    return meeting(steps, {(0, *pair): Fraction(costs.get(pair, 0)) for pair in PAIRS}, 1)


def test_rewards_where_a_side_puts_off_the_end(tmp_path):
    each = dict.fromkeys(PAIRS, 1)
    found = asked(tmp_path, matching(each), "<<two>> Rmin=? [ F s=1 ]", exact=False)
    assert found.low <= 2 <= found.high  # by guessing, half of the rounds are the last
    always = matching(each).replace("[h,x] s=0 -> 1 : (s'=1);", "[h,x] s=0 -> 1 : (s'=0);")
    with pytest.raises(NoValue, match="infinite"):  # h keeps it going
        asked(tmp_path, always, "<<two>> Rmin=? [ F s=1 ]", exact=False)


def test_rounds_that_cost_nothing(tmp_path):
    """Who wants it low could go on for nothing forever, which is worth infinitely much here and 0 to the solver: the answer is right, or
    it is said that there is none."""
    for costs, expected in (({("h", "x"): 3, ("t", "y"): 3}, 3), ({("h", "x"): 3}, 0), ({("h", "y"): 1}, 0)):
        try:
            found = asked(tmp_path, matching(costs), "<<two>> Rmin=? [ F s=1 ]", exact=False)
        except OutOfReach as error:
            assert "may go round forever without payoffs" in str(error)
            continue
        assert found.low <= expected <= found.high
