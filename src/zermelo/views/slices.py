"""The states of a solution that a table or figure shows: some fields fixed, one or two that vary, thinned out if there are many."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from zermelo.basics.numbers import WIDE
from zermelo.basics.words import no_such, round_step
from zermelo.errors import ParameterError
from zermelo.language.rules import Action, State
from zermelo.solution import Solution
from zermelo.states.layout import flatten, nested
from zermelo.views.look import Look, any_game, draws_board

Fix = Mapping[str, int]  # fields of a state (slots, such as chips[0]) and the values they are fixed at
NO_FIX: Fix = {}
MOST_FOLLOWED = 2 * 10**10  # outcomes, each counted as often as play may reach it
LENGTHS_TAIL = 1e-9  # plays that views of lengths do not follow to their end
MOST_FIELDS = 8  # fields, of which two are chosen to be shown
MOST_COMPARED = 10**6  # states searched for a field that follows from the others


def without_rounding(values: np.ndarray, errors: np.ndarray) -> np.ndarray:
    """Values with a 0 where they can't be told from 0, as rounding would have a colour or a scale otherwise."""
    return np.where((np.abs(values) <= errors) & (2 * errors <= WIDE), 0.0, values)


def has_states(solution: Solution) -> bool:
    return solution.has_states


def any_solution(solution: Solution) -> bool:
    return True


def has_lengths(solution: Solution) -> bool:
    """Whether plays differ in length, and all can be followed in about a minute: play that may return wanders through a
    component for about as many actions as it has states, at most."""
    facts = solution.statistics
    if solution.has_stopping_line:
        return facts["cells"] <= MOST_FOLLOWED
    if not solution.has_states or solution.rules.is_cut_off:
        return False
    if (
        "length" in facts
    ):  # solved by stages: long plays get less and less likely, by one factor per move
        moves = solution.length.mean + 30 * solution.length.standard_deviation
        return facts["entries"] * moves <= MOST_FOLLOWED
    is_certain = facts["deterministic"] and not solution.rules.is_simultaneous  # mixed strategies draw
    return not is_certain and facts["outcomes"] * max(facts["largest_component"], 1000) <= MOST_FOLLOWED


def has_rules(solution: Solution) -> bool:
    """Whether the game goes from state to state, so that each can be probed, stored or not."""
    return solution.has_rules


def has_board(solution: Solution) -> bool:
    """Whether positions are drawn on a grid."""
    return draws_board(solution.rules)


def has_telling_fields(solution: Solution) -> bool:
    """Whether there are individually stored states whose fields make sense as axes."""
    return has_states(solution) and are_fields_telling(solution)


def are_fields_telling(solution: Solution) -> bool:
    """Whether the fields of a state make sense as axes: those of a board are squares or bit masks, and do not."""
    return not (solution.counts_moves and has_board(solution))


class View(NamedTuple):
    """A table or a figure that can be requested by name."""

    doc: str
    make: Callable[..., Any]  # (solution, fix), and progress if it takes long
    fits: Callable[[Any], bool] = has_states  # whether it makes sense for this solution
    takes_fix: bool | tuple[str, ...] = False  # whether `fix` chooses what it shows: by all fields of states (True), or by these names
    is_long: bool = False  # whether it takes long, so that `make` is also given a progress callback
    discounted: bool = False  # whether it also makes sense where later payoffs are discounted
    likely: Callable[[Look], bool] = any_game  # whether it may make sense for a game that is not solved yet, for help


class Slice(NamedTuple):
    """The states that agree with the fixed fields, and the one or two fields along which they are shown."""

    fixed: dict[str, int]
    rows: str
    columns: str | None
    indices: np.ndarray  # of the states, in the order of the space
    implied: tuple[str, ...] = ()  # fields that follow from the others, and so are neither shown nor fixed


def choose_slice(solution: Solution, fix: Fix, rows: str | None, columns: str | None) -> Slice:
    """Decide which fields make the rows and the columns, and where the others are fixed."""
    solution.require_states("a view of the states")
    slots = solution.space.columns
    for name in (*fix, *filter(None, (rows, columns))):
        if name not in slots:
            raise ParameterError(no_such("field", name, list(slots), f"the states of {solution.rules.name}"))
    shown = [name for name in (rows, columns) if name]
    varying = [n for n, c in slots.items() if n not in fix and n not in shown and (c != c[0]).any()]
    start = dict(zip(slots, slot_values(solution, solution.rules.start), strict=True))
    agrees = {n: slots[n] == fix.get(n, start[n]) for n in (*varying, *fix)}
    if not shown and {"row", "column"} <= set(varying):
        shown = ["row", "column"]  # places on a plane form a map
    shown = _fullest(shown, varying, agrees) or [next(iter(slots))]
    fixed = {**{n: start[n] for n in varying if n not in shown}, **fix}
    implied = [n for n in fixed if n not in fix and _is_implied([slots[n] for n in shown], [agrees[m] for m in fixed if m != n])]
    implied.sort(key=lambda n: -int(_all_of([agrees[m] for m in fixed if m != n], solution.space.size).sum()))
    for n in implied[:1]:  # if there are several, each may follow from the others: only one is left free, which shows the most states
        del fixed[n]
    where = _all_of([agrees[n] for n in fixed], solution.space.size)
    if not where.any():
        said = ", ".join(f"{n}={v}" for n, v in fixed.items())
        raise ParameterError(f"{solution.rules.name} has no state with {said}")
    return Slice(fixed, shown[0], shown[1] if len(shown) > 1 else None, np.flatnonzero(where), tuple(implied[:1]))


def narrowness(solution: Solution, fix: Fix, chosen: Slice) -> str:
    """Where the slice is a single state: that it is, and which field to fix elsewhere to see the most states; else nothing."""
    slots, size = solution.space.columns, solution.space.size
    if len(chosen.indices) > 1 or size == 1:
        return ""
    alike = {n: slots[n] == slots[n][chosen.indices[0]] for n in (*chosen.fixed, *chosen.implied)}
    best = (1, "", 0)
    for name in alike.keys() - fix.keys():
        others = slots[name][_all_of([alike[n] for n in alike if n != name], size)]
        values, counts = np.unique(others, return_counts=True)
        best = max(best, (int(counts.max()), name, int(values[counts.argmax()])))
    count, name, value = best
    more = f": --fix {name}=N shows others ({count:,} with {value})" if count > 1 else ""
    return f"this is one state of {size:,}{more}"


def _is_implied(shown: list[np.ndarray], others: list[np.ndarray]) -> bool:
    """Whether a field has only one value in each cell of the map under the conditions on the other fields."""
    if len(shown[0]) > MOST_COMPARED:
        return False
    cells = np.stack(shown, axis=1)[_all_of(others, len(shown[0]))]
    return len(np.unique(cells, axis=0)) == len(cells)


def _fullest(shown: list[str], varying: list[str], agrees: dict[str, np.ndarray]) -> list[str]:
    """Two fields to show, those of `shown` among them, that leave the most states if all others are fixed."""
    missing = max(0, min(2 - len(shown), len(varying)))
    choices = [[*shown, *more] for more in combinations(varying[:MOST_FIELDS], missing)]

    def left(fields: list[str]) -> int:
        return int(_all_of([a for n, a in agrees.items() if n not in fields], 1).sum())

    return max(choices, key=left) if len(choices) > 1 else choices[0]


def _all_of(conditions: list[np.ndarray], size: int) -> np.ndarray:
    return np.logical_and.reduce(conditions) if conditions else np.ones(size, dtype=bool)


def slot_values(solution: Solution, state: State) -> list[int]:
    """The integers of a state in the order of `space.columns` (under symmetries, of its representative)."""
    index = solution.space.rank(state)
    return [int(column[index]) for column in solution.space.columns.values()]


def sampled(values: np.ndarray, limit: int) -> tuple[np.ndarray, str]:
    """At most `limit` of the values (but two), evenly spread, first and last included, and a note on those left out."""
    if len(values) <= limit:
        return values, ""
    kept, step = values, 0
    while len(kept) > max(limit, 2):
        step = round_step(step + 1 if step else len(values) / max(limit, 2))
        kept = values[::step] if (len(values) - 1) % step == 0 else np.append(values[::step], values[-1])
    return kept, f"{len(kept)} of {len(values):,} values shown, evenly spread,"


def action_at(solution: Solution, index: int) -> str:
    """The name of the best action of the state with this index; '' if there is none to choose."""
    action = best_at(solution, index)
    return "" if action is None else solution.rules.name_among(action, solution.rules.own_actions(solution.space.unrank(index)))


def best_at(solution: Solution, index: int) -> Action | None:
    """The best action of the state with this index; None if there is none to choose."""
    position = int(solution.action_numbers[index])
    if position < 0 or solution.rules.is_chance:
        return None
    return solution.rules.own_actions(solution.space.unrank(index))[position]


def state_with(solution: Solution, fix: Fix) -> State:
    """The start state with some of its integers replaced."""
    layout = solution.layout
    values = dict(zip(layout.slot_names, flatten(solution.rules.start), strict=True))
    for name, value in fix.items():
        if name not in values:
            raise ParameterError(no_such("field", name, list(values), f"the states of {solution.rules.name}"))
        values[name] = value
    return nested(layout.state_class, layout.lengths, list(values.values()))


def slots_of(state: State) -> list[int]:
    """The integers of a state in order."""
    return [int(x) for x in flatten(state)]


def state_of(solution: Solution, slots: Sequence[int]) -> State:
    """The state with these integers, as many as it has, in order: the inverse of `slots_of`."""
    return nested(solution.layout.state_class, solution.layout.lengths, slots)


def box_of(solution: Solution, numbers: np.ndarray, fill: Any) -> np.ndarray:
    """Numbers of the states as an array over the fields (none negative) of a state; `fill` where there is no state."""
    columns = list(solution.space.columns.values())
    array = np.full([int(c.max()) + 1 for c in columns], fill)
    array[tuple(columns)] = numbers
    return array
