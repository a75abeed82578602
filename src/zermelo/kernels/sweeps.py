"""Large systems x = b + P x of games of chance, for all payoffs at once: Gauss-Seidel sweeps, sped up by a Krylov method.

P is given by rows without its diagonal, each row divided by 1 - P[i, i]; so is b. Rows stand in the order in which they
are swept. x : float64[n, payoffs], the payoffs of a state side by side, so that each next state costs one access.
"""

from __future__ import annotations

import numpy as np
from numba import njit

HARDLY = 1e-9


@njit(cache=True)
def in_order(indptr, indices, data, right, order):
    """The system in another order of its states, scaled: (indptr, indices, data, right). order[k] is the state that is swept k-th.

    indptr[n] is -1 if a state hardly ever goes on to another one.
    """
    n, payoffs = order.size, right.shape[1]
    position = np.empty(n, np.int32)
    for k in range(n):
        position[order[k]] = k
    starts, count = np.zeros(n + 1, np.int64), 0
    to, weight, constant = np.empty(indices.size, np.int32), np.empty(indices.size), np.empty((n, payoffs))
    for k in range(n):
        i = order[k]
        staying = 0.0
        for o in range(indptr[i], indptr[i + 1]):
            if indices[o] == i:
                staying += data[o]
        if staying > 1.0 - HARDLY:
            starts[n] = -1
            break
        scale = 1.0 / (1.0 - staying)
        for o in range(indptr[i], indptr[i + 1]):
            if indices[o] != i:
                to[count], weight[count] = position[indices[o]], data[o] * scale
                count += 1
        starts[k + 1] = count
        for j in range(payoffs):
            constant[k, j] = right[i, j] * scale
    return starts, to[:count], weight[:count], constant


@njit(cache=True)
def done_before(indptr, indices, data, rows, key):
    """How much of the weight of these rows leads to states of a smaller key, and how much to states of a larger one."""
    smaller, larger = 0.0, 0.0
    for i in rows:
        for o in range(indptr[i], indptr[i + 1]):
            if key[indices[o]] < key[i]:
                smaller += data[o]
            elif key[indices[o]] > key[i]:
                larger += data[o]
    return smaller, larger


@njit(cache=True, fastmath={"contract"})
def sweep(indptr, indices, data, right, x, change):
    """One Gauss-Seidel sweep in place; `change` float64[payoffs] becomes the largest change of each payoff."""
    n, payoffs = x.shape
    sums = np.empty(payoffs)
    change[:] = 0.0
    for i in range(n):
        for j in range(payoffs):
            sums[j] = right[i, j]
        for o in range(indptr[i], indptr[i + 1]):
            t, weight = indices[o], data[o]
            for j in range(payoffs):
                sums[j] += weight * x[t, j]
        for j in range(payoffs):
            change[j] = max(change[j], abs(sums[j] - x[i, j]))
            x[i, j] = sums[j]


@njit(cache=True, fastmath={"contract"})
def unchanged_part(indptr, indices, data, y, out):
    """out = y - (what one sweep makes of y with b = 0), an operator without memory of b."""
    n, payoffs = y.shape
    sums = np.empty(payoffs)
    for i in range(n):
        for j in range(payoffs):
            sums[j] = 0.0
        for o in range(indptr[i], indptr[i + 1]):
            t, weight = indices[o], data[o]
            for j in range(payoffs):
                sums[j] += weight * (out[t, j] if t < i else y[t, j])
        for j in range(payoffs):
            out[i, j] = sums[j]
    for i in range(n):
        for j in range(payoffs):
            out[i, j] = y[i, j] - out[i, j]


@njit(cache=True, fastmath={"contract"})
def krylov_step(indptr, indices, data, x, r, shadow, p, v, t, scalars, largest):
    """One step of BiCGSTAB (van der Vorst 1992) for every payoff by itself; `largest` becomes the largest residual of each.

    scalars : float64[3, payoffs] are rho, alpha and omega of the step before. A payoff whose residual is 0, or whose
    scalars break down, stays as it is.
    """
    n, payoffs = x.shape
    rho, beta = np.zeros(payoffs), np.zeros(payoffs)
    for i in range(n):
        for j in range(payoffs):
            rho[j] += shadow[i, j] * r[i, j]
    for j in range(payoffs):
        below = scalars[0, j] * scalars[2, j]
        beta[j] = rho[j] * scalars[1, j] / below if below != 0.0 else 0.0
    for i in range(n):
        for j in range(payoffs):
            p[i, j] = r[i, j] + beta[j] * (p[i, j] - scalars[2, j] * v[i, j])
    unchanged_part(indptr, indices, data, p, v)
    across = np.zeros(payoffs)
    for i in range(n):
        for j in range(payoffs):
            across[j] += shadow[i, j] * v[i, j]
    for j in range(payoffs):
        scalars[0, j] = rho[j]
        scalars[1, j] = rho[j] / across[j] if across[j] != 0.0 else 0.0
    for i in range(n):
        for j in range(payoffs):
            r[i, j] -= scalars[1, j] * v[i, j]
    unchanged_part(indptr, indices, data, r, t)
    above, below_ = np.zeros(payoffs), np.zeros(payoffs)
    for i in range(n):
        for j in range(payoffs):
            above[j] += t[i, j] * r[i, j]
            below_[j] += t[i, j] * t[i, j]
    for j in range(payoffs):
        scalars[2, j] = above[j] / below_[j] if below_[j] != 0.0 else 0.0
    largest[:] = 0.0
    for i in range(n):
        for j in range(payoffs):
            x[i, j] += scalars[1, j] * p[i, j] + scalars[2, j] * r[i, j]
            r[i, j] -= scalars[2, j] * t[i, j]
            largest[j] = max(largest[j], abs(r[i, j]))
