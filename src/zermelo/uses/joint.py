"""Solutions of games in which both choose at once: what is known about a state, and both mixtures of every state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.basics.numbers import Number
from zermelo.language.rules import Joint, State
from zermelo.problem.mixtures import Mixtures
from zermelo.solution import Place, Probe, Solution

if TYPE_CHECKING:
    import pandas


def probe(solution: Solution, state: State, place: Place) -> Probe:
    """Both mixtures of a state, and what every action is worth against the other one's."""
    rules = solution.rules
    own, others = rules.choices(state)
    table = [[solution.action_value(state, Joint(action, other)) for other in others] for action in own]
    p, q = _mixture(solution, state, place, table)
    worth: list[Any] = [sum(x * y for x, y in zip(row, q, strict=True)) for row in table]
    against: list[Any] = [sum(x * row[j] for x, row in zip(p, table, strict=True)) for j in range(len(others))]
    payoffs = {name: solution._value(place, j) for j, name in enumerate(rules.payoffs)}
    likeliest = own[max(range(len(own)), key=lambda i: p[i])] if own else None
    return Probe(
        state, solution._value(place, 0), *solution._interval(place, 0), likeliest, dict(zip(own, worth, strict=True)),
        payoffs, 0, None, dict(zip(own, p, strict=True)), dict(zip(others, against, strict=True)),
        dict(zip(others, q, strict=True)),
    )  # fmt: skip


def _mixture(
    solution: Solution, state: State, place: Place, table: list[list[Number]]
) -> tuple[Sequence[Number], Sequence[Number]]:
    """The mixtures that were found; those of the matrix of values in exact solutions, and for a mirror image."""
    found = solution._found.mixtures
    if not table:
        return [], []
    if found is not None and solution._is_own(state, place):
        own, other = found.of(place.number)
        return own.tolist(), other.tolist()
    from zermelo.matrix import matrix_game

    best = matrix_game(table)
    if solution.is_exact:
        return best.row, best.column
    return [float(x) for x in best.row], [float(x) for x in best.column]


def mixtures(solution: Solution) -> Mixtures:
    """Both mixtures of every state, in floats, in the engine's order of the states."""
    if solution._found.mixtures is not None:
        return solution._found.mixtures
    sides: tuple[list[Any], list[Any]] = ([], [])
    for key in solution._found.keys:
        known = solution.probe(solution.layout.unpack(int(key)))
        for side, mixture in zip(sides, (known.mixture, known.other_mixture), strict=True):
            side.append(np.array(list((mixture or {}).values()), float))
    starts = [np.concatenate([[0], np.cumsum([m.size for m in side])]).astype(np.int64) for side in sides]
    return Mixtures(starts[0], starts[1], np.concatenate(sides[0]), np.concatenate(sides[1]))


def mixtures_at(solution: Solution, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
    """The probabilities of player 0's and of player 1's actions in the state with this index of the solution's space."""
    found = solution._found.mixtures
    if found is None:
        known = solution.probe(solution.space.unrank(index))
        return list((known.mixture or {}).values()), list((known.other_mixture or {}).values())
    own, other = found.of(int(solution._order[index]))
    return own.tolist(), other.tolist()


def add_mixtures(solution: Solution, frame: pandas.DataFrame) -> None:
    """Columns for the likeliest action of each player, and its probability."""
    rules = solution.rules
    choices = [rules.choices(s) for s in solution.space]
    found = [mixtures_at(solution, i) for i in range(solution.space.size)]
    for side, (name, chance) in enumerate((("action", "probability"), ("other action", "other probability"))):
        likeliest = [max(range(len(m[side])), key=m[side].__getitem__, default=None) for m in found]
        frame[name] = [
            None if k is None else rules.action_name(c[side][k]) for k, c in zip(likeliest, choices, strict=True)
        ]
        frame[chance] = [math.nan if k is None else float(m[side][k]) for k, m in zip(likeliest, found, strict=True)]
