"""A sweep over the stages of an urn: drives the kernel, reports progress, stops cleanly, and goes on from a checkpoint."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.progress import Progress, silent
from zermelo.basics.stopwatch import Stopwatch
from zermelo.engines.urn.bounds import exit_error, rounding_error
from zermelo.errors import FileError
from zermelo.kernels import urn as kernel
from zermelo.storage.store import SWEEP, read, write
from zermelo.version import __version__

BUDGET = 2_000_000_000  # cells between two looks at Ctrl-C: about a tenth of a second
CHECKPOINT_SECONDS = 60.0
LOOKED_AT = 200  # places of the line where one stops, at which values are examined
GOOD_LINE = 1e-6  # error there, relative to the root of the balls left
KEPT = 256  # draws from the start after which the values are kept


class Frontier(NamedTuple):
    """When to stop: reach[x] is the last stage at which one stops with x more -1 balls than +1 balls left, -1 for never."""

    reach: np.ndarray  # int64[x]
    known: int  # up to this many balls left; beyond, the line lies where likely play from the start does not come

    def stops(self, plus: Any, minus: Any) -> Any:
        """Whether one stops at these urns (numbers or arrays) of up to `known` balls."""
        ahead, left = np.subtract(minus, plus), np.add(minus, plus)
        found = self.reach[np.clip(ahead, 0, len(self.reach) - 1)] >= left
        return np.where(ahead >= len(self.reach), True, np.where(ahead < 0, False, found) | (left == 0))


class Sweep:
    """The sweep for an urn of `plus` and `minus` balls. `at` : also keep W for the balanced urns of so many of each kind."""

    def __init__(self, plus: int, minus: int, deviations: float, at: Sequence[int] | np.ndarray = ()):
        self.plus, self.minus, self.deviations = plus, minus, float(deviations)
        self.at = np.asarray(at, dtype=np.int64)
        self.curve = np.full(len(self.at), np.nan)
        self.curve[self.at == 0] = 0.0
        self.total = plus + minus
        widest = int(deviations * 0.5 * math.sqrt(self.total)) + 2 * kernel.LONGEST + 64
        self._buffer = _aligned(4 * widest + 4 * kernel.LONGEST)
        self._history = np.zeros((2, kernel.LONGEST))
        self._carried = np.zeros(kernel.CARRIED, np.int64)
        self._carried[kernel.WIDTH] = 1
        self._tiles = np.zeros((1 << 12, 4), np.int64)
        self._highest = np.zeros(1 << 12)
        self._reach = np.full(int(1.5 * math.sqrt(self.total)) + 16, -1, np.int64)
        self.kept = np.zeros(0)
        self.seconds = self.compiling = 0.0

    # --- where it is ------------------------------------------------------------------------------------------------------

    @property
    def stage(self) -> int:
        """How many balls are left at the stage that was computed last."""
        return int(self._carried[kernel.STAGE])

    @property
    def cells(self) -> int:
        return int(self._carried[kernel.CELLS])

    @property
    def tiles(self) -> np.ndarray:
        return self._tiles[: self._carried[kernel.TILES]]

    @property
    def memory(self) -> int:
        """Bytes of all its arrays."""
        return sum(a.nbytes for a in vars(self).values() if isinstance(a, np.ndarray))

    @cached_property
    def frontier(self) -> Frontier:
        """The line at which one stops, as far as values there are computed well: elsewhere the window ends too near to it."""
        ahead = np.flatnonzero(self._reach >= 0)
        looked_at = ahead[np.unique(np.linspace(0, len(ahead) - 1, LOOKED_AT).astype(int))] if len(ahead) else ahead
        trusted = -1
        for x in looked_at.tolist():
            left = int(self._reach[x])
            if self.error((left - x) // 2, (left + x) // 2) > GOOD_LINE * max(1.0, math.sqrt(left)):
                break
            trusted = x
        reach = np.maximum.accumulate(np.append(-1, self._reach[1 : trusted + 1]))
        return Frontier(reach, max(0, int(reach[-1])))

    def row(self, fewest: int, most: int) -> np.ndarray:
        """W at this stage for fewest..most balls of +1; its lower bound outside of the window."""
        i = np.arange(fewest, most + 1)
        j = self._carried[kernel.TOP] - i
        inside = (j >= 0) & (j < self._carried[kernel.WIDTH])
        bound = np.maximum(0.0, self.stage - 2.0 * i)
        window = self._buffer[self._carried[kernel.BASE] :]
        return np.where(inside, window[np.where(inside, j, 0)], bound)

    def rounding(self) -> np.ndarray:
        """float64[tiles]: the rounding error up to the end of each tile."""
        return rounding_error(self.tiles, self._highest[: len(self.tiles)])

    def error(self, plus: int, minus: int) -> float:
        """How far W at this urn can be from the truth; the urn must be in the window or a few balls from its end."""
        rounding = self.rounding()
        last = min(int(np.searchsorted(self.tiles[:, kernel.LAST], plus + minus)), len(rounding) - 1)
        return float(exit_error(self.tiles, plus, minus).sum()) + (float(rounding[last]) if len(rounding) else 0.0)

    def curve_errors(self) -> np.ndarray:
        """float64[at]: how far each value of the curve can be from the truth."""
        missed = np.concatenate([np.zeros(1), np.cumsum(exit_error(self.tiles, self.plus, self.minus, self.total))])
        rounding = np.concatenate([self.rounding(), np.zeros(1)])
        tile = np.searchsorted(self.tiles[:, kernel.LAST], 2 * self.at)
        return missed[np.minimum(tile, len(missed) - 1)] + rounding[np.minimum(tile, len(rounding) - 2)]

    def share(self) -> float:
        """The share of the work that is done: the window is as wide as sqrt(m (N - m))."""
        s = self.stage / self.total if self.total else 1.0
        return (2 * math.asin(math.sqrt(s)) - 2 * math.sqrt(s * (1 - s)) * (1 - 2 * s)) / math.pi

    # --- going on -----------------------------------------------------------------------------------------------------------

    @property
    def depth(self) -> int:
        """For so many draws from the urn, all that can follow is known: `kept` is the stage there, by +1 balls drawn."""
        return min(KEPT, self.total)

    def run(self, progress: Progress = silent, checkpoint: Path | None = None) -> None:
        """Go on to the end. With a checkpoint, write it every minute, when interrupted, and at the end; it is left alone if all is done."""
        begun = self.stage
        if checkpoint and not begun:
            self.save(checkpoint)  # better to hear now that it can't be written
        try:
            if not len(self.kept):
                self._run_to(self.total - self.depth, progress, checkpoint)
                self.kept = self.row(self.plus - self.depth, self.plus)[::-1].copy()
            self._run_to(self.total, progress, checkpoint)
        finally:
            if checkpoint and self.stage > begun:
                self.save(checkpoint)

    def _run_to(self, end: int, progress: Progress, checkpoint: Path | None) -> None:
        saved = time.perf_counter()
        while self.stage < end:
            self._make_room()
            with Stopwatch() as watch:
                kernel.sweep(
                    self._buffer, self._history, self._carried, self._tiles, self._highest, self._reach, self.at,
                    self.curve, self.plus, self.minus, end, self.deviations, BUDGET,
                )  # fmt: skip
            self.seconds += watch.seconds
            self.compiling += watch.compiling
            progress("sweeping", round(1e6 * self.share()), 1_000_000)
            if checkpoint and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                self.save(checkpoint)
                saved = time.perf_counter()

    def _make_room(self) -> None:
        if 2 * len(self.tiles) >= len(self._tiles):
            self._tiles = np.concatenate([self._tiles, np.zeros_like(self._tiles)])
            self._highest = np.concatenate([self._highest, np.zeros_like(self._highest)])

    # --- on disk ------------------------------------------------------------------------------------------------------------

    def save(
        self, path: Path, game: Mapping[str, Any] | None = None, more: Mapping[str, np.ndarray] | None = None
    ) -> None:
        """Write all that is needed to go on, atomically. `game`: what makes a solution of it (store.rules_header), with `more` arrays."""
        base, width, tiles = (int(self._carried[k]) for k in (kernel.BASE, kernel.WIDTH, kernel.TILES))
        header = {"kind": SWEEP, "run": self._run(), "zermelo": __version__, "seconds": self.seconds, **(game or {})}
        write(path, header, {
            "window": self._buffer[base : base + width], "carried": self._carried, "tiles": self._tiles[:tiles],
            "highest": self._highest[:tiles], "reach": self._reach, "at": self.at, "curve": self.curve, "kept": self.kept,
            **(more or {}),
        })  # fmt: skip

    def _run(self) -> dict[str, Any]:
        return {
            "balls that pay 1": self.plus,
            "balls that cost 1": self.minus,
            "width of the window": self.deviations,
            "values kept": len(self.at),
            "numbers carried": kernel.CARRIED,
        }

    def resume(self, path: Path) -> None:
        """Take over where the checkpoint is; raises `FileError` if it is damaged or of another run."""
        header, arrays = read(path, verify=True)
        if header.get("kind") != SWEEP:
            raise FileError(f"{path} is no checkpoint of a sweep: give another name")
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
        self._carried[:] = arrays["carried"]
        room = len(self._buffer) - len(arrays["window"]) - kernel.LONGEST - 2 * kernel.UNROLLED
        self._carried[kernel.BASE] = room - room % kernel.ALIGNED
        base = int(self._carried[kernel.BASE])
        self._buffer[base : base + len(arrays["window"])] = arrays["window"]
        tiles = len(arrays["tiles"])
        self._tiles, self._highest = np.zeros((2 * tiles + 64, 4), np.int64), np.zeros(2 * tiles + 64)
        self._tiles[:tiles], self._highest[:tiles] = arrays["tiles"], arrays["highest"]
        self._reach[:], self.curve[:] = arrays["reach"], arrays["curve"]
        self.kept = np.array(arrays["kept"])
        self.seconds = float(header["seconds"])


def _aligned(cells: int) -> np.ndarray:
    """Zeros that begin at a multiple of 64 bytes, as a processor's vectors like it."""
    raw = np.zeros(cells + kernel.ALIGNED)
    skip = (-raw.ctypes.data // raw.itemsize) % kernel.ALIGNED
    return raw[skip : skip + cells]


def swept(sweep: Sweep, progress: Progress, checkpoint: str | Path | None) -> Sweep:
    """The sweep, run to its end from where its checkpoint is, if there is one."""
    path = None if checkpoint is None else Path(checkpoint)
    if path is not None and path.is_dir():
        raise FileError(f"{path} is a directory; the checkpoint is a file")
    if path is not None and path.exists():
        sweep.resume(path)
    sweep.run(progress, path)
    return sweep
