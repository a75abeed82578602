"""The outcomes of given states, and the states symmetric to them, with the rules run by Python: `native.CompiledSteps`, interpreted."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.language.rules import Rules
from zermelo.states.keys import are_keys
from zermelo.states.layout import Layout
from zermelo.states.quotient import smallest_key


class Steps(NamedTuple):
    """The outcomes of some states. Rows are actions (pairs of them, where both choose at once)."""

    row_of: np.ndarray  # int64[states + 1]: where the rows of a state begin
    outcome_of: np.ndarray  # int64[rows + 1]: where the outcomes of a row begin; only those of positive ways are listed
    ways: np.ndarray  # float64[outcomes]
    next: np.ndarray  # the key of the next state of each outcome, -1 if the layout can't hold it; or its number, if it has been looked up
    sign: np.ndarray  # int[outcomes]: -1 if the other player moves next and the value counts negated
    payoff: np.ndarray  # float64[outcomes, payoffs]
    final: np.ndarray  # float64[states, payoffs]: of final states
    player: np.ndarray  # int[states]
    own: np.ndarray  # int[states]: with simultaneous moves, the number of player 0's actions
    low: int = 0  # the number of the first state, if they have numbers

    @property
    def state(self) -> np.ndarray:
        """Of each row: its state, from 0."""
        return np.repeat(np.arange(len(self.player)), np.diff(self.row_of))

    @property
    def row(self) -> np.ndarray:
        """Of each outcome: its row."""
        return np.repeat(np.arange(len(self.outcome_of) - 1), np.diff(self.outcome_of))


class InterpretedSteps:
    """Only the rules, run by Python; gives the same results as `native.CompiledSteps`."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def of(self, layout: Layout, keys: np.ndarray) -> Steps:
        rules, payoffs = self.rules, len(self.rules.payoffs)
        rows, outs, player, own = [0], [0], [], []
        found: list[tuple[float, int, int, tuple[float, ...]]] = []
        final: list[list[float]] = []
        for state in layout.unpack_many(keys):
            actions = rules.actions(state)
            for action in actions:
                for o in rules.outcomes(state, action):
                    if o.ways != 0:
                        found.append((float(o.ways), layout.pack(o.state), int(o.sign), tuple(map(float, o.payoff))))
                outs.append(len(found))
            rows.append(len(outs) - 1)
            player.append(rules.player(state) if actions else -2 if rules.one_is_idle(state) else 0)
            own.append(len(rules.choices(state)[0]) if rules.is_simultaneous and actions else 0)
            final.append([0.0] * payoffs if actions else [float(p) for p in rules.payoff(state)])
        ways, after, sign, payoff = zip(*found, strict=True) if found else ((), (), (), ())
        whole = [np.array(x, np.int64) for x in (rows, outs, sign, player, own)]
        paid, ends = np.array(payoff, float).reshape(len(found), payoffs), np.array(final, float)
        return Steps(whole[0], whole[1], np.array(ways, float), layout.array(after), whole[2], paid, ends, whole[3], whole[4])

    def images(self, layout: Layout, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [[layout.pack(t) for t in self.rules.same_as(state)] for state in layout.unpack_many(keys)]
        starts = np.cumsum([0, *map(len, found)], dtype=np.int64)
        return starts, layout.array(key for images in found for key in images)

    def least(self, layout: Layout, keys: np.ndarray) -> np.ndarray:
        found = zip(keys, are_keys(keys), strict=True)
        return layout.array(smallest_key(self.rules, layout, layout.unpack(key)) if is_key else -1 for key, is_key in found)
