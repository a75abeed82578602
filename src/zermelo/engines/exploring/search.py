"""The search for all states of a game, with one layout.

A batch of the states found last is asked about (link/templates/steps.py), by all threads where many states wait, and what follows is
entered by one of them (kernels/exploring.py). Numbers of states do not depend on the order in which they are found: they are given at
the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np

from zermelo.basics import machine
from zermelo.basics.progress import Progress
from zermelo.basics.threads import ahead, threads
from zermelo.engines.base import MOST_EXPLORED
from zermelo.engines.exploring.explored import BATCH, BATCH_OUTCOMES, Explored
from zermelo.engines.faults import holding_successors, leads_further, raised_at
from zermelo.errors import NoMemory, OutOfReach, RulesError
from zermelo.kernels import status
from zermelo.kernels.exploring import ask, enter_keys, enter_steps, order_components, wait_again
from zermelo.kernels.tables import rehash, renumber
from zermelo.language.rules import Rules
from zermelo.link import InterpretedRules, Numbers, RuleRaised, StepArrays
from zermelo.states.keys import OBJECTS, room
from zermelo.states.layout import Layout

DIRECT_BITS = 24  # up to 2^24 keys are addressed directly: 64 MiB of table
BUDGET = 500_000  # states explored between two looks at the clock and at Ctrl-C
FEW = 1 << 8  # states that are asked about at a time, if Python is asked
THIN = 5_000  # so many batches of few states, and they are left to a loop that is compiled for this game
SHARED = 1 << 11  # states that are worth a thread; with fewer, calls from Python (25 microseconds a batch) count
UNASKED = 1 << 25  # bytes that are taken without a look at how much memory is free
GROWN = 1.5  # by this factor a number has grown while states have doubled
LOOKED_AT = 1 << 18  # states, evenly spread
WIDE = 1000  # numbers that take fewer values are not looked at
FAR = 1 << 40  # by so much a number is changed to see whether rules lead further
ANY = 1 << 62
MOST_NUMBERED = 2**31 - 1  # states have numbers of 32 bits here and in solvers; so many would take more than 100 GiB


class _Batch:
    """States that are asked about together."""

    def __init__(self, payoffs: int, states: int, outcomes: int, words: int):
        self.asked, self.slots = room(words, states), np.empty(states, np.int32)  # keys and numbers
        self.room = StepArrays(payoffs, states, outcomes, words)
        self.count = self.written = 0
        self.error: RuleRaised | None = None


class Search:
    """States, in the order in which they are found, and what is known of them."""

    def __init__(self, rules: Rules, layout: Layout, native: Any, roots: np.ndarray, max_states: int, progress: Progress):
        self.rules, self.layout, self.native, self.progress = rules, layout, native, progress
        self.max_states = max_states
        self.is_interpreted = isinstance(native, InterpretedRules)
        self.direct = self.is_interpreted or sum(layout.bits) <= DIRECT_BITS
        size = 1 << sum(layout.bits) if sum(layout.bits) <= DIRECT_BITS else 1 << 16
        self.table = Numbers() if self.is_interpreted else np.full(size, -1, np.int32)
        self.words = native.words_of(layout)
        self.keys, self.begin = room(self.words, 0), np.empty(0, np.int64)
        self.fan, self.waiting, self.link = (np.empty(0, np.int32) for _ in range(3))
        self.states, self.outcomes = (FEW, 16 * FEW) if self.is_interpreted else (BATCH, BATCH_OUTCOMES)  # of a batch
        self.free: list[_Batch] = []
        self.begun: list[_Batch] = []  # states that were asked about and have not been entered
        self.thin = 0  # batches of few states so far
        self.is_begun = False  # a first batch has been entered: the rules are compiled
        self.ends: np.ndarray | None = None  # the smallest and the largest number of every slot when there were `looked_at` states
        self.looked_at = BUDGET // 2
        self.c = np.zeros(status.COUNTERS, np.int64)
        self._make_room(len(roots), 0)
        native.run(enter_keys, self.table, self.direct, self.keys, native.keys_of(layout, roots[::-1].copy()), self.waiting, self.c)
        self.roots = int(self.c[status.FOUND])

    def run(self) -> Layout | None:
        """Search to the end. Returns None, or the wider layout that is needed instead."""
        while self.c[status.WAITING] > 0:
            why = self.step(int(self.c[status.FOUND]) + BUDGET)
            slots = int(self.c[status.FOUND])
            self.progress("exploring", slots, None)
            if why == status.OUTSIDE:
                return holding_successors(self.rules, self.layout, self._bad_state())
            if why == status.TOO_MANY:  # of outcomes of one state
                self._check_memory()
                self.outcomes *= 2
                self.free.clear()
            elif why not in (status.DONE, status.GROW):
                raise RulesError(self.rules.name, [f"at {self.rules.show(self._bad_state())}: {status.IN_WORDS[why]}"])
            if slots > self.max_states:
                raise OutOfReach(
                    f"{self.rules.name} has more than {self.max_states:,} states; give smaller parameters or raise max_states"
                )
            if slots >= 2 * self.looked_at and self.max_states == MOST_EXPLORED:
                self._check_growth(slots)
        return None

    def _check_growth(self, slots: int) -> None:
        """Raise `OutOfReach` if a number in the state seems to grow without end: it has grown with the number of states, and from the state
        where it is largest (or smallest) the rules also lead further if it is far larger. Nobody then waits for what can't end; who
        knows better gives `max_states`."""
        keys = self.keys[: slots : max(1, slots // LOOKED_AT)]
        columns = self.layout.columns(self._array(keys))
        ends = np.column_stack([columns.min(axis=1), columns.max(axis=1)])
        before, self.ends, self.looked_at = self.ends, ends, slots
        if before is None:
            return
        width, was = ends[:, 1] - ends[:, 0], before[:, 1] - before[:, 0]
        for slot in np.flatnonzero((width > GROWN * was) & (width > WIDE)).tolist():
            for side in np.flatnonzero(ends[slot] != before[slot]).tolist():
                at = int(np.argmin(columns[slot]) if side == 0 else np.argmax(columns[slot]))
                further = leads_further(self.rules, self.layout.unpack(keys[at]), slot, -FAR if side == 0 else FAR)
                if further is not None:
                    name = self.layout.slot_names[slot]
                    raise OutOfReach(
                        f"{self.rules.name} has more than {slots:,} states, and `{name}`, which has come to {ends[slot, side]:,}, seems to "
                        f"go on without end: the rules lead from {name}={further[0]:,} to {further[1]:,}; end play somewhere, or give "
                        f"max_states={MOST_EXPLORED + 1} if it does end"
                    )

    def step(self, most: int) -> int:
        """Search on until so many states have been found. Returns why it stopped (kernels/status.py)."""
        most = min(most, self.max_states)
        wide = ANY if self.is_interpreted or threads() == 1 or not self.is_begun else 2 * SHARED  # from here on with several threads
        number = threads() if self.c[status.WAITING] >= wide else 1
        if number == 1 and (self.is_interpreted or self.thin > THIN):
            return self._loop(most, wide)
        with closing(ahead(self._ask, self._batches(most, wide, number), number)) as asked:
            for batch in asked:
                why = self._enter(batch)
                if why != status.DONE:
                    break
            else:
                return status.DONE
        for batch in self.begun:  # no thread works on them any more
            self._wait_again(batch, 0)
        self.begun.clear()
        return why

    def _batches(self, most: int, wide: int, number: int) -> Iterator[_Batch]:
        """Batches of waiting states, while as many wait as suit this number of threads, and no more than so many have been found."""
        least, limit = (1, wide) if number == 1 else (SHARED, ANY)
        while least <= (waiting := int(self.c[status.WAITING])) < limit and self.c[status.FOUND] <= most:
            if number == 1 and self.thin > THIN:
                return
            batch = self._free_batch()
            count = max(SHARED, waiting // number)
            batch.count = self.native.run(ask, self.keys, self.waiting, batch.asked[:count], batch.slots, self.c)
            self.thin += batch.count < SHARED
            self.begun.append(batch)
            yield batch

    def _free_batch(self) -> _Batch:
        return self.free.pop() if self.free else _Batch(len(self.rules.payoffs), self.states, self.outcomes, self.words)

    def _ask(self, batch: _Batch) -> _Batch:
        """Ask what follows from the states of a batch."""
        batch.error = None
        try:
            batch.written = self.native.write_steps(self.layout, batch.asked[: batch.count], *batch.room.arrays)
        except RuleRaised as error:
            batch.error, batch.written = error, int(batch.room.at[0])
        return batch

    def _enter(self, batch: _Batch) -> int:
        """Enter what follows from the states of a batch; those for which there was no room wait again. Returns a status; raises what a rule
        raised at one of them, with the state."""
        self.begun.remove(batch)
        self._wait_again(batch, batch.written)
        if batch.written == 0 and batch.error is None:
            return status.TOO_MANY
        row_of, outcome_of, ways, key, sign, payoff, final, player, _ = batch.room.written(batch.written)
        self._make_room(len(key), len(key))
        why: int = self.native.run(
            enter_steps, self.table, self.direct, self.keys, batch.slots, batch.written, row_of, outcome_of, ways, key, sign, payoff,
            final, player, self.waiting, self.begin, self.fan, self.link, self.c,
        )  # fmt: skip
        if batch.error is not None and why == status.DONE:
            raise raised_at(self.rules, self.layout.unpack(batch.asked[batch.written]), batch.error) from None
        self.free.append(batch)
        self.is_begun = True
        return why

    def _wait_again(self, batch: _Batch, first: int) -> None:
        if first < batch.count:
            self.native.run(wait_again, self.waiting, batch.slots, first, batch.count, self.c)

    def _loop(self, most: int, wide: int) -> int:
        """The same in one kernel (link/templates/search.py), until as many states wait as are worth several threads."""
        batch = self._free_batch()
        self._make_room(self.outcomes, self.outcomes)
        try:
            why: int = self.native.search(
                self.layout, self.table, self.direct, self.keys, self.waiting, self.begin, self.fan, self.link, self.c, most, wide,
                batch.asked, batch.slots, *batch.room.arrays,
            )  # fmt: skip
        except RuleRaised as error:
            batch.error, batch.written = error, int(batch.room.at[0])
            batch.count = batch.written  # the others are not needed any more
            self.begun.append(batch)
            return self._enter(batch)
        self.free.append(batch)
        return why

    def _make_room(self, states: int, links: int) -> None:
        """Make room for so many more of them. Raises `NoMemory` if there is not so much memory, `OutOfReach` beyond the last number."""
        slots = int(self.c[status.FOUND]) + states
        if slots > MOST_NUMBERED:
            raise OutOfReach(
                f"{self.rules.name} has more than {int(self.c[status.FOUND]):,} states, and numbers of states go up to {MOST_NUMBERED:,}: "
                "give smaller parameters"
            )
        if slots > len(self.keys):
            self._check_memory()
            for name in ("keys", "begin", "fan", "waiting"):
                setattr(self, name, _grown(getattr(self, name), slots))
        if int(self.c[status.LINKS]) + links > len(self.link):
            self._check_memory()
            self.link = _grown(self.link, int(self.c[status.LINKS]) + links)
        if not self.direct and 2 * slots > len(self.table):
            self._check_memory()
            self.table = np.full(1 << (4 * slots).bit_length(), -1, np.int32)
            rehash(self.table, self.keys, int(self.c[status.FOUND]))

    def _check_memory(self) -> None:
        """Raise `NoMemory` if arrays of twice the size outgrow the memory that is free, as they do if a number in the state grows
        without end."""
        rooms = (array for batch in (*self.free, *self.begun) for array in batch.room.arrays)
        held = sum(a.nbytes for a in (*vars(self).values(), *rooms) if isinstance(a, np.ndarray))
        if held > UNASKED and 2 * held > (free := machine.available()):  # what is added, and one array twice while it is copied
            slots = int(self.c[status.FOUND])
            name, bits = max(zip(self.layout.slot_names, self.layout.bits, strict=True), key=lambda slot: slot[1])
            raise NoMemory(
                f"{self.rules.name} has more than {slots:,} states; room for twice as many needs {machine.in_words(2 * held)} of memory, "
                f"and {machine.in_words(free)} are free; "
                f"give smaller parameters, or see whether a number in the state grows without end ({name} has {bits} bits by now)"
            )

    def _bad_state(self) -> Any:
        return self.layout.unpack(self.keys[self.c[status.BAD_STATE]])

    def _array(self, keys: np.ndarray) -> np.ndarray:
        return self.layout.array(keys) if self.words == OBJECTS else keys

    def result(self) -> Explored:
        """All states, numbered in component order."""
        n = int(self.c[status.FOUND])
        number, order, starts, looped = (np.empty(n, t) for t in (np.int32, np.int32, np.int32, np.uint8))
        marks = np.empty((n, 4), np.int32 if self.c[status.LINKS] <= np.iinfo(np.int32).max else np.int64)
        self.native.run(
            order_components, self.roots, self.begin, self.fan, self.link, marks, number, order, starts, looped, self.c
        )
        if isinstance(self.table, Numbers):
            self.table = Numbers((key, int(number[slot])) for key, slot in self.table.items())
        else:
            renumber(self.table, number)
        components = int(self.c[status.COMPONENTS])
        facts = {name.lower(): int(self.c[getattr(status, name)]) for name in FACTS}
        return Explored(
            self.rules, self.layout, self.native, self._array(self.keys[:n])[order], self.table, self.direct,
            np.append(starts[:components], n).astype(np.int64), looped[:components].astype(bool),
            {**facts, "payoffs": len(self.rules.payoffs)},
        )  # fmt: skip


FACTS = (
    "ROWS", "OUTCOMES", "FINALS", "BRANCHES", "PASSES", "PLAYER_0", "PLAYER_1", "CHOICES", "PAYS", "PAYS_NEGATIVE", "CYCLES",
    "MOST_ACTIONS", "MIXED_FINAL",
)  # fmt: skip


def _grown(array: np.ndarray, size: int) -> np.ndarray:
    larger = np.empty((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    return larger
