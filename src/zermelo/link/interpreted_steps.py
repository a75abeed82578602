"""What follows from given states, and which are symmetric to them, with the rules run by Python: `native.CompiledSteps`, interpreted."""

from __future__ import annotations

import numpy as np

from zermelo.language.rules import Rules
from zermelo.states.keys import are_keys
from zermelo.states.layout import Layout
from zermelo.states.quotient import smallest_key


class InterpretedSteps:
    """The rules, run by Python, and nothing else; gives what `native.CompiledSteps` gives."""

    def __init__(self, rules: Rules):
        self.rules = rules

    def of(self, layout: Layout, keys: np.ndarray) -> tuple[np.ndarray, ...]:
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
            player.append(rules.player(state) if actions else 0)
            own.append(len(rules.choices(state)[0]) if rules.is_simultaneous and actions else 0)
            final.append([0.0] * payoffs if actions else [float(p) for p in rules.payoff(state)])
        ways, after, sign, payoff = zip(*found, strict=True) if found else ((), (), (), ())
        whole = [np.array(x, np.int64) for x in (rows, outs, sign, player, own)]
        paid, ends = np.array(payoff, float).reshape(len(found), payoffs), np.array(final, float)
        return whole[0], whole[1], np.array(ways, float), layout.array(after), whole[2], paid, ends, whole[3], whole[4]

    def images(self, layout: Layout, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        found = [[layout.pack(t) for t in self.rules.same_as(state)] for state in layout.unpack_many(keys)]
        starts = np.cumsum([0, *map(len, found)], dtype=np.int64)
        return starts, layout.array(key for images in found for key in images)

    def least(self, layout: Layout, keys: np.ndarray) -> np.ndarray:
        found = zip(keys, are_keys(keys), strict=True)
        return layout.array(smallest_key(self.rules, layout, layout.unpack(key)) if is_key else -1 for key, is_key in found)
