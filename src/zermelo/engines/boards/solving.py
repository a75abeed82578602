"""Retrograde analysis of a board game with a ranked space: one byte per position, and no table of keys.

First all positions reachable from the start are examined once. A position from which a move ends the game in a loss for the
opponent is won in 1 move; one from which every move ends it in a win for the opponent is lost in 1. Then, for d = 2, 3, ...:

    won in d    not decided yet, and a move leads to a position lost in d - 1 for the opponent
    lost in d   not decided yet, and every move leads to a position won for the opponent in at most d - 1 moves

until a level decides nothing; the remaining positions are draws. A level is found either by examining the moves of all undecided
positions (pull), or, if the game has `parents`, by taking back moves from the positions decided last (push), whichever is less work
(compare Beamer, Asanovic and Patterson 2012, Direction-optimizing breadth-first search). Without `parents`, positions from which play
can't come back are decided before, each after those that it leads to (link/templates/board_depth.py).
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from zermelo.answers.boards import BoardAnswers, Census, counted
from zermelo.basics.machine import fits, in_words, require
from zermelo.basics.notices import notify
from zermelo.basics.progress import Progress
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.threads import crew, ranges, shared, threads
from zermelo.engines.base import GivesUp, Request
from zermelo.engines.boards.board import (
    SAMPLED,
    Board,
    Level,
    argument,
    check_moves,
    check_size,
    directions,
    movers_of,
    num_orbits,
    on_disk,
    report_of,
    unfit,
)
from zermelo.engines.boards.numbering import NotByParts, Numbering, check_images, numbering
from zermelo.kernels import status
from zermelo.language.rules import State

BLOCK = 1 << 12  # positions that are skipped together if nothing is left to do
CHUNK = 1 << 20  # the most positions per call of a kernel, so that Ctrl-C is noticed
LOOKS = 1 << 18  # the same where a call may look at positions anywhere
PIECES = 4  # the fewest calls that each thread makes, if the table is large enough
LEAST = 16  # blocks of the shortest calls
OFTEN = 200  # times that all positions are looked at for levels that decide few, before a game that can be explored is left to that
EXPLORED = 10_000_000, 100  # the most positions of such a game, and bytes for each

ENDS = {1: status.FIRST, -1: -status.FIRST, 0: status.FINAL_DRAW}  # the payoff at the end of play, and the code of such a position


class Table(Board):
    """The codes of all positions (kernels/status.py), and the kernels that work on them, in threads."""

    def __init__(self, of: Numbering, progress: Progress):
        super().__init__(of, progress)
        size = of.positions.size
        self.codes = np.empty(size, np.int8)  # numpy asks for huge pages for this, but not for zeros
        shared(lambda part: self.codes[slice(*part)].fill(status.UNSEEN), ranges(size, CHUNK))  # each thread has memory found for its part
        blocks = -(-size // BLOCK)
        self.stamps, self.left = np.zeros((2, 2, blocks), np.int16), np.zeros(blocks, np.bool_)

    def reach(self, state: State) -> None:
        """Mark a position as reached. Raises `GivesUp` if play is over there with a payoff other than a win, a draw or a loss."""
        code = status.NEW if self.rules.actions(state) else ENDS.get(self.rules.payoff(state)[0])
        if code is None:
            raise unfit(self.rules, state, status.ODD_END)
        self.codes[self.of.positions.number(state)] = code

    def expand_all(self) -> np.ndarray:
        """Examine the moves of all reachable positions. Returns the counts."""
        total = np.zeros(status.BOARD_COUNTERS, np.int64)
        for downwards in directions():
            found = self.run("expand", "positions that can be reached", downwards, downwards=downwards)
            if not found[[status.WON, status.LOST, status.LEFT]].any():
                break
            total += found
        self.moves, self.keeps_turns = int(total[status.MOVES]), bool(total[status.KEEPS])
        self.movers = movers_of(total)
        return total

    def deepen(self) -> Census:
        """Decide the positions from which play can't come back, each after those that it leads to. Returns how many have which code."""
        what = "positions decided after those that they lead to"
        while True:
            too_far: list[int] = []
            self._over(what, partial(self._deepen, too_far))
            self._over(what, partial(self._open, _edges(self.codes)[1]))
            if not any(too_far) or self.codes.dtype == np.int16:
                return counted(self.codes)
            self.widen()

    def _deepen(self, too_far: list[int], low: int, high: int) -> int:
        """A bounded part of that from `low` on; returns where to go on. Notes how many positions are too far from the end for codes."""
        counts = self.counted("deepen", self.codes, low, high, BLOCK, self.stamps, self.left, *_edges(self.codes), LOOKS)
        too_far.append(int(counts[status.LEFT]))
        return int(counts[status.NEXT])

    def forget_draws(self) -> None:
        """Let draws that are known be positions that are not decided, which in the end are draws, too."""
        self._over("draws that are known", partial(self._open, _edges(self.codes)[0]))

    def _open(self, code: int, low: int, high: int) -> None:
        """Let positions with this code be undecided; whole blocks from `low` on."""
        codes = self.codes[low:high]
        codes[codes == code] = status.DRAWN
        blocks = range(0, len(codes), BLOCK)
        self.left[low // BLOCK :][: len(blocks)] = np.logical_or.reduceat(codes == status.DRAWN, blocks)

    def widen(self) -> None:
        """Make room for more moves than fit into a byte."""
        if self.codes.dtype == np.int8:
            draws = self.codes == _edges(self.codes)[0]
            self.codes = self.codes.astype(np.int16)
            self.codes[draws] = _edges(self.codes)[0]

    def run(self, kernel: str, what: str, *arguments: int, downwards: bool = False) -> np.ndarray:
        """Run a kernel on all positions, on parts of the table in order or in the opposite one. Returns its counts; raises the errors that
        it reports."""
        total, lock = np.zeros(status.BOARD_COUNTERS, np.int64), threading.Lock()

        def run(low: int, high: int) -> None:
            counts = self.counted(kernel, self.codes, low, high, BLOCK, self.stamps, self.left, *arguments)
            with lock:
                total[:] += counts

        self._over(what, run, downwards)
        return total

    def check_images(self, stride: int) -> None:
        """Raise `NotByParts` unless symmetries are those of the numbering at all positions, or at some of them."""

        def check(low: int, high: int) -> None:
            first = -(-low // stride) * stride
            check_images(self.of, first + stride * np.flatnonzero(self.codes[first:high:stride]))

        self._over("symmetries compared with the numbering", check)

    def _over(self, what: str, work: Callable[[int, int], int | None], downwards: bool = False) -> None:
        """work(low, high) of all parts of the table, by all threads; it returns where it goes on if it has not done all of the part."""
        size = len(self.codes)
        chunk = _chunk(size)
        chunks = range(0, size, chunk)
        waiting, done = iter(chunks[::-1] if downwards else chunks), iter(chunks)
        lock, stopped = threading.Lock(), threading.Event()

        def go_on() -> None:
            while not stopped.is_set():
                with lock:
                    low = next(waiting, None)
                    if low is None:
                        return
                    before = next(done)
                high = min(low + chunk, size)
                while low < high and not stopped.is_set():
                    self.progress(what, before, size)
                    at = work(low, high)
                    low = high if at is None else at

        self._in_threads(go_on, stopped)
        self.progress(what, size, size)

    def _in_threads(self, work: Callable[[], None], stopped: threading.Event) -> None:
        """`work()` in all threads, this one among them, until it is `stopped`, as by an error in one of them."""

        def go_on() -> None:
            try:
                work()
            except BaseException:
                stopped.set()
                raise

        number = min(threads(), -(-len(self.codes) // _chunk(len(self.codes))))
        with crew(number - 1) as pool:
            others = [pool.submit(go_on) for _ in range(number - 1)]
            go_on()
            for other in others:
                other.result()


def _edges(codes: np.ndarray) -> tuple[int, int]:
    """Codes while positions are decided depth first, the least and the greatest number: of draws that are known, and of positions about
    which nothing could be found out."""
    limits = np.iinfo(codes.dtype)
    return int(limits.min), int(limits.max)


def _chunk(size: int) -> int:
    """The number of positions of one call of a kernel, in whole blocks: fewer if some threads would otherwise have too few calls."""
    return min(CHUNK, max(size // (PIECES * threads() * BLOCK), LEAST) * BLOCK)


def _levels(table: Table) -> Iterator[Level]:
    """Decide all positions, level by level; see the docstring of this module."""
    began = time.perf_counter()
    counts = table.expand_all()
    looked, positions, open_positions = 0, int(counts[[status.WON, status.LOST, status.LEFT]].sum()), int(counts[status.LEFT])
    won, lost = int(counts[status.WON]), int(counts[status.LOST])
    deep = table.deepen() if open_positions and not table.takes_back else None
    if deep is not None:
        open_positions = deep.of(status.DRAWN)
    table.looks_again = open_positions > 0
    yield Level(1, won, lost, time.perf_counter() - began)
    d = 2
    while won or lost:
        began = time.perf_counter()
        what = f"positions won or lost in {d} moves"
        check_moves(d)
        if d > status.MOST_MOVES:
            table.widen()
        found = np.zeros(status.BOARD_COUNTERS, np.int64)
        for takes_back, flag in table.steps(won, lost, open_positions) if open_positions else ():
            found += table.run("push" if takes_back else "pull", what, d, flag)
            looked += 0 if takes_back else open_positions
        if looked > OFTEN * positions and positions <= EXPLORED[0] and fits(math.prod(EXPLORED)):
            raise GivesUp(f"play is so long that after {d} levels all positions were looked at {OFTEN} times")
        won, lost = int(found[status.WON]), int(found[status.LOST])
        open_positions -= won + lost
        if deep is not None:
            won, lost = won + deep.won_in(d), lost + deep.lost_in(d)
        yield Level(d, won, lost, time.perf_counter() - began)
        d += 1
    if deep is not None:
        table.forget_draws()


def _compare(table: Table, quick: bool) -> int:
    """Compare positions with the next ones, all of them or only a sample; returns their number."""
    stride = max(len(table.codes) // SAMPLED, 1) if quick else 1
    if table.of.asks_symmetries:
        table.check_images(stride | 1)
    return int(table.run("compare", "positions compared with the next ones", stride | 1)[status.LEFT])


def solve_board(request: Request, by_parts: bool = True) -> BoardAnswers:
    """Win, draw or loss and the distance to the end of every reachable position. `by_parts` : see `numbering`.

    Raises `GivesUp` if the game is of another kind, `RulesError`, and `OutOfReach` beyond `max_states` positions or this machine's memory.
    """
    rules = request.rules
    with Stopwatch() as watch:
        check_size(rules, request.max_states)
        size = num_orbits(rules)
        require(size, f"{rules.name} ranks about {size:,} positions: a table of them", on_disk(size))
        of = numbering(rules, by_parts)
        table = Table(of, request.progress)
        table.reach(rules.start)
        levels = list(_levels(table))
        census = counted(table.codes)
    with Stopwatch() as checking:
        try:
            compared = _compare(table, request.quick)
        except NotByParts as error:
            notify(f"{rules.name}: {error}: it is solved again, with images computed one by one, which takes longer")
            return solve_board(request, by_parts=False)
    levels = [level._replace(won=census.won_in(level.moves), lost=census.lost_in(level.moves)) for level in levels]
    seconds = {"compiling": watch.compiling + checking.compiling, "solving": watch.seconds, "checking": checking.seconds}
    about = f"a table of {in_words(of.positions.size)}"
    report = report_of(table, census.positions, compared, table.moves, levels, seconds, about)
    return BoardAnswers(of.positions, table.codes, argument(compared, census.positions), report, request.exact)
