"""The input and output of every solver. Solvers see integers only."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.problem.cycles import Cycle
from zermelo.problem.mixtures import Mixtures
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

Progress = Callable[[str, int, int | None], None]


class Problem(Protocol):
    """An explored game with numbered states, in component order (see engines/exploring/explored.py, `Explored`)."""

    @property
    def num_states(self) -> int: ...
    @property
    def num_payoffs(self) -> int: ...
    def batches(self) -> Generator[tuple[Transitions, np.ndarray]]:
        """Transitions of consecutive ranges of whole components, and int64[k + 1]: where the k components of each begin and end."""

    def whole(self) -> Transitions:
        """The transitions of all states at once."""


class Result(NamedTuple):
    """The result of a solver; arrays are indexed by the number of a state. Values are those of player 0, or with PASS those of the player
    to move."""

    value: np.ndarray  # float64[n, payoffs]
    policy: np.ndarray  # int32[n], position of the chosen action among the state's actions; -1 for final states
    error: np.ndarray  # float64[n, payoffs]: an upper bound of |value - true value|; all zero if proven
    distance: (
        np.ndarray | None
    )  # int32[n], moves to the end under optimal play; -1 for endless draws; None if not computed
    argument: str  # the reason why the certificate holds, in words
    mixtures: Mixtures | None = None  # of all states, with simultaneous moves
    notes: tuple[str, ...] = ()  # faster methods that were given up, a sentence each (`told`)


class Fallback(NamedTuple):
    """A component that a fast method failed to solve, so that a slower one was used."""

    fast: str  # the methods, in words
    slow: str
    states: int  # of the component


def told(fallbacks: Iterable[Fallback]) -> tuple[str, ...]:
    """A sentence for every method that was given up."""
    sizes: dict[tuple[str, str], list[int]] = {}
    for fallback in fallbacks:
        sizes.setdefault((fallback.fast, fallback.slow), []).append(fallback.states)
    return tuple(
        f"{fast} did not converge in {len(found):,} component{'s' if len(found) > 1 else ''} (of up to {max(found):,} states), "
        f"where {slow} was used instead"
        for (fast, slow), found in sizes.items()
    )


class Solver(Protocol):
    """A method that solves explored games of some structure."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises one of the failures below."""


class SolverFailure(Exception):
    """Base of the reasons for which a game has no answer. `states` : the numbers of the states concerned; `why` : the reason in words;
    `payoff` : the number of the payoff concerned; `is_sure_to_end` : whether play leaves `states` with probability 1 under all
    strategies, so that they are certain to have values."""

    def __init__(self, states: Iterable[int], why: str, payoff: int = 0, is_sure_to_end: bool = False):
        self.states = [int(s) for s in states]
        self.why, self.payoff, self.is_sure_to_end = why, payoff, is_sure_to_end
        super().__init__(f"{why}: states {self.states[:10]}")


class Witness(NamedTuple):
    """The possible evidence that payoffs add up without limit in the component start..end-1 (certificates/endless.py)."""

    start: int
    end: int
    value: np.ndarray  # float64[end - start], of a payoff where every step is the last with a small probability
    policy: np.ndarray  # int32[end - start]


class Unbounded(SolverFailure):
    """Play can cycle among `states` forever and is paid there. `is_proven` : a player is paid without limit, so that there is no value;
    otherwise the total paid may go up and down forever, and there may be one. `cycle` : an example among these states."""

    def __init__(
        self, states: Iterable[int], payoff: int = 0, witness: Witness | None = None, is_proven: bool = False, cycle: Cycle | None = None
    ):
        self.witness, self.is_proven, self.cycle = witness, is_proven, cycle
        swings = "" if is_proven else ", or goes up and down forever"
        super().__init__(states, f"what is paid adds up without end while play cycles{swings}", payoff)


Prove = Callable[[Unbounded], Unbounded]  # the failure with a proof that there is no value, if its witness shows it


def unproven(failure: Unbounded) -> Unbounded:
    """The failure as it is."""
    return failure


class NotConverged(SolverFailure):
    """An iteration did not end: rounding is too coarse for `states`, which form one component. There may be a value."""

    def __init__(self, states: Iterable[int], is_sure_to_end: bool = False):
        super().__init__(states, "policy iteration did not end", is_sure_to_end=is_sure_to_end)


class Uncertified(SolverFailure):
    """Values were found, but no error bound for those of `states` passes the check. There may be a value."""


IN_FLOATS = "leave out exact=True for a certified interval"


class Unproven(SolverFailure):
    """Rational values were found, but those of `states` cannot be proven to be the exact ones. `remedy` : what can be done, in words."""

    def __init__(self, states: Iterable[int], why: str, remedy: str):
        self.remedy = remedy
        super().__init__(states, why)
