"""What every solver is given and gives back. Solvers see integers only."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.problem.mixtures import Mixtures
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

Progress = Callable[[str, int, int | None], None]


class Problem(Protocol):
    """An explored game on integer states (see explore.Explored)."""

    @property
    def num_states(self) -> int: ...
    @property
    def num_payoffs(self) -> int: ...
    def batches(self) -> Iterator[tuple[Transitions, np.ndarray]]: ...
    def whole(self) -> Transitions: ...


class Solved(NamedTuple):
    """What a solver found, by state number."""

    value: np.ndarray  # float64[n, payoffs]
    policy: np.ndarray  # int32[n], position of the chosen action among the state's actions; -1 for final states
    error: np.ndarray  # float64[n, payoffs]: |value - true value| is at most this; all zero if proven
    distance: (
        np.ndarray | None
    )  # int32[n], moves to the end under best play; -1 for endless draws; None if not computed
    argument: str  # why the certificate holds, in words
    mixtures: Mixtures | None = None  # where both choose at once: the mixed strategies


class Solver(Protocol):
    """A method with stated requirements on the structure."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool: ...
    def solve(self, problem: Problem, discount: float, progress: Progress) -> Solved: ...


class Unbounded(Exception):
    """Play can circle for ever among `states` (their numbers) with payoffs that never end; `why` says so in words."""

    def __init__(self, states: np.ndarray, why: str):
        self.states = [int(s) for s in states]
        self.why = why
        super().__init__(f"{why}: states {self.states[:10]}")


class Unproven(Exception):
    """The exact values of `states` can't be proven; `why` says so in words, and what to do."""

    def __init__(self, states: list[int], why: str):
        self.states, self.why = states, why
        super().__init__(f"{why}: states {states[:10]}")


class Unsettled(Exception):
    """Policy iteration did not end: rounding is too coarse for the component `states`."""

    def __init__(self, states: np.ndarray):
        self.states = [int(s) for s in states]
        self.why = "policy iteration did not end"
        super().__init__(f"{self.why}: states {self.states[:10]}")


class Uncertified(Exception):
    """No bound was found for the values of `states`; `why` says in words what may be the reason."""

    def __init__(self, states: np.ndarray, why: str):
        self.states = [int(s) for s in states]
        self.why = why
        super().__init__(f"{why}: states {self.states[:10]}")
