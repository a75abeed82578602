"""The answer to the property of a model that a game was translated from (`zermelo.foreign`)."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import Number, between, is_wide, with_decimals
from zermelo.basics.words import counted
from zermelo.language.units import payoff_unit
from zermelo.problem.transitions import Transitions
from zermelo.uses.lookahead import down, up
from zermelo.views.filtered import At, filtered, states_of, told


class Answer(NamedTuple):
    """The value of a property, an interval that contains it, and whether its threshold is met: None if the interval does not decide it.
    For several states: the sentence about them, and the states that it names."""

    text: str
    relation: str
    value: Number
    low: Number
    high: Number
    holds: bool | None
    said: str = ""
    states: tuple[At, ...] = ()
    is_of_start: bool = True  # otherwise of several states, which are drawn

    @property
    def line(self) -> str:
        """The answer as readable text."""
        if self.said:
            return f"{self.text} {self.said}"
        if self.relation != "=?":
            is_close = "not decided: the bound lies within what is known of it; --exact decides"
            told = {True: "true", False: "false", None: is_close}[self.holds]
            return f"{self.text} is {told} ({_number(self.value, self.low, self.high)})"
        return f"{self.text} = {_number(self.value, self.low, self.high)}"


def _number(value: Number, low: Number, high: Number) -> str:
    if is_wide(low, high):
        return between(low, high)
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value.numerator}/{value.denominator} = {float(value):.15g}"
    return with_decimals(value, low, high)


def answer(solution: Any) -> Answer | None:
    """The solution's answer to the property of a translated game; None for other games."""
    question, game = _question(solution), getattr(solution, "game", None)
    if question is None:
        return None
    if not question.among:
        return Answer(question.text, question.relation, *_at(question, game, solution.value, solution.low, solution.high))
    states = []
    for values, known in states_of(solution, question):
        states.append(At(told(values, question.variables), *_at(question, game, known.values[0], *known.interval())))
    return Answer(question.text, question.relation, *filtered(question, states, _number), is_of_start=False)


def truths(solution: Any) -> dict[tuple[int, ...], bool | None]:
    """For a property of several states: where it holds, by the values of the variables; None where that is not decided."""
    question, game = _question(solution), solution.game
    return {v: _at(question, game, known.values[0], *known.interval())[3] for v, known in states_of(solution, question)}


def _at(question: Any, game: Any, value: Number, low: Number, high: Number) -> tuple[Number, Number, Number, bool | None]:
    """The meaning of a state's value, and whether the threshold is met there."""
    never = getattr(game, "never", 0) if question.must_reach else 0
    _, unit = payoff_unit(game) or ("", 1)
    if question.reads == "rest":
        value, low, high = 1 - value, _below(1 - Fraction(high), high), _above(1 - Fraction(low), low)
    elif never or unit != 1:
        exact = [(Fraction(number) + never) / unit for number in (value, low, high)]
        value = exact[0] if isinstance(value, Fraction) else float(exact[0])
        low, high = _below(exact[1], low), _above(exact[2], high)
    return value, low, high, None if question.bound is None else _holds(question.relation, question.bound, low, high)


def _below(exact: Fraction, like: Number) -> Number:
    """A number unchanged, or rounded down if it is computed from a float."""
    return exact if isinstance(like, Fraction) else down(exact)


def _above(exact: Fraction, like: Number) -> Number:
    return exact if isinstance(like, Fraction) else up(exact)


def is_of_several(solution: Any) -> bool:
    """Whether the property is of several states, one of which is drawn at the start."""
    question = _question(solution)
    return question is not None and bool(question.among)


def _question(solution: Any) -> Any:
    """The meaning of the value of a translated game; None for other games."""
    game = getattr(solution, "game", None)
    if game is None or "zermelo.foreign.loading" not in sys.modules:
        return None
    from zermelo.foreign.loading import question_of

    return question_of(game)


MOST_ASKED = 20_000  # states that are tested for deadlocks


def deadlocks(solution: Any) -> str:
    """A remark on the states of a model in which nothing can happen; "" if there are none, or if the game is not a model."""
    game: Any = getattr(solution, "game", None)
    answers: Any = getattr(solution, "answers", None)
    explored = getattr(answers, "explored", None)
    question = _question(solution)
    if explored is None or question is None or not hasattr(type(game), "deadlock"):
        return ""
    if not question.stays:
        ends = np.flatnonzero(answers.policy < 0)
    elif question.counts:  # the number of remaining steps makes it another state
        ends = np.arange(explored.num_states)
    else:
        ends = np.concatenate([_resting(batch) for batch, _ in explored.batches()])
    asked = explored.layout.unpack_many(explored.keys[ends[:MOST_ASKED]])
    over = getattr(game, "over", getattr(game, "reached", lambda s: False))
    found = [s for s in asked if not over(s) and game.deadlock(s)]
    if not found:
        return ""
    count = f"{'' if len(ends) <= MOST_ASKED else 'at least '}{counted(len(found), 'state')}"
    return f"nothing can happen in {count}, such as {explored.rules.in_line(found[0])}: play stays there forever (a deadlock)"


def _resting(batch: Transitions) -> np.ndarray:
    """The states of a batch in which something keeps play where it is."""
    state = np.repeat(np.arange(batch.low, batch.high), np.diff(batch.action_start))
    owner = np.repeat(np.arange(state.size), np.diff(batch.outcome_start))
    leaves = np.bincount(owner[batch.next != state[owner]], minlength=state.size)
    return np.unique(state[leaves == 0])


def _holds(relation: str, bound: Fraction, low: Number, high: Number) -> bool | None:
    least, most = Fraction(low), Fraction(high)
    always = {">=": least >= bound, ">": least > bound, "<=": most <= bound, "<": most < bound}[relation]
    sometimes = {">=": most >= bound, ">": most > bound, "<=": least <= bound, "<": least < bound}[relation]
    return True if always else None if sometimes else False
