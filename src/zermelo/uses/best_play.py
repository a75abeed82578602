"""Which actions are best where several are equally good: an opponent that plays best may choose the most harmful one."""

from __future__ import annotations

import numpy as np

from zermelo.answers.base import Tabled
from zermelo.engines.exploring.explored import Explored
from zermelo.problem.transitions import Transitions
from zermelo.uses.chain import by_number, optimal_values
from zermelo.uses.probe import probe

ROUNDING = 1e-14  # relative rounding error of an action's value


def best_rows(answers: Tabled, explored: Explored, game: Transitions) -> np.ndarray:
    """bool[rows of the whole game]: the actions that no other is certainly better than; where values are exact, the best actions."""
    values, errors = optimal_values(answers, explored), by_number(answers, explored, answers.error[:, 0])
    discount = float(answers.discount)
    total = np.add.reduceat(game.ways, game.outcome_start[:-1])

    def mean(of_outcome: np.ndarray) -> np.ndarray:
        return np.add.reduceat(game.ways * of_outcome, game.outcome_start[:-1]) / total

    later = discount * values[game.next]
    worth = mean(game.payoff[:, 0] + game.sign * later)
    rough = mean(discount * errors[game.next]) + ROUNDING * mean(np.abs(game.payoff[:, 0]) + np.abs(later))
    has_rows = np.diff(game.action_start) > 0
    first = game.action_start[:-1][has_rows]
    state = np.repeat(np.arange(game.high), np.diff(game.action_start))
    signed = np.where(game.player[state] == 0, worth, -worth)
    sure = np.full(game.high, -np.inf)
    sure[has_rows] = np.maximum.reduceat(signed - rough, first)
    best = signed + rough >= sure[state]
    if answers.is_exact and not (explored.structure.win_draw_loss and explored.structure.deterministic):
        _confirm(answers, explored, game, state, best)
    return best


def _confirm(answers: Tabled, explored: Explored, game: Transitions, state: np.ndarray, best: np.ndarray) -> None:
    """Where floats call several actions of a state best, keep those that are best in rational numbers."""
    for number in np.flatnonzero(np.bincount(state[best], minlength=game.high) > 1).tolist():
        worth = list(probe(answers, explored.layout.unpack(explored.keys[number])).actions.values())
        most = max(worth) if game.player[number] == 0 else min(worth)
        rows = slice(int(game.action_start[number]), int(game.action_start[number + 1]))
        best[rows] = [value == most for value in worth]
