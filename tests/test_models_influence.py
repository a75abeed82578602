"""Modules on which nothing depends are left out, and only those: the answer is the same fraction with and without them."""

import json
import warnings

import pytest

import zermelo
from zermelo.foreign import loading

KIND = "{kind}\n"
WALK = """
module walk
  x : [0..3] init 1;
  [up] x<3 -> 1/3:(x'=x+1) + 2/3:(x'=max(0,x-1));
  [down] x>0 & x<3 -> 1/2:(x'=x-1) + 1/2:true;
  [stay] x=3 -> true;
endmodule
label "top" = x=3;
rewards "climbs"
  [up] true : 1;
endrewards
"""
COUNT = """
module count
  n : [0..N] init 0;
  [up] {guard} -> {branch};
  [down] true -> (n'={value});
endmodule
"""
AGAIN = """
module again
  m : [0..3] init 0;
  [up] true -> (m'=min(3,max(0,n-N+m)));
endmodule
"""
CLIMBS, TOP, SOON = 'R{"climbs"}max=? [ C<=6 ]', 'Pmin=? [ F "top" ]', 'Pmax=? [ F<=5 "top" ]'


def model(kind="mdp", guard="true", branch="(n'=min(N,n+1))", value="n", more=""):
    return kind + "\nconst int N = 3;" + WALK + COUNT.format(guard=guard, branch=branch, value=value) + more


LEFT_OUT = {
    "a counter": (model(), "count"),
    "formulas and constants": (model(value="max(0, n-step)", more="formula step = N > 2 ? 1 : 2;\n"), "count"),
    "a chain of two": (model(more=AGAIN), "count, again"),
    "a counter of a condition": (model(branch="(n'=x=3?0:min(N,n+1))"), "count"),
    "a truth value": (model(branch="(n'=!n)", value="x=1").replace("n : [0..N] init 0", "n : bool"), "count"),
}
DOWN = "  [down] true -> (n'=n);"
KEPT = {
    "it holds up others": model(guard="n<2"),
    "it decides by chance": model(branch="1/2:(n'=0)+1/2:(n'=min(N,n+1))"),
    "another module reads it": model(more="module reader\n  z : bool;\n  [down] n>1 -> (z'=true);\nendmodule\n"),
    "a label reads it": model().replace("x=3;\nrewards", "x=3 | n=3;\nrewards"),
    "rewards read it": model().replace("[up] true : 1", "[up] n<2 : 1"),
    "it acts alone": model().replace(DOWN, f"{DOWN}\n  [] n>0 -> (n'=n-1);"),
    "a label of its own": model().replace(DOWN, f"{DOWN}\n  [tick] true -> (n'=0);"),
    "two ways": model().replace(DOWN, f"{DOWN}\n  [down] true -> (n'=0);"),
}


def answer(path, asked, monkeypatch, whole):
    with monkeypatch.context() as patch, warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        if whole:
            patch.setattr(loading, "without_what_nothing_depends_on", lambda model, question, given: model)
        found = zermelo.solve(f"{path}:{asked}", exact=True)
    return found.property.value, found.report.states, found.report.notes, told


@pytest.mark.parametrize("asked", [CLIMBS, TOP, SOON])
@pytest.mark.parametrize("case", LEFT_OUT)
def test_they_are_left_out(case, asked, tmp_path, monkeypatch):
    text, modules = LEFT_OUT[case]
    (path := tmp_path / "model.prism").write_text(text)
    short, whole = (answer(path, asked, monkeypatch, is_whole) for is_whole in (False, True))
    assert short[0] == whole[0] and short[1] < whole[1]
    assert any("left out: nothing that is asked depends on" in str(n) and modules in str(n) for n in [*short[2], *short[3]])


@pytest.mark.parametrize("case", KEPT)
def test_these_are_kept(case, tmp_path, monkeypatch):
    (path := tmp_path / "model.prism").write_text(KEPT[case])
    asked = CLIMBS if case == "rewards read it" else SOON
    short, whole = (answer(path, asked, monkeypatch, is_whole) for is_whole in (False, True))
    assert short[:2] == whole[:2]
    assert not any("left out" in str(n) for n in [*short[2], *short[3]])


FAULTS = {
    "an unknown name": (model(value="max(0,zz)"), "zz is no constant, formula or variable"),
    "a wrong beginning": (model().replace("n : [0..N] init 0", "n : [0..N] init 7"), "n begins with 7, which is not in its range"),
    "a quotient": (model(value="min(3,max(0,floor(1/n)))"), "division"),
    "a remainder, in a formula": (model(value="min(3,max(0,rest))", more="formula rest = mod(x,n);\n"), "mod by a number"),
    "a number for a truth value": (model(branch="(n'=1)", value="n").replace("n : [0..N] init 0", "n : bool"), "must be a truth value"),
}


@pytest.mark.parametrize("case", FAULTS)
def test_faults_of_a_module_are_told_though_nothing_depends_on_it(case, tmp_path):
    text, told = FAULTS[case]
    (path := tmp_path / "model.prism").write_text(text)
    with pytest.raises(zermelo.ZermeloError, match=told):
        zermelo.solve(f"{path}:{CLIMBS}")


def automaton(name, variable, edges):
    edges = [
        {"location": "l", "action": action, "destinations": [{"location": "l", "assignments": [{"ref": variable, "value": value}]}]}
        for action, value in edges
    ]
    return {"name": name, "locations": [{"name": "l"}], "initial-locations": ["l"], "edges": edges}


@pytest.mark.parametrize(("waits_for", "value"), [("b", 1), ("c", 0)])
def test_an_action_of_jani_that_never_comes_holds_others_up(waits_for, value, tmp_path, monkeypatch):
    """The results of synchronisation vectors need not have the names of their actions."""
    more = {"op": "min", "left": 2, "right": {"op": "+", "left": "n", "right": 1}}
    whole = {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 2}
    asked = {"op": "F", "exp": {"op": "=", "left": "x", "right": 1}}
    best = {"fun": "max", "values": {"op": "Pmax", "exp": asked}, "op": "filter", "states": {"op": "initial"}}
    text = {
        "jani-version": 1, "name": "block", "type": "mdp", "actions": [{"name": a} for a in "abc"],
        "variables": [{"name": v, "type": whole, "initial-value": 0} for v in "xn"],
        "automata": [automaton("K", "x", [("a", 0), ("b", 1)]), automaton("M", "n", [("a", more), ("b", more)])],
        "system": {
            "elements": [{"automaton": "K"}, {"automaton": "M"}],
            "syncs": [{"synchronise": ["a", "a"], "result": "a"}, {"synchronise": ["b", waits_for], "result": "b"}],
        },
        "properties": [{"name": "p", "expression": best}],
    }  # fmt: skip
    (path := tmp_path / "block.jani").write_text(json.dumps(text))
    short, all_states = (answer(path, "p", monkeypatch, is_whole) for is_whole in (False, True))
    assert short[0] == all_states[0] == value
    assert any("left out" in str(n) for n in [*short[2], *short[3]]) == (waits_for == "b")


def test_ranges_are_still_checked(tmp_path):
    (path := tmp_path / "model.prism").write_text(model(branch="(n'=min(N+1,n+1))"))
    with pytest.raises(zermelo.RulesError, match="n is 4, and the model declares it from 0 to 3"):
        zermelo.solve(f"{path}:{CLIMBS}")


@pytest.mark.parametrize("asked", ['Pmax=? [ F<=3 "init" ]', 'filter(max, Pmin=? [ F "top" ], x=0)'])
def test_questions_about_whole_states_are_asked_of_the_whole_model(asked, tmp_path, monkeypatch):
    (path := tmp_path / "model.prism").write_text(model())
    short, whole = (answer(path, asked, monkeypatch, is_whole) for is_whole in (False, True))
    assert short[:2] == whole[:2]


def test_chains_and_games(tmp_path, monkeypatch):
    (path := tmp_path / "chain.prism").write_text(model("dtmc").replace("x>0 & x<3 ->", "x<0 ->"))
    short, whole = (answer(path, 'P=? [ F "top" ]', monkeypatch, is_whole) for is_whole in (False, True))
    assert short[0] == whole[0] and short[1] < whole[1]
    players = "player a\n  walk, [up], [down], [stay]\nendplayer\nplayer b\n  count\nendplayer\n"
    (path := tmp_path / "game.prism").write_text(model("smg", more=players))
    short, whole = (answer(path, '<<a>> Pmax=? [ F<=5 "top" ]', monkeypatch, is_whole) for is_whole in (False, True))
    assert short[:2] == whole[:2]
