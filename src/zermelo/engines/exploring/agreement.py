"""Compiled rules must agree with the same rules in Python; they are compared at states spread over the whole game.

The checker has run the interpreted rules near the start. This check covers the rest of the game, and constructs that numba interprets
differently from Python, such as whole numbers beyond 64 bits.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from zermelo.engines.exploring.explored import Explored
from zermelo.engines.faults import disagreement
from zermelo.language.checking import check_states
from zermelo.problem.transitions import Transitions

STATES = 64  # the most that are compared
FEWEST = 8  # and the fewest
SECONDS = 0.005  # after which no further state is compared
OUTCOMES = 10_000  # compared at one state, about; of the actions beyond them only some at random
CLOSE = 1e-12  # payoffs that are computed with floats may have this relative difference

Happening = tuple[float, tuple[float, ...], int, int]  # an outcome: ways, payoffs, number of the next state, sign


def check_agreement(explored: Explored) -> None:
    """Raise `RulesError` with the first difference, or with faults of the rules at states that the checker did not see."""
    if not explored.is_interpreted:  # otherwise there is nothing to compare
        explored.transitions(0, 1)  # loads the kernel, whose time is not to be counted
        for numbers in _sample(explored):
            batch = explored.transitions_of(numbers)
            for k, number in enumerate(numbers):
                _compare(explored, number, batch, k)
    check_states(explored.rules, (_state(explored, number) for numbers in _sample(explored) for number in numbers))


def _sample(explored: Explored) -> Iterator[list[int]]:
    """Numbers of states, FEWEST at a time, as many as time allows."""
    began, left = time.perf_counter(), list(_spread(explored.num_states))
    while left:
        yield left[:FEWEST]
        left = left[FEWEST:] if time.perf_counter() - began <= SECONDS else []


def _state(explored: Explored, number: int) -> Any:
    """The state whose key was expanded. (`Explored.state_of` of a game with a horizon is where play comes first.)"""
    return explored.layout.unpack(explored.keys[number])


def _spread(count: int) -> Iterator[int]:
    """Numbers of states: the first, the last, and others at random (the same every time)."""
    yield from range(min(count, 2))
    if count > 2:
        yield count - 1
        yield from random.Random(0).sample(range(2, count - 1), min(STATES, count) - 3)


def _compare(explored: Explored, number: int, batch: Transitions, k: int) -> None:
    """Compare what follows from a state in Python with what the batch says of its k-th state."""
    rules, state = explored.rules, _state(explored, number)
    actions = rules.actions(state)
    first, last = batch.action_start[k : k + 2]
    if last - first != len(actions):
        _differ(explored, state, f"Python has {len(actions)} actions, compiled code {last - first}")
    if rules.is_simultaneous:
        own, compiled = len(rules.choices(state)[0]), int(explored.widths(number, number + 1)[0])
        if own != compiled:
            _differ(explored, state, f"Python has {own} actions of the first player, compiled code {compiled}")
    begins = batch.outcome_start[first : last + 1]
    for row in _few(np.diff(begins)):
        action, outcomes = actions[row], _interpreted(explored, state, actions[row])
        ways, payoff, after, sign = (a[begins[row] : begins[row + 1]].tolist() for a in (batch.ways, batch.payoff, batch.next, batch.sign))
        found = list(zip(ways, map(tuple, payoff), after, sign, strict=True))
        if len(found) != len(outcomes) or not _alike(found, outcomes):
            name = "" if action is None else f", action {rules.action_name(action)}"
            told = [_told(explored, what) for what in (outcomes, found)]
            _differ(explored, state, f"{name}: Python gives {told[0]}, compiled code {told[1]}")
    if actions and int(batch.player[k]) != rules.player(state):
        _differ(explored, state, f": `player` is {rules.player(state)} in Python, {int(batch.player[k])} compiled")
    if not actions and not _close(tuple(batch.final_payoff[k]), tuple(map(float, rules.payoff(state)))):
        _differ(
            explored, state, f": `payoff` is {rules.payoff(state)} in Python, {tuple(batch.final_payoff[k])} compiled"
        )


def _few(outcomes: np.ndarray) -> Iterator[int]:
    """Of actions with so many outcomes each: all, or the first and some at random (the same every time)."""
    left, seen, dice = list(range(len(outcomes))), 0, random.Random(0)
    if outcomes.sum() > OUTCOMES:
        left[1:] = dice.sample(left[1:], len(left) - 1)
    for row in left:
        if seen >= OUTCOMES:
            return
        seen += int(outcomes[row])
        yield row


def _interpreted(explored: Explored, state: Any, action: Any) -> list[Happening]:
    happening = [o for o in explored.rules.outcomes(state, action) if o.ways != 0]
    return [(float(o.ways), tuple(map(float, o.payoff)), explored.number_of(o.state), int(o.sign)) for o in happening]


def _alike(ones: list[Any], others: list[Any]) -> bool:
    ways, payoffs = (
        ([o[0] for o in row] for row in (ones, others)),
        ([p for o in row for p in o[1]] for row in (ones, others)),
    )
    return [o[2:] for o in ones] == [o[2:] for o in others] and _close(*ways) and _close(*payoffs)


def _close(ones: Sequence[float], others: Sequence[float]) -> bool:
    """Whether two sequences of numbers are equal up to rounding, relative to the largest number."""
    largest = max(map(abs, (*ones, *others)), default=0.0)
    return all(abs(a - b) <= CLOSE * largest for a, b in zip(ones, others, strict=True))


def _told(explored: Explored, outcomes: list[Any]) -> str:
    """The first outcomes, for a message."""
    shown = []
    for ways, paid, number, sign in outcomes[:3]:
        known = number >= 0
        state = explored.rules.in_line(explored.layout.unpack(explored.keys[number])) if known else "another state"
        passing = ", PASS" if sign < 0 else ""
        shown.append(f"({ways:g} ways, {', '.join(f'{p:g}' for p in paid)}, {state}{passing})")
    return (" ".join(shown) or "nothing") + (f" and {len(outcomes) - 3} more" if len(outcomes) > 3 else "")


def _differ(explored: Explored, state: Any, what: str) -> None:
    raise disagreement(explored.rules, state, what if what.startswith((",", ":")) else f": {what}")
