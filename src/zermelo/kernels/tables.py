"""Array code for the table of keys (see kernels/exploring.py)."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.kernel import kernel
from zermelo.kernels.prefetch import fetch, pointer


@kernel
def renumber(table: np.ndarray, number: np.ndarray) -> None:
    """Replace every slot in the table by the number of its state."""
    for i in range(len(table)):
        if table[i] >= 0:
            table[i] = number[table[i]]


@kernel
def hashed_place(table: np.ndarray, keys: np.ndarray, key: int) -> int:
    """Where the key stands in a hashed table, or where it would be put. Keys that differ in their last 3 bits lie side by side."""
    mask = len(table) - 1
    block = key >> 3
    block = (block ^ (block >> 29)) * -4658895280553007687
    block = (block ^ (block >> 32)) * -7723592293110705685
    place = ((block << 3) | (key & 7)) & mask
    while table[place] >= 0 and keys[table[place]] != key:
        place = (place + 1) & mask
    return place


@kernel
def hashed_row(table: np.ndarray, keys: np.ndarray, found: np.ndarray, k: int) -> int:
    """The same for the key found[k] where keys have several words. There is no loop where they have two.

    Of the arrays it reads by `pointer`: references to them would be counted at each call, which takes longer than the search."""
    words, mask = keys.shape[1], len(table) - 1
    slots, rows, wanted, at, end = pointer(table), pointer(keys), pointer(found), k * words, words - 1
    first, last = fetch(wanted, at), fetch(wanted, at + end)
    block = (last >> 3) + first * -4658895280553007687
    for word in range(1, end):
        block = (block ^ (block >> 29)) * -4658895280553007687 + fetch(wanted, at + word)
    block = (block ^ (block >> 32)) * -7723592293110705685
    block ^= block >> 29
    place = ((block << 3) | (last & 7)) & mask
    while fetch(slots, place) >= 0:
        row = fetch(slots, place) * words
        if fetch(rows, row + end) == last and fetch(rows, row) == first:
            word = 1
            while word < end and fetch(rows, row + word) == fetch(wanted, at + word):
                word += 1
            if word >= end:
                break
        place = (place + 1) & mask
    return place


@kernel
def rehash(table: np.ndarray, keys: np.ndarray, count: int) -> None:
    """Enter keys[0..count-1] into an empty table."""
    for slot in range(count):
        table[hashed_place(table, keys, keys[slot]) if keys.ndim == 1 else hashed_row(table, keys, keys, slot)] = slot


@kernel
def find(table: np.ndarray, keys: np.ndarray, key: int) -> int:
    """The number of a key of one word by a hashed table, or -1."""
    return table[hashed_place(table, keys, key)]
