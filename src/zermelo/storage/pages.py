"""The data of a file in pages, each with a checksum that is verified when any of the page is first read.

So a large file opens immediately, and nothing in it is used before it has been verified.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from zermelo.basics.threads import shared, threads
from zermelo.errors import FileError

AGAIN = "copy the file again, or solve and save again"
SHARED = 1 << 20  # from this many bytes on, threads share the verification


class Pages:
    """The data of a file and the checksums of its pages."""

    def __init__(self, path: str | Path, data: np.ndarray, begins: np.ndarray, ends: np.ndarray, sums: np.ndarray):
        """`data`: uint8[bytes]; `begins`, `ends`: int64[pages], where each page begins and ends; `sums`: uint32[pages], their CRC-32."""
        self._path, self._data, self._begins, self._ends, self._sums = path, data, begins, ends, sums
        self._unread = np.ones(len(sums), bool)
        self._is_read = not len(sums)

    def verify(self, low: int, high: int) -> None:
        """Verify those pages with the bytes low..high-1 that have not been verified yet. Raises `FileError`."""
        if self._is_read or low >= high:
            return
        first = int(self._ends.searchsorted(low, "right"))
        last = int(self._ends.searchsorted(high, "left"))
        if first == last and not self._unread[first]:  # the usual case: one number, read before
            return
        pages = first + np.flatnonzero(self._unread[first : last + 1])
        shared(self._verify, [pages] if high - low < SHARED else np.array_split(pages, threads()))
        self._is_read = not self._unread.any()

    def verify_all(self) -> None:
        self.verify(0, len(self._data))

    def _verify(self, pages: np.ndarray) -> None:
        for page in pages.tolist():
            begin, end = int(self._begins[page]), int(self._ends[page])
            if zlib.crc32(self._data[begin:end].data) != self._sums[page]:
                raise FileError(f"{self._path} is damaged: the sum of bytes {begin:,} to {end:,} of its data does not agree: {AGAIN}")
            self._unread[page] = False


class PagedArray(NDArrayOperatorsMixin):
    """A read-only array in a file, used like a numpy array: every part of it is verified before it is read."""

    def __init__(self, pages: Pages, begin: int, array: np.ndarray):
        self._pages, self._begin, self._array = pages, begin, array
        self.dtype, self.shape, self.ndim = array.dtype, array.shape, array.ndim
        self.size, self.nbytes = array.size, array.nbytes

    def __len__(self) -> int:
        return len(self._array)

    def __getitem__(self, index: Any) -> Any:
        rows = index[0] if isinstance(index, tuple) and index else index
        if isinstance(rows, int | np.integer) and not isinstance(rows, bool) and self.ndim:
            row = int(rows) if rows >= 0 else int(rows) + len(self)
            self._verify(row, row + 1)
        elif isinstance(rows, slice) and self.ndim:
            start, stop, step = rows.indices(len(self))
            self._verify(*((start, stop) if step > 0 else (stop + 1, start + 1)))
        else:
            self.whole()
        return self._array[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.whole())

    def _verify(self, first: Any, end: Any) -> None:
        """Verify the rows first..end-1."""
        width = self.nbytes // len(self) if self.nbytes else 0
        self._pages.verify(self._begin + first * width, self._begin + end * width)

    def whole(self) -> np.ndarray:
        """The array itself, verified as a whole."""
        self._pages.verify(self._begin, self._begin + self.nbytes)
        return self._array

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        whole = self.whole()
        return np.array(whole, dtype) if copy else np.asarray(whole, dtype)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(function, method)(*(x.whole() if isinstance(x, PagedArray) else x for x in inputs), **options)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole(), name)

    def searchsorted(self, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """As in numpy; for a single number only the pages needed to find it are read."""
        if not np.isscalar(value) or sorter is not None:
            return self.whole().searchsorted(value, side, sorter)  # type: ignore[call-overload]
        low, high = 0, len(self)
        while low < high:
            middle = (low + high) // 2
            if self[middle] < value or (side == "right" and self[middle] == value):
                low = middle + 1
            else:
                high = middle
        return low
