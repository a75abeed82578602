"""The choice of a solver by the structure of the game: a single function."""

from __future__ import annotations

from zermelo.errors import OutOfReach
from zermelo.problem.solver import Solver
from zermelo.problem.structure import Structure
from zermelo.solvers.by_component import Backward, Cyclic
from zermelo.solvers.retrograde import Retrograde
from zermelo.solvers.simultaneous import Simultaneous

PREFERENCE: tuple[Solver, ...] = (Simultaneous(), Retrograde(), Backward(), Cyclic())


def choose(structure: Structure, discount: float = 1.0) -> Solver:
    """The solver for a game of this structure: matrix games state by state if both players choose at once, retrograde analysis for
    deterministic games of win, draw and loss, backward induction if play cannot return to a state, policy iteration component by
    component otherwise."""
    for solver in PREFERENCE:
        if solver.accepts(structure, discount):
            return solver
    raise OutOfReach(f"no solver takes this game ({structure.in_words()})")
