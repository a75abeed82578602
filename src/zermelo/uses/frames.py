"""Many states at once: a data frame of all or some, arrays over the fields of a state, both mixtures of every state."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from zermelo.answers.base import Answers, CountsMoves, Tabled
from zermelo.basics.different import different
from zermelo.basics.numbers import FINEST, Number
from zermelo.basics.parameters import whole
from zermelo.basics.runs import running
from zermelo.errors import OutOfReach, ParameterError
from zermelo.language.rules import Action, State
from zermelo.problem.mixtures import Mixtures
from zermelo.states.layout import flatten
from zermelo.uses.probe import best_action, joint_mixtures
from zermelo.uses.units import winning

if TYPE_CHECKING:
    import pandas
    import xarray

MOST_EMPTY = 50  # places of a box for each state in it
LISTS = 1000  # of actions whose names are remembered


def to_dataframe(answers: Answers, states: Iterable[State] | None = None) -> pandas.DataFrame:
    """One row per state: its fields, the value of every payoff, the chance of winning where the game tells it, the error bound (of the
    value), the best action, the distance where known (-1: play has no end to count to, as in draws). Where nothing is known (`must_end`)
    values are NaN and there is no action.

    The rows are those of the given `states`, in their order, for any kind of answer; by default of all states, which the answer must
    then have (`Tabled`). Raises `ParameterError` for anything that is not a state of the game, `UnreachableState` for one without value.
    """
    if states is None:
        return _frame_of_all(cast(Tabled, answers))
    if not isinstance(states, Iterable):
        raise ParameterError(f"states must be a sequence of states, such as [solution.game.start()], not {states!r}")
    return _frame_of(answers, list(states))


def values_of(answers: Tabled) -> np.ndarray:
    """float64[states, payoffs]: all values, in the order of `space`; NaN where nothing is known of them (`must_end`)."""
    values = np.asarray(answers.ordered(answers.value))
    return _known(values, np.asarray(answers.ordered(answers.error))) if answers.rules.must_end else values


def policy_of(answers: Tabled) -> np.ndarray:
    """int32[states]: the positions of best actions, in the order of `space`; -1 in final states, and where nothing is known."""
    policy: np.ndarray = answers.ordered(answers.policy)
    return np.where(np.isinf(answers.ordered(answers.error[:, 0])), np.int32(-1), policy) if answers.rules.must_end else policy


def _known(values: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """The values, NaN where their errors say that nothing is known of them."""
    return np.where(np.isinf(errors) & np.isfinite(values), np.nan, values)


def _values(answers: Answers) -> Sequence[str]:
    """Columns of values."""
    names = answers.rules.payoffs if len(answers.rules.payoffs) > 1 else ("value",)
    return [column(answers, name) for name in names]


def column(answers: Answers, name: str) -> str:
    """The name of a column that the solution adds to the fields of states; a field that has this name already keeps it."""
    return f"{name} (solution)" if name in answers.layout.slot_names else name


def _errors(values: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Error bounds; those too small to affect a digit of a value are rounded up as `least_error`, those of 0 as for the largest value."""
    sizes = np.where(np.isfinite(values), np.abs(values), 0.0)
    sizes = np.where(sizes == 0, sizes.max(initial=0.0) or 1.0, sizes)
    return np.where(errors > 0, np.maximum(errors, 10.0 ** (np.floor(np.log10(sizes)) - FINEST)), 0.0)


def _frame_of(answers: Answers, states: list[State]) -> pandas.DataFrame:
    """The rows of these states, one query each."""
    import pandas

    rules, slots = answers.rules, answers.layout.slot_names
    known = [answers.known(s) for s in states]
    errors = np.array([float(k.errors[0]) for k in known])
    fields = np.array([flatten(s) for s in states], np.int64).reshape(len(states), len(slots))
    frame = pandas.DataFrame({name: fields[:, k] for k, name in enumerate(slots)})
    for j, name in enumerate(_values(answers)):
        frame[name] = _known(np.array([float(k.values[j]) for k in known]), np.array([float(k.errors[j]) for k in known]))
    unit = winning(answers)
    if unit is not None:
        frame[column(answers, "win probability")] = unit.of_all(_known(np.array([float(k.values[0]) for k in known]), errors))
    frame[column(answers, "error")] = _errors(np.array([float(k.values[0]) for k in known]), errors)
    if rules.is_simultaneous:
        _add_mixtures(answers, frame, states, [joint_mixtures(answers, s) for s in states])
    elif not rules.is_chance:
        best = [None if math.isinf(e) else best_action(answers, s) for s, e in zip(states, errors, strict=True)]
        name_of = _names(answers)
        frame[column(answers, "action")] = [
            None if a is None else name_of(a, rules.own_actions(s)) for s, a in zip(states, best, strict=True)
        ]
    if answers.lacks(CountsMoves) is None:
        frame[column(answers, "distance")] = np.array([-1 if k.distance is None else k.distance for k in known], np.int32)
    return frame


def _frame_of_all(answers: Tabled) -> pandas.DataFrame:
    import pandas

    rules, value = answers.rules, values_of(answers)
    frame = pandas.DataFrame(dict(answers.space.columns))
    for j, name in enumerate(_values(answers)):
        frame[name] = value[:, j]
    unit = winning(answers)
    if unit is not None:
        frame[column(answers, "win probability")] = unit.of_all(value[:, 0])
    frame[column(answers, "error")] = _errors(value[:, 0], np.asarray(answers.ordered(answers.error[:, 0])))
    if rules.is_simultaneous:
        found = [mixtures_at(answers, i) for i in range(answers.space.size)]
        _add_mixtures(answers, frame, list(answers.space), found)
    elif not rules.is_chance:
        name_of, best = _names(answers), policy_of(answers)
        frame[column(answers, "action")] = [
            None if p < 0 else name_of((actions := rules.own_actions(s))[int(p)], actions) for s, p in zip(answers.space, best, strict=True)
        ]
    if answers.distance is not None:
        frame[column(answers, "distance")] = np.asarray(answers.ordered(answers.distance))
    return frame


def _names(answers: Answers) -> Callable[[Action, Sequence[Action]], str]:
    """The name of an action that no other of the actions of a state has."""
    names = lru_cache(LISTS)(answers.rules.action_names)
    return lambda action, actions: names(tuple(actions))[action]


def _add_mixtures(answers: Answers, frame: pandas.DataFrame, states: list[State], found: Sequence[Any]) -> None:
    """Columns for the likeliest action of each player, and its probability, by both mixtures of each state."""
    rules = answers.rules
    choices, name_of = [rules.choices(s) for s in states], _names(answers)
    for side, (name, chance) in enumerate((("action", "probability"), ("other action", "other probability"))):
        likeliest = [max(range(len(m[side])), key=m[side].__getitem__, default=None) for m in found]
        frame[column(answers, name)] = [
            None if k is None else name_of(c[side][k], c[side]) for k, c in zip(likeliest, choices, strict=True)
        ]
        frame[column(answers, chance)] = [math.nan if k is None else float(m[side][k]) for k, m in zip(likeliest, found, strict=True)]


def to_xarray(answers: Tabled) -> xarray.Dataset:
    """Values and action numbers as arrays over the fields of a state; NaN and -1 where the box holds no state, or nothing is known of it.

    Raises `OutOfReach` if the states fill less than 1 in 50 of the box that their fields span.
    """
    import xarray

    columns = dict(answers.space.columns)
    coordinates = {n: different(c) for n, c in columns.items()}
    shape = tuple(len(c) for c in coordinates.values())
    if math.prod(shape) > max(MOST_EMPTY * answers.space.size, 1000):
        raise OutOfReach(
            f"the {answers.space.size:,} states of {answers.rules.name} do not form a box (their fields span {math.prod(shape):,} "
            "combinations); use to_dataframe()"
        )
    where = tuple(np.searchsorted(coordinates[n], c) for n, c in columns.items())
    value = values_of(answers)
    variables: dict[str, Any] = {}
    for j, name in enumerate(_values(answers)):
        filled = np.full(shape, np.nan)
        filled[where] = value[:, j]
        variables[name] = (tuple(columns), filled)
    chosen = np.full(shape, -1, dtype=np.int32)
    chosen[where] = policy_of(answers)
    variables[column(answers, "action_number")] = (tuple(columns), chosen)
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
        for side, mixture in zip(sides, joint_mixtures(answers, answers.layout.unpack(key)), strict=True):
            side.append(np.array(mixture, float))
    starts = [running([m.size for m in side]) for side in sides]
    return Mixtures(starts[0], starts[1], np.concatenate(sides[0]), np.concatenate(sides[1]))


def mixtures_at(answers: Tabled, index: int) -> tuple[Sequence[Number], Sequence[Number]]:
    """The probabilities of player 0's and of player 1's actions in the state with this index of the space. Raises `ParameterError`."""
    if whole("the index of a state", index, 0) >= answers.space.size:
        raise ParameterError(f"{answers.rules.name} has {answers.space.size:,} states, with indices from 0: none has {index}")
    if answers.mixtures is None:
        return joint_mixtures(answers, answers.space.unrank(index))
    own, other = answers.mixtures.of(int(answers.order[index]))
    return own.tolist(), other.tolist()
