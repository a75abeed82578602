"""Large systems x = right + P x of games of chance, for all payoffs at once: Gauss-Seidel sweeps, accelerated by a Krylov method.

x : float64[n, payoffs], the payoffs of a state side by side, so that each next state costs one access. Row i of P has
the nonzeros first[i]..first[i + 1] - 1: weight[e] times the values of state to[e]. Where a table is turned between two
states (stages/), payoff j takes the value columns[turn[e], j]. group[j] numbers the payoffs that take values from one
another. Rows are swept from the last to the first. Next states of one turn in sequence are added up before it is applied.

each : a number for each payoff (`each_of` of registers.py). Loops over payoffs are short; compiled for how many there are, they take two
thirds of the time, and with the sums in registers less than half.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.prefetch import AHEAD, fetch, pointer, prefetch
from zermelo.kernels.registers import add_row, read_row, registers, write_row
from zermelo.kernels.status import HARDLY


class System(NamedTuple):
    first: np.ndarray  # int64[n + 1]
    to: np.ndarray  # whole numbers [nonzeros]
    weight: np.ndarray  # float64[nonzeros]
    turn: np.ndarray  # int8[nonzeros]
    columns: np.ndarray  # int64[turns, payoffs]
    group: np.ndarray  # int64[payoffs]
    right: np.ndarray  # float64[n, payoffs]


@kernel
def in_order(indptr, indices, data, right, place):
    """The system with state i as row place[i], without its diagonal, each row divided by 1 - P[i, i]: (first, to, weight, right).

    first[n] is -1 if a state hardly ever goes on to another one.
    """
    n, payoffs = place.size, right.shape[1]
    state = np.empty(n, indices.dtype)
    for i in range(n):
        state[place[i]] = i
    first, count = np.zeros(n + 1, np.int64), 0
    to, weight, constant = np.empty(indices.size, indices.dtype), np.empty(indices.size), np.empty((n, payoffs))
    for k in range(n):
        i = state[k]
        staying = 0.0
        for o in range(indptr[i], indptr[i + 1]):
            if indices[o] == i:
                staying += data[o]
        if staying > 1.0 - HARDLY:
            first[n] = -1
            break
        scale = 1.0 / (1.0 - staying)
        for o in range(indptr[i], indptr[i + 1]):
            if indices[o] != i:
                to[count], weight[count] = place[indices[o]], data[o] * scale
                count += 1
        first[k + 1] = count
        for j in range(payoffs):
            constant[k, j] = right[i, j] * scale
    return first, to[:count], weight[:count], constant


@kernel
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


@kernel
def sweep(first, to, weight, turn, columns, group, right, each, x, change, largest):
    """One Gauss-Seidel sweep in place; float64[payoffs] each: the largest `change` of each payoff and its `largest` size."""
    payoffs, source = len(each), pointer(columns)
    sums, alike, turned, moved, size = registers(each), registers(each), registers(each), registers(each), registers(each)
    for j in range(payoffs):
        moved[j] = size[j] = 0.0
    for i in range(len(x) - 1, -1, -1):
        if i >= AHEAD:
            for e in range(fetch(first, i - AHEAD), fetch(first, i - AHEAD + 1)):
                prefetch(x, fetch(to, e))
        read_row(sums, each, right, i)
        e, end = fetch(first, i), fetch(first, i + 1)
        while e < end:
            k = fetch(turn, e)
            for j in range(payoffs):
                alike[j] = 0.0
            while e < end and (payoffs == 1 or fetch(turn, e) == k):
                add_row(alike, each, fetch(weight, e), x, fetch(to, e))
                e += 1
            for j in range(payoffs):
                turned[j] = alike[j]  # in memory: only there can the compiler look one up by its number
            row = np.int64(k) * payoffs  # few bits hold k
            for j in range(payoffs):
                sums[j] += turned[fetch(source, row + j)]
        read_row(alike, each, x, i)
        for j in range(payoffs):
            moved[j] = max(moved[j], abs(sums[j] - alike[j]))
            size[j] = max(size[j], abs(sums[j]))
        write_row(sums, each, x, i)
    for j in range(payoffs):
        change[j], largest[j] = moved[j], size[j]


@inner
def unchanged_part(first, to, weight, turn, columns, each, y, out):
    """out = y - (what one sweep makes of y with right = 0), a linear operator, independent of `right`."""
    payoffs, source = len(each), pointer(columns)
    sums, alike, turned = registers(each), registers(each), registers(each)
    for i in range(len(y) - 1, -1, -1):
        if i >= AHEAD:
            for e in range(fetch(first, i - AHEAD), fetch(first, i - AHEAD + 1)):
                prefetch(out if fetch(to, e) > i else y, fetch(to, e))
        for j in range(payoffs):
            sums[j] = 0.0
        e, end = fetch(first, i), fetch(first, i + 1)
        while e < end:
            k = fetch(turn, e)
            for j in range(payoffs):
                alike[j] = 0.0
            while e < end and (payoffs == 1 or fetch(turn, e) == k):
                t = fetch(to, e)
                add_row(alike, each, fetch(weight, e), out if t > i else y, t)
                e += 1
            for j in range(payoffs):
                turned[j] = alike[j]  # in memory: only there can the compiler look one up by its number
            row = np.int64(k) * payoffs  # few bits hold k
            for j in range(payoffs):
                sums[j] += turned[fetch(source, row + j)]
        write_row(sums, each, out, i)
    for i in range(len(y)):
        for j in range(payoffs):
            out[i, j] = y[i, j] - out[i, j]


@kernel
def krylov_step(first, to, weight, turn, columns, group, each, x, r, shadow, p, v, t, scalars, largest):
    """One step of BiCGSTAB (van der Vorst 1992) for every group of payoffs; `largest` becomes the largest residual of each payoff.

    scalars : float64[3, groups] are rho, alpha and omega of the step before. A group whose residual is 0, or whose
    scalars break down, stays as it is.
    """
    n, payoffs = len(x), len(each)
    groups = scalars.shape[1]
    rho, beta, below = np.zeros(groups), np.zeros(groups), np.zeros(groups)
    sums, others = np.zeros(payoffs), np.zeros(payoffs)
    for i in range(n):
        for j in range(payoffs):
            sums[j] += shadow[i, j] * r[i, j]
    for j in range(payoffs):
        rho[group[j]] += sums[j]
    for g in range(groups):
        before = scalars[0, g] * scalars[2, g]
        beta[g] = rho[g] * scalars[1, g] / before if before != 0.0 else 0.0
        scalars[0, g] = rho[g]
    by_beta, by_omega = beta[group], scalars[2, group]
    for i in range(n):
        for j in range(payoffs):
            p[i, j] = r[i, j] + by_beta[j] * (p[i, j] - by_omega[j] * v[i, j])
    unchanged_part(first, to, weight, turn, columns, each, p, v)
    sums[:] = 0.0
    for i in range(n):
        for j in range(payoffs):
            sums[j] += shadow[i, j] * v[i, j]
    for j in range(payoffs):
        below[group[j]] += sums[j]
    for g in range(groups):
        scalars[1, g] = rho[g] / below[g] if below[g] != 0.0 else 0.0
    by_alpha = scalars[1, group]
    for i in range(n):
        for j in range(payoffs):
            r[i, j] -= by_alpha[j] * v[i, j]
    unchanged_part(first, to, weight, turn, columns, each, r, t)
    sums[:] = 0.0
    for i in range(n):
        for j in range(payoffs):
            sums[j] += t[i, j] * r[i, j]
            others[j] += t[i, j] * t[i, j]
    above = np.zeros(groups)
    below[:] = 0.0
    for j in range(payoffs):
        above[group[j]] += sums[j]
        below[group[j]] += others[j]
    for g in range(groups):
        scalars[2, g] = above[g] / below[g] if below[g] != 0.0 else 0.0
    by_omega = scalars[2, group]
    largest[:] = 0.0
    for i in range(n):
        for j in range(payoffs):
            x[i, j] += by_alpha[j] * p[i, j] + by_omega[j] * r[i, j]
            r[i, j] -= by_omega[j] * t[i, j]
            largest[j] = max(largest[j], abs(r[i, j]))
