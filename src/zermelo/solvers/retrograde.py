"""Deterministic two-player games that end in win, draw or loss, with or without cycles: retrograde analysis.

Requires: every action has one outcome, nothing is paid before the end, and the end pays -1, 0 or +1.
Gives: the result and the number of moves to the end for every position, proven by a separate pass over all positions.
Costs: about 10 bytes a position and 13 a move; time linear in the number of moves.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from zermelo.kernels import retrograde as kernels
from zermelo.problem.solver import Problem, Progress, Solved
from zermelo.problem.structure import Structure
from zermelo.problem.transitions import Transitions


@dataclass(frozen=True)
class Retrograde:
    """Win, draw or loss and distance to the end."""

    def accepts(self, structure: Structure, discount: float = 1.0) -> bool:
        return structure.deterministic and structure.win_draw_loss and structure.players > 0 and discount == 1.0

    def solve(self, problem: Problem, discount: float, progress: Progress) -> Solved:
        game = problem.whole()
        sign = mover_signs(game)
        n, rows = game.high, len(game.next)
        state_of = np.repeat(np.arange(n, dtype=np.int32), np.diff(game.action_start))
        final = game.final_payoff[:, 0].astype(np.int8)
        result, distance, policy = np.empty(n, np.int8), np.empty(n, np.int32), np.empty(n, np.int32)
        start, into = kernels.predecessors(game.action_start, game.next)
        progress("solving backwards", 0, rows)
        kernels.retrograde(game.action_start, game.next, sign, state_of, final, start, into, result, distance)
        kernels.best_moves(game.action_start, game.next, sign, result, distance, policy)
        wrong = kernels.first_wrong(game.action_start, game.next, sign, final, result, distance)
        if wrong >= 0:
            raise AssertionError(
                f"the proof of state {wrong} fails: a bug in Zermelo's retrograde solver, please report it"
            )
        progress("solving backwards", rows, rows)
        value = np.where(game.player == 1, -result, result).astype(np.float64)[:, None]
        return Solved(
            value, policy, np.zeros_like(value), distance,
            "proof: every win and loss follows from its successors by induction on the distance to the end, every draw from a closed "
            "set of positions; all of them checked by a separate pass",
        )  # fmt: skip


def mover_signs(game: Transitions) -> np.ndarray:
    """int8[rows]: -1 where the next position's result is that of the opponent, so that all results are in the mover's view."""
    mover = np.repeat(game.player, np.diff(game.action_start))
    ends = np.diff(game.action_start)[game.next] == 0
    other = np.where(
        ends, mover == 1, mover != game.player[game.next]
    )  # a finished position is told in the view of player 0
    return np.where(other, -game.sign, game.sign).astype(np.int8)
