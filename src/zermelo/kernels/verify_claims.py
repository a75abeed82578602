"""The check of bounds for one strongly connected component of any kind, rounding included: what is claimed, and why it suffices, is told in
certificates/verify.py.

It imports nothing that searches for a bound. All nodes maximise (kernels/sides.py). Claimed are U = base + potential + rise, a `drift`, and
which rows are free.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.twice import sum_error
from zermelo.kernels.verify import WHOLE, row_terms

HUGE = 1e200  # of what is claimed: nothing overflows below
ROUGH = 2.0**-50  # many times what the rounding of a few sums can be, relatively


@kernel
def bound_claimed(
    first_row, first_outcome, ways, to, payoff, value, error, discount, blur, base, potential, drift, rise, free, bound
):
    """Fill bound : float64[n], how much the true value of a node may be above `value`, if the claim is proven; else False.

    payoff : float64[outcomes, 1]. value, error : float64[nodes, 1], also beyond. base, potential, drift, rise : float64[n].
    free : bool[rows]."""
    n = base.size
    raised, later, moved = value.copy(), error.copy(), np.zeros_like(value)
    for s in range(n):
        if not (abs(base[s]) < HUGE and abs(potential[s]) < HUGE and abs(drift[s]) < HUGE and 0.0 <= rise[s] < HUGE):
            return False
        later[s, 0], moved[s, 0] = rise[s], drift[s]
    rough = raise_values(base, potential, raised)
    plus, paid = np.ones(to.size, np.int8), np.empty((to.size, 1))
    for s in range(n):
        for row in range(first_row[s], first_row[s + 1]):
            first, last = first_outcome[row], first_outcome[row + 1]
            if free[row]:
                if discount != 1.0 or not never_rises(first, last, ways, to, payoff, blur, base, potential, rise, s):
                    return False
                if not is_enough_on_average(first, last, ways, to, plus, paid, moved, blur, base, potential, s):
                    return False
                continue
            excess, asked = row_terms(first, last, ways, to, plus, payoff, discount, raised, later, s, 0, 1, blur)
            if not (excess + 2.0 * rough) + asked <= rise[s]:
                return False
    for s in range(n):
        bound[s] = (max(raised[s, 0] - value[s, 0], 0.0) + rough + rise[s]) * (1.0 + ROUGH)
    return True


@inner
def raise_values(base, potential, raised):
    """raised[s, 0] = base + potential for the nodes inside; how far rounding has moved it at most."""
    lost = 0.0
    for s in range(base.size):
        raised[s, 0] = base[s] + potential[s]
        lost = max(lost, abs(sum_error(base[s], potential[s], raised[s, 0])))
    return lost * (1.0 + ROUGH)


@inner
def never_rises(first, last, ways, to, payoff, blur, base, potential, rise, s):
    """2 in certificates/verify.py, of one row, without rounding: a sum of two floats is their rounded sum and what is lost. From 2^53 on a
    payoff may have been another whole number."""
    for o in range(first, last):
        if not (ways[o] > 0.0 or blur > 0.0):  # ways that are results of rounding may have vanished in it, and yet happen
            continue
        t = to[o]
        if t >= base.size or abs(payoff[o, 0]) >= WHOLE:
            return False
        total = payoff[o, 0] + potential[t]
        lost = sum_error(payoff[o, 0], potential[t], total)
        if not (total < potential[s] or (total == potential[s] and lost <= 0.0)):
            return False
        if not (base[t] <= base[s] and rise[t] <= rise[s]):
            return False
    return True


@inner
def is_enough_on_average(first, last, ways, to, plus, paid, moved, blur, base, potential, s):
    """3 in certificates/verify.py, of one row, rounding included; without any where the drift is 0.

    moved : float64[nodes, 1], the drift, 0 beyond. paid : float64[outcomes, 1], scratch."""
    drifts = moved[s, 0] != 0.0
    for o in range(first, last):
        drifts |= moved[to[o], 0] != 0.0
    if not drifts:
        return base[s] >= -potential[s]
    return average_excess(first, last, ways, to, plus, paid, moved, blur, potential[s], s) <= base[s]


@inner
def average_excess(first, last, ways, to, plus, paid, moved, blur, potential, s):
    """-potential + (mean of the drift at the next node) - drift, of one row of node s, rounded upwards."""
    for o in range(first, last):
        paid[o, 0] = -potential
    excess, _ = row_terms(first, last, ways, to, plus, paid, 1.0, moved, moved, s, 0, 1, blur)
    return excess
