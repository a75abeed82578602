"""What every answer can be asked, and the capabilities that only some have.

An engine leaves an *answer* behind. `known` means the same for all of them. What only some can do is a capability, a small protocol:
`lacks` says whether an answer has it and, if not, why, in words that continue "evaluating a policy ...". No class of answers inherits from
another one, so that none has a capability by accident.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from zermelo.answers.known import Length, StateFacts
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
    def discount(self) -> float:
        """The factor by which what comes one move later counts less; 1.0 without discounting."""

    @property
    def argument(self) -> str:
        """Why the certificate holds, in words."""

    @property
    def is_exact(self) -> bool:
        """Whether every value is a rational number that is proven to be the true one."""

    def known(self, state: State) -> StateFacts:
        """What is known about a state. Raises `ParameterError` for an object that is no state of the game, `UnreachableState` for a state
        that was not solved."""

    def lacks(self, capability: type) -> str | None:
        """None if the answer has the capability (one of the protocols below); else why not, as a clause with a verb: "needs all states
        ..."."""


class Tabled(Answers, Protocol):
    """All states are stored, in arrays indexed by number (the engine's order). `order[k]` is the number of the state with index k in
    `space`."""

    keys: np.ndarray  # int64[n]: the packed states
    value: Any  # float64[n, payoffs], or an object that is indexed like such an array
    error: Any  # likewise: |value - true value| is at most this
    policy: np.ndarray  # int32[n], position of a best action among the state's actions; -1 in final states
    distance: np.ndarray | None  # int32[n], moves to the end; -1 for endless draws
    exact: Any  # a tuple of Fractions for every state, or None
    mixtures: Mixtures | None  # of all states, with simultaneous moves
    explored: Any  # the explored game, if this process has explored it; else None

    @property
    def space(self) -> Space: ...
    @property
    def order(self) -> np.ndarray: ...
    def ordered(self, array: np.ndarray) -> np.ndarray: ...


class CountsMoves(Answers, Protocol):
    """Distances are known: in games without chance that are won, drawn or lost."""

    def census(self) -> dict[str, list[tuple[int, int]]]: ...
    def farthest(self) -> State | None: ...


class CountsLength(Answers, Protocol):
    """The mean and the variance of the number of moves were computed with the values."""

    length: Length | None
    moves: str | None  # the name of the payoff that counts the moves, if there is one


class Entered(Answers, Protocol):
    """Solved stage by stage from entry states, so that compiled policies can be evaluated in the same way. Arrays: see `EnteredAnswers`."""

    keys: np.ndarray
    stages: np.ndarray
    first: np.ndarray
    value: np.ndarray
    error: np.ndarray


class StoppingLine(Answers, Protocol):
    """An urn, of which it is known at which balls left a player stops (see answers/swept.py, `Frontier`)."""

    @property
    def frontier(self) -> Any: ...


class Coded(Answers, Protocol):
    """A large board game without chance: one code for each position and nothing else, which can be compressed when it is saved."""

    codes: Any
