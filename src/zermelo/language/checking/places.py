"""Checks of where the states of a game are: its stages, its space, and moves taken back."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from zermelo.language.checking.examination import Checks, Examination
from zermelo.language.checking.runner import FAILED
from zermelo.language.checking.values import is_box, is_whole, short, show

TAKEN_BACK = 12  # states whose moves are taken back


class Places(Checks):
    """Checks of `stage`, `space(self)` and `parents`. (The spaces and entries of stages: engines/stages and engines/entries.)"""

    def __init__(self, examination: Examination):
        super().__init__(examination)
        self.box: Any = None  # the declared space, once it was read

    def read_space(self) -> None:
        """Ask the game for its box, once the shape of its states is known."""
        if not self.has("space") or self.rules.is_staged or self.rules.knows_ranked:
            return
        box, state_class = self.runner.call("space", None, ""), self.examination.state_class
        if box is FAILED:
            return
        if hasattr(box, "automaton"):
            self.rules.keep(box)
            return
        if type(box) is state_class and all(map(is_box, box, self.examination.lengths)):
            self.box = box
            return
        wanted = f"{state_class.__name__}(...) with a range in place of every number"
        text = f"`space` returns {short(box)}: it must return {wanted}, or a space of zermelo.spaces"
        self.faults.add(("space", "shape"), f"{text} {self.runner.place_of('space')}")

    def inside(self, state: Any, what: str) -> None:
        """Report a state outside of the box."""
        for name, value, allowed in zip(state._fields, state, self.box, strict=True) if self.box else ():
            pairs = zip(value, allowed, strict=True) if isinstance(value, tuple) else [(value, allowed)]
            for number, numbers in pairs:
                if number not in numbers:
                    text = f"{what} is {show(state)}, outside `space`: {name} = {number} is not in {numbers}"
                    self.faults.add(("space", name), f"{text} {self.runner.place_of('space')}")

    def stages(self, state: Any, successors: list[Any]) -> None:
        """Report a stage that is no number, or that falls on the way to a next state."""
        if not self.has("stage"):
            return
        stage = self._stage(state)
        for successor in successors if stage is not None else []:
            later = self._stage(successor)
            if later is not None and later < stage:
                text = f"`stage` falls from {stage} at {show(state)} to {later} at {show(successor)}"
                where = self.runner.place_of("stage")
                self.faults.add(("stage", "falls"), f"{text}: it must never fall along play {where}")

    def _stage(self, state: Any) -> Any:
        stage = self.runner.call("stage", state, "", state)
        if stage is FAILED:
            return None
        if not is_whole(stage):
            text = f"`stage` returns {short(stage)} at {show(state)}: it must be a whole number"
            self.faults.add(("stage", "number"), f"{text} {self.runner.place_of('stage')}")
            return None
        return stage

    def parents(self, state: Any, successors: list[Any]) -> None:
        """Report a move that `parents` does not take back, and a position that `parents` yields but whose moves do not lead here."""
        if not self.has("parents") or len(self.examination.next_states) > TAKEN_BACK:
            return

        def taken_back(s: Any) -> set[Any] | None:
            found = self.runner.yielded("parents", s, "", s)
            context = f"at {show(s)}"
            if found is None or not self.are_states_of_game(found, "a position that `parents` yields", context):
                return None
            return {y.item for y in found}

        where = self.runner.place_of("parents")
        for successor in successors:
            before = taken_back(successor)
            if before is not None and not self._is_among(state, before):
                text = f"`parents` does not yield {show(state)} for {show(successor)}, though a move leads from there to here"
                self.faults.add(("parents", "missing"), f"{text} {where}")
        for before in taken_back(state) or ():
            try:
                after = [o.state for a in self.rules.actions(before) for o in self.rules.outcomes(before, a) if o.ways]
            except (Exception, SystemExit):
                continue  # an impossible position, for which the rules fail
            if after and not self._is_among(state, after):
                text = f"`parents` yields {show(before)} for {show(state)}, but no move leads from there to here"
                self.faults.add(("parents", "wrong"), f"{text} {where}")

    def _is_among(self, state: Any, others: Collection[Any]) -> bool:
        """Whether the state is one of these, or symmetric to one: which takes longer to see."""
        least = self.rules.least
        return state in others or least(state) in map(least, others)
