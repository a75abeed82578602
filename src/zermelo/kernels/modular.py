"""Kernels of `methods/modular_linear.py`: sparse factors L U of a matrix modulo a prime, and digits of solutions in powers of it.

The prime is below 2^31, so that a product and a sum of products that is reduced by its square fit into int64. The unknowns are in the
order of elimination already. Number s of the factors is L[index[s], j] and U[j, index[s]] for the j with begin[j] <= s < begin[j + 1]:
both have the pattern of L + L^T, and L has ones on its diagonal.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel


@kernel
def factors_modulo(rows, columns, prime):
    """(how many unknowns were eliminated, (begin, index, lower, upper, inverse)): all of them unless a pivot is zero modulo the prime.

    rows, columns : (start, index, entry) of the matrix, in compressed rows and in compressed columns; entries in [0, prime).
    inverse : those of U's diagonal.
    """
    n = rows[0].size - 1
    parent, size = _tree(rows, columns)
    begin = np.zeros(n + 1, np.int64)
    for i in range(n):
        begin[i + 1] = begin[i] + size[i]
    index, lower, upper = np.empty(begin[n], np.int32), np.empty(begin[n], np.int32), np.empty(begin[n], np.int32)
    inverse, filled = np.zeros(n, np.int64), begin[:-1].copy()
    x, y = np.zeros(n, np.int64), np.zeros(n, np.int64)  # row i of L and column i of U, while they are computed
    seen, path, pattern = np.full(n, -1, np.int64), np.empty(n, np.int32), np.empty(n, np.int32)
    square = np.int64(prime) * prime
    for i in range(n):
        top = n
        pivot = np.int64(0)
        seen[i] = i
        for side in range(2):
            start, other, entry = rows if side == 0 else columns
            for k in range(start[i], start[i + 1]):
                j = other[k]
                if j < i:
                    (x if side == 0 else y)[j] = entry[k]
                    length = 0
                    while seen[j] != i:
                        seen[j] = i
                        path[length] = j
                        length += 1
                        j = parent[j]
                    while length:
                        length -= 1
                        top -= 1
                        pattern[top] = path[length]
                elif j == i:
                    pivot = entry[k]
        for t in range(top, n):
            j = pattern[t]
            left, above = x[j] % prime * inverse[j] % prime, y[j] % prime
            x[j] = y[j] = 0
            for s in range(begin[j], filled[j]):
                k = index[s]
                a, b = x[k] + (prime - left) * upper[s], y[k] + (prime - above) * lower[s]
                x[k] = a - square if a >= square else a
                y[k] = b - square if b >= square else b
            pivot = (pivot + (prime - left) * above) % prime
            index[filled[j]], lower[filled[j]], upper[filled[j]] = i, left, above
            filled[j] += 1
        if pivot == 0:
            return i, (begin, index, lower, upper, inverse)
        inverse[i] = _inverse(pivot, np.int64(prime))
    return n, (begin, index, lower, upper, inverse)


@inner
def _tree(rows, columns):
    """(parent, size) of every unknown: the first one that its elimination touches, -1 if there is none; how many it touches."""
    n = rows[0].size - 1
    parent, ancestor = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    seen, size = np.full(n, -1, np.int64), np.zeros(n, np.int64)
    for i in range(n):
        for side in range(2):
            start, other, _ = rows if side == 0 else columns
            for k in range(start[i], start[i + 1]):
                j = other[k]
                while j != -1 and j < i:
                    following = ancestor[j]
                    ancestor[j] = i
                    if following == -1:
                        parent[j] = i
                    j = following
    for i in range(n):
        seen[i] = i
        for side in range(2):
            start, other, _ = rows if side == 0 else columns
            for k in range(start[i], start[i + 1]):
                j = other[k]
                while j < i and seen[j] != i:
                    seen[j] = i
                    size[j] += 1
                    j = parent[j]
    return parent, size


@inner
def _inverse(value, prime):
    """Of a number in [1, prime)."""
    a, b, u, v = prime, value, np.int64(0), np.int64(1)
    while b != 1:
        q = a // b
        a, b = b, a - q * b
        u, v = v, u - q * v
    return v % prime


@kernel
def lift_modulo(matrix, factors, prime, given, residual, digit):
    """Fill digit[step, unknown] with the next digits of a solution, in [-prime / 2, prime / 2].

    A step adds the next digit of the right-hand side (given[step, row]; none after the last) to the residual, multiplies it by the
    inverse of A modulo the prime, which is the digit, subtracts A digit, and divides by the prime, which leaves no rest.
    """
    start, column, entry = matrix
    begin, index, lower, upper, inverse = factors
    n = residual.size
    x = np.empty(n, np.int64)
    square = np.int64(prime) * prime
    for step in range(len(digit)):
        for i in range(n):
            if step < len(given):
                residual[i] += given[step, i]
            x[i] = residual[i] % prime
        for j in range(n):
            value = x[j] % prime
            x[j] = value
            if value:
                for s in range(begin[j], begin[j + 1]):
                    k = index[s]
                    a = x[k] + (prime - value) * lower[s]
                    x[k] = a - square if a >= square else a
        for j in range(n - 1, -1, -1):
            a = x[j]
            for s in range(begin[j], begin[j + 1]):
                a += (prime - x[index[s]]) * upper[s]
                if a >= square:
                    a -= square
            x[j] = a % prime * inverse[j] % prime
        for i in range(n):
            if 2 * x[i] > prime:
                x[i] -= prime
            digit[step, i] = x[i]
        for i in range(n):
            a = residual[i]
            for k in range(start[i], start[i + 1]):
                a -= entry[k] * x[column[k]]
            residual[i] = a // prime
