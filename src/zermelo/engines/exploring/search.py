"""The search for all states of a game, breadth first.

A batch of the states that have waited longest is expanded (link/templates/steps.py) and entered (kernels/exploring.py). If many states are
waiting, all threads expand batches, which one of them enters, in order, so states are found in the same order for any number of threads.
If a state does not fit the layout, the search continues with a wider one. Numbers of states are assigned at the end.
"""

from __future__ import annotations

import math
import time
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics import machine
from zermelo.basics.numbering import number_type
from zermelo.basics.progress import Progress
from zermelo.basics.threads import threads, together
from zermelo.engines.base import MOST_EXPLORED
from zermelo.engines.exploring.explored import Explored
from zermelo.engines.faults import goes_on, holding_successors, leads_further, raised_at
from zermelo.errors import NoMemory, OutOfReach, RulesError
from zermelo.kernels import status
from zermelo.kernels.exploring import (
    OVER,
    READY,
    SAID,
    enter_keys,
    enter_steps,
    order_backwards,
    order_components,
    search_together,
)
from zermelo.kernels.kernel import forced
from zermelo.kernels.tables import rehash, renumber
from zermelo.language.checking import check_states
from zermelo.language.rules import Rules
from zermelo.link import InterpretedRules, Numbers, RuleRaised, StepArrays, Steps
from zermelo.states.keys import OBJECTS, are_keys, room
from zermelo.states.layout import Layout

DIRECT_BITS = 24  # up to 2^24 keys are addressed directly: 64 MiB of table
BUDGET = 500_000  # states explored between two checks of the clock and of Ctrl-C
BATCH, BATCH_OUTCOMES = 1 << 11, 1 << 14  # states that are expanded at a time, and room for outcomes, which stays in a processor's cache
FEW = 1 << 8  # states that are expanded at a time, if Python runs the rules, or as long as there are few
ROOTS = 1 << 10  # known states that Python enters in less time than it takes to load machine code for that
WIDE = 1 << 9  # waiting states from which on several threads pay off
FORESEEN, LINKS_A_STATE = 1 << 20, 4  # states for which there is room when threads begin, as it takes a moment to start them again
AMPLE = 1 << 30  # free bytes from which on this room is taken: addresses only, and no memory until they are used
ROOMS = 2  # batches for each of several threads
UNASKED = 1 << 25  # bytes that are allocated without checking how much memory is free
GROWN = 1.1  # the factor by which a growing number grows while states double (1.4 each if two numbers grow)
LOOKED_AT = 1 << 16  # the number of states that are examined, evenly spread
VARIED = 400  # numbers that take fewer values are not examined
OUTER = 8  # states with a number that none had before: whether rules lead further is looked for there
FAR = 1 << 40  # a number is changed by this much to see whether rules lead further
ANY = 1 << 62


class Search:
    """States, in the order in which they are found, and the data known about them."""

    def __init__(self, rules: Rules, layout: Layout, native: Any, roots: np.ndarray, max_states: int, progress: Progress):
        self.rules, self.progress, self.max_states = rules, progress, max_states
        self.is_interpreted = isinstance(native, InterpretedRules)
        self.has_help = False  # another process compiles meanwhile
        self.begin, self.link = np.zeros(1, np.int64), np.empty(0, number_type(0))
        self.states, self.outcomes = FEW, 16 * FEW  # of a batch, as long as there are few states
        self.batch: StepArrays | None = None  # what follows from the states of a batch
        self.wide = WIDE  # from this many waiting states on, several threads pay off
        self.rooms: StepArrays | None = None  # the same of all batches of several threads
        self.ends: np.ndarray | None = None  # the smallest and the largest number of every slot when there were `looked_at` states
        self.looked_at = BUDGET // 2
        self.c = np.zeros(status.COUNTERS, np.int64)
        self._hold(layout, native, roots)
        self.roots = int(self.c[status.FOUND])

    def _hold(self, layout: Layout, native: Any, keys: np.ndarray) -> None:
        """Use the keys of this layout from now on, for the states found so far."""
        self.layout, self.native, self.words = layout, native, native.words_of(layout)
        self.direct = self.is_interpreted or sum(layout.bits) <= DIRECT_BITS
        size = 1 << sum(layout.bits) if sum(layout.bits) <= DIRECT_BITS else 1 << 16
        self.table = Numbers() if self.is_interpreted else np.full(size, -1, self.link.dtype)
        self.keys = room(self.words, 0)
        self.batch = self.rooms = None
        self.is_begun = False  # first states have been entered: the rules are compiled
        self.c[status.FOUND] = 0
        self._make_room(len(keys), 0)
        given = self.table, self.direct, self.keys, native.keys_of(layout, keys), self.c
        if len(keys) <= ROOTS and self.words == 1 and forced() != "compiled":
            enter_keys.by_python(*given)
        else:
            native.run(enter_keys, *given)

    def _wider(self) -> Layout:
        """A layout that also holds the states that follow from the one at which the search stopped. Raises `RulesError`, `OutOfReach`."""
        state = self._bad_state()
        try:
            return holding_successors(self.rules, self.layout, state)
        except OutOfReach:  # numbers begin at 0 where there is room
            columns = self.layout.columns(self._array(self.keys[: self.c[status.FOUND]]))
            return holding_successors(self.rules, self.layout.shrunk(columns), state)

    def _widen(self, layout: Layout) -> None:
        """Continue with this layout, which can represent more states."""
        keys = self.layout.moved(self._array(self.keys[: self.c[status.FOUND]]), layout)
        self._hold(layout, self.native.with_layout(layout) if self.is_interpreted else self.native, keys)

    def run(self) -> None:
        """Search to the end."""
        while self.c[status.ENTERED] < self.c[status.FOUND]:
            self.heed(self.step(int(self.c[status.FOUND]) + BUDGET))

    def seconds_left(self, spent: float) -> float:
        """About how long the search still takes, if so many seconds have been spent and states go on to lead to as few new ones as the last
        eighth of those entered did; infinite if they lead to as many or more."""
        entered, found = int(self.c[status.ENTERED]), int(self.c[status.FOUND])
        before = entered - entered // 8
        if before == entered:
            return math.inf
        found_before = 1 + int(self.link[: self.begin[before]].max(initial=self.roots - 1))
        a_state = (found - found_before) / (entered - before)
        examined = entered + int(self._batch().at[0])  # also those of the batch that is being written
        return spent / examined * (found - examined) / (1.0 - a_state) if a_state < 1.0 else math.inf

    def heed(self, why: int) -> None:
        """Do what is needed for the search to go on after it stopped with this status. Raises `RulesError`, `OutOfReach`."""
        slots = int(self.c[status.FOUND])
        self.progress("exploring", slots, None)
        if why == status.AT_FAULT:
            why = self._fault()
        if why == status.OUTSIDE:
            self._widen(self._wider())
        elif why == status.TOO_MANY:  # too many outcomes of one state
            self._check_memory()
            self.outcomes *= 2
            self.batch = self.rooms = None
        elif why not in (status.DONE, status.GROW):
            state = self._faulty_state()
            check_states(self.rules, [state])  # raises, with the line, if it shows in Python
            raise RulesError(self.rules.name, [f"at {self.rules.in_line(state)}: {status.IN_WORDS[why]}"])
        if slots > self.max_states:
            raise OutOfReach(
                f"{self.rules.name} has more than {self.max_states:,} states; give smaller parameters or raise max_states"
            )
        if slots >= 2 * self.looked_at and self.max_states == MOST_EXPLORED:
            self._check_growth(slots)

    def _fault(self) -> int:
        """What is wrong with the state at fault: a status. What follows from it is written once more."""
        one, at = StepArrays(len(self.rules.payoffs), 1, self.outcomes, self.words), int(self.c[status.BAD_STATE])
        self.native.write_steps(self.layout, self.keys[at : at + 1], *one.arrays)
        return fault_of(one.written(1))

    def _check_growth(self, slots: int) -> None:
        """Raise `OutOfReach` if a number in the state seems to grow without limit: it has grown with the number of states; from a state
        where it is larger (or smaller) than before the rules also lead further if it is far larger; and play that aims for it does not end.
        So a user need not wait for a search that cannot end. A user who knows better sets `max_states`."""
        keys = self.keys[: slots : max(1, slots // LOOKED_AT)]
        columns = self.layout.columns(self._array(keys))
        ends = np.column_stack([columns.min(axis=1), columns.max(axis=1)])
        before, self.ends, self.looked_at = self.ends, ends, slots
        if before is None:
            return
        width, was = ends[:, 1] - ends[:, 0], before[:, 1] - before[:, 0]
        for slot in np.flatnonzero((width > GROWN * was) & (width > VARIED)).tolist():
            for side in np.flatnonzero(ends[slot] != before[slot]).tolist():
                sign = -1 if side == 0 else 1
                outer = np.flatnonzero((columns[slot] - before[slot, side]) * sign > 0)
                outer = outer[np.argsort(-sign * columns[slot][outer], kind="stable")][:: len(outer) // OUTER + 1]
                states = map(self.layout.unpack, keys[outer])  # some may be ends, or settled
                found = next(((s, more) for s in states if (more := leads_further(self.rules, s, slot, sign * FAR))), None)
                if found is not None and goes_on(self.rules, found[0], slot, sign):
                    further = found[1]
                    name = self.layout.slot_names[slot]
                    raise OutOfReach(
                        f"{self.rules.name} has more than {slots:,} states, and `{name}`, which has come to {ends[slot, side]:,}, seems to "
                        f"go on without end: also in {name}={further[0]:,}, far beyond that, the rules lead on to {further[1]:,}; yield "
                        f"nothing where play is over, or give max_states={MOST_EXPLORED + 1} if it does end"
                    )

    def step(self, most: int) -> int:
        """Continue the search until this many states have been found. Returns why it stopped (kernels/status.py)."""
        most = min(most, self.max_states)
        if self.is_interpreted or threads() == 1 or not self.is_begun:
            return self._loop(most if self.is_begun else min(most, int(self.c[status.FOUND]) + BATCH), ANY)
        if self._waiting() < self.wide:
            return self._loop(most, self.wide)
        if self.native.pays_together(self.layout, self._for_threads(most, *self._shared())):
            return self._together(most)
        began = time.perf_counter()
        try:
            return self._loop(most, ANY)
        finally:
            search_together.seconds += time.perf_counter() - began

    def _shared(self) -> tuple[np.ndarray, np.ndarray]:
        """`shared` and `said` of `search_together`, as they are when it begins."""
        rooms = ROOMS * threads() + 1
        return np.zeros(READY + 8 * rooms, np.int64), np.zeros((rooms, SAID), np.int64)

    def _for_threads(self, most: int, shared: np.ndarray, said: np.ndarray) -> tuple[Any, ...]:
        """With what `search_together` is called, but for which thread it is."""
        if self.rooms is None or len(self.rooms.at) != len(said):
            self.rooms = StepArrays(len(self.rules.payoffs), self.states, self.outcomes, self.words, len(said))
        own = self.table, self.direct, self.keys, self.begin, self.link, self.c
        return *own, most, max(1, self.wide // 4), shared, said, *self.rooms.arrays

    def _foresee(self) -> None:
        """Room for what threads may find until they would have to be started again."""
        self._make_room(2 * self.outcomes, 2 * self.outcomes)
        foreseen = ("keys", 1, status.FOUND), ("begin", 1, status.FOUND), ("link", LINKS_A_STATE, status.LINKS)
        short = [row for row in foreseen if len(getattr(self, row[0])) < row[1] * FORESEEN]
        for name, times, used in short if short and machine.available() > AMPLE else ():
            setattr(self, name, _grown(getattr(self, name), times * FORESEEN + 1, int(self.c[used]) + 1))

    def _together(self, most: int) -> int:
        """The same by all threads, as long as there is enough for them to do."""
        self._foresee()
        (shared, said), number = self._shared(), threads()
        arguments = self._for_threads(most, shared, said)
        ends, raised = [status.DONE] * number, list[RuleRaised]()

        def end() -> None:
            shared[OVER] = 1

        def part(k: int, number: int) -> None:
            try:
                ends[k] = self.native.search_together(self.layout, arguments, k == 0)
            except BaseException as error:
                end()
                if not isinstance(error, RuleRaised):
                    raise
                raised.append(error)

        together(part, number, end)
        if raised:  # it depends on chance at which state this was seen first
            return self._loop(most, ANY)
        why = ends[0]
        if why == status.DONE and self._waiting() < self.wide:  # it takes a moment to start threads
            self.wide *= 2
        return why

    def _waiting(self) -> int:
        """The number of states that have been found and not entered."""
        return int(self.c[status.FOUND]) - int(self.c[status.ENTERED])

    def _batch(self) -> StepArrays:
        if self.batch is None:
            self.batch = StepArrays(len(self.rules.payoffs), self.states, self.outcomes, self.words)
        return self.batch

    def _loop(self, most: int, wide: int) -> int:
        """The same by one thread, until `wide` states wait."""
        batch = self._batch()
        self._make_room(2 * self.outcomes, 2 * self.outcomes)  # for a batch, and the same again before more is requested
        try:
            why: int = self.native.search(
                self.layout, self.table, self.direct, self.keys, self.begin, self.link, self.c, most, wide, *batch.arrays
            )
        except RuleRaised as error:
            return self._enter(int(batch.at[0]), error)
        if not (self.is_begun or self.is_interpreted):
            self.states, self.outcomes, self.is_begun = BATCH, max(self.outcomes, BATCH_OUTCOMES), True
            self.batch = None
        return why

    def _enter(self, written: int, error: RuleRaised | None) -> int:
        """Enter what follows from so many states of the batch. Returns a status; raises the error that a rule raised at the one after them,
        with the state."""
        if written == 0 and error is None:
            return status.TOO_MANY
        at = int(self.c[status.ENTERED]) + written
        row_of, outcome_of, ways, key, sign, payoff, final, player, *_ = self._batch().written(written)
        self._make_room(len(key), len(key))
        why: int = self.native.run(
            enter_steps, self.table, self.direct, self.keys, written, row_of, outcome_of, ways, key, sign, payoff, final, player,
            self.begin, self.link, self.c,
        )  # fmt: skip
        if error is not None and why == status.DONE:
            raise raised_at(self.rules, self.layout.unpack(self.keys[at]), error) from None
        return why

    def _make_room(self, states: int, links: int) -> None:
        """Make room for this many more of them. Raises `NoMemory` if there is not enough memory."""
        slots = int(self.c[status.FOUND]) + states
        self._number(slots)
        if slots > len(self.keys):
            self._check_memory()
            self.keys = _grown(self.keys, slots, int(self.c[status.FOUND]))
        if len(self.keys) >= len(self.begin):
            self.begin = _grown(self.begin, len(self.keys) + 1, int(self.c[status.ENTERED]) + 1)
        if int(self.c[status.LINKS]) + links > len(self.link):
            self._check_memory()
            self.link = _grown(self.link, int(self.c[status.LINKS]) + links, int(self.c[status.LINKS]))
        if not self.direct and 2 * slots > len(self.table):
            self._check_memory()
            self.table = np.full(1 << (4 * slots).bit_length(), -1, self.link.dtype)
            rehash(self.table, self.keys, int(self.c[status.FOUND]))

    def _number(self, largest: int) -> None:
        """Give numbers of states as many bits as this one needs. (Those of fewer states are copied once.)"""
        numbers = number_type(largest)
        if np.dtype(numbers).itemsize > self.link.itemsize:
            self._check_memory()
            self.link = self.link.astype(numbers)
            self.table = self.table if isinstance(self.table, Numbers) else self.table.astype(numbers)

    def _check_memory(self) -> None:
        """Raise `NoMemory` if arrays of twice the size exceed the free memory, as they do if a number in the state grows
        without limit."""
        rooms = (array for batch in (self.batch, self.rooms) if batch is not None for array in batch.arrays)
        held = sum(a.nbytes for a in (*vars(self).values(), *rooms) if isinstance(a, np.ndarray))
        if held > UNASKED and 2 * held > (free := machine.available()):  # the additions, and one array twice while it is copied
            slots = int(self.c[status.FOUND])
            name, bits = max(zip(self.layout.slot_names, self.layout.bits, strict=True), key=lambda slot: slot[1])
            raise NoMemory(
                f"{self.rules.name} has more than {slots:,} states; room for twice as many needs {machine.in_words(2 * held)} of memory, "
                f"and {machine.in_words(free)} are free; "
                f"give smaller parameters, or see whether a number in the state grows without end ({name} has {bits} bits by now)"
            )

    def _faulty_state(self) -> Any:
        """The state at which rules were seen to be wrong, for a message."""
        return self._bad_state()

    def _bad_state(self) -> Any:
        return self.layout.unpack(self.keys[self.c[status.BAD_STATE]])

    def _array(self, keys: np.ndarray) -> np.ndarray:
        return self.layout.array(keys) if self.words == OBJECTS else keys

    def found(self) -> Explored:
        """All states, with the numbers in the order in which they were found, and no components: enough to look at some of them, not to
        solve the game."""
        keys = self._array(self.keys[: self.c[status.FOUND]])
        return self._explored(keys, np.empty(0, np.int64), np.empty(0, bool), int(self.c[status.ODD_WAYS]))

    def order(self) -> Order:
        """The component order of all states. The search can't go on then: the order needs as much memory as it frees."""
        n = int(self.c[status.FOUND])
        keys, numbers = self.keys[:n], number_type(n)
        number, ordered = np.empty(n, numbers), np.empty_like(keys)
        if self.c[status.BACK]:
            starts, looped = np.empty(n, numbers), np.empty(n, np.uint8)
            marks = np.empty((n, 4), number_type(max(n, int(self.c[status.LINKS]))))
            self.native.run(
                order_components, self.roots, self.begin, self.link, keys, marks, number, ordered, starts, looped, self.c
            )
            components = int(self.c[status.COMPONENTS])
            component_start, is_looped = np.empty(components + 1, np.int64), looped[:components].astype(bool)
            component_start[:-1], component_start[-1] = starts[:components], n
        else:
            self.native.run(order_backwards, self.begin, keys, number, ordered)
            component_start, is_looped = np.arange(n + 1), np.zeros(n, bool)
        del self.begin, self.link
        return Order(number, self._array(ordered), component_start, is_looped)

    def result(self, order: Order) -> Explored:
        """All states, numbered in component order. Nothing else can be done with the search then."""
        if isinstance(self.table, Numbers):
            self.table = Numbers((key, int(order.number[slot])) for key, slot in self.table.items())
        else:
            renumber(self.table, order.number)
        odd = 1 + int(order.number[self.c[status.ODD_WAYS] - 1]) if self.c[status.ODD_WAYS] else 0
        return self._explored(order.keys, order.component_start, order.is_looped, odd)

    def _explored(self, keys: np.ndarray, component_start: np.ndarray, is_looped: np.ndarray, odd_ways: int) -> Explored:
        facts = {name.lower(): int(self.c[getattr(status, name)]) for name in FACTS}
        facts |= {"payoffs": len(self.rules.payoffs), "odd_ways": odd_ways}
        return Explored(self.rules, self.layout, self.native, keys, self.table, self.direct, component_start, is_looped, facts)


class Order(NamedTuple):
    """The states in component order."""

    number: np.ndarray  # whole numbers [states]: of the states in the order in which they were found
    keys: np.ndarray  # of all states, in component order
    component_start: np.ndarray  # int64[components + 1]
    is_looped: np.ndarray  # bool[components], whether play can return to the component


FACTS = (
    "ROWS", "OUTCOMES", "FINALS", "BRANCHES", "PASSES", "PLAYER_0", "PLAYER_1", "CHOICES", "PAYS", "PAYS_NEGATIVE", "CYCLES",
    "MOST_ACTIONS", "MIXED_FINAL",
)  # fmt: skip


def fault_of(steps: Steps) -> int:
    """What is wrong with what follows from a single state: a status, and OUTSIDE only if nothing else is."""
    if not np.diff(steps.outcome_of).all():
        return status.NO_OUTCOME
    if not ((steps.ways >= status.SMALLEST) & (steps.ways <= status.LARGEST)).all():
        return status.BAD_WAYS
    if not all((abs(paid) <= status.LARGEST).all() for paid in (steps.payoff, steps.final)):
        return status.BAD_PAYOFF
    if not steps.sign.all():
        return status.BAD_SIGN
    if steps.player[0] < 0:
        return status.BAD_PLAYER if steps.row_of[1] else status.ONE_IDLE
    return status.DONE if are_keys(steps.next).all() else status.OUTSIDE


def _grown(array: np.ndarray, size: int, used: int) -> np.ndarray:
    """The same array with this much room, of which this much is in use."""
    larger = np.empty((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[:used] = array[:used]
    return larger
