"""The one-step structure of a game on integer states: what solvers see.

States are numbered 0..n-1 in *component order*: every successor of a state lies in the same strongly connected component or in
an earlier one, and a component is a contiguous range. In an acyclic game each successor therefore has a smaller number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np


class Transitions(NamedTuple):
    """Actions and outcomes of the states `low..high-1`, in compressed rows. Shared by kernels and solvers: plain arrays.

    State i (low <= i < high) has the action rows `action_start[i-low] : action_start[i-low+1]`, in the order in which the rules
    yield them; action row a has the outcomes `outcome_start[a] : outcome_start[a+1]`. A state without rows is final.
    """

    low: int
    high: int
    action_start: np.ndarray  # int64[high-low+1]
    outcome_start: np.ndarray  # int64[rows+1]
    ways: np.ndarray  # float64[outcomes], non-negative; integers are held exactly up to 2^53
    next: np.ndarray  # int32[outcomes], number of the next state in the whole game
    sign: np.ndarray  # int8[outcomes], +1 (KEEP) or -1 (PASS: the value of the next state counts negated)
    payoff: np.ndarray  # float64[outcomes, payoffs]
    final_payoff: np.ndarray  # float64[high-low, payoffs], zero unless the state is final
    player: np.ndarray  # int8[high-low], 0 maximises, 1 minimises
