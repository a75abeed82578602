"""All states at once: a data frame, arrays over the fields of a state, both mixtures of every state."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.answers.base import Answers, Tabled
from zermelo.basics.numbers import Number
from zermelo.basics.parameters import whole
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import State
from zermelo.problem.mixtures import Mixtures
from zermelo.uses.probe import joint_mixtures

if TYPE_CHECKING:
    import pandas
    import xarray

MOST_EMPTY = 50  # places of a box for each state in it


def to_dataframe(answers: Tabled) -> pandas.DataFrame:
    """One row a state: its fields, the value of every payoff, the error bound, the best action, the distance where known."""
    import pandas

    rules, value = answers.rules, np.asarray(answers.ordered(answers.value))
    frame = pandas.DataFrame(dict(answers.space.columns))
    for j, name in enumerate(rules.payoffs if len(rules.payoffs) > 1 else ("value",)):
        frame[name] = value[:, j]
    frame["error"] = np.asarray(answers.ordered(answers.error[:, 0]))
    if rules.is_simultaneous:
        _add_mixtures(answers, frame)
    elif not rules.is_chance:
        best = answers.ordered(answers.policy)
        frame["action"] = [_named(answers, s, int(p)) for s, p in zip(answers.space, best, strict=True)]
    if answers.distance is not None:
        frame["distance"] = np.asarray(answers.ordered(answers.distance))
    return frame


def _named(answers: Tabled, state: State, position: int) -> str | None:
    return None if position < 0 else answers.rules.action_name(answers.rules.own_actions(state)[position])


def _add_mixtures(answers: Tabled, frame: pandas.DataFrame) -> None:
    """Columns for the likeliest action of each player, and its probability."""
    rules = answers.rules
    choices = [rules.choices(s) for s in answers.space]
    found = [mixtures_at(answers, i) for i in range(answers.space.size)]
    for side, (name, chance) in enumerate((("action", "probability"), ("other action", "other probability"))):
        likeliest = [max(range(len(m[side])), key=m[side].__getitem__, default=None) for m in found]
        frame[name] = [
            None if k is None else rules.action_name(c[side][k]) for k, c in zip(likeliest, choices, strict=True)
        ]
        frame[chance] = [math.nan if k is None else float(m[side][k]) for k, m in zip(likeliest, found, strict=True)]


def to_xarray(answers: Tabled) -> xarray.Dataset:
    """Values and action numbers as arrays over the fields of a state; NaN and -1 where the box holds no state.

    Raises `OutOfReach` where the states fill less than 1 in 50 of the box that their fields span.
    """
    import xarray

    columns = dict(answers.space.columns)
    coordinates = {n: np.unique(c) for n, c in columns.items()}
    shape = tuple(len(c) for c in coordinates.values())
    if math.prod(shape) > max(MOST_EMPTY * answers.space.size, 1000):
        raise OutOfReach(
            f"the {answers.space.size:,} states of {answers.rules.name} do not form a box (their fields span {math.prod(shape):,} "
            "combinations); use to_dataframe()"
        )
    where = tuple(np.searchsorted(coordinates[n], c) for n, c in columns.items())
    value = np.asarray(answers.ordered(answers.value))
    names = ("value",) if len(answers.rules.payoffs) == 1 else answers.rules.payoffs
    variables: dict[str, Any] = {}
    for j, name in enumerate(names):
        filled = np.full(shape, np.nan)
        filled[where] = value[:, j]
        variables[name] = (tuple(columns), filled)
    chosen = np.full(shape, -1, dtype=np.int32)
    chosen[where] = answers.ordered(answers.policy)
    variables["action_number"] = (tuple(columns), chosen)
    return xarray.Dataset(variables, coords=coordinates)


# --- where both choose at once ----------------------------------------------------------------------------------------


def check_at_once(answers: Answers, what: str) -> None:
    """Raise `ParameterError` unless both choose at once, as `what` needs."""
    if not answers.rules.is_simultaneous:
        raise ParameterError(
            f"{what}: in {answers.rules.name} nobody chooses at the same time as the other player; best_action(state) has what to do"
        )


def mixtures(answers: Tabled) -> Mixtures:
    """Both mixtures of every state, in floats, by number."""
    if answers.mixtures is not None:
        return answers.mixtures
    sides: tuple[list[Any], list[Any]] = ([], [])
    for key in answers.keys:
        for side, mixture in zip(sides, joint_mixtures(answers, answers.layout.unpack(int(key))), strict=True):
            side.append(np.array(mixture, float))
    starts = [np.concatenate([[0], np.cumsum([m.size for m in side])]).astype(np.int64) for side in sides]
    return Mixtures(starts[0], starts[1], np.concatenate(sides[0]), np.concatenate(sides[1]))


def mixtures_at(answers: Tabled, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
    """The probabilities of player 0's and of player 1's actions in the state with this index of the space. Raises `ParameterError`."""
    if whole("the index of a state", index, 0) >= answers.space.size:
        raise ParameterError(f"{answers.rules.name} has {answers.space.size:,} states, with indices from 0: none has {index}")
    if answers.mixtures is None:
        return joint_mixtures(answers, answers.space.unrank(index))
    own, other = answers.mixtures.of(int(answers.order[index]))
    return own.tolist(), other.tolist()
