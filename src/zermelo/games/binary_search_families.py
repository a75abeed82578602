"""Alice's mixtures in closed form: flat in the middle, heavier near both ends.

A family is given by the first few weights, from the end inwards, and the weight of all numbers further in:

    (2, 1, 1, ..., 1, 1, 2) / (n + 2)                                      guessed from n <= 13 in a post of 2024
    (5, 3, 2, ..., 2, 3, 5) / (2 (n + 4))
    (129, 77, 52, 62, 64, 48, ..., 48, 64, 62, 52, 77, 129) / (48 (n + 6))

Up to n = 235 each is optimal for a few ranges of n, which recur at about twice the n, and nowhere else:

    1-4, 7-10, 17-23, 38-52, 80-110, 164-226         5-6, 15-16, 33-37, 71-79, 146-164         13-14, 31-32, 66-70, 137-145

(and the others for some n < 5). The first loses little elsewhere: it guarantees 47/15 instead of 485/152 for n = 13. The
third was read off solutions. A mixture is optimal if an optimal search tree for it costs as much as the game's value.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import zermelo
from zermelo.games.binary_search import BinarySearch
from zermelo.games.search_trees import optimal


class Family(NamedTuple):
    """Mixtures for all n: the weights of 1, 2, ..., those of n, n-1, ... being the same, and the weight of all others."""

    ends: tuple[int, ...]
    inner: int

    def weights(self, n: int) -> list[int]:
        """One weight for each number; where the two ends overlap, the ends are cut off."""
        return [self.ends[k] if (k := min(i, n - 1 - i)) < len(self.ends) else self.inner for i in range(n)]

    def guarantees(self, n: int) -> Fraction:
        """The amount that Alice is guaranteed."""
        weights = self.weights(n)
        return Fraction(int(optimal(weights)[0]), sum(weights))

    def is_optimal(self, n: int) -> bool:
        """Whether that is the value of the game with n numbers, which is solved to find out."""
        return self.guarantees(n) == zermelo.solve(BinarySearch(n)).value


FIRST = Family((2,), 1)
SECOND = Family((5, 3), 2)
THIRD = Family((129, 77, 52, 62, 64), 48)
FAMILIES = (FIRST, SECOND, THIRD)


def where_optimal(families: Iterable[Family] = FAMILIES, most: int = 200, least: int = 1) -> dict[Family, list[range]]:
    """For each family the n from `least` to `most` for which it is optimal, as ranges. It takes a minute or two up to 200."""
    found: dict[Family, list[range]] = {family: [] for family in families}
    for n in range(least, most + 1):
        value = zermelo.solve(BinarySearch(n)).value
        for family, ranges in found.items():
            if family.guarantees(n) == value:
                if ranges and ranges[-1].stop == n:
                    ranges[-1] = range(ranges[-1].start, n + 1)
                else:
                    ranges.append(range(n, n + 1))
    return found
