"""Bounds on what the edges of JANI models pay, against a recursion in fractions over the state and what was gathered."""

from __future__ import annotations

import copy
import json
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import zermelo
from zermelo.errors import ZermeloError
from zermelo.uses.property import answer

TOP = 2  # where every runner stops
STEPS = 4
THIRD, HALF = {"op": "/", "left": 1, "right": 3}, {"op": "/", "left": 1, "right": 2}
FIVE_SIXTHS = {"op": "/", "left": 5, "right": 6}


def runner(k: int) -> dict[str, Any]:
    """x goes from 0 to TOP, each step with probability 1/2. A success pays (x + 1)/3, a failure 1/2; being at 1 pays 1/4 a step."""
    x, cost = f"x{k}", f"cost{k}"
    up = {"op": "+", "left": x, "right": 1}
    won = [{"ref": x, "value": up}, {"ref": cost, "value": {"op": "/", "left": up, "right": 3}}]
    return {
        "name": f"runner{k}",
        "locations": [{"name": "l"}],
        "initial-locations": ["l"],
        "edges": [
            {
                "location": "l",
                "action": "t",
                "guard": {"exp": {"op": "<", "left": x, "right": TOP}},
                "destinations": [
                    {"location": "l", "probability": {"exp": HALF}, "assignments": won},
                    {"location": "l", "probability": {"exp": HALF}, "assignments": [{"ref": cost, "value": HALF}]},
                ],
            },
            {"location": "l", "action": "t", "guard": {"exp": {"op": "=", "left": x, "right": TOP}}, "destinations": [{"location": "l"}]},
        ],
    }


def model(count: int, bounds: list[dict[str, Any]], best: str) -> dict[str, Any]:
    """So many runners that step together; the first may also be carried to the top, for 5/6 at once."""
    carried = {
        "location": "l",
        "action": "carry",
        "guard": {"exp": {"op": "<", "left": "x0", "right": TOP}},
        "destinations": [{"location": "l", "assignments": [{"ref": "x0", "value": TOP}, {"ref": "cost0", "value": FIVE_SIXTHS}]}],
    }
    automata = [runner(k) for k in range(count)]
    automata[0]["edges"].append(carried)
    goal: Any = True
    for k in range(count):
        goal = {"op": "∧", "left": goal, "right": {"op": "=", "left": f"x{k}", "right": TOP}}
    path = {"op": "F", "exp": goal, "step-bounds": {"upper": STEPS}, "reward-bounds": bounds}
    return {
        "jani-version": 1,
        "name": "runners",
        "type": "mdp",
        "actions": [{"name": "t"}, {"name": "carry"}],
        "variables": [
            *({"name": f"cost{k}", "type": "real", "transient": True, "initial-value": 0} for k in range(count)),
            *({"name": f"x{k}", "type": {"kind": "bounded", "base": "int", "lower-bound": 0, "upper-bound": TOP}, "initial-value": 0}
              for k in range(count)),
        ],
        "automata": automata,
        "system": {
            "elements": [{"automaton": f"runner{k}"} for k in range(count)],
            "syncs": [
                {"synchronise": ["t"] * count, "result": "t"},
                {"synchronise": ["carry", *[None] * (count - 1)], "result": "carry"},
            ],
        },
        "properties": [{
            "name": "in time",
            "expression": {"op": "filter", "fun": "max", "values": {"op": best, "exp": path}, "states": {"op": "initial"}},
        }],
    }  # fmt: skip


Costs = tuple[Fraction, ...]


def expected(count: int, best: Any, low: Costs, high: Costs) -> Fraction:
    """The chance that all are at the top within STEPS steps, every cost from `low` to `high` when they first are so."""
    one = Fraction(1)

    def moves(x: int) -> list[tuple[Fraction, int, Fraction]]:
        if x == TOP:
            return [(one, x, Fraction(0))]
        return [(one / 2, x + 1, Fraction(x + 1, 3)), (one / 2, x, one / 2)]

    @cache
    def value(xs: tuple[int, ...], costs: Costs, left: int) -> Fraction:
        if all(x == TOP for x in xs) and all(a <= c <= b for a, c, b in zip(low, costs, high, strict=True)):
            return one
        if not left:
            return Fraction(0)
        total = Fraction(0)
        for together in product(*map(moves, xs)):
            chance = one
            for p, *_ in together:
                chance *= p
            paid = tuple(c + w for c, (*_, w) in zip(costs, together, strict=True))
            total += chance * value(tuple(x for _, x, _ in together), paid, left - 1)
        if xs[0] == TOP:
            return total
        return best(total, value((TOP, *xs[1:]), (costs[0] + Fraction(5, 6), *costs[1:]), left - 1))

    return value((0,) * count, (Fraction(0),) * count, STEPS)


def solved(tmp_path: Path, data: dict[str, Any]) -> Fraction:
    path = tmp_path / "runners.jani"
    path.write_text(json.dumps(data))
    found = answer(zermelo.solve(f"{path}:in time", exact=True))
    assert found.low == found.value == found.high
    return found.value


def bound(k: int, **limits: Any) -> dict[str, Any]:
    return {"exp": f"cost{k}", "accumulate": ["steps"], "bounds": limits}


EVERYTHING = Fraction(99)


@pytest.mark.parametrize("count", [2, 4])  # written out, and found by loops
@pytest.mark.parametrize(
    ("limits", "low", "high"),
    [
        ([bound(0, upper=1.5)], {}, {0: Fraction(3, 2)}),
        ([bound(0, upper=1.5, **{"upper-exclusive": True})], {}, {0: Fraction(3, 2) - Fraction(1, 100)}),
        ([bound(0, lower=1, upper=2), bound(1, upper=2)], {0: Fraction(1)}, {0: Fraction(2), 1: Fraction(2)}),
        ([bound(1, lower=1, **{"lower-exclusive": True})], {1: Fraction(1) + Fraction(1, 100)}, {}),
    ],
)
def test_what_edges_pay_is_bounded(tmp_path, count, limits, low, high):
    least = tuple(low.get(k, Fraction(0)) for k in range(count))
    most = tuple(high.get(k, EVERYTHING) for k in range(count))
    for op, best in (("Pmax", max), ("Pmin", min)):
        assert solved(tmp_path, model(count, limits, op)) == expected(count, best, least, most)


def test_what_is_gathered_may_not_fall(tmp_path):
    data = model(2, [bound(0, upper=1)], "Pmax")
    for value, said in ((-1, "can't be bounded"), ({"op": "-", "left": "x0", "right": 1}, "what is gathered would fall")):
        changed = copy.deepcopy(data)
        changed["automata"][0]["edges"][2]["destinations"][0]["assignments"][1]["value"] = value
        with pytest.raises(ZermeloError, match=said):
            solved(tmp_path, changed)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"exp": "cost0", "accumulate": ["time"], "bounds": {"upper": 1}}, "rewards by time are not read"),
        ({"exp": "cost0", "accumulate": ["steps"], "bounds": {}}, "a reward bound without a bound"),
        ({"exp": "cost0", "accumulate": ["steps"], "bounds": {"upper": "x0"}}, "a bound on rewards must be a number"),
    ],
)
def test_refused(tmp_path, limits, said):
    with pytest.raises(ZermeloError, match=said):
        solved(tmp_path, model(2, [limits], "Pmax"))
