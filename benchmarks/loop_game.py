"""A small loop that trips model checkers: from here to there and back, every step costs 1 and ends the play with 1 in 100."""

from collections.abc import Iterator
from typing import NamedTuple

STEP, DEAR = range(2)
OVER = 2


class Place(NamedTuple):
    at: int  # 0 or 1; 2 when the play is over


class Loop(NamedTuple):
    """Walk to and fro for 1 a step, or for 2. The value is -100."""

    cost: int = 1

    def start(self) -> Place:
        return Place(0)

    def actions(self, s: Place) -> Iterator[int]:
        if s.at != OVER:
            yield STEP
            yield DEAR

    def outcomes(self, s: Place, action: int) -> Iterator[tuple[int, int, Place]]:
        cost = self.cost if action == STEP else 2 * self.cost
        yield 99, -cost, Place(1 - s.at)
        yield 1, -cost, Place(OVER)
