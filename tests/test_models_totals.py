"""Rewards that may add up without end, where whoever wants little can avoid that: against all policies, in fractions."""

from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import zermelo
from naive_models import Explicit, State, eliminated
from zermelo.cli import main
from zermelo.errors import NoValue, OutOfReach
from zermelo.foreign import prism
from zermelo.foreign.loading import game_class
from zermelo.kernels.kernel import only
from zermelo.problem.transitions import Transitions
from zermelo.uses.attractors import Attractors

CASES = 6  # of each kind; 400 were tried
Row = tuple[Fraction, dict[State, Fraction]]  # what it costs, and the chances of the states that follow


# --- the oracle -----------------------------------------------------------------------------------------------------------


def closed(chain: dict[State, Row], start: State) -> list[State]:
    """The states that play may come to."""
    found = [start]
    for state in found:
        found += [t for t in chain[state][1] if t not in found]
    return found


def cost(chain: dict[State, Row], start: State, goal: State | None = None) -> Fraction | float:
    """The mean of all costs of a chain: infinite if a set of states that is never left, once play is there, costs something, or is not
    the goal."""
    after = {s: closed(chain, s) for s in closed(chain, start)}
    rests = [s for s, found in after.items() if all(s in after[t] for t in found)]
    if any(chain[s][0] or goal not in (None, s) for s in rests):
        return math.inf
    states = [s for s in after if s not in rests]
    rows = [[Fraction(t == s) - chain[s][1].get(t, Fraction(0)) for t in states] + [chain[s][0]] for s in states]
    return eliminated(rows)[states.index(start)] if start in states else Fraction(0)


def least(choices: dict[State, list[Row]], low: set[State], start: State, goal: State | None = None) -> Fraction | float:
    """The least cost over the policies in the states `low`, against the policy in the others that costs most."""
    others = [s for s in choices if s not in low]

    def policies(states: Any) -> Any:
        for rows in product(*(choices[s] for s in states)):
            yield dict(zip(states, rows, strict=True))

    return min(max(cost({**ours, **theirs}, start, goal) for theirs in policies(others)) for ours in policies([*low]))


def random_text(r: random.Random, kind: str, costs: float = 0.5) -> str:
    """Five states with up to two choices each, of which this part costs something. In an smg `one` chooses in even states."""
    commands, items = [], []
    for x in range(5):
        for k in range(r.choice((1, 2, 2))):
            a, b, label = r.randrange(5), r.randrange(5), f"{'uv'[x % 2]}{x}{k}"
            commands.append(f"[{label}] x={x} -> " + r.choice((f"(x'={a});", f"1/3:(x'={a}) + 2/3:(x'={b});")))
            if r.random() < costs:
                items.append(f"[{label}] true : {r.choice(('1', '1/3', '0.2', '7'))};")
    labels = [c[1:4] for c in commands]
    names = {p: ", ".join(f"[{la}]" for la in labels if la[0] == w) for p, w in (("one", "u"), ("two", "v"))}
    players = [f"player {p} {names[p]} endplayer" for p in names] if kind == "smg" else []
    module = ["module m", "  x : [0..4];", *commands, "endmodule"]
    return "\n".join([kind, *players, *module, "rewards", *items, "x=9 : 1;", "endrewards"])


@pytest.mark.parametrize("kind", ["mdp", "smg"])
@pytest.mark.parametrize("seed", range(CASES))
def test_the_least_until_a_goal_over_all_policies(tmp_path, kind, seed):
    """Where a loop without costs is no way around the goal: else it is said that the solver takes it for one."""
    text = random_text(random.Random(f"{kind}{seed}"), kind, 0.9)
    explicit, path = Explicit(prism.model_of(text, "naive")), tmp_path / "m.prism"
    path.write_text(text)
    choices = {s: [(explicit.paid(s, label, None), after) for _, label, after in rows] for s, rows in explicit.choices.items()}
    choices = {s: [(Fraction(0), {s: Fraction(1)})] if s == (4,) else rows for s, rows in choices.items()}
    for who, low in (("<<one>> ", {s for s in choices if s[0] % 2 == 0}), ("<<two>> ", {s for s in choices if s[0] % 2})):
        if kind == "mdp":
            who, low = "", set(choices)
        expected = least(choices, low, explicit.start, (4,))
        try:
            found = zermelo.solve(game_class(path, f"{who}Rmin=? [ F x=4 ]")(), exact=True).property
            assert found.low == found.value == found.high == expected, text
        except NoValue as error:
            assert expected == math.inf and "infinite" in str(error), text
        except OutOfReach as error:
            assert "goes round forever without payoffs" in str(error)


@pytest.mark.parametrize("kind", ["mdp", "smg"])
@pytest.mark.parametrize("seed", range(CASES))
def test_the_least_total_over_all_policies(tmp_path, kind, seed):
    text = random_text(random.Random(f"{kind}{seed}"), kind)
    explicit, path = Explicit(prism.model_of(text, "naive")), tmp_path / "m.prism"
    path.write_text(text)
    choices = {s: [(explicit.paid(s, label, None), after) for _, label, after in rows] for s, rows in explicit.choices.items()}
    for who, low in (("<<one>> ", {s for s in choices if s[0] % 2 == 0}), ("<<two>> ", {s for s in choices if s[0] % 2})):
        if kind == "mdp":
            who, low = "", set(choices)
        expected = least(choices, low, explicit.start)
        made = game_class(path, f"{who}Rmin=? [ C ]")()
        assert zermelo.solve(game_class(path, f"{who}Rmin<=3 [ C ]")(), exact=True).property.holds is (expected <= 3), text
        if expected == math.inf:
            with pytest.raises(NoValue, match="infinite. What is paid adds up without end"):
                zermelo.solve(made)
            continue
        found = zermelo.solve(made, exact=True).property
        assert found.low == found.value == found.high == expected, text
        about = zermelo.solve(made).property
        assert about.low <= expected <= about.high, text


def random_game(r: random.Random) -> tuple[dict[State, list[Row]], set[State]]:
    """Up to six states, of which one may be final; rows that cost something are rare enough that many states have a finite total."""
    size = r.randint(2, 6)
    choices: dict[State, list[Row]] = {}
    for x in range(size):
        rows = []
        for _ in range(r.choice((0, 1, 2, 2, 2))):
            after = r.sample(range(size), min(size, r.choice((1, 1, 2))))
            rows.append((Fraction(r.random() < 0.4), {(t,): Fraction(1, len(after)) for t in after}))
        choices[(x,)] = rows
    return choices, {s for s in choices if r.random() < 0.5}


def as_transitions(choices: dict[State, list[Row]], low: set[State]) -> Transitions:
    rows = [row for found in choices.values() for row in found]
    outcomes = [(p, t[0], paid) for paid, after in rows for t, p in after.items()]
    n = len(choices)
    return Transitions(
        0, n, np.cumsum([0, *map(len, choices.values())]), np.cumsum([0, *(len(after) for _, after in rows)]),
        np.array([float(p) for p, *_ in outcomes]), np.array([t for _, t, _ in outcomes], np.int32), np.ones(len(outcomes), np.int8),
        np.array([[float(paid)] for *_, paid in outcomes]).reshape(-1, 1), np.zeros((n, 1)), np.array([s in low for s in choices], np.int8),
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(150))
def test_where_the_total_is_finite(seed):
    choices, low = random_game(random.Random(seed))
    found = Attractors(as_transitions(choices, low)).can_stop_costs()
    stays = {s: rows or [(Fraction(0), {s: Fraction(1)})] for s, rows in choices.items()}
    assert list(found) == [least(stays, low, s) < math.inf for s in choices]


# --- models ---------------------------------------------------------------------------------------------------------------

# [go] costs 3 and takes two tries; then 1/3. In x=2 every step costs 1 for ever.
TRAP = """mdp
module m
  x : [0..3];
  [go] x=0 -> 1/2:(x'=1) + 1/2:true;
  [fall] x=0 -> (x'=2);
  [on] x=1 -> (x'=3);
  [stuck] x=2 -> true;
  [end] x=3 -> true;
endmodule
rewards "c" x=0 : 3; x=1 : 1/3; x=2 : 1; endrewards
label "done" = x=3;"""
STEPS = "\n".join(f"  [{a}] true -> (n'=min(5, n+1));" for a in ("go", "fall", "on", "stuck", "end"))
COUNTER = f"\nmodule counter\n  n : [0..5];\n{STEPS}\nendmodule"


@pytest.fixture
def trap(tmp_path):
    path = tmp_path / "trap.prism"
    path.write_text(TRAP)
    return str(path)


@pytest.mark.parametrize(
    ("tier", "formula"), [*(("interpreted", formula) for formula in ("C", 'Fc "done"', 'F "done"')), ("compiled", 'F "done"')]
)
def test_a_trap_that_is_avoided(trap, formula, tier):
    """There was no answer without --never."""
    with only(tier):
        solution = zermelo.solve(f'{trap}:R{{"c"}}min=? [ {formula} ]', exact=True)
        (row,) = zermelo.study(f'{trap}:R{{"c"}}min=? [ {formula} ]', exact=True).rows
    found = solution.property
    assert found.low == found.value == found.high == row.value == Fraction(19, 3)
    assert any("in 1 of 4 states (one is x=2) the value is infinite" in note for note in solution.report.notes)
    with only("interpreted"):
        assert zermelo.solve(f'{trap}:R{{"c"}}min<=6 [ {formula} ]', exact=True).property.holds is False
        assert zermelo.solve(f'{trap}:R{{"c"}}max>=6 [ {formula} ]', exact=True).property.holds is True
        assert zermelo.solve(f'{trap}:filter(count, R{{"c"}}min<=9 [ {formula} ])', exact=True).property.value == 3
        assert zermelo.solve(f'{trap}:filter(max, R{{"c"}}min=? [ {formula} ], x!=2)', exact=True).property.value == Fraction(19, 3)
        assert zermelo.solve(f'{trap}:Pmax=? [ F (R{{"c"}}min>100 [ {formula} ]) ]').property.value == 1


@pytest.mark.parametrize("formula", ["C", 'F "done"'])
def test_where_one_of_several_states_has_no_finite_value(trap, formula):
    with pytest.raises(NoValue, match="infinite") as error:
        zermelo.solve(f'{trap}:filter(range, R{{"c"}}min=? [ {formula} ])')
    assert formula != "C" or "infinite in some states: what is paid adds up without end while play cycles. States: x=2" in str(error.value)


def test_a_trap_that_nobody_can_avoid(tmp_path):
    """It was said that it might be avoided, with advice that led nowhere."""
    path = tmp_path / "m.prism"
    path.write_text("\n".join(line for line in TRAP.splitlines() if "[go]" not in line))
    with pytest.raises(NoValue, match="M: infinite. What is paid adds up without end while play cycles") as error:
        zermelo.solve(f'{path}:R{{"c"}}min=? [ C ]')
    assert "never" not in str(error.value)


def test_modules_on_which_nothing_depends_have_no_part_in_it(tmp_path):
    """A threshold of such a model ended in a ValueError."""
    path = tmp_path / "m.prism"
    path.write_text(TRAP + COUNTER)
    for property in ('R{"c"}min<=7 [ F x=3 ]', 'R{"c"}min=? [ F x=3 ]', 'R{"c"}min=? [ C ]'):
        solution = zermelo.solve(f"{path}:{property}", exact=True)
        assert solution.property.low == Fraction(19, 3) and "n" not in type(solution.game.start())._fields


def test_costs_and_gains_are_refused_as_ever(tmp_path):
    path = tmp_path / "m.prism"
    path.write_text(TRAP.replace("x=1 : 1/3", "x=1 : x-3"))
    with pytest.raises((NoValue, OutOfReach), match="infinite in some states: what is paid adds up without end"):
        zermelo.solve(f'{path}:R{{"c"}}min=? [ C ]')


def test_other_verbs(trap, tmp_path, capsys):
    """The rules are those of the game without the trap, wherever they are read again."""
    question = 'R{"c"}min=? [ C ]'
    certificate, saved, file = (str(tmp_path / name) for name in ("m.cert", "m.zermelo", "m.py"))
    assert main(["solve", trap, "--property", question, "--exact", "--certificate", certificate, "-o", saved]) == 0
    assert main(["verify", certificate, trap, "--property", question]) == 0
    assert main(["translate", trap, "--property", question, "-o", file]) == 0
    assert main(["solve", file, "--exact", "--json"]) == 0
    for verb in (["check"], ["simulate", "--plays", "9"], ["table"]):
        assert main([verb[0], trap, "--property", question, *verb[1:]]) == 0
    capsys.readouterr()
    assert zermelo.open(saved, f"{trap}:{question}").property.value == Fraction(19, 3)


def test_a_process_that_only_opens_a_solution_finds_the_states_too(trap, tmp_path):
    """It was told to import zermelo.solving."""
    question, saved = 'R{"c"}min<=7 [ F x=3 ]', tmp_path / "m.zermelo"
    zermelo.solve(f"{trap}:{question}", exact=True).save(saved)
    run = f"import zermelo; print(zermelo.open({str(saved)!r}, {f'{trap}:{question}'!r}).property)"
    done = subprocess.run([sys.executable, "-c", run], capture_output=True, text=True, check=True)
    assert "is true (19/3" in done.stdout


JANI = {
    "jani-version": 1, "name": "trap", "type": "mdp", "actions": [{"name": "go"}],
    "variables": [
        {"name": "x", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": 3}, "initial-value": 0},
        {"name": "c", "type": "real", "transient": True, "initial-value": 0},
    ],
    "automata": [{
        "name": "m", "locations": [{"name": "l", "transient-values": [
            {"ref": "c", "value": {"op": "ite", "if": {"op": "=", "left": "x", "right": 0}, "then": 3, "else": {
                "op": "ite", "if": {"op": "=", "left": "x", "right": 2}, "then": 1, "else": 0}}},
        ]}],
        "initial-locations": ["l"],
        "edges": [
            {"location": "l", "guard": {"exp": {"op": "=", "left": "x", "right": at}}, "destinations": [
                {"location": "l", "probability": {"exp": p}, "assignments": [{"ref": "x", "value": to}]} for p, to in after]}
            for at, after in ((0, [(0.5, 1), (0.5, 0)]), (0, [(1, 2)]), (1, [(1, 3)]), (2, [(1, 2)]), (3, [(1, 3)]))
        ],
    }],
    "system": {"elements": [{"automaton": "m"}]},
    "properties": [
        {"name": name, "expression": {"op": "filter", "fun": "values", "states": {"op": "initial"}, "values": {
            "op": "Emin", "exp": "c", "accumulate": ["exit"], **more}}}
        for name, more in (("total", {}), ("goal", {"reach": {"op": "=", "left": "x", "right": 3}}))
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", ["total", "goal"])
def test_in_jani(tmp_path, name):
    path = tmp_path / "trap.jani"
    path.write_text(json.dumps(JANI))
    assert zermelo.solve(f"{path}:{name}", exact=True).property.value == 6
