"""What is said of a policy: its worth, its mistakes, the best response to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.report import Report
from zermelo.basics.numbers import Number, shortened
from zermelo.engines.faults import unsolved
from zermelo.language.rules import Action, State
from zermelo.problem.solver import SolverFailure

Policy = Callable[[State], Action]


# Whom a policy is played against.
NOBODY = "nobody"
GIVEN = "the opponent that was given"
LEAST_FAVOURABLE = "the least favourable opponent that plays best"
STORED = "an opponent that plays best, and takes the first of equally good actions"
LEAST_FAVOURABLE_MIXTURE = "the least favourable opponent that mixes optimally"
MIXTURE = "the optimal mixture"


def opponents(report: Report, opponent: Policy | None, best: str) -> str:
    """Whom a policy is played against: `best` is what plays where no opponent is given."""
    return NOBODY if not report.is_for_two else best if opponent is None else GIVEN


class Mistake(NamedTuple):
    """A state where the policy chooses an action that is not best."""

    state: State
    action: Action  # the policy's
    best: Action
    cost: Number  # by how much it is worse, in the eyes of whoever decides, if play is optimal from there on


@dataclass(frozen=True)
class Evaluation:
    """The worth of a policy from the start, as `Solution.value` is: that of player 0, with PASS of whoever moves first."""

    value: Number
    low: Number  # the true worth lies in [low, high]
    high: Number
    loss: Number  # what the policy's seat gives away against the solution's value; >= 0 if the opponent is optimal
    payoffs: dict[str, Number]  # the expected total of every named payoff
    bounds: dict[str, tuple[Number, Number]]
    seat: int
    states: int  # pairs of a state and who sees it that can occur under the policy
    mistakes: tuple[Mistake, ...]  # the costliest, at most 10
    against: str = NOBODY  # whom the policy was played against, in words

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def worst_state(self) -> State | None:
        """Where the policy's costliest mistake is made; None if it makes none."""
        return self.mistakes[0].state if self.mistakes else None

    def __repr__(self) -> str:
        against = f" against {self.against}" if self.against != NOBODY else ""
        return f"<Evaluation: value {_digits(self.value)}, loss {_digits(self.loss)}{against}, {self.states:,} states>"


@dataclass(frozen=True)
class Response:
    """The best answer to a fixed policy."""

    value: Number  # in the same view as `Solution.value`
    low: Number
    high: Number
    gain: Number  # what the seat that answers gets beyond the solution's value
    payoffs: dict[str, Number]
    seat: int  # of the answer
    states: int
    policy: Policy  # the answer: a function of the states that can occur

    def __repr__(self) -> str:
        return f"<Response in seat {self.seat}: value {_digits(self.value)}, gain {_digits(self.gain)}>"


def _digits(number: Number) -> str:
    return shortened(number) if isinstance(number, Fraction) else f"{number:.15g}"


class Worth(NamedTuple):
    """What the start is worth under given policies."""

    payoffs: dict[str, Number]
    bounds: dict[str, tuple[Number, Number]]
    policy: np.ndarray  # int32[nodes], chosen actions

    @property
    def value(self) -> tuple[Number, tuple[Number, Number]]:
        """The first payoff and its bounds."""
        name = next(iter(self.payoffs))
        return self.payoffs[name], self.bounds[name]


@contextmanager
def failures_in_words(lifted: Any, answers: Answers | None) -> Iterator[None]:
    """`NoValue` or `OutOfReach` that names states instead of what solvers raise. answers : what could be asked for anew, more exactly or
    discounted."""
    try:
        yield
    except SolverFailure as failure:
        states = [lifted.show(s) for s in failure.states[:3]]
        exact_helps, discount_helps = answers is not None and not answers.is_exact, answers is not None and answers.discount == 1
        raise unsolved(lifted.rules, failure, states, exact_helps, discount_helps) from failure
