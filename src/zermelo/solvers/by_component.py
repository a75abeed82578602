"""The two solvers that go through a game in component order, a batch of transitions at a time, and certify as they go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial

import numpy as np

from zermelo.basics.threads import behind, threads
from zermelo.certificates.certify import Certifier
from zermelo.certificates.endless import by_policy, losing_states
from zermelo.kernels.kernel import SMALL
from zermelo.methods import backward, cyclic
from zermelo.methods.chance import Keys, no_keys
from zermelo.problem.cycles import paying_cycle
from zermelo.problem.solver import Fallback, NotConverged, Problem, Progress, Result, Unbounded, told
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

RESIDUAL = "rounding and residuals of every state are bounded by a separate pass"


@dataclass(frozen=True)
class Backward:
    """Backward induction: play never returns to a state. One pass over the outcomes; exact except for rounding."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""
        return structure.acyclic and not structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises a `SolverFailure`."""
        return _by_component(problem, discount, progress, backward.solve, f"backward induction; {RESIDUAL}")


@dataclass(frozen=True)
class Cyclic:
    """Policy iteration component by component: any mixture of chance, one or two players and cycles."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""
        return not structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises a `SolverFailure`."""
        argument = f"policy iteration by components; {RESIDUAL}, and by how long play can stay in a component"
        solve = partial(cyclic.solve, keys=_keys(problem))
        return _by_component(problem, discount, progress, solve, argument)

    def guess(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """A policy for a caller that proves values itself where floats cannot. Never fails, and gives no bounds.

        In components that floats don't solve it is the first action of every state."""
        value, policy = np.zeros((problem.num_states, problem.num_payoffs)), np.full(problem.num_states, -1, np.int32)
        solve = partial(cyclic.solve, keys=_keys(problem))
        for batch, components in problem.batches():
            while components.size > 1:
                try:
                    solve(batch, components, value, policy, discount)
                    break
                except (NotConverged, Unbounded) as failure:
                    at = int(np.searchsorted(components, failure.states[0], side="right"))
                    start, end = int(components[at - 1]), int(components[at])
                    value[start:end], policy[start:end] = 0.0, _first_actions(batch, start, end)
                    components = components[at:]
            progress("solving", batch.high, problem.num_states)
        return Result(value, policy, np.full(value.shape, np.inf), None, "")


def _first_actions(batch: Transitions, start: int, end: int) -> np.ndarray:
    """0 in states with actions, -1 in others."""
    counts = np.diff(batch.action_start[start - batch.low : end - batch.low + 1])
    return np.where(counts > 0, 0, -1).astype(np.int32)


def _keys(problem: Problem) -> Keys:
    """Numbers by which the problem's states can be ordered, if it has any."""
    return getattr(problem, "sort_keys", no_keys)


def _by_component(
    problem: Problem, discount: float, progress: Progress, solve: Callable[..., list[Fallback] | None], argument: str
) -> Result:
    n, payoffs = problem.num_states, problem.num_payoffs
    value, policy = np.zeros((n, payoffs)), np.full(n, -1, np.int32)
    bounds = Certifier(value, policy, discount, _keys(problem))
    fallbacks: list[Fallback] = []
    blur = getattr(problem, "blur", 0.0)

    def solved() -> Iterator[tuple[Transitions, np.ndarray]]:
        for batch, components in problem.batches():
            try:
                fallbacks.extend(solve(batch, components, value, policy, discount) or [])
            except Unbounded as failure:
                raise _proven(batch, failure, blur) from None
            yield batch, components

    def certified(batch: Transitions, components: np.ndarray) -> int:
        bounds.certify(batch, components, blur)
        return batch.high

    number = threads() if value.size > SMALL else 1  # smaller arrays are handled in Python, which may start over with the same input
    with closing(behind(lambda piece: certified(*piece), solved(), number)) as certifying:
        for high in certifying:
            progress("solving", high, n)
    return Result(value, policy, bounds.error, None, argument, notes=told(fallbacks))


def _proven(batch: Transitions, failure: Unbounded, blur: float) -> Unbounded:
    """The failure with a proof that there is no value and the states that have none, if its witness shows it; otherwise the failure
    unchanged."""
    if failure.witness is None:
        return failure
    start, end, _, policy = failure.witness
    states = losing_states(batch, *failure.witness, failure.payoff, blur)
    if not states.size:
        return failure
    cycle = paying_cycle(by_policy(batch, start, end, policy, failure.payoff), states)
    return Unbounded(states, failure.payoff, is_proven=True, cycle=cycle)
