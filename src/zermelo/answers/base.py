"""The interface of every answer, and the capabilities that only some have.

An engine leaves an *answer* behind. `known` means the same for all of them. Anything that only some can do is a capability, a small
protocol. `lacks` says whether an answer has it and, if not, why, in words that continue "evaluating a policy ...". No class of answers
inherits from another one, so that none has a capability by accident.
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
    """The answer that an engine leaves behind about a game with states."""

    report: Report

    @property
    def rules(self) -> Rules: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def discount(self) -> float:
        """The factor by which payoffs one move later count less; 1.0 without discounting."""

    @property
    def argument(self) -> str:
        """The reason why the certificate holds, in words."""

    @property
    def is_exact(self) -> bool:
        """Whether every value is a rational number proven to be the true one."""

    def known(self, state: State) -> StateFacts:
        """What is known about a state. Raises `ParameterError` for an object that is not a state of the game, `UnreachableState` for a
        state that was not solved."""

    def lacks(self, capability: type) -> str | None:
        """None if the answer has the capability (one of the protocols below); otherwise the reason, as a clause with a verb: "needs all
        states ..."."""


class Tabled(Answers, Protocol):
    """All states are stored, in arrays indexed by number (the engine's order). `order[k]` is the number of the state with index k in
    `space`."""

    keys: np.ndarray  # int64[n]: the packed states
    value: Any  # float64[n, payoffs], or an object indexed like such an array
    error: Any  # likewise: an upper bound of |value - true value|
    policy: np.ndarray  # int32[n], position of a best action among the state's actions; -1 in final states
    distance: np.ndarray | None  # int32[n], moves to the end; -1 for endless draws
    exact: Any  # a tuple of Fractions for every state, or None
    mixtures: Mixtures | None  # of all states, for games with simultaneous moves
    explored: Any  # the explored game, if this process has explored it; otherwise None
    apart: Any  # the same game with symmetric states kept apart, once something has needed it

    @property
    def space(self) -> Space: ...
    @property
    def order(self) -> np.ndarray: ...
    def ordered(self, array: np.ndarray) -> np.ndarray: ...


class CountsMoves(Answers, Protocol):
    """Distances are known, as in games without chance that end in a win, a draw or a loss."""

    def census(self) -> dict[str, list[tuple[int, int]]]: ...
    def farthest(self) -> State | None: ...


class CountsLength(Answers, Protocol):
    """The mean and the variance of the number of moves were computed with the values."""

    length: Length | None
    moves: str | None  # the name of the payoff that counts moves, if any


class Entered(Answers, Protocol):
    """Solved stage by stage from entry states, so that compiled policies can be evaluated in the same way. Arrays: see `EnteredAnswers`."""

    keys: np.ndarray
    stages: np.ndarray
    first: np.ndarray
    value: np.ndarray
    error: np.ndarray

    def best_entered(self, state: Any) -> int: ...


class CountsDown(Answers, Protocol):
    """Solved for one number of moves left after another; the values for some of these are kept (see `CountedAnswers`)."""

    count: str
    kept: Any

    def best_counted(self, state: Any) -> int: ...


class StoppingLine(Answers, Protocol):
    """An urn for which it is known with which balls left a player stops (see answers/swept.py, `Frontier`)."""

    @property
    def frontier(self) -> Any: ...


class Coded(Answers, Protocol):
    """A large board game without chance: one code for each position and nothing else, which can be compressed when it is saved."""

    codes: Any
