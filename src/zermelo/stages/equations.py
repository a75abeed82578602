"""The linear system of one stage, written by the compiled rules: x = right + P x, later stages being known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import NoValue, OutOfReach, RulesError
from zermelo.kernels import status
from zermelo.kernels.sweeps import System
from zermelo.link import StagedRules
from zermelo.stages.spaces import Stages

THREADS = 2
CHUNK = 1 << 18  # states a call of the kernel, so that Ctrl-C is heard
TOO_LITTLE_ROOM = -1
SAMPLE = 100  # states by which the room for a stage is judged


class Stage(NamedTuple):
    """What is solved for one stage."""

    system: System
    square: np.ndarray  # float64[n]: the mean square of what is left of a play after it has left the stage
    scale: np.ndarray  # float64[n]: by how much a row was multiplied to leave its own state out; 0 where play is over


class Equations:
    """Writes the systems of a game's stages, `values` and `squares` of later stages being filled in."""

    def __init__(self, stages: Stages, native: StagedRules, values: np.ndarray, squares: np.ndarray):
        self.stages, self.native, self.values, self.squares = stages, native, values, squares
        rules = stages.rules
        self.payoffs = values.shape[1]
        extra = np.full((len(stages.columns), self.payoffs - len(rules.payoffs)), len(rules.payoffs), np.int64)
        self.columns = np.hstack([stages.columns, extra])
        self.group = groups(self.columns)
        self.counts = np.zeros(status.STAGED_COUNTERS, np.int64)
        self.most_paid = np.zeros(self.payoffs)  # by a state on average, all signs taken as plus

    def of(self, stage: int) -> Stage:
        """The system of a stage, and what the squares of lengths need."""
        n = self.stages.states_of(stage)
        a_state = self._most_entries(stage)
        while True:
            room = n * a_state + 1
            first = np.zeros(n + 1, np.int64)
            to, weight, turn = np.empty(room, np.int32), np.empty(room), np.empty(room, np.int8)
            right, square, scale = np.empty((n, self.payoffs)), np.empty(n), np.empty(n)
            half = n // 2 if n > CHUNK else n
            ranges = [(0, half), (half, n)] if half < n else [(0, n)]
            arrays = (first, to, weight, turn, right, square, scale)
            with ThreadPoolExecutor(THREADS) as pool:
                parts = [pool.submit(self._write, stage, low, high, low * a_state, arrays) for low, high in ranges]
                ends = [part.result() for part in parts]
            if TOO_LITTLE_ROOM in ends:
                a_state *= 2
                continue
            end = ends[0]
            for (low, _), stop in zip(ranges[1:], ends[1:], strict=True):  # close the gap between the parts
                begin = low * a_state
                for array in (to, weight, turn):
                    array[end : end + stop - begin] = array[begin:stop]
                first[low + 1 :] -= begin - end
                end += stop - begin
            system = System(first, to[:end], weight[:end], turn[:end], self.columns, self.group, right)
            return Stage(system, square, scale)

    def _most_entries(self, stage: int) -> int:
        """Entries that a row may need: the most that a sample of states needs."""
        n = self.stages.states_of(stage)
        ranks = np.unique(np.linspace(0, n - 1, SAMPLE).astype(np.int64))
        room = 64
        while True:
            first, right, one = np.zeros(2, np.int64), np.empty((1, self.payoffs)), np.empty(1)
            to, weight, turn = np.empty(room, np.int32), np.empty(room), np.empty(room, np.int8)
            most = 1
            for rank in ranks:
                counts = np.zeros_like(self.counts)
                arrays = (first, to, weight, turn, right, one, one, np.zeros(self.payoffs))
                self._call(stage, int(rank), int(rank) + 1, arrays, counts)
                if counts[status.REASON] == status.GROW:
                    break
                most = max(most, int(first[1]))
            else:
                return most
            room *= 2

    def _write(self, stage: int, low: int, high: int, at: int, arrays: tuple[np.ndarray, ...]) -> int:
        """Write the rows low..high-1, their entries from place `at` on; the place after the last one, or TOO_LITTLE_ROOM."""
        first, to, weight, turn, *by_row = arrays
        counts, most_paid = np.zeros_like(self.counts), np.zeros(self.payoffs)
        for begin in range(low, high, CHUNK):
            end = min(begin + CHUNK, high)
            own = np.empty(end - begin + 1, np.int64)
            rows = (array[begin:end] for array in by_row)
            self._call(stage, begin, end, (own, to[at:], weight[at:], turn[at:], *rows, most_paid), counts)
            if counts[status.REASON] == status.GROW:
                return TOO_LITTLE_ROOM
            first[begin + 1 : end + 1] = own[1:] + at
            at += int(own[-1])
        self.counts = np.maximum(self.counts, counts)
        self.most_paid = np.maximum(self.most_paid, most_paid)
        return at

    def _call(self, stage: int, low: int, high: int, arrays: tuple[np.ndarray, ...], counts: np.ndarray) -> None:
        rank = self.native.write_rows(
            *self.stages.tables, self.stages.offset, self.stages.first, stage, low, high, self.values, self.squares, self.columns,
            *arrays, counts,
        )  # fmt: skip
        reason = int(counts[status.REASON])
        if reason not in (status.DONE, status.GROW):
            raise self._fault(reason, self.stages.state(stage, rank))

    def _fault(self, reason: int, state: Any) -> Exception:
        rules = self.stages.rules
        here = rules.show(state)
        if reason == status.ENDLESS:
            return NoValue(f"{rules.name}: play hardly ever leaves {here}")
        words = {
            status.BAD_WAYS: "the ways of an outcome are negative, not a number, or not between 1e-100 and 1e100",
            status.BAD_PAYOFF: "a payoff is not a number, or beyond 1e100",
            status.BAD_STAGE: "`stage` falls along play: it must never decrease",
            status.BAD_TURN: "`turned` turns a table by a negative number of seats, or by more than `seats` names",
            status.LATE: "a state follows whose `stage` is beyond the last `space(stage)`",
            status.OUTSIDE: "a state follows that the `space` of its stage does not hold (its table turned)",
        }[reason]
        return RulesError(rules.name, [f"at {here}: {words}"])


def groups(columns: np.ndarray) -> np.ndarray:
    """int64[payoffs]: payoffs that take values from one another have one number, counted from 0."""
    label = np.arange(columns.shape[1])
    for row in columns:
        for j, k in enumerate(row):
            label[label == label[k]] = label[j]
    return np.unique(label, return_inverse=True)[1].astype(np.int64)


def memory_for(stages: Stages, payoffs: int, machine: int) -> None:
    """Refuse what this machine can't hold: the values of all states, and the equations of the largest stage."""
    largest = max(space.size for space in stages.spaces)
    needed = stages.num_states * (payoffs * 8 + 12) + largest * (payoffs * 8 + 200)
    if needed > machine:
        raise OutOfReach(
            f"{stages.rules.name} has {stages.num_states:,} states with {payoffs} values each: about {needed / 2**30:.0f} GiB, "
            f"and this machine has {machine / 2**30:.0f}; give smaller parameters"
        )
