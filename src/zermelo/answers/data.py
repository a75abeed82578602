"""A stored answer without its rules: the contents of the file, as data."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.known import StateFacts
from zermelo.answers.report import Report
from zermelo.errors import NoRules, ParameterError, UnreachableState
from zermelo.states.layout import Layout
from zermelo.states.space import Space, has_shape, is_whole


class Stored(NamedTuple):
    """The stored data of every state, in the order of `keys`."""

    keys: Any  # ascending (for entries of stages: within each stage)
    value: Any  # float64[n, payoffs]
    error: Any  # float64[n, payoffs]
    policy: Any = None  # int32[n]
    distance: Any = None  # int32[n]
    exact: Sequence[tuple[Fraction, ...]] | None = None


@dataclass(eq=False)
class DataAnswers:
    """The contents of a file about a game whose rules are not known."""

    name: str  # the name of the class of the game
    parameters: Mapping[str, Any]
    rules_text: str  # the rules as they were when the game was solved, for people to read
    need: str  # one line that says how to provide the rules
    argument: str
    report: Report
    payoffs: tuple[str, ...]
    discount: float = 1.0
    is_exact: bool = False
    start: Any = None  # the state; None if the file does not contain it
    at_start: StateFacts | None = None
    layout: Layout | None = None
    stored: Stored | None = None  # the states, if they are stored by their keys
    strategies: tuple[Mapping[Any, Fraction], Mapping[Any, Fraction]] | None = None  # of a matrix game: the ones that are played
    _spaces: list[Space] = field(default_factory=list)

    @property
    def space(self) -> Space:
        """The stored states, in sorted order."""
        if self.layout is None or self.stored is None:
            raise self.refusal("the states")
        if not self._spaces:
            self._spaces.append(_DataSpace(self, self.layout, self.stored.keys))
        return self._spaces[0]

    def known(self, state: Any) -> StateFacts:
        """The stored data of a state. Raises `ParameterError`, `UnreachableState`, `NoRules`."""
        if not isinstance(state, tuple) or not is_whole(state):
            raise ParameterError(f"{state!r} is not a state of {self.name}: expected a tuple of whole numbers")
        if self.start is not None and state == self.start and self.at_start is not None:
            return self.at_start
        index = self.space.rank(state)
        assert self.stored is not None
        s = self.stored
        values = tuple(s.value[index].tolist()) if s.exact is None else s.exact[index]
        errors = tuple(e if s.exact is None or math.isinf(e) else 0.0 for e in s.error[index].tolist())  # infinite: not known
        best = -1 if s.policy is None else int(s.policy[index])
        away = -1 if s.distance is None else int(s.distance[index])
        return StateFacts(values, errors, best if best >= 0 else None, away if away >= 0 else None)

    def refusal(self, what: str) -> NoRules:
        return NoRules(f"{what}: needs the rules; {self.need}")


class _DataSpace(Space):
    """The stored states, without the rules, which determine the states that are equal by symmetry."""

    def __init__(self, answers: DataAnswers, layout: Layout, keys: Any):
        super().__init__(answers, layout, keys)  # type: ignore[arg-type]  # of the rules only the name is used
        self._need = answers.need

    def find(self, state: Any) -> tuple[int, int]:
        names = self.layout.state_class._fields
        if not isinstance(state, tuple) or len(state) != len(names) or not is_whole(state) or not has_shape(state, self.layout.lengths):
            raise ParameterError(f"{state!r} is not a state of {self.rules.name}: expected {', '.join(names)}")
        index = self._index(self.layout.pack(self.layout.state_class(*state)))
        if index < 0:
            raise UnreachableState(f"{state!r} is not stored; only the rules know whether it is the same as a state that is: {self._need}")
        return index, 0

    def _index(self, key: int) -> int:
        same = np.asarray(self.keys) == self.layout.item(key)  # entries sort within their stage only
        found = np.flatnonzero(same if same.ndim == 1 else same.all(axis=1))
        return int(found[0]) if len(found) and key >= 0 else -1
