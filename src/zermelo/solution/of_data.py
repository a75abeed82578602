"""A stored solution whose rules are not known, as users hold it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from zermelo.answers.data import DataAnswers, Stored
from zermelo.answers.known import StateFacts
from zermelo.basics.fields import described
from zermelo.basics.numbers import Number, digits
from zermelo.basics.words import counted
from zermelo.errors import ParameterError
from zermelo.language.rules import State
from zermelo.solution.base import FromStart
from zermelo.solution.copies import CopiedAsFile
from zermelo.states.space import ByIndex, Space, has_shape, is_whole


class DataSolution(CopiedAsFile, FromStart):
    """A stored solution whose rules were not given: the contents of its file, as data.

    Values, bounds and the certificate of the start, and the stored data of every state; states are named tuples with the fields they
    have in the game. Whatever needs the rules raises `NoRules`, which says how to give them. `rules_text` is the text of the rules that
    were solved.
    """

    answers: DataAnswers

    def __init__(self, answers: DataAnswers):
        self.answers, self.need = answers, answers.need
        self.name, self.parameters, self.rules_text = answers.name, dict(answers.parameters), answers.rules_text

    def __reduce__(self) -> tuple[Any, ...]:
        raise ParameterError(f"{self.name}: a solution without its rules can't be pickled: hand on its file, and zermelo.open it there")

    @property
    def _names(self) -> tuple[str, ...]:
        return self.answers.payoffs

    @property
    def _start(self) -> StateFacts:
        if self.answers.at_start is None:
            raise self.answers.refusal("the start, which files of older versions do not name")
        return self.answers.at_start

    @property
    def row(self) -> Mapping[Any, Fraction]:
        """In matrix games: the optimal mixture of the row player."""
        return self._strategies(0)

    @property
    def column(self) -> Mapping[Any, Fraction]:
        """In matrix games: the optimal mixture of the column player."""
        return self._strategies(1)

    def _strategies(self, side: int) -> Mapping[Any, Fraction]:
        if self.answers.strategies is None:
            raise self.answers.refusal("the mixture of a matrix game")
        return self.answers.strategies[side]

    @property
    def space(self) -> Space:
        """The states that are stored, with their indices; `values` and the other arrays use the same indices."""
        return self.answers.space

    def state(self, *numbers: Any, **fields: Any) -> State:
        """A state from its fields. Raises `ParameterError` for other fields, and for anything in them but whole numbers."""
        layout = self.space.layout
        try:
            state: State = layout.state_class(*numbers, **fields)
        except TypeError:
            raise ParameterError(f"a state of {self.name} has the fields {', '.join(layout.state_class._fields)}") from None
        if not is_whole(state) or not has_shape(state, layout.lengths):
            expected = [f"{name}, {counted(n, 'number')}" if n else name for name, n in zip(state._fields, layout.lengths, strict=True)]
            raise ParameterError(f"{state!r} is not a state of {self.name}: its fields are whole numbers ({'; '.join(expected)})")
        return state

    def probe(self, state: State) -> DataProbe:
        """The stored data of a state. Raises `UnreachableState`, `ParameterError`, `NoRules`."""
        known = self.answers.known(state)
        payoffs = dict(zip(self.answers.payoffs, known.values, strict=True))
        return DataProbe(state, known.values[0], *known.interval(), known.best, payoffs, known.distance)

    @property
    def values(self) -> np.ndarray:
        """float64[states]: the value of every stored state, in the order of `space`."""
        return ByIndex(self._stored().value[:, 0])

    @property
    def errors(self) -> np.ndarray:
        """float64[states]: |value - true value| is at most this."""
        return ByIndex(self._stored().error[:, 0])

    @property
    def payoff_values(self) -> np.ndarray:
        """float64[states, payoffs]: the expected total of every named payoff in every stored state."""
        return ByIndex(np.asarray(self._stored().value))

    @property
    def action_numbers(self) -> np.ndarray | None:
        """int32[states]: the position of a best action among the actions, which are known only from the rules; -1 in final states."""
        return None if self._stored().policy is None else ByIndex(np.asarray(self._stored().policy))

    @property
    def distances(self) -> np.ndarray | None:
        """int32[states]: moves to the end under optimal play, -1 for endless draws; None if they are not known."""
        return None if self._stored().distance is None else ByIndex(np.asarray(self._stored().distance))

    def _stored(self) -> Stored:
        if self.answers.stored is None:
            raise self.answers.refusal("the values of all states")
        return self.answers.stored

    def __getattr__(self, name: str) -> Any:
        own = getattr(type(self), name, None)
        if isinstance(own, property) and own.fget is not None:
            return own.fget(self)  # raises the reason again, which Python treats as a missing attribute
        if name.startswith("_"):
            raise AttributeError(name)
        raise self.answers.refusal(f"`{name}`")

    def __repr__(self) -> str:
        value = "" if self.answers.at_start is None else f": value {digits(self.value, self.low, self.high)}"
        return f"<DataSolution of {self.name}, without its rules{value}>"


@described(
    state="The state that was asked about.",
    value="The stored value.",
    low="The true value is at least this.",
    high="The true value is at most this.",
    action_number="The position of a best action among those of the state; None where play is over, or where none is stored.",
    payoffs="The expected total of every named payoff.",
    distance="Moves to the end under best play, where they are stored.",
)
class DataProbe(NamedTuple):
    """What a file says about one state, without the rules."""

    state: State
    value: Number
    low: Number
    high: Number
    action_number: int | None
    payoffs: dict[str, Number]
    distance: int | None
