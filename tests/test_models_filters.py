"""Properties of several states: initial ones (`init ... endinit`) and those of filters, against an oracle in fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import product

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import NoValue, OutOfReach, RulesError, ZermeloError
from zermelo.foreign.loading import game_class
from zermelo.kernels.kernel import only
from zermelo.uses.property import answer

KINDS = """dtmc
module m
  x : [0..5];
  b : bool;
  [] !b & x>0 & x<4 -> 0.5 : (x'=x-1) + 1/4 : (x'=x+1) + 1/4 : (b'=true);
  [] b & x<4 -> 1/3 : (x'=x+1) + 2/3 : (b'=false) & (x'=0);
  [] x=0 & !b | x=4 -> true;
endmodule
init x>0 & x<3 & !b endinit
rewards x>0 : x; endrewards"""

DUEL = """smg
player one [a], [k] endplayer
player two [c], [d] endplayer
module m
  x : [0..6];
  mine : bool;
  [a] mine & x>0 & x<6 -> 1/2 : (x'=x+1) & (mine'=false) + 1/2 : (x'=x-1);
  [k] mine & x>0 & x<6 -> 1/5 : (x'=6) + 4/5 : (x'=0) & (mine'=false);
  [c] !mine & x>0 & x<6 -> 1/3 : (x'=x+1) & (mine'=true) + 2/3 : (x'=x-1);
  [d] !mine & x>1 & x<6 -> (x'=x-2) & (mine'=true);
endmodule
init x=3 | (x=1 & mine) endinit"""

State = tuple[int, bool]


def walk(at: State) -> list[tuple[Fraction, State]]:
    """What follows in the chain."""
    x, b = at
    if not b and 0 < x < 4:
        return [(Fraction(1, 2), (x - 1, b)), (Fraction(1, 4), (x + 1, b)), (Fraction(1, 4), (x, True))]
    if b and x < 4:
        return [(Fraction(1, 3), (x + 1, b)), (Fraction(2, 3), (0, False))]
    return [(Fraction(1), at)]


def reachable(starts: list[State]) -> list[State]:
    found, waiting = set(), list(starts)
    while waiting:
        at = waiting.pop()
        if at not in found:
            found.add(at)
            waiting += [then for _, then in walk(at)]
    return sorted(found)


def solved(states: list[State], ends: dict[State, Fraction], paid=lambda at: 0) -> dict[State, Fraction]:
    """The values of the chain, by elimination in fractions."""
    open_states = [s for s in states if s not in ends]
    rows = {}
    for s in open_states:
        row, right = {s: Fraction(1)}, Fraction(paid(s))
        for p, then in walk(s):
            if then in ends:
                right += p * ends[then]
            else:
                row[then] = row.get(then, Fraction(0)) - p
        rows[s] = [row, right]
    for s in open_states:
        row, right = rows[s]
        pivot = row.pop(s)
        row, right = {t: v / pivot for t, v in row.items()}, right / pivot
        rows[s] = [row, right]
        for t in open_states:
            other = rows[t]
            if t != s and (factor := other[0].pop(s, 0)):
                for u, v in row.items():
                    other[0][u] = other[0].get(u, Fraction(0)) - factor * v
                other[1] -= factor * right
    assert all(not any(row.values()) for row, _ in rows.values())
    return {**ends, **{s: right for s, (_, right) in rows.items()}}


STATES = reachable([(1, False), (2, False)])
CHANCE = solved(STATES, {(4, False): Fraction(1), (4, True): Fraction(1), (0, False): Fraction(0)})
GAIN = solved(STATES, {(4, False): Fraction(0), (4, True): Fraction(0), (0, False): Fraction(0)}, lambda at: at[0])


def asked(tmp_path, text: str, property: str, exact: bool = True):
    path = tmp_path / "model.prism"
    path.write_text(text)
    return answer(zermelo.solve(game_class(path, property)(), exact=exact))


@pytest.mark.parametrize(
    ("op", "condition", "expected"),
    [
        ("min", ', "init"', min(CHANCE[1, False], CHANCE[2, False])),
        ("max", ', "init"', max(CHANCE[1, False], CHANCE[2, False])),
        ("avg", ', "init"', (CHANCE[1, False] + CHANCE[2, False]) / 2),
        ("sum", "", sum(CHANCE.values())),
        ("avg", ", b", sum(v for s, v in CHANCE.items() if s[1]) / sum(s[1] for s in STATES)),
        ("min", ", x>1", min(v for s, v in CHANCE.items() if s[0] > 1)),
        ("max", ", b & x<4", max(v for s, v in CHANCE.items() if s[1] and s[0] < 4)),
        ("first", ", x>0 & b", CHANCE[1, True]),
        ("state", ", x=2 & b", CHANCE[2, True]),
    ],
)
def test_numbers(tmp_path, op, condition, expected):
    found = asked(tmp_path, KINDS, f"filter({op}, P=? [ F x=4 ]{condition})")
    assert found.low == found.value == found.high == expected
    close = asked(tmp_path, KINDS, f"filter({op}, P=? [ F x=4 ]{condition})", exact=False)
    assert close.low <= expected <= close.high
    assert close.high - close.low < 1e-9


def test_states_behind_the_goal_count_too(tmp_path):
    """Play ends at the goal, and the states that come after it can be reached in the model all the same."""
    found = asked(tmp_path, KINDS, "filter(print, P=? [ F x=3 ], x=4)")
    assert {s.state for s in found.states} == set()
    assert "over 2 states" in found.said or "in all of 2 states" in found.said
    assert asked(tmp_path, KINDS, "filter(max, P=? [ F b ], x=0 | x=4)").value == 1


@pytest.mark.parametrize(
    ("op", "condition", "holds"),
    [
        ("forall", "", all(v >= Fraction(1, 9) for v in CHANCE.values())),
        ("exists", ", x<3 & b", any(v >= Fraction(1, 9) for s, v in CHANCE.items() if s[1] and s[0] < 3)),
        ("forall", ", x=3", True),
        ("exists", ", x=0", any(v >= Fraction(1, 9) for s, v in CHANCE.items() if s[0] == 0)),
    ],
)
def test_thresholds(tmp_path, op, condition, holds):
    assert asked(tmp_path, KINDS, f"filter({op}, P>=1/9 [ F x=4 ]{condition})").holds is holds


@pytest.mark.parametrize(("op", "condition", "among", "holds", "count"), [
    ("count", "b & x>1", "", None, sum(b and x > 1 for x, b in STATES)),
    ("count", "true", ", x=4", None, sum(x == 4 for x, _ in STATES)),
    ("count", '"deadlock"', "", None, 0),
    ("count", "P>1/9 [ F x=4 ] & !b", "", None, sum(v > Fraction(1, 9) and not s[1] for s, v in CHANCE.items())),
    ("forall", "x<3", ', "init"', True, None),
    ("forall", '"init" => P>0 [ F x=4 ]', "", True, None),
    ("forall", "x<4", "", False, None),
    ("exists", "x=2 & b", "", True, None),
    ("exists", "x=5", "", False, None),
    ("state", "x=2", ", b & x=2", True, None),
])  # fmt: skip
def test_conditions_alone(tmp_path, op, condition, among, holds, count):
    found = asked(tmp_path, KINDS, f"filter({op}, {condition}{among})")
    assert found.holds is holds and (count is None or found.low == found.high == count)


def test_conditions_alone_in_games_and_where_both_choose(tmp_path):
    """Nobody plays for them, so that no coalition need be named."""
    states, waiting = set[tuple[int, bool]](), [(3, True), (3, False), (1, True)]
    while waiting:
        x, mine = at = waiting.pop()
        if at not in states:
            states.add(at)
            if 0 < x < 6:
                waiting += [(x + 1, False), (x - 1, True), (6, True), (0, False)] if mine else [(x + 1, True), (x - 1, False)]
                waiting += [(x - 2, True)] if not mine and x > 1 else []
    assert asked(tmp_path, DUEL, "filter(count, mine)").value == sum(mine for _, mine in states)
    assert asked(tmp_path, DUEL, 'filter(count, "deadlock")').value == sum(x in (0, 6) for x, _ in states)
    both = """csg player a a endplayer player b b endplayer
module a [h] x<3 -> true; [t] x<3 -> true; endmodule module b [y] x<3 -> true; endmodule
module c x : [0..9]; [h,y] x<3 -> (x'=x+1); [t,y] x<3 -> (x'=x+4); endmodule"""
    assert asked(tmp_path, both, "filter(count, x>3)").value == len({4, 5, 6})
    assert asked(tmp_path, both, 'filter(forall, "deadlock", x>2)').holds is True


WAIT = """mdp
module m
  x : [0..3];
  [a] x=0 -> (x'=2);
  [b] x=0 -> 1/2 : (x'=1) + 1/2 : (x'=2);
  [] x=1 -> (x'=3);
  [] x>1 -> true;
endmodule
rewards x=0 : 1/2; endrewards"""


@pytest.mark.parametrize(("op", "asked_for", "line", "value", "holds", "states"), [
    ("count", "P<=0.6 [ F x=3 ]", "= 1 (of 1 initial state)", 1, None, []),
    ("count", "P<=0.4 [ F x=3 ]", "= 0 (of 1 initial state)", 0, None, []),
    ("count", "x=0", "= 1 (of 1 initial state)", 1, None, []),
    ("count", '"deadlock"', "= 0 (of 1 initial state)", 0, None, []),
    ("argmin", "Pmax=? [ F x=3 ]", "is x=0: 1/2 = 0.5", Fraction(1, 2), None, ["x=0"]),
    ("argmax", "R{1}max=? [ C<=3 ]", "is x=0: 1/2 = 0.5", Fraction(1, 2), None, ["x=0"]),
    ("sum", "Pmax=? [ F x=3 ]", "= 1/2 = 0.5", Fraction(1, 2), None, []),
    ("avg", "Pmax=? [ F x=3 ]", "= 1/2 = 0.5", Fraction(1, 2), None, []),
    ("min", "Pmax=? [ F x=3 ]", "= 1/2 = 0.5", Fraction(1, 2), None, []),
    ("range", "Pmax=? [ F x=3 ]", "= 1/2 = 0.5 in all of 1 initial state", Fraction(1, 2), None, []),
    ("printall", "Pmax=? [ F x=3 ]", "= 1/2 = 0.5 in all of 1 initial state: x=0: 1/2 = 0.5", Fraction(1, 2), None, ["x=0"]),
    ("print", "P>0.6 [ F x=3 ]", "is false (it holds in 0 of 1 initial state)", None, False, []),
    ("forall", "P<=0.6 [ F x=3 ]", "is true (1/2 = 0.5)", Fraction(1, 2), True, []),
    ("exists", "P<=0.4 [ F x=3 ]", "is false (1/2 = 0.5)", Fraction(1, 2), False, []),
    ("first", "P<=0.4 [ F x=3 ]", "is false (1/2 = 0.5)", Fraction(1, 2), False, []),
])  # fmt: skip
@pytest.mark.parametrize("kind", ["mdp", "smg", "csg"])
def test_an_operator_over_the_only_initial_state(tmp_path, capsys, op, asked_for, line, value, holds, states, kind):
    """With one initial state, the operator was left out: a count of 1 was a probability of 1/2."""
    who = "" if kind == "mdp" or asked_for[0] not in "PR" else "<<one>> "
    asks = asked_for.replace("P<", "Pmax<").replace("P>", "Pmax>") if who else asked_for
    text = WAIT.replace("mdp", {"mdp": "mdp", "smg": "smg player one m, [a], [b] endplayer", "csg": "csg player one m endplayer"}[kind])
    text = text.replace("  [] x>1 -> true;\n", "").replace("[]", "[c]") if kind == "csg" else text  # exact where play never returns
    path, question = tmp_path / "wait.prism", f'filter({op}, {who}{asks}, "init")'
    path.write_text(text)
    found = zermelo.solve(f"{path}:{question}", exact=True).property
    assert (found.line, found.value, found.holds) == (f"{question} {line}", value, holds)
    assert [s.state for s in found.states] == states
    if kind != "smg":
        return
    assert main(["solve", str(path), "--property", question, "--exact", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["property"]
    assert told["value"] == (None if value is None else float(value)) and told.get("holds") is holds
    (row,) = zermelo.study(f"{path}:{question}", exact=True).rows
    assert (row.value, row.holds) == (value, holds)


def test_how_many_and_where(tmp_path):
    many = sum(v >= Fraction(1, 4) for v in CHANCE.values())
    assert asked(tmp_path, KINDS, "filter(count, P>=0.25 [ F x=4 ])").value == many
    best = max(v for s, v in CHANCE.items() if s[0] < 4)
    found = asked(tmp_path, KINDS, "filter(argmax, P=? [ F x=4 ], x<4)")
    assert [s.state for s in found.states] == [f"x={x} & {'' if b else '!'}b" for (x, b), v in CHANCE.items() if v == best and x < 4]


def test_rewards_and_steps(tmp_path):
    found = asked(tmp_path, KINDS, 'filter(max, R=? [ F x=4 | (x=0 & !b) ], "init")')
    assert found.value == max(GAIN[1, False], GAIN[2, False])
    two = {s: sum(p * sum(q for q, t in walk(then) if t == (0, False)) for p, then in walk(s)) for s in STATES}
    found = asked(tmp_path, KINDS, "filter(sum, P=? [ F[2,2] x=0 & !b ])")
    assert found.value == sum(two.values())
    paid = {s: s[0] + sum(p * then[0] for p, then in walk(s)) for s in STATES}
    assert asked(tmp_path, KINDS, "filter(sum, R=? [ C<=2 ], b)").value == sum(v for s, v in paid.items() if s[1])
    assert asked(tmp_path, KINDS, "filter(max, R=? [ I=1 ], b & x<4)").value == max(
        sum(p * then[0] for p, then in walk(s)) for s in STATES if s[1] and s[0] < 4
    )


def test_several_initial_states_without_a_filter(tmp_path, capsys):
    found = asked(tmp_path, KINDS, "P=? [ F x=4 ]")
    low, high = sorted((CHANCE[1, False], CHANCE[2, False]))
    assert (found.low, found.high) == (low, high)
    assert asked(tmp_path, KINDS, f"P>={low} [ F x=4 ]").holds is True
    assert asked(tmp_path, KINDS, f"P>{low} [ F x=4 ]").holds is False
    words = ["solve", str(tmp_path / "model.prism"), "--property", "P=? [ F x=4 ]", "--exact"]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert f"[{low} = {float(low):.15g}, {high} = {float(high):.15g}] over 2 initial states" in " ".join(out.split())
    assert "value  " not in out  # that of the draw means nothing
    assert main([*words[:3], "filter(printall, P=? [ F x=4 ], b)", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["property"]["states"]
    assert [s["state"] for s in told] == [f"x={x} & b" for x, b in STATES if b]


OPEN = KINDS.replace("module m", "const int N; const bool both; formula far = N; module m").replace(
    "x>0 & x<3 & !b", "x>0 & x<far & (both | !b)"
)  # fmt: skip


@pytest.mark.parametrize("given", [{"N": 3, "both": False}, {"N": 4, "both": True}, {"N": 2, "both": False}])
def test_initial_states_of_an_open_constant(tmp_path, given):
    """They were refused without --const; one compilation serves all values."""
    path = tmp_path / "model.prism"
    path.write_text(OPEN)
    made = game_class(path, "P=? [ F x=4 ]")
    expected = [CHANCE[s] for s in STATES if 0 < s[0] < given["N"] and (given["both"] or not s[1])]
    for tier in ("interpreted", "compiled"):
        with only(tier):
            found = answer(zermelo.solve(made(**given), exact=True))
        assert (found.low, found.high) == (min(expected), max(expected))
        assert f"of {len(expected)} initial state" in found.line or f"over {len(expected)} initial states" in found.line
    for op, function in (("avg", lambda e: sum(e) / len(e)), ("min", min), ("max", max)):
        made = game_class(path, f'filter({op}, P=? [ F x=4 ], "init")')
        assert answer(zermelo.solve(made(**given), exact=True)).value == function(expected)


def test_an_open_constant_in_a_range_where_init_says_the_rest(tmp_path):
    text = """mdp const int N; const int at;
module m x : [0..N]; y : [0..3]; b : bool;
  [up] x>0 & x<N -> 1/2 : (x'=x+1) + 1/2 : (x'=x-1);
  [stop] x>0 & x<N & y>0 -> (x'=0) & (y'=0);
endmodule
init x=at & b & y<2 endinit"""
    path = tmp_path / "model.prism"
    path.write_text(text)
    made = game_class(path, "Pmax=? [ F x=N ]")
    found = answer(zermelo.solve(made(N=7, at=3), exact=True))
    assert found.low == found.high == Fraction(3, 7) and "in all of 2 initial states" in found.line
    found = answer(zermelo.solve(game_class(path, "Pmin=? [ F x=N ]")(N=7, at=3), exact=True))
    assert (found.low, found.high) == (0, Fraction(3, 7))
    with pytest.raises(RulesError, match="`init` holds in no state"):
        zermelo.solve(game_class(path.with_name(_without(path, "y<2", "y>N")), "Pmax=? [ F x=N ]")(N=7, at=3))
    with pytest.raises(ZermeloError, match="which a filter over states needs: give it with --const"):
        game_class(path, "filter(max, Pmax=? [ F x=N ])")


def _without(path, old: str, new: str) -> str:
    """The name of a copy of a model with a change."""
    copy = path.with_name("changed.prism")
    copy.write_text(path.read_text().replace(old, new))
    return copy.name


def test_many_initial_states_are_a_table(tmp_path):
    text = "mdp module m x:[-3..40]; b:bool; [] x>0 -> 1/2:(x'=x-1) + 1/2:(x'=x); [] x<=0 -> true; endmodule init x!=7 & (b | x>3) endinit"
    found = asked(tmp_path, text + " rewards true : 1; endrewards", 'filter(sum, Rmin=? [ F x<=0 ], "init")')
    starts = [(x, b) for x, b in product(range(-3, 41), (False, True)) if x != 7 and (b or x > 3)]
    assert found.value == sum(2 * max(x, 0) for x, _ in starts)


def test_a_game_from_several_states(tmp_path):
    """Against value iteration, upwards from 0, in fractions that are rounded to 10^-12."""
    values = {s: Fraction(s[0] == 6) for s in product(range(7), (False, True))}
    for _ in range(60):
        after = dict(values)
        for x, mine in values:
            if 0 < x < 6:
                choices = (
                    [(values[x + 1, False] + values[x - 1, True]) / 2, values[6, True] / 5 + 4 * values[0, False] / 5]
                    if mine
                    else [values[x + 1, True] / 3 + 2 * values[x - 1, False] / 3, *([values[x - 2, True]] if x > 1 else [])]
                )
                after[x, mine] = Fraction((max if mine else min)(choices)).limit_denominator(10**12)
        values = after
    starts = [(3, False), (3, True), (1, True)]
    found = asked(tmp_path, DUEL, "<<one>> Pmax=? [ F x=6 ]")
    assert float(found.low) == pytest.approx(float(min(values[s] for s in starts)), abs=1e-9)
    assert float(found.high) == pytest.approx(float(max(values[s] for s in starts)), abs=1e-9)
    found = asked(tmp_path, DUEL, "filter(sum, <<one>> Pmax=? [ F x=6 ], x>0 & x<6)")
    reached = list(product(range(1, 6), (False, True)))
    assert float(found.value) == pytest.approx(float(sum(values[s] for s in reached)), abs=1e-9)


def herman(n: int, guard: str = "!(x1=x{n})") -> str:
    """Herman's ring: a process whose neighbour has the same bit holds a token, and flips a coin; all at once."""
    first = f"module p1 x1 : [0..1]; [step] (x1=x{n}) -> 0.5 : (x1'=0) + 0.5 : (x1'=1); [step] {guard.format(n=n)} -> (x1'=x{n}); endmodule"
    rest = " ".join(f"module p{i} = p1 [ x1=x{i}, x{n}=x{i - 1} ] endmodule" for i in range(2, n + 1))
    tokens = " + ".join(f"(x{i}=x{i % n + 1}?1:0)" for i in range(1, n + 1))
    return f'dtmc {first} {rest} rewards true : 1; endrewards init true endinit formula tokens = {tokens}; label "stable" = tokens=1;'


@pytest.mark.parametrize("guard", ["!(x1=x{n})", "x1!=x{n}", "x1<x{n} | x1>x{n}"])  # the last is not seen to exclude the first: loops
def test_all_initial_states_of_a_ring(tmp_path, guard):
    """Three tokens at distances a, b, c on a ring of n take 4abc/n steps on average (McIver and Morgan), which is the worst."""
    assert asked(tmp_path, herman(5, guard), 'filter(max, R=? [ F "stable" ], "init")').value == Fraction(4 * 1 * 2 * 2, 5)


def test_too_many_modules_at_once(tmp_path):
    with pytest.raises(ZermeloError, match="shared by 21 modules, which takes 42 loops inside of one another; at most 18 are read"):
        asked(tmp_path, herman(21, "x1<x{n} | x1>x{n}").replace("init true endinit", ""), 'P=? [ F "stable" ]')


def test_messages_speak_of_the_model(tmp_path):
    """They counted states of the translated game, and named its fields: "in 16 of 16 states (one is x=1, phase=1)"."""
    with pytest.raises(NoValue, match=r"in 2 of 3 states \(one is x=[12]\)"):
        moves = "[] x>0 -> (x'=3-x); [] x=0 -> (x'=2);"
        asked(tmp_path, f"dtmc module m x:[0..2]; {moves} endmodule rewards true:1; endrewards init x<2 endinit", "R=? [ F x=0 ]")
    path = tmp_path / "model.prism"
    assert main(["table", str(path), "--property", "P=? [ F x=1 ]"]) == 0


def test_infinite_somewhere(tmp_path):
    with pytest.raises(NoValue, match="infinite"):
        asked(tmp_path, KINDS, "filter(max, R=? [ F x=4 ])")
    assert asked(tmp_path, KINDS, "filter(max, R=? [ F x=4 ], x=4)").value == 0


@pytest.mark.parametrize(
    ("property", "error", "said"),
    [
        ("filter(max, P=? [ F x=4 ], x=5)", OutOfReach, "holds in no state that can be reached"),
        ("filter(state, P=? [ F x=4 ], x=2)", OutOfReach, "is about one state, and its condition holds in 2 states"),
        ("filter(max, P>=0.5 [ F x=4 ])", ZermeloError, r"property:1: filter\(max, ...\) takes a number, as in P=\?"),
        ("filter(forall, P=? [ F x=4 ])", ZermeloError, r"property:1: filter\(forall, ...\) takes a threshold, as in P>=0.5"),
        ("filter(best, P=? [ F x=4 ])", ZermeloError, r"property:1: there is no filter\(best, ...\); there is min, max, sum"),
        ("filter(max, P=? [ F x=4 ], x+1)", ZermeloError, "a condition is asked for"),
    ],
)
def test_refused(tmp_path, property, error, said):
    with pytest.raises(error, match=said):
        asked(tmp_path, KINDS, property)
