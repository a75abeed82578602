"""The policy of a best response, as a function of the state. It is pickled with the game and a hash of its rules: all that is known of an
action is its place in the order in which the rules name them."""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.basics.words import game_text
from zermelo.engines.exploring.explored import Explored
from zermelo.errors import FileError, UnreachableState
from zermelo.language.rules import Action, Rules, State
from zermelo.states.keys import index_of, sortable
from zermelo.states.quotient import smallest_key
from zermelo.states.space import check_state


class OfRules:
    """A policy that means something only as long as the rules are the same."""

    rules: Rules

    def __repr__(self) -> str:
        return f"<policy of a best response in {game_text(self.rules.game)}: a function of the state>"

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "rules": (self.rules.game, self.rules.folded, self.rules.hash)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        game, folded, known = state["rules"]
        vars(self).update(state, rules=Rules(game, folded))
        if self.rules.hash != known:
            raise FileError(f"the pickled response was found under other rules; those of {self.rules.name} have changed: solve again")


class StoredPolicy(OfRules):
    """The policy of `seat` in the states with these numbers. chosen : the places of its actions."""

    def __init__(self, explored: Explored, numbers: np.ndarray, chosen: np.ndarray, seat: int):
        self.rules, self._layout, self._seat = explored.rules, explored.layout, seat
        keys = explored.keys[numbers]
        order = np.argsort(sortable(keys))
        self._keys, self._chosen = keys[order], chosen[order]

    def __call__(self, state: State) -> Action:
        rules, layout = self.rules, self._layout
        check_state(rules, layout, state)
        at = index_of(self._keys, layout.item(smallest_key(rules, layout, state)))
        if at < 0:
            raise does_not_decide(rules, state)
        actions = rules.choices(state)[self._seat] if rules.is_simultaneous else rules.actions(state)
        return actions[int(self._chosen[at])]


def does_not_decide(rules: Rules, state: State) -> UnreachableState:
    """The error for a state in which the seat that responds has no choice, or to which play does not come."""
    why = "the seat that responds has no choice there, or play does not come there"
    return UnreachableState(f"{rules.in_line(state)} is no state where the answer decides: {why}")
