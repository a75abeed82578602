"""The check of bounds for a component in which nothing is paid and play may cycle without end, rounding included.

It imports nothing that searches for a bound. Nodes 0..n-1 are a component seen from both sides (kernels/sides.py), so that all of them
maximise; nodes beyond are where it is left, their values known but for their errors. Claimed are numbers U(s) = base(s) + rise(s), ranks
of the nodes, and what every row is:

1. A row that *drops* satisfies the inequality of kernels/verify.py, U(s) >= c + (mean of U(next)) for some c > 0.
2. A *free* row stays inside; neither base, nor rise, nor rank is larger at any next node; and U is not negative.
3. At a *level* row neither base nor rise is larger at any next node, also outside (value and error there), and with some probability the
   next node has a lower rank or lies outside.
4. A node whose rows are *most* has U as large as 0 and as all that play may be worth outside: it is worth such a value or, if it stays, 0.

The nodes of 4 count as outside for the others, since U bounds what they are worth; the rest of the argument is about those. U bounds
the true values from above. U of the present node never rises at a free or level row, and falls by c or more in the mean at any other
one, so plays that take such rows infinitely often lose without bound. If rows that drop come to an end while level rows don't, play
leaves almost surely: ranks fall with level rows, with a probability that is bounded from below, free rows don't raise them, and
play that has reached the lowest rank leaves. Play that leaves at last is worth U(s) in the mean or less. Play that stays without end
by free rows alone is worth 0, which is U or less. So a region where all values are the same needs no drop, and a bound of it does not
grow with the length of play, as that of certificates/verify.py does.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.verify import U, row_terms

DROPS, FREE, LEVEL, MOST = 0, 1, 2, 3


@inner
def ceilings(first_row, first_outcome, ways, to, value, error):
    """float64[2, 2]: of the first half of the nodes and of the second, the largest value outside that play may lead to, or 0; and by
    how much a true value outside may be larger. The same for both where play may lead from one half to the other."""
    n = first_row.size - 1
    most, meet = np.zeros((2, 2)), False
    for k in range(2):
        for s in range(n):
            half = 0 if s < n // 2 else 1
            for o in range(first_outcome[first_row[s]], first_outcome[first_row[s + 1]]):
                t = to[o]
                if ways[o] == 0.0:
                    continue
                if t < n:
                    meet = meet or (0 if t < n // 2 else 1) != half
                elif k == 0:
                    most[half, 0] = max(most[half, 0], value[t, 0])
                else:
                    most[half, 1] = max(most[half, 1], (value[t, 0] - most[half, 0]) + error[t, 0] * (1.0 + 8.0 * U))
        if meet:
            most[0, k] = max(most[0, k], most[1, k])
            most[1, k] = most[0, k]
    return most


@inner
def is_most(s, first_row, kind):
    """Whether all rows of a node are MOST."""
    for row in range(first_row[s], first_row[s + 1]):
        if kind[row] != MOST:
            return False
    return first_row[s] < first_row[s + 1]


@kernel
def bound_from_above(first_row, first_outcome, ways, to, value, error, base, rise, rank, kind, bound):
    """Fill bound : float64[n], how much the true value of a node may be above `value`, if the claim is proven; else False.

    value, error : float64[nodes, 1], also beyond. base, rise : float64[n]. rank : int64[n]. kind : int8[rows]."""
    n = base.size
    claimed, raised = value.copy(), error.copy()
    for s in range(n):
        if not (abs(base[s]) < np.inf and 0.0 <= rise[s] < np.inf):
            return False
        claimed[s, 0], raised[s, 0] = base[s], rise[s]
    plus, unpaid = np.ones(to.size, np.int8), np.zeros((to.size, 1))
    most = ceilings(first_row, first_outcome, ways, to, value, error)
    for s in range(n):
        if is_most(s, first_row, kind):
            half = 0 if s < n // 2 else 1
            if not (base[s] >= most[half, 0] and rise[s] >= most[half, 1]):
                return False
            continue
        for row in range(first_row[s], first_row[s + 1]):
            first, last = first_outcome[row], first_outcome[row + 1]
            if kind[row] == DROPS:
                excess, later = row_terms(first, last, ways, to, plus, unpaid, 1.0, claimed, raised, s, 0, 1, 0.0)
                if not excess + later <= rise[s]:
                    return False
                continue
            nearer = False
            for o in range(first, last):
                t = to[o]
                if ways[o] == 0.0:
                    continue
                if not (claimed[t, 0] <= base[s] and raised[t, 0] <= rise[s]):
                    return False
                if t >= n or rank[t] < rank[s] or is_most(t, first_row, kind):
                    nearer = True
                elif kind[row] == FREE and rank[t] > rank[s]:
                    return False
                if kind[row] == FREE and t >= n:
                    return False
            if kind[row] == FREE:
                if not base[s] + rise[s] >= 0.0:
                    return False
            elif kind[row] != LEVEL or not nearer:
                return False
    for s in range(n):
        bound[s] = (max(base[s] - value[s, 0], 0.0) + rise[s]) * (1.0 + 8.0 * U)
    return True
