"""A game that is not in the catalogue, for a stored file whose game has to be given when it is opened. Never change it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo import spaces


class Pile(NamedTuple):
    left: int


class LongPile(NamedTuple):
    """Take one or two from a pile, but only one while more than `last` are left. Whoever takes the last wins.

    Play takes more moves than a byte counts.
    """

    pile: int = 300
    last: int = 7

    def start(self) -> Pile:
        return Pile(self.pile)

    def actions(self, s: Pile) -> Iterator[int]:
        if s.left > 0:
            yield 1
        if s.left > 1 and s.left <= self.last:
            yield 2

    def outcomes(self, s: Pile, action: int) -> Iterator[tuple[int, int, Pile, int]]:
        yield 1, 0, Pile(s.left - action), -1

    def payoff(self, s: Pile) -> int:
        return -1

    def space(self) -> Any:
        return spaces.product(range(self.pile + 1))
