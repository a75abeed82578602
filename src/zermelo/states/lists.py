"""Lists of whole numbers, equal ones stored only once."""

from __future__ import annotations

import numpy as np

from zermelo.kernels.interning import enter_again, intern


class Lists:
    """Lists of whole numbers, each identified by an id: in the order in which they were entered first."""

    def __init__(self) -> None:
        self.begin, self.numbers, self.count = np.zeros(1, np.int64), np.zeros(0, np.int64), 0
        self.table = np.full(1 << 10, -1, np.int32)

    def make_room(self, lists: int, numbers: int) -> None:
        """Room for as many lists more, which have so many numbers together."""
        used = int(self.begin[self.count])
        self.begin = _with_room(self.begin, self.count + lists + 2)
        self.numbers = _with_room(self.numbers, used + numbers)
        if 2 * (self.count + lists) >= len(self.table):
            self.table = np.full(4 << int(self.count + lists).bit_length(), -1, np.int32)
            enter_again(self.begin, self.numbers, self.table, self.count)

    def enter(self, begin: np.ndarray, numbers: np.ndarray, first: int, step: int, ids: np.ndarray) -> None:
        """Enter the lists first, first + step, ... of `numbers`, as many as there are `ids`, which are written."""
        self.make_room(len(ids), int(begin[-1]))
        self.count = intern(begin, numbers, first, step, ids, self.begin, self.numbers, self.table, self.count)

    def __getitem__(self, key: int) -> tuple[int, ...]:
        return tuple(self.numbers[self.begin[key] : self.begin[key + 1]].tolist())


def _with_room(array: np.ndarray, size: int) -> np.ndarray:
    if size <= len(array):
        return array
    grown = np.zeros(max(size, 2 * len(array)), array.dtype)
    grown[: len(array)] = array
    return grown
