"""A game whose players do not see everything: optimal play in every information set, and what it guarantees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.report import Report
from zermelo.basics.bounds import Certificate
from zermelo.basics.numbers import Number
from zermelo.language.rules import Action, Rules
from zermelo.problem.sequences import SequenceForm, Side
from zermelo.states.layout import Layout

Seen = tuple[int, ...]


class SetArrays(NamedTuple):
    """The information sets of a player, as arrays."""

    seen_start: np.ndarray  # int64[sets + 1]: in set k the player sees seen[seen_start[k] : seen_start[k + 1]]
    seen: np.ndarray  # int64
    actions: np.ndarray  # int64[sequences, n]: the action of each sequence; the first row has no meaning
    state: np.ndarray  # the key of a state of each set (states/keys.py)


class InformationSets:
    """The information sets of a player; `side` has their sequences. Actions are whole numbers, or tuples where `are_tuples`."""

    def __init__(self, side: Side, arrays: SetArrays, are_tuples: bool):
        self.side, self.arrays, self.are_tuples = side, arrays, are_tuples

    def __len__(self) -> int:
        return self.side.sets

    def seen(self, k: int) -> Seen:
        """The numbers that the player sees in set k."""
        start = self.arrays.seen_start
        return tuple(self.arrays.seen[start[k] : start[k + 1]].tolist())

    def actions(self, k: int) -> list[Action]:
        """The actions in set k, in the order of the rules."""
        rows = self.arrays.actions[self.side.first[k] : self.side.first[k + 1]].tolist()
        return [tuple(row) for row in rows] if self.are_tuples else [row[0] for row in rows]

    def sequences(self, k: int) -> range:
        return range(int(self.side.first[k]), int(self.side.first[k + 1]))

    @cached_property
    def _index(self) -> dict[Seen, int]:
        return {self.seen(k): k for k in range(len(self))}

    def find(self, seen: Seen) -> int | None:
        """The set in which the player sees this; None if the player has no choice there, or never sees it."""
        return self._index.get(seen)


class Lock(NamedTuple):
    """The part of a player's behaviour that was fixed before the game was solved."""

    whole: HiddenAnswers  # the original game
    player: int
    fixed: dict[int, list[Fraction]]  # the probabilities of the actions, by set of the original game
    sequences: np.ndarray  # int64: the player's remaining sequences, by their original numbers

    def filled(self, weights: Sequence[Any]) -> list[Any]:
        """The player's weights in the original game."""
        side = self.whole.sets[self.player].side
        found: list[Any] = [0 if isinstance(weights[0], int) else 0.0] * side.sequences
        for at, weight in zip(self.sequences.tolist(), weights, strict=True):
            found[at] = weight
        for k, chances in self.fixed.items():
            common = lcm(*(p.denominator for p in chances))
            for s, p in zip(range(int(side.first[k]), int(side.first[k + 1])), chances, strict=True):
                found[s] = int(p * common) if isinstance(weights[0], int) else float(p)
        return found


@dataclass(eq=False)
class HiddenAnswers:
    """The value, and a behaviour strategy for each player: `weights` by sequence, which are proportional to the probabilities in every
    information set. They are whole numbers if the value is proven, otherwise float64."""

    rules: Rules
    layout: Layout
    form: SequenceForm = field(repr=False)
    sets: tuple[InformationSets, InformationSets] = field(repr=False)
    weights: tuple[Sequence[Any], Sequence[Any]] = field(repr=False)
    certificate: Certificate
    report: Report = field(repr=False)
    unfolded: Any = field(default=None, repr=False)  # the explored game, if this process solved it
    lock: Lock | None = field(default=None, repr=False)

    def filled(self, player: int, weights: Sequence[Any]) -> Sequence[Any]:
        """The player's weights in the game with nothing locked."""
        if self.lock is None:
            return weights
        return self.lock.whole.filled(player, self.lock.filled(weights) if player == self.lock.player else weights)

    def locked(self, player: int) -> dict[Seen, dict[Action, Fraction]]:
        """The locked part of a player's strategy: probabilities of actions, by the numbers that the player sees."""
        if self.lock is None:
            return {}
        found, sets = self.lock.whole.locked(player), self.lock.whole.sets[player]
        if player == self.lock.player:
            found |= {sets.seen(k): dict(zip(sets.actions(k), p, strict=True)) for k, p in self.lock.fixed.items()}
        return found

    @property
    def original(self) -> HiddenAnswers:
        """Those of the game with nothing locked."""
        return self if self.lock is None else self.lock.whole.original

    @property
    def is_by_public_states(self) -> bool:
        """Whether the game was explored by public states: payoffs in floats, and numbers of information sets of its own."""
        return "public_states" in self.original.report.facts

    @property
    def is_exact(self) -> bool:
        return self.certificate.kind == "proof"

    @property
    def low(self) -> Number:
        """Player 0's strategy guarantees at least this on average."""
        return self.certificate.low

    @property
    def high(self) -> Number:
        """Player 1's strategy holds player 0 to at most this on average."""
        return self.certificate.high

    @property
    def value(self) -> Number:
        """Player 0's average payoff; the midpoint of the interval if the value is only bounded."""
        return self.low if self.low == self.high else (self.low + self.high) / 2

    def mixture(self, player: int, k: int) -> list[Number]:
        """The probabilities of the actions in a set."""
        return probabilities(self.weights[player], self.sets[player].sequences(k))

    def plan(self, player: int) -> list[Number]:
        """The contribution of the player's own choices to the probability of each of the player's sequences."""
        return plan_of(self.sets[player].side, self.weights[player])


def probabilities(weights: Sequence[Any], sequences: range) -> list[Number]:
    """The probabilities that weights stand for; uniform where all weights are 0."""
    given = [weights[s] for s in sequences]
    if isinstance(given[0], int):
        total = sum(given)
        return [Fraction(w, total) if total else Fraction(1, len(given)) for w in given]
    size = float(sum(given))
    return [float(w) / size if size else 1.0 / len(given) for w in given]


def plan_of(side: Side, weights: Sequence[Any]) -> list[Number]:
    """The plan that weights stand for: Fractions if they are whole numbers."""
    plan: list[Number] = [Fraction(1) if len(weights) and isinstance(weights[0], int) else 1.0] * side.sequences
    first, parent = side.first.tolist(), side.parent.tolist()
    for k, leading in enumerate(parent):
        share = plan[leading]
        chances = probabilities(weights, range(first[k], first[k + 1])) if share else [share] * (first[k + 1] - first[k])
        for s, chance in zip(range(first[k], first[k + 1]), chances, strict=True):
            plan[s] = share * chance
    return plan
