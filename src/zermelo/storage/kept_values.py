"""Numbers of a large game that are computed part by part, kept in a folder: on disk instead of in memory. A process that
resumes after another was killed need not compute them again.

    values   float64 in the machine's order, all that will be computed; those of unfinished parts have no meaning
    done     JSON {"format": 1, "run": what is computed, "parts": [[begin, end, CRC-32], ...], "facts": ...}, a line feed, and its CRC-32

The finished parts are on disk before `done` names them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.basics.machine import in_words
from zermelo.basics.progress import Progress
from zermelo.errors import FileError
from zermelo.storage.file import alone_with, made, replacing
from zermelo.version import __version__

VALUES, DONE = "values", "done"
FORMAT = 1  # of `done`; files without it are of the first one
SECONDS = 20.0  # between two writes of finished parts
ANEW = "delete the folder, and solve again"


class KeptValues:
    """The numbers of one computation, for one process at a time."""

    numbers: np.ndarray  # float64, mapped to the file

    def __init__(self, folder: Path, run: Mapping[str, Any]):
        """The saved part of a computation. Raises `FileError` if it is damaged, or belongs to another computation."""
        self.folder, self.run = folder, json.loads(json.dumps(run))
        self.parts: list[tuple[int, int, int]] = []
        self.facts: Any = None  # the facts saved with the last finished part; None if there is none
        self._saved, self._unsaved = time.perf_counter(), False
        self._read()

    def begin(self, count: int, progress: Progress) -> np.ndarray:
        """The numbers, float64[count]: the finished ones, verified, and the others. Raises `FileError` if they are damaged, or the disk is
        full."""
        self.numbers = np.memmap(self._file(8 * count), np.float64, "r+", shape=(count,))
        for number, (begin, end, crc) in enumerate(self.parts):
            if zlib.crc32(self.numbers[begin:end].data) != crc:
                raise FileError(f"{self.folder / VALUES} is damaged (part {number:,} is not what it was): {ANEW}")
            progress("reading what is done", number + 1, len(self.parts))
        return self.numbers

    def forget(self) -> None:
        """Start over: the finished parts are of no use."""
        self.parts, self.facts = [], None
        with contextlib.suppress(FileNotFoundError):
            (self.folder / DONE).unlink()

    def _read(self) -> None:
        path = self.folder / DONE
        try:
            text, _, crc = path.read_bytes().rpartition(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise FileError(f"{path} can't be read: {error.strerror}") from None
        if crc != b"%d" % zlib.crc32(text):
            raise FileError(f"{path} is damaged, or of something else: give another folder")
        there = json.loads(text)
        if (version := there.get("format", FORMAT)) != FORMAT:
            raise FileError(f"{path} has format {version}, but this Zermelo ({__version__}) reads format {FORMAT}: give another folder")
        for key in {**self.run, **there["run"]}:
            if there["run"].get(key) != self.run.get(key):
                differ = f"{key}: {there['run'].get(key)} there, {self.run.get(key)} here"
                raise FileError(f"{path} is of another game ({differ}): give another folder, or the same game")
        self.parts, self.facts = [tuple(part) for part in there["parts"]], there["facts"]

    def _file(self, size: int) -> Path:
        """The file of the values, with room for all of them. Raises `FileError`."""
        path = self.folder / VALUES
        try:
            if self.facts is not None:
                if path.stat().st_size != size:
                    raise FileError(f"{path} is damaged (its length is not what it was): {ANEW}")
                return path
            with open(path, "wb") as file:
                os.posix_fallocate(file.fileno(), 0, size)  # a full disk must be reported now, as later it would end the process
        except FileNotFoundError:
            raise FileError(f"{path} is missing, and {self.folder / DONE} tells of it: {ANEW}") from None
        except OSError as error:
            with contextlib.suppress(OSError):
                path.unlink()
            free = in_words(shutil.disk_usage(self.folder).free)
            raise FileError(f"{path} can't be written: {error.strerror} ({in_words(size)} are needed, {free} are free)") from None
        return path

    def add(self, parts: Iterable[tuple[int, int]], facts: Any) -> None:
        """Record more finished parts; `facts` is the data needed to resume after them, in a form that JSON can represent."""
        self.parts += [(begin, end, zlib.crc32(self.numbers[begin:end].data)) for begin, end in parts]
        self.facts, self._unsaved = json.loads(json.dumps(facts)), True
        if time.perf_counter() - self._saved > SECONDS:
            self.save()

    def save(self) -> None:
        """Write the finished parts to disk."""
        if not self._unsaved:
            return
        self.numbers.flush()  # type: ignore[attr-defined]
        text = json.dumps({"format": FORMAT, "run": self.run, "parts": self.parts, "facts": self.facts}).encode()
        with replacing(self.folder / DONE) as temporary:
            temporary.write_bytes(b"%b\n%d" % (text, zlib.crc32(text)))
        self._saved, self._unsaved = time.perf_counter(), False


@contextlib.contextmanager
def kept_in(path: str | Path, run: Mapping[str, Any]) -> Iterator[KeptValues]:
    """The saved part of a computation in a folder, which is created if necessary, and to which no other process writes. Raises
    `FileError`."""
    folder = made(path, "a game in stages")
    with alone_with(folder / VALUES):
        yield KeptValues(folder, run)
