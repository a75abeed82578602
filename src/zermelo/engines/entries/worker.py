"""The kernel that solves stages, with the arrays of one thread."""

from __future__ import annotations

import time
from math import isqrt
from typing import Any

import numpy as np

from zermelo.basics import ahead
from zermelo.basics.machine import require
from zermelo.engines.base import GivesUp
from zermelo.engines.entries.patterns import no_patterns
from zermelo.engines.entries.table import Entries
from zermelo.engines.faults import answer_of, position, raised_at
from zermelo.errors import ParameterError, RulesError
from zermelo.kernels import status
from zermelo.kernels.block import MOST_CUT, Block, room
from zermelo.kernels.kernel import PATIENCE
from zermelo.kernels.patterns import Patterns, solve_by_patterns
from zermelo.language.checking import check_states
from zermelo.link import EnteredRules, RuleRaised, seconds_for_the_rest

NO_KEYS = np.zeros(0, np.int64)
RUN = 16  # stages at most that are solved one after the other, from the last one on
ROOM = 1 << 10, 1 << 12, 1 << 13  # initial numbers of nodes, rows and outcomes


def runs_of(stages: int) -> list[tuple[int, int]]:
    """The runs [low, high) of so many stages, from the last one on: in a run, values of a stage are first guesses for the one before. Where
    stages are pairs of scores, the first and the last of them lie on short diagonals, and one diagonal needs the values of another: runs of
    half of it leave something for a second thread. None is of one stage, for which other kernels are compiled."""
    found, high = list[tuple[int, int]](), stages
    while high > 0:
        low = max(high - min(RUN, max(2, (1 + isqrt(min(high, stages - high))) // 2)), 0)
        low = 0 if low == 1 else low
        found.append((low, high))
        high = low
    return found


class Worker:
    """The arrays of one thread, and the call of the kernel. Arrays that are full are doubled."""

    def __init__(
        self,
        native: EnteredRules,
        entries: Entries,
        best: Entries | None = None,
        patterns: Patterns | None = None,
        keeps_payoffs: bool = False,
        unasked: int = status.FIRST_BEST,
    ):
        """`best`: if policies are evaluated, the solved entry states of the game itself, according to which a player without a policy plays
        optimally; `unasked` says which of the best actions that player takes (kernels/status.py)."""
        self.native, self.entries, self.keeps_payoffs = native, entries, keeps_payoffs
        self.unasked = status.ANSWER if best is None else unasked
        self.plain = (best or entries).arrays
        self.size = list(ROOM)
        self._make_room()
        self.c = np.zeros(status.ENTERED_COUNTERS, np.int64)
        self.seconds = 0.0  # by the clock, for stages that are solved by patterns
        self.patterns = patterns or no_patterns()
        p = self.patterns
        entered, most = min(MOST_CUT, int(np.diff(entries.first).max())), -int(p.kind.min(initial=0))
        nodes = int(p.numbers.max(initial=0))
        self.known = np.empty((entered, nodes)), np.empty((entered, nodes)), np.empty((entered, 2 * nodes)), np.empty((most, 3))

    def _make_room(self) -> None:
        nodes, rows, outcomes = self.size
        require(64 * (nodes + rows + outcomes), f"{self.entries.rules.name}: a stage with room for {nodes:,} states")
        payoffs = self.entries.value.shape[1]
        self.block: Block = room(nodes, rows, outcomes, payoffs, self.keeps_payoffs, self.native.has_policies)
        self.best = room(nodes, rows, outcomes, payoffs) if self.unasked else room(1, 1, 1, payoffs)

    def solve(self, low: int, high: int, at: int, ready_from: int, more: np.ndarray = NO_KEYS) -> int:
        """Solve the stages at, at - 1, ..., low; those from at + 1 to high - 1 are solved. Returns DONE, NOT_READY or OUTSIDE; c[AT] is
        the stage at which it stopped. Raises `GivesUp`, `RulesError`, `ParameterError`."""
        if not len(self.patterns.of_entry):
            return self._by_rules(low, high, at, ready_from, more)
        while True:
            why = self._by_patterns(low, high, at, ready_from)
            at = int(self.c[status.AT])
            if why == status.HARD:
                why = self._by_rules(at, high, at, ready_from)
                self.c[status.NO_PATTERN] += why == status.DONE
            if why != status.DONE or at == low:
                return why
            at -= 1

    def _by_patterns(self, low: int, high: int, at: int, ready_from: int) -> int:
        """The same by patterns. Returns HARD where a stage does not fit them."""
        e, began = self.entries, time.perf_counter()
        arguments = self.patterns, e.first, low, high, at, ready_from, e.arrays, *self.known, self.c
        more = seconds_for_the_rest(self.seconds, at, len(e.stages))
        if solve_by_patterns.foresee(more * min(self.seconds / PATIENCE, 1.0), arguments):  # a guess counts less
            ahead.begin("entries")
        try:
            return int(solve_by_patterns(*arguments))
        finally:
            self.seconds += time.perf_counter() - began

    def _by_rules(self, low: int, high: int, at: int, ready_from: int, more: np.ndarray = NO_KEYS) -> int:
        """The same in the general way."""
        e = self.entries
        while True:
            try:
                why = self.native.solve_stages(
                    e.layout, low, high, at, ready_from, e.stages, e.first, e.arrays, more, self.block,
                    self.plain, self.best, self.unasked, self.c,
                )  # fmt: skip
            except RuleRaised as error:
                raise self._raised(error) from None
            at = int(self.c[status.AT])
            if why == status.GROW:
                self.size = [2 * n for n in self.size]
                self._make_room()
            elif why == status.HARD:
                raise GivesUp(self._too_hard(at))
            elif why in (status.DONE, status.NOT_READY, status.OUTSIDE):
                return why
            else:
                raise self._fault(why)

    def _too_hard(self, at: int) -> str:
        """Why a stage is not solved, and with policies, what helps: the game itself was solved, so that the stage can be left."""
        e = self.entries
        stage = int(e.stages[at])
        if not self.native.has_policies:
            return (
                f"Newton's method on a few values does not solve stage {stage}, or no bound was found there: little leads on, or much "
                "leads back"
            )
        entered = e.rules.in_line(e.layout.unpack(int(e.keys[e.first[at]]) >> 1))
        return (
            f"stage {stage}, which is entered in {entered}, is not solved under these policies: almost no play leaves it, "
            "or too much leads back in it; a policy that sooner or later goes on from every stage can be judged, and any policy with "
            "parameters so small that all states are stored"
        )

    def state(self, counter: int) -> Any:
        return self.entries.layout.unpack(int(self.c[counter]))

    def _raised(self, error: RuleRaised) -> Exception:
        """The error for a rule, or a policy, that was stopped or raised an exception."""
        rules, state = self.entries.rules, self.state(status.BAD_KEY)
        of_rules = raised_at(rules, state, error)  # raises it if the rules raise it in Python, too
        if not error.is_endless:
            self._check_policies(state)
        return of_rules

    def _check_policies(self, state: Any) -> None:
        """Raise `ParameterError` if a policy fails in a state, or returns what is no action there: first that of the player to move."""
        rules = self.entries.rules
        legal = rules.actions(state)
        if len(legal) < 2:  # it was not asked
            return
        mover = rules.player(state)
        for policy in self.native.policies[mover], self.native.policies[1 - mover]:
            if policy is not None:
                position(rules, state, legal, answer_of(rules, policy, state))

    def _fault(self, why: int) -> Exception:
        rules, state = self.entries.rules, self.state(status.BAD_KEY)
        check_states(rules, [state])
        if why == status.NO_ENTRY:
            entered = rules.in_line(self.state(status.BAD_NEXT))
            what = f"`entries` does not yield {entered}, where a later stage is entered from {rules.in_line(state)}"
            return RulesError(rules.name, [what])
        if why == status.BAD_POLICY:
            self._check_policies(state)
            raise ParameterError(f"the policy's answer at {rules.in_line(state)} is no action there")
        words = status.IN_WORDS | {status.BAD_STAGE: "`stage` falls: it must never fall along play"}
        return RulesError(rules.name, [f"at {rules.in_line(state)}: {words[why]}"])
