"""Backward induction in rationals of any length, one move at a time.

With t moves left every value is a whole number N >= 0 over unit * base^e, e being the same for all states. N lies in limbs of 30 bits, the
lowest first. Of a row of whole ways w with the sum W, which divides base,

    N(row) = sum over the outcomes of w * base / W * (N'(next) + paid * base^e')

over unit * base^(e' + 1), N' and e' being those with one move less left, and `paid` whole and not negative, in the unit. Products of a limb
and a factor below 2^30 and their sums fit into 62 bits.
"""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel

LIMB = 30
MASK = (1 << LIMB) - 1


@kernel
def long_values(
    low, high, action_start, outcome_start, factor, next_state, gain, is_whole, final, player, base, one, scale, limbs, before, after
):  # fmt: skip
    """Fill after[low:high]; whether one of these numbers is no multiple of `base`.

    before, after : int32[states, >= limbs]; factor : int64[outcomes], w * base / W; gain : int64[rows], sum of factor * paid;
    is_whole : bool[rows], whether all factors of the row are multiples of `base`; final : int64[states], what final states are worth, in
    the unit; one, scale : int64[limbs], base^e' and base^(e' + 1)."""
    found = np.zeros(limbs, np.int64)
    for i in range(low, high):
        first, last = action_start[i], action_start[i + 1]
        if first == last:
            carry = np.int64(0)
            for k in range(limbs):
                carry += final[i] * scale[k]
                after[i, k] = carry & MASK
                carry >>= LIMB
            continue
        sense = 1 if player[i] == 0 else -1
        best, sure = -1, -1  # the best row, its number in `after`; and the best of those with one outcome
        for row in range(first, last):
            begin, end = outcome_start[row], outcome_start[row + 1]
            if end - begin == 1 and (sure < 0 or gain[row] == gain[sure]):
                if sure < 0:
                    sure = row
                else:
                    one_next, other = next_state[begin], next_state[outcome_start[sure]]
                    for k in range(limbs - 1, -1, -1):
                        if before[one_next, k] != before[other, k]:
                            if sense * (np.int64(before[one_next, k]) - np.int64(before[other, k])) > 0:
                                sure = row
                            break
                continue
            row_number(begin, end, factor, next_state, gain[row], one, limbs, before, found)
            if best < 0 or is_better(sense, found, after, i, limbs):
                best = row
                for k in range(limbs):
                    after[i, k] = found[k]
        if sure >= 0:
            begin = outcome_start[sure]
            row_number(begin, begin + 1, factor, next_state, gain[sure], one, limbs, before, found)
            if best < 0 or is_better(sense, found, after, i, limbs):
                best = sure
                for k in range(limbs):
                    after[i, k] = found[k]
    for i in range(low, high):
        first, last = action_start[i], action_start[i + 1]
        whole = True
        for row in range(first, last):
            whole &= is_whole[row]
        if not whole:
            rest = np.int64(0)
            for k in range(limbs - 1, -1, -1):
                rest = ((rest << LIMB) | np.int64(after[i, k])) % base
            if rest != 0:
                return True
    return False


@kernel(inline="always")
def row_number(begin, end, factor, next_state, gain, one, limbs, before, found):
    """The number of the row with the outcomes begin..end-1."""
    carry = np.int64(0)
    for k in range(limbs):
        carry += gain * one[k]
        for o in range(begin, end):
            carry += factor[o] * before[next_state[o], k]
        found[k] = carry & MASK
        carry >>= LIMB


@kernel(inline="always")
def is_better(sense, found, after, i, limbs):
    """Whether found > after[i]; with the sense -1, whether it is less."""
    for k in range(limbs - 1, -1, -1):
        if found[k] != after[i, k]:
            return sense * (found[k] - np.int64(after[i, k])) > 0
    return False


@kernel
def divide(low, high, base, limbs, numbers):
    """Divide the numbers of the states low..high-1, multiples of `base`, by it."""
    for i in range(low, high):
        rest = np.int64(0)
        for k in range(limbs - 1, -1, -1):
            rest = (rest << LIMB) | np.int64(numbers[i, k])
            numbers[i, k] = rest // base
            rest %= base
