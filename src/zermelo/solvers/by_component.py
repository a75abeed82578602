"""The two solvers that go through a game in component order, a batch of transitions at a time, and certify as they go."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from zermelo.certificates.certify import Certifier
from zermelo.methods import backward, cyclic
from zermelo.methods.chance import Keys, no_keys
from zermelo.problem.solver import Problem, Progress, Solved
from zermelo.problem.structure import Structure

RESIDUAL = "rounding and residuals of every state are bounded by a separate pass"


@dataclass(frozen=True)
class Backward:
    """Backward induction: play never returns to a state. One pass over the outcomes; exact but for rounding."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        return structure.acyclic and not structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Solved:
        return _by_component(problem, discount, progress, backward.solve, f"backward induction; {RESIDUAL}")


@dataclass(frozen=True)
class Cyclic:
    """Policy iteration component by component: any mixture of chance, one or two players and cycles."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        return not structure.simultaneous

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Solved:
        argument = f"policy iteration by components; {RESIDUAL}, and by how long play can stay in a component"
        solve = partial(cyclic.solve, keys=_keys(problem))
        return _by_component(problem, discount, progress, solve, argument)


def _keys(problem: Problem) -> Keys:
    """Numbers by which the problem's states can be ordered, if it has any."""
    return getattr(problem, "sort_keys", no_keys)


def _by_component(
    problem: Problem, discount: float, progress: Progress, solve: Callable[..., None], argument: str
) -> Solved:
    n, payoffs = problem.num_states, problem.num_payoffs
    value, policy = np.zeros((n, payoffs)), np.full(n, -1, np.int32)
    bounds = Certifier(value, policy, discount, _keys(problem))
    for batch, components in problem.batches():
        solve(batch, components, value, policy, discount)
        bounds.certify(batch, components, getattr(problem, "blur", 0.0))
        progress("solving", batch.high, n)
    return Solved(value, policy, bounds.error, None, argument)
