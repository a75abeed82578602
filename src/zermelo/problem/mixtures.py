"""Mixed strategies of both players in every state: plain arrays, by state number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zermelo.basics.fields import described
from zermelo.basics.runs import running, runs


@described(
    own_start="int64[states + 1]: the actions of player 0 in state s are own[own_start[s] : own_start[s + 1]].",
    other_start="int64[states + 1]: the same of player 1.",
    own="float64[actions]: probabilities of player 0's actions, state by state.",
    other="float64[actions]: probabilities of player 1's actions.",
)
class Mixtures(NamedTuple):
    """Probabilities of the actions of player 0 (`own`) and of player 1 (`other`) in consecutive states; final states have none."""

    own_start: np.ndarray
    other_start: np.ndarray
    own: np.ndarray
    other: np.ndarray

    @staticmethod
    def joined(parts: Sequence[tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]]) -> Mixtures:
        """The mixtures of consecutive ranges of states."""
        starts = [running(np.concatenate([np.diff(p[k]) for p in parts])) for k in (0, 1)]
        return Mixtures(*(s.astype(np.int64) for s in starts), *(np.concatenate([p[k] for p in parts]) for k in (2, 3)))

    def of(self, state: int) -> tuple[np.ndarray, np.ndarray]:
        """The mixtures of player 0 and of player 1 in a state: float64[its actions] each."""
        return (
            self.own[self.own_start[state] : self.own_start[state + 1]],
            self.other[self.other_start[state] : self.other_start[state + 1]],
        )

    def between(self, low: int, high: int) -> Mixtures:
        """The mixtures of the states low..high-1."""
        own, other = (slice(int(s[low]), int(s[high])) for s in (self.own_start, self.other_start))
        return Mixtures(
            self.own_start[low : high + 1] - own.start,
            self.other_start[low : high + 1] - other.start,
            self.own[own],
            self.other[other],
        )

    def reordered(self, order: np.ndarray) -> Mixtures:
        """The mixtures of the states `order[0]`, `order[1]`, ..."""
        own_start, own = _picked(self.own_start, self.own, order)
        other_start, other = _picked(self.other_start, self.other, order)
        return Mixtures(own_start, other_start, own, other)

    def likeliest(self) -> np.ndarray:
        """int32[states]: the position of player 0's most probable action, the first of several; -1 in final states."""
        counts = np.diff(self.own_start)
        found = np.full(counts.size, -1, np.int32)
        has = np.flatnonzero(counts)
        if has.size:
            most = np.maximum.reduceat(self.own, self.own_start[has])
            is_most = np.flatnonzero(self.own == np.repeat(most, counts[has]))
            owner = np.repeat(has, counts[has])[is_most]
            states, first = np.unique(owner, return_index=True)
            found[states] = is_most[first] - self.own_start[states]
        return found


def _picked(start: np.ndarray, items: np.ndarray, order: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    counts = np.diff(start)[order]
    return running(counts), np.asarray(items)[runs(np.asarray(start)[order], counts)]
