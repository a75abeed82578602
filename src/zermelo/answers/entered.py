"""An answer that keeps only the entry states. The values of other states are computed again on demand, a whole stage at a time."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.answers.base import Entered, Tabled
from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.basics.numbers import rounding
from zermelo.language.rules import Rules, State
from zermelo.states.layout import Layout
from zermelo.states.space import check_state, unreachable

REMEMBERED = 16  # stages whose states are kept for the next question


class StageStates(NamedTuple):
    """The states of one stage in arrays, one row per state."""

    row: dict[int, int]  # key -> row
    value: np.ndarray  # float64[states, payoffs]
    error: np.ndarray  # float64[states, payoffs]
    policy: np.ndarray  # int32[states], position of a best action; -1 in final states


@dataclass(eq=False)
class EnteredAnswers:
    """Values and error bounds of the entry states; `solve_stage` computes the other states of a stage (in about a millisecond)."""

    rules: Rules
    layout: Layout
    keys: np.ndarray  # int64[entries]: keys of the entry states, ascending within a stage
    stages: np.ndarray  # int64[stages]: the values of `stage`, ascending
    first: np.ndarray  # int64[stages + 1]: entry states of stage k are first[k] to first[k + 1] - 1
    value: np.ndarray  # float64[entries, payoffs]
    error: np.ndarray  # float64[entries, payoffs]
    argument: str
    report: Report
    # called with this answer, the index of a stage in `stages`, and a key that must be among the states, or -1
    solve_stage: Callable[[EnteredAnswers, int, int], StageStates]
    bridge: Any = None  # the same game with all states stored, once something has needed it
    _seen: OrderedDict[tuple[int, int], StageStates] = field(default_factory=OrderedDict)

    _solving: ClassVar[Any] = threading.RLock()  # one thread at a time: policies that ask a solution are run by all threads that solve
    discount: ClassVar[float] = 1.0
    is_exact: ClassVar[bool] = False

    def lacks(self, capability: type) -> str | None:
        if capability is Entered:
            return None
        if capability is Tabled:
            return f"needs all {self.report.states:,} states of {self.rules.name}, which are not stored: ask for smaller parameters"
        return f"is not for {self.rules.name}, which was solved stage by stage"

    def known(self, state: State) -> StateFacts:
        """States that cannot be reached from the start are known as well. The best action of an entry state is not stored:
        `best_entered` finds it."""
        check_state(self.rules, self.layout, state)
        key = self.layout.pack(state)
        try:
            is_over, stage = not self.rules.actions(state), self.stage_of(state)
            final = tuple(float(p) for p in self.rules.payoff(state)) if is_over else ()
        except Exception:  # rules need not handle anything but reachable states
            raise unreachable(self.rules, state) from None
        if key < 0 or (stage < 0 and not is_over):
            raise unreachable(self.rules, state)
        if is_over:
            return StateFacts(final, tuple(map(rounding, final)))
        entry = self._entry(stage, key)
        if entry >= 0:
            return StateFacts(tuple(self.value[entry].tolist()), tuple(self.error[entry].tolist()))
        found = self._states(stage, key)
        row = found.row[key]
        return StateFacts(tuple(found.value[row].tolist()), tuple(found.error[row].tolist()), int(found.policy[row]))

    def best_entered(self, state: State) -> int:
        """The position of the best action in an entry state: of equally good ones the one that its values, lengths and plays are of."""
        key = self.layout.pack(state)
        found = self._states(self.stage_of(state), key)
        return int(found.policy[found.row[key]])

    def stage_of(self, state: State) -> int:
        """The index of the stage of a state in `stages`, or -1 if it has no entry states."""
        number = int(self.rules.game.stage(state))
        place = int(np.searchsorted(self.stages, number))
        return place if place < len(self.stages) and self.stages[place] == number else -1

    def _entry(self, stage: int, key: int) -> int:
        """The number of the entry state with this key in a stage, or -1."""
        low, high = int(self.first[stage]), int(self.first[stage + 1])
        at = low + int(np.searchsorted(self.keys[low:high], key))
        return at if at < high and self.keys[at] == key else -1

    def _states(self, stage: int, key: int) -> StageStates:
        """The states of a stage, including the one with this key."""
        with self._solving:
            for name in ((stage, -1), (stage, key)):
                if name in self._seen and key in self._seen[name].row:
                    self._seen.move_to_end(name)
                    return self._seen[name]
            found, name = self.solve_stage(self, stage, -1), (stage, -1)
            if key not in found.row:  # play that enters the stage does not reach it
                found, name = self.solve_stage(self, stage, key), (stage, key)
            self._seen[name] = found
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
            return found
