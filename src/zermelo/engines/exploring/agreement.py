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
        for number, state in _sample(explored):
            _compare(explored, number, state)
    check_states(explored.rules, (state for _, state in _sample(explored)))


def _sample(explored: Explored) -> Iterator[tuple[int, Any]]:
    """Pairs of a state's number and the state, as many as time allows."""
    began = time.perf_counter()
    for seen, number in enumerate(_spread(explored.num_states)):
        if seen >= FEWEST and time.perf_counter() - began > SECONDS:
            return
        yield number, explored.layout.unpack(explored.keys[number])


def _spread(count: int) -> Iterator[int]:
    """Numbers of states: the first, the last, and others at random (the same every time)."""
    yield from range(min(count, 2))
    if count > 2:
        yield count - 1
        dice = random.Random(0)
        yield from (dice.randrange(count) for _ in range(STATES - 3))


def _compare(explored: Explored, number: int, state: Any) -> None:
    rules = explored.rules
    batch = explored.transitions(number, number + 1)
    actions = rules.actions(state)
    rows = batch.outcome_start.size - 1
    if rows != len(actions):
        _differ(explored, state, f"Python has {len(actions)} actions, compiled code {rows}")
    if rules.is_simultaneous:
        own, compiled = len(rules.choices(state)[0]), int(explored.widths(number, number + 1)[0])
        if own != compiled:
            _differ(explored, state, f"Python has {own} actions of the first player, compiled code {compiled}")
    for row in _few(np.diff(batch.outcome_start)):
        action, outcomes = actions[row], _interpreted(explored, state, actions[row])
        span = range(batch.outcome_start[row], batch.outcome_start[row + 1])
        found = [(batch.ways[o], tuple(batch.payoff[o]), int(batch.next[o]), int(batch.sign[o])) for o in span]
        if len(found) != len(outcomes) or not _alike(found, outcomes):
            name = "" if action is None else f", action {rules.action_name(action)}"
            told = [_told(explored, what) for what in (outcomes, found)]
            _differ(explored, state, f"{name}: Python gives {told[0]}, compiled code {told[1]}")
    if actions and int(batch.player[0]) != rules.player(state):
        _differ(explored, state, f": `player` is {rules.player(state)} in Python, {int(batch.player[0])} compiled")
    if not actions and not _close(tuple(batch.final_payoff[0]), tuple(map(float, rules.payoff(state)))):
        _differ(
            explored, state, f": `payoff` is {rules.payoff(state)} in Python, {tuple(batch.final_payoff[0])} compiled"
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
