"""The cost of searching against an adversary for every n up to a limit, and which player a stake of floor(log2 n) favours.

Alice pays the stake and gets a dollar a guess. Her return is a sawtooth: it falls by a dollar where n reaches a power of 2, and
rises in between. From n = 16 on it is positive only shortly before a power of 2; these ranges of n are her windows.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import zermelo
from zermelo.basics.progress import Progress, silent
from zermelo.games.binary_search import BinarySearch
from zermelo.games.binary_search_families import FAMILIES, Family

CLOSE = 1e-4  # to which values are computed where they need not be exact


class Tooth(NamedTuple):
    """One n."""

    n: int
    low: Fraction  # of the value
    high: Fraction
    families: tuple[Family, ...]  # closed forms that are optimal for Alice

    @property
    def value(self) -> Fraction:
        """The value to Alice in dollars: the middle of `low` and `high`."""
        return (self.low + self.high) / 2

    @property
    def stake(self) -> int:
        """The whole number of dollars that Alice pays Bob for playing."""
        return stake(self.n)

    @property
    def favours_alice(self) -> bool | None:
        """At this stake; None for a fair game."""
        if self.low > self.stake:
            return True
        return False if self.high < self.stake else None


def stake(n: int) -> int:
    """floor(log2 n)"""
    return n.bit_length() - 1


def teeth(most: int, exact: bool = False, progress: Progress = silent) -> list[Tooth]:
    """n = 1, 2, ..., most. If not `exact`, only closely enough to know which player is favoured, and without families."""
    found = []
    for n in range(1, most + 1):
        solution = zermelo.solve(BinarySearch(n), tolerance=None if exact else CLOSE)
        if solution.low <= stake(n) <= solution.high:
            solution = zermelo.solve(BinarySearch(n))
        optimal = tuple(f for f in FAMILIES if exact and f.guarantees(n) == solution.value)
        found.append(Tooth(n, solution.low, solution.high, optimal))
        progress("solving for every n", n, most)
    return found


def windows(found: Iterable[Tooth]) -> list[range]:
    """The ranges of n for which the game favours Alice."""
    ranges: list[range] = []
    for tooth in found:
        if tooth.favours_alice:
            if ranges and ranges[-1].stop == tooth.n:
                ranges[-1] = range(ranges[-1].start, tooth.n + 1)
            else:
                ranges.append(range(tooth.n, tooth.n + 1))
    return ranges
