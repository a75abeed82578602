"""A game whose players do not see everything, in its sequence form: plain arrays.

Sequences of a player are numbered from 0, the empty one; those of an information set are consecutive, and come after the sequence that
leads to it. A *plan* x gives every sequence a number: x[0] = 1, and those of a set sum to the number of the sequence that leads to it,
which is the player's factor in the probability of reaching it. Player 0 gets x A y on average, with A the payoffs.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np


class Side(NamedTuple):
    """The information sets of a player, those that are reached earlier first."""

    parent: np.ndarray  # int32[sets]: the sequence that leads to each
    first: np.ndarray  # int64[sets + 1]: set k has the sequences first[k], ..., first[k + 1] - 1

    @property
    def sets(self) -> int:
        return len(self.parent)

    @property
    def sequences(self) -> int:
        return int(self.first[-1])

    @property
    def widths(self) -> np.ndarray:
        """int64[sets]: how many actions each has."""
        return np.diff(self.first)

    @property
    def set_of(self) -> np.ndarray:
        """int64[sequences]: the information set of each sequence; -1 for the empty one."""
        return np.concatenate([[-1], np.repeat(np.arange(self.sets), self.widths)])

    @property
    def depth(self) -> np.ndarray:
        """int64[sequences]: how many choices of the player each has."""
        found = np.zeros(self.sequences, np.int64)
        for k, leading in enumerate(self.parent.tolist()):
            found[self.first[k] : self.first[k + 1]] = found[leading] + 1
        return found


class Visits(NamedTuple):
    """The ways into the information sets of a player, grouped by set."""

    set: np.ndarray  # int32[visits]
    other: np.ndarray  # int32[visits]: the other player's sequence by then
    near: np.ndarray  # float64[visits]: the probability that chance contributes
    over: np.ndarray | None  # int64[visits]: the same exactly, over / under; None if it does not fit into 63 bits
    under: np.ndarray | None


class SequenceForm:
    """Both players' information sets, and the payoffs of pairs of sequences to player 0, by row and column.

    `whole[i] * unit` is exact; None if the probabilities of chance do not fit into 63 bits. `near` is the same as a float, off by at most
    `blur` times `size`, which is the sum of the absolute values of all payments there.
    """

    def __init__(self, own: Side, other: Side, row: np.ndarray, column: np.ndarray, near: np.ndarray, size: np.ndarray, blur: float,
                 visits: tuple[Visits, Visits], whole: Any = None, unit: Fraction = Fraction(1), largest: float = 0.0):  # fmt: skip
        self.sides = (own, other)
        self.row, self.column = row, column  # int32[entries], sorted by row and column
        self.near, self.size, self.blur = near, size, blur
        self.visits = visits  # by player
        self.whole, self.unit = whole, unit  # int64[entries], or Python's integers
        self.largest = largest  # of all payoffs, in absolute values

    @property
    def is_exact(self) -> bool:
        return self.whole is not None

    @cached_property
    def shape(self) -> tuple[int, int]:
        return self.sides[0].sequences, self.sides[1].sequences

    @property
    def entries(self) -> int:
        """The number of pairs of sequences with a payoff."""
        return len(self.row)

    @cached_property
    def by_column(self) -> tuple[np.ndarray, ...]:
        """The beginning of the entries of each column, their rows, payoffs and sizes: the same entries, but sorted by column."""
        order = np.argsort(self.column, kind="stable")
        start = np.searchsorted(self.column[order], np.arange(self.shape[1] + 1)).astype(np.int64)
        return start, self.row[order], self.near[order], self.size[order]

    @cached_property
    def by_row(self) -> tuple[np.ndarray, ...]:
        """The same for rows, by which entries are sorted anyway."""
        return np.searchsorted(self.row, np.arange(self.shape[0] + 1)).astype(np.int64), self.column, self.near, self.size

    def indices(self, player: int) -> tuple[np.ndarray, np.ndarray]:
        """The sequences of the entries for a player and for the other player."""
        return (self.row, self.column) if player == 0 else (self.column, self.row)
