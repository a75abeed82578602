"""What every answer can be asked, and the capabilities that only some have.

An engine leaves an *answer* behind. `known` means the same for all of them. What only some can do is a capability, a small protocol:
`lacks` tells whether an answer has it, and if not why, in words that continue "evaluating a policy ...". No class of answers inherits from
another one: what it does not say, it does not know.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from zermelo.answers.known import Known, Length
from zermelo.answers.report import Report
from zermelo.language.rules import Rules, State
from zermelo.problem.mixtures import Mixtures
from zermelo.states.layout import Layout
from zermelo.states.space import Space


class Answers(Protocol):
    """What an engine leaves behind about a game with states."""

    report: Report

    @property
    def rules(self) -> Rules: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def discount(self) -> float: ...
    @property
    def argument(self) -> str:
        """Why the certificate holds."""

    @property
    def is_exact(self) -> bool:
        """Whether every value is a rational number, proven."""

    def known(self, state: State) -> Known:
        """What is known of a state. Raises `ParameterError` for what is no state of the game, `UnreachableState` for one without value."""

    def lacks(self, capability: type) -> str | None:
        """None if the answer has the capability; else why not."""


class Tabled(Answers, Protocol):
    """All states are there, as arrays by *number* (the engine's order); `order` puts them into the order of `space`."""

    keys: np.ndarray  # int64[n]
    value: Any  # float64[n, payoffs], or what is indexed like it
    error: Any  # likewise
    policy: np.ndarray  # int32[n], position of the best action; -1 where play is over
    distance: np.ndarray | None  # int32[n], moves to the end; -1 for endless draws
    exact: Any  # None, or the rational values of every state
    mixtures: Mixtures | None
    explored: Any  # the explored game, where this process has it; None elsewhere

    @property
    def space(self) -> Space: ...
    @property
    def order(self) -> np.ndarray: ...
    def ordered(self, array: np.ndarray) -> np.ndarray: ...


class CountsMoves(Answers, Protocol):
    """Moves to the end are counted: games that can only be won, drawn or lost, without chance."""

    def census(self) -> dict[str, list[tuple[int, int]]]: ...
    def farthest(self) -> State | None: ...


class CountsLength(Answers, Protocol):
    """The mean and the variance of the number of moves were computed with the values."""

    length: Length | None
    moves: str | None  # the payoff that counts the moves, if there is one


class Entered(Answers, Protocol):
    """Solved stage by stage from where stages are entered, so that compiled policies can be evaluated in the same way."""

    keys: np.ndarray
    stages: np.ndarray
    first: np.ndarray
    value: np.ndarray
    error: np.ndarray


class StoppingLine(Answers, Protocol):
    """An urn: when to stop, in a line."""

    @property
    def frontier(self) -> Any: ...


class Packs(Answers, Protocol):
    """One code a position, which can be packed when it is saved."""

    codes: Any
