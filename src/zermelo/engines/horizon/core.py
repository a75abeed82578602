"""The states of a game apart from the number of moves left, by the least number of moves that leads to them, and their transitions."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from zermelo.basics.numbering import number_type
from zermelo.basics.progress import Progress
from zermelo.engines.base import MOST_EXPLORED, GivesUp
from zermelo.engines.exploring.explored import BATCH, BATCH_OUTCOMES, Explored
from zermelo.engines.exploring.search import FACTS, Search
from zermelo.kernels import status
from zermelo.kernels.counting_down import hold
from zermelo.kernels.kernel import Allowance, at_once, forced
from zermelo.kernels.tables import rehash
from zermelo.language.rules import Rules
from zermelo.link import InterpretedRules, NativeRules, RuleRaised, RulesRefused, StepArrays, in_python_alone
from zermelo.problem.transitions import Transitions
from zermelo.states.layout import Layout

ROOMY = 4  # after a batch that takes at most this fraction of the room, the next one may be larger
SEVERAL_WORDS = "keys of several words need compiled rules"


class _Held:
    """Rules under which the number of moves left stays what it is at the start. `GivesUp` is raised where a move does not lower it."""

    slot: int

    def plain_steps(self, layout: Layout, *arguments: Any) -> int:
        """`write_steps`, as the rules are."""
        raise NotImplementedError

    def write_steps(self, layout: Layout, *arguments: Any) -> int:
        if layout.bits[self.slot] != 1:  # it was widened for another number
            raise GivesUp(f"a move changes `{layout.slot_names[self.slot]}` by more than 1")
        _, at, row_of, outcome_of, _, key, *_ = arguments
        try:
            written = self.plain_steps(layout, *arguments)
        except RuleRaised:
            written = int(at[0])
            self._hold(layout, key[: outcome_of[row_of[written]]])
            raise
        self._hold(layout, key[: outcome_of[row_of[written]]])
        return written

    def _hold(self, layout: Layout, keys: np.ndarray) -> None:
        if at_once(hold)(keys, layout.words[self.slot], layout.shifts[self.slot]) >= 0:
            raise GivesUp(f"a move leaves `{layout.slot_names[self.slot]}` as it is")


class HeldCompiled(_Held, NativeRules):
    def __init__(self, rules: Rules, layout: Layout, slot: int):
        super().__init__(rules, layout)
        self.slot = slot

    def plain_steps(self, layout: Layout, *arguments: Any) -> int:
        return NativeRules.write_steps(self, layout, *arguments)

    def search(
        self, layout: Layout, table: Any, direct: bool, keys: np.ndarray, begin: np.ndarray, link: np.ndarray, c: np.ndarray,
        most: int, wide: int, *room: np.ndarray,
    ) -> int:  # fmt: skip
        raise NotImplementedError("states are found level by level")


class HeldInPython(_Held, InterpretedRules):
    """Where everything is interpreted, or the compiler refuses the rules."""

    def __init__(self, rules: Rules, layout: Layout, slot: int, allowance: Allowance, said: Any = None):
        super().__init__(rules, layout, allowance, said)
        self.slot = slot
        self._for_layouts: dict[Layout, InterpretedRules] = {}

    def with_layout(self, layout: Layout) -> HeldInPython:
        if layout.num_words > 1:
            raise GivesUp(SEVERAL_WORDS)
        return HeldInPython(self.rules, layout, self.slot, self.allowance, self._said)

    def unlimited(self) -> HeldInPython:
        """The same without a limit of time."""
        return HeldInPython(self.rules, self.layout, self.slot, Allowance(math.inf), self._said)

    def plain_steps(self, layout: Layout, *arguments: Any) -> int:
        if layout not in self._for_layouts:
            self._for_layouts[layout] = super().with_layout(layout)
        return self._for_layouts[layout].write_steps(layout, *arguments)


def _held(rules: Rules, layout: Layout, slot: int) -> HeldCompiled | HeldInPython:
    """Such rules, which are compiled unless everything is interpreted, as such games are large."""
    in_python = forced() == "interpreted" and layout.num_words == 1  # longer keys are whole numbers in Python
    return HeldInPython(rules, layout, slot, Allowance(math.inf)) if in_python else HeldCompiled(rules, layout, slot)


class _Levels(Search):
    """The search, one number of moves after another, and no further than play may go."""

    reached: list[int]
    fit: int  # the number of states that may be expanded at a time, for which there seems to be room

    def run_to(self, horizon: int) -> None:
        """reached[m] : the number of states to which at most m moves lead, m = 0, 1, ...: as far as there are new ones, or to `horizon`."""
        self.is_begun, self.states, self.outcomes = True, BATCH, BATCH_OUTCOMES
        self.fit = self.states
        self.reached = [int(self.c[status.FOUND])]
        for _ in range(horizon):
            while (first := int(self.c[status.ENTERED])) < self.reached[-1]:
                self.heed(self._expand(self.keys[first : min(first + self.fit, self.reached[-1])]))
            if self.c[status.FOUND] == self.reached[-1]:
                break
            self.reached.append(int(self.c[status.FOUND]))

    def _expand(self, keys: np.ndarray) -> int:
        """Expand the next states, and enter what follows. Returns a status."""
        written, error = self._ask(keys)
        why = self._enter(written, error)
        if written < len(keys):
            self.fit = max(1, written // 2)
        elif ROOMY * int(self._batch().outcome_of[self._batch().row_of[written]]) < self.outcomes:
            self.fit = min(2 * self.fit, self.states)
        return why

    def _ask(self, keys: np.ndarray) -> tuple[int, RuleRaised | None]:
        """Write what follows from these states, twice, the second time as if one move more were left. Returns for how many of them there
        was room, and what a rule raised then. Raises `GivesUp` if the second time changes anything: then a move does not lower the count
        but sets it."""
        slot, layout = self.native.slot, self.layout
        later = replace(layout, low=(*layout.low[:slot], layout.low[slot] + 1, *layout.low[slot + 1 :]))
        again = StepArrays(*self._batch().sizes)
        (written, error), (same, _) = self._written(layout, keys, self._batch()), self._written(later, keys, again)
        pairs: Any = zip(self._batch().written(written), again.written(min(same, written)), strict=True)
        if same != written or not all(np.array_equal(a, b) for a, b in pairs):
            raise GivesUp(f"`{layout.slot_names[slot]}` is not lowered by 1 wherever a move is made")
        return written, error

    def _written(self, layout: Layout, keys: np.ndarray, batch: StepArrays) -> tuple[int, RuleRaised | None]:
        try:
            return self.native.write_steps(layout, keys, *batch.arrays), None
        except RuleRaised as error:
            return int(batch.at[0]), error

    def _check_growth(self, slots: int) -> None:
        """Nothing grows without end here."""

    def _faulty_state(self) -> Any:
        """With the moves that are left when play comes there first."""
        state, slot = self._bad_state(), self.native.slot
        name = self.layout.slot_names[slot]
        return state._replace(**{name: getattr(state, name) - len(self.reached) + 1})


@dataclass
class Core(Explored):
    """The states apart from the field `count`, which in all of them is what it is at the start: the `horizon`. States 0 .. ends[m] - 1 are
    those to which at most m moves lead; only the first `expanded` have transitions."""

    count: str = ""
    horizon: int = 0
    ends: np.ndarray = field(default_factory=lambda: np.empty(0, np.int64))  # int64, for m = 0, 1, ... as far as there are new states
    expanded: int = 0

    def end(self, moves: int) -> int:
        """The number of states to which at most so many moves lead."""
        return int(self.ends[min(moves, len(self.ends) - 1)])

    @property
    def in_all(self) -> int:
        """The number of states, each counted once for every number of moves left with which play may be in it."""
        return int(self.ends.sum()) + (self.horizon + 1 - len(self.ends)) * int(self.ends[-1])

    def held(self, state: Any) -> Any:
        """The state of the core for a state."""
        return state._replace(**{self.count: self.horizon})

    def number_of(self, state: Any) -> int:
        return super().number_of(self.held(state))

    def state_of(self, number: int) -> Any:
        """With the moves that are left when play comes there first."""
        level = int(np.searchsorted(self.ends, number, side="right"))
        return super().state_of(number)._replace(**{self.count: self.horizon - level})

    @cached_property
    def steps(self) -> Transitions:
        """The transitions of the states in which a move is left."""
        return self.transitions(0, self.expanded)

    def ended(self) -> np.ndarray:
        """float64[states, payoffs]: the payoffs of all states with no move left. Raises `GivesUp` where play goes on."""
        slot = self.native.slot
        low = (*self.layout.low[:slot], -1, *self.layout.low[slot + 1 :])  # the bit that is set then stands for 0
        layout, paid = replace(self.layout, low=low), np.empty((self.num_states, self.num_payoffs))
        room = StepArrays(self.num_payoffs, BATCH, BATCH, layout.num_words)
        for at in range(0, self.num_states, BATCH):
            some = slice(at, at + BATCH)
            keys = self.keys[some]
            try:
                written = self.native.plain_steps(layout, keys, *room.arrays)
            except RuleRaised as error:
                raise GivesUp(f"with no move left, a rule can't be asked ({error})") from None
            if written < len(keys) or room.row_of[len(keys)] > 0:
                raise GivesUp(f"play may go on where `{self.count}` is 0")
            paid[some] = room.final[: len(keys)]
        return paid


def core_of(rules: Rules, sample: list[Any], count: str, progress: Progress) -> Core:
    """The states apart from the field `count`, found by levels. Raises `GivesUp` where a move does not lower it by 1,
    `RulesError`, `OutOfReach`."""
    horizon, slot = getattr(rules.start, count), _slot(rules.start, count)
    layout = _with_one_bit(Layout.tight([*(s._replace(**{count: horizon}) for s in sample), rules.start]), slot, horizon)
    start = layout.array([layout.pack(rules.start)])
    search = _Levels(rules, layout, _held(rules, layout, slot), start, MOST_EXPLORED, progress)
    try:
        search.run_to(horizon)
    except RulesRefused as why:
        if layout.num_words > 1:
            raise GivesUp(SEVERAL_WORDS) from None
        with in_python_alone(rules, why) as allowed:
            search = _Levels(rules, layout, HeldInPython(rules, layout, slot, allowed), start, MOST_EXPLORED, progress)
            search.run_to(horizon)
        search.native = search.native.unlimited()
    found, expanded = int(search.c[status.FOUND]), int(search.c[status.ENTERED])
    keys, table = search.keys[:found], np.full(1 << (4 * found).bit_length(), -1, number_type(found))
    rehash(table, keys, found)
    facts = {name.lower(): int(search.c[getattr(status, name)]) for name in FACTS}
    facts |= {"payoffs": len(rules.payoffs), "odd_ways": int(search.c[status.ODD_WAYS])}
    return Core(
        rules, search.layout, search.native, keys, table, False, np.arange(found + 1), np.zeros(found, bool), facts, count, horizon,
        np.array(search.reached), expanded,
    )  # fmt: skip


def _slot(state: Any, field: str) -> int:
    """The place of a field, a number, among the numbers of a state."""
    fields = state._fields
    return sum(len(v) if isinstance(v, tuple) else 1 for v in state[: fields.index(field)])


def _with_one_bit(layout: Layout, slot: int, horizon: int) -> Layout:
    """The layout in which the number of moves left is `horizon` or one less."""
    low, bits = list(layout.low), list(layout.bits)
    low[slot], bits[slot] = horizon - 1, 1
    return replace(layout, low=tuple(low), bits=tuple(bits), words=()).checked()
