"""The check of solutions of large systems (kernels/sweeps.py): by how much they miss their equations. Imports no solver."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel
from zermelo.kernels.prefetch import AHEAD, prefetch
from zermelo.kernels.twice import product_error, sum_error


@kernel
def residuals(first, to, weight, turn, columns, group, right, x, weight_error, right_error, missed, size, least):
    """What equations are missed by, at most: float64[payoffs], the largest

        missed = |right + P x - x| + weight_error * P |x| + right_error * |right|

    of each payoff, its largest absolute value `size` and its `least` value. The first term is computed in double-double
    (Ogita, Rump and Oishi 2005, algorithm Dot2), so that no more than 1e-28 of the largest term is lost.
    """
    n, payoffs = x.shape
    sums, rest, absolute = np.empty(payoffs), np.empty(payoffs), np.empty(payoffs)
    missed[:] = 0.0
    size[:] = 0.0
    least[:] = np.inf
    for i in range(n):
        if i < n - AHEAD:
            for e in range(first[i + AHEAD], first[i + AHEAD + 1]):
                prefetch(x, to[e])
        for j in range(payoffs):
            sums[j] = right[i, j] - x[i, j]
            rest[j] = sum_error(right[i, j], -x[i, j], sums[j])
            absolute[j] = 0.0
        for e in range(first[i], first[i + 1]):
            t, w, k = to[e], weight[e], turn[e]
            for j in range(payoffs):
                value = x[t, columns[k, j]]
                term = w * value
                total = sums[j] + term
                rest[j] += sum_error(sums[j], term, total) + product_error(w, value, term)
                sums[j] = total
                absolute[j] += abs(term)
        for j in range(payoffs):
            miss = abs(sums[j] + rest[j]) + weight_error * absolute[j] + right_error * abs(right[i, j])
            if not miss <= missed[j]:  # also if it is no number
                missed[j] = miss
            size[j] = max(size[j], abs(x[i, j]))
            least[j] = min(least[j], x[i, j])
