"""The linear system of one stage, written by the compiled rules: x = right + P x, where the values of later stages are known."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.machine import require
from zermelo.basics.numbering import number_type
from zermelo.basics.runs import running, runs
from zermelo.basics.threads import ranges, shared
from zermelo.engines.base import GivesUp
from zermelo.engines.faults import raised_at
from zermelo.engines.stages.columns import Columns
from zermelo.engines.stages.spaces import Stages, check_laws
from zermelo.errors import RulesError
from zermelo.kernels import status
from zermelo.language.checking import check_states
from zermelo.link import RuleRaised, StagedRules

CHUNK = 1 << 18  # states per call of the kernel, so that Ctrl-C is noticed
LEAST = 1 << 11  # the fewest states that a thread is given at a time
SHARES = 8  # of each thread: states in sequence take different times
TOO_LITTLE_ROOM = -1
SAMPLE = 30  # states from which the room for a stage is estimated: far more than rows need on average, which is what counts
SMALL, FEW = 1000, 64  # states of a stage, and nonzeros for each for which there is room in such a one


class Stage(NamedTuple):
    """The equations of one stage, for all columns: the nonzeros of P by rows, and `right`, which contains payoffs and values of later
    stages. Rows and next states are numbered by rank, or in another `order`; `right` and `scale` are by rank in any case."""

    first: np.ndarray  # int64[n + 1]
    to: np.ndarray  # int32[nonzeros], or int64 (basics/numbering.py): the next state
    weight: np.ndarray  # float64[nonzeros]: its probability, scaled
    turn: np.ndarray  # int8[nonzeros], or int16: the number of seats by which the table was rotated
    right: Columns
    scale: np.ndarray  # float64[n]: the factor by which a row was multiplied to eliminate its own state; 0 where play is over
    order: np.ndarray | None = None  # int64[n]: the rank of each row
    place: np.ndarray | None = None  # of the numbers' type [n]: the row of each rank


class Equations:
    """Writes the equations of a game's stages; `values` must be filled in for later stages.

    The columns of `values` are the payoffs, the number of moves unless a payoff counts it, and its square.
    """

    def __init__(
        self, stages: Stages, native: StagedRules, values: Columns, columns: np.ndarray, all_outcomes: bool = False
    ):
        self.all_outcomes = all_outcomes  # write every outcome, with numbers of states in the whole game
        self.numbers = number_type(stages.num_states if all_outcomes else max(space.size for space in stages.spaces))
        self.turns = np.min_scalar_type(-len(columns))  # holds the number of seats by which a table is turned
        self.stages, self.native, self.values, self.columns = stages, native, values, columns
        self.counts = np.zeros(status.STAGED_COUNTERS, np.int64)
        self.most_paid = np.zeros(len(values.group))  # the most paid by a state on average, in absolute values

    def nothing(self) -> Stage:
        """The equations of a stage without states."""
        to, turn = np.zeros(0, self.numbers), np.zeros(0, self.turns)
        return Stage(np.zeros(1, np.int64), to, np.zeros(0), turn, Columns(0, self.values.group), np.zeros(0))

    def of(self, stage: int) -> Stage:
        """The equations of a stage, written by all threads."""
        n = self.stages.states_of(stage)
        a_state = self._most_nonzeros(stage) if n > SMALL else FEW
        pieces = ranges(n, LEAST, SHARES)
        while True:
            room = n * a_state
            first, right, scale = np.zeros(n + 1, np.int64), Columns(n, self.values.group), np.empty(n)
            to, weight, turn = np.empty(room, self.numbers), np.empty(room), np.empty(room, self.turns)
            arrays = Stage(first, to, weight, turn, right, scale)
            parts = shared(lambda piece: self._write(stage, *piece, a_state, arrays), pieces)  # noqa: B023
            ends = [self._counted(*part) for part in parts]
            if TOO_LITTLE_ROOM in ends:
                a_state *= 2
                continue
            end = ends[0]
            for (low, high), stop in zip(pieces[1:], ends[1:], strict=True):  # close the gaps between the parts
                begin = low * a_state
                for array in (to, weight, turn):
                    array[end : end + stop - begin] = array[begin:stop]
                first[low + 1 : high + 1] -= begin - end
                end += stop - begin
            return Stage(first, to[:end], weight[:end], turn[:end], right, scale)

    def _most_nonzeros(self, stage: int) -> int:
        """The number of nonzeros that a row may have: the most in a sample of states."""
        n, room = self.stages.states_of(stage), 64
        ranks = np.unique(np.linspace(0, n - 1, SAMPLE).astype(np.int64))
        right, most_paid = Columns(n, self.values.group), np.zeros_like(self.most_paid)
        while True:
            first, scale = np.zeros(2, np.int64), np.empty(1)
            to, weight, turn = np.empty(room, self.numbers), np.empty(room), np.empty(room, self.turns)
            most = 1
            for rank in ranks:
                counts = np.zeros_like(self.counts)
                self._call(
                    stage, int(rank), int(rank) + 1, Stage(first, to, weight, turn, right, scale), most_paid, counts
                )
                if counts[status.REASON] == status.GROW:
                    break
                most = max(most, int(first[1]))
            else:
                return most
            room *= 2

    def _counted(self, end: int, counts: np.ndarray, most_paid: np.ndarray) -> int:
        """Add the counts of one thread; returns `end`."""
        self.counts = np.maximum(self.counts, counts)
        self.most_paid = np.maximum(self.most_paid, most_paid)
        return end

    def _write(self, stage: int, low: int, high: int, a_state: int, arrays: Stage) -> tuple[int, np.ndarray, np.ndarray]:
        """Write the rows low..high-1, with room for `a_state` nonzeros each, from that of row `low` on. Returns the index behind the last
        nonzero, or TOO_LITTLE_ROOM; counts; and most_paid."""
        at, room = low * a_state, high * a_state
        counts, most_paid = np.zeros_like(self.counts), np.zeros_like(self.most_paid)
        for begin in range(low, high, CHUNK):
            end = min(begin + CHUNK, high)
            own = np.empty(end - begin + 1, np.int64)
            part = Stage(
                own, arrays.to[at:room], arrays.weight[at:room], arrays.turn[at:room], arrays.right, arrays.scale[begin:end]
            )
            self._call(stage, begin, end, part, most_paid, counts)
            if counts[status.REASON] == status.GROW:
                return TOO_LITTLE_ROOM, counts, most_paid
            arrays.first[begin + 1 : end + 1] = own[1:] + at
            at += int(own[-1])
        return at, counts, most_paid

    def _call(self, stage: int, low: int, high: int, to: Stage, most_paid: np.ndarray, counts: np.ndarray) -> None:
        try:
            rank = self._run_kernel(stage, low, high, to, most_paid, counts)
        except RuleRaised as error:
            raise self._raised(stage, low, high, to, error) from None
        reason = int(counts[status.REASON])
        if reason not in (status.DONE, status.GROW):
            raise self._fault(reason, stage, self.stages.state(stage, rank))

    def _raised(self, stage: int, low: int, high: int, to: Stage, error: RuleRaised) -> RulesError:
        """The error for a rule that stopped or raised an exception at one of these states: found by examining one after another."""
        for rank in range(low, high):
            try:
                self._run_kernel(stage, rank, rank + 1, to, np.zeros_like(self.most_paid), np.zeros_like(self.counts))
            except RuleRaised as again:
                return raised_at(self.stages.rules, self.stages.state(stage, rank), again)
        return error

    def _run_kernel(self, stage: int, low: int, high: int, to: Stage, most_paid: np.ndarray, counts: np.ndarray) -> int:
        """Run the kernel. Returns the last rank that it processed."""
        values = self.values
        left = int(self.stages.offset[stage + 1]) - low
        return self.native.write_rows(
            left, high - low, *self.stages.tables, self.stages.offset, self.stages.first, stage, low, high, self.all_outcomes, values.flat,
            values.place, values.stride, self.columns, to.first, to.to, to.weight, to.turn, to.right.flat, to.right.place, to.scale,
            most_paid, counts,
        )  # fmt: skip

    def _fault(self, reason: int, stage: int, state: Any) -> Exception:
        rules = self.stages.rules
        here = rules.in_line(state)
        if reason == status.ENDLESS:
            return GivesUp(f"play hardly ever leaves {here}")
        check_states(rules, [state])  # raises, with the line, if it shows in Python
        if reason == status.BAD_WAYS:
            check_laws(self.stages, [state])  # which knows PASS
        turned = " (its table turned)" if hasattr(rules.game, "turned") else ""
        words = status.IN_WORDS | {
            status.BAD_STAGE: "`stage` falls: it must never fall along play",
            status.BAD_TURN: "`turned` turns a table by a number of seats that is negative, not whole, or more than `seats` names",
            status.LATE: "a state follows whose `stage` is beyond the last `space(stage)`",
            status.OUTSIDE: f"a state follows that the `space` of its stage does not hold{turned}",
        }
        if reason == status.OTHER_STAGE:
            own = f"`space({stage + self.stages.first})` holds this state, but its `stage` is {rules.game.stage(state)}"
            words[reason] = f"{own}: each space holds the states of its own stage, and no others"
        return RulesError(rules.name, [f"at {here}: {words[reason]}"])


def arranged(equations: Stage, order: np.ndarray) -> Stage:
    """The same equations with the rows in this order, moved by all threads. The certificate needs a row for every state."""
    begin, lengths = equations.first[:-1][order], np.diff(equations.first)[order]
    first, place = running(lengths), np.full(len(order), -1, equations.to.dtype)
    place[order] = np.arange(len(order))
    if len(order) != len(equations.first) - 1 or place.min() < 0:
        raise AssertionError("an order leaves out states: a bug in Zermelo, please report it")
    to, weight, turn = (np.empty_like(array) for array in (equations.to, equations.weight, equations.turn))

    def move(low: int, high: int) -> None:
        places, here = runs(begin[low:high], lengths[low:high]), slice(first[low], first[high])
        np.take(place, equations.to[places], out=to[here], mode="clip")  # none is outside: nothing is copied first
        np.take(equations.weight, places, out=weight[here], mode="clip")
        np.take(equations.turn, places, out=turn[here], mode="clip")

    shared(lambda piece: move(*piece), ranges(len(order), LEAST, SHARES))
    return equations._replace(first=first, to=to, weight=weight, turn=turn, order=order, place=place)


def memory_for(stages: Stages, columns: int, on_disk: bool) -> None:
    """Raise `OutOfReach` if the values of all states (unless they are kept on disk) and the equations of the largest stage need more
    memory than is available."""
    largest = max(space.size for space in stages.spaces)
    needed = stages.num_states * ((0 if on_disk else columns * 8) + 12) + largest * (2 * columns * 8 + 200)
    what = f"{stages.rules.name} has {stages.num_states:,} states with {columns} values each: "
    if on_disk:
        require(needed, f"{what}the largest stage, of {largest:,} states,")
    else:
        advice = "give smaller parameters, or a folder in which the values are kept on the disk (checkpoint=FOLDER, --checkpoint FOLDER)"
        require(needed, f"{what}all of them", advice)
