"""Small matrix games in floats: the one-step problem of a state in which both players choose at once.

    value = max_p min_q sum_ij p_i a_ij q_j          p, q : mixed strategies of the row and the column player

A saddle point in pure strategies is looked for first. Otherwise the payoffs are brought to b_ij in [1/4, 5/4] and the simplex
method (Dantzig 1951) solves

    maximise sum y_j,  B y <= 1,  y >= 0             and with it   minimise sum x_i,  x B >= 1,  x >= 0,

in a dense tableau of rows x columns that starts at y = 0; p = x / sum x, q = y / sum y (Gale, Kuhn and Tucker 1951). Largest gains
first; after many pivots Bland's rule (1977), which never cycles. At the end the equations of the basis are solved again, from the
payoffs themselves (Shapley and Snow 1950), which removes the rounding errors of the pivots.

Nothing is proven here: `solvers/simultaneous.py` determines what the resulting p and q guarantee.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel
from zermelo.kernels.newton import eliminate

LEAST_PIVOT = 1e-11
LEAST_GAIN = 1e-14  # of a pivot, relative to the span of the payoffs
NOTHING = 1e-15  # smaller probabilities are set to 0
LEAST = 0.25  # of the b_ij
PATIENCE = 4  # pivots for each row and column until Bland's rule
ENDLESS = 60  # and until the method is given up


@kernel
def solve_matrix(a, m, n, p, q):
    """The value of the game a[:m, :n]; p[:m] and q[:n] are filled with mixed strategies. a : float64[>= m, >= n], finite."""
    # 1. A saddle point: the best of the rows' minima is the best of the columns' maxima.
    best_low, best_high, row, column = -np.inf, np.inf, 0, 0
    least, most = np.inf, -np.inf
    for i in range(m):
        low = a[i, 0]
        for j in range(1, n):
            low = min(low, a[i, j])
        least = min(least, low)
        if low > best_low:
            best_low, row = low, i
    for j in range(n):
        high = a[0, j]
        for i in range(1, m):
            high = max(high, a[i, j])
        most = max(most, high)
        if high < best_high:
            best_high, column = high, j
    pure(p, m, row)
    pure(q, n, column)
    if best_low >= best_high:
        return a[row, column]
    # 2. The simplex method.
    span = most - least
    tableau = np.empty((m + 1, n + 1))
    for i in range(m):
        for j in range(n):
            tableau[i, j] = (a[i, j] - least) / span + LEAST
        tableau[i, n] = 1.0
    for j in range(n):
        tableau[m, j] = -1.0
    tableau[m, n] = 0.0
    basic, outer = np.empty(m, np.int64), np.empty(n, np.int64)  # variables: y_j is j, the slack of row i is n + i
    for i in range(m):
        basic[i] = n + i
    for j in range(n):
        outer[j] = j
    simplex(tableau, basic, outer, m, n)
    # 3. The strategies, from the tableau and from the basis; those that guarantee more.
    fill_strategies(tableau, basic, outer, m, n, p, q)
    low, high = guarantees(a, m, n, p, q)
    x, y = np.zeros(m), np.zeros(n)
    if basis_strategies(a, least, span, basic, outer, m, n, x, y):
        other_low, other_high = guarantees(a, m, n, x, y)
        if other_high - other_low <= high - low:
            low, high = other_low, other_high
            for i in range(m):
                p[i] = x[i]
            for j in range(n):
                q[j] = y[j]
    return 0.5 * (low + high)


@inner
def pure(mixture, size, chosen):
    """The strategy that always plays `chosen`."""
    for k in range(size):
        mixture[k] = 1.0 if k == chosen else 0.0


@inner
def simplex(tableau, basic, outer, m, n):
    """Pivots until no column gains, or until rounding prevents an end."""
    for pivots in range(ENDLESS * (m + n)):
        careful = pivots > PATIENCE * (m + n)
        entering, gain = -1, LEAST_GAIN
        for j in range(n):
            if -tableau[m, j] > gain:
                if careful and entering >= 0 and outer[j] > outer[entering]:
                    continue
                entering = j
                if not careful:
                    gain = -tableau[m, j]
        if entering < 0:
            return
        leaving, least = -1, np.inf
        for i in range(m):
            if tableau[i, entering] > LEAST_PIVOT:
                ratio = max(tableau[i, n], 0.0) / tableau[i, entering]
                is_less = ratio < least * (1.0 - 1e-12)
                is_tie = not is_less and ratio <= least * (1.0 + 1e-12) and leaving >= 0
                if is_tie and careful:
                    is_tie = basic[i] < basic[leaving]
                elif is_tie:
                    is_tie = tableau[i, entering] > tableau[leaving, entering]
                if is_less or is_tie:
                    leaving, least = i, min(ratio, least)
        if leaving < 0:
            return
        exchange(tableau, m, n, leaving, entering)
        basic[leaving], outer[entering] = outer[entering], basic[leaving]


@inner
def exchange(tableau, m, n, row, column):
    """A Jordan exchange: the variable of the row and that of the column change places."""
    pivot = tableau[row, column]
    for j in range(n + 1):
        if j != column:
            tableau[row, j] /= pivot
    for i in range(m + 1):
        if i == row:
            continue
        factor = tableau[i, column]
        if factor != 0.0:
            for j in range(n + 1):
                if j != column:
                    tableau[i, j] -= factor * tableau[row, j]
        tableau[i, column] = -factor / pivot
    tableau[row, column] = 1.0 / pivot


@inner
def fill_strategies(tableau, basic, outer, m, n, p, q):
    """p and q as the tableau says."""
    for i in range(m):
        p[i] = 0.0
    for j in range(n):
        q[j] = 0.0
    for i in range(m):
        if basic[i] < n:
            q[basic[i]] = tableau[i, n]
    for j in range(n):
        if outer[j] >= n:
            p[outer[j] - n] = tableau[m, j]
    normalise(p, m)
    normalise(q, n)


@inner
def basis_strategies(a, least, span, basic, outer, m, n, x, y):
    """x and y from the equations of the basis; False if these can't be solved or have no solution >= 0."""
    size = 0
    for i in range(m):
        size += basic[i] < n
    rows, columns = np.empty(size, np.int64), np.empty(size, np.int64)
    k = 0
    for i in range(m):
        if basic[i] < n:
            columns[k] = basic[i]
            k += 1
    k = 0
    for j in range(n):
        if outer[j] >= n:
            rows[k] = outer[j] - n
            k += 1
    kernel, turned = np.empty((size, size)), np.empty((size, size))
    for r in range(size):
        for c in range(size):
            kernel[r, c] = (a[rows[r], columns[c]] - least) / span + LEAST
            turned[c, r] = kernel[r, c]
    some_y, some_x = np.ones(size), np.ones(size)
    if not eliminate(kernel, some_y) or not eliminate(turned, some_x):
        return False
    for k in range(size):
        if not (some_x[k] > -1e-9 and some_y[k] > -1e-9):
            return False
        x[rows[k]], y[columns[k]] = some_x[k], some_y[k]
    return normalise(x, m) and normalise(y, n)


@inner
def normalise(mixture, size):
    """Probabilities from weights that may be a little negative; all alike, and False, if there is none."""
    total = 0.0
    for k in range(size):
        mixture[k] = max(mixture[k], 0.0)
        total += mixture[k]
    if not (total > 0.0 and total < np.inf):
        for k in range(size):
            mixture[k] = 1.0 / size
        return False
    rest = 0.0
    for k in range(size):
        mixture[k] /= total
        if mixture[k] < NOTHING:
            mixture[k] = 0.0
        rest += mixture[k]
    for k in range(size):
        mixture[k] /= rest
    return True


@inner
def guarantees(a, m, n, p, q):
    """(what p gets at least, what q pays at most), in floats."""
    low, high = np.inf, -np.inf
    for j in range(n):
        total = 0.0
        for i in range(m):
            if p[i] != 0.0:
                total += p[i] * a[i, j]
        low = min(low, total)
    for i in range(m):
        total = 0.0
        for j in range(n):
            if q[j] != 0.0:
                total += q[j] * a[i, j]
        high = max(high, total)
    return low, high
