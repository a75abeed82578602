"""The states of every stage, numbered: the declarations `stage`, `space` and `turned`, checked, as tables for the kernel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from zermelo.errors import OutOfReach, RulesError
from zermelo.language.names import declared_as
from zermelo.language.parameters import describe
from zermelo.language.rules import Rules, State, lengths
from zermelo.spaces import RankedSpace, product, tables
from zermelo.states.layout import Layout, declared_ranges, flatten, is_of, nested
from zermelo.states.quotient import columns_after, order_after

MOST_STAGES = 10_000
TURNED = 100  # states at which `turned` is compared with the rules, if the game has so many
MOST_STATES = 2**31 - 1  # unless max_states says otherwise: protects a machine from a typo


@dataclass(frozen=True)
class Stages:
    """The stages of a game in order, that of the start first. The state with number offset[k] + rank has this rank in stage k."""

    rules: Rules
    first: int  # the stage of the start, by the game's numbers
    spaces: tuple[RankedSpace, ...]

    @cached_property
    def offset(self) -> np.ndarray:
        """int64[stages + 1]"""
        return np.cumsum([0, *(space.size for space in self.spaces)], dtype=np.int64)

    @property
    def num_states(self) -> int:
        return sum(space.size for space in self.spaces)

    def states_of(self, stage: int) -> int:
        return self.spaces[stage].size

    @cached_property
    def layout(self) -> Layout:
        """How a state is packed into a key."""
        corners = [corner for space in self.spaces if space.size for corner in space.corners]
        least, most = np.min(corners, axis=0), np.max(corners, axis=0)
        return Layout.of([self._state(least), self._state(most)])

    def _state(self, numbers: Iterable[Any]) -> State:
        start = self.rules.start
        return nested(type(start), lengths(start), [int(n) for n in numbers])

    @cached_property
    def tables(self) -> tuple[np.ndarray, ...]:
        """The spaces of all stages for compiled code: low, width, following, before, root (kernels/ranking.py)."""
        return tables(self.spaces)

    @cached_property
    def columns(self) -> np.ndarray:
        """int64[turns, payoffs]: the index of each payoff after a rotation of the table by this many seats."""
        return columns_after(self.rules)

    def state(self, stage: int, rank: int) -> State:
        return self._state(self.spaces[stage].unrank(rank))

    def numbered(self, number: int) -> State:
        """The state with this number in the whole game."""
        stage = int(np.searchsorted(self.offset, number, side="right")) - 1
        return self.state(stage, number - int(self.offset[stage]))

    def place_of(self, state: State) -> tuple[int, int, int]:
        """(stage, rank, turns) of the representative of this state; rank -1 if no space contains it."""
        turned, by = self.rules.turned(state)
        stage = self.rules.game.stage(turned) - self.first
        known = 0 <= stage < len(self.spaces)
        return stage, self.spaces[stage].find(flatten(turned)) if known else -1, by

    def write_keys(self, stage: int, keys: np.ndarray) -> None:
        """Write the packed states of a stage to their places in `keys`, the keys of all states in order of their numbers."""
        space, offset = self.spaces[stage], int(self.offset[stage])
        for at in range(0, space.size, 1 << 20):
            slots = space.unrank_all(np.arange(at, min(at + (1 << 20), space.size)))
            keys[offset + at :][: len(slots)] = self.layout.pack_columns(slots.T)


def stages_of(rules: Rules, max_states: int | None) -> Stages:
    """The stages that a game declares. Raises `RulesError`, and `OutOfReach` beyond `max_states` states (MOST_STATES if it is None)."""
    _check_seats(rules)
    first, start = int(rules.game.stage(rules.start)), _turned(rules, rules.start)[0]
    spaces: list[RankedSpace] = []
    for space in _spaces(rules, first):
        if not spaces and flatten(start) not in space:
            break
        spaces.append(space)
    if not spaces:
        raise RulesError(rules.name, [f"`space({first})` does not hold the start, {rules.in_line(start)}"])
    stages = Stages(rules, first, tuple(spaces))
    most = max_states or MOST_STATES
    if stages.num_states > most:
        raise OutOfReach(
            f"{rules.name} has {stages.num_states:,} states in {len(spaces)} stages, more than {most:,} (max_states)"
        )
    return stages


def checked_stages(rules: Rules, sample: Iterable[State], max_states: int | None = None) -> Stages:
    """The stages that a game declares, after these declarations have been checked at the states of the sample. Raises `RulesError`."""
    stages = stages_of(rules, max_states)
    _check_declared(stages)
    check_laws(stages, _with_next(rules, sample) if hasattr(rules.game, "turned") else sample)
    return stages


def _with_next(rules: Rules, sample: Iterable[State]) -> list[State]:
    """These states and, of a small game, all others that follow from them: how long the sample took does not decide what is noticed."""
    found = list(dict.fromkeys(sample))
    seen, most = set(found), max(len(found), TURNED)
    for state in found:
        if len(found) >= most:
            break
        for o in rules.outcomes(state, None):
            if o.ways and o.state not in seen:
                seen.add(o.state)
                found.append(o.state)
    return found[:most]


def _check_declared(stages: Stages) -> None:
    """Raise `RulesError` if a space holds states outside the ranges that the class of states declares."""
    rules, layout = stages.rules, stages.layout
    declared = declared_ranges(layout.state_class, layout.lengths)
    for stage, space in enumerate(stages.spaces if any(declared) else ()):
        for corner in space.corners if space.size else ():
            for name, value, allowed in zip(layout.slot_names, corner, declared, strict=True):
                if allowed is not None and value not in allowed:
                    why = f"`space({stages.first + stage})` holds states whose {name} is {value}"
                    raise RulesError(rules.name, [f"{why}, {declared_as(rules.game, describe(allowed))}"])


def _asked(rules: Rules, member: str, ask: Callable[[], Any], at: str = "") -> Any:
    """The result of a member of the game. Raises `RulesError` if it raises anything."""
    try:
        return ask()
    except Exception as error:
        raise RulesError(rules.name, [f"`{member}` raised {type(error).__name__}: {error}{at}"]) from None


def _check_seats(rules: Rules) -> None:
    names = _asked(rules, "seats", lambda: rules.game.seats() if hasattr(rules.game, "seats") else ())
    if not isinstance(names, tuple | list) or len({*names}) < len(names):
        raise RulesError(rules.name, [f"`seats` returns {names!r}: it must return a tuple of different payoffs"])
    missing = [name for name in names if name not in rules.payoffs]
    if missing:
        raise RulesError(rules.name, [f"`seats` names {missing[0]!r}, which is none of the `payoffs`"])


def _turned(rules: Rules, state: State) -> tuple[State, int]:
    found = _asked(rules, "turned", lambda: rules.turned(state), f" at {rules.in_line(state)}")
    turned, by = found
    is_state = is_of(turned, type(state)) and lengths(turned) == lengths(state)
    if not is_state or not isinstance(by, int) or not 0 <= by < max(len(rules.seats), 1):
        raise RulesError(
            rules.name,
            [
                f"`turned` gives ({turned!r}, {by!r}) at {rules.in_line(state)}: it must give the state and by how many of "
                f"{len(rules.seats)} seats it was turned"
            ],
        )
    return turned, by


def _spaces(rules: Rules, first: int) -> Iterator[RankedSpace]:
    places = len(flatten(rules.start))
    for stage in range(first, first + MOST_STAGES):
        try:
            declared = rules.game.space(stage)
            if declared is None:
                return
            space = product(declared)
        except OutOfReach as error:
            raise OutOfReach(f"`space({stage})` of {rules.name}: {error}; give smaller parameters") from None
        except Exception as error:
            wanted = "return the states of the stage, as spaces or ranges, or None if there is no such stage"
            raise RulesError(
                rules.name, [f"`space({stage})` raised {type(error).__name__}: {error}: {wanted}"]
            ) from None
        if space.places != places:
            raise RulesError(
                rules.name, [f"`space({stage})` has {space.places} numbers a state, and a state has {places}"]
            )
        yield space
    raise OutOfReach(
        f"{rules.name} has more than {MOST_STAGES:,} stages: `space(stage)` returns None after the last one"
    )


def check_laws(stages: Stages, states: Iterable[State]) -> None:
    """Check `stage`, `space` and `turned` against the rules at these states. Raises `RulesError` with the first fault."""
    rules = stages.rules

    def differ(what: str) -> None:
        raise RulesError(rules.name, [what])

    for state in states:
        here = rules.in_line(state)
        turned, by = _turned(rules, state)
        if _turned(rules, turned) != (turned, 0):
            differ(
                f"`turned` gives {rules.in_line(turned)} at {here}, and turns that again: it must leave it unchanged, turned by 0"
            )
        if rules.game.stage(turned) != rules.game.stage(state):
            differ(f"`turned` leads from {here} to {rules.in_line(turned)}, another stage")
        if any(o.sign != 1 for o in rules.outcomes(state, None)):
            differ(f"an outcome at {here} has PASS as its fourth element: that is for games of two players")
        if stages.place_of(state)[1] < 0:
            differ(f"`space({rules.game.stage(state)})` does not hold {rules.in_line(turned)}")
        if turned != state and not _same(_happens(rules, state, by), _happens(rules, turned, 0)):
            differ(f"`turned` takes {here} for {rules.in_line(turned)}, but other things can happen there")


def _happens(rules: Rules, state: State, by: int) -> Counter[Any]:
    """What can happen at a state, as seen with the table rotated by this many seats, and in how many ways."""
    turns, order = max(len(rules.seats), 1), order_after(rules, by)
    found: Counter[Any] = Counter()
    for o in rules.outcomes(state, None):
        if o.ways:
            turned, turn = rules.turned(o.state)
            paid = tuple([o.payoff[j] for j in order])
            found[paid, turned, (turn - by) % turns] += o.ways if type(o.ways) is int else Fraction(o.ways)  # type: ignore[assignment]
    if not found:
        paid = rules.payoff(state)
        found[tuple([paid[j] for j in order])] += 1
    return found


def _same(one: Counter[Any], other: Counter[Any]) -> bool:
    """Whether the same can happen, with the same chances."""
    ways, others = one.total(), other.total()
    return one.keys() == other.keys() and all(n * others == other[what] * ways for what, n in one.items())
