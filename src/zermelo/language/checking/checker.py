"""The checker: runs rules interpreted on a sample of states and reports every fault it finds, in the user's words.

The sample is found breadth first from the start, then, unless that were all states, by a few random plays to the end (seed 0), so that
deep states are seen too. A fault of a kind is reported once, with the first state at which it showed. What is checked at a state stands
in files by group of declarations, as in language/members.py. Standard library only.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable
from typing import Any, NamedTuple

from zermelo.basics.words import counted, game_text
from zermelo.errors import RulesError
from zermelo.language.checking.chances import Chances
from zermelo.language.checking.claims import Claims
from zermelo.language.checking.declared import declared_faults
from zermelo.language.checking.examination import LONGEST as LONGEST
from zermelo.language.checking.examination import Examination
from zermelo.language.checking.misspelt import misspelt, perhaps_misspelt
from zermelo.language.checking.places import Places
from zermelo.language.checking.play import Play
from zermelo.language.checking.seen import Seen
from zermelo.language.checking.sights import Sights
from zermelo.language.checking.source import changed, outside, source_faults
from zermelo.language.checking.texts import Texts
from zermelo.language.checking.values import show
from zermelo.language.names import is_generated
from zermelo.language.rules import Rules, read

STATES = 300  # states examined, two thirds of them breadth first
SECONDS = 0.01  # and time for it; the first FEWEST states are examined in any case
FEWEST = 50
PLAYS, STEPS = 3, 1000
TWICE = 8  # states at which the rules are run twice
OVER = "play is over at the start, where `actions` yields nothing; if chance is to begin, it must yield one action there"
OUTCOMES = 10_000  # examined at one state, about: half of them of its first actions, the others of actions at random


class Sample(NamedTuple):
    """What the checker has seen of a game without faults."""

    states: list[Any]  # distinct states that were examined, the start first
    rules: Rules  # as they were read
    seen: Seen
    remarks: tuple[str, ...]  # on what is allowed, but hardly meant

    def __repr__(self) -> str:
        """What `zermelo check` says of it. (The fields have all states.)"""
        examined = f"no faults ({counted(len(self.states), 'state')} examined); seen: {self.seen}"
        return "\n  ".join([f"<Sample of {game_text(self.rules.game)}: {examined}>", *(f"remark: {text}" for text in self.remarks)])


def check(game: Any, states: int = STATES, seconds: float = SECONDS) -> Sample:
    """Examine about `states` states of the game, for about `seconds`. Returns what was seen: the states, the start first, and remarks
    on what is allowed but hardly meant. Raises `RulesError` with all faults found."""
    try:
        rules = read(game)
    except RulesError as error:
        raise RulesError(error.game, error.faults + [text for _, text in misspelt(game)]) from None
    checker = _Checker(rules, states, seconds)
    with checker.runner.watchdog:
        checker.run()
    checker.raise_faults()
    return checker.sample()


def check_states(rules: Rules, states: Iterable[Any]) -> None:
    """Examine these states of a game that `check` found no fault with; raise `RulesError` with all faults found."""
    checker = _Checker(rules, STATES, SECONDS)
    with checker.runner.watchdog:
        checker.examine(states)
    checker.raise_faults()


class _Checker:
    """Chooses the states to examine, and has every group of checks look at each."""

    def __init__(self, rules: Rules, states: int, seconds: float):
        self.rules = rules
        self.most_states, self.seconds = states, seconds
        self.examination = Examination(rules)
        self.runner, self.faults = self.examination.runner, self.examination.faults
        self.next_states = self.examination.next_states
        self.claims, self.places = Claims(self.examination), Places(self.examination)
        self.texts, self.sights = Texts(self.examination), Sights(self.examination)
        self.chances = Chances(self.examination)
        self.play = Play(self.examination, self.claims, self.places, self.chances)
        self.in_part = ""  # a remark on the first state at which not all actions were examined

    def run(self) -> None:
        """Find the sample, and all faults."""
        broken = self.examination.broken
        for fault in declared_faults(self.rules):
            self.faults.add(fault.kind, fault.text)
            broken |= {fault.broken} - {""}
        self.play.payoff_names()
        self.play.payoff_unit()
        self.play.title()
        start = self._start()
        held = outside(self.rules.game)
        if start is not None:
            self.examination.in_ranges(start, "the start")
            self.places.inside(start, "the start")
            if not {"actions", "other_actions", "outcomes"} & broken and not self._breadth_first(start):
                self._random_plays(start)
        self.chances.tell()
        source = source_faults(self.rules.game, self.examination.state_class)
        for kind, text in [*source, *changed(held, self.rules.game)]:
            if kind not in self.faults.texts:
                self.faults.add(kind, text)

    def examine(self, states: Iterable[Any]) -> None:
        """Find all faults at these states."""
        self._start()
        for state in states:
            self._examined(state)
        self.chances.tell()

    def sample(self) -> Sample:
        """What was seen."""
        signs = self.examination.signs
        seen = signs.seen(self.next_states, self.rules.is_simultaneous, bool(self.in_part) or self.examination.is_late())
        over = OVER if not any(self.next_states.values()) and not self.rules.is_chance else ""
        odd_ways = "" if is_generated(self.rules.game) else signs.odd_ways  # the translator has seen to the sums, or the rules do
        noticed = (over, odd_ways, signs.exchanged_twice(), self.examination.misdrawn, self.examination.called_alike, self.in_part)
        remarks = [*perhaps_misspelt(self.rules.game), *filter(None, noticed)]
        return Sample(list(self.next_states), self.rules, seen, tuple(remarks))

    def raise_faults(self) -> None:
        if self.faults.texts:
            raise RulesError(self.rules.name, self.faults.all())

    def _start(self) -> Any:
        start = self.play.start()
        if start is not None:
            self.places.read_space()
        return start

    def _goes_on(self, share: float) -> bool:
        spent, seen = self.examination.seconds(), len(self.next_states)
        if self.examination.is_late() or self.runner.is_endless or seen >= share * self.most_states:
            return False
        return seen < share * FEWEST or spent < share * self.seconds

    def _breadth_first(self, start: Any) -> bool:
        """Whether there are no more states than those that were examined."""
        waiting, seen = deque([start]), {start}
        while waiting and self._goes_on(2 / 3):
            for successor in self._examined(waiting.popleft()):
                if successor not in seen:
                    seen.add(successor)
                    waiting.append(successor)
        return not waiting

    def _random_plays(self, start: Any) -> None:
        dice = random.Random(0)
        for _ in range(PLAYS):
            state = start
            for _ in range(STEPS):
                if state not in self.next_states and not self._goes_on(1):
                    break
                successors = self._examined(state)
                if not successors:
                    break
                state = dice.choice(self._preferred(successors))

    def _preferred(self, successors: list[Any]) -> list[Any]:
        """States not yet seen, else those from which play goes on, else any."""
        unseen = [s for s in successors if s not in self.next_states]
        return unseen or [s for s in successors if self.next_states[s]] or successors

    def _examined(self, state: Any) -> list[Any]:
        """The states that can follow; all that the rules say at `state` is checked when it is seen first."""
        if state not in self.next_states:
            self.next_states[state] = []
            self.next_states[state] = self._examine(state)
        return self.next_states[state]

    def _examine(self, state: Any) -> list[Any]:
        actions = self.play.actions(state)
        if self.runner.is_endless:
            return []
        successors: list[Any] = []
        is_final = not actions and actions is not None
        left, outcomes, is_mixed = deque(actions or []), 0, False
        while left and outcomes < OUTCOMES:
            if outcomes >= OUTCOMES // 2 and not is_mixed:
                left, is_mixed = deque(random.Random(0).sample(left, len(left))), True
            found = self.play.outcomes(state, left.popleft())
            is_final |= self.rules.is_chance and found == []
            successors += [s for s in found or [] if s not in successors[-8:]]
            outcomes += len(found or [])
            if self.runner.is_endless:
                return successors
            if self.examination.is_late():
                break
        if left and not self.in_part:
            few = f"{len(actions or []) - len(left):,} of {len(actions or []):,} actions"
            self.in_part = f"at {show(state)} only {few} were examined, which lead to {outcomes:,} outcomes"
        self.play.mover(state, is_final, len(actions or []) > 1)
        self.places.stages(state, successors)
        self.sights.seen(state)
        if not left:
            self.claims.stops(state, successors)
            self.claims.symmetries(state)
            self.places.parents(state, successors)
            self.claims.urn(state, actions or [])
        if len(self.next_states) <= TWICE and not self.runner.is_endless:
            self.runner.same_twice(state, actions or [])
            self.texts.texts(state, actions or [])
        return successors
