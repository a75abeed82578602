"""Deterministic games that end in win, draw or loss, with or without cycles: retrograde analysis.

Requires: every action has one outcome, nothing is paid before the end, and the end pays -1, 0 or +1.
Result: the result and the number of moves to the end for every position, proven by a separate pass over all positions.
Cost: about 10 bytes per position and 13 per move; time linear in the number of moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.certificates.results import mover_signs, proven
from zermelo.kernels import retrograde as kernels
from zermelo.problem.solver import Problem, Progress, Result
from zermelo.problem.structure import Structure


@dataclass(frozen=True)
class Retrograde:
    """Retrograde analysis: games without chance that only pay 1, 0 or -1 at the end. The result of every state and its moves to the end."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        """Whether the method solves games of this structure with this discount."""
        return structure.deterministic and structure.win_draw_loss and discount == 1.0

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Result:
        """Certified values of all states. Raises a `SolverFailure`."""
        game = problem.whole()
        sign = mover_signs(game)
        n, rows = game.high, len(game.next)
        state_of = np.repeat(np.arange(n, dtype=number_type(n)), np.diff(game.action_start))
        final = game.final_payoff[:, 0].astype(np.int8)
        result, distance, policy = np.empty(n, np.int8), np.empty(n, np.int32), np.empty(n, np.int32)
        into = np.empty(rows, number_type(rows))
        start = kernels.predecessors(game.action_start, game.next, into)
        progress("solving backwards", 0, rows)
        kernels.retrograde(game.action_start, game.next, sign, state_of, final, start, into, result, distance)
        kernels.best_moves(game.action_start, game.next, sign, result, distance, policy)
        value, error = proven(game, sign, result, distance)
        progress("solving backwards", rows, rows)
        return Result(
            value, policy, error, distance,
            "proof: every win and loss follows from its successors by induction on the distance to the end, every draw from a closed "
            "set of positions; all of them checked by a separate pass",
        )  # fmt: skip
