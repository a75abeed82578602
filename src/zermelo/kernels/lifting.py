"""Kernels of `methods/rational_linear.py`: digits of solutions, and long integers cut into digits and joined.

A long integer is a row of 64-bit words, least significant first, in two's complement. Its digits in the radix 2^shift
are int64, most significant first; they may be negative, and longer than `shift` bits: then neighbours overlap.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import inner, kernel

Rows = tuple[np.ndarray, np.ndarray, np.ndarray]  # start, index, entry: compressed rows or columns


@kernel
def digits(words: np.ndarray, shift: int, count: int) -> np.ndarray:
    """result[i, j] is digit i of the integer words[j]: the first is signed, the others are in [0, 2^shift).

    The last digit ends at bit 0; `count * shift` bits must be enough for the integer and its sign.
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
            result[i, j] = value & mask if i else value
    return result


@kernel
def join(digit: np.ndarray, shift: int) -> np.ndarray:
    """The opposite: row j of the result is the integer sum(digit[i, j] * 2^(shift * (count - 1 - i)))."""
    count, numbers = digit.shape
    words = np.empty((numbers, (count * shift >> 6) + 2), dtype=np.int64)
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
        for k in range(at + 2, words.shape[1]):
            words[j, k] = carry >> 63
    return words


@kernel
def lift(
    matrix: Rows, factors: tuple[Rows, Rows], orders: tuple[np.ndarray, np.ndarray], shift: int, limit: int,
    given: np.ndarray, residual: np.ndarray, digit: np.ndarray, lanes: tuple[int, ...],
) -> bool:  # fmt: skip
    """Fill digit[step, side, unknown] with the next digits of the solutions; False once a residual exceeds `limit`.

    A step shifts the residual, adds the next digits of the right-hand sides (given[step, side, row]; none after the
    last), rounds inverse(A) residual, in floats, to a digit, and subtracts A digit, exactly as long as the sums fit in
    64 bits: the caller chooses shift and limit so.

    `matrix` is A in compressed rows. `factors` are U and L in compressed columns, where the transposed A is L U but for
    the orders of rows and columns: so the columns of U and L are the rows of A's lower and upper factor. residual[row]
    holds the sides next to each other, filled up to len(lanes): the compiler knows the length of a tuple and makes
    vector instructions of the loops over it.
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


@inner
def _substitute(factors: tuple[Rows, Rows], x: np.ndarray, lanes: tuple[int, ...]) -> None:
    """Solve with the lower factor (diagonal last in its rows), then with the upper (diagonal first, and one).

    As fast as SuperLU's own solve, and independent of the threads of BLAS, which make that ten times slower on a busy machine.
    """
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
