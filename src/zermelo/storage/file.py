"""One file that holds a solution: a header and arrays, checked by sums, memory-mapped when opened.

    8 bytes   "ZERMELO\\n"
    4 bytes   format version, little-endian as all numbers
    4 bytes   CRC-32 of the header
    8 bytes   length of the header
    header    JSON: {"header": ..., "arrays": {name: [dtype, shape, offset, CRC-32]}}
    arrays    each at a multiple of 64 bytes after the header; offsets count from the first

A file is written under another name and renamed when it is complete, so that no reader ever sees half of one.
Opening needs neither numba nor the solvers. Every fault of a file is a `FileError` of one line.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import FileError, ParameterError
from zermelo.version import __version__

MAGIC = b"ZERMELO\n"
FORMAT = 1
PREFIX = struct.Struct("<8sIIQ")
ALIGNMENT = 64
CHECKED_BYTES = 64 << 20  # files with at most this much data are checked as a whole whenever they are opened
CHUNK = 1 << 24
AGAIN = "copy the file again, or solve and save again"


class Contents(NamedTuple):
    """The contents of a file: `header` is plain JSON, `arrays` are read-only views of the file."""

    header: dict[str, Any]
    arrays: dict[str, np.ndarray]


class _Place(NamedTuple):
    """Where an array lies in a file."""

    dtype: str
    shape: tuple[int, ...]
    offset: int
    crc: int

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64)) * np.dtype(self.dtype).itemsize


# --- writing ---------------------------------------------------------------------------------------------------------


def write(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Write the file, or leave the one that was there unchanged. Raises `FileError` if it can't be written."""
    plain = {name: _little_endian(name, array) for name, array in arrays.items()}
    head = _head(header, plain)
    with replacing(path) as temporary, open(temporary, "xb") as file:
        file.write(head)
        for array in plain.values():
            file.write(bytes(-file.tell() % ALIGNMENT))
            for chunk in _chunks(array):
                file.write(chunk)


@contextlib.contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """A new file in the folder of `path`, which it replaces at the end; if anything goes wrong, the new file is deleted."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"a file is named by its path, not by {path!r}")
    target = Path(os.path.realpath(path))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(6)}.tmp")
    try:
        yield temporary
        _sync(temporary, os.O_RDWR)
        os.replace(temporary, target)
        with contextlib.suppress(OSError, AttributeError):  # makes the new name last through a power cut
            _sync(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise FileError(f"{path} can't be written: {error.strerror or error}") from None
    finally:
        with contextlib.suppress(OSError):  # already moved unless something went wrong
            temporary.unlink()


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _little_endian(name: str, array: np.ndarray) -> np.ndarray:
    array = np.asarray(array, order="C")
    if array.dtype.kind not in "biuf":
        raise TypeError(f"the array {name} has the type {array.dtype}; only numbers can be stored")
    return array.astype(array.dtype.newbyteorder("<"), copy=False)


def _head(header: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    """Prefix and header, up to the first array."""
    places, end = {}, 0
    for name, array in arrays.items():
        places[name] = _Place(array.dtype.str, array.shape, end, _crc(array))
        end += array.nbytes + -array.nbytes % ALIGNMENT
    text = json.dumps({"header": header, "arrays": places}, default=_plain).encode()
    prefix = PREFIX.pack(MAGIC, FORMAT, zlib.crc32(text), len(text))
    return prefix + text + bytes(-(len(prefix) + len(text)) % ALIGNMENT)


def _plain(value: Any) -> Any:
    """numpy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a header can't hold {value!r}, a {type(value).__name__}")


def _chunks(array: np.ndarray) -> Iterator[memoryview]:
    raw = array.reshape(-1).view(np.uint8).data
    return (raw[at : at + CHUNK] for at in range(0, len(raw), CHUNK))


def _crc(array: np.ndarray) -> int:
    crc = 0
    for chunk in _chunks(array):
        crc = zlib.crc32(chunk, crc)
    return crc


# --- reading ---------------------------------------------------------------------------------------------------------


def read(path: str | Path, verify: bool | None = None) -> Contents:
    """Map the file into memory. The checksums of its arrays are verified if `verify` is true, and by default if they are up to 64 MiB.

    Raises `FileError` if the file is missing, not of Zermelo, of another version, cut short or damaged.
    """
    try:
        with open(path, "rb") as file:
            prefix = file.read(PREFIX.size)
            text = _header_text(path, file, prefix)
            size = os.fstat(file.fileno()).st_size
            header, places = _parsed(path, text)
            first = PREFIX.size + len(text)
            first += -first % ALIGNMENT
            _check_size(path, size, first, places.values())
            data = np.memmap(file, dtype=np.uint8, mode="r")
    except OSError as error:
        raise FileError(f"{path} {_reason(error)}") from None
    arrays = {name: _view(data, first, place) for name, place in places.items()}
    if verify or (verify is None and sum(p.size for p in places.values()) <= CHECKED_BYTES):
        _check_sums(path, arrays, places)
    return Contents(header, arrays)


def _reason(error: OSError) -> str:
    words = {errno.ENOENT: "does not exist", errno.EISDIR: "is a directory, not a stored solution"}
    return words.get(error.errno or 0, f"can't be read: {error.strerror or error}")


def _header_text(path: str | Path, file: Any, prefix: bytes) -> bytes:
    if not prefix:
        raise FileError(f"{path} is empty: {AGAIN}")
    if not MAGIC.startswith(prefix[: len(MAGIC)]):
        raise FileError(f"{path} is not a stored solution of Zermelo")
    if len(prefix) < PREFIX.size:
        raise FileError(f"{path} is cut short after {len(prefix)} bytes: {AGAIN}")
    _, version, crc, length = PREFIX.unpack(prefix)
    if version != FORMAT:
        newer = "update Zermelo, or solve and save again" if version > FORMAT else "solve and save again"
        raise FileError(f"{path} has format {version}, but this Zermelo ({__version__}) reads format {FORMAT}: {newer}")
    left = os.fstat(file.fileno()).st_size - PREFIX.size
    if length > left:
        raise FileError(f"{path} is cut short or damaged: its header has {left:,} of {length:,} bytes: {AGAIN}")
    text: bytes = file.read(length)
    if zlib.crc32(text) != crc:
        raise FileError(f"{path} is damaged: the sum of its header does not agree: {AGAIN}")
    return text


def _parsed(path: str | Path, text: bytes) -> tuple[dict[str, Any], dict[str, _Place]]:
    try:
        content = json.loads(text)
        places = {n: _Place(d, tuple(shape), at, crc) for n, (d, shape, at, crc) in content["arrays"].items()}
        return dict(content["header"]), places
    except (ValueError, KeyError, TypeError, AttributeError):
        raise FileError(f"{path} is damaged: its header can't be understood: {AGAIN}") from None


def _check_size(path: str | Path, size: int, first: int, places: Iterable[_Place]) -> None:
    expected = max((first + p.offset + p.size for p in places), default=first)
    if size < expected:
        raise FileError(f"{path} is cut short: {size:,} of {expected:,} bytes are there: {AGAIN}")
    if size > expected:
        raise FileError(f"{path} is damaged: it has {size - expected:,} bytes too many: {AGAIN}")


def _view(data: np.ndarray, first: int, place: _Place) -> np.ndarray:
    begin = first + place.offset
    return data[begin : begin + place.size].view(place.dtype).reshape(place.shape)


def _check_sums(path: str | Path, arrays: Mapping[str, np.ndarray], places: Mapping[str, _Place]) -> None:
    for name, array in arrays.items():
        if _crc(array) != places[name].crc:
            raise FileError(f"{path} is damaged: the sum of its array `{name}` does not agree: {AGAIN}")
