"""A cycle on which payoffs add up, as an example for a message: states that follow one another with a positive probability."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from typing import NamedTuple

import numpy as np

from zermelo.problem.transitions import Transitions

TRIED = 50  # steps with a payoff from which a way back is sought
FOLLOWED = 200_000  # the most outcomes, in all


_Outcome = tuple[int, int, float]  # the next state, a sign, and what is paid


class Cycle(NamedTuple):
    """States in the order of play, the first one again after the last, and the payoff of one round to player 0, or with PASS to the player
    to move in the first state."""

    states: tuple[int, ...]
    paid: float


class _Step(NamedTuple):
    node: tuple[int, int]  # a state, and 1 or -1: whether payoffs count as they do at the beginning
    paid: float
    before: _Step | None


def paying_cycle(game: Transitions, states: Iterable[int], payoff: int = 0) -> Cycle | None:
    """The shortest of the cycles found among these states of `game` with a nonzero total. None if there is none, or the search takes too
    long."""
    inside, left, best = {int(s) for s in states}, FOLLOWED, None

    @cache
    def outcomes(state: int) -> list[_Outcome]:
        return _outcomes(game, state, inside, payoff)

    steps = ((state, step) for state in sorted(inside) for step in outcomes(state))
    paying = ((state, step) for state, step in steps if step[2] != 0.0)
    for state, (following, sign, paid) in islice(paying, TRIED):
        if left > 0:
            found, left = _back((state, 1), _Step((following, sign), paid, None), outcomes, left)
            if found and found.paid != 0.0 and (best is None or len(found.states) < len(best.states)):
                best = found
    return best


def _back(
    home: tuple[int, int], first: _Step, outcomes: Callable[[int], list[_Outcome]], left: int
) -> tuple[Cycle | None, int]:
    """The shortest cycle from `home` that begins with this step, and the number of outcomes that may still be followed."""
    waiting, seen = deque([first]), {first.node}
    while waiting and left > 0:
        step = waiting.popleft()
        if step.node == home:
            return _cycle(home, step), left
        state, side = step.node
        for following, sign, paid in outcomes(state):
            left -= 1
            if (node := (following, side * sign)) not in seen:
                seen.add(node)
                waiting.append(_Step(node, side * paid, step))
    return None, left


def _cycle(home: tuple[int, int], last: _Step) -> Cycle:
    states, paid = [], 0.0
    step: _Step | None = last
    while step is not None:
        states.append(step.node[0])
        paid += step.paid
        step = step.before
    return Cycle((home[0], *reversed(states[1:])), paid)


def _outcomes(game: Transitions, state: int, inside: set[int], payoff: int) -> list[_Outcome]:
    """Next state, sign and payoff of the possible outcomes of a state that lead to these states."""
    first, last = game.outcome_start[game.action_start[state - game.low : state - game.low + 2]]
    happens = np.flatnonzero(game.ways[first:last] > 0.0) + first
    found = ((int(game.next[i]), int(game.sign[i]), float(game.payoff[i, payoff])) for i in happens)
    return [f for f in found if f[0] in inside]
