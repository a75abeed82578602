"""The urn sweep: calls the kernel, reports progress, stops cleanly, and resumes from a checkpoint."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.answers.swept import KEPT, UrnSweep
from zermelo.basics.machine import require
from zermelo.basics.progress import Progress, silent
from zermelo.basics.stopwatch import Stopwatch
from zermelo.basics.threads import threads, together
from zermelo.errors import FileError
from zermelo.kernels import meeting
from zermelo.kernels import urn as kernel
from zermelo.kernels import urn_places as places
from zermelo.kernels.kernel import forced
from zermelo.storage.contents import check_contents, check_header
from zermelo.storage.file import alone_with, is_there, read, write
from zermelo.storage.swept import KIND, check, run_of
from zermelo.version import __version__

FIRST = 1_000_000  # cells of the first call, which loads the machine code
BUDGET = 400_000_000  # cells of a call, between two checks of Ctrl-C: some hundredths of a second
TRIAL = 4  # a trial of one thread or of all takes this part of it
AGAIN = 16  # calls until both are tried again
SLOWER = 1.2  # times as long as one thread may all take: where the window is narrow, they gain little
CHECKPOINT_SECONDS = 60.0


class Sweep:
    """The urn sweep for `plus` +1 balls and `minus` -1 balls. `at` : also keep W for balanced urns with these numbers of balls of each
    kind; `about` : additional contents of a checkpoint, such as the game."""

    def __init__(
        self, plus: int, minus: int, deviations: float, at: Sequence[int] | np.ndarray = (), about: Mapping[str, Any] | None = None
    ):
        self.about = dict(about or {})
        self.plus, self.minus, self.deviations = plus, minus, float(deviations)
        self.at = np.asarray(at, dtype=np.int64)
        self.curve = np.full(len(self.at), np.nan)
        self.curve[self.at == 0] = 0.0
        self.total = plus + minus
        window = int(deviations * 0.5 * math.sqrt(self.total))
        number = 1 if forced() == "interpreted" else max(1, min(threads(), window // kernel.PART))  # of threads
        widest = window + 2 * places.LONGEST + 64
        require(8 * (4 + number) * (widest + places.LONGEST), f"a sweep over {self.total:,} stages in a window of {widest:,} values")
        self._buffer = _aligned(4 * widest + 4 * places.LONGEST)
        self._own = [_aligned(widest + places.LONGEST) for _ in range(number)]
        self._history = np.zeros((number, 2, places.LONGEST))
        self._calls, self._pace = 0, {False: math.inf, True: math.inf}  # seconds a cell, latest, of one thread and of all
        self._carried = np.zeros(places.CARRIED, np.int64)
        self._carried[places.WIDTH] = 1
        self._tiles = np.zeros((1 << 12, 4), np.int64)
        self._highest = np.zeros(1 << 12)
        self._reach = np.full(int(1.5 * math.sqrt(self.total)) + 16, -1, np.int64)
        self.kept = np.zeros(0)
        self.seconds = self.compiling = 0.0

    # --- position ---------------------------------------------------------------------------------------------------------

    @property
    def stage(self) -> int:
        """The number of balls left at the stage that was computed last."""
        return int(self._carried[places.STAGE])

    @property
    def cells(self) -> int:
        return int(self._carried[places.CELLS])

    @property
    def tiles(self) -> np.ndarray:
        return self._tiles[: self._carried[places.TILES]]

    def swept(self) -> UrnSweep:
        """The result of the finished sweep."""
        arrays = {name: np.array(array) for name, array in self._arrays().items()}
        own = [arrays.pop(name) for name in ("tiles", "highest", "reach", "kept")]
        return UrnSweep(self.plus, self.minus, self.deviations, own[0], own[1], own[2], own[3], arrays)

    def _arrays(self) -> dict[str, np.ndarray]:
        """All arrays that are needed to resume."""
        base, width, tiles = (int(self._carried[k]) for k in (places.BASE, places.WIDTH, places.TILES))
        return {
            "window": self._buffer[base : base + width], "carried": self._carried, "tiles": self._tiles[:tiles],
            "highest": self._highest[:tiles], "reach": self._reach, "at": self.at, "curve": self.curve, "kept": self.kept,
        }  # fmt: skip

    def row(self, fewest: int, most: int) -> np.ndarray:
        """W at this stage for fewest..most balls of +1; its lower bound outside the window."""
        i = np.arange(fewest, most + 1)
        j = self._carried[places.TOP] - i
        inside = (j >= 0) & (j < self._carried[places.WIDTH])
        bound = np.maximum(0.0, self.stage - 2.0 * i)
        window = self._buffer[self._carried[places.BASE] :]
        return np.where(inside, window[np.where(inside, j, 0)], bound)

    def share(self) -> float:
        """The fraction of the work that is done, where the width of the window is proportional to sqrt(m (N - m))."""
        s = self.stage / self.total if self.total else 1.0
        return (2 * math.asin(math.sqrt(s)) - 2 * math.sqrt(s * (1 - s)) * (1 - 2 * s)) / math.pi

    # --- running ------------------------------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """The number of draws up to which W is known at every urn that can result; `kept` is W there, by the number of +1 balls drawn."""
        return min(KEPT, self.total)

    def run(self, progress: Progress = silent, checkpoint: Path | None = None) -> None:
        """Compute all remaining stages. A checkpoint is written every minute, when interrupted and at the end, unless nothing is left
        to do."""
        begun = self.stage
        if checkpoint and not begun:
            self.save(checkpoint)  # it is better to learn now that it cannot be written
        try:
            if not len(self.kept):
                self.run_to(self.total - self.depth, progress, checkpoint)
                self.kept = self.row(self.plus - self.depth, self.plus)[::-1].copy()
            self.run_to(self.total, progress, checkpoint)
        finally:
            if checkpoint and self.stage > begun:
                self.save(checkpoint)

    def run_to(self, end: int, progress: Progress = silent, checkpoint: Path | None = None) -> None:
        """Continue to the stage with this many balls left."""
        saved = time.perf_counter()
        while self.stage < end:
            self._make_room()
            with Stopwatch() as watch:
                self._go_on(end)
            self.seconds += watch.seconds
            self.compiling += watch.compiling
            progress("sweeping", round(1e6 * self.share()), 1_000_000)
            if checkpoint and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                self.save(checkpoint)
                saved = time.perf_counter()

    def _go_on(self, end: int) -> None:
        """Compute the next cells, or all up to this stage."""
        most, budget = self._next()
        sweep = kernel.sweep.compiled if most > 1 else kernel.sweep
        began, before = time.perf_counter(), self.cells
        tile, shared = np.zeros(places.TILE, np.int64), np.zeros(meeting.PLACES, np.int64)

        def part(k: int, number: int) -> None:
            sweep(
                self._buffer, self._own[k], self._history[k], self._carried, self._tiles, self._highest, self._reach, self.at,
                self.curve, self.plus, self.minus, end, self.deviations, budget, tile, shared, k, number,
            )  # fmt: skip

        together(part, most, lambda: shared.__setitem__(meeting.GIVEN_UP, 1))
        self._pace[most > 1] = (time.perf_counter() - began) / max(self.cells - before, 1)

    def _next(self) -> tuple[int, int]:
        """The number of threads for the next cells, and of the cells. One thread loads the machine code, and sweeps while the window is
        narrow; then it is all, unless it takes them clearly longer until they meet, as where other programs use the processors."""
        call, most = self._calls, len(self._own)
        if call == 0 or self._carried[places.WIDTH] < 2 * kernel.PART:
            self._calls = 1
            return 1, min(FIRST, BUDGET) if call == 0 else BUDGET // TRIAL
        self._calls += 1
        if call % AGAIN in (1, 2):
            return (1, most)[call % AGAIN - 1], BUDGET // TRIAL
        return most if self._pace[True] < SLOWER * self._pace[False] else 1, BUDGET

    def _make_room(self) -> None:
        if 2 * len(self.tiles) >= len(self._tiles):
            self._tiles = np.concatenate([self._tiles, np.zeros_like(self._tiles)])
            self._highest = np.concatenate([self._highest, np.zeros_like(self._highest)])

    # --- on disk ------------------------------------------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Write all data needed to resume, atomically."""
        header = {"kind": KIND, "run": self._run(), "zermelo": __version__, "seconds": self.seconds, **self.about}
        write(path, header, self._arrays())

    def _run(self) -> dict[str, Any]:
        return run_of(self.plus, self.minus, self.deviations, len(self.at))

    def _check_place(self, path: Path, arrays: Mapping[str, np.ndarray]) -> None:
        """Refuse a checkpoint whose arrays do not fit together, before a kernel relies on them."""
        there = arrays["carried"]
        sizes = [(places.WIDTH, "window"), (places.TILES, "tiles")]
        fits = all(int(there[k]) == len(arrays[name]) for k, name in sizes) and len(arrays["reach"]) == len(self._reach)
        room = len(self._buffer) - len(arrays["window"]) - places.LONGEST - 2 * kernel.UNROLLED
        is_inside = 0 <= there[places.STAGE] <= self.total and abs(int(there[places.TOP])) <= self.total + places.LONGEST
        if not (fits and room >= 0 and is_inside):
            raise FileError(f"{path} does not hold together: start again, with another name")

    def resume(self, path: Path) -> None:
        """Continue from a checkpoint. Raises `FileError` if it is damaged or belongs to another sweep."""
        header, arrays = read(path, verify=True)
        if header.get("kind") != KIND:
            raise FileError(f"{path} is no checkpoint of a sweep: give another name")
        check_header(path, header)
        check_contents(path, header, arrays, check)
        run = self._run()
        if header["run"] != run or not np.array_equal(arrays["at"], self.at):
            there = header["run"]
            differ = [
                f"{name}: {there.get(name)} there, {here} here" for name, here in run.items() if there.get(name) != here
            ]
            why = (differ or ["other values kept"])[0]
            raise FileError(
                f"{path} is the checkpoint of another run ({why}): give another name, or the same game and tolerance"
            )
        self._check_place(path, arrays)
        self._carried[:] = arrays["carried"]
        room = len(self._buffer) - len(arrays["window"]) - places.LONGEST - 2 * kernel.UNROLLED
        self._carried[places.BASE] = room - room % kernel.ALIGNED
        base = int(self._carried[places.BASE])
        self._buffer[base : base + len(arrays["window"])] = arrays["window"]
        tiles = len(arrays["tiles"])
        self._tiles, self._highest = np.zeros((2 * tiles + 64, 4), np.int64), np.zeros(2 * tiles + 64)
        self._tiles[:tiles], self._highest[:tiles] = arrays["tiles"], arrays["highest"]
        self._reach[:], self.curve[:] = arrays["reach"], arrays["curve"]
        self.kept = np.array(arrays["kept"])
        self.seconds = float(header["seconds"])


def _aligned(cells: int) -> np.ndarray:
    """float64[cells]: zeros, aligned to 64 bytes for vector instructions."""
    raw = np.zeros(cells + kernel.ALIGNED)
    skip = (-raw.ctypes.data // raw.itemsize) % kernel.ALIGNED
    return raw[skip : skip + cells]


def swept(sweep: Sweep, progress: Progress = silent, checkpoint: str | Path | None = None) -> Sweep:
    """The sweep itself, after it has run to its end, from its checkpoint if there is one. No other process may use the checkpoint
    meanwhile."""
    if checkpoint is None:
        sweep.run(progress)
        return sweep
    path = Path(checkpoint)
    with alone_with(path):
        if is_there(path):
            sweep.resume(path)
        sweep.run(progress, path)
    return sweep
