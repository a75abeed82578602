"""One file that holds a solution: a header and arrays, protected by checksums, mapped into memory when opened unless it is small.

    8 bytes   "ZERMELO\\n"
    4 bytes   format version, little-endian as all numbers
    4 bytes   CRC-32 of the header
    8 bytes   length of the header
    header    JSON: {"header": ..., "arrays": {name: [dtype, shape, offset]}, "pages": [bytes of a page, CRC-32 of the sums]},
              with spaces up to a multiple of 64 bytes
    sums      uint32 each: CRC-32 of every page of the data; zeros up to a multiple of 64 bytes
    data      the arrays, each at a multiple of 64 bytes, zeros between them; offsets count from the first. They are cut into pages, the
              last of which may be shorter

In format 1, which can still be read, there are no pages: the header has the CRC-32 of every array next to its offset.

A file is written under another name and renamed when it is complete, so that no reader ever sees half of one.
Opening needs neither numba nor the solvers. Every fault of a file is a `FileError` of one line.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics import disk
from zermelo.basics.parameters import check_path
from zermelo.errors import FileError, ParameterError
from zermelo.storage.pages import AGAIN, PagedArray, Pages
from zermelo.version import __version__

MAGIC = b"ZERMELO\n"
ZIP = b"PK\x03\x04"  # of other files, such as certificates
FORMAT, OLDEST = 2, 1
PREFIX = struct.Struct("<8sIIQ")
ALIGNMENT = 64
PAGE = 1 << 14  # bytes that share a checksum
CHECKED_BYTES = 64 << 20  # files with at most this much data are verified as a whole when they are opened
CHUNK = 1 << 24
NUMBERS = ("|b1", "|i1", "|u1", "<i2", "<u2", "<f2", "<i4", "<u4", "<f4", "<i8", "<u8", "<f8")  # types of arrays, as numpy writes them


class Contents(NamedTuple):
    """The contents of a file: `header` is plain JSON; `arrays` are read-only, and verify the parts that are read, unless that
    was done when the file was opened."""

    header: dict[str, Any]
    arrays: dict[str, Any]


class _Place(NamedTuple):
    """The place of an array in the data of a file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def end(self) -> int:
        return self.offset + math.prod(self.shape) * np.dtype(self.dtype).itemsize


class _Plan(NamedTuple):
    """The description of a file's data in its header."""

    header: dict[str, Any]
    places: dict[str, _Place]
    page: int  # bytes of a page; in format 1 an array is a page
    sum: int  # the CRC-32 of the sums of the pages
    array_sums: tuple[int, ...]  # in format 1: the CRC-32 of each array

    @property
    def size(self) -> int:
        """Bytes of data."""
        return max((place.end for place in self.places.values()), default=0)

    @property
    def bytes_of_sums(self) -> int:
        return _aligned(4 * -(-self.size // self.page)) if self.page else 0


def _aligned(size: int) -> int:
    return size + -size % ALIGNMENT


# --- writing ---------------------------------------------------------------------------------------------------------


def refuse_packing(name: str, compress: bool) -> None:
    """Raise `ParameterError` if a solution of this game, which is not a large board's, is to be compressed."""
    if compress:
        raise ParameterError(f"{name}: only the tables of large board games are compressed; save it plainly")


def write(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write the file, or leave the one that was there unchanged. Raises `FileError` if it can't be written."""
    plain = {name: _little_endian(name, array) for name, array in arrays.items()}
    head = _head(header, plain)
    with replacing(path) as temporary, open(temporary, "wb") as file:
        file.write(head)
        for part in _stream(plain.values()):
            file.write(part)


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """An empty file in the folder of `path`, which it replaces at the end; it is deleted if anything goes wrong. Raises `FileError`."""
    check_path(path)
    try:
        with disk.replacing(Path(path)) as temporary:
            yield temporary
    except OSError as error:
        raise FileError(f"{path} can't be written: {error.strerror or error}") from None


def made(path: str | Path, whose: str) -> Path:
    """A folder, created if it does not exist. `whose` : its owner, as named in the error. Raises `FileError`."""
    check_path(path)
    folder = Path(path)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        why = f"it is a file, and {whose} needs a folder" if error.errno in (errno.EEXIST, errno.ENOTDIR) else error.strerror
        raise FileError(f"{path} can't be written: {why}") from None
    return folder


def is_there(path: Path) -> bool:
    """Whether there is a checkpoint of this name. Raises `FileError` if it is a folder, or if it can't be looked for."""
    try:
        if path.is_dir():
            raise FileError(f"{path} is a directory; the checkpoint is a file")
        return path.exists()
    except OSError as error:
        raise FileError(f"{path} {_reason(error)}") from None


@contextlib.contextmanager
def alone_with(path: Path) -> Iterator[None]:
    """Keep other processes from writing to this file, which need not exist, during the block. Raises `FileError` if one is writing to
    it."""
    with contextlib.ExitStack() as stack:
        try:
            is_alone = stack.enter_context(disk.alone_with(path))
        except OSError:  # a folder that is not writable
            is_alone = True
        if not is_alone:
            raise FileError(f"{path} is in use by another process: let that one end, or give another name")
        yield


def _little_endian(name: str, array: np.ndarray) -> np.ndarray:
    array = np.asarray(array, order="C")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"the array {name} has the type {array.dtype}; only numbers can be stored")
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _head(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Everything that precedes the data."""
    places, end = {}, 0
    for name, array in arrays.items():
        places[name] = _Place(array.dtype.str, array.shape, end)
        end = _aligned(end + array.nbytes)
    sums = np.array(_page_sums(_stream(arrays.values())), "<u4").tobytes()
    sums += bytes(-len(sums) % ALIGNMENT)
    text = json.dumps({"header": header, "arrays": places, "pages": [PAGE, zlib.crc32(sums)]}, default=_plain).encode()
    text += b" " * (-(PREFIX.size + len(text)) % ALIGNMENT)
    return PREFIX.pack(MAGIC, FORMAT, zlib.crc32(text), len(text)) + text + sums


def _plain(value: Any) -> Any:
    """Numpy numbers as Python numbers."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a header can't hold {value!r}, a {type(value).__name__}")


def _stream(arrays: Iterable[np.ndarray]) -> Iterator[memoryview]:
    """The data, piece by piece."""
    end = 0
    for array in arrays:
        yield memoryview(bytes(-end % ALIGNMENT))
        raw = array.reshape(-1).view(np.uint8).data
        yield from (raw[at : at + CHUNK] for at in range(0, len(raw), CHUNK))
        end = _aligned(end) + len(raw)


def _page_sums(stream: Iterator[memoryview]) -> list[int]:
    sums, crc, room = [], 0, PAGE
    for part in stream:
        while len(part):
            piece, part = part[:room], part[room:]
            crc, room = zlib.crc32(piece, crc), room - len(piece)
            if not room:
                sums.append(crc)
                crc, room = 0, PAGE
    return sums if room == PAGE else [*sums, crc]


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: str | Path, verify: bool | None = None) -> Contents:
    """The contents of a file. All of it is verified now if `verify` is true, and by default if it has up to 64 MiB of data: then it is read
    into memory. Otherwise the file is mapped, and each part is verified when it is first read.

    Raises `FileError` if the file is missing, not written by Zermelo, of another version, truncated or damaged.
    """
    check_path(path)
    try:
        with open(path, "rb") as file:
            version, text = _header_text(path, file, file.read(PREFIX.size))
            plan = _parsed(path, version, text)
            first = _aligned(PREFIX.size + len(text)) + plan.bytes_of_sums
            _check_size(path, os.fstat(file.fileno()).st_size, first + plan.size)
            sums = file.read(plan.bytes_of_sums)
            if zlib.crc32(sums) != plan.sum:
                raise FileError(f"{path} is damaged: the sum of the sums of its pages does not agree: {AGAIN}")
            is_whole = verify or (verify is None and plan.size <= CHECKED_BYTES)
            if is_whole and plan.size <= CHECKED_BYTES:  # read, as what is written over a mapped file would be taken for verified
                file.seek(first)
                data = _read(path, file, plan.size)
            else:
                data = np.memmap(file, dtype=np.uint8, mode="r")[first:]
    except OSError as error:
        raise FileError(f"{path} {_reason(error)}") from None
    pages = _pages(path, data, plan, sums)
    views = {n: data[p.offset : p.end].view(p.dtype).reshape(p.shape) for n, p in plan.places.items()}
    if is_whole:
        pages.verify_all()
        return Contents(plan.header, views)
    return Contents(plan.header, {n: PagedArray(pages, plan.places[n].offset, view) for n, view in views.items()})


def _read(path: str | Path, file: Any, size: int) -> np.ndarray:
    """uint8[size], read-only: what follows in the file, aligned as it is there."""
    room = np.empty(size + ALIGNMENT, np.uint8)
    skip = -room.ctypes.data % ALIGNMENT
    data = room[skip : skip + size]
    _check_size(path, file.readinto(data.data), size)
    data.flags.writeable = False
    return data


def _pages(path: str | Path, data: np.ndarray, plan: _Plan, sums: bytes) -> Pages:
    if plan.page:
        begins = np.arange(0, plan.size, plan.page)
        return Pages(path, data, begins, np.minimum(begins + plan.page, plan.size), np.frombuffer(sums, "<u4")[: len(begins)])
    places = plan.places.values()
    begins, ends = np.array([p.offset for p in places], np.int64), np.array([p.end for p in places], np.int64)
    return Pages(path, data, begins, ends, np.array(plan.array_sums, np.uint32))


def _reason(error: OSError) -> str:
    words = {errno.ENOENT: "does not exist", errno.EISDIR: "is a directory, not a stored solution"}
    return words.get(error.errno or 0, f"can't be read: {error.strerror or error}")


def not_stored(path: str | Path, prefix: bytes) -> str:
    """What is said of a file that begins with this."""
    advice = f"; if it is a certificate, `zermelo verify {path}` checks it" if prefix.startswith(ZIP) else ""
    return f"{path} is not a stored solution of Zermelo{advice}"


def _header_text(path: str | Path, file: Any, prefix: bytes) -> tuple[int, bytes]:
    """The version of the format, and the header."""
    if not prefix:
        raise FileError(f"{path} is empty: {AGAIN}")
    if not MAGIC.startswith(prefix[: len(MAGIC)]):
        raise FileError(not_stored(path, prefix))
    if len(prefix) < PREFIX.size:
        raise FileError(f"{path} is cut short after {len(prefix)} bytes: {AGAIN}")
    _, version, crc, length = PREFIX.unpack(prefix)
    if not OLDEST <= version <= FORMAT:
        newer = "update Zermelo, or solve and save again" if version > FORMAT else "solve and save again"
        raise FileError(
            f"{path} has format {version}, but this Zermelo ({__version__}) reads the formats {OLDEST} to {FORMAT}: {newer}"
        )
    left = os.fstat(file.fileno()).st_size - PREFIX.size
    if length > left:
        raise FileError(f"{path} is cut short or damaged: its header has {left:,} of {length:,} bytes: {AGAIN}")
    text: bytes = file.read(length)
    if zlib.crc32(text) != crc:
        raise FileError(f"{path} is damaged: the sum of its header does not agree: {AGAIN}")
    return version, text


def _parsed(path: str | Path, version: int, text: bytes) -> _Plan:
    try:
        return _plan(version, json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        why = f" ({error})" if isinstance(error, _Unfit) else ""
        raise FileError(f"{path} is damaged: its header can't be understood{why}: {AGAIN}") from None


class _Unfit(ValueError):
    """A header that no version of Zermelo writes."""


def _plan(version: int, content: Any) -> _Plan:
    """The header that was read. Raises `_Unfit`, and other errors if contents have the wrong types."""
    places, sums, end = {}, [], 0
    for name, entry in content["arrays"].items():
        dtype, shape, offset, *rest = entry
        if dtype not in NUMBERS or not all(_is_number(n) for n in shape) or len(shape) > 8 or not _is_number(offset):
            raise _Unfit(f"array {name!r}")
        if offset != _aligned(end):
            raise _Unfit(f"array {name!r}")
        places[name] = _Place(dtype, tuple(shape), offset)
        end = places[name].end
        sums += rest
    if not isinstance(content["header"], dict):
        raise _Unfit("no header")
    if version == 1:
        if len(sums) != len(places) or not all(_is_sum(s) for s in sums):
            raise _Unfit("sums of arrays")
        return _Plan(content["header"], places, 0, 0, tuple(sums))
    page, total = content["pages"]
    if sums or not _is_number(page) or not ALIGNMENT <= page <= CHUNK or not _is_sum(total):
        raise _Unfit("pages")
    return _Plan(content["header"], places, page, total, ())


def _is_number(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 48


def _is_sum(value: Any) -> bool:
    return _is_number(value) and value < 1 << 32


def _check_size(path: str | Path, size: int, expected: int) -> None:
    if size < expected:
        raise FileError(f"{path} is cut short: {size:,} of {expected:,} bytes are there: {AGAIN}")
    if size > expected:
        raise FileError(f"{path} is damaged: it has {size - expected:,} bytes too many: {AGAIN}")
