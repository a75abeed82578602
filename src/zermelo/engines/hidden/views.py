"""The observations and the available actions of both players in every state: lists of numbers, where equal lists have the same id."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.engines.exploring.explored import Explored
from zermelo.engines.faults import disagreement, raised_at
from zermelo.errors import RulesError
from zermelo.kernels.kernel import Allowance, OneTakesLong
from zermelo.language.checking import check_states
from zermelo.language.checking.watchdog import LONGEST
from zermelo.link import InterpretedRules, RuleRaised, RulesRefused, goes_on_alone, not_alone
from zermelo.states.lists import Lists

NUMBERS = 1 << 18  # numbers written at a time
COMPARED = 64  # states at which compiled `sees` is compared with Python's


class Views:
    """By state number: `seen` int32[2, n], ids in `knows`, for each player; `acts` int32[2, n], ids in `choices`."""

    def __init__(self, explored: Explored):
        self.explored, self.rules, self.native = explored, explored.rules, explored.native
        self.refused: tuple[RulesRefused, Allowance] | None = None  # `sees`, by the compiler; and the time for which Python runs it
        n = explored.num_states
        self.knows, self.choices = (Lists(), Lists()), Lists()
        self.seen, self.acts = np.zeros((2, n), np.int32), np.zeros((2, n), np.int32)
        begin, numbers, low = np.zeros(NUMBERS + 1, np.int64), np.zeros(NUMBERS, np.int64), 0
        while low < n:
            high = self._written(low, n, begin, numbers)
            if high == low:
                numbers = np.zeros(2 * len(numbers), np.int64)
                continue
            ends, ids = begin[: 4 * (high - low) + 1], np.empty(high - low, np.int32)
            used = numbers[: ends[-1]]
            for player in range(2):
                self.knows[player].enter(ends, used, player, 4, ids)
                self.seen[player, low:high] = ids
                self.choices.enter(ends, used, 2 + player * self.rules.is_simultaneous, 4, ids)
                self.acts[player, low:high] = ids
            low = high
        self._compare()

    def _written(self, low: int, high: int, begin: np.ndarray, numbers: np.ndarray) -> int:
        layout, keys = self.explored.layout, self.explored.keys
        begin[:] = -1
        if self.refused is not None and self.refused[1].is_over():
            raise not_alone(self.refused[0], self.refused[1].seconds)
        try:
            return int(self.native.see(layout, keys, low, high, begin, numbers))
        except RulesRefused as why:
            self.refused = why, Allowance(goes_on_alone(self.rules, why))
            self.native = InterpretedRules(self.rules, layout, self.refused[1])
            return self._written(low, high, begin, numbers)
        except (RuleRaised, OneTakesLong) as error:
            state = self.state(low + (int(np.count_nonzero(begin >= 0)) - 1) // 4)  # at which the kernel was
            check_states(self.rules, [state])
            if isinstance(error, RuleRaised):
                raise raised_at(self.rules, state, error) from None
            raise RulesError(self.rules.name, [f"at {self.rules.in_line(state)}: a rule was still running after {LONGEST:.0f} s"]) from None

    def state(self, number: int) -> Any:
        """The state with this number."""
        return self.explored.layout.unpack(self.explored.keys[number])

    def _compare(self) -> None:
        """Raise `RulesError` if compiled rules show a player something different from the same rules in Python."""
        n = self.explored.num_states
        for number in np.unique(np.linspace(0, n - 1, min(n, COMPARED)).astype(int)).tolist():
            state = self.state(number)
            for player in range(2):
                compiled, said = self.knows[player][self.seen[player, number]], self.rules.seen(state, player)
                if compiled != said:
                    raise disagreement(self.rules, state, f": player {player} sees {said} in Python, {compiled} compiled")
