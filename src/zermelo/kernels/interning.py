"""Lists of whole numbers, each stored once under an id."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel


@kernel(inline="always")
def _mixed(code: np.int64, number: np.int64) -> np.int64:
    code = (code ^ number) * -7046029254386353131
    return code ^ (code >> 29)


@kernel
def intern(
    begin: np.ndarray, numbers: np.ndarray, first: int, step: int, ids: np.ndarray, kept_begin: np.ndarray, kept: np.ndarray,
    table: np.ndarray, count: int,
) -> int:  # fmt: skip
    """Enter the lists first, first + step, first + 2 step, ... of `numbers`; ids[i] : int32, the id of the i-th of them.

    List k is numbers[begin[k] : begin[k + 1]]; the list with the id j is kept[kept_begin[j] : kept_begin[j + 1]]. `table` int32, a power
    of two long and less than half full, has the ids by hash, -1 elsewhere; `count` ids are known. There must be room for all lists.
    Returns how many ids are known then.
    """
    mask = np.int64(len(table) - 1)
    for i in range(len(ids)):
        low, high = begin[first + i * step], begin[first + i * step + 1]
        code = np.int64(high - low + 1)
        for k in range(low, high):
            code = _mixed(code, numbers[k])
        code = _mixed(code, np.int64(0))
        place = code & mask
        while table[place] >= 0:
            at = table[place]
            size = kept_begin[at + 1] - kept_begin[at]
            same = size == high - low
            for k in range(size):
                if not same:
                    break
                same = kept[kept_begin[at] + k] == numbers[low + k]
            if same:
                break
            place = (place + 1) & mask
        if table[place] < 0:
            table[place] = count
            for k in range(high - low):
                kept[kept_begin[count] + k] = numbers[low + k]
            kept_begin[count + 1] = kept_begin[count] + high - low
            count += 1
        ids[i] = table[place]
    return count


@kernel
def enter_again(kept_begin: np.ndarray, kept: np.ndarray, table: np.ndarray, count: int) -> None:
    """Enter the lists with the ids 0..count-1 into an empty table."""
    mask = np.int64(len(table) - 1)
    for at in range(count):
        code = np.int64(kept_begin[at + 1] - kept_begin[at] + 1)
        for k in range(kept_begin[at], kept_begin[at + 1]):
            code = _mixed(code, kept[k])
        place = _mixed(code, np.int64(0)) & mask
        while table[place] >= 0:
            place = (place + 1) & mask
        table[place] = at
