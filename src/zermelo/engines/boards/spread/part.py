"""A part of a distributed table: the codes of the positions that it owns.

A part hands out its findings about positions of other parts as places (indices there), one array for each part, and takes in the findings
of other parts about its own positions in the same way. levels.py defines the order in which that happens.
"""

from __future__ import annotations

import contextlib
import os
import resource
import time
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.engines.boards.board import raise_reported
from zermelo.engines.boards.numbering import numbering, require_images
from zermelo.engines.boards.spread.owners import Owners
from zermelo.engines.faults import raised_at
from zermelo.errors import FileError
from zermelo.kernels import spread as kernels
from zermelo.kernels import status
from zermelo.language.rules import Rules
from zermelo.link import RuleRaised, SpreadRules
from zermelo.storage.file import Contents, read, write
from zermelo.storage.pages import AGAIN

CHUNK = 1 << 17  # positions whose moves are examined at a time, or more if they have few moves
MOVES = 8  # moves a position up to which there are more
NO_CODES, NO_NUMBERS, NO_PLACES = np.empty(0, np.int8), np.empty(0, np.int64), np.empty(0, np.uint32)
NARROW = 1 << 32  # places that fit into four bytes

Pair = tuple[np.ndarray, np.ndarray]  # places from which a move leads to a position that is lost, and to one that is won


class Sent(NamedTuple):
    """The report of a step: positions examined, moves, positions decided, and whether there may be more to do."""

    looked: int = 0
    moves: int = 0
    won: int = 0
    lost: int = 0
    more: bool = False
    bytes: int = 0  # bytes sent to other parts
    keeps: bool = False  # a move does not pass the turn
    passes: bool = False  # a move is a PASS
    of_1: int = 0  # positions where player 1 moves


class Part:
    """The positions of part `number`. `takes_back` : earlier positions are found by the game's `parents`; otherwise next ones are examined
    again in every level."""

    def __init__(self, rules: Rules, owners: Owners, number: int, takes_back: bool, chunk: int = CHUNK):
        self.rules, self.owners, self.number, self.takes_back, self.chunk = rules, owners, number, takes_back, chunk
        self.of = numbering(rules)
        self.native = SpreadRules(rules, self.of.positions.layout)
        size = owners.places(number)
        self.codes = np.full(size, status.UNSEEN, np.int8)
        self.left = np.zeros(size if takes_back else 0, np.uint8)  # next positions that are not won for the opponent
        self.room = 32 * chunk
        self._by_unit = owners.by_unit
        self.at = 0  # where the step continues
        self._moves = MOVES  # a position, in the last step
        self._pushing: int | None = None  # the level for which the last step took moves back
        self._began = time.process_time()
        self._asked: deque[tuple[np.ndarray, ...]] = deque()  # the queries that wait for answers, the oldest first

    # --- which positions there are ---

    def start(self, number: int) -> None:
        """Mark the start as reached, if it is one of these."""
        if number // self.owners.unit % self.owners.parts == self.number:
            units, rest = divmod(number, self.owners.unit)
            self._reach(np.array([units // self.owners.parts * self.owners.unit + rest]))

    def expand(self) -> tuple[Sent, list[np.ndarray]]:
        """Examine the moves of some positions that were reached: the places of their next positions, by owner. What is won or lost
        in 1 move is decided."""
        places = self._new()
        if not len(places):
            return Sent(), self._nothing()
        left = np.empty(len(places), np.int64)
        _, found, _, counts = self._follow("follow", places, NO_CODES, left)
        won, lost, most = kernels.examined(self.codes, places, left)
        if self.takes_back:
            if most > np.iinfo(self.left.dtype).max:
                self.left = self.left.astype(np.uint16 if most < 1 << 16 else np.uint32)
            kernels.keep_open(self.left, places, left)
        batches, _ = self._by_owner(found)
        self._reach(batches[self.number])
        told = {"keeps": bool(counts[status.KEEPS]), "passes": bool(counts[status.PASSED]), "of_1": int(counts[status.OF_1])}
        return self._out(Sent(len(places), int(counts[status.MOVES]), int(won), int(lost), True, **told), batches)  # type: ignore[arg-type]

    def reached(self, *batches: np.ndarray) -> None:
        """Mark these places as reachable."""
        for batch in batches:
            self._reach(batch)

    def _reach(self, places: np.ndarray) -> None:
        new = np.empty(len(places), np.int64)
        new = new[: kernels.reach(self.codes, places, new)]
        if len(new):
            codes = np.empty(len(new), np.int8)
            self._call("ends", new, codes)
            self.codes[new] = codes

    # --- level by level, where moves are taken back ---

    def push(self, moves: int) -> tuple[Sent, list[Pair]]:
        """Take moves back from some positions that are decided in moves - 1: the places from which moves lead to them, by owner, those
        before lost ones apart from those before won ones."""
        if self._pushing != moves:
            self.again()
            self._pushing = moves
        places = self._some(status.FIRST + moves - 1, -status.FIRST - moves + 1)
        if not len(places):
            return Sent(), [(NO_PLACES, NO_PLACES)] * (self.owners.parts - 1)
        is_lost = self.codes[places] < 0
        begins, found, _, _ = self._follow("before", np.concatenate([places[is_lost], places[~is_lost]]))
        split = begins[np.count_nonzero(is_lost)]
        batches = list(zip(self._by_owner(found[:split])[0], self._by_owner(found[split:])[0], strict=True))
        won, lost = self._settle(moves, batches[self.number])
        others = [pair for k, pair in enumerate(batches) if k != self.number]
        sent = sum(batch.nbytes for pair in others for batch in pair)
        return Sent(len(places), won=won, lost=lost, more=self._is_before_the_end, bytes=sent), others

    def pushed(self, moves: int, *batches: Pair) -> Sent:
        """Take in places from which a move leads to a position lost, and to one won, in moves - 1."""
        both = [self._settle(moves, batch) for batch in batches]
        return Sent(won=sum(won for won, _ in both), lost=sum(lost for _, lost in both))

    def _settle(self, moves: int, places: Pair) -> tuple[int, int]:
        """In either order: where a move leads to a lost position, not all lead to won ones."""
        before_lost, before_won = places
        return int(kernels.win(self.codes, before_lost, moves)), int(kernels.lose(self.codes, self.left, before_won, moves))

    # --- next positions examined again: in levels for which moves are not taken back, and to check the table ---

    def ask(self, code: int | None, stride: int = 1) -> tuple[Sent, list[np.ndarray]]:
        """For some positions with this code (None: any reachable ones, among the multiples of `stride`), the places of their next
        positions, by owner. Of any that are said to be won in 1 move, one next position that proves it suffices."""
        places = self._some(code, code) if code is not None else self._any(stride)
        if not len(places):
            self._asked.append(())
            return Sent(), self._nothing()
        if code is None and self.of.asks_symmetries:
            require_images(self.of, self.owners.numbers(self.number, places))
        claimed = self.codes[places] if code is None else NO_CODES
        begins, found, flags, _ = self._follow("follow", places, claimed, NO_NUMBERS)
        batches, order = self._by_owner(found, is_asked=True)
        self._asked.append((places, begins, flags, order, batches[self.number]))
        return self._out(Sent(len(places), more=self._is_before_the_end), batches)

    def told(self, places: np.ndarray) -> np.ndarray:
        """The codes of these places, for another part."""
        return self.codes[places]

    def decide(self, moves: int, *answers: np.ndarray) -> Sent:
        """Decide in `moves` moves the positions that were queried, given the codes that other parts have returned, by part. Of the others
        it is noted how many next positions are not won for the opponent, so that later levels can take moves back."""
        asked = self._asked.popleft()
        if not asked:
            return Sent()
        places, begins, flags, after = self._answered(asked, answers)
        won, lost = kernels.decide(self.codes, self.left, places, begins, after, flags, moves)
        return Sent(won=int(won), lost=int(lost))

    def compare(self, *answers: np.ndarray) -> int:
        """Compare the queried positions with their next positions; returns the number of the first one that differs, or -1."""
        asked = self._asked.popleft()
        if not asked:
            return -1
        places, begins, flags, after = self._answered(asked, answers)
        ends = np.zeros(len(places), np.int8)
        final = np.flatnonzero(begins[1:] == begins[:-1])
        if len(final):
            codes = np.empty(len(final), np.int8)
            self._call("ends", places[final], codes)
            ends[final] = codes
        wrong = int(kernels.first_different(self.codes[places], begins, after, flags, ends))
        return -1 if wrong < 0 else int(self.owners.numbers(self.number, places[wrong : wrong + 1])[0])

    def _answered(self, asked: tuple[np.ndarray, ...], answers: Sequence[np.ndarray]) -> tuple[np.ndarray, ...]:
        places, begins, flags, order, own = asked
        others = iter(answers)
        codes = [self.codes[own] if part == self.number else next(others) for part in range(self.owners.parts)]
        return places, begins, flags, np.concatenate(codes)[order]

    # --- shared by all of these ---

    def again(self) -> None:
        """Make the next step start with the first position."""
        self.at, self._moves, self._pushing = 0, MOVES, None
        self._asked.clear()

    def widen(self) -> None:
        """Make room for more moves than fit into a byte."""
        if self.codes.dtype == np.int8:
            self.codes = self.codes.astype(np.int16)

    def _some(self, code: int, other: int) -> np.ndarray:
        """Places with one of two codes, from where the last step stopped."""
        found = np.empty(self._most, np.int64)
        count, self.at = kernels.collect(self.codes, code, other, self.at, found)
        return found[:count]

    def _new(self) -> np.ndarray:
        """Places whose moves were not yet seen, from where the last step stopped, then from the first one on, where some may have been
        reached since."""
        found, begin = np.empty(self._most, np.int64), self.at
        count, self.at = kernels.collect(self.codes, status.NEW, status.NEW, begin, found)
        if count < len(found):
            again, self.at = kernels.collect(self.codes[:begin], status.NEW, status.NEW, 0, found[count:])
            count += again
        return found[:count]

    def _any(self, stride: int) -> np.ndarray:
        """Places of positions that are reached, among the multiples of `stride`."""
        while self.at < len(self.codes):
            found = np.empty(self._most if stride == 1 else 64 * self.chunk, np.int64)
            count, self.at = kernels.collect_seen(self.codes, self.at, found)
            places = found[:count]
            if stride > 1:
                places = places[self.owners.numbers(self.number, places) % stride == 0]
            if len(places):
                return places
        return np.empty(0, np.int64)

    @property
    def _is_before_the_end(self) -> bool:
        """Whether the next step has places to look at. (While positions are found, others may reach earlier ones.)"""
        return self.at < len(self.codes)

    @property
    def _most(self) -> int:
        """Positions of a step: the rounds of a step cost the same for few moves and for many."""
        return self.chunk * MOVES // self._moves

    def _follow(self, kernel: str, places: np.ndarray, *given: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """(beginnings for each place, numbers, flags, counters) of next or earlier positions."""
        while True:
            begins = np.zeros(len(places) + 1, np.int64)
            found, flags = np.empty(self.room, np.int64), np.empty(self.room, np.uint8)
            done, counts = self._call(kernel, places, *given, begins, found, flags)
            if done == len(places):
                self._moves = min(max(-(-int(begins[-1]) // len(places)), 1), MOVES)
                return begins, found[: begins[-1]], flags[: begins[-1]], counts
            self.room *= 2

    def _call(self, kernel: str, places: np.ndarray, *arrays: np.ndarray) -> tuple[Any, np.ndarray]:
        """Call a kernel of the rules; raises the errors that it reports."""
        numbers, counts = self.owners.numbers(self.number, places), np.zeros(status.BOARD_COUNTERS, np.int64)
        try:
            done = self.native.call(kernel, self.of.data, self.of.shape, numbers, *arrays, counts)
        except RuleRaised as error:
            raise raised_at(self.rules, self.of.positions.state(int(numbers[counts[status.WHERE]])), error) from None
        raise_reported(self.rules, counts, lambda at: self.of.positions.state(int(numbers[at])))
        return done, counts

    def _by_owner(self, numbers: np.ndarray, is_asked: bool = False) -> tuple[list[np.ndarray], np.ndarray]:
        """Places by owner; and the destination of each number, if that is asked for."""
        owners = self.owners
        begins = np.zeros(owners.parts + 1, np.int64)
        places = np.empty(len(numbers), np.uint32 if owners.places(0) < NARROW else np.int64)
        order = np.empty(len(numbers) if is_asked else 0, np.int64)
        kernels.by_owner(numbers, owners.unit, *self._by_unit, begins, places, order)
        return [places[begins[k] : begins[k + 1]] for k in range(owners.parts)], order

    def _out(self, sent: Sent, batches: list[np.ndarray]) -> tuple[Sent, list[np.ndarray]]:
        """The data for other parts, and the report on it."""
        others = [batch for k, batch in enumerate(batches) if k != self.number]
        return sent._replace(bytes=sum(batch.nbytes for batch in others)), others

    def _nothing(self) -> list[np.ndarray]:
        return [NO_PLACES] * (self.owners.parts - 1)

    # --- on disk ---

    def save(self, folder: str, cut: int) -> int:
        """Write all results to the folder; returns the number of bytes. All but the last two versions are deleted. Raises `FileError`."""
        path = self._path(folder, cut)
        write(path, self._about(cut), {"codes": self.codes, "left": self.left})
        with contextlib.suppress(OSError):
            self._path(folder, cut - 2).unlink()
        return path.stat().st_size

    def restore(self, folder: str, cut: int) -> None:
        """Load the results that were written; with cut 0 start from nothing. Raises `FileError`."""
        self.again()
        self._began = time.process_time()
        if cut == 0:
            self.codes = np.full(self.owners.places(self.number), status.UNSEEN, np.int8)
            self.left = np.zeros(len(self.codes) if self.takes_back else 0, np.uint8)
            return
        path = self._path(folder, cut)
        header, arrays = read_of(path)
        if header != self._about(cut):
            raise FileError(f"{path} was written as another file: delete {folder}, and solve again")
        self.codes, self.left = np.array(arrays["codes"]), np.array(arrays["left"])

    def deliver(self, path: str) -> None:
        """Write the codes to their places in the file of the whole table. Raises `FileError`."""
        try:
            with open(path, "r+b") as file:
                for k, begin in enumerate(self.owners.begins(self.number)):
                    piece = self.codes[k * self.owners.unit : (k + 1) * self.owners.unit]
                    file.seek(begin * piece.itemsize)
                    file.write(piece.tobytes())
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise FileError(f"{path} can't be written: {error.strerror or error}") from None

    def _path(self, folder: str, cut: int) -> Path:
        return Path(folder) / f"cut-{cut}-part-{self.number}"

    def _about(self, cut: int) -> dict[str, Any]:
        """What is written to the file of a cut, so that it is taken for no other one."""
        return {"cut": cut, "part": self.number, "owners": list(self.owners)}

    def census(self) -> dict[int, int]:
        """The number of positions with each code."""
        codes, counts = np.unique(self.codes, return_counts=True)
        return dict(zip(codes.tolist(), counts.tolist(), strict=True))

    def cost(self) -> dict[str, float]:
        """Bytes of the arrays that grow with the part, and the peak of the process; processor seconds since the part was loaded."""
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return {"arrays": self.codes.nbytes + self.left.nbytes, "process": most, "seconds": time.process_time() - self._began}

    def is_there(self, path: str) -> bool:
        """Whether this machine sees a file."""
        return os.path.exists(path)


def read_of(path: Path) -> Contents:
    """What is in a file of the folder of a table. Raises `FileError`."""
    try:
        return read(path, verify=True)
    except FileError as error:
        raise FileError(f"{str(error).removesuffix(f': {AGAIN}')}: delete {path.parent}, and solve again") from None
