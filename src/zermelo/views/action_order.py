"""In which order the best actions of a map stand, and so which colours they have: the same in pictures and on the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zermelo.language.rules import Action
from zermelo.solution import Solution

LOOKED_AT = 200  # states that tell which action stops


def action_order(solution: Solution, indices: np.ndarray, best: Sequence[Action]) -> list[Action]:
    """The actions among `best` (None: there is none) that occur in the states with these indices, in the order of the actions; of two
    the one that goes on comes first, which is the pale one in all maps."""
    order = sorted({a for a in best if a is not None}, key=lambda a: a if isinstance(a, tuple) else (a,))
    if len(order) == 2 and _stops(solution, indices, order[0], order[1]):
        order.reverse()
    return order


def _stops(solution: Solution, indices: np.ndarray, action: Action, other: Action) -> bool:
    """Whether of two actions this one leaves nothing to chance, as stopping and holding do, while the other one does in one of the
    states that are looked at."""
    rules, step = solution.rules, max(1, len(indices) // LOOKED_AT)
    states = (solution.space.unrank(int(i)) for i in indices[::step])
    counts = [
        [sum(1 for o in rules.outcomes(state, a) if o.ways) for a in (action, other)]
        for state in states
        if {action, other} <= {*rules.actions(state)}
    ]
    return all(own == 1 for own, _ in counts) and any(others > 1 for _, others in counts)
