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
def advance(start, column, entry, solution, residual, digit):
    """Round each row of `solution` to a row of `digit`, subtract A digit from `residual`; the largest residual that is left.

    Exact while the sums fit in 64 bits, for which the caller chooses the radix.
    """
    sides, rows = residual.shape
    largest = np.int64(0)
    for c in range(sides):
        for j in range(rows):
            digit[c, j] = np.int64(np.rint(solution[c, j]))
        for i in range(rows):
            left = residual[c, i]
            for k in range(start[i], start[i + 1]):
                left -= entry[k] * digit[c, column[k]]
            residual[c, i] = left
            largest = max(largest, abs(left))
    return largest
