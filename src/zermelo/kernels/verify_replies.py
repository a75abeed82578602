"""The best response to a behaviour strategy in a game in sequence form, in floats, and how far rounding can have changed it.

u = 2^-53. A share of a plan is a product of at most `depth` probabilities, each with two roundings (a sum over the actions takes as many
more as there are actions), so it is off by a factor of (1 + u)^d, bounded below; a payoff is off by `blur` times its size; sums over n
terms by n u times the sum of absolute values. Bounds are passed up the tree beside the values: the maximum over actions is off by at most
the largest bound. A last factor of 1.01 covers the rounding of the bounds themselves, as long as all factors are far below 1.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

UNIT = 2.0**-53


@kernel
def shares(weight: np.ndarray, parent: np.ndarray, first: np.ndarray, plan: np.ndarray, off: np.ndarray) -> None:
    """plan : float64[sequences], from the weights of the actions in every set; off : float64[sequences], relative errors."""
    plan[0], off[0] = 1.0, 0.0
    for k in range(len(parent)):
        low, high = first[k], first[k + 1]
        total = 0.0
        for s in range(low, high):
            total += weight[s]
        for s in range(low, high):
            share = weight[s] / total if total > 0.0 else 1.0 / (high - low)
            plan[s] = plan[parent[k]] * share
            off[s] = off[parent[k]] + (high - low + 3) * UNIT


@kernel
def best_of(other_parent: np.ndarray, other_first: np.ndarray, worth: np.ndarray, error: np.ndarray) -> tuple[float, float]:
    """The best that sequences of these worths, each with its error, come to, and by how much it can be off."""
    for k in range(len(other_parent) - 1, -1, -1):
        low, high = other_first[k], other_first[k + 1]
        best, worst = -np.inf, 0.0
        for j in range(low, high):
            best, worst = max(best, worth[j]), max(worst, error[j])
        up = other_parent[k]
        worth[up] += best
        error[up] += worst + UNIT * abs(worth[up])
    return worth[0], 1.01 * error[0] + 1e-300


@kernel
def best_reply(
    weight: np.ndarray, parent: np.ndarray, first: np.ndarray, other_parent: np.ndarray, other_first: np.ndarray, start: np.ndarray,
    own: np.ndarray, paid: np.ndarray, size: np.ndarray, blur: float,
) -> tuple[float, float]:  # fmt: skip
    """The most that the other player can get against these weights, and by how much the number can be off.

    parent, first : the sets of the player who has the weights, float64[sequences]; other_parent, other_first : those of the other one; for
    his sequence j, the payoffs start[j] : start[j + 1] have the player's sequence `own`, what is paid to the other, and its size.
    """
    n = start.size - 1
    plan, off = np.empty(len(weight)), np.empty(len(weight))
    shares(weight, parent, first, plan, off)
    worth, error = np.zeros(n), np.zeros(n)
    for j in range(n):
        count = start[j + 1] - start[j]
        for e in range(start[j], start[j + 1]):
            share = plan[own[e]]
            worth[j] += share * paid[e]
            error[j] += share * size[e] * (off[own[e]] + blur + (count + 2) * UNIT)
    return best_of(other_parent, other_first, worth, error)
