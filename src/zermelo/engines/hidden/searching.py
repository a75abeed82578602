"""Regret minimisation until the interval is narrow enough: progress, Ctrl-C, and checkpoints."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np

from zermelo.basics.bounds import Certificate
from zermelo.certificates.best_replies import GUARANTEED, interval
from zermelo.engines.base import Request
from zermelo.errors import FileError
from zermelo.kernels.verify_replies import shares
from zermelo.methods.regrets import Regrets, completed
from zermelo.problem.sequences import SequenceForm
from zermelo.storage.contents import FLOATS, Arrays, check_contents, check_header
from zermelo.storage.file import alone_with, is_there, read, write
from zermelo.storage.game import rules_header
from zermelo.storage.hidden import SEARCH as KIND

TOLERANCE = 1e-3  # relative to the largest payoff, if none was given
FIRST_ROUNDS = 32
OFTEN = 4  # the interval is computed again after another 4th of the rounds so far
STALLED = 256  # times as many rounds without the gap getting smaller by a tenth: then floats can do no better
INTERRUPTED = "interrupted after"
LOOKS = 0.25  # seconds between two checks of Ctrl-C
CHECKPOINT_SECONDS = 60.0

Weights = tuple[Any, Any]


def bounded(form: SequenceForm, request: Request) -> tuple[Weights, Certificate, tuple[str, ...], dict[str, Any]]:
    """Strategies, their guarantees, notes and facts. Stops if the interval is narrow enough, no longer narrows, or the user
    interrupts; the result is then the best so far. Raises `FileError`."""
    path = None if request.checkpoint is None else Path(request.checkpoint)
    with nullcontext() if path is None else alone_with(path):
        search = _Search(form, request, path)
        if path is not None and is_there(path):
            search.resume(path)
        return search.run()


class _Search:
    """The search, and its best result so far."""

    def __init__(self, form: SequenceForm, request: Request, path: Path | None):
        self.form, self.request, self.path = form, request, path
        self.regrets = Regrets(form)
        self.best: Weights | None = None
        self.low, self.high = -np.inf, np.inf
        self.next = FIRST_ROUNDS  # rounds after which the interval is computed
        self.smaller = FIRST_ROUNDS  # rounds after which the gap had last decreased by a tenth
        self.gap = np.inf  # its value then
        self.is_whole = True  # no round has been started and not finished
        self.kept: tuple[int, dict[str, np.ndarray]] | None = None  # the rounds and arrays before those that have been started
        self.pace = 1e-6  # seconds per round
        self.saved = time.perf_counter()

    def run(self) -> tuple[Weights, Certificate, tuple[str, ...], dict[str, Any]]:
        notes: tuple[str, ...] = ()
        facts: dict[str, Any] = {}
        begun = self.regrets.rounds
        if self.path is not None and not begun:
            self._save()  # it is better to learn now that it cannot be written
        try:
            while not self._is_done():
                self._on_to(self.next)
                self._look()
                self.next = self.regrets.rounds + self.regrets.rounds // OFTEN
        except KeyboardInterrupt:
            self._step_back()
            if self.regrets.rounds == 0:
                raise
            self._look()
            notes = (f"{INTERRUPTED} {self.regrets.rounds:,} rounds: this is the best so far",)
            facts = {"interrupted": True}
        finally:
            self._step_back()
            if self.path is not None and self.is_whole and self.regrets.rounds > begun:
                self._save()
        assert self.best is not None
        plans = [self._plan(player) for player in range(2)]
        filled = [completed(self.form, player, self.best[player], plans[1 - player], self.regrets.gains[player]) for player in range(2)]
        certificate = Certificate("bound", self.low, self.high, GUARANTEED)
        return (filled[0], filled[1]), certificate, notes, {**facts, "rounds": self.regrets.rounds}

    def _is_done(self) -> bool:
        wish = TOLERANCE * self.form.largest
        if self.request.tolerance is not None:
            wish = self.request.tolerance * max(1.0, abs(self.low + self.high) / 2) if self.best is not None else 0.0
        return self.best is not None and ((self.high - self.low) / 2 <= wish or self.regrets.rounds >= STALLED * self.smaller)

    def _on_to(self, rounds: int) -> None:
        """Continue until this many rounds are done, a few at a time."""
        while self.regrets.rounds < rounds:
            count = max(1, min(rounds - self.regrets.rounds, int(LOOKS / self.pace)))
            count = min(count, FIRST_ROUNDS) if self.regrets.rounds < 2 * FIRST_ROUNDS else count
            self._keep()
            began, self.is_whole = time.perf_counter(), False
            self.regrets.run(count)
            self.is_whole = True
            self.pace = max((time.perf_counter() - began) / count, 1e-7)
            gap = "" if self.best is None else f", gap {max(self.high - self.low, 0.0):.0e}"
            self.request.progress(f"minimising regrets{gap}", self.regrets.rounds, None)
            if self.path is not None and time.perf_counter() - self.saved > CHECKPOINT_SECONDS:
                self._save()

    def _keep(self) -> None:
        """Copy what a checkpoint has to hold: Ctrl-C comes in the middle of a round."""
        if self.path is None:
            return
        arrays = self.regrets.arrays
        copies = {name: array.copy() for name, array in arrays.items()} if self.kept is None else self.kept[1]
        self.kept = None  # while it is written
        for name, array in arrays.items():
            copies[name][:] = array
        self.kept = self.regrets.rounds, copies

    def _step_back(self) -> None:
        """Drop rounds that were not finished, if the search is to be saved."""
        if not self.is_whole and self.kept is not None:
            self.regrets.go_on(*self.kept)
            self.is_whole = True

    def _look(self) -> None:
        """Compute the guarantees of the present strategies, and keep the best ones."""
        weights = self.regrets.weights
        low, high = interval(self.form, weights)
        if high - low < 0.9 * self.gap:
            self.smaller, self.gap = self.regrets.rounds, high - low
        if self.best is None or high - low < self.high - self.low:
            (self.low, self.high), self.best = (low, high), weights

    def _plan(self, player: int) -> np.ndarray:
        assert self.best is not None
        side, weights = self.form.sides[player], self.best[player]
        plan = np.empty(len(weights))
        shares(weights, side.parent, side.first, plan, np.empty(len(weights)))
        return plan

    # --- on disk ----------------------------------------------------------------------------------------------------------

    def _about(self) -> dict[str, Any]:
        """The identity that a checkpoint of this search must have."""
        order = 0
        for side in self.form.sides:
            order = crc32(side.first.tobytes(), crc32(side.parent.tobytes(), order))
        panels = [len(self.regrets.arrays[f"known {player}"]) for player in range(2)]
        return {"sequences": list(self.form.shape), "panels": panels, "order": order}

    def _save(self) -> None:
        assert self.path is not None
        header = {
            **rules_header(self.request.game), "kind": KIND, "search": self._about(), "rounds": self.regrets.rounds, "next": self.next,
            "smaller": self.smaller,
        }  # fmt: skip
        arrays = dict(self.regrets.arrays)
        if self.best is not None:
            arrays |= {"ends": np.array([self.low, self.high]), "best 0": self.best[0], "best 1": self.best[1]}
        write(self.path, header, arrays)
        self.saved = time.perf_counter()

    def resume(self, path: Path) -> None:
        """Resume from a checkpoint. Raises `FileError` if it is damaged or belongs to another search."""
        header, arrays = read(path, verify=True)
        if header.get("kind") != KIND:
            raise FileError(f"{path} is no checkpoint of regret minimisation: give another name")
        check_header(path, header)
        here = rules_header(self.request.game)
        for name in ("parameters", "rules hash"):
            if header.get(name) != _as_stored(here[name]):
                raise FileError(f"{path} is the checkpoint of another game ({name} differ): give another name, or the same game")
        if header.get("search") != self._about():
            raise FileError(f"{path} is the checkpoint of the same game in another form: give another name")
        check_contents(path, header, arrays, self._check)
        self.regrets.go_on(int(header["rounds"]), dict(arrays))
        self.next, self.smaller = int(header["next"]), int(header.get("smaller", header["rounds"]))
        if "ends" in arrays:
            self.low, self.high = arrays["ends"].tolist()
            self.gap = self.high - self.low
            self.best = np.array(arrays["best 0"]), np.array(arrays["best 1"])

    def _check(self, header: Mapping[str, Any], arrays: Arrays) -> None:
        for name, own in self.regrets.arrays.items():
            arrays.shape(name, FLOATS, len(own))


def _as_stored(value: Any) -> Any:
    """A value as read from a header."""
    return json.loads(json.dumps(value))
