"""Files of a folder in which a large board is solved level by level: the results of each level, chunk by chunk of its positions.

    8 bytes   "ZMLEVEL\\n"
    chunks    each: 4 bytes length, 4 bytes CRC-32, little-endian as all numbers, and that many bytes, compressed by zlib; no
              bytes if there is nothing to record
    header    JSON: {"format": 2, "run": what is solved, "file": its name, "chunks": how many, ...}; at the end, since it
              contains counts made while writing
    8 bytes   length of the header, and its CRC-32

Written piece by piece, under another name, and renamed when complete: so a process that is killed leaves only complete files.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from zermelo.errors import FileError
from zermelo.storage.file import replacing

MAGIC = b"ZMLEVEL\n"
SHORT = 1 << 16  # bytes of a file that is read: one that is mapped stays open, and games of long play have thousands
FORMAT = 2  # headers without it are of the first one, which does not have names
HEAD = struct.Struct("<II")
AGAIN = "delete it and those of later levels, and solve again: what they say is computed again"


def write_record(path: Path, chunks: Iterable[bytes], header: Callable[[], Mapping[str, Any]]) -> None:
    """Write a record, or leave the one that was there unchanged; `chunks` are already compressed, and `header` is called after them. Raises
    `FileError`."""
    with replacing(path) as temporary, open(temporary, "wb") as file:
        file.write(MAGIC)
        number = 0
        for chunk in chunks:
            file.write(HEAD.pack(len(chunk), zlib.crc32(chunk)))
            file.write(chunk)
            number += 1
        text = json.dumps({**header(), "chunks": number}).encode()
        file.write(text + HEAD.pack(len(text), zlib.crc32(text)))


class Record:
    """A record, mapped into memory unless it is short. Raises `FileError` if it is not a record, or is truncated or damaged: the header is
    checked now, chunks when they are read."""

    def __init__(self, path: Path):
        self.path = path
        try:
            with open(path, "rb") as file:
                size = os.fstat(file.fileno()).st_size
                if size < SHORT:
                    self._data: mmap.mmap | bytes = file.read()
                else:
                    self._data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise FileError(f"{path} can't be read: {getattr(error, 'strerror', None) or error}") from None
        if self._data[: len(MAGIC)] != MAGIC or len(self._data) < len(MAGIC) + HEAD.size:
            raise FileError(f"{path} is no level of a board that is being solved: give another folder")
        end = len(self._data) - HEAD.size
        length, crc = HEAD.unpack(self._data[end:])
        text = self._data[max(end - length, 0) : end]
        if zlib.crc32(text) != crc:
            raise self._damaged("its header")
        self.header: dict[str, Any] = json.loads(text)
        self._begins: list[int] = []
        at = len(MAGIC)
        for _ in range(self.header["chunks"]):
            self._begins.append(at)
            at += HEAD.size + HEAD.unpack(self._data[at : at + HEAD.size])[0]
            if at > end - length:
                raise self._damaged("its length")
        if at != end - length:
            raise self._damaged("its length")

    def __len__(self) -> int:
        return len(self._begins)

    def is_empty(self, number: int) -> bool:
        """Whether nothing is recorded for a chunk."""
        at = self._begins[number]
        return not HEAD.unpack(self._data[at : at + HEAD.size])[0]

    def __getitem__(self, number: int) -> bytes:
        """The record of a chunk, decompressed."""
        at = self._begins[number]
        length, crc = HEAD.unpack(self._data[at : at + HEAD.size])
        packed = self._data[at + HEAD.size : at + HEAD.size + length]
        if zlib.crc32(packed) != crc:
            raise self._damaged(f"chunk {number:,}")
        return zlib.decompress(packed) if packed else b""

    def _damaged(self, what: str) -> FileError:
        return FileError(f"{self.path} is damaged ({what} is not what it was): {AGAIN}")
