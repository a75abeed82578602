"""The answer to the property of a model that a game was translated from (`zermelo.foreign`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.base import CountsDown
from zermelo.basics.different import different
from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, between, down, in_full, is_wide, up, with_decimals
from zermelo.basics.words import counted
from zermelo.errors import OutOfReach, ParameterError
from zermelo.foreign.modules import question_about
from zermelo.language.units import payoff_unit
from zermelo.problem.transitions import Transitions
from zermelo.uses.filtered import At, filtered, states_of, told

SIMPLE = 1000  # a denominator up to which a fraction is taken for what a float stands for
Known = tuple[Number, Number, Number]  # a value and its bounds


@described(
    text="The property.",
    relation='"=?", or how the bound of a threshold is compared: ">=", "<", ...',
    value="The value of the property: a probability, a reward or a count. A Fraction if it is proven as one; None where no single number "
    "answers: a range over several states, a truth about several states, or a list of states.",
    low="The value, or that of every state asked about, is at least this.",
    high="It is at most this.",
    holds="Whether the threshold is met; None if the property has none, or if the bounds do not decide it.",
    said="Of several states: the answer as a sentence that follows the property; else \"\".",
    states="Of several states: the initial ones, or those that a filter names, in order, each with its value.",
    is_of_start="Whether the property is about the initial state. Otherwise about several states, one of which is drawn at the start.",
    least="For a range: the least value over the states, with its bounds.",
    most="For a range: the greatest value, with its bounds.",
)
class PropertyAnswer(NamedTuple):
    """The answer to the property of a model, which the value of the translated game need not be."""

    text: str
    relation: str
    value: Number | None
    low: Number
    high: Number
    holds: bool | None
    said: str = ""
    states: tuple[At, ...] = ()
    is_of_start: bool = True
    least: Known | None = None
    most: Known | None = None

    @property
    def line(self) -> str:
        """The answer as readable text."""
        if self.said:
            return f"{self.text} {self.said}"
        assert self.value is not None
        if self.relation != "=?":
            is_close = "not decided: the bound lies within what is known of it; --exact decides"
            told = {True: "true", False: "false", None: is_close}[self.holds]
            return f"{self.text} is {told} ({_number(self.value, self.low, self.high)})"
        return f"{self.text} = {_number(self.value, self.low, self.high)}"

    def __str__(self) -> str:
        return self.line


def _number(value: Number, low: Number, high: Number) -> str:
    if low == math.inf:
        return "infinite"
    if is_wide(low, high):
        return between(low, high)
    if isinstance(value, Fraction) and value.denominator != 1:
        return f"{value.numerator}/{value.denominator} = {float(value):.15g}"
    return with_decimals(value, low, high)


def answer(solution: Any) -> PropertyAnswer | None:
    """The solution's answer to the property of a translated game; None for other games."""
    question, game = _question(solution), getattr(solution, "game", None)
    if question is None:
        return None
    if not question.among:
        return PropertyAnswer(question.text, question.relation, *_at(question, game, solution.value, solution.low, solution.high))
    states = []
    for values, known in states_of(solution, question):
        states.append(At(told(values, question.variables), *_at(question, game, known.values[0], *known.interval())))
    found = filtered(question, states, _number)
    return PropertyAnswer(question.text, question.relation, *found[:6], is_of_start=False, least=found.least, most=found.most)


def truths(solution: Any) -> dict[tuple[int, ...], bool | None]:
    """For a property of several states: where it holds, by the values of the variables; None where that is not decided."""
    question, game = _question(solution), solution.game
    return {v: _at(question, game, known.values[0], *known.interval())[3] for v, known in states_of(solution, question)}


def _at(question: Any, game: Any, value: Number, low: Number, high: Number) -> tuple[Number, Number, Number, bool | None]:
    """The meaning of a state's value, and whether the threshold is met there."""
    if value == math.inf:
        return value, low, high, None if question.bound is None else question.relation in (">", ">=")
    never = getattr(game, "never", 0) if question.must_reach else 0
    _, unit = payoff_unit(game) or ("", 1)
    if question.reads == "rest":
        value, low, high = 1 - value, _below(1 - Fraction(high), high), _above(1 - Fraction(low), low)
    elif never or unit != 1:
        exact = [Fraction(number) / unit + never for number in (value, low, high)]
        value = exact[0] if isinstance(value, Fraction) else float(exact[0])
        low, high = _below(exact[1], low), _above(exact[2], high)
    if question.is_chance:
        value, low, high = (_chance(number) for number in (value, low, high))
    return value, low, high, None if question.bound is None else _holds(question.relation, question.bound, low, high)


def _chance(number: Number) -> Number:
    """A probability, or a bound of one, which may lie a little beyond 0 or 1."""
    return type(number)(0) if number <= 0 else type(number)(1) if number >= 1 else number


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
    return question_about(type(getattr(solution, "game", None)))


def kind_of(question: Any) -> str:
    """What answers a question: a "number"; "truth", with the number that is compared, if it is about the start; a "range"; "states"."""
    if not question.among or question.op in ("first", "state"):
        return "number" if question.relation == "=?" else "truth"
    if question.op == "count" or (question.relation == "=?" and question.op in ("sum", "avg", "min", "max")):
        return "number"
    if question.relation != "=?":
        return "truth"
    return "states" if question.op in ("argmin", "argmax", "print", "printall") else "range"


def is_number(question: Any) -> bool:
    """Whether a number answers a question, or is compared with its threshold."""
    return kind_of(question) == "number" or (kind_of(question) == "truth" and (not question.among or question.op in ("first", "state")))


def check_number(game_class: Any, what: str) -> None:
    """Refuse `what` ("a picture") of a property that no number answers. Raises `ParameterError`."""
    question = question_about(game_class)
    if question is None or is_number(question):
        return
    kind = kind_of(question)
    if kind == "truth":
        raise ParameterError(f"{what} needs a number, and {question.text} is true or false of several states")
    instead = "ask for filter(min, ...) or filter(max, ...)"
    answers = "a range of values" if kind == "range" else "a list of states"
    raise ParameterError(f"{what} needs a number, and {answers} answers {question.text}: {instead}")


def check_value_answers(game_class: Any, games: Sequence[Any]) -> None:
    """Refuse a derivative where the answer to a property is another number than the value of the translated game. Raises
    `ParameterError`."""
    check_number(game_class, "a derivative")
    for game in games:
        if differs := apart(game) or remark(game, is_in_unit=False):
            text = question_about(game_class).text
            raise ParameterError(f"a derivative is of the value of the translated game, which is not the answer to {text} ({differs})")


def check_undiscounted(game_class: Any, discount: float) -> None:
    """Refuse a discount for the property of a model. Raises `ParameterError`."""
    question = question_about(game_class)
    if question is not None and discount != 1:
        raise ParameterError(
            f"{question.text} is a property of a model, which discounts nothing: `zermelo translate` writes the game that is solved, which "
            "takes a discount"
        )


def check_exact(game: Any, exact: bool) -> None:
    """Refuse an exact answer for a model that computes with irrational numbers. Raises `OutOfReach`."""
    question = question_about(type(game))
    if exact and question is not None and question.rounded:
        raise OutOfReach(f"{question.text}: no value is proven to be exact, as the model computes {question.rounded}, which floats round")


def given_exactly(game: Any) -> str:
    """What makes a model exact whose rules compute with floats: its open constants that are floats, given with --const; "" if there are
    none, or the game is not one of a model."""
    open_ = [(n, v) for n, v in zip(game._fields, game, strict=True) if isinstance(v, float) and not v.is_integer()]
    if question_about(type(game)) is None or not open_:
        return ""
    what = "a constant that is given with --const is" if len(open_) == 1 else "constants that are given with --const are"
    return f"{what} read exactly: {' '.join(f'--const {name}={_meant(value)}' for name, value in open_)}"


def _meant(value: float) -> str:
    """What a user hardly fails to mean by a float: 1/3 by 0.3333333333333333; otherwise the decimal that it is written as."""
    simple = Fraction(value).limit_denominator(SIMPLE)
    return str(simple) if float(simple) == value else repr(value)


def named(word: str, question: Any) -> str:
    """A model and its property, as a title: `word` may name both."""
    return word if question is None or word.endswith(f":{question.text}") else f"{word}: {question.text}"


def apart(game: Any) -> str:
    """How the values of a game that was translated from a model differ from the answers to its property, where they are shown in the unit
    of the model: "1 - P"; "" if they do not."""
    question = question_about(type(game))
    if question is None:
        return ""
    said = ["1 - P"] if question.reads == "rest" else []
    if question.must_reach and getattr(game, "never", 0):
        said.append(f"the reward less {in_full(Fraction(game.never))} (`never`)")
    if question.among:
        said.append("at the start the mean over a random draw of the state, which means nothing")
    return ", ".join(said)


def remark(game: Any, is_in_unit: bool = True) -> str:
    """A note on values that are shown of a game that was translated from a model, if they differ from the answers to its property; else "".
    is_in_unit : whether they are shown in the unit of the model, and not in that of the rules."""
    if question_about(type(game)) is None:
        return ""
    _, unit = payoff_unit(game) or ("", 1)
    scaled = f"{unit} times what the model pays" if unit != 1 and not is_in_unit else ""
    differs = ", ".join(filter(None, [apart(game), scaled]))
    return f"values are those of the translated game: {differs}" if differs else ""


MOST_ASKED = 20_000  # states that are tested for deadlocks


def deadlocks(solution: Any) -> str:
    """A remark on the states of a model in which nothing can happen; "" if there are none, or if the game is not a model."""
    game: Any = getattr(solution, "game", None)
    answers: Any = getattr(solution, "answers", None)
    explored = getattr(answers, "explored", None)
    question = _question(solution)
    if explored is None or question is None or not hasattr(type(game), "deadlock"):
        return ""
    if answers.lacks(CountsDown) is None:  # its states are kept apart from the number of remaining steps
        ends = np.arange(explored.num_states) if question.stays else np.flatnonzero(np.diff(explored.steps.action_start) == 0)
    elif not question.stays:
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
    return different(state[leaves == 0])


def _holds(relation: str, bound: Fraction, low: Number, high: Number) -> bool | None:
    least, most = Fraction(low), Fraction(high)
    always = {">=": least >= bound, ">": least > bound, "<=": most <= bound, "<": most < bound}[relation]
    sometimes = {">=": most >= bound, ">": most > bound, "<=": least <= bound, "<": least < bound}[relation]
    return True if always else None if sometimes else False
