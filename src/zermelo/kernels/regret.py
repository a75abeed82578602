"""Counterfactual regret minimisation on a sequence form (Zinkevich and others 2007).

What an iteration needs of the tree is in the payoffs by pairs of sequences: against a plan y of the other player the sequences of a player
are worth A y plus what follows them, so that regrets, from the last information sets to the first, and the new plan, from the first to the
last, cost one pass over the nonzeros. Both players are updated in turn (Tammelin and others 2015, CFR+). Regrets are never negative, and
a prediction, the regrets of the round before, is added where actions are chosen (Farina, Kroer and Sandholm 2021); plans are
averaged with weights that grow as the square of the round.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@kernel
def _choose(regret: np.ndarray, hint: np.ndarray, parent: np.ndarray, first: np.ndarray, plan: np.ndarray) -> None:
    """The plan that chooses in proportion to the positive part of regret + hint; evenly where there is none."""
    plan[0] = 1.0
    for k in range(len(parent)):
        low, high = first[k], first[k + 1]
        total = 0.0
        for s in range(low, high):
            total += max(regret[s] + hint[s], 0.0)
        leading = plan[parent[k]]
        for s in range(low, high):
            plan[s] = leading * (max(regret[s] + hint[s], 0.0) / total if total > 0.0 else 1.0 / (high - low))


@kernel
def _regret(worth: np.ndarray, regret: np.ndarray, hint: np.ndarray, parent: np.ndarray, first: np.ndarray) -> None:
    """Add what the last choice has missed; `worth` of each sequence is made to hold what follows it, too."""
    for k in range(len(parent) - 1, -1, -1):
        low, high = first[k], first[k + 1]
        total, mean, even = 0.0, 0.0, 0.0
        for s in range(low, high):
            chance = max(regret[s] + hint[s], 0.0)
            total += chance
            mean += chance * worth[s]
            even += worth[s]
        mean = mean / total if total > 0.0 else even / (high - low)
        for s in range(low, high):
            hint[s] = worth[s] - mean
            regret[s] = max(regret[s] + hint[s], 0.0)
        worth[parent[k]] += mean


@inner
def _answer(others_plan, start, other, paid, parent, first, worth, regret, hint, plan, total, weight):
    """One player's half of a round: what the other's plan makes of every sequence, the regrets, the next plan, and the sum of all."""
    for i in range(len(plan)):
        gained = 0.0
        for e in range(start[i], start[i + 1]):
            gained += paid[e] * others_plan[other[e]]
        worth[i] = gained
    _regret(worth, regret, hint, parent, first)
    _choose(regret, hint, parent, first, plan)
    for i in range(len(plan)):
        total[i] += weight * plan[i]


@kernel
def minimise(
    rounds: int, done: int, parent_0: np.ndarray, first_0: np.ndarray, start_0: np.ndarray, other_0: np.ndarray, paid_0: np.ndarray,
    parent_1: np.ndarray, first_1: np.ndarray, start_1: np.ndarray, other_1: np.ndarray, paid_1: np.ndarray,
    regret_0: np.ndarray, hint_0: np.ndarray, plan_0: np.ndarray, sum_0: np.ndarray,
    regret_1: np.ndarray, hint_1: np.ndarray, plan_1: np.ndarray, sum_1: np.ndarray,
) -> None:  # fmt: skip
    """So many more rounds after `done`. For sequence i of player 0 the nonzeros start_0[i] : start_0[i + 1] have the sequence `other_0` of
    player 1 and what is paid to player 0; likewise for player 1, with what is paid to him. plan and sum float64[sequences] : the plans of
    the last round, and the weighted sum of all."""
    worth_0, worth_1 = np.empty(len(plan_0)), np.empty(len(plan_1))
    for t in range(done + 1, done + rounds + 1):
        weight = float(t) * float(t)
        _answer(plan_1, start_0, other_0, paid_0, parent_0, first_0, worth_0, regret_0, hint_0, plan_0, sum_0, weight)
        _answer(plan_0, start_1, other_1, paid_1, parent_1, first_1, worth_1, regret_1, hint_1, plan_1, sum_1, weight)


@kernel
def fill_in(worth: np.ndarray, parent: np.ndarray, first: np.ndarray, weight: np.ndarray) -> None:
    """Where a player gets only by other choices of his own, so that nothing is weighed there, the action that is worth most; `worth` of
    each sequence, without what follows it, is made to hold that, too."""
    for k in range(len(parent) - 1, -1, -1):
        low, high = first[k], first[k + 1]
        total, mean, best = 0.0, 0.0, low
        for s in range(low, high):
            total += weight[s]
            mean += weight[s] * worth[s]
            if worth[s] > worth[best] + 1e-12 * abs(worth[best]):
                best = s
        if total == 0.0:
            weight[best] = 1.0
        worth[parent[k]] += mean / total if total > 0.0 else worth[best]
