"""What is said of a policy: its worth, its mistakes, the best response to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import Number, shortened
from zermelo.errors import NoValue, OutOfReach
from zermelo.language.rules import Action, State
from zermelo.problem.solver import NotConverged, Unbounded, Uncertified, Unproven

Policy = Callable[[State], Action]


class Mistake(NamedTuple):
    """A state where the policy chooses an action that is not best."""

    state: State
    action: Action  # the policy's
    best: Action
    cost: Number  # by how much it is worse, in the eyes of whoever decides, if play is optimal from there on


@dataclass(frozen=True)
class Evaluation:
    """The worth of a policy from the start, in the view of `Solution.value` (player 0; with PASS the first mover)."""

    value: Number
    low: Number  # the true worth lies in [low, high]
    high: Number
    loss: Number  # what the policy's seat gives away against the solution's value; >= 0 if the opponent is optimal
    payoffs: dict[str, Number]  # the expected total of every named payoff
    bounds: dict[str, tuple[Number, Number]]
    seat: int
    states: int  # pairs of a state and who sees it that can occur under the policy
    mistakes: tuple[Mistake, ...]  # the costliest, at most 10

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def worst_state(self) -> State | None:
        """Where the policy's costliest mistake is made; None if it makes none."""
        return self.mistakes[0].state if self.mistakes else None

    def __repr__(self) -> str:
        return f"<Evaluation: value {_digits(self.value)}, loss {_digits(self.loss)}, {self.states:,} states>"


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
    """What the start is worth under some plans."""

    payoffs: dict[str, Number]
    bounds: dict[str, tuple[Number, Number]]
    policy: np.ndarray  # int32[nodes], chosen actions

    @property
    def value(self) -> tuple[Number, tuple[Number, Number]]:
        """The first payoff and its bounds."""
        name = next(iter(self.payoffs))
        return self.payoffs[name], self.bounds[name]


@contextmanager
def failures_in_words(lifted: Any) -> Iterator[None]:
    """`NoValue` or `OutOfReach` that names a state instead of what solvers raise."""
    try:
        yield
    except (Unbounded, NotConverged, Uncertified) as failure:
        state = lifted.show(failure.states[0])
        raise NoValue(f"{lifted.rules.name}: no value at {state}: {failure.why}") from failure
    except Unproven as failure:
        state = lifted.show(failure.states[0])
        raise OutOfReach(f"{lifted.rules.name}: no exact value at {state}: {failure.why}") from failure
