"""Files of solved board games: the plain codes, mapped into memory, or codes compressed block by block, for smaller files.

Either kind opens immediately. A compressed block is decompressed when a position in it is needed.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import closing
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.boards import BoardAnswers
from zermelo.answers.data import DataAnswers
from zermelo.basics.machine import require as memory
from zermelo.basics.pipeline import ahead
from zermelo.basics.progress import Progress, silent
from zermelo.basics.threads import threads
from zermelo.basics.words import counted
from zermelo.errors import FileError
from zermelo.language.rules import Rules
from zermelo.states.positions import Positions
from zermelo.storage.contents import GAME, WHOLES, Arrays, require
from zermelo.storage.data import states_of
from zermelo.storage.file import write
from zermelo.storage.game import game_header, game_of, start_header
from zermelo.storage.pages import AGAIN
from zermelo.storage.report import report_header, report_of

KIND, ENGINE = "board", "boards"  # files do not name this kind, which is older than the names
BLOCK = 1 << 17  # codes that are compressed together
REMEMBERED = 256  # blocks that stay decompressed


class PackedCodes:
    """Codes in compressed blocks, indexed like an array by a number or a slice."""

    def __init__(self, path: str | Path, blocks: np.ndarray, ends: np.ndarray, size: int, dtype: str):
        self._path, self._blocks, self._ends, self._size, self.dtype = path, blocks, ends, size, np.dtype(dtype)
        self._block = lru_cache(REMEMBERED)(self._unpacked)

    def __len__(self) -> int:
        return self._size

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """The compressed blocks, in the form that `packed` returns."""
        return {"blocks": self._blocks, "ends": self._ends}

    def _unpacked(self, block: int) -> np.ndarray:
        begin = int(self._ends[block - 1]) if block else 0
        try:
            most = min(BLOCK, self._size - block * BLOCK) * self.dtype.itemsize
            unpacked = zlib.decompressobj().decompress(self._blocks[begin : int(self._ends[block])].tobytes(), most)
            if len(unpacked) != most:
                raise zlib.error("a block is too short")
        except zlib.error as error:
            raise FileError(f"{self._path} is damaged ({error}): {AGAIN}") from None
        return np.frombuffer(unpacked, self.dtype)

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice):
            return self._block(int(index) // BLOCK)[int(index) % BLOCK]
        low, high, _ = index.indices(self._size)
        blocks = [self._unpacked(b) for b in range(low // BLOCK, -(-high // BLOCK))]
        whole = np.concatenate(blocks or [np.empty(0, self.dtype)])
        return whole[low - low // BLOCK * BLOCK :][: max(high - low, 0)]


def packed(codes: Any, progress: Progress = silent) -> dict[str, np.ndarray]:
    """The arrays of a compressed file: uint8[bytes] all blocks, int64[blocks] the end of each block."""
    if isinstance(codes, PackedCodes):
        return codes.arrays
    blocks: list[bytes] = []
    begins = range(0, len(codes), BLOCK)
    with closing(ahead(lambda at: zlib.compress(codes[at : at + BLOCK].tobytes(), 9), begins, threads())) as found:
        for block in found:
            blocks.append(block)
            progress("packing", min(len(blocks) * BLOCK, len(codes)), len(codes))
    ends = np.cumsum([len(block) for block in blocks], dtype=np.int64)
    return {"blocks": np.frombuffer(b"".join(blocks), np.uint8), "ends": ends}


def save(answers: BoardAnswers, path: str | Path, compress: bool = False, progress: Progress = silent) -> None:
    """Write an answer to one file, atomically. Raises `FileError`, and `NoMemory` for codes that are packed on disk and too many to
    unpack."""
    codes = answers.codes
    if isinstance(codes, PackedCodes) and not compress:
        plain = len(codes) * codes.dtype.itemsize
        memory(plain, f"saving {answers.rules.name} as it is", "save it compressed (compress=True, --compress)")
    header = {
        **game_header(answers.rules.game, answers.layout),
        **start_header(answers),
        "argument": answers.argument,
        **report_header(answers.report),
        "codes": [len(codes), codes.dtype.str],
        "exact": answers.is_exact,
    }
    table = packed(codes, progress) if compress else {"codes": codes[:]}
    images = answers.positions.images or ()
    write(path, header, {**{f"images {p}": image.astype(np.int32) for p, image in enumerate(images)}, **table})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Raise `Unfit` unless a file holds a board's positions."""
    require(header, *GAME, "state", "argument", "statistics")
    require(header["statistics"], "states")
    size, dtype = header["codes"]
    if "codes" in arrays:
        arrays.shape("codes", (dtype,), size)
    else:
        arrays.shape("blocks", ("|u1",), None)
        arrays.shape("ends", WHOLES, -(-size // BLOCK))
    for name in arrays.arrays:
        if name.startswith("images"):
            arrays.shape(name, ("<i4",), None, None)


def opened(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, np.ndarray], game: Any) -> BoardAnswers:
    """The answer that `save` wrote. Raises `FileError` if its positions are numbered differently."""
    images = [np.asarray(arrays[f"images {p}"]) for p in range(sum(name.startswith("images") for name in arrays))]
    positions = Positions(Rules(game_of(path, header, game)), images or None)
    size, dtype = header["codes"]
    if positions.size != size:
        raise FileError(
            f"{path} numbers {size:,} positions, and {positions.rules.name} has {positions.size:,}: solve again"
        )
    codes = arrays["codes"] if "codes" in arrays else PackedCodes(path, arrays["blocks"], arrays["ends"], size, dtype)
    report = report_of(header, ENGINE, lambda facts: counted(facts["states"], "position"))
    return BoardAnswers(positions, codes, header["argument"], report, bool(header.get("exact")))


def as_data(path: str | Path, header: Mapping[str, Any], arrays: Mapping[str, Any]) -> DataAnswers:
    """The contents of the file, without its rules."""
    found = states_of(path, header, arrays, ENGINE)
    found.is_exact = bool(header.get("exact"))
    return found
