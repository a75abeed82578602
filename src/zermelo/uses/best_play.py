"""Which actions are best where several are equally good: an opponent that plays best may choose the most harmful one."""

from __future__ import annotations

from functools import partial

import numpy as np

from zermelo.answers.base import Tabled
from zermelo.engines.exploring.explored import Explored
from zermelo.kernels.chain import ASK
from zermelo.problem.transitions import Transitions
from zermelo.uses.chain import Choices, SeatPolicy, by_number, optimal_choices, optimal_values
from zermelo.uses.probe import best_action, probe

ROUNDING = 1e-14  # relative rounding error of an action's value


def own_policy(solved: Tabled, apart: Tabled, explored: Explored) -> SeatPolicy:
    """The solution's policy in `explored`, as positions of actions. Where symmetric states are kept apart there, `apart` was solved once
    more, and may take others of equally good actions: in such states the solution is asked."""
    choices = optimal_choices(apart, explored)
    if solved is apart:
        return choices
    game = explored.whole()
    has_rows = np.diff(game.action_start) > 0
    best = best_rows(apart, explored, game, confirmed=False)
    tied = np.add.reduceat(best, game.action_start[:-1][has_rows], dtype=np.int64) > 1
    choices = np.array(choices)
    choices[np.flatnonzero(has_rows)[tied]] = ASK
    return Choices(choices, partial(best_action, solved))


def best_rows(answers: Tabled, explored: Explored, game: Transitions, confirmed: bool = True) -> np.ndarray:
    """bool[rows of the whole game]: the actions that no other is certainly better than; where values are exact, the best actions, if these
    are to be confirmed."""
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
    if confirmed and answers.is_exact and not (explored.structure.win_draw_loss and explored.structure.deterministic):
        _confirm(answers, explored, game, state, best)
    return best


def _confirm(answers: Tabled, explored: Explored, game: Transitions, state: np.ndarray, best: np.ndarray) -> None:
    """Where floats call several actions of a state best, keep those that are best in rational numbers."""
    for number in np.flatnonzero(np.bincount(state[best], minlength=game.high) > 1).tolist():
        worth = list(probe(answers, explored.layout.unpack(explored.keys[number])).actions.values())
        most = max(worth) if game.player[number] == 0 else min(worth)
        rows = slice(int(game.action_start[number]), int(game.action_start[number + 1]))
        best[rows] = [value == most for value in worth]
