"""Kernels of the lifting in `solvers/rational_linear.py`: exact residuals and long numbers cut into digits. Arrays in, arrays out.

A long integer is a row of 64-bit words, least significant first, in two's complement. Its digits in the radix 2^shift are
int64 and come most significant first; they may be negative and longer than `shift` bits: then neighbours overlap.
"""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def digits(words, shift, count):
    """The `count` digits of each row of `words`, most significant first: the first is signed, the others are in [0, 2^shift).

    The last digit ends at bit 0; `count * shift` must be enough for the number with its sign.
    """
    numbers, length = words.shape
    result = np.empty((count, numbers), dtype=np.int64)
    mask = (np.int64(1) << shift) - 1
    for i in range(count):
        low = shift * (count - 1 - i)
        word, bit = low >> 6, low & 63
        for j in range(numbers):
            sign = words[j, length - 1] >> 63
            value = (words[j, word] if word < length else sign) >> bit
            if bit:
                above = words[j, word + 1] if word + 1 < length else sign
                value = (value & ((np.int64(1) << (64 - bit)) - 1)) | (above << (64 - bit))
            if i:
                value &= mask
            result[i, j] = value
    return result


@njit(cache=True)
def pack(digit, shift):
    """Row j of the result is the long integer sum(digit[i, j] * 2^(shift * (count - 1 - i)))."""
    count, numbers = digit.shape
    length = (count * shift >> 6) + 2
    words = np.empty((numbers, length), dtype=np.int64)
    mask = (np.int64(1) << shift) - 1
    for j in range(numbers):
        carry, word, filled, at = np.int64(0), np.int64(0), 0, 0
        for i in range(count - 1, -1, -1):
            value = digit[i, j] + carry
            carry = value >> shift
            value &= mask
            word |= value << filled
            filled += shift
            if filled >= 64:
                words[j, at] = word
                at += 1
                filled -= 64
                word = value >> (shift - filled)
        words[j, at] = word | (carry << filled)
        words[j, at + 1] = carry >> (64 - filled) if filled else carry >> 63
        words[j, at + 2 :] = carry >> 63
    return words


@njit(cache=True)
def lift(matrix, factors, orders, shift, limit, given, residual, digit, lanes):
    """Fill `digit`[step, side, unknown] with the next digits of the solutions; False once a residual exceeds `limit`.

    A step shifts the residual, adds the next digits of the right-hand sides (given[step, side, row]; zero after the last), rounds
    inverse(A) residual to a digit, which floats do, and subtracts A digit, which is exact while the sums fit in 64 bits: the
    caller's choice of shift and limit sees to that.

    `matrix` is A in compressed rows; `factors` = (U, L) in compressed columns with A' = L U but for the order of rows and columns,
    so that the columns of U and L are the rows of the lower and upper factor of A. residual[row, lane] has the sides of one step
    side by side; there are len(lanes) of them: the length of a tuple is known to the compiler, which makes vectors of them.
    """
    start, column, entry = matrix
    row_order, column_order = orders
    rows, sides = residual.shape[0], digit.shape[1]
    x = np.zeros((rows, len(lanes)))
    whole = np.zeros((rows, len(lanes)), dtype=np.int64)
    for step in range(len(digit)):
        for i in range(rows):
            for c in range(sides):
                residual[i, c] = (residual[i, c] << shift) + (given[step, c, i] if step < len(given) else 0)
                x[row_order[i], c] = residual[i, c]
        _substitute(factors, x, lanes)
        for i in range(rows):
            for c in range(len(lanes)):
                whole[i, c] = np.int64(np.rint(x[column_order[i], c]))
            for c in range(sides):
                digit[step, c, i] = whole[i, c]
        largest = np.int64(0)
        for i in range(rows):
            for k in range(start[i], start[i + 1]):
                for c in range(len(lanes)):
                    residual[i, c] -= entry[k] * whole[column[k], c]
            for c in range(sides):
                largest = max(largest, abs(residual[i, c]))
        if largest > limit:
            return False
    return True


@njit(cache=True)
def _substitute(factors, x, lanes):
    """Solve with the lower factor (diagonal last in its rows), then with the upper (diagonal first, and one)."""
    (lower_start, lower_column, lower_entry), (upper_start, upper_column, upper_entry) = factors
    left = np.empty(len(lanes))
    for i in range(len(x)):
        last = lower_start[i + 1] - 1
        for c in range(len(lanes)):
            left[c] = x[i, c]
        for k in range(lower_start[i], last):
            entry, j = lower_entry[k], lower_column[k]
            for c in range(len(lanes)):
                left[c] -= entry * x[j, c]
        for c in range(len(lanes)):
            x[i, c] = left[c] / lower_entry[last]
    for i in range(len(x) - 1, -1, -1):
        for c in range(len(lanes)):
            left[c] = x[i, c]
        for k in range(upper_start[i] + 1, upper_start[i + 1]):
            entry, j = upper_entry[k], upper_column[k]
            for c in range(len(lanes)):
                left[c] -= entry * x[j, c]
        for c in range(len(lanes)):
            x[i, c] = left[c]
