"""Models in JANI: the same answers as the same models in PRISM's language, values known by hand, and what is refused."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.cli import main
from zermelo.errors import ZermeloError
from zermelo.foreign.loading import game_class
from zermelo.uses.property import answer

DAMAGES = 300


def is_(left: Any, right: Any) -> dict[str, Any]:
    return {"op": "=", "left": left, "right": right}


def asked(name: str, values: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "expression": {"op": "filter", "fun": "max", "values": values, "states": {"op": "initial"}}}


def bounded(low: int, high: Any) -> dict[str, Any]:
    return {"kind": "bounded", "base": "int", "lower-bound": low, "upper-bound": high}


# Two runners, each with a token: together they `step`, each succeeding with its own chance; the second may `rest` for free.
RUN: dict[str, Any] = {
    "jani-version": 1,
    "name": "run",
    "type": "mdp",
    "actions": [{"name": "step"}, {"name": "go"}, {"name": "rest"}],
    "constants": [{"name": "N", "type": "int"}, {"name": "p", "type": "real", "value": {"op": "/", "left": 1, "right": 3}}],
    "variables": [
        {"name": "cost", "type": "real", "transient": True, "initial-value": 0.0},
        {"name": "toll", "type": "real", "transient": True, "initial-value": 0.0},
        {"name": "done", "type": "bool", "transient": True, "initial-value": False},
        {"name": "x", "type": bounded(0, "N"), "initial-value": 0},
        {"name": "other", "type": bounded(0, 1), "initial-value": 0},
    ],
    "automata": [
        {
            "name": "first",
            "locations": [
                {"name": "on", "transient-values": [{"ref": "toll", "value": 0.5}]},
                {"name": "off", "transient-values": [{"ref": "done", "value": True}]},
            ],
            "initial-locations": ["on"],
            "edges": [
                {
                    "location": "on",
                    "action": "step",
                    "guard": {"exp": {"op": "<", "left": "x", "right": "N"}},
                    "destinations": [
                        {
                            "location": "on",
                            "probability": {"exp": "p"},
                            "assignments": [{"ref": "x", "value": {"op": "+", "left": "x", "right": 1}}],
                        },
                        {"location": "on", "probability": {"exp": {"op": "-", "left": 1, "right": "p"}}},
                    ],
                },
                {"location": "on", "guard": {"exp": is_("x", "N")}, "destinations": [{"location": "off"}]},
                {"location": "off", "destinations": [{"location": "off"}]},
            ],
        },
        {
            "name": "second",
            "variables": [{"name": "x", "type": bounded(0, 1), "initial-value": 0}],
            "locations": [{"name": "l"}],
            "initial-locations": ["l"],
            "edges": [
                {
                    "location": "l",
                    "action": "go",
                    "destinations": [{"location": "l", "assignments": [{"ref": "cost", "value": 2}, {"ref": "x", "value": 1}]}],
                },
                {"location": "l", "action": "rest", "destinations": [{"location": "l"}]},
            ],
        },
    ],
    "system": {
        "elements": [{"automaton": "first"}, {"automaton": "second"}],
        "syncs": [
            {"synchronise": ["step", "go"], "result": "both"},
            {"synchronise": [None, "rest"], "result": "rest"},
        ],
    },
    "properties": [
        asked("reach", {"op": "Pmax", "exp": {"op": "F", "exp": "done"}}),
        asked("never", {"op": "Pmin", "exp": {"op": "U", "left": True, "right": "done"}}),
        asked("soon", {"op": "Pmax", "exp": {"op": "F", "exp": is_("x", 1), "step-bounds": {"upper": 2}}}),
        asked("sure", {"op": "≥", "left": {"op": "Pmin", "exp": {"op": "F", "exp": "done"}}, "right": 0.5}),
        asked("cost", {"op": "Emin", "exp": "cost", "accumulate": ["steps"], "reach": "done"}),
        asked("toll", {"op": "Emin", "exp": "toll", "accumulate": ["exit"], "reach": is_("x", "N")}),
        asked("steps", {"op": "Emin", "exp": 1, "accumulate": ["steps"], "reach": "done"}),
        asked("four", {"op": "Emax", "exp": "cost", "accumulate": ["steps"], "step-instant": 1}),
        asked("timed", {"op": "Emax", "exp": 1, "accumulate": ["time"], "reach": "done"}),
    ],
}


@pytest.fixture
def run(tmp_path: Path):
    def write(data: Any = RUN) -> str:
        path = tmp_path / "run.jani"
        path.write_text(json.dumps(data))
        return str(path)

    return write


def worth(word: str, name: str, **parameters: Any) -> Any:
    found = answer(zermelo.solve(f"{word}:{name}", exact=True, **parameters))
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "value", "more"),
    [
        ("reach", 1, {}),
        ("never", 0, {}),
        ("soon", Fraction(5, 9), {}),  # 1 - (2/3)^2
        ("cost", 2 * 3 * 4, {"never": 1000}),  # four successes of 1/3, at 2 a step; to rest costs nothing
        ("toll", Fraction(3 * 4, 2), {}),
        ("steps", 3 * 4 + 1, {}),
        ("four", 2, {}),
    ],
)
def test_values_known_by_hand(run, name, value, more):
    assert worth(run(), name, N=4, **more).value == value


def test_thresholds_and_names(run, capsys):
    assert worth(run(), "sure", N=4).holds is False
    assert main(["solve", run(), "--property", "cost", "--N", "2", "--never", "100", "--exact"]) == 0
    assert "cost = 12" in capsys.readouterr().out
    assert main(["solve", run(), "--property", "what", "--N", "2"]) == 2
    assert "it has reach, never, soon" in capsys.readouterr().err


def test_as_in_the_other_language(run, tmp_path):
    text = """mdp
    const int N;
    module first
      off : bool;
      x : [0..N];
      [step] !off & x<N -> 1/3 : (x'=x+1) + 2/3 : true;
      [] !off & x=N -> (off'=true);
      [] off -> true;
    endmodule
    module second
      y : [0..1];
      [step] true -> (y'=1);
      [rest] true -> true;
    endmodule
    rewards [step] true : 2; endrewards"""
    path = tmp_path / "run.prism"
    path.write_text(text)
    for name, question in (("reach", "Pmax=? [ F off ]"), ("never", "Pmin=? [ F off ]"), ("cost", "Rmin=? [ F off ]")):
        more = {"never": 1000} if name == "cost" else {}
        assert worth(run(), name, N=3, **more).value == worth(str(path), question, N=3, **more).value


def with_functions(data: dict[str, Any] = RUN) -> dict[str, Any]:
    """The same model by functions: of the model and of an automaton that has a variable x of its own, with parameters of these names."""
    data = copy.deepcopy(data)
    call = lambda name, *arguments: {"op": "call", "function": name, "args": list(arguments)}  # noqa: E731
    data["functions"] = [
        {"name": "more", "type": "int", "parameters": [{"name": "N", "type": "int"}, {"name": "x", "type": "int"}],
         "body": {"op": "+", "left": "x", "right": "N"}},
        {"name": "has_all", "type": "bool", "parameters": [], "body": call("all_of", "x")},
        {"name": "all_of", "type": "bool", "parameters": [{"name": "y", "type": "int"}], "body": is_("y", "N")},
    ]  # fmt: skip
    first, second = data["automata"]
    second["functions"] = [
        {"name": "has_all", "type": "bool", "parameters": [], "body": {"op": "≥", "left": "x", "right": 0}},  # its own x
        {"name": "done_by_all", "type": "int", "parameters": [{"name": "x", "type": "int"}], "body": call("more", "x", 0)},
    ]
    step, over = first["edges"][:2]
    step["destinations"][0]["assignments"][0]["value"] = call("more", 1, "x")
    over["guard"]["exp"] = call("has_all")
    go = second["edges"][0]
    go["guard"] = {"exp": call("has_all")}
    go["destinations"][0]["assignments"][1]["value"] = call("done_by_all", 1)
    return data


@pytest.mark.parametrize("name", ["reach", "cost", "soon", "toll"])
def test_functions(run, name):
    more = {"never": 1000} if name == "cost" else {}
    expected = worth(run(), name, N=4, **more).value
    assert worth(run(with_functions()), name, N=4, **more).value == expected


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"op": "call", "function": "all_of", "args": ["y"]}, "the function all_of calls itself"),
        ({"op": "call", "function": "what", "args": []}, "there is no function what"),
        ({"op": "call", "function": "more", "args": ["y"]}, "more takes 2 arguments, not 1"),
        ({"op": "sin", "exp": "y"}, "function all_of: sin is not read"),
    ],
)
def test_functions_that_are_refused(run, capsys, body, said):
    data = with_functions()
    data["functions"][2]["body"] = body
    assert main(["solve", run(data), "--property", "reach", "--N", "3"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_assignments_one_after_the_other(run):
    """The other order of one step: x + 1 by way of 2 x + 2, what is paid from what was just set."""
    data = copy.deepcopy(RUN)
    first, second = data["automata"]
    first["variables"] = [{"name": "z", "type": bounded(0, 99), "initial-value": 0}]
    first["edges"][0]["destinations"][0]["assignments"] = [
        {"ref": "x", "value": {"op": "-", "left": {"op": "-", "left": "z", "right": "x"}, "right": 1}, "index": 2},
        {"ref": "z", "value": {"op": "+", "left": "z", "right": {"op": "+", "left": "x", "right": 1}}, "index": 1},
        {"ref": "z", "value": {"op": "+", "left": "x", "right": 1}, "index": 0},
        {"ref": "z", "value": 0, "index": 3},
    ]
    second["edges"][0]["destinations"][0]["assignments"] = [
        {"ref": "x", "value": 1, "index": 0},
        {"ref": "cost", "value": {"op": "+", "left": "x", "right": "x"}, "index": 4},
    ]
    for name in ("reach", "cost", "soon"):
        more = {"never": 1000} if name == "cost" else {}
        assert worth(run(data), name, N=4, **more).value == worth(run(), name, N=4, **more).value
    first["edges"][1]["destinations"][0]["assignments"] = [{"ref": "other", "value": 1}]
    second["edges"][0]["destinations"][0]["assignments"].append({"ref": "x", "value": "other", "index": 1})
    with pytest.raises(ZermeloError, match="asks for other, which another automaton may set in the same step"):
        worth(run(data), "reach", N=4)


def small(assignments: list[dict[str, Any]], properties: list[Any] = (), functions: list[Any] = ()) -> dict[str, Any]:
    """One automaton in two steps: x begins with 1 and y with 0; the first step makes these assignments, the second one none."""
    return {
        "jani-version": 1, "name": "small", "type": "dtmc", "functions": list(functions),
        "variables": [
            {"name": "x", "type": bounded(0, 20), "initial-value": 1}, {"name": "y", "type": bounded(0, 20), "initial-value": 0},
            {"name": "t", "type": "real", "transient": True, "initial-value": 1},
        ],
        "automata": [{
            "name": "only", "initial-locations": ["a"],
            "locations": [{"name": "a"}, {"name": "b", "transient-values": [{"ref": "t", "value": 5}]}, {"name": "c"}],
            "edges": [
                {"location": "a", "destinations": [{"location": "b", "assignments": assignments}]},
                {"location": "b", "destinations": [{"location": "c"}]},
            ],
        }],
        "system": {"elements": [{"automaton": "only"}]},
        "properties": [asked("six", {"op": "Pmax", "exp": {"op": "F", "exp": is_("y", 6)}}), *properties],
    }  # fmt: skip


def test_a_parameter_is_not_the_variable_of_its_name_in_a_function_that_is_called(run):
    plus = {"name": "plus", "type": "int", "parameters": [{"name": "n", "type": "int"}], "body": {"op": "+", "left": "x", "right": "n"}}
    outer = {"name": "outer", "type": "int", "parameters": [{"name": "x", "type": "int"}],
             "body": {"op": "call", "function": "plus", "args": ["x"]}}  # fmt: skip
    call = {"op": "call", "function": "outer", "args": [5]}
    assert worth(run(small([{"ref": "y", "value": call}], functions=[plus, outer])), "six").value == 1  # 1 + 5, not 5 + 5


def test_a_later_assignment_calls_a_function_of_what_was_just_set(run):
    more = {"name": "more", "type": "int", "parameters": [], "body": {"op": "+", "left": "x", "right": 1}}
    call = {"op": "call", "function": "more", "args": []}
    found = small([{"ref": "x", "value": 5, "index": 0}, {"ref": "y", "value": call, "index": 1}], functions=[more])
    assert worth(run(found), "six").value == 1  # 5 + 1, not 1 + 1


def test_a_transient_variable_has_its_initial_value_where_no_location_sets_it(run):
    pay = {"name": "pay", "type": "real", "parameters": [], "body": "t"}
    call = {"op": "call", "function": "pay", "args": []}
    gathered = {"op": "Emax", "accumulate": ["exit"], "step-instant": 3}
    properties = [asked("exit", {**gathered, "exp": "t"}), asked("called", {**gathered, "exp": call}),
                  asked("start", {"op": "Emax", "exp": "t", "step-instant": 0})]  # fmt: skip
    word = run(small([], properties, [pay]))
    assert [worth(word, name).value for name in ("exit", "called", "start")] == [1 + 5 + 1, 1 + 5 + 1, 1]


def test_what_is_paid_and_when_must_be_said(run):
    never_said = {"op": "Emax", "exp": 1, "reach": is_("y", 6)}
    bound = {"exp": 1, "bounds": {"upper": 2}}
    properties = [
        asked("nothing", never_said), asked("moving", {**never_said, "exp": "x", "accumulate": ["steps"]}),
        asked("bounded", {"op": "Pmax", "exp": {"op": "F", "exp": is_("y", 6), "reward-bounds": [bound]}}),
    ]  # fmt: skip
    word = run(small([], properties))
    for name, said in (("nothing", "without `accumulate`"), ("bounded", "without `accumulate`"), ("moving", "x may be another number")):
        with pytest.raises(ZermeloError, match=said):
            worth(word, name)


def test_variables_without_an_initial_value_have_each_of_their_values(run):
    """x begins anywhere: from 0 it takes four successes of 1/3 and a step, from 4 one step; `max` asks for the most."""
    data = copy.deepcopy(RUN)
    del data["variables"][3]["initial-value"]
    data["properties"] += [{**p, "name": f"least {p['name']}", "expression": {**p["expression"], "fun": "min"}} for p in data["properties"]]
    data["constants"][0]["value"] = 4
    assert worth(run(data), "steps").value == 3 * 4 + 1
    assert worth(run(data), "least steps").value == 1
    data["restrict-initial"] = {"exp": {"op": ">", "left": "x", "right": 1}}
    assert worth(run(data), "steps").value == 3 * 2 + 1


HOSTILE = "\"\"\"'\\n\n    raise SystemExit('a name was run')\n#x"


@pytest.mark.parametrize("name", ["reach", "cost", "soon"])
def test_names_are_texts_and_no_code(run, name):
    """A name with a line break was written into a comment of the rules as it is, and what followed it was run."""
    own = {"step", "go", "rest", "both", "p", "cost", "toll", "done", "x", "first", "second", "on", "off", "l"} | {"reach", "soon"}

    def renamed(data: Any, key: str = "") -> Any:
        if isinstance(data, dict):
            return {k: renamed(v, k) for k, v in data.items()}
        if isinstance(data, list):
            return [renamed(v, key) for v in data]
        return data + HOSTILE if data in own and isinstance(data, str) and key not in ("op", "kind", "base", "type", "fun") else data

    more = {"never": 1000} if name == "cost" else {}
    assert worth(run(renamed(RUN)), name + HOSTILE, N=3, **more).value == worth(run(), name, N=3, **more).value


def test_a_name_that_ends_in_an_apostrophe_is_a_name(run):
    """It was taken for the value of another variable after the step, and of itself."""
    data = json.loads(json.dumps(RUN).replace('"x"', '"other\'"').replace('"reach"', '"reach\'"'))
    assert worth(run(data), "reach'", N=3).value == worth(run(), "reach", N=3).value


@pytest.mark.parametrize(
    ("where", "value", "said"),
    [
        (["type"], "ctmc", "a model of type ctmc has continuous time"),
        (["variables", 3, "type"], "int", "variables[3]: x has the type int"),
        (["automata", 0, "edges", 1, "rate"], {"exp": 1}, "continuous time"),
        (["automata", 1, "initial-locations"], [], "0 initial locations"),
        (["automata", 0, "edges", 1, "guard"], {"exp": {"op": "sin", "exp": "x"}}, "sin is not read"),
        (["system", "elements", 0, "input-enable"], ["step"], "`input-enable` is not read"),
        (["automata"], None, "has another form"),
        (["automata", 0, "edges", 1, "location"], [], "automata[0].edges[1]: something has another form"),
        (["automata", 0, "edges", 1, "guard"], {"exp": {"op": "=", "right": 1}}, "automata[0].edges[1]: 'left' is missing"),
        (["automata", 0, "edges", 1, "guard"], {"exp": is_("a\nb\x1b[31m", 1)}, "a b [31m is no constant"),
        (["constants", 0], {"type": "int"}, "'name' is missing"),
        (["properties", 0, "expression", "values"], {"op": "Smax", "exp": True}, "Smax is not read"),
    ],
)
def test_refused_in_one_line(run, capsys, where, value, said):
    data = copy.deepcopy(RUN)
    at = data
    for key in where[:-1]:
        at = at[key]
    at[where[-1]] = value
    assert main(["solve", run(data), "--property", "reach", "--N", "3"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_what_one_property_needs_does_not_hinder_the_others(run, capsys):
    assert main(["solve", run(), "--property", "timed", "--N", "3"]) == 2
    assert "rewards by time are not read" in capsys.readouterr().err


@pytest.mark.parametrize("seed", range(DAMAGES))
def test_damaged_models_are_refused_in_one_line(seed, tmp_path):
    r = random.Random(seed)
    data = with_functions()
    for _ in range(r.randint(1, 3)):
        at: Any = data
        while True:
            key = r.choice(list(at)) if isinstance(at, dict) else r.randrange(len(at))
            if not isinstance(at[key], dict | list) or not at[key] or r.random() < 0.15:
                break
            at = at[key]
        at[key] = r.choice((None, 0, "x", "nothing", True, [], {}, {"op": "+"}, {"op": "=", "left": "x", "right": 0.5}, [1], -1))
    path = tmp_path / "run.jani"
    path.write_text(json.dumps(data) if r.random() < 0.9 else json.dumps(data)[: r.randrange(2000)])
    try:
        game_class(path, r.choice(("reach", "cost", "toll", "soon")))
    except ZermeloError as error:
        assert "\n" not in str(error)


OTHER = {"ref": "cost", "value": 1}


@pytest.mark.parametrize(
    ("where", "key", "value", "said"),
    [
        ([], "datatypes", [], "the key 'datatypes' of a model"),
        (["variables", 3], "observable", True, "variables[3]: the key 'observable' of a variable"),
        (["variables", 3, "type"], "upper_bound", 1, "variables[3].type: the key 'upper_bound' of a type"),
        (["constants", 1], "val", 1, "constants[1]: the key 'val' of a constant"),
        (["automata", 0], "invariant", True, "automata[0]: the key 'invariant' of an automaton"),
        (["automata", 0, "locations", 1], "rate", 1, "automata[0].locations[1]: the key 'rate' of a location"),
        (["automata", 1, "edges", 0], "assignments", [{"ref": "x", "value": 1}], "beside the destinations are of transient variables only"),
        (["automata", 1, "edges", 0], "assignments", [OTHER], "cost is assigned beside the destinations and by one of them"),
        (["automata", 1, "edges", 0], "priority", 1, "automata[1].edges[0]: the key 'priority' of an edge"),
        (["automata", 1, "edges", 0, "destinations", 0], "reward", 1, "edges[0].destinations[0]: the key 'reward' of a destination"),
        (["automata", 1, "edges", 0, "destinations", 0, "assignments", 0], "idx", 1, "assignments[0]: the key 'idx' of an assignment"),
        (["automata", 0, "edges", 0, "guard"], "not", True, "automata[0].edges[0].guard: the key 'not' of a condition"),
        (["automata", 0, "edges", 0, "guard", "exp"], "mid", 1, "automata[0].edges[0]: the key 'mid' of a < in an expression"),
        (["system"], "hide", ["step"], "system: the key 'hide' of a composition"),
        (["system", "syncs", 0], "rate", 1, "system.syncs[0]: the key 'rate' of a sync"),
        (["properties", 0], "constants", [], "properties[0]: the key 'constants' of a property"),
        (["properties", 0, "expression"], "at", 1, "properties[0].expression: the key 'at' of a filter"),
        (["properties", 0, "expression", "states"], "exp", 1, "expression.states: the key 'exp' of a state predicate"),
        (["properties", 0, "expression", "values"], "given", 1, "properties[0]: the key 'given' of a probability"),
        (["properties", 0, "expression", "values", "exp"], "within", 1, "properties[0]: the key 'within' of a path"),
    ],
)
def test_a_key_that_is_not_known_is_never_left_out(run, capsys, where, key, value, said):
    data = copy.deepcopy(RUN)
    at: Any = data
    for step in where:
        at = at[step]
    at[key] = value
    assert main(["solve", run(data), "--property", "reach", "--N", "3"]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_what_an_edge_assigns_wherever_it_leads(run):
    """As Storm writes rewards; they were left out, and so 0."""
    data = copy.deepcopy(RUN)
    edge = data["automata"][1]["edges"][0]
    at_end = edge["destinations"][0]["assignments"]
    edge["assignments"] = [a for a in at_end if a["ref"] == "cost"]
    edge["destinations"][0]["assignments"] = [a for a in at_end if a["ref"] != "cost"]
    word = run(data)
    assert worth(word, "four", N=4).value == 2 and worth(word, "cost", N=4, never=1000).value == 24


@pytest.mark.parametrize(("op", "value"), [
    ("trc", {-7: -2, -6: -2, -1: 0, 0: 0, 1: 0, 5: 1, 6: 2}),
    ("sgn", {-7: -1, -1: -1, 0: 0, 1: 1, 6: 1}),
    ("floor", {-7: -3, -1: -1, 5: 1}),
    ("ceil", {-7: -2, -1: 0, 5: 2}),
    ("abs", {-6: 2, 0: 0, 6: 2}),
])  # fmt: skip
@pytest.mark.parametrize("is_constant", [False, True])
def test_derived_operators(run, op, value, is_constant):
    """Of x/3, and of whole numbers, as `trc` is written by Storm."""
    data, every = copy.deepcopy(RUN), True
    if not is_constant:
        data["variables"].append({"name": "y", "type": bounded(-7, 7)})
        data["restrict-initial"] = {"exp": {"op": "∨", "left": is_("y", -7), "right": {"op": ">", "left": "y", "right": -8}}}
    for number, expected in value.items():
        third = {"op": "/", "left": number if is_constant else "y", "right": 3}
        right = is_({"op": op, "exp": third}, expected)
        whole = is_({"op": "trc", "exp": {"op": "-", "left": number if is_constant else "y", "right": 1}}, number - 1)
        both = {"op": "∧", "left": right, "right": whole}
        if not is_constant:
            both = {"op": "⇒", "left": is_("y", number), "right": both}
        every = {"op": "∧", "left": every, "right": both}
    data["properties"] = [asked("all", {"op": "Pmin", "exp": {"op": "G", "exp": every}})]
    data["properties"][0]["expression"]["fun"] = "min"
    assert worth(run(data), "all", N=1).value == 1


def test_comments_may_stand_everywhere(run):
    def commented(data: Any) -> Any:
        if isinstance(data, dict):
            return {**{k: commented(v) for k, v in data.items()}, "comment": "why not"}
        return [commented(v) for v in data] if isinstance(data, list) else data

    assert worth(run(commented(RUN)), "reach", N=3).value == worth(run(), "reach", N=3).value


def test_a_key_that_is_there_twice(run, capsys):
    path = Path(run())
    path.write_text(path.read_text().replace('"name": "run"', '"name": "run", "name": "go"', 1))
    assert main(["solve", str(path), "--property", "reach", "--N", "3"]) == 2
    assert "the key 'name' is there twice in one object" in capsys.readouterr().err


@pytest.mark.parametrize(("fun", "holds"), [("∀", False), ("min", False), ("values", False), ("∃", True), ("max", True)])
def test_filters_of_truth_values(run, fun, holds):
    """x begins anywhere: in one step one success is possible from 3 only, and 4 is there."""
    data = copy.deepcopy(RUN)
    del data["variables"][3]["initial-value"]
    data["constants"][0]["value"] = 4
    soon = {"op": "Pmax", "exp": {"op": "F", "exp": is_("x", 4), "step-bounds": {"upper": 1}}}
    data["properties"] = [asked("half", {"op": "≥", "left": soon, "right": 0.5})]
    data["properties"][0]["expression"]["fun"] = fun
    assert worth(run(data), "half").holds is holds


@pytest.mark.parametrize(("fun", "name", "said"), [("∀", "reach", "∀ is of truth values"), ("avg", "sure", "avg is of numbers")])
def test_filters_of_other_values_are_refused(run, capsys, fun, name, said):
    data = copy.deepcopy(RUN)
    next(p for p in data["properties"] if p["name"] == name)["expression"]["fun"] = fun
    assert main(["solve", run(data), "--property", name, "--N", "3"]) == 2
    assert said in capsys.readouterr().err
