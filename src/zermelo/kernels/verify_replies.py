"""The best response to a behaviour strategy in a game in sequence form, in floats, and how far rounding can have changed it.

u = 2^-53. A share of a plan is a product of at most `depth` probabilities, each with two roundings (a sum over the actions takes as many
more as there are actions), so it is off by a factor of (1 + u)^d, bounded below; a payoff is off by `blur` times its size; sums over n
terms by n u times the sum of absolute values. Bounds are passed up the tree beside the values: the maximum over actions is off by at most
the largest bound. A last factor of 1.01 covers the rounding of the bounds themselves, as long as all factors are far below 1. A product of
probabilities that is too small for a float loses at most 5e-324, times a payoff of at most 1e100; TINY covers all of them.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

UNIT = 2.0**-53
TINY = 1e-200


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
    return worth[0], 1.01 * error[0] + TINY


@kernel
def paid_by_pairs(
    low: int, high: int, plan: np.ndarray, off: np.ndarray, start: np.ndarray, own: np.ndarray, paid: np.ndarray, size: np.ndarray,
    sign: float, blur: float, worth: np.ndarray, error: np.ndarray,
) -> None:  # fmt: skip
    """What the other player's sequences low, ..., high - 1 are paid against this plan, and by how much that can be off.

    plan, off : as `shares` writes them; for his sequence j, the payoffs start[j] : start[j + 1] have the player's sequence `own`, what is
    paid, times `sign`, and its size.
    """
    for j in range(low, high):
        count = start[j + 1] - start[j]
        for e in range(start[j], start[j + 1]):
            share = plan[own[e]]
            worth[j] += share * (sign * paid[e])
            error[j] += share * size[e] * (off[own[e]] + blur + (count + 2) * UNIT)
