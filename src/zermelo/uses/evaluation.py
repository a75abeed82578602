"""The assessment of a policy: its worth, its mistakes, the best response to it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

import numpy as np

from zermelo.answers.base import Answers
from zermelo.answers.report import Report
from zermelo.basics.bounds import difference
from zermelo.basics.fields import described
from zermelo.basics.html import card, facts, table
from zermelo.basics.numbers import Number, digits, in_few, shortened, with_decimals
from zermelo.basics.words import counted
from zermelo.engines.faults import unsolved
from zermelo.language.rules import Action, State
from zermelo.problem.solver import SolverFailure
from zermelo.uses.probe import known_start
from zermelo.uses.units import Chance, chance_of, percent, winning

Policy = Callable[[State], Action]


# The opponents of a policy.
NOBODY = "nobody"
GIVEN = "the opponent that was given"
LEAST_FAVOURABLE = "the least favourable opponent that plays best"
STORED = "an opponent that plays best, and takes the first of equally good actions"
LEAST_FAVOURABLE_MIXTURE = "the least favourable opponent that mixes optimally"
MIXTURE = "the optimal mixture"


def opponents(report: Report, opponent: Policy | None, best: str) -> str:
    """The opponents of a policy: `best` plays where no opponent is given."""
    return NOBODY if not report.is_for_two else best if opponent is None else GIVEN


@described(
    state="Where the mistake is made.",
    action="The action of the policy.",
    best="A best action.",
    cost="By how much the action is worse for whoever decides, if play is optimal from there on: the difference of two values, whose "
    "bounds `probe(state).action_bounds` has.",
)
class Mistake(NamedTuple):
    """A state where the policy chooses an action that is not best."""

    state: State
    action: Action
    best: Action
    cost: Number


@dataclass(frozen=True)
class Evaluation:
    """The worth of a policy from the start, as `Solution.value`: that of player 0, or with PASS of the player who moves first."""

    value: Number
    """The expected total of the first payoff under the policy: a Fraction in exact solutions."""
    low: Number
    """The true worth is at least this."""
    high: Number
    """The true worth is at most this."""
    loss: Number
    """By how much `value` is worse for the policy's seat than the solution's value; >= 0 if the opponent is optimal."""
    payoffs: dict[str, Number]
    """The expected total of every named payoff."""
    bounds: dict[str, tuple[Number, Number]]
    """For every named payoff an interval that contains its true total."""
    seat: int
    """The player who plays the policy."""
    states: int
    """How many states can occur under the policy (counted for each player who sees them; in games in stages too large to be stored, from
    all entry states; where both choose at once, all states of the game)."""
    mistakes: tuple[Mistake, ...]
    """The states where the policy's action is not best, the costliest first, at most 10; none where play is too large to be listed."""
    against: str = NOBODY
    """Whom the policy was played against, in words."""
    win_probability: Chance | None = None
    """The chance of winning that `value` stands for, with bounds; None where the game does not say it, or is discounted."""
    winner: str = ""
    """Whose chance that is, in words."""
    loss_bounds: tuple[Number, Number] = (-math.inf, math.inf)
    """The difference of the true values is at least and at most this."""

    @property
    def is_exact(self) -> bool:
        """Whether `value` is proven to be exact."""
        return self.low == self.high

    @property
    def worst_state(self) -> State | None:
        """The state of the policy's costliest mistake; None if it makes none."""
        return self.mistakes[0].state if self.mistakes else None

    def _repr_html_(self) -> str:
        """The policy's worth as notebooks show it, and its costliest mistakes."""
        against = f", against {self.against}" if self.against != NOBODY else ""
        rows = [*_worths(self), ("loss", _short(self.loss)), ("states that can occur", f"{self.states:,}")]
        wrong = [[str(m.state), str(m.action), str(m.best), _short(m.cost)] for m in self.mistakes]
        mistakes = table(("state", "action of the policy", "best action", "cost"), wrong) if wrong else ""
        return card(f"Evaluation of a policy in seat {self.seat}{against}", facts(rows), mistakes)

    def __repr__(self) -> str:
        against = f" against {self.against}" if self.against != NOBODY else ""
        value = _worth(self)
        loss = digits(self.loss, *self.loss_bounds)
        return f"<Evaluation: {value}, loss {loss}{against}, {counted(self.states, 'state')}>"


@dataclass(frozen=True)
class Response:
    """A best response to a given policy. Values are player 0's, or with PASS those of the player who moves first."""

    value: Number
    """The expected total of the first payoff if the response is played against the policy."""
    low: Number
    """The true value is at least this."""
    high: Number
    """The true value is at most this."""
    gain: Number
    """What the seat that responds gets beyond the solution's value; never negative."""
    payoffs: dict[str, Number]
    """The expected total of every named payoff."""
    seat: int
    """The player who responds."""
    states: int
    """How many states can occur (counted for each player who sees them; in games in stages too large to be stored, from all entry
    states; where both choose at once, all states of the game)."""
    policy: Policy
    """The response itself: a function from a state to an action, for the states that can occur."""
    win_probability: Chance | None = None
    """The chance of winning that `value` stands for, with bounds; None where the game does not say it, or is discounted."""
    winner: str = ""
    """Whose chance that is, in words."""
    gain_bounds: tuple[Number, Number] = (-math.inf, math.inf)
    """The difference of the true values is at least and at most this."""

    def _repr_html_(self) -> str:
        """The response's worth as notebooks show it."""
        rows = [*_worths(self), ("gain", _short(self.gain)), ("states that can occur", f"{self.states:,}")]
        return card(f"Best response in seat {self.seat}", facts(rows))

    def __repr__(self) -> str:
        value = _worth(self)
        return f"<Response in seat {self.seat}: {value}, gain {digits(self.gain, *self.gain_bounds)}>"


Found = TypeVar("Found", Evaluation, Response)


def completed(found: Found, answers: Answers) -> Found:
    """The same with bounds of the loss or gain, and with the chance of winning, where the game defines it."""
    value, worth = known_start(answers).interval(), (found.low, found.high)
    low, high = difference(worth, value) if (found.seat == 0) == isinstance(found, Response) else difference(value, worth)
    what, amount = ("loss", found.loss) if isinstance(found, Evaluation) else ("gain", found.gain)
    more: dict[str, Any] = {f"{what}_bounds": (min(low, amount), max(high, amount))}
    if (unit := winning(answers)) is not None:
        more |= {"win_probability": unit.of(found.value, found.low, found.high), "winner": unit.who}
    return replace(found, **more)


def _worth(found: Evaluation | Response) -> str:
    """The value, and the corresponding chance of winning."""
    value = digits(found.value, found.low, found.high)
    return f"value {value}" + (f", {chance_of(found.winner)} {percent(found.win_probability)} %" if found.win_probability else "")


def _worths(found: Evaluation | Response) -> list[tuple[str, str]]:
    """The chance of winning, if the game defines it, the value, and the other payoffs, with their names."""
    name, *others = found.payoffs
    rows = [(name if others else "value", with_decimals(found.value, found.low, found.high))]
    rows += [(other, _short(found.payoffs[other])) for other in others]
    return [(chance_of(found.winner), f"{percent(found.win_probability)} %"), *rows] if found.win_probability else rows


def _short(number: Number) -> str:
    """Ten digits, as such a number has an error of its own."""
    return shortened(number) if isinstance(number, Fraction) else in_few(number + 0.0, 10)


class Worth(NamedTuple):
    """The value of the start under given policies."""

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
    """Turn the errors of solvers into `NoValue` or `OutOfReach` that names states. answers : what could be solved again, more exactly or
    discounted."""
    try:
        yield
    except SolverFailure as failure:
        exact_helps, discount_helps = answers is not None and not answers.is_exact, answers is not None and answers.discount == 1
        raise unsolved(lifted.rules, failure, lifted.show, exact_helps, discount_helps) from failure
