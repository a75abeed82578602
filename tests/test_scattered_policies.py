"""Policies that choose in each state by itself, as if at random: what `evaluate`, `simulate` and `best_response` say of them, against
linear equations from the rules alone. A policy that treats like states alike would not tell which states it was asked in."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csc_matrix
from scipy.sparse.linalg import spsolve

import zermelo
from zermelo.language.rules import Rules

Policy = Callable[[Any], Any]
GAMES = [
    ("card-draw", {"red": 5, "black": 4}), ("fewest-turns", {"goal": 12}), ("ten-thousand-turns", {"goal": 6}),
    ("robot-maze", {"width": 2, "height": 2}), ("pig", {"goal": 8}), ("piglet", {"goal": 4}), ("exact-pig", {"goal": 5}),
    ("hog", {"goal": 6}), ("farkle", {"goal": 4}), ("gobblet", {"sizes": 1, "per_size": 1}), ("tic-tac-toe", {}),
    ("connect-four", {"width": 3, "height": 3}), ("dodgem", {"size": 2}),
]  # fmt: skip


def scattered(solution: Any, number: int) -> Policy:
    """Any action; if the number is odd, a best one in two states of three, so that play comes to an end."""

    def policy(state: Any) -> Any:
        drawn = zlib.crc32(repr((number, tuple(state))).encode())
        if number % 2 and drawn % 3:
            return solution.best_action(state)
        actions = solution.rules.actions(state)
        return actions[drawn // 3 % len(actions)]

    return policy


def equations(rules: Rules, own: Policy, other: Policy) -> float | None:
    """The first payoff to seat 0 from the start, by one equation for each state and side: 0 where play goes on for ever without payoffs.
    None where it does with payoffs."""
    todo = [(rules.start, 1)]
    number, rows, ends = {todo[0]: 0}, [], []
    for state, view in todo:  # grows
        actions = rules.actions(state)
        ends.append(view * float(rules.payoff(state)[0]) if not actions else 0.0)
        if not actions:
            rows.append([])
            continue
        seat = rules.player(state) if view == 1 else 1 - rules.player(state)
        outcomes = [o for o in rules.outcomes(state, (own, other)[seat](state)) if o.ways]
        total = sum(o.ways for o in outcomes)
        rows.append([])
        for o in outcomes:
            after = (o.state, view * o.sign)
            if after not in number:
                number[after] = len(todo)
                todo.append(after)
            rows[-1].append((o.ways / total, view * float(o.payoff[0]), number[after]))
    before: list[list[int]] = [[] for _ in rows]
    for i, row in enumerate(rows):
        for _, _, j in row:
            before[j].append(i)
    last = [i for i, row in enumerate(rows) if not row]
    comes_to_an_end = set(last)
    for j in last:  # grows
        new = {*before[j]} - comes_to_an_end
        comes_to_an_end |= new
        last += new
    if any(paid for i, row in enumerate(rows) if i not in comes_to_an_end for _, paid, _ in row):
        return None
    entries, right = [(i, i, 1.0) for i in range(len(rows))], ends
    for i in comes_to_an_end:
        for chance, paid, j in rows[i]:
            entries.append((i, j, -chance))
            right[i] += chance * paid
    row_of, column_of, entry = zip(*entries, strict=True)
    return float(spsolve(csc_matrix((entry, (row_of, column_of))), np.array(right))[0])


@pytest.mark.parametrize(("name", "given"), GAMES, ids=str)
def test_scattered_policies(name: str, given: dict[str, Any]) -> None:
    solution = zermelo.solve(name, **given)
    rules = solution.rules
    seats, judged = (0, 1) if solution.report.is_for_two else (0,), 0
    for number in range(4):
        own, other = scattered(solution, number), scattered(solution, 100 + number)
        given_opponent = {"opponent": other} if len(seats) == 2 else {}
        wanted = equations(rules, own, other if len(seats) == 2 else own)  # of one player, also where it is the one who minimises
        if wanted is None:
            continue
        judged += 1
        close = pytest.approx(wanted, rel=1e-9, abs=1e-9)
        found = solution.evaluate(own, **given_opponent)
        assert found.value == close and found.low - 1e-9 <= wanted <= found.high + 1e-9
        played = solution.simulate(4000, seed=number, policy=own, **given_opponent)
        assert math.isclose(played.mean, wanted, abs_tol=6 * played.standard_error + 1e-9)
        for seat in seats if len(seats) == 2 else ():
            response = solution.best_response((own, other)[1 - seat], seat=seat)
            pair = (response.policy, other) if seat == 0 else (own, response.policy)
            worth = equations(rules, *pair)
            assert worth is None or response.value == pytest.approx(worth, rel=1e-9, abs=1e-9)
            better = (1, -1)[seat]
            assert better * response.value >= better * wanted - 1e-9
    assert judged
