"""Wins, losses and draws with their distances to the end, proven: then the errors are zero."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.verify_results import first_wrong
from zermelo.problem.transitions import Transitions


def proven(
    game: Transitions, sign: np.ndarray, result: np.ndarray, distance: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """(value, error) : float64[states, 1] each, the values of player 0; all errors are 0.

    sign : int8[rows], of `mover_signs`. result : int8[states], +1, 0 or -1 for the player to move. distance : int32[states].
    Raises `AssertionError` if a result does not follow from those of the next positions."""
    final = game.final_payoff[:, 0].astype(np.int8)
    wrong = first_wrong(game.action_start, game.next, sign, final, result, distance)
    if wrong >= 0:
        raise AssertionError(
            f"the proof of state {wrong} fails: a bug in Zermelo's retrograde solver, please report it"
        )
    value = np.where(game.player == 1, -result, result).astype(np.float64)[:, None]
    return value, np.zeros_like(value)


def mover_signs(game: Transitions) -> np.ndarray:
    """int8[rows]: -1 where the next position's result is that of the opponent, so that all results are in the mover's view."""
    mover = np.repeat(game.player, np.diff(game.action_start))
    ends = np.diff(game.action_start)[game.next] == 0
    other = np.where(
        ends, mover == 1, mover != game.player[game.next]
    )  # of final positions the values of player 0 are known
    return np.where(other, -game.sign, game.sign).astype(np.int8)
