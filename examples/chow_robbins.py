"""The game of Chow and Robbins: flip a fair coin as often as you like; when you stop, you are paid the share of heads.

There is no last flip. Play is cut off after `flips` flips, where the value is known to lie between two bounds
(Haggstrom and Wastlund 2013, "Rigorous computer analysis of the Chow-Robbins game").
"""

import math
from collections.abc import Iterator
from typing import Annotated, NamedTuple

STOP, FLIP = range(2)


class State(NamedTuple):
    heads: int
    flips: int
    stopped: int = 0


class ChowRobbins(NamedTuple):
    """Flip a fair coin as often as you like; when you stop, you are paid the share of heads."""

    flips: Annotated[int, "flips after which play is cut off", range(1, 10_001)] = 1000

    def start(self) -> State:
        return State(0, 0)

    def actions(self, s: State) -> Iterator[int]:
        if not s.stopped:
            if s.flips > 0:
                yield STOP
            yield FLIP

    def outcomes(self, s: State, action: int) -> Iterator[tuple[int, float, State]]:
        if action == STOP:
            yield 1, s.heads / s.flips, State(0, 0, 1)
        else:
            yield 1, 0.0, State(s.heads + 1, s.flips + 1)
            yield 1, 0.0, State(s.heads, s.flips + 1)

    def bounds(self, s: State) -> Iterator[tuple[float, float]]:
        if s.flips == self.flips and not s.stopped:
            low = max(s.heads / s.flips, 0.5)
            more = 0.25 * math.sqrt(math.pi / s.flips)
            away = abs(2 * s.heads - s.flips)
            if away > 0:
                more = min(more, 0.5 / away)
            yield low, low + more

    def action_name(self, action: int) -> str:
        return "stop" if action == STOP else "flip"
