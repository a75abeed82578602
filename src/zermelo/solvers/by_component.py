"""The two solvers that go through a game in component order, a batch of transitions at a time, and certify as they go."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from zermelo.basics.pipeline import behind
from zermelo.basics.threads import threads
from zermelo.certificates.certify import Certifier
from zermelo.certificates.endless import proven
from zermelo.kernels.kernel import SMALL
from zermelo.kernels.orders import Prepared, prepared
from zermelo.methods import backward, cyclic
from zermelo.methods.chance import keys_of
from zermelo.problem.solver import Fallback, Problem, Progress, Result, told
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions

Begun = tuple[Prepared | None, list[Fallback]]  # with what a batch was solved, and what was abandoned
RESIDUAL = "rounding and residuals of every state are bounded by a separate pass"


@dataclass(frozen=True)
class Backward:
    """Backward induction: play never returns to a state. One pass over the outcomes; exact except for rounding."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""
        return structure.acyclic and not structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises a `SolverFailure`."""

        def solve(batch: Transitions, *more: Any) -> Begun:
            backward.solve(batch, *more)
            return None, []

        return _by_component(problem, discount, progress, solve, f"backward induction; {RESIDUAL}")


@dataclass(frozen=True)
class Cyclic:
    """Policy iteration component by component: any mixture of chance, one or two players and cycles."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""
        return not structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises a `SolverFailure`."""
        argument = f"policy iteration by components; {RESIDUAL}, and by how long play can stay in a component"

        def solve(batch: Transitions, components: np.ndarray, value: np.ndarray, policy: np.ndarray, discount: float) -> Begun:
            begun = prepared(batch, components, discount)
            prove = partial(proven, batch, blur=getattr(problem, "blur", 0.0))
            return begun, cyclic.solve(batch, components, value, policy, discount, keys_of(problem), begun, prove)

        return _by_component(problem, discount, progress, solve, argument)


def _by_component(
    problem: Problem, discount: float, progress: Progress, solve: Callable[..., Begun], argument: str
) -> Result:
    n, payoffs = problem.num_states, problem.num_payoffs
    value, policy = np.zeros((n, payoffs)), np.full(n, -1, np.int32)
    bounds = Certifier(value, policy, discount, keys_of(problem))
    fallbacks: list[Fallback] = []
    blur = getattr(problem, "blur", 0.0)

    def solved() -> Iterator[tuple[Transitions, np.ndarray, Prepared | None]]:
        for batch, components in batches:
            begun, abandoned = solve(batch, components, value, policy, discount)
            fallbacks.extend(abandoned)
            yield batch, components, begun

    def certified(batch: Transitions, components: np.ndarray, begun: Prepared | None) -> int:
        bounds.certify(batch, components, blur, begun)
        return batch.high

    number = threads() if value.size > SMALL else 1  # smaller arrays are handled in Python, which may start over with the same input
    with closing(problem.batches()) as batches, closing(behind(lambda piece: certified(*piece), solved(), number)) as certifying:
        for high in certifying:
            progress("solving", high, n)
    return Result(value, policy, bounds.error, None, argument, notes=told(fallbacks))
