"""Arrays of keys. A key has one word of 63 bits, or several if a state does not fit into one (states/layout.py): an array of n keys is
int64[n], or int64[n, words], the first word first. Keys sort as states do; an item that is not the key of a state is -1 in every word.

Python's whole numbers have any size: interpreted rules accept and return keys of several words as such, in arrays of objects.
"""

from __future__ import annotations

from typing import Any

import numpy as np

OBJECTS = 0  # in place of a number of words: whole numbers of Python in an array of objects


def room(words: int, count: int) -> np.ndarray:
    """An array for this many keys of this many words."""
    if words == OBJECTS:
        return np.empty(count, object)
    return np.empty(count if words == 1 else (count, words), np.int64)


def word_of(keys: np.ndarray, word: int) -> np.ndarray:
    """int64[n]: a word of every key, to be read or written."""
    return keys if keys.ndim == 1 else keys[:, word]


def are_keys(keys: np.ndarray) -> np.ndarray:
    """bool[n]: which items are keys of states, and not -1."""
    return np.asarray(word_of(keys, 0) >= 0)


def sortable(keys: np.ndarray) -> np.ndarray:
    """An array of one dimension whose items compare as these keys do; with several words, items that are not keys come last."""
    keys = np.asarray(keys)
    if keys.ndim == 1:
        return keys
    return np.ascontiguousarray(keys.astype(">u8")).view(f"S{8 * keys.shape[1]}").ravel()


def distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct keys among these, ascending, and for each key its index among them."""
    if keys.ndim == 1:  # sorting numbers and looking them up is many times faster than finding their order, where many are equal
        ascending, is_new = np.sort(keys), np.ones(len(keys), bool)
        is_new[1:] = ascending[1:] != ascending[:-1]
        some = ascending[is_new]
        return some, np.searchsorted(some, keys)
    _, first, which = np.unique(sortable(keys), return_index=True, return_inverse=True)
    return keys[first], which


def index_of(keys: Any, key: Any) -> int:
    """The index of this key, an item of such an array, among ascending ones; -1 if it is not among them."""
    if keys.ndim == 1:
        at = int(np.searchsorted(keys, key)) if key >= 0 else len(keys)
        return at if at < len(keys) and keys[at] == key else -1
    wanted = key.tolist()
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle].tolist() < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) and keys[low].tolist() == wanted else -1

