"""What every solver is given and gives back. Solvers see integers only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.problem.mixtures import Mixtures
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

Progress = Callable[[str, int, int | None], None]


class Problem(Protocol):
    """An explored game with numbered states, in component order (see engines/explored/explore.py, `Explored`)."""

    @property
    def num_states(self) -> int: ...
    @property
    def num_payoffs(self) -> int: ...
    def batches(self) -> Iterator[tuple[Transitions, np.ndarray]]:
        """Transitions of consecutive ranges of whole components, and int64[k + 1]: where the k components of each begin and end."""

    def whole(self) -> Transitions:
        """The transitions of all states at once."""


class Solved(NamedTuple):
    """What a solver returns; arrays are indexed by the number of a state. Values are those of player 0, with PASS of the player to move."""

    value: np.ndarray  # float64[n, payoffs]
    policy: np.ndarray  # int32[n], position of the chosen action among the state's actions; -1 for final states
    error: np.ndarray  # float64[n, payoffs]: |value - true value| is at most this; all zero if proven
    distance: (
        np.ndarray | None
    )  # int32[n], moves to the end under best play; -1 for endless draws; None if not computed
    argument: str  # why the certificate holds, in words
    mixtures: Mixtures | None = None  # of all states, with simultaneous moves


class Solver(Protocol):
    """A method that solves explored games of some structure."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Solved:
        """Certified values of all states. Raises one of the failures below."""


class SolverFailure(Exception):
    """Base of the reasons for which a game has no answer. `states` : the numbers of the states at fault; `why` : the reason in words."""

    def __init__(self, states: Iterable[int], why: str):
        self.states = [int(s) for s in states]
        self.why = why
        super().__init__(f"{why}: states {self.states[:10]}")


class Unbounded(SolverFailure):
    """Play can cycle among `states` for ever while payoffs accumulate without bound, so that there is no value."""


class NotConverged(SolverFailure):
    """An iteration did not end: rounding is too coarse for `states`, which form one component. There may be a value."""

    def __init__(self, states: Iterable[int]):
        super().__init__(states, "policy iteration did not end")


class Uncertified(SolverFailure):
    """Values were found, but no error bound of those of `states` passes the check."""


class Unproven(SolverFailure):
    """Rational values were found, but those of `states` can't be proven to be the exact ones. `why` also says what to do."""
