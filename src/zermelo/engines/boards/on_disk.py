"""Retrograde analysis of a board game whose table does not fit into memory, in a folder from which it can resume.

In memory there are three bits per position: its value if known, and whether the level that is being decided determined it. The results of
each level are written to the folder as packed bits (storage/levels.py). During the first level, which takes longest, the positions reached
so far are also written, every few minutes. A process that resumes after another was killed reads the fields from there. At the end the
levels are combined into codes, block by block, and these are read from disk.

    board           the game that is solved here
    reached         the positions reached so far; replaced every few minutes, deleted when all have been reached
    level-0001      the codes of positions that are over, or won or lost in 1 move
    level-0002 ...  bits of those won in 2 moves, and of those lost in 2
    checked         the progress of comparing the levels with the next positions
    table.zermelo   the solution, as written by `save(compress=True)`

Levels are those of solving.py, and so is the order in which they are decided. The check goes through them again, from disk. When it
reaches those decided in d moves, fields distinguish positions decided in d - 1 moves from those decided sooner.
"""

from __future__ import annotations

import contextlib
import json
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.boards import BoardAnswers
from zermelo.basics.machine import require
from zermelo.basics.pipeline import ahead
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.threads import shared, threads
from zermelo.engines.base import Request
from zermelo.engines.boards.board import (
    SAMPLED,
    Board,
    Level,
    argument,
    bytes_of_fields,
    check_moves,
    check_size,
    directions,
    movers_of,
    num_orbits,
    report_of,
    unfit,
)
from zermelo.engines.boards.numbering import Numbering, numbering, require_images
from zermelo.errors import FileError
from zermelo.kernels import status
from zermelo.storage import boards as storing
from zermelo.storage.file import alone_with, is_there, made, read
from zermelo.storage.game import run_of
from zermelo.storage.levels import AGAIN, FORMAT, Record, write_record
from zermelo.version import __version__

SECONDS = 300.0  # between two records of the positions reached so far
RARELY = 10  # the interval is at least this many times as long as writing one takes
LONGEST_CHUNK, SHORTEST_CHUNK = 17, 3  # positions in a chunk are FIELDS times two to this power
PIECE = status.FIELDS << 14  # the most positions per call of a kernel that follows moves, so that Ctrl-C is noticed
CHUNKS = 64  # the fewest chunks, unless they would be shorter than the shortest
TOGETHER = 64  # chunks after which a record may be written
PER_POSITION = 4  # bytes that a thread uses per position of a chunk

CHUNKS_KEPT = 4  # chunks of codes kept while they are packed
CHECKED, TABLE = "checked", "table.zermelo"

ENDS = {1: status.F_END_WON, -1: status.F_END_LOST, 0: status.F_END_DRAWN}  # payoff at the end of play, and the field of such a position


def solve_on_disk(request: Request) -> BoardAnswers:
    """Win, draw or loss and the distance to the end of every reachable position, in the folder `request.checkpoint`, which is created or
    resumed from.

    Raises `GivesUp` if the game is of another kind, `RulesError`, `OutOfReach`, and `FileError` if the folder cannot be written to, is in
    use, or contains levels of another game.
    """
    rules = request.rules
    check_size(rules, request.max_states)
    size = num_orbits(rules)
    folder = made(request.checkpoint, "a large board")  # type: ignore[arg-type]
    with alone_with(folder / "levels"):
        with Stopwatch() as watch:
            levels = Levels(folder, numbering(rules), request.progress)
            checked = levels.checked
            if levels.is_to_be_worked_on(request.quick):
                needed = bytes_of_fields(size) + PER_POSITION * levels.chunk * threads()
                require(needed, f"{rules.name} ranks about {size:,} positions: three bits for each of them")
                levels.decide()
                checked = levels.check(request.quick)
                levels.words = None
        return levels.answers(checked, watch.compiling, request)


class Checked(NamedTuple):
    """Progress of the check."""

    stride: int  # only every n-th position is examined
    level: int = 0  # the level being checked: 0 for the ends, the one after the last for the draws
    chunk: int = 0  # the next chunk to examine
    compared: int = 0  # positions that were examined
    seconds: float = 0.0


class Levels(Board):
    """A board that is being solved in a folder. `words` : the fields of all positions, once needed."""

    words: np.ndarray | None = None

    def __init__(self, folder: Path, of: Numbering, progress: Progress):
        super().__init__(of, progress)
        self.folder, self.size = folder, of.positions.size
        per_chunk = max(self.size // (status.FIELDS * CHUNKS), 1).bit_length() - 1
        self.chunk = status.FIELDS << min(max(per_chunk, SHORTEST_CHUNK), LONGEST_CHUNK)
        self.chunks = range(-(-self.size // self.chunk))
        self.run = json.loads(json.dumps({**run_of(self.rules.game), "positions": self.size, "chunk": self.chunk}))
        if self._record("board") is None:
            self._write("board", dict)  # fail now if writing is impossible
        self.records: list[Record] = []  # of level 1, 2, ...
        while (record := self._record(f"level-{len(self.records) + 1:04}")) is not None:
            self.records.append(record)
        if self.records:
            first = self.records[0].header
            self.keeps_turns, self.movers = bool(first["keeps turns"]), first.get("movers", movers_of(self._counts([0] * 8)))

    # --- in the folder --------------------------------------------------------------------------------------------------

    def _record(self, name: str) -> Record | None:
        """The record of this name; None if there is none. Raises `FileError` if it belongs to another game or was written under
        another name."""
        path = self.folder / name
        if not is_there(path):
            return None
        record = Record(path)
        there = record.header.get("run", {})
        if there != self.run:
            key = next(key for key in {**self.run, **there} if there.get(key) != self.run.get(key))
            differ = f"{key}: {there.get(key)} there, {self.run.get(key)} here"
            raise FileError(f"{path} is of another board ({differ}): give another folder, or the same game")
        if "format" not in record.header:
            raise FileError(f"{path} is of an older version, whose files do not say which level they hold: give another folder")
        if (version := record.header["format"]) != FORMAT:
            raise FileError(f"{path} has format {version}, but this Zermelo ({__version__}) reads format {FORMAT}: give another folder")
        if record.header["file"] != name:
            raise FileError(f"{path} is damaged (it was written as {record.header['file']}): {AGAIN}")
        return record

    def _write(self, name: str, header: Callable[[], dict[str, Any]], work: Callable[[int, int], bytes] | None = None) -> Record:
        """Write a record of work(low, high) of all chunks; `header` is called after them."""
        path = self.folder / name
        if name.startswith("level-"):
            for later in (CHECKED, TABLE):  # they are about the previous levels
                with contextlib.suppress(OSError):
                    (self.folder / later).unlink()
        pieces = self.chunks if work is not None else ()
        with contextlib.closing(ahead(lambda chunk: work(*self._bounds(chunk)), pieces, threads())) as found:  # type: ignore[misc]
            write_record(path, self._told(name, found), lambda: {"format": FORMAT, "run": self.run, "file": name, **header()})
        return Record(path)

    def _told(self, name: str, chunks: Iterator[bytes]) -> Iterator[bytes]:
        for number, chunk in enumerate(chunks):
            self.progress(f"writing {name}", min(number * self.chunk, self.size), self.size)
            yield chunk

    def _bounds(self, chunk: int) -> tuple[int, int]:
        return chunk * self.chunk, min((chunk + 1) * self.chunk, self.size)

    def codes(self, chunk: int) -> np.ndarray:
        """int8[positions of the chunk]: the codes after level 1."""
        return np.frombuffer(self.records[0][chunk], np.int8)

    def bits(self, level: int, chunk: int, lost: bool) -> np.ndarray | None:
        """uint8[bytes], not to be written to: the bits of the positions that a level decided in a chunk; None if there are none."""
        if level == 1:
            return only_read(np.packbits(self.codes(chunk) == (-status.FIRST - 1 if lost else status.FIRST + 1), bitorder="little"))
        record = self.records[level - 1]
        if record.is_empty(chunk):
            return None
        both = np.frombuffer(record[chunk], np.uint8)
        return both[len(both) // 2 :] if lost else both[: len(both) // 2]

    # --- deciding -------------------------------------------------------------------------------------------------------

    @property
    def is_decided(self) -> bool:
        """Whether the last level decided nothing."""
        return bool(self.records) and not any(self.records[-1].header[side] for side in ("won", "lost"))

    def decide(self) -> None:
        """Decide all levels that are not in the folder."""
        if self.is_decided:
            return
        if not self.records:
            self._reach()
        else:
            self._lay(ends_only=False)
            for level in range(2, len(self.records) + 1):
                self._mark(level, status.WON_BEFORE, status.LOST_BEFORE)
        while not self.is_decided:
            self._decide_level(len(self.records) + 1)

    def _fields(self) -> np.ndarray:
        if self.words is None:
            self.words = np.empty(bytes_of_fields(self.size) // 8, np.int64)  # numpy asks for huge pages for this, but not for zeros
            self.words.fill(0)
        return self.words

    def _over(
        self, what: str, work: Callable[[int, int, int], np.ndarray | None], chunks: Sequence[int] | None = None, before: int = 0
    ) -> np.ndarray:
        """The sum of the counts of work(chunk, low, high) over some chunks, all if none are given; so many are done `before`."""

        def one(numbered: tuple[int, int]) -> np.ndarray | None:
            number, chunk = numbered
            self.progress(what, min(number * self.chunk, self.size), self.size)
            return work(chunk, *self._bounds(chunk))

        found = shared(one, enumerate(self.chunks if chunks is None else chunks, before))
        return np.sum([np.zeros(status.BOARD_COUNTERS, np.int64), *(counts for counts in found if counts is not None)], axis=0)

    def _in_pieces(self, kernel: str, low: int, of: int | np.ndarray, *more: Any, downwards: bool = False) -> np.ndarray:
        """The counts of a kernel on positions from `low` on, in several calls; `of` is where they end, or their bits."""
        words, counts = self._fields(), np.zeros(status.BOARD_COUNTERS, np.int64)
        pieces = range(low, of if isinstance(of, int) else low + 8 * len(of), PIECE)
        for first in reversed(pieces) if downwards else pieces:
            end = min(first + PIECE, pieces.stop)
            counts += self.counted(kernel, words, first, end if isinstance(of, int) else of[(first - low) // 8 : (end - low) // 8], *more)
        return counts

    def _reach(self) -> None:
        """Find all reachable positions; this is level 1."""
        what = "positions that can be reached"

        def spread(downwards: bool, chunk: int, low: int, high: int) -> np.ndarray:
            return self._in_pieces("spread", low, high, downwards, downwards=downwards)

        total, found = np.zeros(status.BOARD_COUNTERS, np.int64), np.zeros(status.BOARD_COUNTERS, np.int64)
        begin, seconds, before = 0, 0.0, 0
        if (record := self._record("reached")) is not None:
            header = record.header
            total, found = self._counts(header["total"]), self._counts(header["found"])
            begin, seconds, before = header["chunk"], header["seconds"], header.get("passes", 0)
            self._over("positions that were reached before", lambda chunk, low, high: self._read_fields(record, chunk, low))
        else:
            self._reach_start()
        began = saved = time.perf_counter()
        writing = 0.0
        for passes, downwards in enumerate(directions(before), before):
            chunks = self.chunks[::-1] if downwards else self.chunks
            for first in range(begin, len(chunks), TOGETHER):
                found += self._over(what, partial(spread, downwards), chunks[first : first + TOGETHER], first)
                now = time.perf_counter()
                if now - saved > max(SECONDS, RARELY * writing):
                    self._keep_reached(first + TOGETHER, passes, total, found, seconds + now - began)
                    saved = time.perf_counter()
                    writing = saved - now
            begin = 0
            total += found
            if not found[[status.WON, status.LOST, status.LEFT]].any():
                break
            found[:] = 0
        self._keep_first(total, seconds - began)

    def _counts(self, kept: list[int]) -> np.ndarray:
        """Counts of a record. Those of an earlier version do not say who moves, and are taken for those of a game for two."""
        return np.array([*kept, 1, not hasattr(self.rules.game, "player")][: status.BOARD_COUNTERS], np.int64)

    def _reach_start(self) -> None:
        rules = self.rules
        field = status.F_NEW if rules.actions(rules.start) else ENDS.get(rules.payoff(rules.start)[0])
        if field is None:
            raise unfit(rules, rules.start, status.ODD_END)
        word, place = divmod(self.of.positions.number(rules.start), status.FIELDS)
        self._fields()[word] |= field << 3 * place

    def _keep_reached(self, chunk: int, passes: int, total: np.ndarray, found: np.ndarray, seconds: float) -> None:
        """Write all data needed to resume with this chunk, counted in the order of the pass that follows so many others."""
        words = self._fields()

        def packed(low: int, high: int) -> bytes:
            return zlib.compress(words[low // status.FIELDS : -(-high // status.FIELDS)].tobytes(), 1)

        header = {"chunk": chunk, "passes": passes, "total": total.tolist(), "found": found.tolist(), "seconds": seconds}
        self._write("reached", lambda: header, packed)

    def _keep_first(self, total: np.ndarray, since: float) -> None:
        """Write level 1; `since`: seconds spent minus the present time."""
        words, census, lock = self._fields(), np.zeros(256, np.int64), Lock()

        def packed(low: int, high: int) -> bytes:
            codes = np.empty(high - low, np.int8)
            self.call("settle", words, low, high, codes)
            counts = np.bincount(codes.view(np.uint8), minlength=256)
            with lock:
                census[:] += counts
            return zlib.compress(codes.tobytes(), 1)

        def header() -> dict[str, Any]:
            codes = {"won": status.FIRST + 1, "lost": -status.FIRST - 1, "open": status.DRAWN, "ends drawn": status.FINAL_DRAW}
            codes |= {"ends won": status.FIRST, "ends lost": -status.FIRST}
            found = {name: int(census[code % 256]) for name, code in codes.items()}
            facts = {"moves": int(total[status.MOVES]), "keeps turns": bool(total[status.KEEPS]), "movers": movers_of(total)}
            return found | facts | {"seconds": since + time.perf_counter()}

        self.records.append(self._write("level-0001", header, packed))
        self.keeps_turns, self.movers = bool(total[status.KEEPS]), movers_of(total)
        with contextlib.suppress(OSError):
            (self.folder / "reached").unlink()

    def _read_fields(self, record: Record, chunk: int, low: int) -> None:
        fields = np.frombuffer(record[chunk], np.int64)
        self._fields()[low // status.FIELDS :][: len(fields)] = fields

    def _decide_level(self, d: int) -> None:
        """Decide the positions won or lost in d moves, d > 1."""
        check_moves(d)
        began = time.perf_counter()
        what = f"positions won or lost in {d} moves"
        before = self.records[-1].header
        undecided = before["open"]

        def push(from_won: bool, chunk: int, low: int, high: int) -> np.ndarray | None:
            bits = self.bits(d - 1, chunk, lost=not from_won)
            return None if bits is None else self._in_pieces("push_level", low, bits, from_won)

        def pull(look_for_wins: bool, chunk: int, low: int, high: int) -> np.ndarray:
            return self._in_pieces("pull_level", low, high, look_for_wins)

        for takes_back, flag in self.steps(before["won"], before["lost"], undecided):
            self._over(what, partial(push if takes_back else pull, flag))
        self._keep_level(d, undecided, began)

    def _keep_level(self, d: int, undecided: int, began: float) -> None:
        """Write the positions just decided; `undecided` : the number of positions that were undecided before."""
        words, total, lock = self._fields(), np.zeros(status.BOARD_COUNTERS, np.int64), Lock()

        def packed(low: int, high: int) -> bytes:
            both = np.zeros((2, -(-(high - low) // 8)), np.uint8)
            counts = self.counted("harvest", words, low, high, *both)
            with lock:
                total[:] += counts
            return zlib.compress(both.tobytes()) if both.any() else b""

        def header() -> dict[str, Any]:
            won, lost = int(total[status.WON]), int(total[status.LOST])
            return {"won": won, "lost": lost, "open": undecided - won - lost, "seconds": time.perf_counter() - began}

        self.records.append(self._write(f"level-{d:04}", header, packed))

    def _lay(self, ends_only: bool) -> None:
        """Fields as they are after level 1; or, if `ends_only`, as if only ends were known, and just decided."""
        words = self._fields()
        self._over("reading level 1", lambda chunk, low, high: self.call("lay", words, low, high, self.codes(chunk), ends_only))

    def _mark(self, level: int, won: int, lost: int) -> None:
        """Set these fields for the positions that a level decided."""
        words = self._fields()

        def mark(chunk: int, low: int, high: int) -> None:
            for side, field in ((False, won), (True, lost)):
                if (bits := self.bits(level, chunk, lost=side)) is not None:
                    self.call("mark", words, low, bits, field)

        self._over(f"reading level {level}", mark)

    # --- checking -------------------------------------------------------------------------------------------------------

    @property
    def checked(self) -> Checked:
        """The progress of the check in another run. Earlier versions did not compare symmetries with the numbering: theirs is none."""
        record = self._record(CHECKED)
        return Checked(*record.header["checked"]) if record is not None and "symmetries" in record.header else Checked(0)

    def _stride(self, quick: bool) -> int:
        return max(self.size // SAMPLED, 1) | 1 if quick else 1

    def is_to_be_worked_on(self, quick: bool) -> bool:
        """Whether a level remains to be decided or checked."""
        there = self.checked
        return not self.is_decided or there.level <= len(self.records) + 1 or not 1 <= there.stride <= self._stride(quick)

    def check(self, quick: bool) -> Checked:
        """Compare all levels with the next positions, or a sample of their positions. Raises the errors that the kernels report."""
        stride, there = self._stride(quick), self.checked
        if there.stride != stride:
            there = Checked(stride)
        self._lay(ends_only=True)
        known = 0  # the last level that is marked in the fields as decided before, or just now
        began = saved = time.perf_counter()
        before = there.seconds
        for level in range(there.level, len(self.records) + 2):
            while known < level - 1:
                known += 1
                self._pass_on(known)
            work = partial(self._compare, level, stride)
            for first in range(there.chunk, len(self.chunks), TOGETHER):
                some = self.chunks[first : first + TOGETHER]
                counts = self._over(f"positions of level {level} compared with the next ones", work, some)
                now = time.perf_counter()
                there = Checked(stride, level, some.stop, there.compared + int(counts[status.LEFT]), before + now - began)
                if now - saved > SECONDS:
                    self._keep_checked(there)
                    saved = now
            there = there._replace(level=level + 1, chunk=0)
        self._keep_checked(there)
        return there

    def _keep_checked(self, checked: Checked) -> None:
        self._write(CHECKED, lambda: {"checked": list(checked), "symmetries": True})

    def _pass_on(self, level: int) -> None:
        """Mark this level in the fields as decided just now, and the level so marked until now as decided before."""
        words = self._fields()
        self._over(f"reading level {level}", lambda _, low, high: self.call("age", words, low, high))
        self._mark(level, status.WON_NOW, status.LOST_NOW)

    def _compare(self, level: int, stride: int, chunk: int, low: int, high: int) -> np.ndarray:
        words = self._fields()
        if level == 0:
            codes, first = self.codes(chunk), -(-low // stride) * stride
            if self.of.asks_symmetries:
                require_images(self.of, first + stride * np.flatnonzero(codes[first - low :: stride]))
            return self.counted("compare_ends", low, codes, stride)
        counts = np.zeros(status.BOARD_COUNTERS, np.int64)
        if level > len(self.records):
            still = np.zeros(-(-(high - low) // 8), np.uint8)
            self.call("open_bits", words, low, high, still)
            return self._in_pieces("compare_level", low, only_read(still), 0, False, stride)
        for claim in (1, -1):
            if (bits := self.bits(level, chunk, lost=claim < 0)) is not None:
                counts += self._in_pieces("compare_level", low, bits, claim, level == 1, stride)
        return counts

    # --- the answer -----------------------------------------------------------------------------------------------------

    def answers(self, checked: Checked, compiling: float, request: Request) -> BoardAnswers:
        """The answer, whose codes are in the folder. Raises `FileError` if they cannot be written."""
        positions, first = self.of.positions, self.records[0].header
        levels = [Level(d, r.header["won"], r.header["lost"], r.header["seconds"]) for d, r in enumerate(self.records, 1)]
        count = sum(level.won + level.lost for level in levels) + self.records[-1].header["open"]
        count += sum(first[f"ends {side}"] for side in ("won", "lost", "drawn"))
        solving = sum(level.seconds for level in levels)
        seconds = {"compiling": compiling, "solving": solving, "checking": checked.seconds}
        about = f"three bits a position in memory, levels on disk in {self.folder}"
        report = report_of(self, count, checked.compared, first["moves"], levels, seconds, about)
        report = replace(report, notes=(*report.notes, f"the solution is read from {self.folder / TABLE}: keep it, or `save` the solution"))
        answers = BoardAnswers(positions, Codes(self), argument(checked.compared, count), report, request.exact)
        path = self.folder / TABLE
        if not self._has_table(path, answers):
            storing.save(answers, path, True, self.progress)
        arrays = read(path).arrays
        codes = storing.PackedCodes(path, arrays["blocks"], arrays["ends"], self.size, answers.codes.dtype.str)
        return replace(answers, codes=codes)

    def _has_table(self, path: Path, answers: BoardAnswers) -> bool:
        """Whether the complete solution of this game with this argument has already been written."""
        try:
            header = read(path).header
        except FileError:
            return False
        same = {"argument": answers.argument, "codes": [self.size, answers.codes.dtype.str], "exact": answers.is_exact}
        of_game = {name: value for name, value in self.run.items() if name not in ("positions", "chunk")}
        return all(header.get(name) == value for name, value in {**of_game, **same}.items())


def only_read(array: np.ndarray) -> np.ndarray:
    """The same array, not to be written to from now on: as what is read from a file, for which kernels have machine code of its own."""
    array.flags.writeable = False
    return array


class Codes:
    """The codes of all positions, combined from the levels: indexed like an array by a number or a slice."""

    def __init__(self, levels: Levels):
        self._levels = levels
        self.dtype = np.dtype(np.int8 if len(levels.records) <= status.MOST_MOVES else np.int16)
        self._chunk, self._lock = lru_cache(CHUNKS_KEPT)(self._of_chunk), Lock()

    def __len__(self) -> int:
        return self._levels.size

    def _of_chunk(self, chunk: int) -> np.ndarray:
        codes = self._levels.codes(chunk).astype(self.dtype)
        for level in range(2, len(self._levels.records) + 1):
            for lost in (False, True):
                if (bits := self._levels.bits(level, chunk, lost)) is not None:
                    decided = np.unpackbits(bits, count=len(codes), bitorder="little").view(bool)
                    codes[decided] = -status.FIRST - level if lost else status.FIRST + level
        return codes

    def __getitem__(self, index: Any) -> Any:
        size = self._levels.chunk
        if not isinstance(index, slice):
            return self._at(int(index) // size)[int(index) % size]
        low, high, _ = index.indices(len(self))
        whole = np.concatenate([self._at(chunk) for chunk in range(low // size, -(-high // size))])
        return whole[low - low // size * size :][: high - low]

    def _at(self, chunk: int) -> np.ndarray:
        with self._lock:  # packing threads request the same chunk
            return self._chunk(chunk)
