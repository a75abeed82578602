"""The order of the best actions of a map, and so their colours: the same in pictures and on the page."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from zermelo.language.rules import Action
from zermelo.solution import Solution

LOOKED_AT = 200  # states examined to find which action stops


def action_order(solution: Solution, indices: np.ndarray, best: Sequence[Action]) -> list[Action]:
    """The actions among `best` (None: no action) that occur in the states with these indices, in the order of the actions; of two
    the one that continues comes first, which is the pale one in all maps."""
    order = sorted({a for a in best if a is not None}, key=lambda a: a if isinstance(a, tuple) else (a,))
    if len(order) == 2 and _stops(solution, indices, order[0], order[1]):
        order.reverse()
    return order


def _stops(solution: Solution, indices: np.ndarray, action: Action, other: Action) -> bool:
    """Whether this one of two actions leaves nothing to chance, as stopping and holding do, while the other does in one of the
    examined states."""
    rules, step = solution.rules, max(1, len(indices) // LOOKED_AT)
    states = (solution.space.unrank(int(i)) for i in indices[::step])
    counts = [
        [sum(1 for o in rules.outcomes(state, a) if o.ways) for a in (action, other)]
        for state in states
        if {action, other} <= {*rules.actions(state)}
    ]
    return all(own == 1 for own, _ in counts) and any(others > 1 for _, others in counts)
