"""The positions of a board game, numbered: all tuples of a ranked space, leaving out symmetric images where that is easy.

The representative of an orbit is the position with the smallest rank. The space is a product of parts. If every symmetry maps each
part separately (the squares of the large pieces, for example, wherever the small ones are), the first part of a representative is the
smallest of its own images, so only positions with such a first part are given a number:

    number = (index of the representative of the first part) * (sizes of the other parts) + rank of the rest.

If the first part is itself symmetric, several numbers may remain for one orbit; only the smallest is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.errors import RulesError, UnreachableState
from zermelo.language.rules import Rules, State, lengths
from zermelo.states.layout import Layout, flatten, nested

if TYPE_CHECKING:
    from zermelo.spaces import RankedSpace

TOGETHER = 1 << 16  # states that are looked at at a time


class Positions:
    """The number of each position, and the position with a number.

    `images` : for every part int[symmetries, tuples of the part], the rank of its image under each symmetry, including the identity;
    None if symmetries do not map part by part. `representatives` int64[k]: the ranks of the first part that are used, ascending.
    """

    def __init__(self, rules: Rules, images: Sequence[np.ndarray] | None):
        self.rules, self.space, self.images = rules, rules.ranked, images
        every = np.arange(self.parts[0].size)
        self.representatives = every if images is None else np.flatnonzero(images[0].min(axis=0) == every)
        self.rest = self.space.size // self.parts[0].size  # tuples of all parts but the first
        self.layout = Layout.of([state_of(rules, corner) for corner in self.space.corners])

    @property
    def parts(self) -> tuple[RankedSpace, ...]:
        return self.space.parts

    @property
    def size(self) -> int:
        """The count of numbers, not all of which are used (see above)."""
        return len(self.representatives) * self.rest

    def find(self, state: State) -> int:
        """The number of the representative of this position; -1 if the space does not contain it."""
        if self.images is None:
            return min(self.space.find(flatten(s)) for s in (state, *self.rules.same_as(state)))
        ranks, slots, at = [], flatten(state), 0
        for part in self.parts:
            ranks.append(part.find(slots[at : at + part.places]))
            at += part.places
        if min(ranks) < 0 or at != len(slots):
            return -1
        firsts = self.images[0][:, ranks[0]].tolist()
        least, rests = min(firsts), []
        for symmetry in (k for k, first in enumerate(firsts) if first == least):  # few, so that plain numbers are quicker than arrays
            rest = 0
            for part, image, rank in zip(self.parts[1:], self.images[1:], ranks[1:], strict=True):
                rest = rest * part.size + int(image[symmetry, rank])
            rests.append(rest)
        return int(self.representatives.searchsorted(least)) * self.rest + min(rests)

    def number(self, state: State) -> int:
        """The number of the representative of this position. Raises `UnreachableState` if the space does not contain it."""
        number = self.find(state)
        if number < 0:
            raise UnreachableState(f"{state} is no position of {self.rules.name}; it has no computed value")
        return number

    def state(self, number: int) -> State:
        """The position with this number."""
        which, rest = divmod(number, self.rest)
        return state_of(self.rules, self.space.unrank(int(self.representatives[which]) * self.rest + rest))

    def slots(self, numbers: np.ndarray) -> np.ndarray:
        """int64[n, slots]: the flattened positions with these numbers."""
        which, rest = np.divmod(numbers, self.rest)
        return np.asarray(self.space.unrank_all(self.representatives[which].astype(np.int64) * self.rest + rest))


def check_space(rules: Rules) -> None:
    """Raise `RulesError` if the declared space cannot contain the states of the game."""
    places, wanted = rules.ranked.places, len(flatten(rules.start))
    if places != wanted:
        raise RulesError(rules.name, [f"`space` has {places} numbers a state, and a state has {wanted}"])
    if flatten(rules.start) not in rules.ranked:
        raise RulesError(rules.name, [f"`space` does not hold the start, {rules.in_line(rules.start)}"])


def check_held(rules: Rules, states: Iterable[State]) -> None:
    """Raise `RulesError` if a declared ranked space does not hold one of these states, which are all reached."""
    if (space := rules.ranked) is not None:
        for state in states:
            if flatten(state) not in space:
                raise outside(rules, state)


def check_all_held(rules: Rules, layout: Layout, keys: np.ndarray) -> None:
    """The same for the states with these keys, of which each may be an image of the one that was reached."""
    if rules.ranked is None:
        return
    for at in range(0, len(keys), TOGETHER):
        is_held = _are_held(rules.ranked, layout.columns(keys[at : at + TOGETHER]))
        if not is_held.all():
            state = layout.unpack(keys[at + int(np.argmin(is_held))])
            for other in rules.same_as(state):
                if flatten(other) in rules.ranked:
                    raise image_outside(rules, other, state)
            check_held(rules, [state])


def outside(rules: Rules, state: State) -> RulesError:
    """The error for a state that is reached and that the declared space does not hold."""
    return RulesError(rules.name, [f"`space` does not hold {rules.in_line(state)}, which is reached"])


def image_outside(rules: Rules, state: State, image: State) -> RulesError:
    """The error for an image of a position that the declared space does not hold."""
    return RulesError(rules.name, [f"`symmetries` yields {rules.in_line(image)} for {rules.in_line(state)}: `space` does not hold it"])


def _are_held(space: RankedSpace, columns: np.ndarray) -> np.ndarray:
    """bool[n]: which tuples the space holds, given their numbers in each place, int64[places, n]."""
    if len(columns) != space.places or not space.size:
        return np.zeros(columns.shape[1], bool)
    automaton, at = space.automaton, np.zeros(columns.shape[1], np.int64)  # the entry with which the next node begins
    is_held = at == 0
    for column, low, width in zip(columns, automaton.low, automaton.width, strict=True):
        is_held &= (column >= low) & (column <= low + (width - 1))  # differences may not fit 64 bits
        at = automaton.following[np.where(is_held, at + column - low, 0)]
        is_held &= at >= 0
    return is_held


def state_of(rules: Rules, numbers: Any) -> State:
    """A state of the game from its flattened numbers."""
    return nested(type(rules.start), lengths(rules.start), [int(n) for n in numbers])
